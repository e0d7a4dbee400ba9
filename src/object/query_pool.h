/* SPDX-License-Identifier: MIT */
/* VkQueryPool: timestamps, result status, video encode feedback.
 */
#ifndef RP_OBJECT_QUERY_POOL_H
#define RP_OBJECT_QUERY_POOL_H

#include "object/object.h"

#include <vulkan/vulkan_core.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define RP_QUERY_MAX_VALUES 8

struct rp_query {
    uint64_t values[RP_QUERY_MAX_VALUES]; /* value_count of them, in the order of the specification */
    int32_t status;                       /* VkQueryResultStatusKHR */
    atomic_bool is_available;             /* released after values and status are written */
};

struct rp_query_pool {
    struct rp_object base;
    VkQueryType type;
    VkVideoEncodeFeedbackFlagsKHR feedback_flags; /* of VIDEO_ENCODE_FEEDBACK pools */
    uint32_t value_count; /* without status and availability */
    uint32_t query_count;
    struct rp_query *queries; /* owned */
};

RP_HANDLE_CASTS(rp_query_pool, VkQueryPool, VK_OBJECT_TYPE_QUERY_POOL)

/* Makes results visible and wakes vkGetQueryPoolResults with WAIT. Any thread. */
void rp_query_complete(struct rp_query_pool *pool, uint32_t query, const uint64_t *values,
                       uint32_t value_count, VkQueryResultStatusKHR status);

void rp_query_reset(struct rp_query_pool *pool, uint32_t first, uint32_t count);

#endif

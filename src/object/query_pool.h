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

#define RP_QUERY_MAX_VALUES 16

/* What became of one slice of a picture. */
struct rp_query_partition {
    VkQueryResultStatusKHR status;
    uint32_t offset_B; /* from the picture's first byte */
    uint32_t size_B;
};

enum rp_query_state {
    RP_QUERY_UNAVAILABLE,
    RP_QUERY_RUNNING, /* a job that runs aside will complete it */
    RP_QUERY_AVAILABLE,
};

struct rp_query {
    uint64_t values[RP_QUERY_MAX_VALUES]; /* in the order of the specification */
    int32_t status;                       /* VkQueryResultStatusKHR */
    uint32_t partition_count;             /* that results have room for */
    atomic_uint state;                    /* rp_query_state; AVAILABLE is stored after the rest. One
                                             word: a reset that waits for RUNNING comes after all */
};

struct rp_query_pool {
    struct rp_object base;
    VkQueryType type;
    VkVideoEncodeFeedbackFlagsKHR feedback_flags; /* of VIDEO_ENCODE_FEEDBACK pools */
    uint32_t value_count;                         /* without status and availability */
    uint32_t query_count;
    VkVideoEncodePerPartitionFeedbackFlagsKHR partition_flags;
    uint32_t partition_capacity;           /* of each query */
    struct rp_query_partition *partitions; /* behind queries */
    struct rp_query queries[];
};

RP_HANDLE_CASTS(rp_query_pool, VkQueryPool, VK_OBJECT_TYPE_QUERY_POOL)

/* A job that runs aside will complete the query: resets on the queue wait for it. */
void rp_query_start(struct rp_query_pool *pool, uint32_t query);
bool rp_query_range_is_running(const struct rp_query_pool *pool, uint32_t first, uint32_t count);

/* Before the query is completed; partitions beyond the pool's capacity are left out. */
void rp_query_set_partitions(struct rp_query_pool *pool, uint32_t query,
                             const struct rp_query_partition *partitions, uint32_t count);

/* Makes results visible and wakes who waits for them. The missing values are 0. Any thread. */
void rp_query_complete(struct rp_query_pool *pool, uint32_t query, const uint64_t *values,
                       uint32_t value_count, VkQueryResultStatusKHR status);

/* Queries out of range are left out. */
void rp_query_reset(struct rp_query_pool *pool, uint32_t first, uint32_t count);

/* Consecutive queries of a pool: what a wait for results is about. */
struct rp_query_range {
    const struct rp_query_pool *pool;
    uint32_t first;
    uint32_t count;
};

/* An rp_sync_predicate on a struct rp_query_range. */
bool rp_query_range_is_available(const void *range);

/* Bytes of one query's results with these flags. */
uint64_t rp_query_result_size(const struct rp_query_pool *pool, VkQueryResultFlags flags);

/* Writes what vkGetQueryPoolResults says for one query. Returns false when it is not available. */
bool rp_query_write_result(const struct rp_query_pool *pool, uint32_t query,
                           VkQueryResultFlags flags, void *dst);

#endif

/* SPDX-License-Identifier: MIT */
/* The open video coding scope of a replay, and the query that is active in it.
 */
#ifndef RP_CMD_VIDEO_SCOPE_H
#define RP_CMD_VIDEO_SCOPE_H

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stdint.h>

struct rp_query_pool;
struct rp_video_parameters;
struct rp_video_session;

/* Zeroed outside of a scope but for the query. */
struct rp_video_scope {
    struct rp_video_session *session;             /* borrowed; NULL: no scope is open */
    const struct rp_video_parameters *parameters; /* borrowed; may be NULL */
    const VkVideoBeginCodingInfoKHR *begin;       /* borrowed: the slots the scope began with */

    /* vkCmdBeginQuery sets query_pool and query and clears is_query_taken. A picture that answers
     * the query sets is_query_taken and completes the query itself, perhaps later on a worker.
     * vkCmdEndQuery completes one that is not taken (status COMPLETE, values 0) and clears
     * query_pool. */
    struct rp_query_pool *query_pool; /* borrowed; NULL: none is active */
    uint32_t query;
    bool is_query_taken;
};

#endif

/* SPDX-License-Identifier: MIT */
/* VkCommandBuffer and VkCommandPool: lists of commands in an arena per command buffer.
 */
#ifndef RP_CMD_CMD_BUFFER_H
#define RP_CMD_CMD_BUFFER_H

#include "cmd/cmd.h"
#include "object/object.h"
#include "util/arena.h"
#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stdint.h>

enum rp_cmd_buffer_state {
    RP_CMD_BUFFER_INITIAL,
    RP_CMD_BUFFER_RECORDING,
    RP_CMD_BUFFER_EXECUTABLE, /* pending ones too */
    RP_CMD_BUFFER_INVALID,
};

struct rp_cmd_buffer;

/* Embedded in a piece of the arena that holds a reference. */
struct rp_cmd_held {
    struct rp_cmd_held *next;
    void (*release)(struct rp_cmd_held *held);
};

struct rp_video_parameters; /* src/video/ */
struct rp_video_session;    /* src/object/ */

struct rp_cmd_pool {
    struct rp_object base;
    VkCommandPoolCreateFlags flags;
    uint32_t family_index;
    VkAllocationCallbacks callbacks; /* of vkCreateCommandPool, or else the device's */
    bool has_callbacks;
    struct rp_cmd_buffer *first; /* owned list of all command buffers */
};

struct rp_cmd_buffer {
    struct rp_object base;
    struct rp_cmd_pool *pool; /* borrowed */
    struct rp_cmd_buffer *next_in_pool;
    struct rp_cmd_buffer *prev_in_pool;
    VkCommandBufferLevel level;
    VkCommandBufferUsageFlags usage;
    enum rp_cmd_buffer_state state;
    VkResult result; /* first error while recording; vkEndCommandBuffer reports it */

    struct rp_arena arena;
    struct rp_cmd *first;
    struct rp_cmd **last; /* where the next command is linked */

    bool waits_for_others;       /* some command does */
    bool reads_host_memory;      /* which the application may take back (copy_image.c) */
    bool has_open_dispatches;    /* recorded since the last barrier */
    bool has_decode;             /* some command has a survey to make (decode_survey.h) */
    bool has_session;            /* some command begins a video coding scope */
    bool has_more_than_pictures; /* than pictures of encode_session */
    struct rp_video_session *scope_session; /* borrowed: of the open video coding scope, or NULL */
    const struct rp_video_parameters *scope_parameters; /* borrowed: of that scope, or NULL */
    struct rp_video_session *encode_session; /* borrowed: of the first encode scope, or NULL */

    /* Estimate of the replay's time; UINT64_MAX when one command's is not known. */
    uint64_t cost_ns;

    /* What is bound while recording, to drop commands that change nothing (opaque to all but the
     * recorders of src/cmd/bind.c); in the arena, NULL until the first bind. */
    struct rp_cmd_bound *bound;
    uint32_t dropped_bind_count; /* that changed nothing */
    uint32_t dropped_push_count;
    uint32_t dropped_barrier_count;

    struct rp_cmd_held *held; /* what recorded commands keep alive, until reset */
};

RP_HANDLE_CASTS(rp_cmd_pool, VkCommandPool, VK_OBJECT_TYPE_COMMAND_POOL)
RP_HANDLE_CASTS(rp_cmd_buffer, VkCommandBuffer, VK_OBJECT_TYPE_COMMAND_BUFFER)

/* Linked into pool; NULL when memory is short. */
struct rp_cmd_buffer *rp_cmd_buffer_create(struct rp_cmd_pool *pool,
                                           VkCommandBufferLevel level) RP_MUST_CHECK;
void rp_cmd_buffer_destroy(struct rp_cmd_buffer *cb); /* accepts NULL */
void rp_cmd_buffer_reset(struct rp_cmd_buffer *cb, bool gives_memory_back);

/* Only cmd is filled in, the rest is for the recorder. Linked at the end of the list. NULL after
 * an error, which sticks to the command buffer: recorders just return. */
void *rp_cmd_record(struct rp_cmd_buffer *cb, const struct rp_cmd_ops *ops,
                    size_t size_B) RP_MUST_CHECK;

/* Memory that lives as long as the recorded commands; NULL (with a sticky error) when short. */
void *rp_cmd_alloc(struct rp_cmd_buffer *cb, size_t size_B) RP_MUST_CHECK;
void *rp_cmd_copy(struct rp_cmd_buffer *cb, const void *data, size_t count,
                  size_t size_B) RP_MUST_CHECK;

/* Adds what depends on the command's arguments to the estimate of its time. */
void rp_cmd_add_cost(struct rp_cmd_buffer *cb, uint64_t cost_ns);

/* The first error sticks. */
void rp_cmd_fail(struct rp_cmd_buffer *cb, VkResult result);

#endif

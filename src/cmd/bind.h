/* SPDX-License-Identifier: MIT */
/* What is bound while commands are replayed: pipeline, descriptor sets, push constants.
 */
#ifndef RP_CMD_BIND_H
#define RP_CMD_BIND_H

#include "compute/compute.h"
#include "compute/heap.h"
#include "object/descriptor_memory.h"
#include "object/descriptor_set.h"
#include "profile/profile.h"
#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stdint.h>

#define RP_MAX_PUSH_DESCRIPTORS 32

struct rp_cmd_buffer;
struct rp_device;
struct rp_pipeline;
struct rp_pipeline_binding;
struct rp_replay;

/* Descriptors bound to one set number, and the dynamic offsets in the command that bound them. */
struct rp_bound_set {
    const struct rp_descriptor *items; /* NULL: nothing is bound */
    uint32_t item_count;
    const uint32_t *dynamic_offsets; /* borrowed from the command */
    uint32_t dynamic_count;
    bool is_in_memory; /* of descriptor buffer number buffer, from offset_B on; items is NULL */
    bool is_embedded;  /* items are the samplers of its layout */
    uint32_t buffer;
    uint64_t offset_B;
};

/* Memory that holds descriptors. */
struct rp_bound_descriptor_buffer {
    const uint8_t *host; /* NULL: none */
    uint64_t size_B;     /* to the end of the buffer */
};

struct rp_bind_state {
    struct rp_device *dev;
    const struct rp_pipeline *pipeline; /* borrowed; NULL: none */
    struct rp_bound_set sets[RP_MAX_SETS];
    uint32_t push_set; /* set number whose items are pushed; RP_MAX_SETS: none */
    struct rp_descriptor pushed[RP_MAX_PUSH_DESCRIPTORS];
    uint8_t push_constants[RP_MAX_PUSH_CONSTANTS_B];
    struct rp_bound_descriptor_buffer buffers[RP_MAX_DESCRIPTOR_BUFFERS];
    struct rp_bound_descriptor_buffer heaps[2]; /* RP_HEAP_RESOURCES, RP_HEAP_SAMPLERS */
    struct rp_descriptor heap_bytes;            /* the resource heap as a buffer */

    bool is_dirty;                      /* the binding table below is to be made again */
    struct rp_descriptor_array *arrays; /* owned: by the kernel's bindings */
    bool *are_transient;                /* owned: arrays in pushed or dynamic */
    struct rp_descriptor_reader reader; /* of arrays in memory */
    uint32_t array_capacity;
    /* Owned: descriptors with their dynamic offset added, and those read from memory. */
    struct rp_descriptor *dynamic;
    uint32_t dynamic_capacity;
    struct rp_dispatcher *dispatcher; /* owned; NULL until the first dispatch */
    struct rp_profile_run profile_run;
};

/* The queue's, made with the first command that binds; reset for each command buffer. */
struct rp_bind_state *rp_bind_state_get(struct rp_replay *rp) RP_MUST_CHECK;
void rp_bind_state_reset(struct rp_bind_state *state);
void rp_bind_state_destroy(struct rp_bind_state *state); /* accepts NULL */

/* The part of a bound set that a binding of the pipeline reads, without dynamic offsets. Nothing of
 * a set in memory: what rp_bind_state_resolve() found there is in arrays. */
struct rp_descriptor_array rp_bind_state_array(const struct rp_bind_state *state,
                                               const struct rp_pipeline_binding *b);

/* Makes the binding table for the bound pipeline: of descriptors in memory, as they are now. Many
 * in one binding are left to their first use, but for captures and profiles, which look at all. */
VkResult rp_bind_state_resolve(struct rp_bind_state *state) RP_MUST_CHECK;

/* Where a binding of a set in memory begins, and how much of it lies in the descriptor buffer;
 * NULL: nothing, or the set is none in memory. */
const uint8_t *rp_bind_state_memory(const struct rp_bind_state *state,
                                    const struct rp_pipeline_binding *b, uint64_t *size_B_out);

/* While recording: the pipeline that is bound, or NULL when that is not known. */
const struct rp_pipeline *rp_cmd_bound_pipeline(const struct rp_cmd_buffer *cb);

/* While recording: samplers of items become copies that live as long as the commands. False: no
 * memory, which sticks to cb. */
bool rp_cmd_copy_samplers(struct rp_cmd_buffer *cb, struct rp_descriptor *items,
                          uint32_t count) RP_MUST_CHECK;

/* While recording: what is bound may have changed behind the recorders that drop binds. */
void rp_cmd_bound_forget_set(struct rp_cmd_buffer *cb, uint32_t set);

#endif

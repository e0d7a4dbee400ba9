/* SPDX-License-Identifier: MIT */
/* VkDescriptorSetLayout and VkPipelineLayout.
 *
 * Set layouts are counted: sets, templates and pipeline layouts keep them when the application
 * destroys them.
 */
#ifndef RP_OBJECT_DESCRIPTOR_LAYOUT_H
#define RP_OBJECT_DESCRIPTOR_LAYOUT_H

#include "compute/compute.h"
#include "object/object.h"

#include <vulkan/vulkan_core.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define RP_MAX_SETS 32
#define RP_MAX_PUSH_CONSTANTS_B 256
#define RP_MAX_SET_ITEMS RP_MAX_DESCRIPTORS /* of one set: maxPerSetDescriptors */
#define RP_MAX_INLINE_B (1u << 16)          /* bytes of inline uniform blocks of one set */
#define RP_MAX_INLINE_BLOCK_B 4096u         /* of one of them */

struct rp_sampler;
struct rp_sampler_state;

struct rp_set_binding {
    uint32_t binding;
    VkDescriptorType type;
    uint32_t count;      /* descriptors; of an inline uniform block: bytes */
    uint32_t first_item; /* into the set's descriptors; an inline uniform block has one */
    uint32_t item_count;
    uint32_t inline_offset_B;
    uint32_t first_dynamic;   /* into the set's dynamic offsets */
    uint64_t memory_offset_B; /* where a set in memory has it (object/descriptor_memory.h) */
    bool has_variable_count;
    bool may_be_stale; /* partially bound, or in memory: what a dispatch does not use may be gone */
    const struct rp_sampler_state *const *immutable_samplers; /* count of them, or NULL */
};

struct rp_set_layout {
    struct rp_object base;
    atomic_uint ref_count;
    VkDescriptorSetLayoutCreateFlags flags;
    uint32_t item_count; /* with variable counts at their largest */
    uint32_t dynamic_count;
    uint32_t inline_B;
    uint64_t memory_B; /* of a set in memory, with variable counts at their largest */
    uint32_t binding_count;
    struct rp_set_binding *bindings; /* ascending by binding number; behind the struct */
    struct rp_sampler *samplers;     /* copies of the immutable ones; behind the struct */
};

struct rp_pipeline_layout {
    struct rp_object base;
    uint32_t set_count;
    struct rp_set_layout *sets[RP_MAX_SETS]; /* a reference each; NULL: not there */
};

RP_HANDLE_CASTS(rp_set_layout, VkDescriptorSetLayout, VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT)
RP_HANDLE_CASTS(rp_pipeline_layout, VkPipelineLayout, VK_OBJECT_TYPE_PIPELINE_LAYOUT)

/* NULL when the layout has no such binding. */
const struct rp_set_binding *rp_set_layout_find(const struct rp_set_layout *layout,
                                                uint32_t binding);

/* ref returns its argument; unref accepts NULL. Any thread. */
struct rp_set_layout *rp_set_layout_ref(struct rp_set_layout *layout);
void rp_set_layout_unref(struct rp_set_layout *layout);

#endif

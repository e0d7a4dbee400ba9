/* SPDX-License-Identifier: MIT */
/* VkPipeline (compute), VkShaderEXT, which is the same, and VkShaderModule.
 */
#ifndef RP_OBJECT_PIPELINE_H
#define RP_OBJECT_PIPELINE_H

#include "object/object.h"

#include <vulkan/vulkan_core.h>

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rp_cache_entry;
struct rp_cache_key_info;
struct rp_descriptor;
struct rp_embedded_sampler;
struct rp_kernel;
struct rp_pipeline_layout;
struct rp_profile_pipeline;
struct rp_variants;

/* The words as given: they are checked when a pipeline wants them. */
struct rp_shader_module {
    struct rp_object base;
    size_t word_count;
    uint32_t words[];
};

/* The flags of VkPipelineCreateFlags2CreateInfo, or else of info itself. */
VkPipelineCreateFlags2 rp_pipeline_flags_of(const VkComputePipelineCreateInfo *info);

/* Where one of the kernel's bindings lies in a bound set. */
struct rp_pipeline_binding {
    uint32_t set;
    uint32_t first_item; /* of RP_HEAP_SET: enum rp_heap_binding */
    uint32_t item_count;
    uint32_t first_dynamic; /* into the set's dynamic offsets */
    bool is_dynamic;
    bool is_inline;           /* an inline uniform block */
    uint32_t inline_B;        /* of one */
    uint64_t memory_offset_B; /* in a set in memory (object/descriptor_memory.h) */
    uint32_t memory_count;    /* descriptors there that the kernel may name, of item_count */
};

struct rp_pipeline {
    struct rp_object base;
    VkPipelineCreateFlags2 flags;
    struct rp_kernel *kernel;     /* owned, maybe with caches and other pipelines */
    struct rp_variants *variants; /* owned; NULL: none are made */
    uint32_t group_cost_ns;       /* of one workgroup, about; 0: it has loops, nobody knows */
    struct rp_profile_pipeline *profile; /* borrowed from the device's profile; NULL: none */
    struct rp_descriptor *embedded;      /* owned: samplers of RP_HEAP_EMBEDDED; NULL: none */
    uint32_t embedded_count;
    struct rp_cache_entry *code; /* owned: what a shader object was made of; NULL: a pipeline */
    uint32_t binding_count;
    struct rp_pipeline_binding bindings[]; /* in the order of rp_kernel_bindings() */
};

RP_HANDLE_CASTS(rp_shader_module, VkShaderModule, VK_OBJECT_TYPE_SHADER_MODULE)
RP_HANDLE_CASTS(rp_pipeline, VkPipeline, VK_OBJECT_TYPE_PIPELINE)

static inline struct rp_pipeline *
rp_pipeline_from_shader(VkShaderEXT handle)
{
    struct rp_pipeline *pipeline = (struct rp_pipeline *)(uintptr_t)handle;
    assert(!pipeline || pipeline->base.type == VK_OBJECT_TYPE_SHADER_EXT);
    return pipeline;
}

struct rp_pipeline_info {
    VkObjectType type; /* a pipeline or a shader object */
    VkPipelineCreateFlags2 flags;
    const struct rp_cache_key_info *source;
    const struct rp_pipeline_layout *layout; /* may be NULL */
    const void *heap_chain;                  /* of the stage, with embedded samplers; NULL: none */
    const void *create_info;                 /* for captures */
};

/* Takes the kernel, whether it makes something of it or not. */
VkResult rp_pipeline_create(struct rp_device *dev, const VkAllocationCallbacks *alloc,
                            const struct rp_pipeline_info *info, struct rp_kernel *kernel,
                            struct rp_pipeline **out) RP_MUST_CHECK;
void rp_pipeline_destroy(struct rp_device *dev, const VkAllocationCallbacks *alloc,
                         struct rp_pipeline *pipeline); /* accepts NULL */

#endif

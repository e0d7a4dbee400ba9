/* SPDX-License-Identifier: MIT */
/* Where a stage's bindings lie in descriptor heaps: VkShaderDescriptorSetAndBindingMappingInfoEXT
 * without pointers, and the samplers that are embedded there.
 */
#ifndef RP_OBJECT_HEAP_MAPPING_H
#define RP_OBJECT_HEAP_MAPPING_H

#include "compute/bindings.h"
#include "compute/heap.h"
#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stdint.h>

struct rp_device;

/* Zeros: none. */
struct rp_heap_mappings {
    struct rp_heap_mapping *items; /* owned */
    uint32_t count;
};

/* The mappings of a stage or a shader object with that chain; all is copied. */
VkResult rp_heap_mappings_init(struct rp_device *dev, const void *chain,
                               struct rp_heap_mappings *out) RP_MUST_CHECK;
void rp_heap_mappings_finish(struct rp_heap_mappings *mappings);

/* One sampler after the other, numbered as the mappings say. */
struct rp_embedded_sampler {
    struct rp_sampler_state state;
    struct rp_ycbcr ycbcr;
};

uint32_t rp_embedded_sampler_count(const void *chain);
/* Fills in as many; items point to samplers. */
void rp_embedded_samplers_init(const void *chain, struct rp_embedded_sampler *samplers,
                               struct rp_descriptor *items);

#endif

/* SPDX-License-Identifier: MIT */
/* VkSampler and VkSamplerYcbcrConversion: state that the compute engine reads.
 */
#ifndef RP_OBJECT_SAMPLER_H
#define RP_OBJECT_SAMPLER_H

#include "compute/bindings.h"
#include "object/object.h"

#include <vulkan/vulkan_core.h>

struct rp_ycbcr_conversion {
    struct rp_object base;
    struct rp_ycbcr state;
};

struct rp_sampler {
    struct rp_object base;
    struct rp_sampler_state state;
    uint32_t descriptor_name; /* object/descriptor_memory.h */
    uint64_t heap_number;     /* of a heap's: object/descriptor_heap.h; 0: the application's */
    struct rp_ycbcr ycbcr;    /* copied, state points here: a conversion may be destroyed first */
};

/* What a sampler of that info has; ycbcr: where its conversion goes, if it has one. */
void rp_sampler_state_init(struct rp_sampler_state *state, struct rp_ycbcr *ycbcr,
                           const VkSamplerCreateInfo *info);

RP_HANDLE_CASTS(rp_ycbcr_conversion, VkSamplerYcbcrConversion,
                VK_OBJECT_TYPE_SAMPLER_YCBCR_CONVERSION)
RP_HANDLE_CASTS(rp_sampler, VkSampler, VK_OBJECT_TYPE_SAMPLER)

#endif

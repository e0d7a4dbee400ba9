/* SPDX-License-Identifier: MIT */
/* Descriptor heaps (VK_EXT_descriptor_heap) as kernels see them: one array of descriptors for each
 * heap, named by bindings of a set that no module has, and where a module's own bindings lie in
 * them.
 */
#ifndef RP_COMPUTE_HEAP_H
#define RP_COMPUTE_HEAP_H

#include <vulkan/vulkan_core.h>

#include <stdint.h>

#define RP_HEAP_SET UINT32_MAX
#define RP_HEAP_DESCRIPTOR_B 32u           /* of any type, from multiples of that on */
#define RP_MAX_HEAP_DESCRIPTORS (1u << 20) /* of one heap */

/* Bindings of RP_HEAP_SET. */
enum rp_heap_binding {
    RP_HEAP_RESOURCES,
    RP_HEAP_SAMPLERS,
    RP_HEAP_BYTES,    /* one buffer: all of the resource heap */
    RP_HEAP_EMBEDDED, /* samplers of the pipeline */
    RP_HEAP_BINDING_COUNT,
};

/* Where an index or an address comes from, and how it becomes an offset in a heap. */
struct rp_heap_source {
    uint32_t heap_offset_B;
    uint32_t push_offset_B; /* in the push data: the index, or the address that leads to it */
    uint32_t address_offset_B;
    uint32_t index_stride_B;
    uint32_t array_stride_B;
};

/* VkDescriptorSetAndBindingMappingEXT without pointers. It has no padding: caches compare bytes. */
struct rp_heap_mapping {
    uint32_t set;
    uint32_t first_binding;
    uint32_t binding_count;
    uint32_t resource_mask; /* VkSpirvResourceTypeFlagsEXT */
    uint32_t source;        /* VkDescriptorMappingSourceEXT */
    uint32_t is_packed;     /* useCombinedImageSamplerIndex */
    uint32_t embedded;      /* 1 + its number among RP_HEAP_EMBEDDED; 0: none */
    struct rp_heap_source resource;
    struct rp_heap_source sampler; /* of combined image samplers */
};

#endif

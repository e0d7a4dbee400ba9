/* SPDX-License-Identifier: MIT */
#include "object/heap_mapping.h"

#include "object/device.h"
#include "object/sampler.h"
#include "util/alloc.h"
#include "util/log.h"
#include "util/pnext.h"

static const VkShaderDescriptorSetAndBindingMappingInfoEXT *
find_info(const void *chain)
{
    return rp_find_struct(chain,
                          VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT);
}

/* NULL: none is embedded. */
static const VkSamplerCreateInfo *
embedded_sampler(const VkDescriptorSetAndBindingMappingEXT *m)
{
    switch (m->source) {
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT:
        return m->sourceData.constantOffset.pEmbeddedSampler;
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT:
        return m->sourceData.pushIndex.pEmbeddedSampler;
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_EXT:
        return m->sourceData.indirectIndex.pEmbeddedSampler;
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_ARRAY_EXT:
        return m->sourceData.indirectIndexArray.pEmbeddedSampler;
    default:
        return NULL;
    }
}

static void
fill_constant_offset(struct rp_heap_mapping *out,
                     const VkDescriptorMappingSourceConstantOffsetEXT *d)
{
    out->resource = (struct rp_heap_source){
        .heap_offset_B = d->heapOffset,
        .array_stride_B = d->heapArrayStride,
    };
    out->sampler = (struct rp_heap_source){
        .heap_offset_B = d->samplerHeapOffset,
        .array_stride_B = d->samplerHeapArrayStride,
    };
}

static void
fill_push_index(struct rp_heap_mapping *out, const VkDescriptorMappingSourcePushIndexEXT *d)
{
    out->is_packed = d->useCombinedImageSamplerIndex;
    out->resource = (struct rp_heap_source){
        .heap_offset_B = d->heapOffset,
        .push_offset_B = d->pushOffset,
        .index_stride_B = d->heapIndexStride,
        .array_stride_B = d->heapArrayStride,
    };
    out->sampler = (struct rp_heap_source){
        .heap_offset_B = d->samplerHeapOffset,
        .push_offset_B = d->samplerPushOffset,
        .index_stride_B = d->samplerHeapIndexStride,
        .array_stride_B = d->samplerHeapArrayStride,
    };
}

static void
fill_indirect_index(struct rp_heap_mapping *out, const VkDescriptorMappingSourceIndirectIndexEXT *d)
{
    out->is_packed = d->useCombinedImageSamplerIndex;
    out->resource = (struct rp_heap_source){
        .heap_offset_B = d->heapOffset,
        .push_offset_B = d->pushOffset,
        .address_offset_B = d->addressOffset,
        .index_stride_B = d->heapIndexStride,
        .array_stride_B = d->heapArrayStride,
    };
    out->sampler = (struct rp_heap_source){
        .heap_offset_B = d->samplerHeapOffset,
        .push_offset_B = d->samplerPushOffset,
        .address_offset_B = d->samplerAddressOffset,
        .index_stride_B = d->samplerHeapIndexStride,
        .array_stride_B = d->samplerHeapArrayStride,
    };
}

static void
fill_indirect_array(struct rp_heap_mapping *out,
                    const VkDescriptorMappingSourceIndirectIndexArrayEXT *d)
{
    out->is_packed = d->useCombinedImageSamplerIndex;
    out->resource = (struct rp_heap_source){
        .heap_offset_B = d->heapOffset,
        .push_offset_B = d->pushOffset,
        .address_offset_B = d->addressOffset,
        .index_stride_B = d->heapIndexStride,
    };
    out->sampler = (struct rp_heap_source){
        .heap_offset_B = d->samplerHeapOffset,
        .push_offset_B = d->samplerPushOffset,
        .address_offset_B = d->samplerAddressOffset,
        .index_stride_B = d->samplerHeapIndexStride,
    };
}

/* Sources of shader records stay empty: compute shaders have none, and say so when one is used. */
static void
fill_sources(struct rp_heap_mapping *out, const VkDescriptorSetAndBindingMappingEXT *m)
{
    const VkDescriptorMappingSourceDataEXT *d = &m->sourceData;
    switch (m->source) {
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT:
        fill_constant_offset(out, &d->constantOffset);
        break;
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT:
        fill_push_index(out, &d->pushIndex);
        break;
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_EXT:
        fill_indirect_index(out, &d->indirectIndex);
        break;
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_ARRAY_EXT:
        fill_indirect_array(out, &d->indirectIndexArray);
        break;
    case VK_DESCRIPTOR_MAPPING_SOURCE_RESOURCE_HEAP_DATA_EXT:
        out->resource.heap_offset_B = d->heapData.heapOffset;
        out->resource.push_offset_B = d->heapData.pushOffset;
        break;
    case VK_DESCRIPTOR_MAPPING_SOURCE_PUSH_DATA_EXT:
        out->resource.push_offset_B = d->pushDataOffset;
        break;
    case VK_DESCRIPTOR_MAPPING_SOURCE_PUSH_ADDRESS_EXT:
        out->resource.push_offset_B = d->pushAddressOffset;
        break;
    case VK_DESCRIPTOR_MAPPING_SOURCE_INDIRECT_ADDRESS_EXT:
        out->resource.push_offset_B = d->indirectAddress.pushOffset;
        out->resource.address_offset_B = d->indirectAddress.addressOffset;
        break;
    default:
        break;
    }
}

VkResult
rp_heap_mappings_init(struct rp_device *dev, const void *chain, struct rp_heap_mappings *out)
{
    const VkShaderDescriptorSetAndBindingMappingInfoEXT *info = find_info(chain);
    uint32_t embedded_count = 0;

    if (!info || !info->mappingCount)
        return VK_SUCCESS;
    struct rp_heap_mapping *items = rp_zalloc_array(NULL, info->mappingCount, sizeof(*items),
                                                    VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
    if (!items)
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);
    for (uint32_t i = 0; i < info->mappingCount; i++) {
        const VkDescriptorSetAndBindingMappingEXT *m = &info->pMappings[i];
        items[i].set = m->descriptorSet;
        items[i].first_binding = m->firstBinding;
        items[i].binding_count = m->bindingCount;
        items[i].resource_mask = m->resourceMask;
        items[i].source = (uint32_t)m->source;
        items[i].embedded = embedded_sampler(m) ? ++embedded_count : 0;
        fill_sources(&items[i], m);
    }
    *out = (struct rp_heap_mappings){items, info->mappingCount};
    return VK_SUCCESS;
}

void
rp_heap_mappings_finish(struct rp_heap_mappings *mappings)
{
    rp_free(NULL, mappings->items);
    *mappings = (struct rp_heap_mappings){0};
}

uint32_t
rp_embedded_sampler_count(const void *chain)
{
    const VkShaderDescriptorSetAndBindingMappingInfoEXT *info = find_info(chain);
    uint32_t count = 0;
    for (uint32_t i = 0; info && i < info->mappingCount; i++)
        count += embedded_sampler(&info->pMappings[i]) != NULL;
    return count;
}

void
rp_embedded_samplers_init(const void *chain, struct rp_embedded_sampler *samplers,
                          struct rp_descriptor *items)
{
    const VkShaderDescriptorSetAndBindingMappingInfoEXT *info = find_info(chain);
    for (uint32_t i = 0; info && i < info->mappingCount; i++) {
        const VkSamplerCreateInfo *sampler = embedded_sampler(&info->pMappings[i]);
        if (!sampler)
            continue;
        rp_sampler_state_init(&samplers->state, &samplers->ycbcr, sampler);
        *items++ = (struct rp_descriptor){.sampler = &samplers++->state};
    }
}

/* SPDX-License-Identifier: MIT */
/* Set layouts: where each binding's descriptors lie in a set. Pipeline layouts: which sets.
 */
#include "object/descriptor_layout.h"

#include "object/capture.h"
#include "object/descriptor_memory.h"
#include "object/device.h"
#include "object/sampler.h"
#include "util/alloc.h"
#include "util/checked.h"
#include "util/log.h"
#include "util/pnext.h"

#include "rp_entrypoints.h"

#include <stdlib.h>

/* What one layout needs, over all its bindings. */
struct layout_needs {
    uint32_t binding_count;
    uint64_t item_count;
    uint64_t inline_B;
    uint32_t sampler_count;
};

static bool
type_has_sampler(VkDescriptorType type)
{
    return type == VK_DESCRIPTOR_TYPE_SAMPLER || type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
}

static bool
type_is_dynamic(VkDescriptorType type)
{
    return type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
           type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
}

/* FFmpeg 9's chromaber_vulkan hands null handles over, and writes samplers into its descriptors
 * later: such a binding has none that is immutable.
 */
static bool
binding_has_immutable(const VkDescriptorSetLayoutBinding *b)
{
    if (!b->pImmutableSamplers || !type_has_sampler(b->descriptorType))
        return false;

    for (uint32_t i = 0; i < b->descriptorCount; i++)
        if (!b->pImmutableSamplers[i])
            return false;
    return true;
}

static struct layout_needs
layout_measure(const VkDescriptorSetLayoutCreateInfo *info)
{
    struct layout_needs needs = {.binding_count = info->bindingCount};

    for (uint32_t i = 0; i < info->bindingCount; i++) {
        const VkDescriptorSetLayoutBinding *b = &info->pBindings[i];
        if (b->descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
            needs.item_count++;
            needs.inline_B += rp_align_u64(b->descriptorCount, 16);
        } else {
            needs.item_count += b->descriptorCount;
        }
        if (binding_has_immutable(b))
            needs.sampler_count += b->descriptorCount;
    }
    return needs;
}

static int
binding_compare(const void *a, const void *b)
{
    const struct rp_set_binding *x = a;
    const struct rp_set_binding *y = b;
    return (x->binding > y->binding) - (x->binding < y->binding);
}

/* Copies the immutable samplers of one binding: the application may destroy its own. */
static const struct rp_sampler_state *const *
layout_take_samplers(const VkDescriptorSetLayoutBinding *b, struct rp_sampler *copies,
                     const struct rp_sampler_state **states)
{
    for (uint32_t i = 0; i < b->descriptorCount; i++) {
        copies[i] = *rp_sampler_from_handle(b->pImmutableSamplers[i]);
        if (copies[i].state.ycbcr)
            copies[i].state.ycbcr = &copies[i].ycbcr;
        states[i] = &copies[i].state;
    }
    return states;
}

static void
layout_fill(struct rp_set_layout *layout, const VkDescriptorSetLayoutCreateInfo *info,
            const struct rp_sampler_state **states)
{
    const VkDescriptorSetLayoutBindingFlagsCreateInfo *flags = rp_find_struct(
        info->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO);
    uint32_t sampler_count = 0;

    for (uint32_t i = 0; i < info->bindingCount; i++) {
        const VkDescriptorSetLayoutBinding *b = &info->pBindings[i];
        struct rp_set_binding *out = &layout->bindings[i];
        *out = (struct rp_set_binding){
            .binding = b->binding,
            .type = b->descriptorType,
            .count = b->descriptorCount,
        };
        if (flags && i < flags->bindingCount) {
            out->has_variable_count =
                flags->pBindingFlags[i] & VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT;
            out->may_be_stale = flags->pBindingFlags[i] & VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT;
        }
        out->may_be_stale |=
            (info->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT) != 0;
        if (binding_has_immutable(b)) {
            out->immutable_samplers =
                layout_take_samplers(b, &layout->samplers[sampler_count], &states[sampler_count]);
            sampler_count += b->descriptorCount;
        }
    }
    qsort(layout->bindings, layout->binding_count, sizeof(layout->bindings[0]), binding_compare);

    /* Offsets in the order of binding numbers: dynamic offsets are given in that order. */
    for (uint32_t i = 0; i < layout->binding_count; i++) {
        struct rp_set_binding *b = &layout->bindings[i];
        const bool is_inline = b->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
        b->first_item = layout->item_count;
        b->item_count = is_inline ? 1 : b->count;
        b->inline_offset_B = layout->inline_B;
        b->first_dynamic = layout->dynamic_count;
        /* The last one, which may have a variable count, lies behind all others. */
        b->memory_offset_B = layout->memory_B;
        layout->memory_B +=
            rp_align_u64(is_inline ? b->count : (uint64_t)b->count * RP_MEMORY_DESCRIPTOR_B,
                         RP_MEMORY_DESCRIPTOR_ALIGN_B);
        layout->item_count += b->item_count;
        if (is_inline)
            layout->inline_B += (uint32_t)rp_align_u64(b->count, 16);
        if (type_is_dynamic(b->type))
            layout->dynamic_count += b->count;
    }
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_CreateDescriptorSetLayout(VkDevice device, const VkDescriptorSetLayoutCreateInfo *info,
                             const VkAllocationCallbacks *alloc, VkDescriptorSetLayout *out)
{
    struct rp_device *dev = rp_device_from_handle(device);
    const struct layout_needs needs = layout_measure(info);

    if (needs.item_count > UINT32_MAX || needs.inline_B > UINT32_MAX)
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);

    /* The layout may outlive the application's handle and alloc, so it uses the device's
     * callbacks. */
    (void)alloc;
    size_t size_B = sizeof(struct rp_set_layout);
    const size_t bindings_B = needs.binding_count * sizeof(struct rp_set_binding);
    const size_t samplers_B =
        needs.sampler_count * (sizeof(struct rp_sampler) + sizeof(struct rp_sampler_state *));
    if (!rp_add_size(size_B, bindings_B, &size_B) || !rp_add_size(size_B, samplers_B, &size_B))
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);
    struct rp_set_layout *layout =
        rp_object_zalloc(dev, NULL, size_B, VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT);
    if (!layout)
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);

    atomic_init(&layout->ref_count, 1);
    layout->flags = info->flags;
    layout->binding_count = needs.binding_count;
    layout->bindings = (struct rp_set_binding *)(layout + 1);
    layout->samplers = (struct rp_sampler *)(layout->bindings + needs.binding_count);
    layout_fill(layout, info,
                (const struct rp_sampler_state **)(layout->samplers + needs.sampler_count));
    rp_capture_created(dev, &layout->base, info);
    *out = rp_set_layout_to_handle(layout);
    return VK_SUCCESS;
}

struct rp_set_layout *
rp_set_layout_ref(struct rp_set_layout *layout)
{
    atomic_fetch_add_explicit(&layout->ref_count, 1, memory_order_relaxed);
    return layout;
}

void
rp_set_layout_unref(struct rp_set_layout *layout)
{
    if (layout && atomic_fetch_sub_explicit(&layout->ref_count, 1, memory_order_acq_rel) == 1)
        rp_object_free(layout->base.dev, NULL, layout);
}

VKAPI_ATTR void VKAPI_CALL
rp_DestroyDescriptorSetLayout(VkDevice device, VkDescriptorSetLayout handle,
                              const VkAllocationCallbacks *alloc)
{
    rp_set_layout_unref(rp_set_layout_from_handle(handle));
}

const struct rp_set_binding *
rp_set_layout_find(const struct rp_set_layout *layout, uint32_t binding)
{
    uint32_t low = 0;
    uint32_t high = layout->binding_count;

    while (low < high) {
        const uint32_t mid = low + (high - low) / 2;
        if (layout->bindings[mid].binding < binding)
            low = mid + 1;
        else
            high = mid;
    }
    if (low == layout->binding_count || layout->bindings[low].binding != binding)
        return NULL;
    return &layout->bindings[low];
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_CreatePipelineLayout(VkDevice device, const VkPipelineLayoutCreateInfo *info,
                        const VkAllocationCallbacks *alloc, VkPipelineLayout *out)
{
    struct rp_device *dev = rp_device_from_handle(device);

    assert(info->setLayoutCount <= RP_MAX_SETS);
    struct rp_pipeline_layout *layout =
        rp_object_zalloc(dev, alloc, sizeof(*layout), VK_OBJECT_TYPE_PIPELINE_LAYOUT);
    if (!layout)
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);

    layout->set_count = RP_MIN(info->setLayoutCount, RP_MAX_SETS);
    for (uint32_t i = 0; i < layout->set_count; i++) {
        struct rp_set_layout *set = rp_set_layout_from_handle(info->pSetLayouts[i]);
        if (set)
            layout->sets[i] = rp_set_layout_ref(set);
    }
    rp_capture_created(dev, &layout->base, info);
    *out = rp_pipeline_layout_to_handle(layout);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
rp_DestroyPipelineLayout(VkDevice device, VkPipelineLayout handle,
                         const VkAllocationCallbacks *alloc)
{
    struct rp_pipeline_layout *layout = rp_pipeline_layout_from_handle(handle);
    if (!layout)
        return;
    for (uint32_t i = 0; i < layout->set_count; i++)
        rp_set_layout_unref(layout->sets[i]);
    rp_object_free(rp_device_from_handle(device), alloc, layout);
}

/* The limits' counts hold for any layout; only memory could fail. */
VKAPI_ATTR void VKAPI_CALL
rp_GetDescriptorSetLayoutSupport(VkDevice device, const VkDescriptorSetLayoutCreateInfo *info,
                                 VkDescriptorSetLayoutSupport *out)
{
    const struct layout_needs needs = layout_measure(info);
    VkDescriptorSetVariableDescriptorCountLayoutSupport *variable = rp_find_struct_mut(
        out->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_LAYOUT_SUPPORT);
    const VkDescriptorSetLayoutBindingFlagsCreateInfo *flags = rp_find_struct(
        info->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO);

    out->supported = needs.item_count <= RP_MAX_SET_ITEMS && needs.inline_B <= RP_MAX_INLINE_B;
    if (!variable)
        return;

    variable->maxVariableDescriptorCount = 0;
    for (uint32_t i = 0; flags && i < flags->bindingCount; i++) {
        const VkDescriptorSetLayoutBinding *b = &info->pBindings[i];
        if (!(flags->pBindingFlags[i] & VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT))
            continue;
        const bool is_inline = b->descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
        const uint64_t limit = is_inline ? RP_MAX_INLINE_B : RP_MAX_SET_ITEMS;
        const uint64_t used = is_inline ? needs.inline_B : needs.item_count;
        const uint64_t others = used - RP_MIN(used, b->descriptorCount);
        const uint64_t left = limit - RP_MIN(limit, others);
        variable->maxVariableDescriptorCount =
            (uint32_t)(is_inline ? RP_MIN(left, RP_MAX_INLINE_BLOCK_B) : left);
    }
}

/* SPDX-License-Identifier: MIT */
/* vkUpdateDescriptorSets, update templates, and the writes of push descriptors.
 */
#include "object/descriptor_set.h"

#include "object/buffer.h"
#include "object/buffer_view.h"
#include "object/device.h"
#include "object/image.h"
#include "object/sampler.h"
#include "util/checked.h"
#include "util/log.h"
#include "util/pnext.h"

#include "rp_entrypoints.h"

#include <string.h>

/* Where the n-th descriptor written from (binding, element) on goes: consecutive elements, then
 * the next bindings (vkUpdateDescriptorSets, "consecutive binding updates"). */
struct cursor {
    const struct rp_set_binding *binding;
    const struct rp_set_binding *end;
    uint32_t element;
};

static struct cursor
cursor_at(const struct rp_set_layout *layout, uint32_t binding, uint32_t element)
{
    return (struct cursor){
        .binding = rp_set_layout_find(layout, binding),
        .end = layout->bindings + layout->binding_count,
        .element = element,
    };
}

/* The index of the item under the cursor, which moves on; UINT32_MAX past the end. */
static uint32_t
cursor_next(struct cursor *c, const struct rp_descriptor_table *table)
{
    if (!c->binding)
        return UINT32_MAX;
    while (c->binding < c->end && c->element >= c->binding->count) {
        c->element -= c->binding->count;
        c->binding++;
    }
    if (c->binding >= c->end)
        return UINT32_MAX;
    const uint32_t item = c->binding->first_item + c->element++;
    return item < table->item_count ? item : UINT32_MAX;
}

static const struct rp_texture *
view_texture(VkImageView handle)
{
    const struct rp_image_view *view = rp_image_view_from_handle(handle);
    return view ? &view->texture : NULL;
}

static const struct rp_texture *
storage_texture(VkImageView handle)
{
    const struct rp_image_view *view = rp_image_view_from_handle(handle);
    return view ? &view->storage : NULL;
}

static const struct rp_sampler_state *
sampler_state(VkSampler handle)
{
    const struct rp_sampler *sampler = rp_sampler_from_handle(handle);
    return sampler ? &sampler->state : NULL;
}

static struct rp_descriptor
buffer_descriptor(const VkDescriptorBufferInfo *info)
{
    const struct rp_buffer *buf = rp_buffer_from_handle(info->buffer);
    if (!buf || !buf->host)
        return (struct rp_descriptor){0};
    const uint64_t size_B = rp_buffer_range_B(buf, info->offset, info->range);
    const uint64_t offset_B = RP_MIN(info->offset, buf->size_B);
    return (struct rp_descriptor){
        .ptr = buf->host + offset_B, .size_B = size_B, .limit_B = buf->size_B - offset_B};
}

static struct rp_descriptor
texel_buffer_descriptor(VkBufferView handle)
{
    const struct rp_buffer_view *view = rp_buffer_view_from_handle(handle);
    if (!view)
        return (struct rp_descriptor){0};
    return (struct rp_descriptor){
        .ptr = view->host, .size_B = view->range_B, .format = view->vk_format};
}

/* data: what type says it is. immutable: the binding's sampler, which writes do not replace. */
static struct rp_descriptor
descriptor_make(VkDescriptorType type, const void *data, const struct rp_sampler_state *immutable)
{
    const VkDescriptorImageInfo *image = data;

    switch ((int)type) {
    case VK_DESCRIPTOR_TYPE_SAMPLER:
        return (struct rp_descriptor){.sampler =
                                          immutable ? immutable : sampler_state(image->sampler)};
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
        return (struct rp_descriptor){.view = view_texture(image->imageView),
                                      .sampler =
                                          immutable ? immutable : sampler_state(image->sampler)};
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
        return (struct rp_descriptor){.view = storage_texture(image->imageView)};
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
        return (struct rp_descriptor){.view = view_texture(image->imageView)};
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
        return texel_buffer_descriptor(*(const VkBufferView *)data);
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
        return buffer_descriptor(data);
    default:
        return (struct rp_descriptor){0};
    }
}

static void
table_put(struct rp_descriptor_table *table, struct cursor *c, VkDescriptorType type,
          const void *data)
{
    const uint32_t item = cursor_next(c, table);
    if (item == UINT32_MAX)
        return;
    const struct rp_sampler_state *immutable =
        c->binding->immutable_samplers ? c->binding->immutable_samplers[c->element - 1] : NULL;
    table->items[item] = descriptor_make(type, data, immutable);
}

static void
table_put_inline(struct rp_descriptor_table *table, uint32_t binding, uint32_t offset_B,
                 uint32_t size_B, const void *data)
{
    const struct rp_set_binding *b = rp_set_layout_find(table->layout, binding);
    if (b && b->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK &&
        rp_range_fits(offset_B, size_B, b->count) && size_B)
        memcpy(table->inline_data + b->inline_offset_B + offset_B, data, size_B);
}

/* The i-th element of a write, in the array that its type reads. */
static const void *
write_data(const VkWriteDescriptorSet *write, uint32_t i)
{
    switch ((int)write->descriptorType) {
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
        return &write->pTexelBufferView[i];
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
        return &write->pBufferInfo[i];
    default:
        return &write->pImageInfo[i];
    }
}

void
rp_descriptor_table_write(struct rp_descriptor_table *table, const VkWriteDescriptorSet *write)
{
    if (write->descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
        const VkWriteDescriptorSetInlineUniformBlock *block = rp_find_struct(
            write->pNext, VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK);
        if (block)
            table_put_inline(table, write->dstBinding, write->dstArrayElement, block->dataSize,
                             block->pData);
        return;
    }

    struct cursor c = cursor_at(table->layout, write->dstBinding, write->dstArrayElement);
    for (uint32_t i = 0; i < write->descriptorCount; i++)
        table_put(table, &c, write->descriptorType, write_data(write, i));
}

static void
table_copy(struct rp_descriptor_table *dst, const struct rp_descriptor_table *src,
           const VkCopyDescriptorSet *copy)
{
    struct cursor from = cursor_at(src->layout, copy->srcBinding, copy->srcArrayElement);
    struct cursor to = cursor_at(dst->layout, copy->dstBinding, copy->dstArrayElement);

    if (from.binding && from.binding->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
        if (rp_range_fits(copy->srcArrayElement, copy->descriptorCount, from.binding->count))
            table_put_inline(dst, copy->dstBinding, copy->dstArrayElement, copy->descriptorCount,
                             src->inline_data + from.binding->inline_offset_B +
                                 copy->srcArrayElement);
        return;
    }
    for (uint32_t i = 0; i < copy->descriptorCount; i++) {
        const uint32_t s = cursor_next(&from, src);
        const uint32_t d = cursor_next(&to, dst);
        if (s == UINT32_MAX || d == UINT32_MAX)
            return;
        const bool keeps_sampler = to.binding->immutable_samplers != NULL;
        const struct rp_sampler_state *sampler = dst->items[d].sampler;
        dst->items[d] = src->items[s];
        if (keeps_sampler)
            dst->items[d].sampler = sampler;
    }
}

VKAPI_ATTR void VKAPI_CALL
rp_UpdateDescriptorSets(VkDevice device, uint32_t write_count, const VkWriteDescriptorSet *writes,
                        uint32_t copy_count, const VkCopyDescriptorSet *copies)
{
    for (uint32_t i = 0; i < write_count; i++)
        rp_descriptor_table_write(&rp_descriptor_set_from_handle(writes[i].dstSet)->table,
                                  &writes[i]);
    for (uint32_t i = 0; i < copy_count; i++)
        table_copy(&rp_descriptor_set_from_handle(copies[i].dstSet)->table,
                   &rp_descriptor_set_from_handle(copies[i].srcSet)->table, &copies[i]);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_CreateDescriptorUpdateTemplate(VkDevice device, const VkDescriptorUpdateTemplateCreateInfo *info,
                                  const VkAllocationCallbacks *alloc,
                                  VkDescriptorUpdateTemplate *out)
{
    struct rp_device *dev = rp_device_from_handle(device);
    const size_t entries_B =
        info->descriptorUpdateEntryCount * sizeof(*info->pDescriptorUpdateEntries);

    struct rp_update_template *tmpl = rp_object_zalloc(dev, alloc, sizeof(*tmpl) + entries_B,
                                                       VK_OBJECT_TYPE_DESCRIPTOR_UPDATE_TEMPLATE);
    if (!tmpl)
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);

    if (info->templateType == VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS) {
        const struct rp_pipeline_layout *layout =
            rp_pipeline_layout_from_handle(info->pipelineLayout);
        tmpl->push_set = info->set;
        tmpl->push_layout = rp_set_layout_ref(layout->sets[info->set]);
    }
    tmpl->entry_count = info->descriptorUpdateEntryCount;
    memcpy(tmpl->entries, info->pDescriptorUpdateEntries, entries_B);
    *out = rp_update_template_to_handle(tmpl);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
rp_DestroyDescriptorUpdateTemplate(VkDevice device, VkDescriptorUpdateTemplate handle,
                                   const VkAllocationCallbacks *alloc)
{
    struct rp_update_template *tmpl = rp_update_template_from_handle(handle);
    if (!tmpl)
        return;
    rp_set_layout_unref(tmpl->push_layout);
    rp_object_free(rp_device_from_handle(device), alloc, tmpl);
}

void
rp_descriptor_table_write_template(struct rp_descriptor_table *table,
                                   const struct rp_update_template *tmpl, const void *data)
{
    for (uint32_t i = 0; i < tmpl->entry_count; i++) {
        const VkDescriptorUpdateTemplateEntry *e = &tmpl->entries[i];
        const uint8_t *from = (const uint8_t *)data + e->offset;
        if (e->descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
            table_put_inline(table, e->dstBinding, e->dstArrayElement, e->descriptorCount, from);
            continue;
        }
        struct cursor c = cursor_at(table->layout, e->dstBinding, e->dstArrayElement);
        for (uint32_t k = 0; k < e->descriptorCount; k++)
            table_put(table, &c, e->descriptorType, from + k * e->stride);
    }
}

VKAPI_ATTR void VKAPI_CALL
rp_UpdateDescriptorSetWithTemplate(VkDevice device, VkDescriptorSet set,
                                   VkDescriptorUpdateTemplate handle, const void *data)
{
    rp_descriptor_table_write_template(&rp_descriptor_set_from_handle(set)->table,
                                       rp_update_template_from_handle(handle), data);
}

/* SPDX-License-Identifier: MIT */
#include "object/descriptor_memory.h"

#include "compute/compute.h"
#include "format/features.h"
#include "format/format.h"
#include "object/buffer.h"
#include "object/descriptor_layout.h"
#include "object/device.h"
#include "object/heap_lookup.h"
#include "object/image.h"
#include "object/sampler.h"
#include "util/alloc.h"
#include "util/log.h"

#include "rp_entrypoints.h"

#include <string.h>

enum coded_type {
    CODED_BUFFER = 0x52500001, /* any other number than these is a null descriptor */
    CODED_TEXELS,
    CODED_SAMPLED,
    CODED_STORAGE,
    CODED_SAMPLER,
    CODED_COMBINED,
    CODED_HEAP_SAMPLED, /* view: its image's name; address: its number */
    CODED_HEAP_STORAGE,
    CODED_HEAP_SAMPLER, /* address: its number */
};

struct coded {
    uint32_t type;
    uint32_t format; /* of texels */
    uint64_t address;
    uint64_t size_B;
    uint32_t view;
    uint32_t sampler;
};
static_assert(sizeof(struct coded) == RP_MEMORY_DESCRIPTOR_B, "vkGetDescriptorEXT writes it");

void
rp_descriptor_memory_init(struct rp_device *dev)
{
    struct rp_descriptor_memory *m = &dev->descriptor_memory;

    m->is_enabled = rp_feature_set_has(&dev->features, RP_FEATURE_DESCRIPTOR_BUFFER);
    rp_descriptor_names_init(&m->names);
    pthread_mutex_init(&m->mutex, NULL);
}

void
rp_descriptor_memory_finish(struct rp_device *dev)
{
    struct rp_descriptor_memory *m = &dev->descriptor_memory;

    rp_descriptor_names_finish(dev, &m->names);
    pthread_mutex_destroy(&m->mutex);
}

VkResult
rp_descriptor_name_take(struct rp_device *dev, const void *object, uint32_t uses, uint32_t *out)
{
    *out = 0;
    if (!dev->descriptor_memory.is_enabled)
        return VK_SUCCESS;
    return rp_descriptor_names_take(dev, &dev->descriptor_memory.names, object, uses, out);
}

void
rp_descriptor_name_drop(struct rp_device *dev, uint32_t name)
{
    rp_descriptor_names_drop(&dev->descriptor_memory.names, name);
}

static const void *
name_find(const struct rp_device *dev, uint32_t name, uint32_t use)
{
    return rp_descriptor_names_find(&dev->descriptor_memory.names, name, use);
}

void
rp_descriptor_buffer_add(struct rp_buffer *buf)
{
    struct rp_descriptor_memory *m = &buf->base.dev->descriptor_memory;

    if (!m->is_enabled || !(buf->usage & RP_DESCRIPTOR_BUFFER_USAGES))
        return;
    pthread_mutex_lock(&m->mutex);
    buf->next_descriptor_buffer = m->buffers;
    m->buffers = buf;
    pthread_mutex_unlock(&m->mutex);
}

void
rp_descriptor_buffer_remove(struct rp_buffer *buf)
{
    struct rp_descriptor_memory *m = &buf->base.dev->descriptor_memory;

    if (!m->is_enabled || !(buf->usage & RP_DESCRIPTOR_BUFFER_USAGES))
        return;
    pthread_mutex_lock(&m->mutex);
    struct rp_buffer **link = &m->buffers;
    while (*link && *link != buf)
        link = &(*link)->next_descriptor_buffer;
    if (*link)
        *link = buf->next_descriptor_buffer;
    pthread_mutex_unlock(&m->mutex);
}

uint64_t
rp_descriptor_buffer_left_B(struct rp_device *dev, VkDeviceAddress address)
{
    struct rp_descriptor_memory *m = &dev->descriptor_memory;
    uint64_t left_B = 0;

    pthread_mutex_lock(&m->mutex);
    for (const struct rp_buffer *buf = m->buffers; buf; buf = buf->next_descriptor_buffer) {
        const uint64_t offset_B = address - (uintptr_t)buf->host; /* large when it is before it */
        if (offset_B < buf->size_B)
            left_B = RP_MAX(left_B, buf->size_B - offset_B);
    }
    pthread_mutex_unlock(&m->mutex);
    return left_B;
}

/* Whole texels of a format that buffers may have, or else nothing. */
static struct rp_descriptor
texels_read(const struct coded *coded)
{
    const struct rp_format *format = rp_format_get((VkFormat)coded->format);
    if (!format || !rp_format_buffer_features(format))
        return (struct rp_descriptor){0};
    return (struct rp_descriptor){
        .ptr = (uint8_t *)(uintptr_t)coded->address,
        .size_B = coded->size_B - coded->size_B % format->planes[0].block_B,
        .format = format->vk,
    };
}

static struct rp_descriptor
heap_view_read(const struct rp_device *dev, const struct coded *coded, bool is_storage)
{
    const struct rp_image_view *view =
        rp_heap_view_find(dev, coded->view, coded->address,
                          is_storage ? RP_DESCRIPTOR_STORAGE : RP_DESCRIPTOR_SAMPLED);
    if (!view)
        return (struct rp_descriptor){0};
    return (struct rp_descriptor){.view = is_storage ? &view->storage : &view->texture};
}

struct rp_descriptor
rp_descriptor_memory_read(const struct rp_device *dev, const uint8_t *at)
{
    struct rp_descriptor out = {0};
    struct coded coded;
    memcpy(&coded, at, sizeof(coded));
    coded.size_B = RP_MIN(coded.size_B, RP_MAX_BUFFER_B);

    const bool is_storage = coded.type == CODED_STORAGE;
    const uint32_t use = is_storage ? RP_DESCRIPTOR_STORAGE : RP_DESCRIPTOR_SAMPLED;
    switch (coded.type) {
    case CODED_BUFFER:
        out.ptr = (uint8_t *)(uintptr_t)coded.address;
        out.size_B = coded.size_B;
        return out;
    case CODED_TEXELS:
        return texels_read(&coded);
    case CODED_SAMPLED:
    case CODED_STORAGE:
    case CODED_SAMPLER:
    case CODED_COMBINED: {
        const struct rp_image_view *view = name_find(dev, coded.view, use);
        const struct rp_sampler *sampler = name_find(dev, coded.sampler, RP_DESCRIPTOR_SAMPLER);
        if (view)
            out.view = is_storage ? &view->storage : &view->texture;
        if (sampler)
            out.sampler = &sampler->state;
        return out;
    }
    case CODED_HEAP_SAMPLED:
    case CODED_HEAP_STORAGE:
        return heap_view_read(dev, &coded, coded.type == CODED_HEAP_STORAGE);
    case CODED_HEAP_SAMPLER:
        out.sampler = rp_heap_sampler_find(dev, coded.address);
        return out;
    default:
        return out;
    }
}

struct rp_descriptor_range
rp_descriptor_memory_range(const uint8_t *at)
{
    struct coded coded;
    memcpy(&coded, at, sizeof(coded));
    coded.size_B = RP_MIN(coded.size_B, RP_MAX_BUFFER_B);
    if (RP_LIKELY(coded.type == CODED_BUFFER))
        return (struct rp_descriptor_range){(uint8_t *)(uintptr_t)coded.address, coded.size_B};
    if (coded.type != CODED_TEXELS)
        return (struct rp_descriptor_range){0};
    const struct rp_descriptor texels = texels_read(&coded);
    return (struct rp_descriptor_range){texels.ptr, texels.size_B};
}

static struct rp_memory_descriptor
coded_words(const struct coded *coded)
{
    struct rp_memory_descriptor out;
    memcpy(out.words, coded, sizeof(out.words));
    return out;
}

struct rp_memory_descriptor
rp_memory_descriptor_of_buffer(VkDeviceAddress address, VkDeviceSize size_B)
{
    return coded_words(&(struct coded){.type = CODED_BUFFER, .address = address, .size_B = size_B});
}

struct rp_memory_descriptor
rp_memory_descriptor_of_texels(VkDeviceAddress address, VkDeviceSize size_B, VkFormat format)
{
    return coded_words(&(struct coded){
        .type = CODED_TEXELS, .format = (uint32_t)format, .address = address, .size_B = size_B});
}

struct rp_memory_descriptor
rp_memory_descriptor_of_view(uint32_t image, uint64_t number, bool is_storage)
{
    return coded_words(&(struct coded){
        .type = is_storage ? CODED_HEAP_STORAGE : CODED_HEAP_SAMPLED,
        .address = number,
        .view = image,
    });
}

struct rp_memory_descriptor
rp_memory_descriptor_of_sampler(uint64_t number)
{
    return coded_words(&(struct coded){.type = CODED_HEAP_SAMPLER, .address = number});
}

static struct coded
address_code(enum coded_type type, const VkDescriptorAddressInfoEXT *info)
{
    if (!info || !info->address)
        return (struct coded){0};
    return (struct coded){
        .type = type,
        .format = type == CODED_TEXELS ? (uint32_t)info->format : 0,
        .address = info->address,
        .size_B = info->range,
    };
}

static uint32_t
sampler_name(const VkSampler *handle)
{
    const struct rp_sampler *sampler = handle ? rp_sampler_from_handle(*handle) : NULL;
    return sampler ? sampler->descriptor_name : 0;
}

static struct coded
image_code(enum coded_type type, const VkDescriptorImageInfo *info)
{
    if (!info)
        return (struct coded){0};
    const struct rp_image_view *view = rp_image_view_from_handle(info->imageView);
    return (struct coded){
        .type = type,
        .view = view ? view->descriptor_name : 0,
        .sampler = type == CODED_COMBINED ? sampler_name(&info->sampler) : 0,
    };
}

static struct coded
descriptor_code(const VkDescriptorGetInfoEXT *info)
{
    switch ((int)info->type) {
    case VK_DESCRIPTOR_TYPE_SAMPLER:
        return (struct coded){.type = CODED_SAMPLER, .sampler = sampler_name(info->data.pSampler)};
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
        return image_code(CODED_COMBINED, info->data.pCombinedImageSampler);
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
        return image_code(CODED_SAMPLED, info->data.pSampledImage);
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
        return image_code(CODED_SAMPLED, info->data.pInputAttachmentImage);
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
        return image_code(CODED_STORAGE, info->data.pStorageImage);
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
        return address_code(CODED_TEXELS, info->data.pUniformTexelBuffer);
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
        return address_code(CODED_TEXELS, info->data.pStorageTexelBuffer);
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
        return address_code(CODED_BUFFER, info->data.pUniformBuffer);
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
        return address_code(CODED_BUFFER, info->data.pStorageBuffer);
    default: /* of no type that we have */
        return (struct coded){0};
    }
}

VKAPI_ATTR void VKAPI_CALL
rp_GetDescriptorEXT(VkDevice device, const VkDescriptorGetInfoEXT *info, size_t data_B,
                    void *descriptor)
{
    const struct coded coded = descriptor_code(info);
    memcpy(descriptor, &coded, RP_MIN(data_B, sizeof(coded)));
}

VKAPI_ATTR void VKAPI_CALL
rp_GetDescriptorSetLayoutSizeEXT(VkDevice device, VkDescriptorSetLayout layout, VkDeviceSize *out)
{
    *out = rp_set_layout_from_handle(layout)->memory_B;
}

VKAPI_ATTR void VKAPI_CALL
rp_GetDescriptorSetLayoutBindingOffsetEXT(VkDevice device, VkDescriptorSetLayout layout,
                                          uint32_t binding, VkDeviceSize *out)
{
    const struct rp_set_binding *b = rp_set_layout_find(rp_set_layout_from_handle(layout), binding);
    *out = b ? b->memory_offset_B : 0;
}

/* SPDX-License-Identifier: MIT */
#include "object/descriptor_heap.h"

#include "compute/float_bits.h"
#include "object/capture.h"
#include "object/device.h"
#include "object/heap_lookup.h"
#include "object/image.h"
#include "object/sampler.h"
#include "util/alloc.h"
#include "util/hash.h"
#include "util/image_flags.h"
#include "util/log.h"
#include "util/pnext.h"

#include "rp_entrypoints.h"

#include <string.h>

static_assert(RP_HEAP_DESCRIPTOR_B == RP_MEMORY_DESCRIPTOR_B, "one form for heaps and buffers");

void
rp_descriptor_heap_init(struct rp_device *dev)
{
    for (uint32_t i = 0; i < 2; i++)
        rp_descriptor_names_init(&dev->descriptor_heap.images[i]);
    pthread_mutex_init(&dev->descriptor_heap.mutex, NULL);
}

void
rp_descriptor_heap_finish(struct rp_device *dev)
{
    struct rp_descriptor_heap *heap = &dev->descriptor_heap;

    for (uint32_t i = 0; i < RP_ARRAY_SIZE(heap->samplers); i++) {
        struct rp_heap_sampler *next = heap->samplers[i];
        while (next) {
            struct rp_heap_sampler *sampler = next;
            next = sampler->next;
            rp_object_free(dev, NULL, sampler);
        }
    }
    for (uint32_t i = 0; i < 2; i++)
        rp_descriptor_names_finish(dev, &heap->images[i]);
    pthread_mutex_destroy(&heap->mutex);
}

static struct rp_heap_key
sampler_key(const VkSamplerCreateInfo *info)
{
    const VkSamplerReductionModeCreateInfo *reduction =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO);
    const VkSamplerCustomBorderColorCreateInfoEXT *border =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT);
    struct rp_heap_key key = {{
        info->flags,
        (uint32_t)info->magFilter,
        (uint32_t)info->minFilter,
        (uint32_t)info->mipmapMode,
        (uint32_t)info->addressModeU,
        (uint32_t)info->addressModeV,
        (uint32_t)info->addressModeW,
        rp_float_bits(info->mipLodBias),
        info->anisotropyEnable,
        rp_float_bits(info->maxAnisotropy),
        info->compareEnable,
        (uint32_t)info->compareOp,
        rp_float_bits(info->minLod),
        rp_float_bits(info->maxLod),
        (uint32_t)info->borderColor,
        info->unnormalizedCoordinates,
        reduction ? 1 + (uint32_t)reduction->reductionMode : 0,
        border != NULL,
    }};
    if (border)
        memcpy(&key.words[18], border->customBorderColor.uint32, 4 * sizeof(uint32_t));
    return key;
}

/* The next number, never 0. Infos that differ have different numbers: should two have one hash, the
 * second that comes takes the number after it. */
static uint64_t
number_next(uint64_t number)
{
    return number + 1 ? number + 1 : 1;
}

static uint64_t
number_first(const struct rp_heap_key *key)
{
    return number_next(rp_hash(0, key, sizeof(*key)) - 1);
}

static VkResult
sampler_create(struct rp_device *dev, const VkSamplerCreateInfo *info,
               const struct rp_heap_key *key, uint64_t number)
{
    _Atomic(struct rp_heap_sampler *) *bucket =
        &dev->descriptor_heap.samplers[number >> RP_HEAP_SAMPLER_SHIFT];
    struct rp_heap_sampler *sampler =
        rp_object_zalloc(dev, NULL, sizeof(*sampler), VK_OBJECT_TYPE_SAMPLER);
    if (!sampler)
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);
    rp_sampler_state_init(&sampler->sampler.state, &sampler->sampler.ycbcr, info);
    sampler->sampler.heap_number = number;
    sampler->key = *key;
    sampler->next = atomic_load_explicit(bucket, memory_order_relaxed);
    atomic_store_explicit(bucket, sampler, memory_order_release);
    rp_capture_created(dev, &sampler->sampler.base, info);
    return VK_SUCCESS;
}

/* The number of the device's sampler of that info, the mutex being held. */
static VkResult
sampler_number(struct rp_device *dev, const VkSamplerCreateInfo *info, uint64_t *out)
{
    const struct rp_heap_key key = sampler_key(info);
    const struct rp_heap_sampler *sampler;
    uint64_t number = number_first(&key);
    while ((sampler = rp_heap_sampler_of(&dev->descriptor_heap, number)) &&
           memcmp(&sampler->key, &key, sizeof(key)) != 0)
        number = number_next(number);
    *out = number;
    return sampler ? VK_SUCCESS : sampler_create(dev, info, &key, number);
}

static void
descriptor_put(const VkHostAddressRangeEXT *to, const struct rp_memory_descriptor *descriptor)
{
    memcpy(to->address, descriptor, RP_MIN(to->size, sizeof(*descriptor)));
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_WriteSamplerDescriptorsEXT(VkDevice device, uint32_t count, const VkSamplerCreateInfo *infos,
                              const VkHostAddressRangeEXT *out)
{
    struct rp_device *dev = rp_device_from_handle(device);
    VkResult result = VK_SUCCESS;

    pthread_mutex_lock(&dev->descriptor_heap.mutex);
    for (uint32_t i = 0; i < count && result == VK_SUCCESS; i++) {
        uint64_t number = 0;
        result = sampler_number(dev, &infos[i], &number);
        const struct rp_memory_descriptor descriptor = rp_memory_descriptor_of_sampler(number);
        if (result == VK_SUCCESS)
            descriptor_put(&out[i], &descriptor);
    }
    pthread_mutex_unlock(&dev->descriptor_heap.mutex);
    return result;
}

static struct rp_heap_key
view_key(const VkImageViewCreateInfo *info)
{
    const VkImageViewSlicedCreateInfoEXT *sliced =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_IMAGE_VIEW_SLICED_CREATE_INFO_EXT);
    const VkImageViewMinLodCreateInfoEXT *min_lod =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_IMAGE_VIEW_MIN_LOD_CREATE_INFO_EXT);
    const VkImageSubresourceRange *range = &info->subresourceRange;
    const VkImageUsageFlags2KHR usage = rp_image_view_usage(info->pNext, UINT64_MAX);
    return (struct rp_heap_key){{
        info->flags,
        (uint32_t)info->viewType,
        (uint32_t)info->format,
        (uint32_t)info->components.r,
        (uint32_t)info->components.g,
        (uint32_t)info->components.b,
        (uint32_t)info->components.a,
        range->aspectMask,
        range->baseMipLevel,
        range->levelCount,
        range->baseArrayLayer,
        range->layerCount,
        (uint32_t)usage,
        (uint32_t)(usage >> 32),
        sliced != NULL,
        sliced ? sliced->sliceOffset : 0,
        sliced ? sliced->sliceCount : 0,
        min_lod ? rp_float_bits(min_lod->minLod) : 0,
    }};
}

static VkResult
view_create(struct rp_image *img, const VkImageViewCreateInfo *info, const struct rp_heap_key *key,
            uint64_t number)
{
    struct rp_device *dev = img->base.dev;
    struct rp_heap_view *view =
        rp_zalloc(rp_callbacks(dev, NULL), sizeof(*view), _Alignof(struct rp_heap_view),
                  VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!view)
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);
    const VkResult result = rp_image_view_create(dev, NULL, info, number, &view->view);
    if (result != VK_SUCCESS) {
        rp_free(rp_callbacks(dev, NULL), view);
        return result;
    }
    view->key = *key;
    view->next = atomic_load_explicit(&img->heap_views, memory_order_relaxed);
    atomic_store_explicit(&img->heap_views, view, memory_order_release);
    return VK_SUCCESS;
}

/* The number of the image's view of that info, the mutex being held. */
static VkResult
view_number(struct rp_image *img, const VkImageViewCreateInfo *info, uint64_t *out)
{
    const struct rp_heap_key key = view_key(info);
    const struct rp_heap_view *view;
    uint64_t number = number_first(&key);
    while ((view = rp_heap_view_of(img, number)) && memcmp(&view->key, &key, sizeof(key)) != 0)
        number = number_next(number);
    *out = number;
    return view ? VK_SUCCESS : view_create(img, info, &key, number);
}

static VkResult
image_name_take(struct rp_image *img, uint32_t place)
{
    struct rp_device *dev = img->base.dev;
    uint32_t name;
    const VkResult result = rp_descriptor_names_take(dev, &dev->descriptor_heap.images[place], img,
                                                     RP_DESCRIPTOR_IMAGE, &name);
    if (result == VK_SUCCESS)
        img->heap_name = name | place << RP_HEAP_IMAGE_SHIFT;
    return result;
}

/* The name that a former image had. */
static VkResult
image_name_take_that(struct rp_image *img, uint32_t name)
{
    struct rp_device *dev = img->base.dev;
    const VkResult result = rp_descriptor_names_take_that(
        dev, &dev->descriptor_heap.images[name >> RP_HEAP_IMAGE_SHIFT], name & RP_HEAP_IMAGE_NAME,
        img, RP_DESCRIPTOR_IMAGE);
    if (result == VK_SUCCESS)
        img->heap_name = name;
    return result;
}

VkResult
rp_heap_image_init(struct rp_image *img, const VkImageCreateInfo *info)
{
    const VkOpaqueCaptureDataCreateInfoEXT *captured =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_OPAQUE_CAPTURE_DATA_CREATE_INFO_EXT);
    uint32_t name;

    if (!rp_feature_set_has(&img->base.dev->features, RP_FEATURE_DESCRIPTOR_HEAP))
        return VK_SUCCESS;
    if (!captured || !captured->pData || captured->pData->size < sizeof(name))
        return image_name_take(
            img, (img->flags & VK_IMAGE_CREATE_DESCRIPTOR_HEAP_CAPTURE_REPLAY_BIT_EXT) != 0);
    memcpy(&name, captured->pData->address, sizeof(name));
    return image_name_take_that(img, name);
}

void
rp_heap_image_finish(struct rp_image *img)
{
    struct rp_device *dev = img->base.dev;
    struct rp_heap_view *next = img->heap_views;

    rp_descriptor_names_drop(&dev->descriptor_heap.images[img->heap_name >> RP_HEAP_IMAGE_SHIFT],
                             img->heap_name & RP_HEAP_IMAGE_NAME);
    while (next) {
        struct rp_heap_view *view = next;
        next = view->next;
        rp_DestroyImageView((VkDevice)dev, rp_image_view_to_handle(view->view), NULL);
        rp_free(rp_callbacks(dev, NULL), view);
    }
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_GetImageOpaqueCaptureDataEXT(VkDevice device, uint32_t count, const VkImage *images,
                                VkHostAddressRangeEXT *out)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct rp_image *img = rp_image_from_handle(images[i]);
        memcpy(out[i].address, &img->heap_name, RP_MIN(out[i].size, sizeof(img->heap_name)));
    }
    return VK_SUCCESS;
}

static VkResult
image_write(struct rp_device *dev, const VkImageDescriptorInfoEXT *info, bool is_storage,
            struct rp_memory_descriptor *out)
{
    uint64_t number = 0;
    if (!info || !info->pView || !info->pView->image)
        return VK_SUCCESS;
    struct rp_image *img = rp_image_from_handle(info->pView->image);
    pthread_mutex_lock(&dev->descriptor_heap.mutex);
    const VkResult result = view_number(img, info->pView, &number);
    pthread_mutex_unlock(&dev->descriptor_heap.mutex);
    if (result == VK_SUCCESS)
        *out = rp_memory_descriptor_of_view(img->heap_name, number, is_storage);
    return result;
}

/* What a null descriptor, or one of a type that we do not have, is: zeros. */
static VkResult
resource_write(struct rp_device *dev, const VkResourceDescriptorInfoEXT *info,
               struct rp_memory_descriptor *out)
{
    const VkTexelBufferDescriptorInfoEXT *texels = info->data.pTexelBuffer;
    const VkDeviceAddressRangeEXT *range = info->data.pAddressRange;

    *out = (struct rp_memory_descriptor){0};
    switch ((int)info->type) {
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
        return image_write(dev, info->data.pImage, false, out);
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
        return image_write(dev, info->data.pImage, true, out);
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
        if (texels && texels->addressRange.address)
            *out = rp_memory_descriptor_of_texels(texels->addressRange.address,
                                                  texels->addressRange.size, texels->format);
        return VK_SUCCESS;
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
        if (range && range->address)
            *out = rp_memory_descriptor_of_buffer(range->address, range->size);
        return VK_SUCCESS;
    default:
        return VK_SUCCESS;
    }
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_WriteResourceDescriptorsEXT(VkDevice device, uint32_t count,
                               const VkResourceDescriptorInfoEXT *infos,
                               const VkHostAddressRangeEXT *out)
{
    struct rp_device *dev = rp_device_from_handle(device);

    for (uint32_t i = 0; i < count; i++) {
        struct rp_memory_descriptor descriptor;
        const VkResult result = resource_write(dev, &infos[i], &descriptor);
        if (result != VK_SUCCESS)
            return result;
        descriptor_put(&out[i], &descriptor);
    }
    return VK_SUCCESS;
}

VKAPI_ATTR VkDeviceSize VKAPI_CALL
rp_GetPhysicalDeviceDescriptorSizeEXT(VkPhysicalDevice physicalDevice, VkDescriptorType type)
{
    return RP_HEAP_DESCRIPTOR_B;
}

/* Samplers carry their colours: an index has nothing but its number. */
static VkResult
border_color_take(struct rp_descriptor_heap *heap, uint32_t index)
{
    const uint64_t bit = UINT64_C(1) << index % 64;
    if (index >= RP_MAX_BORDER_COLORS || heap->border_colors[index / 64] & bit)
        return VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS;
    heap->border_colors[index / 64] |= bit;
    return VK_SUCCESS;
}

/* RP_MAX_BORDER_COLORS: there is none. */
static uint32_t
border_color_free(const struct rp_descriptor_heap *heap)
{
    uint32_t index = 0;
    while (index < RP_MAX_BORDER_COLORS && heap->border_colors[index / 64] == UINT64_MAX)
        index += 64;
    while (index < RP_MAX_BORDER_COLORS && heap->border_colors[index / 64] >> index % 64 & 1)
        index++;
    return index;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_RegisterCustomBorderColorEXT(VkDevice device,
                                const VkSamplerCustomBorderColorCreateInfoEXT *color,
                                VkBool32 request_index, uint32_t *index)
{
    struct rp_device *dev = rp_device_from_handle(device);
    struct rp_descriptor_heap *heap = &dev->descriptor_heap;
    VkResult result = VK_ERROR_TOO_MANY_OBJECTS;

    pthread_mutex_lock(&heap->mutex);
    const uint32_t taken = request_index ? *index : border_color_free(heap);
    if (request_index || taken < RP_MAX_BORDER_COLORS)
        result = border_color_take(heap, taken);
    if (result == VK_SUCCESS)
        *index = taken;
    pthread_mutex_unlock(&heap->mutex);
    return result == VK_SUCCESS ? result : rp_error(dev, result);
}

VKAPI_ATTR void VKAPI_CALL
rp_UnregisterCustomBorderColorEXT(VkDevice device, uint32_t index)
{
    struct rp_descriptor_heap *heap = &rp_device_from_handle(device)->descriptor_heap;

    if (index >= RP_MAX_BORDER_COLORS)
        return;
    pthread_mutex_lock(&heap->mutex);
    heap->border_colors[index / 64] &= ~(UINT64_C(1) << index % 64);
    pthread_mutex_unlock(&heap->mutex);
}

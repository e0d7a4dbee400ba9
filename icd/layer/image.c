/* SPDX-License-Identifier: MIT */
/* Creating images, and binding their memory.
 */
#include "icd/layer/image.h"

#include "icd/layer/barrier.h"
#include "icd/layer/chain.h"
#include "icd/layer/device.h"
#include "icd/layer/entry.h"
#include "icd/layer/memory.h"
#include "icd/layer/sharing.h"
#include "icd/layer/staging.h"
#include "icd/layer/usage.h"
#include "util/alloc.h"
#include "util/compiler.h"
#include "util/pnext.h"

#include <stddef.h>

enum kind {
    PLAIN,     /* the lower device's alone */
    REFERENCE, /* our driver's alone */
    PICTURE,   /* of both */
};

static void
release(struct rp_layer_entry *entry)
{
    struct rp_layer_image *img = rp_container_of(entry, struct rp_layer_image, entry);

    rp_free(NULL, img->stagings);
    rp_free(NULL, img);
}

/* FFmpeg 7.1 encodes what its filters wrote, images without the usage for it: every one that an
 * encoder could read may turn out to be a source, but for the lower device's references and
 * sources. */
static bool
may_be_source(const struct rp_layer_device *dev, const VkImageCreateInfo *info)
{
    const bool is_of_lower = rp_layer_image_usage_is_video(info->usage) &&
                             !(info->usage & VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR);

    return !is_of_lower && dev->physical_device->operations[RP_LAYER_ENCODE] &&
           info->format == VK_FORMAT_G8_B8R8_2PLANE_420_UNORM &&
           info->tiling == VK_IMAGE_TILING_OPTIMAL && info->imageType == VK_IMAGE_TYPE_2D &&
           info->mipLevels == 1 && info->samples == VK_SAMPLE_COUNT_1_BIT;
}

static enum kind
kind_of(const struct rp_layer_device *dev, const VkImageCreateInfo *info,
        struct rp_layer_usage *usage_out)
{
    *usage_out = rp_layer_image_usage(dev->physical_device, info->usage, info->flags, info->pNext);
    if (usage_out->lent & RP_LAYER_PICTURE_USAGES)
        return PICTURE;
    if (usage_out->lent)
        return REFERENCE;
    if (!may_be_source(dev, info))
        return PLAIN;
    usage_out->lent = VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR;
    return PICTURE;
}

/* The lower device's part of an image that is not a reference. */
static VkResult
rewrite(const struct rp_layer_device *dev, const VkImageCreateInfo *info,
        const struct rp_layer_usage *usage, struct rp_arena *arena,
        struct rp_layer_sharing *sharing, VkImageCreateInfo *out)
{
    void *chain = NULL;

    *out = *info;
    *sharing = rp_layer_sharing_lower(dev, info->sharingMode, info->queueFamilyIndexCount,
                                      info->pQueueFamilyIndices, usage->lent != 0);
    out->sharingMode = sharing->mode;
    out->queueFamilyIndexCount = sharing->count;
    out->pQueueFamilyIndices = sharing->families;
    if (!usage->lent)
        return VK_SUCCESS;
    if (!rp_layer_chain_copy(arena, info->pNext, &chain) ||
        !rp_layer_profiles_keep_lower(dev->physical_device, arena, &chain))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    if (!rp_layer_image_usage_is_video(usage->lower))
        out->flags &= ~(VkImageCreateFlags)VK_IMAGE_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR;
    out->usage = (VkImageUsageFlags)usage->lower | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    if (usage->lent & VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR)
        out->usage |= VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    out->pNext = chain;
    return VK_SUCCESS;
}

VkResult
rp_layer_image_info_lower(const struct rp_layer_device *dev, const VkImageCreateInfo *info,
                          struct rp_arena *arena, struct rp_layer_sharing *sharing,
                          VkImageCreateInfo *out, bool *is_reference_out)
{
    struct rp_layer_usage usage;

    *is_reference_out = kind_of(dev, info, &usage) == REFERENCE;
    return *is_reference_out ? VK_SUCCESS : rewrite(dev, info, &usage, arena, sharing, out);
}

static VkResult
create_lower(struct rp_layer_device *dev, const VkImageCreateInfo *info,
             const struct rp_layer_usage *usage, const VkAllocationCallbacks *alloc, VkImage *out)
{
    struct rp_layer_sharing sharing;
    struct rp_arena arena;
    VkImageCreateInfo below;

    if (!usage->lent && info->sharingMode != VK_SHARING_MODE_CONCURRENT)
        return dev->lower.CreateImage(dev->handle, info, alloc, out);
    rp_arena_init(&arena, NULL);
    VkResult result = rewrite(dev, info, usage, &arena, &sharing, &below);
    if (result == VK_SUCCESS)
        result = dev->lower.CreateImage(dev->handle, &below, alloc, out);
    rp_arena_finish(&arena);
    return result;
}

static VkResult
bind_reference(struct rp_layer_image *img, VkImage handle)
{
    struct rp_layer_device *dev = img->dev;
    const VkImageMemoryRequirementsInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_REQUIREMENTS_INFO_2,
        .image = handle,
    };
    VkMemoryRequirements2 needed = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};

    dev->driver.GetImageMemoryRequirements2(dev->driver_handle, &info, &needed);
    const VkMemoryAllocateInfo memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needed.memoryRequirements.size,
    };
    const VkResult result =
        dev->driver.AllocateMemory(dev->driver_handle, &memory, NULL, &img->driver_memory);
    if (result != VK_SUCCESS)
        return result;
    const VkBindImageMemoryInfo bind = {
        .sType = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO,
        .image = handle,
        .memory = img->driver_memory,
    };
    return dev->driver.BindImageMemory2(dev->driver_handle, 1, &bind);
}

/* What can be read of a reference is nobody's business: it has no usage but its own. */
static VkResult
create_reference(struct rp_layer_image *img, const VkImageCreateInfo *info, VkImage *out)
{
    struct rp_layer_device *dev = img->dev;
    struct rp_arena arena;
    VkVideoProfileListInfoKHR profiles;
    VkImageCreateInfo above = *info;

    rp_arena_init(&arena, NULL);
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (rp_layer_profiles_lent(dev->physical_device, &arena, info->pNext, &profiles)) {
        above.pNext = profiles.profileCount > 0 ? &profiles : NULL;
        above.usage = img->usage;
        above.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
        above.queueFamilyIndexCount = 0;
        result = dev->driver.CreateImage(dev->driver_handle, &above, NULL, out);
    }
    rp_arena_finish(&arena);
    if (result != VK_SUCCESS)
        return result;
    result = bind_reference(img, *out);
    if (result != VK_SUCCESS) {
        dev->driver.DestroyImage(dev->driver_handle, *out, NULL);
        dev->driver.FreeMemory(dev->driver_handle, img->driver_memory, NULL);
        *out = VK_NULL_HANDLE;
    }
    return result;
}

static struct rp_layer_image *
image_alloc(struct rp_layer_device *dev, const VkImageCreateInfo *info,
            const struct rp_layer_usage *usage, enum kind kind)
{
    struct rp_layer_image *img =
        rp_zalloc(NULL, sizeof(*img), _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!img)
        return NULL;
    img->dev = dev;
    img->entry.type = VK_OBJECT_TYPE_IMAGE;
    img->entry.is_lower = kind == PICTURE;
    img->entry.release = release;
    img->usage = (VkImageUsageFlags)usage->lent;
    img->lower_usage = (VkImageUsageFlags)usage->lower;
    img->format = info->format;
    img->extent = (VkExtent2D){info->extent.width, info->extent.height};
    img->layer_count = info->arrayLayers;
    if (kind == PICTURE) {
        img->stagings = rp_zalloc_array(NULL, info->arrayLayers, sizeof(*img->stagings),
                                        VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
        if (!img->stagings) {
            rp_free(NULL, img);
            return NULL;
        }
    }
    return img;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_CreateImage(VkDevice handle, const VkImageCreateInfo *info,
                     const VkAllocationCallbacks *alloc, VkImage *out)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_usage usage;
    const enum kind kind = kind_of(dev, info, &usage);

    if (kind == PLAIN)
        return create_lower(dev, info, &usage, alloc, out);
    struct rp_layer_image *img = image_alloc(dev, info, &usage, kind);
    if (!img)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    const VkResult result = kind == PICTURE ? create_lower(dev, info, &usage, alloc, out)
                                            : create_reference(img, info, out);
    if (result != VK_SUCCESS) {
        rp_layer_entry_free(&img->entry);
        return result;
    }
    img->entry.handle = RP_LAYER_HANDLE(*out);
    rp_layer_map_put(&dev->map, &img->entry);
    return VK_SUCCESS;
}

static void
destroy(struct rp_layer_device *dev, struct rp_layer_entry *entry)
{
    struct rp_layer_image *img = rp_container_of(entry, struct rp_layer_image, entry);

    if (entry->is_lower) {
        rp_layer_stagings_destroy(img);
        dev->lower.DestroyImage(dev->handle, (VkImage)entry->handle, NULL);
    } else {
        dev->driver.DestroyImage(dev->driver_handle, (VkImage)entry->handle, NULL);
        dev->driver.FreeMemory(dev->driver_handle, img->driver_memory, NULL);
    }
    rp_layer_entry_free(entry);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_DestroyImage(VkDevice handle, VkImage object, const VkAllocationCallbacks *alloc)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_image *img =
        rp_layer_map_take(&dev->map, VK_OBJECT_TYPE_IMAGE, RP_LAYER_HANDLE(object));

    if (img && (!alloc || !img->entry.is_lower)) {
        rp_layer_retire(dev, &img->entry, destroy);
        return;
    }
    if (img) {
        rp_layer_stagings_destroy(img);
        rp_layer_entry_free(&img->entry);
    }
    dev->lower.DestroyImage(handle, object, alloc);
}

static bool
is_reference(struct rp_layer_device *dev, VkImage handle)
{
    const struct rp_layer_image *img = rp_layer_image_get(dev, handle);
    return img && !img->entry.is_lower;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_BindImageMemory(VkDevice handle, VkImage object, VkDeviceMemory memory,
                         VkDeviceSize offset_B)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    if (is_reference(dev, object))
        return VK_SUCCESS;
    rp_layer_memory_bind(dev, memory, 0, VK_WHOLE_SIZE, false);
    return dev->lower.BindImageMemory(handle, object, memory, offset_B);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_BindImageMemory2(VkDevice handle, uint32_t count, const VkBindImageMemoryInfo *infos)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    VkResult first_error = VK_SUCCESS;

    for (uint32_t i = 0; i < count; i++) {
        VkBindMemoryStatus *status = (VkBindMemoryStatus *)(uintptr_t)rp_find_struct(
            infos[i].pNext, VK_STRUCTURE_TYPE_BIND_MEMORY_STATUS);
        VkResult result = VK_SUCCESS;
        if (!is_reference(dev, infos[i].image)) {
            rp_layer_memory_bind(dev, infos[i].memory, 0, VK_WHOLE_SIZE, false);
            result = dev->lower.BindImageMemory2(handle, 1, &infos[i]);
        } else if (status && status->pResult) {
            *status->pResult = VK_SUCCESS;
        }
        if (first_error == VK_SUCCESS)
            first_error = result;
    }
    return first_error;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_TransitionImageLayout(VkDevice handle, uint32_t count,
                               const VkHostImageLayoutTransitionInfo *transitions)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    VkResult result = VK_SUCCESS;

    for (uint32_t i = 0; i < count && result == VK_SUCCESS; i++) {
        VkHostImageLayoutTransitionInfo below = transitions[i];
        const struct rp_layer_image *img = rp_layer_image_get(dev, below.image);
        if (img && !img->entry.is_lower)
            continue;
        below.oldLayout = rp_layer_lower_layout(dev, img, below.oldLayout);
        below.newLayout = rp_layer_lower_layout(dev, img, below.newLayout);
        result = dev->lower.TransitionImageLayout(handle, 1, &below);
    }
    return result;
}

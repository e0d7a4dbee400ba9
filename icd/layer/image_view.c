/* SPDX-License-Identifier: MIT */
/* Views of pictures and references.
 */
#include "icd/layer/chain.h"
#include "icd/layer/device.h"
#include "icd/layer/entry.h"
#include "icd/layer/image.h"
#include "icd/layer/staging.h"
#include "util/alloc.h"
#include "util/compiler.h"
#include "util/pnext.h"

#include <stddef.h>

/* Without one of these an image has no views. */
#define VIEW_USAGES \
    (VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT | \
     VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT | \
     VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT | VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR | \
     VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR | VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR | \
     VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR)

VkResult
rp_layer_view_driver(struct rp_layer_view *view, uint32_t layer, VkImageView *out,
                     uint32_t *layer_out)
{
    struct rp_layer_staging *staging;

    if (!view->img->entry.is_lower) {
        *out = view->driver;
        *layer_out = layer;
        return VK_SUCCESS;
    }
    const VkResult result = rp_layer_staging_get(view->img, view->first_layer + layer, &staging);
    if (result == VK_SUCCESS) {
        *out = staging->view;
        *layer_out = 0;
    }
    return result;
}

/* The lower device's part of a view of a picture, where it has one. */
static VkResult
create_lower(struct rp_layer_view *view, const VkImageViewCreateInfo *info,
             const VkAllocationCallbacks *alloc)
{
    struct rp_layer_device *dev = view->img->dev;
    const VkImageViewUsageCreateInfo *asked =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO);
    const VkImageUsageFlags usage = view->img->lower_usage & (asked ? asked->usage : ~0u);
    struct rp_arena arena;
    VkImageViewCreateInfo below = *info;
    void *chain = NULL;

    if (!(usage & VIEW_USAGES))
        return VK_SUCCESS;
    rp_arena_init(&arena, NULL);
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (rp_layer_chain_copy(&arena, info->pNext, &chain)) {
        VkImageViewUsageCreateInfo *lower =
            rp_layer_chain_find(chain, VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO);
        if (lower)
            lower->usage = usage;
        below.pNext = chain;
        result = dev->lower.CreateImageView(dev->handle, &below, alloc, &view->lower);
    }
    rp_arena_finish(&arena);
    return result;
}

static VkResult
create_driver(struct rp_layer_view *view, const VkImageViewCreateInfo *info)
{
    struct rp_layer_device *dev = view->img->dev;
    VkImageViewCreateInfo above = *info;

    above.pNext = NULL;
    return dev->driver.CreateImageView(dev->driver_handle, &above, NULL, &view->driver);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_CreateImageView(VkDevice handle, const VkImageViewCreateInfo *info,
                         const VkAllocationCallbacks *alloc, VkImageView *out)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_image *img = rp_layer_image_get(dev, info->image);

    if (!img)
        return dev->lower.CreateImageView(handle, info, alloc, out);
    struct rp_layer_view *view =
        rp_zalloc(NULL, sizeof(*view), _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!view)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    view->img = img;
    view->first_layer = info->subresourceRange.baseArrayLayer;
    const VkResult result =
        img->entry.is_lower ? create_lower(view, info, alloc) : create_driver(view, info);
    if (result != VK_SUCCESS) {
        rp_free(NULL, view);
        return result;
    }
    /* A view with lent usages alone is this struct: no handle of the lower device can be so. */
    *out = view->lower ? view->lower : (VkImageView)(uintptr_t)view;
    view->entry.type = VK_OBJECT_TYPE_IMAGE_VIEW;
    view->entry.handle = RP_LAYER_HANDLE(*out);
    view->entry.is_lower = view->lower != VK_NULL_HANDLE;
    rp_layer_map_put(&dev->map, &view->entry);
    return VK_SUCCESS;
}

static void
destroy(struct rp_layer_device *dev, struct rp_layer_entry *entry)
{
    const struct rp_layer_view *view = rp_container_of(entry, struct rp_layer_view, entry);

    dev->driver.DestroyImageView(dev->driver_handle, view->driver, NULL);
    rp_layer_entry_free(entry);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_DestroyImageView(VkDevice handle, VkImageView object, const VkAllocationCallbacks *alloc)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_view *view =
        rp_layer_map_take(&dev->map, VK_OBJECT_TYPE_IMAGE_VIEW, RP_LAYER_HANDLE(object));

    if (!view || view->lower)
        dev->lower.DestroyImageView(handle, object, alloc);
    if (view)
        rp_layer_retire(dev, &view->entry, destroy);
}

/* SPDX-License-Identifier: MIT */
/* What memory images need, and how it is laid out: of references, which are our driver's, nothing
 * that anybody would use.
 */
#include "icd/layer/device.h"
#include "icd/layer/image.h"
#include "icd/layer/sharing.h"
#include "platform/pages.h"
#include "util/arena.h"
#include "util/pnext.h"

static bool
is_reference_of(struct rp_layer_device *dev, VkImage handle)
{
    const struct rp_layer_image *img = rp_layer_image_get(dev, handle);
    return img && !img->entry.is_lower;
}

/* A page of any memory, which is not used. */
static VkMemoryRequirements
reference_requirements(const struct rp_layer_device *dev)
{
    return (VkMemoryRequirements){
        .size = rp_page_B(),
        .alignment = rp_page_B(),
        .memoryTypeBits = (uint32_t)((UINT64_C(1) << dev->memory.memoryTypeCount) - 1),
    };
}

static void
fill_reference_requirements(const struct rp_layer_device *dev, VkMemoryRequirements2 *out)
{
    VkMemoryDedicatedRequirements *dedicated =
        rp_find_struct_mut(out->pNext, VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS);

    out->memoryRequirements = reference_requirements(dev);
    if (dedicated) {
        dedicated->prefersDedicatedAllocation = VK_FALSE;
        dedicated->requiresDedicatedAllocation = VK_FALSE;
    }
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_GetImageMemoryRequirements(VkDevice handle, VkImage object, VkMemoryRequirements *out)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    if (is_reference_of(dev, object))
        *out = reference_requirements(dev);
    else
        dev->lower.GetImageMemoryRequirements(handle, object, out);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_GetImageMemoryRequirements2(VkDevice handle, const VkImageMemoryRequirementsInfo2 *info,
                                     VkMemoryRequirements2 *out)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    if (is_reference_of(dev, info->image))
        fill_reference_requirements(dev, out);
    else
        dev->lower.GetImageMemoryRequirements2(handle, info, out);
}

/* An image that is described, not made. */
struct description {
    struct rp_arena arena;  /* to be finished, whatever describe() says */
    VkImageCreateInfo info; /* as the lower device gets it */
    bool is_reference;
};

/* False when memory is short. */
static bool
describe(struct rp_layer_device *dev, const VkImageCreateInfo *info, struct description *out)
{
    struct rp_layer_sharing sharing;
    rp_arena_init(&out->arena, NULL);
    return rp_layer_image_info_lower(dev, info, &out->arena, &sharing, &out->info,
                                     &out->is_reference) == VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_GetDeviceImageMemoryRequirements(VkDevice handle,
                                          const VkDeviceImageMemoryRequirements *info,
                                          VkMemoryRequirements2 *out)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    VkDeviceImageMemoryRequirements lower = *info;
    struct description below;

    lower.pCreateInfo = &below.info;
    if (!describe(dev, info->pCreateInfo, &below))
        rp_layer_device_lose(dev, "no memory for a query");
    else if (below.is_reference)
        fill_reference_requirements(dev, out);
    else
        dev->lower.GetDeviceImageMemoryRequirements(handle, &lower, out);
    rp_arena_finish(&below.arena);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_GetImageSparseMemoryRequirements(VkDevice handle, VkImage object, uint32_t *count,
                                          VkSparseImageMemoryRequirements *out)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    if (is_reference_of(dev, object))
        *count = 0;
    else
        dev->lower.GetImageSparseMemoryRequirements(handle, object, count, out);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_GetImageSparseMemoryRequirements2(VkDevice handle,
                                           const VkImageSparseMemoryRequirementsInfo2 *info,
                                           uint32_t *count, VkSparseImageMemoryRequirements2 *out)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    if (is_reference_of(dev, info->image))
        *count = 0;
    else
        dev->lower.GetImageSparseMemoryRequirements2(handle, info, count, out);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_GetDeviceImageSparseMemoryRequirements(VkDevice handle,
                                                const VkDeviceImageMemoryRequirements *info,
                                                uint32_t *count,
                                                VkSparseImageMemoryRequirements2 *out)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    VkDeviceImageMemoryRequirements lower = *info;
    struct description below;

    lower.pCreateInfo = &below.info;
    if (!describe(dev, info->pCreateInfo, &below))
        rp_layer_device_lose(dev, "no memory for a query");
    else if (below.is_reference)
        *count = 0;
    else
        dev->lower.GetDeviceImageSparseMemoryRequirements(handle, &lower, count, out);
    rp_arena_finish(&below.arena);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_GetDeviceImageSubresourceLayout(VkDevice handle, const VkDeviceImageSubresourceInfo *info,
                                         VkSubresourceLayout2 *out)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    VkDeviceImageSubresourceInfo lower = *info;
    struct description below;

    lower.pCreateInfo = &below.info;
    if (!describe(dev, info->pCreateInfo, &below))
        rp_layer_device_lose(dev, "no memory for a query");
    else if (below.is_reference)
        out->subresourceLayout = (VkSubresourceLayout){0};
    else
        dev->lower.GetDeviceImageSubresourceLayout(handle, &lower, out);
    rp_arena_finish(&below.arena);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_GetImageSubresourceLayout(VkDevice handle, VkImage object,
                                   const VkImageSubresource *subresource, VkSubresourceLayout *out)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    if (is_reference_of(dev, object))
        *out = (VkSubresourceLayout){0};
    else
        dev->lower.GetImageSubresourceLayout(handle, object, subresource, out);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_GetImageSubresourceLayout2(VkDevice handle, VkImage object,
                                    const VkImageSubresource2 *subresource,
                                    VkSubresourceLayout2 *out)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    if (is_reference_of(dev, object))
        out->subresourceLayout = (VkSubresourceLayout){0};
    else
        dev->lower.GetImageSubresourceLayout2(handle, object, subresource, out);
}

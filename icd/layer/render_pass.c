/* SPDX-License-Identifier: MIT */
/* Render passes that leave pictures in a layout for video, or take them from one.
 */
#include "icd/layer/barrier.h"
#include "icd/layer/device.h"
#include "util/arena.h"

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_CreateRenderPass(VkDevice handle, const VkRenderPassCreateInfo *info,
                          const VkAllocationCallbacks *alloc, VkRenderPass *out)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    VkRenderPassCreateInfo below = *info;
    struct rp_arena arena;

    rp_arena_init(&arena, NULL);
    VkAttachmentDescription *attachments = rp_arena_copy(
        &arena, info->pAttachments, info->attachmentCount * sizeof(*info->pAttachments));
    for (uint32_t i = 0; i < info->attachmentCount && attachments; i++) {
        VkAttachmentDescription *a = &attachments[i];
        a->initialLayout = rp_layer_lower_layout(dev, NULL, a->initialLayout);
        a->finalLayout = rp_layer_lower_layout(dev, NULL, a->finalLayout);
    }
    below.pAttachments = attachments;
    const VkResult result = attachments || info->attachmentCount == 0
                                ? dev->lower.CreateRenderPass(handle, &below, alloc, out)
                                : VK_ERROR_OUT_OF_HOST_MEMORY;
    rp_arena_finish(&arena);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_CreateRenderPass2(VkDevice handle, const VkRenderPassCreateInfo2 *info,
                           const VkAllocationCallbacks *alloc, VkRenderPass *out)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    VkRenderPassCreateInfo2 below = *info;
    struct rp_arena arena;

    rp_arena_init(&arena, NULL);
    VkAttachmentDescription2 *attachments = rp_arena_copy(
        &arena, info->pAttachments, info->attachmentCount * sizeof(*info->pAttachments));
    for (uint32_t i = 0; i < info->attachmentCount && attachments; i++) {
        VkAttachmentDescription2 *a = &attachments[i];
        a->initialLayout = rp_layer_lower_layout(dev, NULL, a->initialLayout);
        a->finalLayout = rp_layer_lower_layout(dev, NULL, a->finalLayout);
    }
    below.pAttachments = attachments;
    const VkResult result = attachments || info->attachmentCount == 0
                                ? dev->lower.CreateRenderPass2(handle, &below, alloc, out)
                                : VK_ERROR_OUT_OF_HOST_MEMORY;
    rp_arena_finish(&arena);
    return result;
}

/* SPDX-License-Identifier: MIT */
/* Sessions and the commands of video: our driver's for lent families, with its views and buffers in
 * the place of the application's.
 */
#include "icd/layer/buffer.h"
#include "icd/layer/chain.h"
#include "icd/layer/command_buffer.h"
#include "icd/layer/device.h"
#include "icd/layer/entry.h"
#include "icd/layer/image.h"
#include "icd/layer/instance.h"
#include "icd/layer/usage.h"
#include "util/pnext.h"

/* A DPB has up to 17 slots, and one more picture is set up. */
#define MAX_SLOTS 32

struct slots {
    VkVideoReferenceSlotInfoKHR slot[MAX_SLOTS];
    VkVideoPictureResourceInfoKHR resource[MAX_SLOTS];
};

static bool
session_is_lent(struct rp_layer_device *dev, VkVideoSessionKHR session)
{
    return rp_layer_map_get(&dev->map, VK_OBJECT_TYPE_VIDEO_SESSION_KHR,
                            RP_LAYER_HANDLE(session)) != NULL;
}

static bool
parameters_are_lent(struct rp_layer_device *dev, VkVideoSessionParametersKHR parameters)
{
    return rp_layer_map_get(&dev->map, VK_OBJECT_TYPE_VIDEO_SESSION_PARAMETERS_KHR,
                            RP_LAYER_HANDLE(parameters)) != NULL;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_CreateVideoSessionKHR(VkDevice handle, const VkVideoSessionCreateInfoKHR *info,
                               const VkAllocationCallbacks *alloc, VkVideoSessionKHR *out)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    VkVideoSessionCreateInfoKHR above = *info;
    enum rp_layer_lent_kind kind;

    if (!rp_layer_device_family_is_lent(dev, info->queueFamilyIndex, &kind))
        return dev->lower.CreateVideoSessionKHR
                   ? dev->lower.CreateVideoSessionKHR(handle, info, alloc, out)
                   : VK_ERROR_INITIALIZATION_FAILED;
    above.queueFamilyIndex = dev->instance->driver_family[kind];
    const VkResult result =
        dev->driver.CreateVideoSessionKHR(dev->driver_handle, &above, NULL, out);
    if (result != VK_SUCCESS)
        return result;
    struct rp_layer_entry *entry =
        rp_layer_entry_create(VK_OBJECT_TYPE_VIDEO_SESSION_KHR, RP_LAYER_HANDLE(*out), false);
    if (!entry) {
        dev->driver.DestroyVideoSessionKHR(dev->driver_handle, *out, NULL);
        *out = VK_NULL_HANDLE;
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    rp_layer_map_put(&dev->map, entry);
    return VK_SUCCESS;
}

static void
destroy_session(struct rp_layer_device *dev, struct rp_layer_entry *entry)
{
    dev->driver.DestroyVideoSessionKHR(dev->driver_handle, (VkVideoSessionKHR)entry->handle, NULL);
    rp_layer_entry_free(entry);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_DestroyVideoSessionKHR(VkDevice handle, VkVideoSessionKHR session,
                                const VkAllocationCallbacks *alloc)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_entry *entry =
        rp_layer_map_take(&dev->map, VK_OBJECT_TYPE_VIDEO_SESSION_KHR, RP_LAYER_HANDLE(session));

    if (entry)
        rp_layer_retire(dev, entry, destroy_session);
    else if (dev->lower.DestroyVideoSessionKHR)
        dev->lower.DestroyVideoSessionKHR(handle, session, alloc);
}

/* Our driver needs no memory, but asks for some in its only type; here that is any type. */
VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_GetVideoSessionMemoryRequirementsKHR(VkDevice handle, VkVideoSessionKHR session,
                                              uint32_t *count,
                                              VkVideoSessionMemoryRequirementsKHR *out)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    if (!session_is_lent(dev, session))
        return dev->lower.GetVideoSessionMemoryRequirementsKHR(handle, session, count, out);
    const VkResult result =
        dev->driver.GetVideoSessionMemoryRequirementsKHR(dev->driver_handle, session, count, out);
    for (uint32_t i = 0; out && i < *count; i++)
        out[i].memoryRequirements.memoryTypeBits =
            (uint32_t)((UINT64_C(1) << dev->memory.memoryTypeCount) - 1);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_BindVideoSessionMemoryKHR(VkDevice handle, VkVideoSessionKHR session, uint32_t count,
                                   const VkBindVideoSessionMemoryInfoKHR *infos)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    return session_is_lent(dev, session)
               ? VK_SUCCESS
               : dev->lower.BindVideoSessionMemoryKHR(handle, session, count, infos);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_CreateVideoSessionParametersKHR(VkDevice handle,
                                         const VkVideoSessionParametersCreateInfoKHR *info,
                                         const VkAllocationCallbacks *alloc,
                                         VkVideoSessionParametersKHR *out)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    if (!session_is_lent(dev, info->videoSession))
        return dev->lower.CreateVideoSessionParametersKHR
                   ? dev->lower.CreateVideoSessionParametersKHR(handle, info, alloc, out)
                   : VK_ERROR_INITIALIZATION_FAILED;
    const VkResult result =
        dev->driver.CreateVideoSessionParametersKHR(dev->driver_handle, info, NULL, out);
    if (result != VK_SUCCESS)
        return result;
    struct rp_layer_entry *entry = rp_layer_entry_create(
        VK_OBJECT_TYPE_VIDEO_SESSION_PARAMETERS_KHR, RP_LAYER_HANDLE(*out), false);
    if (!entry) {
        dev->driver.DestroyVideoSessionParametersKHR(dev->driver_handle, *out, NULL);
        *out = VK_NULL_HANDLE;
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    rp_layer_map_put(&dev->map, entry);
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_UpdateVideoSessionParametersKHR(VkDevice handle, VkVideoSessionParametersKHR parameters,
                                         const VkVideoSessionParametersUpdateInfoKHR *info)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    return parameters_are_lent(dev, parameters)
               ? dev->driver.UpdateVideoSessionParametersKHR(dev->driver_handle, parameters, info)
               : dev->lower.UpdateVideoSessionParametersKHR(handle, parameters, info);
}

static void
destroy_parameters(struct rp_layer_device *dev, struct rp_layer_entry *entry)
{
    dev->driver.DestroyVideoSessionParametersKHR(dev->driver_handle,
                                                 (VkVideoSessionParametersKHR)entry->handle, NULL);
    rp_layer_entry_free(entry);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_DestroyVideoSessionParametersKHR(VkDevice handle, VkVideoSessionParametersKHR parameters,
                                          const VkAllocationCallbacks *alloc)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_entry *entry = rp_layer_map_take(
        &dev->map, VK_OBJECT_TYPE_VIDEO_SESSION_PARAMETERS_KHR, RP_LAYER_HANDLE(parameters));

    if (entry)
        rp_layer_retire(dev, entry, destroy_parameters);
    else if (dev->lower.DestroyVideoSessionParametersKHR)
        dev->lower.DestroyVideoSessionParametersKHR(handle, parameters, alloc);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_GetEncodedVideoSessionParametersKHR(
    VkDevice handle, const VkVideoEncodeSessionParametersGetInfoKHR *info,
    VkVideoEncodeSessionParametersFeedbackInfoKHR *feedback, size_t *size_B, void *data)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    return parameters_are_lent(dev, info->videoSessionParameters)
               ? dev->driver.GetEncodedVideoSessionParametersKHR(dev->driver_handle, info, feedback,
                                                                 size_B, data)
               : dev->lower.GetEncodedVideoSessionParametersKHR(handle, info, feedback, size_B,
                                                                data);
}

/* Puts our driver's view in the place of the application's. */
static void
lend_resource(struct rp_layer_command_buffer *cb, VkVideoPictureResourceInfoKHR *resource)
{
    struct rp_layer_view *view = rp_layer_view_get(cb->dev, resource->imageViewBinding);
    VkImageView driver = VK_NULL_HANDLE;
    uint32_t layer = 0;

    const VkResult result =
        view ? rp_layer_view_driver(view, resource->baseArrayLayer, &driver, &layer)
             : VK_ERROR_UNKNOWN;
    if (result != VK_SUCCESS && cb->result == VK_SUCCESS)
        cb->result = result;
    resource->imageViewBinding = driver;
    resource->baseArrayLayer = layer;
}

static const VkVideoReferenceSlotInfoKHR *
lend_slots(struct rp_layer_command_buffer *cb, struct slots *slots, uint32_t count,
           const VkVideoReferenceSlotInfoKHR *from)
{
    if (count > MAX_SLOTS && cb->result == VK_SUCCESS)
        cb->result = VK_ERROR_UNKNOWN;
    for (uint32_t i = 0; i < count && i < MAX_SLOTS; i++) {
        slots->slot[i] = from[i];
        if (!from[i].pPictureResource)
            continue;
        slots->resource[i] = *from[i].pPictureResource;
        lend_resource(cb, &slots->resource[i]);
        slots->slot[i].pPictureResource = &slots->resource[i];
    }
    return slots->slot;
}

/* The copy of a picture that the lower device writes or reads, too. */
static void
add_copy(struct rp_layer_command_buffer *cb, enum rp_layer_op_kind kind, VkImageLayout layout,
         const VkVideoPictureResourceInfoKHR *resource)
{
    const struct rp_layer_view *view = rp_layer_view_get(cb->dev, resource->imageViewBinding);

    if (!view || !view->img->entry.is_lower)
        return;
    const struct rp_layer_op op = {
        .kind = kind,
        .image = view->img,
        .layer = view->first_layer + resource->baseArrayLayer,
        .layout = layout,
    };
    rp_layer_command_buffer_add(cb, &op);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_CmdBeginVideoCodingKHR(VkCommandBuffer handle, const VkVideoBeginCodingInfoKHR *info)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_command_buffer *cb = rp_layer_command_buffer_get(dev, handle);
    VkVideoBeginCodingInfoKHR above = *info;
    struct slots slots;

    if (!cb) {
        dev->lower.CmdBeginVideoCodingKHR(handle, info);
        return;
    }
    above.pReferenceSlots = lend_slots(cb, &slots, info->referenceSlotCount, info->pReferenceSlots);
    if (cb->result == VK_SUCCESS)
        dev->driver.CmdBeginVideoCodingKHR(handle, &above);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_CmdEndVideoCodingKHR(VkCommandBuffer handle, const VkVideoEndCodingInfoKHR *info)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    const struct rp_layer_command_buffer *cb = rp_layer_command_buffer_get(dev, handle);

    if (!cb)
        dev->lower.CmdEndVideoCodingKHR(handle, info);
    else if (cb->result == VK_SUCCESS)
        dev->driver.CmdEndVideoCodingKHR(handle, info);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_CmdControlVideoCodingKHR(VkCommandBuffer handle, const VkVideoCodingControlInfoKHR *info)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    const struct rp_layer_command_buffer *cb = rp_layer_command_buffer_get(dev, handle);

    if (!cb)
        dev->lower.CmdControlVideoCodingKHR(handle, info);
    else if (cb->result == VK_SUCCESS)
        dev->driver.CmdControlVideoCodingKHR(handle, info);
}

/* A map of the encode command is a picture like its source. The chain is copied where it has
 * one. */
static void
lend_map(struct rp_layer_command_buffer *cb, struct rp_arena *arena, VkVideoEncodeInfoKHR *info)
{
    void *chain = NULL;

    if (!rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_VIDEO_ENCODE_QUANTIZATION_MAP_INFO_KHR))
        return;
    VkVideoEncodeQuantizationMapInfoKHR *map =
        rp_layer_chain_copy(arena, info->pNext, &chain)
            ? rp_layer_chain_find(chain, VK_STRUCTURE_TYPE_VIDEO_ENCODE_QUANTIZATION_MAP_INFO_KHR)
            : NULL;
    info->pNext = chain;
    if (!map) {
        if (cb->result == VK_SUCCESS)
            cb->result = VK_ERROR_OUT_OF_HOST_MEMORY;
        return;
    }
    VkVideoPictureResourceInfoKHR resource = {.imageViewBinding = map->quantizationMap};
    if (!resource.imageViewBinding)
        return;
    add_copy(cb, RP_LAYER_OP_COPY_IN, VK_IMAGE_LAYOUT_VIDEO_ENCODE_QUANTIZATION_MAP_KHR, &resource);
    lend_resource(cb, &resource);
    map->quantizationMap = resource.imageViewBinding;
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_CmdEncodeVideoKHR(VkCommandBuffer handle, const VkVideoEncodeInfoKHR *info)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_command_buffer *cb = rp_layer_command_buffer_get(dev, handle);
    VkVideoEncodeInfoKHR above = *info;
    struct slots references;
    struct slots setup;
    struct rp_arena arena;

    if (!cb) {
        dev->lower.CmdEncodeVideoKHR(handle, info);
        return;
    }
    rp_arena_init(&arena, NULL);
    add_copy(cb, RP_LAYER_OP_COPY_IN, VK_IMAGE_LAYOUT_VIDEO_ENCODE_SRC_KHR,
             &info->srcPictureResource);
    lend_resource(cb, &above.srcPictureResource);
    above.dstBuffer = rp_layer_buffer_driver(dev, info->dstBuffer);
    above.pReferenceSlots =
        lend_slots(cb, &references, info->referenceSlotCount, info->pReferenceSlots);
    if (info->pSetupReferenceSlot)
        above.pSetupReferenceSlot = lend_slots(cb, &setup, 1, info->pSetupReferenceSlot);
    lend_map(cb, &arena, &above);
    if (cb->result == VK_SUCCESS && above.dstBuffer)
        dev->driver.CmdEncodeVideoKHR(handle, &above);
    rp_arena_finish(&arena);
}

/* Copies the reference of a picture with film grain, whose output has the grain, to one that the
 * application can read. */
static void
add_reference_copy(struct rp_layer_command_buffer *cb, const VkVideoDecodeInfoKHR *info)
{
    const VkVideoPictureResourceInfoKHR *resource = info->pSetupReferenceSlot->pPictureResource;
    const VkVideoPictureResourceInfoKHR *dst = &info->dstPictureResource;
    const struct rp_layer_view *view =
        resource ? rp_layer_view_get(cb->dev, resource->imageViewBinding) : NULL;

    if (!view || !(view->img->lower_usage & RP_LAYER_READING_USAGES) ||
        (resource->imageViewBinding == dst->imageViewBinding &&
         resource->baseArrayLayer == dst->baseArrayLayer))
        return;
    add_copy(cb, RP_LAYER_OP_COPY_OUT, VK_IMAGE_LAYOUT_VIDEO_DECODE_DPB_KHR, resource);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_CmdDecodeVideoKHR(VkCommandBuffer handle, const VkVideoDecodeInfoKHR *info)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_command_buffer *cb = rp_layer_command_buffer_get(dev, handle);
    VkVideoDecodeInfoKHR above = *info;
    struct slots references;
    struct slots setup;

    if (!cb) {
        dev->lower.CmdDecodeVideoKHR(handle, info);
        return;
    }
    add_copy(cb, RP_LAYER_OP_COPY_OUT, VK_IMAGE_LAYOUT_VIDEO_DECODE_DST_KHR,
             &info->dstPictureResource);
    lend_resource(cb, &above.dstPictureResource);
    above.srcBuffer = rp_layer_buffer_driver(dev, info->srcBuffer);
    above.pReferenceSlots =
        lend_slots(cb, &references, info->referenceSlotCount, info->pReferenceSlots);
    if (info->pSetupReferenceSlot) {
        above.pSetupReferenceSlot = lend_slots(cb, &setup, 1, info->pSetupReferenceSlot);
        add_reference_copy(cb, info);
    }
    if (cb->result == VK_SUCCESS && above.srcBuffer)
        dev->driver.CmdDecodeVideoKHR(handle, &above);
}

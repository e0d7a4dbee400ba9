/* SPDX-License-Identifier: MIT */
/* Buffer views.
 */
#include "object/buffer_view.h"

#include "object/buffer.h"
#include "object/capture.h"
#include "object/device.h"

#include "format/format.h"
#include "util/log.h"

#include "rp_entrypoints.h"

VKAPI_ATTR VkResult VKAPI_CALL
rp_CreateBufferView(VkDevice device, const VkBufferViewCreateInfo *info,
                    const VkAllocationCallbacks *alloc, VkBufferView *out)
{
    struct rp_device *dev = rp_device_from_handle(device);
    const struct rp_buffer *buf = rp_buffer_from_handle(info->buffer);
    const uint32_t texel_B = rp_format_get(info->format)->planes[0].block_B;

    struct rp_buffer_view *view =
        rp_object_zalloc(dev, alloc, sizeof(*view), VK_OBJECT_TYPE_BUFFER_VIEW);
    if (!view)
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);

    const uint64_t range_B = rp_buffer_range_B(buf, info->offset, info->range);
    view->vk_format = info->format;
    view->host = buf->host + info->offset;
    view->range_B = range_B - range_B % texel_B;
    rp_capture_created(dev, &view->base, info);
    *out = rp_buffer_view_to_handle(view);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
rp_DestroyBufferView(VkDevice device, VkBufferView handle, const VkAllocationCallbacks *alloc)
{
    rp_object_free(rp_device_from_handle(device), alloc, rp_buffer_view_from_handle(handle));
}

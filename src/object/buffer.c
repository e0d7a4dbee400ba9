/* SPDX-License-Identifier: MIT */
/* Buffers: a size until they are bound, a pointer afterwards.
 */
#include "object/buffer.h"

#include "object/capture.h"
#include "object/debug_messenger.h"
#include "object/device.h"
#include "object/memory.h"
#include "util/checked.h"
#include "util/log.h"
#include "util/pnext.h"

#include "rp_entrypoints.h"

VKAPI_ATTR VkResult VKAPI_CALL
rp_CreateBuffer(VkDevice device, const VkBufferCreateInfo *info, const VkAllocationCallbacks *alloc,
                VkBuffer *out)
{
    struct rp_device *dev = rp_device_from_handle(device);
    const VkBufferUsageFlags2CreateInfo *usage2 =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO);

    if (info->size > RP_MAX_BUFFER_B)
        return rp_error(dev, VK_ERROR_OUT_OF_DEVICE_MEMORY);

    struct rp_buffer *buf = rp_object_zalloc(dev, alloc, sizeof(*buf), VK_OBJECT_TYPE_BUFFER);
    if (!buf)
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);

    buf->flags = info->flags;
    buf->usage = usage2 ? usage2->usage : info->usage;
    buf->size_B = info->size;
    rp_capture_created(dev, &buf->base, info);
    *out = rp_buffer_to_handle(buf);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
rp_DestroyBuffer(VkDevice device, VkBuffer handle, const VkAllocationCallbacks *alloc)
{
    struct rp_buffer *buf = rp_buffer_from_handle(handle);

    if (buf) {
        rp_descriptor_buffer_remove(buf);
        rp_report_binding(buf, VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT, buf->host, buf->size_B);
    }
    rp_object_free(rp_device_from_handle(device), alloc, buf);
}

static void
buffer_requirements(uint64_t size_B, VkMemoryRequirements2 *out)
{
    VkMemoryDedicatedRequirements *dedicated =
        rp_find_struct_mut(out->pNext, VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS);

    out->memoryRequirements = (VkMemoryRequirements){
        .size = rp_align_u64(size_B, RP_MEMORY_ALIGN_B),
        .alignment = RP_MEMORY_ALIGN_B,
        .memoryTypeBits = 1,
    };
    if (dedicated) {
        dedicated->prefersDedicatedAllocation = VK_FALSE;
        dedicated->requiresDedicatedAllocation = VK_FALSE;
    }
}

VKAPI_ATTR void VKAPI_CALL
rp_GetBufferMemoryRequirements2(VkDevice device, const VkBufferMemoryRequirementsInfo2 *info,
                                VkMemoryRequirements2 *out)
{
    buffer_requirements(rp_buffer_from_handle(info->buffer)->size_B, out);
}

VKAPI_ATTR void VKAPI_CALL
rp_GetDeviceBufferMemoryRequirements(VkDevice device, const VkDeviceBufferMemoryRequirements *info,
                                     VkMemoryRequirements2 *out)
{
    buffer_requirements(RP_MIN(info->pCreateInfo->size, RP_MAX_BUFFER_B), out);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_BindBufferMemory2(VkDevice device, uint32_t count, const VkBindBufferMemoryInfo *infos)
{
    for (uint32_t i = 0; i < count; i++) {
        struct rp_buffer *buf = rp_buffer_from_handle(infos[i].buffer);
        struct rp_memory *mem = rp_memory_from_handle(infos[i].memory);
        VkBindMemoryStatus *status =
            rp_find_struct_mut((void *)infos[i].pNext, VK_STRUCTURE_TYPE_BIND_MEMORY_STATUS);
        const bool is_first = !buf->memory; /* or VUID-VkBindBufferMemoryInfo-buffer-07459 */

        buf->memory = mem;
        buf->host = mem->host + infos[i].memoryOffset;
        if (buf->size_B <= RP_MEMORY_DENSE_B)
            rp_memory_expect_dense(mem, infos[i].memoryOffset, buf->size_B);
        if (is_first)
            rp_descriptor_buffer_add(buf);
        rp_capture_changed(buf->base.dev, &buf->base, &infos[i]);
        rp_report_binding(buf, VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT, buf->host, buf->size_B);
        if (status)
            *status->pResult = VK_SUCCESS;
    }
    return VK_SUCCESS;
}

VKAPI_ATTR VkDeviceAddress VKAPI_CALL
rp_GetBufferDeviceAddress(VkDevice device, const VkBufferDeviceAddressInfo *info)
{
    return (uintptr_t)rp_buffer_from_handle(info->buffer)->host;
}

VKAPI_ATTR uint64_t VKAPI_CALL
rp_GetBufferOpaqueCaptureAddress(VkDevice device, const VkBufferDeviceAddressInfo *info)
{
    /* Where the memory is decides: vkAllocateMemory takes it there again. */
    return (uintptr_t)rp_buffer_from_handle(info->buffer)->host;
}

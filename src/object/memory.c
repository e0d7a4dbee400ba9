/* SPDX-License-Identifier: MIT */
/* vkAllocateMemory and what is done with whole allocations: map, import, export, account.
 */
#include "object/memory.h"

#include "object/capture.h"
#include "object/debug_messenger.h"
#include "object/device.h"
#include "object/memory_report.h"
#include "platform/descriptor.h"
#include "platform/dma_buf.h"
#include "util/log.h"
#include "util/memory_info.h"
#include "util/pnext.h"

#include "rp_entrypoints.h"

/* Allocations from here on ask the system first whether it has that much left. */
#define LARGE_B (UINT64_C(64) << 20)

/* Charges the heap; false when the heap has less. */
static bool
memory_charge(struct rp_device *dev, struct rp_memory *mem, uint64_t size_B)
{
    if (!rp_memory_charge(size_B, dev->physical_device->heap_size_B))
        return false;
    mem->charged_B = size_B;
    return size_B < LARGE_B || size_B <= rp_memory_available_B();
}

static bool
memory_count(struct rp_device *dev, struct rp_memory *mem)
{
    mem->is_counted = true;
    return atomic_fetch_add(&dev->memory_object_count, 1) < RP_MAX_MEMORY_OBJECTS;
}

/* Takes NULL, and memory in any state that rp_AllocateMemory can leave. */
static void
memory_destroy(struct rp_device *dev, const VkAllocationCallbacks *alloc, struct rp_memory *mem)
{
    if (!mem)
        return;
    rp_capture_destroyed(&mem->base); /* which may be looking at what is in it */
    rp_memory_report_given(dev, mem);
    rp_report_binding(mem, VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT, mem->host, mem->size_B);
    if (mem->kind == RP_MEMORY_DMA_BUF)
        rp_dma_bufs_remove(&dev->dma_bufs, mem);
    rp_memory_unmap(mem);
    rp_memory_uncharge(mem->charged_B);
    if (mem->is_counted)
        atomic_fetch_sub(&dev->memory_object_count, 1);
    rp_object_free(dev, alloc, mem);
}

static VkResult
memory_import_host(struct rp_memory *mem, const VkImportMemoryHostPointerInfoEXT *import,
                   uint64_t size_B)
{
    mem->kind = RP_MEMORY_HOST;
    mem->host = import->pHostPointer;
    mem->size_B = size_B;
    return VK_SUCCESS;
}

static VkResult
memory_import_fd(struct rp_device *dev, struct rp_memory *mem,
                 const VkImportMemoryFdInfoKHR *import, uint64_t size_B)
{
    const VkResult result = rp_memory_map_fd(mem, import->fd, import->handleType, size_B);
    if (result == VK_SUCCESS && mem->kind == RP_MEMORY_DMA_BUF)
        rp_dma_bufs_add(&dev->dma_bufs, mem);
    return result;
}

/* Buffers in it may be asked for their addresses. */
static bool
has_addresses(const VkMemoryAllocateInfo *info)
{
    const VkMemoryAllocateFlagsInfo *flags =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO);
    return flags && flags->flags & VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
}

static VkResult
memory_take(struct rp_device *dev, struct rp_memory *mem, const VkMemoryAllocateInfo *info)
{
    const VkImportMemoryHostPointerInfoEXT *host =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT);
    const VkImportMemoryFdInfoKHR *fd =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR);
    const VkExportMemoryAllocateInfo *exported =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO);
    const VkMemoryOpaqueCaptureAddressAllocateInfo *captured =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_MEMORY_OPAQUE_CAPTURE_ADDRESS_ALLOCATE_INFO);

    if (!memory_count(dev, mem))
        return rp_errorf(dev, VK_ERROR_OUT_OF_DEVICE_MEMORY, "maxMemoryAllocationCount");
    mem->is_imported = (host && host->handleType) || (fd && fd->handleType);
    if (host && host->handleType)
        return memory_import_host(mem, host, info->allocationSize);
    if (fd && fd->handleType)
        return memory_import_fd(dev, mem, fd, info->allocationSize);

    if (!memory_charge(dev, mem, info->allocationSize))
        return rp_error(dev, VK_ERROR_OUT_OF_DEVICE_MEMORY);
    mem->export_types = exported ? exported->handleTypes : 0;
    const bool may_be_placed = rp_feature_set_has(&dev->features, RP_FEATURE_MEMORY_MAP_PLACED);
    if (captured && captured->opaqueCaptureAddress && !mem->export_types)
        return rp_memory_map_at(mem, captured->opaqueCaptureAddress, info->allocationSize,
                                may_be_placed);
    if (mem->export_types & RP_MEMORY_FD_TYPES)
        return rp_memory_map_new_fd(mem, info->allocationSize);
    if (dev->capture && has_addresses(info))
        return rp_memory_map_apart(mem, info->allocationSize, may_be_placed);
    return rp_memory_map_anonymous(mem, info->allocationSize, may_be_placed);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_AllocateMemory(VkDevice device, const VkMemoryAllocateInfo *info,
                  const VkAllocationCallbacks *alloc, VkDeviceMemory *out)
{
    struct rp_device *dev = rp_device_from_handle(device);

    struct rp_memory *mem =
        rp_object_zalloc(dev, alloc, sizeof(*mem), VK_OBJECT_TYPE_DEVICE_MEMORY);
    if (!mem)
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);

    mem->fd = -1;
    const VkResult result = memory_take(dev, mem, info);
    if (result != VK_SUCCESS) {
        rp_memory_report_failed(dev, info->allocationSize);
        memory_destroy(dev, alloc, mem);
        return result;
    }
    rp_memory_report_taken(dev, mem);
    rp_report_binding(mem, VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT, mem->host, mem->size_B);
    rp_capture_created(dev, &mem->base, info);
    *out = rp_memory_to_handle(mem);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
rp_FreeMemory(VkDevice device, VkDeviceMemory handle, const VkAllocationCallbacks *alloc)
{
    memory_destroy(rp_device_from_handle(device), alloc, rp_memory_from_handle(handle));
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_MapMemory2(VkDevice device, const VkMemoryMapInfo *info, void **out)
{
    struct rp_memory *mem = rp_memory_from_handle(info->memory);
    const VkMemoryMapPlacedInfoEXT *placed =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_MEMORY_MAP_PLACED_INFO_EXT);

    if (!mem) /* validation layers make NULL of memory that was freed */
        return rp_error(NULL, VK_ERROR_MEMORY_MAP_FAILED);
    const uint64_t size_B = info->size == VK_WHOLE_SIZE ? mem->size_B - info->offset : info->size;
    /* An application that maps memory writes or reads it as a whole. */
    rp_memory_expect_dense(mem, info->offset, size_B);
    if (!(info->flags & VK_MEMORY_MAP_PLACED_BIT_EXT) || !placed) {
        *out = mem->host + info->offset;
        return VK_SUCCESS;
    }
    const VkResult result = rp_memory_place(mem, info->offset, size_B, placed->pPlacedAddress);
    if (result == VK_SUCCESS)
        *out = placed->pPlacedAddress;
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_UnmapMemory2(VkDevice device, const VkMemoryUnmapInfo *info)
{
    struct rp_memory *mem = rp_memory_from_handle(info->memory);

    return mem ? rp_memory_unplace(mem, info->flags & VK_MEMORY_UNMAP_RESERVE_BIT_EXT) : VK_SUCCESS;
}

/* All memory is coherent. */
VKAPI_ATTR VkResult VKAPI_CALL
rp_FlushMappedMemoryRanges(VkDevice device, uint32_t count, const VkMappedMemoryRange *ranges)
{
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_InvalidateMappedMemoryRanges(VkDevice device, uint32_t count, const VkMappedMemoryRange *ranges)
{
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
rp_GetDeviceMemoryCommitment(VkDevice device, VkDeviceMemory handle, VkDeviceSize *out)
{
    const struct rp_memory *mem = rp_memory_from_handle(handle);

    *out = mem ? mem->size_B : 0;
}

VKAPI_ATTR uint64_t VKAPI_CALL
rp_GetDeviceMemoryOpaqueCaptureAddress(VkDevice device,
                                       const VkDeviceMemoryOpaqueCaptureAddressInfo *info)
{
    const struct rp_memory *mem = rp_memory_from_handle(info->memory);

    return mem ? (uintptr_t)mem->host : 0;
}

VKAPI_ATTR void VKAPI_CALL
rp_SetDeviceMemoryPriorityEXT(VkDevice device, VkDeviceMemory handle, float priority)
{
    /* The kernel knows better which pages are in use. */
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_GetMemoryHostPointerPropertiesEXT(VkDevice device, VkExternalMemoryHandleTypeFlagBits type,
                                     const void *pointer, VkMemoryHostPointerPropertiesEXT *out)
{
    out->memoryTypeBits = type & RP_MEMORY_HOST_TYPES ? 1 : 0;
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_GetMemoryFdKHR(VkDevice device, const VkMemoryGetFdInfoKHR *info, int *out)
{
    const struct rp_memory *mem = rp_memory_from_handle(info->memory);

    if (!mem)
        return rp_error(NULL, VK_ERROR_OUT_OF_HOST_MEMORY); /* there is nothing to export */
    /* An imported dma-buf is one already; memory of our own becomes one. */
    const bool is_new_dma_buf =
        info->handleType == VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT &&
        mem->kind == RP_MEMORY_FD;
    const int fd =
        is_new_dma_buf ? rp_dma_buf_export(mem->fd, mem->size_B) : rp_descriptor_duplicate(mem->fd);
    if (fd < 0)
        return rp_error(mem, VK_ERROR_TOO_MANY_OBJECTS);
    *out = fd;
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_GetMemoryFdPropertiesKHR(VkDevice device, VkExternalMemoryHandleTypeFlagBits type, int fd,
                            VkMemoryFdPropertiesKHR *out)
{
    if (type != VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT || !rp_dma_buf_is(fd))
        return rp_error(NULL, VK_ERROR_INVALID_EXTERNAL_HANDLE);
    out->memoryTypeBits = 1;
    return VK_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
/* Memory of the lower device.
 */
#include "icd/layer/memory.h"

#include "icd/layer/chain.h"
#include "icd/layer/device.h"
#include "icd/layer/entry.h"
#include "icd/layer/image.h"
#include "platform/pages.h"
#include "util/alloc.h"
#include "util/compiler.h"
#include "util/pnext.h"

#include <stddef.h>
#include <string.h>

static struct rp_layer_memory *
memory_get(struct rp_layer_device *dev, VkDeviceMemory handle)
{
    return rp_layer_map_get(&dev->map, VK_OBJECT_TYPE_DEVICE_MEMORY, RP_LAYER_HANDLE(handle));
}

uint32_t
rp_layer_memory_host_types(const struct rp_layer_device *dev, uint32_t bits)
{
    const VkMemoryPropertyFlags shared =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    uint32_t all = 0;
    uint32_t cached = 0;

    for (uint32_t i = 0; i < dev->memory.memoryTypeCount; i++) {
        const VkMemoryPropertyFlags flags = dev->memory.memoryTypes[i].propertyFlags;
        if (!(bits & 1u << i) || (flags & shared) != shared)
            continue;
        all |= 1u << i;
        if (flags & VK_MEMORY_PROPERTY_HOST_CACHED_BIT)
            cached |= 1u << i;
    }
    return cached ? cached : all;
}

VkResult
rp_layer_memory_import(struct rp_layer_device *dev, uint8_t *host, VkDeviceSize size_B,
                       VkDeviceMemory *out, VkDeviceSize *start_B_out)
{
    const uintptr_t inside_B = (uintptr_t)host & (rp_page_B() - 1);
    const VkImportMemoryHostPointerInfoEXT import = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT,
        .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT,
        .pHostPointer = host - inside_B,
    };
    const VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .pNext = &import,
        .allocationSize = (inside_B + size_B + rp_page_B() - 1) & ~(rp_page_B() - 1),
    };

    *start_B_out = inside_B;
    return dev->driver.AllocateMemory(dev->driver_handle, &info, NULL, out);
}

/* Caller holds memory_mutex. */
static VkResult
map_whole(struct rp_layer_device *dev, VkDeviceMemory handle, struct rp_layer_memory *memory)
{
    void *map;

    if (memory->map)
        return VK_SUCCESS;
    const VkResult result = dev->lower.MapMemory(dev->handle, handle, 0, VK_WHOLE_SIZE, 0, &map);
    if (result == VK_SUCCESS)
        memory->map = map;
    return result;
}

VkResult
rp_layer_memory_lend(struct rp_layer_device *dev, VkDeviceMemory handle,
                     const struct rp_layer_memory **out)
{
    struct rp_layer_memory *memory = memory_get(dev, handle);

    if (!memory || !memory->is_host_visible)
        return VK_ERROR_OUT_OF_DEVICE_MEMORY; /* the requirements name other types */
    pthread_mutex_lock(&dev->memory_mutex);
    VkResult result = map_whole(dev, handle, memory);
    if (result == VK_SUCCESS && !memory->driver)
        result = rp_layer_memory_import(dev, memory->map, memory->size_B, &memory->driver,
                                        &memory->driver_start_B);
    pthread_mutex_unlock(&dev->memory_mutex);
    *out = memory;
    return result;
}

void
rp_layer_memory_bind(struct rp_layer_device *dev, VkDeviceMemory handle, VkDeviceSize offset_B,
                     VkDeviceSize size_B, bool is_zeroed)
{
    struct rp_layer_memory *memory = memory_get(dev, handle);

    if (!memory || offset_B > memory->size_B)
        return;
    pthread_mutex_lock(&dev->memory_mutex);
    const VkDeviceSize end_B =
        size_B < memory->size_B - offset_B ? offset_B + size_B : memory->size_B;
    const VkDeviceSize start_B = RP_MAX(offset_B, memory->bound_B);
    if (is_zeroed && !memory->is_written && start_B < end_B)
        memset(memory->map + start_B, 0, end_B - start_B);
    memory->bound_B = RP_MAX(memory->bound_B, end_B);
    pthread_mutex_unlock(&dev->memory_mutex);
}

/* Whether others may give the memory its contents. */
static bool
is_shared(const void *chain)
{
    return rp_find_struct(chain, VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR) ||
           rp_find_struct(chain, VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO) ||
           rp_find_struct(chain, VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT);
}

static VkResult
allocate_lower(struct rp_layer_device *dev, const VkMemoryAllocateInfo *info,
               const VkAllocationCallbacks *alloc, VkDeviceMemory *out)
{
    const VkMemoryDedicatedAllocateInfo *dedicated =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO);
    const struct rp_layer_image *img =
        dedicated && dedicated->image ? rp_layer_image_get(dev, dedicated->image) : NULL;

    if (!img || img->entry.is_lower)
        return dev->lower.AllocateMemory(dev->handle, info, alloc, out);
    /* The image is our driver's and has memory of its own. */
    struct rp_arena arena;
    VkMemoryAllocateInfo below = *info;
    void *chain = NULL;
    rp_arena_init(&arena, NULL);
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (rp_layer_chain_copy(&arena, info->pNext, &chain)) {
        rp_layer_chain_remove(&chain, VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO);
        below.pNext = chain;
        result = dev->lower.AllocateMemory(dev->handle, &below, alloc, out);
    }
    rp_arena_finish(&arena);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_AllocateMemory(VkDevice handle, const VkMemoryAllocateInfo *info,
                        const VkAllocationCallbacks *alloc, VkDeviceMemory *out)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    struct rp_layer_memory *memory =
        rp_zalloc(NULL, sizeof(*memory), _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!memory)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    const VkResult result = allocate_lower(dev, info, alloc, out);
    if (result != VK_SUCCESS) {
        rp_free(NULL, memory);
        return result;
    }
    memory->size_B = info->allocationSize;
    memory->is_host_visible = dev->memory.memoryTypes[info->memoryTypeIndex].propertyFlags &
                              VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
    memory->is_written = is_shared(info->pNext);
    memory->entry.type = VK_OBJECT_TYPE_DEVICE_MEMORY;
    memory->entry.handle = RP_LAYER_HANDLE(*out);
    memory->entry.is_lower = true;
    rp_layer_map_put(&dev->map, &memory->entry);
    return VK_SUCCESS;
}

static void
destroy(struct rp_layer_device *dev, struct rp_layer_entry *entry)
{
    const struct rp_layer_memory *memory = rp_container_of(entry, struct rp_layer_memory, entry);

    dev->driver.FreeMemory(dev->driver_handle, memory->driver, NULL);
    dev->lower.FreeMemory(dev->handle, (VkDeviceMemory)entry->handle, NULL);
    rp_layer_entry_free(entry);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_FreeMemory(VkDevice handle, VkDeviceMemory object, const VkAllocationCallbacks *alloc)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_memory *memory =
        rp_layer_map_take(&dev->map, VK_OBJECT_TYPE_DEVICE_MEMORY, RP_LAYER_HANDLE(object));

    if (memory && memory->driver && !alloc) {
        rp_layer_retire(dev, &memory->entry, destroy);
        return;
    }
    if (memory) {
        dev->driver.FreeMemory(dev->driver_handle, memory->driver, NULL);
        rp_layer_entry_free(&memory->entry);
    }
    dev->lower.FreeMemory(handle, object, alloc);
}

/* There is one map, of the whole memory: pictures and bitstreams may be in use by our driver while
 * the application maps and unmaps. */
static VkResult
map(struct rp_layer_device *dev, VkDeviceMemory handle, struct rp_layer_memory *memory,
    VkDeviceSize offset_B, void **out)
{
    pthread_mutex_lock(&dev->memory_mutex);
    const VkResult result = map_whole(dev, handle, memory);
    if (result == VK_SUCCESS) {
        memory->is_written = true;
        *out = memory->map + offset_B;
    }
    pthread_mutex_unlock(&dev->memory_mutex);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_MapMemory(VkDevice handle, VkDeviceMemory object, VkDeviceSize offset_B,
                   VkDeviceSize size_B, VkMemoryMapFlags flags, void **out)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_memory *memory = memory_get(dev, object);

    return memory ? map(dev, object, memory, offset_B, out)
                  : dev->lower.MapMemory(handle, object, offset_B, size_B, flags, out);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_MapMemory2(VkDevice handle, const VkMemoryMapInfo *info, void **out)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_memory *memory = memory_get(dev, info->memory);

    return memory ? map(dev, info->memory, memory, info->offset, out)
                  : dev->lower.MapMemory2(handle, info, out);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_UnmapMemory(VkDevice handle, VkDeviceMemory object)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    if (!memory_get(dev, object))
        dev->lower.UnmapMemory(handle, object);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_UnmapMemory2(VkDevice handle, const VkMemoryUnmapInfo *info)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    return memory_get(dev, info->memory) ? VK_SUCCESS : dev->lower.UnmapMemory2(handle, info);
}

/* SPDX-License-Identifier: MIT */
/* Buffers with usages of lent queues.
 */
#include "icd/layer/buffer.h"

#include "icd/layer/chain.h"
#include "icd/layer/device.h"
#include "icd/layer/entry.h"
#include "icd/layer/memory.h"
#include "icd/layer/sharing.h"
#include "icd/layer/usage.h"
#include "util/alloc.h"
#include "util/compiler.h"
#include "util/pnext.h"

#include <stddef.h>

static struct rp_layer_buffer *
buffer_get(struct rp_layer_device *dev, VkBuffer handle)
{
    return rp_layer_map_get(&dev->map, VK_OBJECT_TYPE_BUFFER, RP_LAYER_HANDLE(handle));
}

VkBuffer
rp_layer_buffer_driver(struct rp_layer_device *dev, VkBuffer handle)
{
    const struct rp_layer_buffer *buf = buffer_get(dev, handle);
    return buf ? buf->driver : VK_NULL_HANDLE;
}

static struct rp_layer_usage
usage_of(const struct rp_layer_device *dev, const VkBufferCreateInfo *info)
{
    const VkBufferUsageFlags2CreateInfo *flags =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO);
    return rp_layer_buffer_usage(dev->physical_device, flags ? flags->usage : info->usage,
                                 info->flags, info->pNext);
}

static bool
needs_rewriting(const struct rp_layer_device *dev, const VkBufferCreateInfo *info)
{
    return usage_of(dev, info).lent || info->sharingMode == VK_SHARING_MODE_CONCURRENT;
}

/* The lower device's part. sharing holds the families of out. */
static VkResult
rewrite(const struct rp_layer_device *dev, const VkBufferCreateInfo *info, struct rp_arena *arena,
        struct rp_layer_sharing *sharing, VkBufferCreateInfo *out)
{
    const struct rp_layer_usage usage = usage_of(dev, info);
    void *chain = NULL;

    *out = *info;
    *sharing = rp_layer_sharing_lower(dev, info->sharingMode, info->queueFamilyIndexCount,
                                      info->pQueueFamilyIndices, false);
    out->sharingMode = sharing->mode;
    out->queueFamilyIndexCount = sharing->count;
    out->pQueueFamilyIndices = sharing->families;
    if (!usage.lent)
        return VK_SUCCESS;
    if (!rp_layer_chain_copy(arena, info->pNext, &chain) ||
        !rp_layer_profiles_keep_lower(dev->physical_device, arena, &chain))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    if (!rp_layer_buffer_usage_is_video(usage.lower))
        out->flags &= ~(VkBufferCreateFlags)VK_BUFFER_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR;
    /* A buffer must be good for something. */
    out->usage = (VkBufferUsageFlags)usage.lower | VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    VkBufferUsageFlags2CreateInfo *flags =
        rp_layer_chain_find(chain, VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO);
    if (flags)
        flags->usage = usage.lower | VK_BUFFER_USAGE_2_TRANSFER_SRC_BIT;
    out->pNext = chain;
    return VK_SUCCESS;
}

static VkResult
create_lower(struct rp_layer_device *dev, const VkBufferCreateInfo *info,
             const VkAllocationCallbacks *alloc, VkBuffer *out)
{
    struct rp_layer_sharing sharing;
    struct rp_arena arena;
    VkBufferCreateInfo below;

    if (!needs_rewriting(dev, info))
        return dev->lower.CreateBuffer(dev->handle, info, alloc, out);
    rp_arena_init(&arena, NULL);
    VkResult result = rewrite(dev, info, &arena, &sharing, &below);
    if (result == VK_SUCCESS)
        result = dev->lower.CreateBuffer(dev->handle, &below, alloc, out);
    rp_arena_finish(&arena);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_CreateBuffer(VkDevice handle, const VkBufferCreateInfo *info,
                      const VkAllocationCallbacks *alloc, VkBuffer *out)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    const VkFlags64 lent = usage_of(dev, info).lent;

    if (!lent)
        return create_lower(dev, info, alloc, out);
    struct rp_layer_buffer *buf =
        rp_zalloc(NULL, sizeof(*buf), _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!buf)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    const VkResult result = create_lower(dev, info, alloc, out);
    if (result != VK_SUCCESS) {
        rp_free(NULL, buf);
        return result;
    }
    buf->size_B = info->size;
    buf->usage = (VkBufferUsageFlags)lent;
    buf->entry.type = VK_OBJECT_TYPE_BUFFER;
    buf->entry.handle = RP_LAYER_HANDLE(*out);
    buf->entry.is_lower = true;
    rp_layer_map_put(&dev->map, &buf->entry);
    return VK_SUCCESS;
}

static void
destroy(struct rp_layer_device *dev, struct rp_layer_entry *entry)
{
    const struct rp_layer_buffer *buf = rp_container_of(entry, struct rp_layer_buffer, entry);

    dev->driver.DestroyBuffer(dev->driver_handle, buf->driver, NULL);
    rp_layer_entry_free(entry);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_DestroyBuffer(VkDevice handle, VkBuffer object, const VkAllocationCallbacks *alloc)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_buffer *buf =
        rp_layer_map_take(&dev->map, VK_OBJECT_TYPE_BUFFER, RP_LAYER_HANDLE(object));

    if (buf)
        rp_layer_retire(dev, &buf->entry, destroy);
    dev->lower.DestroyBuffer(handle, object, alloc);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_GetBufferMemoryRequirements(VkDevice handle, VkBuffer object, VkMemoryRequirements *out)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    dev->lower.GetBufferMemoryRequirements(handle, object, out);
    if (buffer_get(dev, object))
        out->memoryTypeBits = rp_layer_memory_host_types(dev, out->memoryTypeBits);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_GetBufferMemoryRequirements2(VkDevice handle, const VkBufferMemoryRequirementsInfo2 *info,
                                      VkMemoryRequirements2 *out)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    VkMemoryRequirements *requirements = &out->memoryRequirements;

    dev->lower.GetBufferMemoryRequirements2(handle, info, out);
    if (buffer_get(dev, info->buffer))
        requirements->memoryTypeBits =
            rp_layer_memory_host_types(dev, requirements->memoryTypeBits);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_GetDeviceBufferMemoryRequirements(VkDevice handle,
                                           const VkDeviceBufferMemoryRequirements *info,
                                           VkMemoryRequirements2 *out)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    VkMemoryRequirements *requirements = &out->memoryRequirements;
    struct rp_layer_sharing sharing;
    struct rp_arena arena;
    VkBufferCreateInfo below;
    VkDeviceBufferMemoryRequirements lower = *info;

    if (!needs_rewriting(dev, info->pCreateInfo)) {
        dev->lower.GetDeviceBufferMemoryRequirements(handle, info, out);
        return;
    }
    rp_arena_init(&arena, NULL);
    lower.pCreateInfo = &below;
    if (rewrite(dev, info->pCreateInfo, &arena, &sharing, &below) == VK_SUCCESS)
        dev->lower.GetDeviceBufferMemoryRequirements(handle, &lower, out);
    else
        rp_layer_device_lose(dev, "no memory for a query");
    rp_arena_finish(&arena);
    if (usage_of(dev, info->pCreateInfo).lent)
        requirements->memoryTypeBits =
            rp_layer_memory_host_types(dev, requirements->memoryTypeBits);
}

/* Our driver's buffer over the same bytes. */
static VkResult
bind_driver(struct rp_layer_device *dev, VkBuffer handle, VkDeviceMemory memory_handle,
            VkDeviceSize offset_B)
{
    struct rp_layer_buffer *buf = buffer_get(dev, handle);
    const struct rp_layer_memory *memory;

    if (!buf) {
        rp_layer_memory_bind(dev, memory_handle, 0, VK_WHOLE_SIZE, false);
        return VK_SUCCESS;
    }
    VkResult result = rp_layer_memory_lend(dev, memory_handle, &memory);
    /* GStreamer 1.28 leaves a byte behind each of the headers that it writes in front of a picture,
     * and relies on its being zero. */
    if (result == VK_SUCCESS)
        rp_layer_memory_bind(dev, memory_handle, offset_B, buf->size_B,
                             buf->usage & VK_BUFFER_USAGE_VIDEO_ENCODE_DST_BIT_KHR);
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .flags = VK_BUFFER_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR,
        .size = buf->size_B,
        .usage = buf->usage,
    };
    if (result == VK_SUCCESS)
        result = dev->driver.CreateBuffer(dev->driver_handle, &info, NULL, &buf->driver);
    if (result == VK_SUCCESS) {
        const VkBindBufferMemoryInfo bind = {
            .sType = VK_STRUCTURE_TYPE_BIND_BUFFER_MEMORY_INFO,
            .buffer = buf->driver,
            .memory = memory->driver,
            .memoryOffset = memory->driver_start_B + offset_B,
        };
        result = dev->driver.BindBufferMemory2(dev->driver_handle, 1, &bind);
    }
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_BindBufferMemory(VkDevice handle, VkBuffer object, VkDeviceMemory memory,
                          VkDeviceSize offset_B)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    const VkResult result = dev->lower.BindBufferMemory(handle, object, memory, offset_B);

    return result == VK_SUCCESS ? bind_driver(dev, object, memory, offset_B) : result;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_BindBufferMemory2(VkDevice handle, uint32_t count, const VkBindBufferMemoryInfo *infos)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    VkResult result = dev->lower.BindBufferMemory2(handle, count, infos);

    for (uint32_t i = 0; i < count && result == VK_SUCCESS; i++)
        result = bind_driver(dev, infos[i].buffer, infos[i].memory, infos[i].memoryOffset);
    return result;
}

/* SPDX-License-Identifier: MIT */
/* Events: a lower one, and one of our driver for lent command buffers. The host sets and resets
 * both, and sees either.
 */
#include "icd/layer/barrier.h"
#include "icd/layer/command_buffer.h"
#include "icd/layer/device.h"
#include "icd/layer/entry.h"
#include "util/alloc.h"
#include "util/arena.h"
#include "util/compiler.h"

#include <stddef.h>

struct event {
    struct rp_layer_entry entry;
    VkEvent driver;
};

static VkEvent
driver_event(struct rp_layer_device *dev, VkEvent handle)
{
    const struct event *event =
        rp_layer_map_get(&dev->map, VK_OBJECT_TYPE_EVENT, RP_LAYER_HANDLE(handle));
    return event ? event->driver : VK_NULL_HANDLE;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_CreateEvent(VkDevice handle, const VkEventCreateInfo *info,
                     const VkAllocationCallbacks *alloc, VkEvent *out)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    const VkEventCreateInfo above = {
        .sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO,
        .flags = info->flags,
    };

    struct event *event =
        rp_zalloc(NULL, sizeof(*event), _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!event)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    VkResult result = dev->driver.CreateEvent(dev->driver_handle, &above, NULL, &event->driver);
    if (result == VK_SUCCESS)
        result = dev->lower.CreateEvent(handle, info, alloc, out);
    if (result != VK_SUCCESS) {
        dev->driver.DestroyEvent(dev->driver_handle, event->driver, NULL);
        rp_free(NULL, event);
        return result;
    }
    event->entry.type = VK_OBJECT_TYPE_EVENT;
    event->entry.handle = RP_LAYER_HANDLE(*out);
    event->entry.is_lower = true;
    rp_layer_map_put(&dev->map, &event->entry);
    return VK_SUCCESS;
}

static void
destroy(struct rp_layer_device *dev, struct rp_layer_entry *entry)
{
    const struct event *event = rp_container_of(entry, struct event, entry);

    dev->driver.DestroyEvent(dev->driver_handle, event->driver, NULL);
    rp_layer_entry_free(entry);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_DestroyEvent(VkDevice handle, VkEvent object, const VkAllocationCallbacks *alloc)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct event *event =
        rp_layer_map_take(&dev->map, VK_OBJECT_TYPE_EVENT, RP_LAYER_HANDLE(object));

    if (event) {
        /* What still waits for it would do so for ever. */
        (void)dev->driver.SetEvent(dev->driver_handle, event->driver);
        rp_layer_retire(dev, &event->entry, destroy);
    }
    dev->lower.DestroyEvent(handle, object, alloc);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_GetEventStatus(VkDevice handle, VkEvent object)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    const VkEvent driver = driver_event(dev, object);

    if (driver && dev->driver.GetEventStatus(dev->driver_handle, driver) == VK_EVENT_SET)
        return VK_EVENT_SET;
    return dev->lower.GetEventStatus(handle, object);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_SetEvent(VkDevice handle, VkEvent object)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    const VkEvent driver = driver_event(dev, object);
    const VkResult result = driver ? dev->driver.SetEvent(dev->driver_handle, driver) : VK_SUCCESS;

    return result == VK_SUCCESS ? dev->lower.SetEvent(handle, object) : result;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_ResetEvent(VkDevice handle, VkEvent object)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    const VkEvent driver = driver_event(dev, object);
    const VkResult result =
        driver ? dev->driver.ResetEvent(dev->driver_handle, driver) : VK_SUCCESS;

    return result == VK_SUCCESS ? dev->lower.ResetEvent(handle, object) : result;
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_CmdSetEvent2(VkCommandBuffer handle, VkEvent object, const VkDependencyInfo *info)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_command_buffer *cb = rp_layer_command_buffer_get(dev, handle);
    struct rp_arena arena;
    VkDependencyInfo changed;

    rp_arena_init(&arena, NULL);
    if (cb) {
        /* The barriers act where the event is waited for. */
        const VkDependencyInfo memory = {
            .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
            .memoryBarrierCount = info->memoryBarrierCount,
            .pMemoryBarriers = info->pMemoryBarriers,
        };
        dev->driver.CmdSetEvent2(handle, driver_event(dev, object), &memory);
    } else if (rp_layer_lower_dependency(dev, handle, &arena, info, &changed)) {
        dev->lower.CmdSetEvent2(handle, object, &changed);
    } else {
        rp_layer_device_lose(dev, "no memory for an event");
    }
    rp_arena_finish(&arena);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_CmdSetEvent(VkCommandBuffer handle, VkEvent object, VkPipelineStageFlags stages)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    if (rp_layer_command_buffer_get(dev, handle))
        dev->driver.CmdSetEvent(handle, driver_event(dev, object), stages);
    else
        dev->lower.CmdSetEvent(handle, object, stages);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_CmdResetEvent(VkCommandBuffer handle, VkEvent object, VkPipelineStageFlags stages)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    if (rp_layer_command_buffer_get(dev, handle))
        dev->driver.CmdResetEvent(handle, driver_event(dev, object), stages);
    else
        dev->lower.CmdResetEvent(handle, object, stages);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_CmdResetEvent2(VkCommandBuffer handle, VkEvent object, VkPipelineStageFlags2 stages)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    if (rp_layer_command_buffer_get(dev, handle))
        dev->driver.CmdResetEvent2(handle, driver_event(dev, object), stages);
    else
        dev->lower.CmdResetEvent2(handle, object, stages & ~rp_layer_stages(dev));
}

/* Waits for each event of our driver, then its barriers. */
static void
wait_lent(struct rp_layer_command_buffer *cb, VkCommandBuffer handle, struct rp_arena *arena,
          uint32_t count, const VkEvent *events, const VkDependencyInfo *infos)
{
    struct rp_layer_device *dev = cb->dev;

    for (uint32_t i = 0; i < count; i++) {
        const VkEvent driver = driver_event(dev, events[i]);
        VkDependencyInfo changed;
        rp_layer_lent_dependency(cb, arena, &infos[i], &changed);
        dev->driver.CmdWaitEvents2(handle, 1, &driver, &changed);
    }
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_CmdWaitEvents2(VkCommandBuffer handle, uint32_t count, const VkEvent *events,
                        const VkDependencyInfo *infos)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_command_buffer *cb = rp_layer_command_buffer_get(dev, handle);
    struct rp_arena arena;

    rp_arena_init(&arena, NULL);
    if (cb) {
        wait_lent(cb, handle, &arena, count, events, infos);
    } else {
        VkDependencyInfo *changed = rp_arena_alloc(&arena, count * sizeof(*changed));
        bool is_done = changed != NULL;
        for (uint32_t i = 0; i < count && is_done; i++)
            is_done = rp_layer_lower_dependency(dev, handle, &arena, &infos[i], &changed[i]);
        if (is_done)
            dev->lower.CmdWaitEvents2(handle, count, events, changed);
        else
            rp_layer_device_lose(dev, "no memory for an event");
    }
    rp_arena_finish(&arena);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_CmdWaitEvents(VkCommandBuffer handle, uint32_t count, const VkEvent *events,
                       VkPipelineStageFlags src, VkPipelineStageFlags dst, uint32_t memory_count,
                       const VkMemoryBarrier *memory, uint32_t buffer_count,
                       const VkBufferMemoryBarrier *buffers, uint32_t image_count,
                       const VkImageMemoryBarrier *images)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    if (!rp_layer_command_buffer_get(dev, handle)) {
        /* The older form waits for the events alone; the barriers follow. */
        const VkMemoryBarrier all = {
            .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
            .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
            .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
        };
        dev->lower.CmdWaitEvents(handle, count, events, src, dst, 1, &all, 0, NULL, 0, NULL);
    } else {
        for (uint32_t i = 0; i < count; i++) {
            const VkEvent driver = driver_event(dev, events[i]);
            dev->driver.CmdWaitEvents(handle, 1, &driver, src, dst, 0, NULL, 0, NULL, 0, NULL);
        }
    }
    if (memory_count + buffer_count + image_count > 0)
        rp_layer_CmdPipelineBarrier(handle,
                                    src & ~(VkPipelineStageFlags)VK_PIPELINE_STAGE_HOST_BIT
                                        ? src
                                        : (VkPipelineStageFlags)VK_PIPELINE_STAGE_HOST_BIT,
                                    dst, 0, memory_count, memory, buffer_count, buffers,
                                    image_count, images);
}

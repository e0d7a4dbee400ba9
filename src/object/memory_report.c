/* SPDX-License-Identifier: MIT */
/* VK_EXT_device_memory_report.
 */
#include "object/memory_report.h"

#include "object/device.h"
#include "object/memory.h"
#include "platform/descriptor.h"
#include "util/alloc.h"
#include "util/log.h"

/* Numbers of our own have the highest bit, those of files do not. */
#define OWN_ID (UINT64_C(1) << 63)

VkResult
rp_memory_reporters_init(struct rp_memory_reporters *reporters, const void *chain,
                         const VkAllocationCallbacks *alloc)
{
    const VkStructureType wanted = VK_STRUCTURE_TYPE_DEVICE_DEVICE_MEMORY_REPORT_CREATE_INFO_EXT;
    uint32_t count = 0;
    for (const VkBaseInStructure *s = chain; s; s = s->pNext)
        count += s->sType == wanted;
    if (count == 0)
        return VK_SUCCESS;

    reporters->all =
        rp_zalloc_array(alloc, count, sizeof(*reporters->all), VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
    if (!reporters->all)
        return rp_error(NULL, VK_ERROR_OUT_OF_HOST_MEMORY);
    for (const VkBaseInStructure *s = chain; s; s = s->pNext) {
        const VkDeviceDeviceMemoryReportCreateInfoEXT *info = (const void *)s;
        if (s->sType == wanted)
            reporters->all[reporters->count++] = (struct rp_memory_reporter){
                .callback = info->pfnUserCallback,
                .user_data = info->pUserData,
            };
    }
    return VK_SUCCESS;
}

void
rp_memory_reporters_finish(struct rp_memory_reporters *reporters,
                           const VkAllocationCallbacks *alloc)
{
    rp_free(alloc, reporters->all);
}

static void
report(const struct rp_device *dev, VkDeviceMemoryReportEventTypeEXT type,
       const struct rp_memory *mem, uint64_t size_B)
{
    const VkDeviceMemoryReportCallbackDataEXT data = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_REPORT_CALLBACK_DATA_EXT,
        .type = type,
        .memoryObjectId = mem ? mem->report_id : 0,
        .size = size_B,
        .objectType = VK_OBJECT_TYPE_DEVICE_MEMORY,
        .objectHandle = (uintptr_t)mem,
    };
    for (uint32_t i = 0; i < dev->memory_reporters.count; i++)
        dev->memory_reporters.all[i].callback(&data, dev->memory_reporters.all[i].user_data);
}

/* The number of the memory's pages, the same however often they are imported. */
static uint64_t
memory_id(struct rp_device *dev, const struct rp_memory *mem)
{
    uint64_t id;
    if (mem->fd >= 0 && rp_descriptor_identify(mem->fd, &id))
        return id & ~OWN_ID;
    return (atomic_fetch_add(&dev->next_memory_id, 1) + 1) | OWN_ID;
}

void
rp_memory_report_taken(struct rp_device *dev, struct rp_memory *mem)
{
    if (RP_LIKELY(dev->memory_reporters.count == 0))
        return;
    mem->report_id = memory_id(dev, mem);
    report(dev,
           mem->is_imported ? VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_IMPORT_EXT
                            : VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_ALLOCATE_EXT,
           mem, mem->size_B);
}

void
rp_memory_report_given(struct rp_device *dev, const struct rp_memory *mem)
{
    if (mem->report_id == 0)
        return; /* nobody listens, or it was never had */
    report(dev,
           mem->is_imported ? VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_UNIMPORT_EXT
                            : VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_FREE_EXT,
           mem, mem->size_B);
}

void
rp_memory_report_failed(struct rp_device *dev, uint64_t size_B)
{
    report(dev, VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_ALLOCATION_FAILED_EXT, NULL, size_B);
}

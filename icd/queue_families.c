/* SPDX-License-Identifier: MIT */
/* Queue families. The pure transfer family stands before the video ones: the CTS takes the first
 * family with transfer and without compute for "the transfer queue".
 */
#include "icd/queue_families.h"

#include "object/device.h"
#include "object/instance.h"
#include "util/compiler.h"
#include "util/pnext.h"

#include "rp_entrypoints.h"

/* Clients shift by 64 minus the video families' timestamp bits: 64 would be undefined there. */
static const struct rp_queue_family families[] = {
    [RP_FAMILY_COMPUTE] = {VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT, 4, 64},
    [RP_FAMILY_TRANSFER] = {VK_QUEUE_TRANSFER_BIT, 2, 64},
    [RP_FAMILY_ENCODE] = {VK_QUEUE_VIDEO_ENCODE_BIT_KHR | VK_QUEUE_TRANSFER_BIT, 4, 63},
    [RP_FAMILY_DECODE] = {VK_QUEUE_VIDEO_DECODE_BIT_KHR | VK_QUEUE_TRANSFER_BIT, 4, 63},
};

static bool
family_exists(const struct rp_physical_device *pdev, enum rp_queue_family_kind kind)
{
    switch (kind) {
    case RP_FAMILY_COMPUTE:
    case RP_FAMILY_TRANSFER:
        return true;
    case RP_FAMILY_ENCODE:
        return pdev->video.encode_operations;
    case RP_FAMILY_DECODE:
        return pdev->video.decode_operations;
    }
    return false;
}

const struct rp_queue_family *
rp_queue_family_get(const struct rp_physical_device *pdev, uint32_t index)
{
    for (uint32_t kind = 0; kind < RP_ARRAY_SIZE(families); kind++) {
        if (family_exists(pdev, (enum rp_queue_family_kind)kind) && index-- == 0)
            return &families[kind];
    }
    return NULL;
}

/* A bit for each. */
static uint32_t
all_families(const struct rp_physical_device *pdev)
{
    uint32_t count = 0;
    while (rp_queue_family_get(pdev, count))
        count++;
    return (1u << count) - 1;
}

static VkVideoCodecOperationFlagsKHR
video_operations(const struct rp_physical_device *pdev, const struct rp_queue_family *family)
{
    return (family->flags & VK_QUEUE_VIDEO_ENCODE_BIT_KHR ? pdev->video.encode_operations : 0) |
           (family->flags & VK_QUEUE_VIDEO_DECODE_BIT_KHR ? pdev->video.decode_operations : 0);
}

static void
fill_chain(const struct rp_physical_device *pdev, const struct rp_queue_family *family,
           VkBaseOutStructure *s)
{
    for (; s; s = s->pNext) {
        switch ((int)s->sType) {
        case VK_STRUCTURE_TYPE_QUEUE_FAMILY_VIDEO_PROPERTIES_KHR:
            ((VkQueueFamilyVideoPropertiesKHR *)s)->videoCodecOperations =
                video_operations(pdev, family);
            break;
        case VK_STRUCTURE_TYPE_QUEUE_FAMILY_QUERY_RESULT_STATUS_PROPERTIES_KHR:
            ((VkQueueFamilyQueryResultStatusPropertiesKHR *)s)->queryResultStatusSupport =
                video_operations(pdev, family) != 0;
            break;
        case VK_STRUCTURE_TYPE_QUEUE_FAMILY_GLOBAL_PRIORITY_PROPERTIES: {
            VkQueueFamilyGlobalPriorityProperties *p = (VkQueueFamilyGlobalPriorityProperties *)s;
            p->priorityCount = 2;
            for (uint32_t i = 0; i < VK_MAX_GLOBAL_PRIORITY_SIZE; i++)
                p->priorities[i] = (VkQueueGlobalPriority)0;
            p->priorities[0] = VK_QUEUE_GLOBAL_PRIORITY_LOW; /* as good as medium */
            p->priorities[1] = VK_QUEUE_GLOBAL_PRIORITY_MEDIUM;
            break;
        }
        case VK_STRUCTURE_TYPE_QUEUE_FAMILY_CHECKPOINT_PROPERTIES_NV:
            ((VkQueueFamilyCheckpointPropertiesNV *)s)->checkpointExecutionStageMask = 0;
            break;
        case VK_STRUCTURE_TYPE_QUEUE_FAMILY_CHECKPOINT_PROPERTIES_2_NV:
            ((VkQueueFamilyCheckpointProperties2NV *)s)->checkpointExecutionStageMask = 0;
            break;
        case VK_STRUCTURE_TYPE_QUEUE_FAMILY_OPTIMAL_IMAGE_TRANSFER_GRANULARITY_PROPERTIES_KHR:
            ((VkQueueFamilyOptimalImageTransferGranularityPropertiesKHR *)s)
                ->optimalImageTransferGranularity = (VkExtent3D){1, 1, 1};
            break;
        case VK_STRUCTURE_TYPE_QUEUE_FAMILY_OWNERSHIP_TRANSFER_PROPERTIES_KHR:
            /* Ownership transfers do nothing: images may be left to any family. */
            ((VkQueueFamilyOwnershipTransferPropertiesKHR *)s)
                ->optimalImageTransferToQueueFamilies = all_families(pdev);
            break;
        }
    }
}

VKAPI_ATTR void VKAPI_CALL
rp_GetPhysicalDeviceQueueFamilyProperties2(VkPhysicalDevice physicalDevice, uint32_t *count,
                                           VkQueueFamilyProperties2 *out)
{
    const struct rp_physical_device *pdev = rp_physical_device_from_handle(physicalDevice);
    const struct rp_queue_family *family;

    uint32_t n = 0;
    for (; (family = rp_queue_family_get(pdev, n)) && (!out || n < *count); n++) {
        if (!out)
            continue;
        out[n].queueFamilyProperties = (VkQueueFamilyProperties){
            .queueFlags = family->flags,
            .queueCount = family->queue_count,
            .timestampValidBits = family->timestamp_bits,
            .minImageTransferGranularity = {1, 1, 1},
        };
        fill_chain(pdev, family, out[n].pNext);
    }
    *count = n;
}

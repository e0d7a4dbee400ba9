/* SPDX-License-Identifier: MIT */
/* Creating devices: what is asked for is checked against what is reported.
 */
#include "object/device.h"

#include "icd/capture.h"
#include "icd/extensions.h"
#include "icd/features.h"
#include "icd/queue_families.h"
#include "object/capture.h"
#include "object/profile.h"
#include "profile/profile.h"
#include "queue/queue.h"
#include "quirks/device.h"
#include "util/alloc.h"
#include "util/log.h"
#include "util/pnext.h"

#include "rp_entrypoints.h"

#include <vulkan/vk_icd.h>

/* Takes a device in any state that rp_CreateDevice can leave. */
static void
device_destroy(struct rp_device *dev, const VkAllocationCallbacks *alloc)
{
    for (uint32_t i = 0; dev->queues && i < dev->queue_count; i++)
        rp_queue_end(&dev->queues[i]);
    rp_device_finish_shared(dev);
    if (dev->capture)
        dev->capture->ops->finish(dev->capture);
    if (dev->profile)
        dev->profile->ops->finish(dev->profile);
    if (dev->quirks)
        dev->quirks->ops->destroy(dev->quirks);
    for (uint32_t i = 0; dev->queues && i < dev->queue_count; i++)
        rp_queue_finish(&dev->queues[i]);
    rp_memory_reporters_finish(&dev->memory_reporters, alloc);
    rp_free(alloc, dev->queues);
    rp_object_finish(&dev->base);
    rp_free(alloc, dev);
}

/* Queues of one family: they exist, and their priority may be had. */
static VkResult
check_queues(const struct rp_device *dev, const VkDeviceQueueCreateInfo *info)
{
    const struct rp_physical_device *pdev = dev->physical_device;
    const struct rp_queue_family *family = rp_queue_family_get(pdev, info->queueFamilyIndex);
    if (!family || info->queueCount > family->queue_count)
        return rp_error(pdev, VK_ERROR_INITIALIZATION_FAILED);

    const VkDeviceQueueGlobalPriorityCreateInfo *priority =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_DEVICE_QUEUE_GLOBAL_PRIORITY_CREATE_INFO);
    if (priority && priority->globalPriority > VK_QUEUE_GLOBAL_PRIORITY_MEDIUM)
        return rp_error(pdev, rp_feature_set_has(&dev->features, RP_FEATURE_GLOBAL_PRIORITY_QUERY)
                                  ? VK_ERROR_INITIALIZATION_FAILED
                                  : VK_ERROR_NOT_PERMITTED);
    return VK_SUCCESS;
}

static VkResult
init_queues(struct rp_device *dev, const VkDeviceCreateInfo *info,
            const VkAllocationCallbacks *alloc)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < info->queueCreateInfoCount; i++) {
        const VkResult result = check_queues(dev, &info->pQueueCreateInfos[i]);
        if (result != VK_SUCCESS)
            return result;
        total += info->pQueueCreateInfos[i].queueCount;
    }
    dev->queues =
        rp_zalloc_array(alloc, total, sizeof(*dev->queues), VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
    if (total && !dev->queues)
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);

    for (uint32_t i = 0; i < info->queueCreateInfoCount; i++) {
        const VkDeviceQueueCreateInfo *family = &info->pQueueCreateInfos[i];
        for (uint32_t q = 0; q < family->queueCount; q++) {
            const VkResult result = rp_queue_init(&dev->queues[dev->queue_count], dev,
                                                  family->queueFamilyIndex, q, family->flags);
            if (result != VK_SUCCESS)
                return result;
            dev->queue_count++;
        }
    }
    return VK_SUCCESS;
}

static VkResult
device_init(struct rp_device *dev, const VkDeviceCreateInfo *info,
            const VkAllocationCallbacks *alloc)
{
    const struct rp_physical_device *pdev = dev->physical_device;

    VkResult result = rp_extensions_enable(&pdev->extensions, info->enabledExtensionCount,
                                           info->ppEnabledExtensionNames, &dev->extensions);
    if (result == VK_SUCCESS)
        result = rp_features_enable(&pdev->features, info, &dev->features);
    if (result != VK_SUCCESS)
        return rp_error(pdev, result);
    dev->has_robust_buffer_access2 =
        rp_feature_set_has(&dev->features, RP_FEATURE_ROBUST_BUFFER_ACCESS2);
    dev->has_robust_image_access =
        rp_feature_set_has(&dev->features, RP_FEATURE_ROBUST_IMAGE_ACCESS) ||
        rp_feature_set_has(&dev->features, RP_FEATURE_ROBUST_IMAGE_ACCESS2);

    result = rp_memory_reporters_init(&dev->memory_reporters, info->pNext, alloc);
    if (result == VK_SUCCESS)
        result = rp_device_init_shared(dev);
    if (result == VK_SUCCESS && !rp_quirks_create(pdev->instance->quirks, &dev->quirks))
        result = rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);
    if (result != VK_SUCCESS)
        return result;
    result = init_queues(dev, info, alloc);
    if (result != VK_SUCCESS)
        return result;
    rp_device_capture_begin(dev);
    rp_profile_create(dev, &dev->profile);
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_CreateDevice(VkPhysicalDevice physicalDevice, const VkDeviceCreateInfo *info,
                const VkAllocationCallbacks *alloc, VkDevice *out)
{
    struct rp_physical_device *pdev = rp_physical_device_from_handle(physicalDevice);
    if (!alloc)
        alloc = rp_instance_callbacks(pdev->instance);

    struct rp_device *dev =
        rp_zalloc(alloc, sizeof(*dev), _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
    if (!dev)
        return rp_error(pdev, VK_ERROR_OUT_OF_HOST_MEMORY);

    rp_object_init(&dev->base, dev, VK_OBJECT_TYPE_DEVICE);
    set_loader_magic_value(&dev->base);
    dev->physical_device = pdev;
    if (alloc) {
        dev->callbacks = *alloc;
        dev->has_callbacks = true;
    }
    const VkResult result = device_init(dev, info, alloc);
    if (result != VK_SUCCESS) {
        device_destroy(dev, alloc);
        return result;
    }
    *out = rp_device_to_handle(dev);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
rp_DestroyDevice(VkDevice device, const VkAllocationCallbacks *alloc)
{
    struct rp_device *dev = rp_device_from_handle(device);
    if (!dev)
        return;

    const VkAllocationCallbacks callbacks = dev->callbacks; /* freed with dev */
    device_destroy(dev, alloc ? alloc : dev->has_callbacks ? &callbacks : NULL);
}

/* SPDX-License-Identifier: MIT */
/* Creating devices: the lower one, and ours beside it where a lent queue is asked for.
 */
#include "icd/layer/calls.h"
#include "icd/layer/certain.h"
#include "icd/layer/device.h"
#include "icd/layer/device_info.h"
#include "icd/layer/entry.h"
#include "icd/layer/instance.h"
#include "icd/layer/lent_queue.h"
#include "icd/layer/loss.h"
#include "icd/layer/lower_queue.h"
#include "icd/layer/submit.h"
#include "platform/condition.h"
#include "util/alloc.h"
#include "util/log.h"

#include <vulkan/vk_layer.h>

#include <stddef.h>

/* Our driver's device with all the features of video that are lent, whatever the application asked
 * for: they cost nothing. */
static VkResult
driver_create(struct rp_layer_device *dev, const char *const *names, uint32_t name_count)
{
    static const float priorities[RP_LAYER_LENT_QUEUES] = {1.0f, 1.0f, 1.0f, 1.0f};
    const struct rp_layer_instance *instance = dev->instance;
    VkDeviceQueueCreateInfo queues[RP_LAYER_LENT_FAMILIES];
    struct rp_layer_video_feature_struct video[RP_LAYER_VIDEO_FEATURES];
    VkPhysicalDeviceVulkan13Features v13 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
        .pNext = &video[0],
    };
    VkPhysicalDeviceVulkan12Features v12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .pNext = &v13,
    };
    VkPhysicalDeviceFeatures2 features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
        .pNext = &v12,
    };
    uint32_t family_count = 0;

    rp_layer_video_features_chain(video, NULL);
    instance->driver.GetPhysicalDeviceFeatures2(instance->driver_device, &features);
    for (uint32_t kind = 0; kind < RP_LAYER_LENT_FAMILIES; kind++) {
        if (dev->physical_device->operations[kind])
            queues[family_count++] = (VkDeviceQueueCreateInfo){
                .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                .queueFamilyIndex = instance->driver_family[kind],
                .queueCount = RP_LAYER_LENT_QUEUES,
                .pQueuePriorities = priorities,
            };
    }
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &features,
        .queueCreateInfoCount = family_count,
        .pQueueCreateInfos = queues,
        .enabledExtensionCount = name_count,
        .ppEnabledExtensionNames = names,
    };
    return instance->driver.CreateDevice(instance->driver_device, &info, NULL, &dev->driver_handle);
}

/* With every extension that our driver has. */
static VkResult
driver_open(struct rp_layer_device *dev)
{
    const struct rp_layer_instance *instance = dev->instance;
    uint32_t count = 0;

    VkResult result = instance->driver.EnumerateDeviceExtensionProperties(instance->driver_device,
                                                                          NULL, &count, NULL);
    if (result != VK_SUCCESS)
        return result;
    VkExtensionProperties *list =
        rp_zalloc_array(NULL, count, sizeof(*list), VK_SYSTEM_ALLOCATION_SCOPE_COMMAND);
    const char **names =
        rp_zalloc_array(NULL, count, sizeof(*names), VK_SYSTEM_ALLOCATION_SCOPE_COMMAND);
    result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (list && names) {
        instance->driver.EnumerateDeviceExtensionProperties(instance->driver_device, NULL, &count,
                                                            list);
        for (uint32_t i = 0; i < count; i++)
            names[i] = list[i].extensionName;
        result = driver_create(dev, names, count);
    }
    rp_free(NULL, names);
    rp_free(NULL, list);
    if (result == VK_SUCCESS)
        rp_layer_device_calls_load(&dev->driver, dev->driver_handle,
                                   instance->driver.GetDeviceProcAddr);
    return result;
}

static VkResult
queues_create(struct rp_layer_device *dev, const VkDeviceCreateInfo *info)
{
    enum rp_layer_lent_kind kind;

    dev->lower.GetDeviceQueue(dev->handle, dev->copy_family, dev->copy_index, &dev->copy_queue);
    VkResult result = dev->set_loader_data(dev->handle, dev->copy_queue);
    if (result == VK_SUCCESS)
        result = rp_layer_loss_start(dev);
    if (result == VK_SUCCESS)
        result = rp_layer_alias_queues_create(dev);
    for (uint32_t i = 0; i < info->queueCreateInfoCount; i++) {
        const VkDeviceQueueCreateInfo *asked = &info->pQueueCreateInfos[i];
        if (!rp_layer_device_family_is_lent(dev, asked->queueFamilyIndex, &kind))
            continue;
        for (uint32_t k = 0; k < asked->queueCount && k < RP_LAYER_LENT_QUEUES; k++) {
            if (result == VK_SUCCESS && !dev->queues[kind][k])
                result = rp_layer_lent_queue_create(dev, kind, k, &dev->queues[kind][k]);
        }
    }
    return result;
}

static void
sync_init(struct rp_layer_device *dev)
{
    rp_condition_init(&dev->sync_cond);
    rp_condition_init(&dev->loss_cond);
    pthread_mutex_init(&dev->sync_mutex, NULL);
    pthread_mutex_init(&dev->copy_mutex, NULL);
    pthread_mutex_init(&dev->image_mutex, NULL);
    pthread_mutex_init(&dev->memory_mutex, NULL);
    rp_layer_retirement_init(&dev->retirement);
}

/* What was made for lent queues, in any state; the lower device lives still. */
static void
lent_finish(struct rp_layer_device *dev)
{
    atomic_store(&dev->is_ending, true);
    for (uint32_t kind = 0; kind < RP_LAYER_LENT_FAMILIES; kind++) {
        for (uint32_t i = 0; i < RP_LAYER_LENT_QUEUES; i++)
            rp_layer_lent_queue_destroy(dev->queues[kind][i]);
    }
    rp_layer_held_queues_stop(dev);
    rp_layer_loss_stop(dev);
    rp_layer_certain_finish(dev);
    rp_layer_lower_queues_finish(dev);
    rp_layer_alias_queues_destroy(dev);
    if (dev->driver_handle)
        dev->driver.DestroyDevice(dev->driver_handle, NULL);
    rp_layer_retirement_finish(&dev->retirement);
    pthread_mutex_destroy(&dev->memory_mutex);
    pthread_mutex_destroy(&dev->image_mutex);
    pthread_mutex_destroy(&dev->copy_mutex);
    pthread_mutex_destroy(&dev->sync_mutex);
    pthread_cond_destroy(&dev->loss_cond);
    pthread_cond_destroy(&dev->sync_cond);
}

struct loader_info {
    VkLayerDeviceCreateInfo *link;
    PFN_vkSetDeviceLoaderData set_loader_data;
};

static struct loader_info
find_loader_info(const VkDeviceCreateInfo *info)
{
    struct loader_info out = {NULL, NULL};
    VkBaseOutStructure *s = (VkBaseOutStructure *)(uintptr_t)info->pNext;

    for (; s; s = s->pNext) {
        /* The loader's own structures, which a layer has to advance. */
        VkLayerDeviceCreateInfo *own = (VkLayerDeviceCreateInfo *)s;
        if (s->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO)
            continue;
        if (own->function == VK_LAYER_LINK_INFO)
            out.link = own;
        else if (own->function == VK_LOADER_DATA_CALLBACK)
            out.set_loader_data = own->u.pfnSetDeviceLoaderData;
    }
    return out;
}

/* The lower device, by what the application asks for without what is lent. */
static VkResult
create_lower(struct rp_layer_device *dev, PFN_vkCreateDevice create, const VkDeviceCreateInfo *info,
             const VkAllocationCallbacks *alloc, VkDevice *out)
{
    const VkPhysicalDevice handle = dev->physical_device->handle;
    struct rp_arena arena;
    VkDeviceCreateInfo below;

    if (!rp_layer_is_served(dev->physical_device))
        return create(handle, info, alloc, out);
    rp_arena_init(&arena, NULL);
    VkResult result = rp_layer_device_info_lower(dev, info, &arena, &below);
    if (result == VK_SUCCESS)
        result = create(handle, &below, alloc, out);
    rp_arena_finish(&arena);
    return result;
}

static VkResult
lent_init(struct rp_layer_device *dev, const VkDeviceCreateInfo *info)
{
    sync_init(dev);
    dev->instance->lower.GetPhysicalDeviceMemoryProperties(dev->physical_device->handle,
                                                           &dev->memory);
    VkResult result = driver_open(dev);
    if (result == VK_SUCCESS)
        result = queues_create(dev, info);
    if (result != VK_SUCCESS)
        lent_finish(dev);
    rp_log(RP_LOG_INFO, "the layer copies by family %u, %s queue", dev->copy_family,
           dev->copy_is_shared ? "the application's" : "its own");
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_CreateDevice(VkPhysicalDevice handle, const VkDeviceCreateInfo *info,
                      const VkAllocationCallbacks *alloc, VkDevice *out)
{
    struct rp_layer_instance *instance = rp_layer_instance_find(handle);
    const struct rp_layer_physical_device *pdev = rp_layer_physical_device_get(handle);
    const struct loader_info loader = find_loader_info(info);

    if (!loader.link)
        return VK_ERROR_INITIALIZATION_FAILED;
    const PFN_vkGetDeviceProcAddr get = loader.link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    const PFN_vkCreateDevice create =
        (PFN_vkCreateDevice)loader.link->u.pLayerInfo->pfnNextGetInstanceProcAddr(instance->handle,
                                                                                  "vkCreateDevice");
    loader.link->u.pLayerInfo = loader.link->u.pLayerInfo->pNext;
    struct rp_layer_device *dev =
        rp_zalloc(NULL, sizeof(*dev), _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
    if (!dev || !pdev) {
        rp_free(NULL, dev);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    dev->physical_device = pdev;
    dev->instance = instance;
    dev->set_loader_data = loader.set_loader_data;
    dev->has_lent = rp_layer_device_info_is_lent(pdev, info);
    /* The loader has put something of its own in *out, which its end of the chain reads. */
    VkResult result = create_lower(dev, create, info, alloc, out);
    if (result == VK_SUCCESS) {
        dev->handle = *out;
        dev->key = rp_layer_key(dev->handle);
        dev->get = get;
        dev->destroy = (PFN_vkDestroyDevice)get(dev->handle, "vkDestroyDevice");
        /* Commands of devices that the loader asks an instance for come here with any device. */
        rp_layer_map_init(&dev->map);
        rp_layer_device_calls_load(&dev->lower, dev->handle, get);
        if (dev->has_lent)
            result = lent_init(dev, info);
        if (result != VK_SUCCESS) {
            rp_layer_map_finish(&dev->map, rp_layer_entry_free);
            dev->destroy(dev->handle, alloc);
        }
    }
    if (result != VK_SUCCESS) {
        rp_free(NULL, dev);
        return result;
    }
    rp_layer_device_add(dev);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_DestroyDevice(VkDevice handle, const VkAllocationCallbacks *alloc)
{
    if (!handle)
        return;
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    if (dev->has_lent)
        lent_finish(dev);
    rp_layer_map_finish(&dev->map, rp_layer_entry_free);
    rp_layer_device_remove(dev);
    dev->destroy(handle, alloc);
    rp_free(NULL, dev);
}

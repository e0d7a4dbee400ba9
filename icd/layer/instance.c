/* SPDX-License-Identifier: MIT */
/* Instances: the list, and our driver beside each.
 */
#include "icd/layer/instance.h"

#include "icd/layer/calls.h"
#include "util/alloc.h"
#include "util/log.h"

#include <vulkan/vk_icd.h>
#include <vulkan/vk_layer.h>

#include <stddef.h>

PFN_vkVoidFunction VKAPI_CALL vk_icdGetInstanceProcAddr(VkInstance instance, const char *name);

const char *const rp_layer_presentation_support_names[RP_LAYER_WINDOW_SYSTEMS] = {
    [RP_LAYER_XCB] = "vkGetPhysicalDeviceXcbPresentationSupportKHR",
    [RP_LAYER_XLIB] = "vkGetPhysicalDeviceXlibPresentationSupportKHR",
    [RP_LAYER_WAYLAND] = "vkGetPhysicalDeviceWaylandPresentationSupportKHR",
};

static struct rp_layer_instance *instances;
static pthread_mutex_t instances_mutex = PTHREAD_MUTEX_INITIALIZER; /* guards the list */

struct rp_layer_instance *
rp_layer_instance_find(const void *dispatchable)
{
    const void *key = rp_layer_key(dispatchable);

    pthread_mutex_lock(&instances_mutex);
    struct rp_layer_instance *instance = instances;
    while (instance && instance->key != key)
        instance = instance->next;
    pthread_mutex_unlock(&instances_mutex);
    return instance;
}

static void
instance_add(struct rp_layer_instance *instance)
{
    pthread_mutex_lock(&instances_mutex);
    instance->next = instances;
    instances = instance;
    pthread_mutex_unlock(&instances_mutex);
}

static void
instance_remove(struct rp_layer_instance *instance)
{
    pthread_mutex_lock(&instances_mutex);
    struct rp_layer_instance **link = &instances;
    while (*link != instance)
        link = &(*link)->next;
    *link = instance->next;
    pthread_mutex_unlock(&instances_mutex);
}

static void
find_families(struct rp_layer_instance *instance)
{
    static const VkQueueFlags flags[RP_LAYER_LENT_FAMILIES] = {
        [RP_LAYER_ENCODE] = VK_QUEUE_VIDEO_ENCODE_BIT_KHR,
        [RP_LAYER_DECODE] = VK_QUEUE_VIDEO_DECODE_BIT_KHR,
    };
    VkQueueFamilyVideoPropertiesKHR video[8];
    VkQueueFamilyProperties2 families[8];
    uint32_t count = 8;

    for (uint32_t i = 0; i < count; i++) {
        video[i] = (VkQueueFamilyVideoPropertiesKHR){
            .sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_VIDEO_PROPERTIES_KHR,
        };
        families[i] = (VkQueueFamilyProperties2){
            .sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_PROPERTIES_2,
            .pNext = &video[i],
        };
    }
    instance->driver.GetPhysicalDeviceQueueFamilyProperties2(instance->driver_device, &count,
                                                             families);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t kind = 0; kind < RP_LAYER_LENT_FAMILIES; kind++) {
            if (!(families[i].queueFamilyProperties.queueFlags & flags[kind]))
                continue;
            instance->driver_family[kind] = i;
            instance->driver_operations[kind] = video[i].videoCodecOperations;
        }
    }
}

static void
find_features(struct rp_layer_instance *instance)
{
    struct rp_layer_video_feature_struct chain[RP_LAYER_VIDEO_FEATURES];
    VkPhysicalDeviceFeatures2 features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
        .pNext = &chain[0],
    };

    rp_layer_video_features_chain(chain, NULL);
    instance->driver.GetPhysicalDeviceFeatures2(instance->driver_device, &features);
    for (uint32_t i = 0; i < RP_LAYER_VIDEO_FEATURES; i++)
        instance->driver_features[i] = chain[i].is_on;
}

/* Our driver needs no loader: nothing of it but video is used, and the loader's lock is held. Where
 * it cannot be opened nothing is lent, and the application goes on without it. */
static void
driver_open(struct rp_layer_instance *instance)
{
    static const VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .apiVersion = VK_API_VERSION_1_4,
    };
    static const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pApplicationInfo = &application,
    };
    const PFN_vkCreateInstance create =
        (PFN_vkCreateInstance)vk_icdGetInstanceProcAddr(NULL, "vkCreateInstance");
    uint32_t count = 1;

    if (create(&info, NULL, &instance->driver_handle) != VK_SUCCESS) {
        instance->driver_handle = NULL;
        return;
    }
    rp_layer_instance_calls_load(&instance->driver, instance->driver_handle,
                                 vk_icdGetInstanceProcAddr);
    if (instance->driver.EnumeratePhysicalDevices(instance->driver_handle, &count,
                                                  &instance->driver_device) == VK_SUCCESS &&
        count == 1) {
        find_families(instance);
        find_features(instance);
    }
}

static void
instance_destroy(struct rp_layer_instance *instance)
{
    if (instance->driver_handle)
        instance->driver.DestroyInstance(instance->driver_handle, NULL);
    rp_layer_physical_devices_free(instance);
    pthread_mutex_destroy(&instance->mutex);
    rp_free(NULL, instance);
}

static VkLayerInstanceCreateInfo *
find_link(const VkInstanceCreateInfo *info)
{
    /* The loader's own structure, which a layer has to advance. */
    VkLayerInstanceCreateInfo *link = (VkLayerInstanceCreateInfo *)(uintptr_t)info->pNext;

    while (link && !(link->sType == VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO &&
                     link->function == VK_LAYER_LINK_INFO))
        link = (VkLayerInstanceCreateInfo *)(uintptr_t)link->pNext;
    return link;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_CreateInstance(const VkInstanceCreateInfo *info, const VkAllocationCallbacks *alloc,
                        VkInstance *out)
{
    VkLayerInstanceCreateInfo *link = find_link(info);
    if (!link)
        return VK_ERROR_INITIALIZATION_FAILED;
    const PFN_vkGetInstanceProcAddr get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    const PFN_vkCreateInstance create = (PFN_vkCreateInstance)get(NULL, "vkCreateInstance");
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;

    struct rp_layer_instance *instance = rp_zalloc(NULL, sizeof(*instance), _Alignof(max_align_t),
                                                   VK_SYSTEM_ALLOCATION_SCOPE_INSTANCE);
    if (!instance)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    pthread_mutex_init(&instance->mutex, NULL);
    driver_open(instance);
    const VkResult result = create(info, alloc, out);
    if (result != VK_SUCCESS) {
        instance_destroy(instance);
        return result;
    }
    instance->key = rp_layer_key(*out);
    instance->handle = *out;
    instance->get = get;
    rp_layer_instance_calls_load(&instance->lower, *out, get);
    for (uint32_t i = 0; i < RP_LAYER_WINDOW_SYSTEMS; i++)
        instance->presentation_supports[i] = get(*out, rp_layer_presentation_support_names[i]);
    instance_add(instance);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_DestroyInstance(VkInstance handle, const VkAllocationCallbacks *alloc)
{
    if (!handle)
        return;
    struct rp_layer_instance *instance = rp_layer_instance_find(handle);
    instance_remove(instance);
    instance->lower.DestroyInstance(handle, alloc);
    instance_destroy(instance);
}

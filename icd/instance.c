/* SPDX-License-Identifier: MIT */
/* Creating instances, and what can be asked before one exists.
 */
#include "object/instance.h"

#include "icd/extensions.h"
#include "icd/physical_device.h"
#include "icd/properties.h"
#include "quirks/table.h"
#include "util/alloc.h"
#include "util/log.h"

#include "rp_entrypoints.h"

#include <vulkan/vk_icd.h>

#include <string.h>

static void
instance_destroy(struct rp_instance *instance, const VkAllocationCallbacks *alloc)
{
    pthread_mutex_destroy(&instance->messengers.mutex);
    rp_object_finish(&instance->physical_device.base);
    rp_object_finish(&instance->base);
    rp_free(alloc, instance);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_CreateInstance(const VkInstanceCreateInfo *info, const VkAllocationCallbacks *alloc,
                  VkInstance *out)
{
    struct rp_instance *instance = rp_zalloc(alloc, sizeof(*instance), _Alignof(max_align_t),
                                             VK_SYSTEM_ALLOCATION_SCOPE_INSTANCE);
    if (!instance)
        return rp_error(NULL, VK_ERROR_OUT_OF_HOST_MEMORY);

    rp_object_init(&instance->base, NULL, VK_OBJECT_TYPE_INSTANCE);
    set_loader_magic_value(&instance->base);
    pthread_mutex_init(&instance->messengers.mutex, NULL);
    if (alloc) {
        instance->callbacks = *alloc;
        instance->has_callbacks = true;
    }
    instance->api_version = VK_API_VERSION_1_0;
    if (info->pApplicationInfo && info->pApplicationInfo->apiVersion)
        instance->api_version = info->pApplicationInfo->apiVersion;

    instance->quirks = rp_quirks_find(info->pApplicationInfo);

    struct rp_extension_set supported;
    rp_instance_extensions(&supported);
    const VkResult result =
        rp_extensions_enable(&supported, info->enabledExtensionCount, info->ppEnabledExtensionNames,
                             &instance->extensions);
    if (result != VK_SUCCESS) {
        instance_destroy(instance, alloc);
        return rp_error(NULL, result);
    }
    rp_physical_device_init(&instance->physical_device, instance);
    *out = rp_instance_to_handle(instance);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
rp_DestroyInstance(VkInstance handle, const VkAllocationCallbacks *alloc)
{
    struct rp_instance *instance = rp_instance_from_handle(handle);
    if (instance)
        instance_destroy(instance, alloc ? alloc : rp_instance_callbacks(instance));
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_EnumerateInstanceVersion(uint32_t *version)
{
    *version = RP_API_VERSION;
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_EnumerateInstanceExtensionProperties(const char *layer, uint32_t *count,
                                        VkExtensionProperties *out)
{
    if (layer)
        return rp_error(NULL, VK_ERROR_LAYER_NOT_PRESENT);

    struct rp_extension_set set;
    rp_instance_extensions(&set);
    return rp_extensions_enumerate(&set, count, out);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_EnumerateInstanceLayerProperties(uint32_t *count, VkLayerProperties *out)
{
    *count = 0;
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_EnumeratePhysicalDevices(VkInstance handle, uint32_t *count, VkPhysicalDevice *out)
{
    struct rp_instance *instance = rp_instance_from_handle(handle);

    if (!out) {
        *count = 1;
        return VK_SUCCESS;
    }
    if (*count == 0)
        return VK_INCOMPLETE;
    *count = 1;
    out[0] = rp_physical_device_to_handle(&instance->physical_device);
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_EnumeratePhysicalDeviceGroups(VkInstance handle, uint32_t *count,
                                 VkPhysicalDeviceGroupProperties *out)
{
    struct rp_instance *instance = rp_instance_from_handle(handle);

    if (!out) {
        *count = 1;
        return VK_SUCCESS;
    }
    if (*count == 0)
        return VK_INCOMPLETE;
    *count = 1;
    out[0].physicalDeviceCount = 1;
    for (uint32_t i = 0; i < VK_MAX_DEVICE_GROUP_SIZE; i++)
        out[0].physicalDevices[i] = VK_NULL_HANDLE;
    out[0].physicalDevices[0] = rp_physical_device_to_handle(&instance->physical_device);
    out[0].subsetAllocation = VK_FALSE;
    return VK_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
/* The three functions of the driver that the Vulkan loader finds in the library, and
 * vkGet*ProcAddr. The layer has one of its own (layer/layer.c).
 */
#include "icd/dispatch.h"
#include "object/device.h"
#include "object/instance.h"
#include "util/compiler.h"

#include "rp_entrypoints.h"

#include <vulkan/vk_icd.h>

#include <stdint.h>
#include <string.h>

/* Interface versions: 1 and 2 differ from 3 in surfaces, which we do not have; 4 adds
 * vk_icdGetPhysicalDeviceProcAddr; 5 asks that any apiVersion is accepted; 6 and 7 allow more
 * ways to find and query drivers. A loader that never negotiates speaks version 0 or 1. */
enum { NEWEST_INTERFACE = 7 };

RP_EXPORT VKAPI_ATTR VkResult VKAPI_CALL vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *);
RP_EXPORT VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vk_icdGetInstanceProcAddr(VkInstance,
                                                                             const char *);
RP_EXPORT VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vk_icdGetPhysicalDeviceProcAddr(VkInstance,
                                                                                   const char *);

VKAPI_ATTR VkResult VKAPI_CALL
vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version)
{
    if (*version > NEWEST_INTERFACE)
        *version = NEWEST_INTERFACE;
    return VK_SUCCESS;
}

static PFN_vkVoidFunction
lookup_loader_function(const char *name)
{
    if (strcmp(name, "vk_icdNegotiateLoaderICDInterfaceVersion") == 0)
        return (PFN_vkVoidFunction)vk_icdNegotiateLoaderICDInterfaceVersion;
    if (strcmp(name, "vk_icdGetPhysicalDeviceProcAddr") == 0)
        return (PFN_vkVoidFunction)vk_icdGetPhysicalDeviceProcAddr;
    if (strcmp(name, "vkGetInstanceProcAddr") == 0)
        return (PFN_vkVoidFunction)rp_GetInstanceProcAddr;
    return NULL;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
vk_icdGetInstanceProcAddr(VkInstance instance, const char *name)
{
    PFN_vkVoidFunction function = name ? lookup_loader_function(name) : NULL;
    if (!function)
        function = rp_GetInstanceProcAddr(instance, name);
    return function ? function : vk_icdGetPhysicalDeviceProcAddr(instance, name);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
vk_icdGetPhysicalDeviceProcAddr(VkInstance instance, const char *name)
{
    return instance && name ? rp_lookup_physical_device(name) : NULL;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
rp_GetInstanceProcAddr(VkInstance handle, const char *name)
{
    if (!name)
        return NULL;
    const struct rp_instance *instance = rp_instance_from_handle(handle);
    const PFN_vkVoidFunction function = rp_lookup_global(name);
    return function || !instance ? function : rp_lookup_instance(instance, name);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
rp_GetDeviceProcAddr(VkDevice handle, const char *name)
{
    const struct rp_device *dev = rp_device_from_handle(handle);
    return dev && name ? rp_lookup_device(dev, name) : NULL;
}

/* SPDX-License-Identifier: MIT */
/* The layer's border with the loader: VK_LAYER_REELPIPE_video, which lends our driver's video
 * queues to other devices.
 */
#include "icd/layer/commands.h"
#include "icd/layer/device.h"
#include "icd/layer/instance.h"
#include "util/compiler.h"

#include <vulkan/vk_layer.h>

#include <string.h>

RP_EXPORT VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *out);

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_instance_proc(VkInstance instance,
                                                                  const char *name);

/* A device without lent queues has the functions of the next layer or driver. */
static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
get_device_proc(VkDevice handle, const char *name)
{
    const struct rp_layer_device *dev = rp_layer_device_find(handle);

    if (strcmp(name, "vkGetDeviceProcAddr") == 0)
        return (PFN_vkVoidFunction)get_device_proc;
    if (strcmp(name, "vkDestroyDevice") == 0)
        return (PFN_vkVoidFunction)rp_layer_DestroyDevice;
    const PFN_vkVoidFunction lower = dev->get(handle, name);
    if (!dev->has_lent)
        return lower;
    const struct rp_layer_command *own = rp_layer_command_find(name);
    return own && own->is_device && (lower || own->is_lent) ? own->function : lower;
}

static PFN_vkVoidFunction
find_global(const char *name)
{
    if (strcmp(name, "vkGetInstanceProcAddr") == 0)
        return (PFN_vkVoidFunction)get_instance_proc;
    if (strcmp(name, "vkGetDeviceProcAddr") == 0)
        return (PFN_vkVoidFunction)get_device_proc;
    if (strcmp(name, "vkCreateInstance") == 0)
        return (PFN_vkVoidFunction)rp_layer_CreateInstance;
    return NULL;
}

/* The loader asks for most commands of devices by each device's own function. */
static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
get_instance_proc(VkInstance handle, const char *name)
{
    const PFN_vkVoidFunction global = find_global(name);
    if (global || !handle)
        return global;
    const struct rp_layer_instance *instance = rp_layer_instance_find(handle);
    if (!instance)
        return NULL;
    const PFN_vkVoidFunction lower = instance->get(handle, name);
    const PFN_vkVoidFunction support = rp_layer_presentation_support_find(name);
    if (support)
        return lower ? support : NULL;
    const struct rp_layer_command *own = rp_layer_command_find(name);
    return own && own->is_instance && (lower || own->is_lent) ? own->function : lower;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
get_physical_device_proc(VkInstance handle, const char *name)
{
    const struct rp_layer_instance *instance = rp_layer_instance_find(handle);
    const struct rp_layer_command *own = rp_layer_command_find(name);

    if (own && !own->is_device && strcmp(name, "vkDestroyInstance") != 0)
        return own->function;
    const PFN_GetPhysicalDeviceProcAddr next =
        instance ? (PFN_GetPhysicalDeviceProcAddr)instance->get(handle,
                                                                "vk_layerGetPhysicalDeviceProcAddr")
                 : NULL;
    return next ? next(handle, name) : NULL;
}

VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *out)
{
    if (out->loaderLayerInterfaceVersion < 2)
        return VK_ERROR_INITIALIZATION_FAILED;
    out->loaderLayerInterfaceVersion = 2;
    out->pfnGetInstanceProcAddr = get_instance_proc;
    out->pfnGetDeviceProcAddr = get_device_proc;
    out->pfnGetPhysicalDeviceProcAddr = get_physical_device_proc;
    return VK_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
/* Queue families: the lower device's, and behind them its aliases and the lent ones.
 */
#include "icd/layer/commands.h"
#include "icd/layer/instance.h"
#include "util/compiler.h"
#include "util/pnext.h"

#include <string.h>

static uint32_t
family_total(const struct rp_layer_physical_device *pdev)
{
    return pdev->family_count + pdev->alias_count + (pdev->operations[RP_LAYER_ENCODE] != 0) +
           (pdev->operations[RP_LAYER_DECODE] != 0);
}

/* Without TRANSFER: copies of lent queues would be a second implementation of them. */
static VkQueueFamilyProperties
lent_properties(enum rp_layer_lent_kind kind)
{
    return (VkQueueFamilyProperties){
        .queueFlags =
            kind == RP_LAYER_ENCODE ? VK_QUEUE_VIDEO_ENCODE_BIT_KHR : VK_QUEUE_VIDEO_DECODE_BIT_KHR,
        .queueCount = RP_LAYER_LENT_QUEUES,
        .minImageTransferGranularity = {1, 1, 1},
    };
}

/* What is left of the lower device's only family in one of its aliases: a first one that computes,
 * and a second one that copies. */
static void
cut_to_alias(const struct rp_layer_physical_device *pdev, uint32_t family,
             VkQueueFamilyProperties *out)
{
    const bool computes = family == pdev->family_count;

    out->queueFlags = VK_QUEUE_TRANSFER_BIT | (computes ? VK_QUEUE_COMPUTE_BIT : 0);
    out->queueCount = 1;
}

static void
fill_alias(const struct rp_layer_physical_device *pdev, uint32_t family,
           VkQueueFamilyProperties2 *out)
{
    uint32_t one = 1;

    pdev->instance->lower.GetPhysicalDeviceQueueFamilyProperties2(pdev->handle, &one, out);
    cut_to_alias(pdev, family, &out->queueFamilyProperties);
    VkQueueFamilyVideoPropertiesKHR *video =
        rp_find_struct_mut(out->pNext, VK_STRUCTURE_TYPE_QUEUE_FAMILY_VIDEO_PROPERTIES_KHR);
    if (video)
        video->videoCodecOperations = 0;
}

static void
fill_chain(const struct rp_layer_physical_device *pdev, enum rp_layer_lent_kind kind,
           VkBaseOutStructure *s)
{
    for (; s; s = s->pNext) {
        switch ((int)s->sType) {
        case VK_STRUCTURE_TYPE_QUEUE_FAMILY_VIDEO_PROPERTIES_KHR:
            ((VkQueueFamilyVideoPropertiesKHR *)s)->videoCodecOperations = pdev->operations[kind];
            break;
        case VK_STRUCTURE_TYPE_QUEUE_FAMILY_QUERY_RESULT_STATUS_PROPERTIES_KHR:
            ((VkQueueFamilyQueryResultStatusPropertiesKHR *)s)->queryResultStatusSupport = VK_TRUE;
            break;
        case VK_STRUCTURE_TYPE_QUEUE_FAMILY_GLOBAL_PRIORITY_PROPERTIES: {
            VkQueueFamilyGlobalPriorityProperties *p = (VkQueueFamilyGlobalPriorityProperties *)s;
            p->priorityCount = 1;
            p->priorities[0] = VK_QUEUE_GLOBAL_PRIORITY_MEDIUM;
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
            ((VkQueueFamilyOwnershipTransferPropertiesKHR *)s)
                ->optimalImageTransferToQueueFamilies = 0;
            break;
        default:
            break;
        }
    }
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_GetPhysicalDeviceQueueFamilyProperties(VkPhysicalDevice handle, uint32_t *count,
                                                VkQueueFamilyProperties *out)
{
    const struct rp_layer_instance_calls *lower = &rp_layer_instance_find(handle)->lower;
    const struct rp_layer_physical_device *pdev = rp_layer_physical_device_get(handle);

    if (!pdev || !rp_layer_is_served(pdev)) {
        lower->GetPhysicalDeviceQueueFamilyProperties(handle, count, out);
        return;
    }
    if (!out) {
        *count = family_total(pdev);
        return;
    }
    uint32_t n = *count;
    lower->GetPhysicalDeviceQueueFamilyProperties(handle, &n, out);
    for (; n < *count && rp_layer_family_is_alias(pdev, n); n++) {
        out[n] = out[0];
        cut_to_alias(pdev, n, &out[n]);
    }
    for (enum rp_layer_lent_kind kind; n < *count && rp_layer_family_is_lent(pdev, n, &kind); n++)
        out[n] = lent_properties(kind);
    *count = n;
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_GetPhysicalDeviceQueueFamilyProperties2(VkPhysicalDevice handle, uint32_t *count,
                                                 VkQueueFamilyProperties2 *out)
{
    const struct rp_layer_instance_calls *lower = &rp_layer_instance_find(handle)->lower;
    const struct rp_layer_physical_device *pdev = rp_layer_physical_device_get(handle);

    if (!pdev || !rp_layer_is_served(pdev)) {
        lower->GetPhysicalDeviceQueueFamilyProperties2(handle, count, out);
        return;
    }
    if (!out) {
        *count = family_total(pdev);
        return;
    }
    uint32_t n = *count;
    lower->GetPhysicalDeviceQueueFamilyProperties2(handle, &n, out);
    for (; n < *count && rp_layer_family_is_alias(pdev, n); n++)
        fill_alias(pdev, n, &out[n]);
    for (enum rp_layer_lent_kind kind; n < *count && rp_layer_family_is_lent(pdev, n, &kind); n++) {
        out[n].queueFamilyProperties = lent_properties(kind);
        fill_chain(pdev, kind, out[n].pNext);
    }
    *count = n;
}

/* Only the lower device's own families present. */
VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_GetPhysicalDeviceSurfaceSupportKHR(VkPhysicalDevice handle, uint32_t family,
                                            VkSurfaceKHR surface, VkBool32 *out)
{
    const struct rp_layer_physical_device *pdev = rp_layer_physical_device_get(handle);

    if (pdev && rp_layer_family_is_above(pdev, family)) {
        *out = VK_FALSE;
        return VK_SUCCESS;
    }
    return rp_layer_instance_find(handle)->lower.GetPhysicalDeviceSurfaceSupportKHR(handle, family,
                                                                                    surface, out);
}

/* The lower device's function; NULL for a family that is not its own. */
static PFN_vkVoidFunction
lower_support(VkPhysicalDevice handle, uint32_t family, enum rp_layer_window_system system)
{
    const struct rp_layer_physical_device *pdev = rp_layer_physical_device_get(handle);

    if (pdev && rp_layer_family_is_above(pdev, family))
        return NULL;
    return rp_layer_instance_find(handle)->presentation_supports[system];
}

/* Commands of window systems, whose headers are not needed: the types are theirs by their calling
 * convention. */
static VKAPI_ATTR VkBool32 VKAPI_CALL
xcb_support(VkPhysicalDevice handle, uint32_t family, void *connection, uint32_t visual)
{
    typedef VkBool32(VKAPI_PTR * function)(VkPhysicalDevice, uint32_t, void *, uint32_t);
    const function lower = (function)lower_support(handle, family, RP_LAYER_XCB);
    return lower ? lower(handle, family, connection, visual) : VK_FALSE;
}

static VKAPI_ATTR VkBool32 VKAPI_CALL
xlib_support(VkPhysicalDevice handle, uint32_t family, void *display, unsigned long visual)
{
    typedef VkBool32(VKAPI_PTR * function)(VkPhysicalDevice, uint32_t, void *, unsigned long);
    const function lower = (function)lower_support(handle, family, RP_LAYER_XLIB);
    return lower ? lower(handle, family, display, visual) : VK_FALSE;
}

static VKAPI_ATTR VkBool32 VKAPI_CALL
wayland_support(VkPhysicalDevice handle, uint32_t family, void *display)
{
    typedef VkBool32(VKAPI_PTR * function)(VkPhysicalDevice, uint32_t, void *);
    const function lower = (function)lower_support(handle, family, RP_LAYER_WAYLAND);
    return lower ? lower(handle, family, display) : VK_FALSE;
}

PFN_vkVoidFunction
rp_layer_presentation_support_find(const char *name)
{
    static const PFN_vkVoidFunction functions[RP_LAYER_WINDOW_SYSTEMS] = {
        [RP_LAYER_XCB] = (PFN_vkVoidFunction)xcb_support,
        [RP_LAYER_XLIB] = (PFN_vkVoidFunction)xlib_support,
        [RP_LAYER_WAYLAND] = (PFN_vkVoidFunction)wayland_support,
    };

    for (uint32_t i = 0; i < RP_LAYER_WINDOW_SYSTEMS; i++) {
        if (strcmp(rp_layer_presentation_support_names[i], name) == 0)
            return functions[i];
    }
    return NULL;
}

/* Whether a family has nothing of what vendors have in their own: no counters, no data graphs. */
static bool
has_nothing(VkPhysicalDevice handle, uint32_t family)
{
    const struct rp_layer_physical_device *pdev = rp_layer_physical_device_get(handle);
    return pdev && rp_layer_family_is_above(pdev, family);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_EnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR(
    VkPhysicalDevice handle, uint32_t family, uint32_t *count, VkPerformanceCounterKHR *counters,
    VkPerformanceCounterDescriptionKHR *descriptions)
{
    if (has_nothing(handle, family)) {
        *count = 0;
        return VK_SUCCESS;
    }
    return rp_layer_instance_find(handle)
        ->lower.EnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR(
            handle, family, count, counters, descriptions);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_EnumeratePhysicalDeviceQueueFamilyPerformanceCountersByRegionARM(
    VkPhysicalDevice handle, uint32_t family, uint32_t *count, VkPerformanceCounterARM *counters,
    VkPerformanceCounterDescriptionARM *descriptions)
{
    if (has_nothing(handle, family)) {
        *count = 0;
        return VK_SUCCESS;
    }
    return rp_layer_instance_find(handle)
        ->lower.EnumeratePhysicalDeviceQueueFamilyPerformanceCountersByRegionARM(
            handle, family, count, counters, descriptions);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_GetPhysicalDeviceQueueFamilyDataGraphPropertiesARM(
    VkPhysicalDevice handle, uint32_t family, uint32_t *count,
    VkQueueFamilyDataGraphPropertiesARM *out)
{
    if (has_nothing(handle, family)) {
        *count = 0;
        return VK_SUCCESS;
    }
    return rp_layer_instance_find(handle)->lower.GetPhysicalDeviceQueueFamilyDataGraphPropertiesARM(
        handle, family, count, out);
}

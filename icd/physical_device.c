/* SPDX-License-Identifier: MIT */
/* The physical device: what there is of it, its memory and its extensions.
 */
#include "icd/physical_device.h"

#include "icd/extensions.h"
#include "icd/features.h"
#include "icd/properties.h"
#include "object/instance.h"
#include "quirks/table.h"
#include "reelpipe/cpu.h"
#include "util/log.h"
#include "util/memory_info.h"
#include "util/pnext.h"

#include "rp_entrypoints.h"

#include <vulkan/vk_icd.h>

void
rp_physical_device_init(struct rp_physical_device *pdev, struct rp_instance *instance)
{
    rp_object_init(&pdev->base, NULL, VK_OBJECT_TYPE_PHYSICAL_DEVICE);
    set_loader_magic_value(&pdev->base);
    pdev->instance = instance;
    pdev->cpu_flags = rp_cpu_flags();
    pdev->heap_size_B = rp_memory_total_B();
    rp_video_codecs_init(&pdev->video);
    pdev->video.depth_names_profile = instance->quirks & RP_QUIRK_NAMES_ONE_PROFILE;
    rp_device_extensions(pdev, &pdev->extensions);
    rp_device_features(pdev, &pdev->features);
    rp_device_properties(pdev, &pdev->properties);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_EnumerateDeviceExtensionProperties(VkPhysicalDevice physicalDevice, const char *layer,
                                      uint32_t *count, VkExtensionProperties *out)
{
    const struct rp_physical_device *pdev = rp_physical_device_from_handle(physicalDevice);
    if (layer)
        return rp_error(pdev, VK_ERROR_LAYER_NOT_PRESENT);
    return rp_extensions_enumerate(&pdev->extensions, count, out);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_EnumerateDeviceLayerProperties(VkPhysicalDevice physicalDevice, uint32_t *count,
                                  VkLayerProperties *out)
{
    *count = 0;
    return VK_SUCCESS;
}

/* Everything is host memory: one heap, one type that can do all. */
static void
fill_memory(const struct rp_physical_device *pdev, VkPhysicalDeviceMemoryProperties *out)
{
    *out = (VkPhysicalDeviceMemoryProperties){
        .memoryTypeCount = 1,
        .memoryTypes = {{
            .propertyFlags =
                VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                VK_MEMORY_PROPERTY_HOST_COHERENT_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT,
            .heapIndex = 0,
        }},
        .memoryHeapCount = 1,
        .memoryHeaps = {{.size = pdev->heap_size_B, .flags = VK_MEMORY_HEAP_DEVICE_LOCAL_BIT}},
    };
}

static void
fill_budget(const struct rp_physical_device *pdev, VkPhysicalDeviceMemoryBudgetPropertiesEXT *out)
{
    for (uint32_t i = 0; i < VK_MAX_MEMORY_HEAPS; i++) {
        out->heapBudget[i] = 0;
        out->heapUsage[i] = 0;
    }
    const uint64_t used_B = rp_memory_charged_B();
    const uint64_t budget_B = used_B + rp_memory_available_B();
    out->heapBudget[0] = budget_B < pdev->heap_size_B ? budget_B : pdev->heap_size_B;
    out->heapUsage[0] = used_B;
}

VKAPI_ATTR void VKAPI_CALL
rp_GetPhysicalDeviceMemoryProperties2(VkPhysicalDevice physicalDevice,
                                      VkPhysicalDeviceMemoryProperties2 *out)
{
    const struct rp_physical_device *pdev = rp_physical_device_from_handle(physicalDevice);

    fill_memory(pdev, &out->memoryProperties);
    VkPhysicalDeviceMemoryBudgetPropertiesEXT *budget = rp_find_struct_mut(
        out->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT);
    if (budget)
        fill_budget(pdev, budget);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_GetPhysicalDeviceToolProperties(VkPhysicalDevice physicalDevice, uint32_t *count,
                                   VkPhysicalDeviceToolProperties *out)
{
    *count = 0;
    return VK_SUCCESS;
}

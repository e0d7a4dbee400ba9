/* SPDX-License-Identifier: MIT */
/* Answering what memory, semaphores and fences can be exported to and imported from.
 */
#include "icd/external.h"

#include "object/instance.h"
#include "platform/dma_buf.h"
#include "util/compiler.h"
#include "util/pnext.h"

#include "rp_entrypoints.h"

#include <stddef.h>

#define EXPORT_IMPORT \
    (VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT)

struct memory_rule {
    VkExternalMemoryHandleTypeFlagBits type;
    enum rp_extension extension;
    VkExternalMemoryFeatureFlags features;
};

static const struct memory_rule memory_rules[] = {
    {VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT, RP_KHR_EXTERNAL_MEMORY_FD, EXPORT_IMPORT},
    {VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT, RP_EXT_EXTERNAL_MEMORY_DMA_BUF,
     VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT},
    {VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT, RP_EXT_EXTERNAL_MEMORY_HOST,
     VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT},
    {VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_MAPPED_FOREIGN_MEMORY_BIT_EXT, RP_EXT_EXTERNAL_MEMORY_HOST,
     VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT},
};

void
rp_external_memory_properties(const struct rp_physical_device *pdev,
                              VkExternalMemoryHandleTypeFlagBits type,
                              VkExternalMemoryProperties *out)
{
    *out = (VkExternalMemoryProperties){0};
    for (size_t i = 0; i < RP_ARRAY_SIZE(memory_rules); i++) {
        const struct memory_rule *rule = &memory_rules[i];
        if (rule->type != type || !rp_extension_set_has(&pdev->extensions, rule->extension))
            continue;
        out->externalMemoryFeatures = rule->features;
        out->compatibleHandleTypes = type;
        if (type == VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT && rp_dma_buf_can_export())
            out->externalMemoryFeatures |= VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT;
        if (out->externalMemoryFeatures & VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT)
            out->exportFromImportedHandleTypes = type;
    }
}

VKAPI_ATTR void VKAPI_CALL
rp_GetPhysicalDeviceExternalBufferProperties(VkPhysicalDevice physicalDevice,
                                             const VkPhysicalDeviceExternalBufferInfo *info,
                                             VkExternalBufferProperties *out)
{
    rp_external_memory_properties(rp_physical_device_from_handle(physicalDevice), info->handleType,
                                  &out->externalMemoryProperties);
}

VKAPI_ATTR void VKAPI_CALL
rp_GetPhysicalDeviceExternalSemaphoreProperties(VkPhysicalDevice physicalDevice,
                                                const VkPhysicalDeviceExternalSemaphoreInfo *info,
                                                VkExternalSemaphoreProperties *out)
{
    const struct rp_physical_device *pdev = rp_physical_device_from_handle(physicalDevice);
    const VkSemaphoreTypeCreateInfo *type =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
    const bool is_timeline = type && type->semaphoreType == VK_SEMAPHORE_TYPE_TIMELINE;
    const bool is_opaque = info->handleType == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
    /* A sync file has no payload but "signalled". */
    const bool is_file =
        info->handleType == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT && !is_timeline;

    out->exportFromImportedHandleTypes = 0;
    out->compatibleHandleTypes = 0;
    out->externalSemaphoreFeatures = 0;
    if (!rp_extension_set_has(&pdev->extensions, RP_KHR_EXTERNAL_SEMAPHORE_FD) ||
        !(is_opaque || is_file))
        return;
    out->exportFromImportedHandleTypes = info->handleType;
    out->compatibleHandleTypes = info->handleType;
    out->externalSemaphoreFeatures =
        VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_SEMAPHORE_FEATURE_IMPORTABLE_BIT;
}

VKAPI_ATTR void VKAPI_CALL
rp_GetPhysicalDeviceExternalFenceProperties(VkPhysicalDevice physicalDevice,
                                            const VkPhysicalDeviceExternalFenceInfo *info,
                                            VkExternalFenceProperties *out)
{
    const struct rp_physical_device *pdev = rp_physical_device_from_handle(physicalDevice);
    const bool is_known = info->handleType == VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT ||
                          info->handleType == VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT;

    out->exportFromImportedHandleTypes = 0;
    out->compatibleHandleTypes = 0;
    out->externalFenceFeatures = 0;
    if (!rp_extension_set_has(&pdev->extensions, RP_KHR_EXTERNAL_FENCE_FD) || !is_known)
        return;
    out->exportFromImportedHandleTypes = info->handleType;
    out->compatibleHandleTypes = info->handleType;
    out->externalFenceFeatures =
        VK_EXTERNAL_FENCE_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_FENCE_FEATURE_IMPORTABLE_BIT;
}

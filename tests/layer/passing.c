/* SPDX-License-Identifier: MIT */
/* Creating, exporting and importing them.
 */
#include "passing.h"

#include "gate.h"

VkSemaphore
semaphore_create(struct fixture *f, VkExternalSemaphoreHandleTypeFlags types)
{
    const VkExportSemaphoreCreateInfo exported = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO,
        .handleTypes = types,
    };
    const VkSemaphoreCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
        .pNext = types ? &exported : NULL,
    };
    VkSemaphore semaphore;
    REQUIRE_EQ(vkCreateSemaphore(f->dev, &info, NULL, &semaphore), VK_SUCCESS);
    return semaphore;
}

bool
semaphore_can_pass(struct fixture *f, VkSemaphoreType type,
                   VkExternalSemaphoreHandleTypeFlagBits handle_type)
{
    const VkSemaphoreTypeCreateInfo kind = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        .semaphoreType = type,
    };
    const VkPhysicalDeviceExternalSemaphoreInfo info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_SEMAPHORE_INFO,
        .pNext = &kind,
        .handleType = handle_type,
    };
    VkExternalSemaphoreProperties properties = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_PROPERTIES,
    };
    const VkExternalSemaphoreFeatureFlags both =
        VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_SEMAPHORE_FEATURE_IMPORTABLE_BIT;
    vkGetPhysicalDeviceExternalSemaphoreProperties(f->pdev, &info, &properties);
    return (properties.externalSemaphoreFeatures & both) == both;
}

bool
needs_opaque_semaphores(struct fixture *f)
{
    return needs(semaphore_can_pass(f, VK_SEMAPHORE_TYPE_BINARY, OPAQUE_SEMAPHORE) &&
                     semaphore_can_pass(f, VK_SEMAPHORE_TYPE_TIMELINE, OPAQUE_SEMAPHORE),
                 "semaphores with opaque handles");
}

void
semaphore_pass(struct fixture *f, VkSemaphore from, VkSemaphore to,
               VkExternalSemaphoreHandleTypeFlagBits type, VkSemaphoreImportFlags flags)
{
    const VkSemaphoreGetFdInfoKHR get = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR,
        .semaphore = from,
        .handleType = type,
    };
    VkImportSemaphoreFdInfoKHR import = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR,
        .semaphore = to,
        .flags = flags,
        .handleType = type,
    };
    REQUIRE_EQ(vkGetSemaphoreFdKHR(f->dev, &get, &import.fd), VK_SUCCESS);
    REQUIRE_EQ(vkImportSemaphoreFdKHR(f->dev, &import), VK_SUCCESS);
}

VkSemaphore
exported_timeline_create(struct fixture *f)
{
    const VkExportSemaphoreCreateInfo exported = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO,
        .handleTypes = OPAQUE_SEMAPHORE,
    };
    const VkSemaphoreTypeCreateInfo type = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        .pNext = &exported,
        .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
    };
    const VkSemaphoreCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
        .pNext = &type,
    };
    VkSemaphore semaphore;
    REQUIRE_EQ(vkCreateSemaphore(f->dev, &info, NULL, &semaphore), VK_SUCCESS);
    return semaphore;
}

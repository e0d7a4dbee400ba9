/* SPDX-License-Identifier: MIT */
/* Creating, exporting and importing them.
 */
#include "passing.h"

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

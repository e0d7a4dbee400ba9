/* SPDX-License-Identifier: MIT */
/* Signals that come by other means than submissions to the tests' lower device: its own, and those
 * of another device.
 */
#include "lower.h"

#include <pthread.h>

static struct {
    pthread_mutex_t mutex; /* guards what follows */
    VkSemaphore semaphore;
    uint64_t value;
} sleeping = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static VKAPI_ATTR void VKAPI_CALL
latency_sleep_legacy(VkDevice dev, VkSemaphore semaphore, uint64_t value)
{
    pthread_mutex_lock(&sleeping.mutex);
    sleeping.semaphore = semaphore;
    sleeping.value = value;
    pthread_mutex_unlock(&sleeping.mutex);
}

static VKAPI_ATTR VkResult VKAPI_CALL
latency_sleep(VkDevice dev, VkSwapchainKHR swapchain, const VkLatencySleepInfoNV *info)
{
    latency_sleep_legacy(dev, info->signalSemaphore, info->value);
    return VK_SUCCESS;
}

/* For tests: gate.h says what these do. */
EXPORT void lower_foreign_wake(void);
EXPORT void lower_foreign_signal(int fd);
EXPORT void lower_foreign_wait(int fd);

EXPORT void
lower_foreign_wake(void)
{
    pthread_mutex_lock(&sleeping.mutex);
    const VkSemaphoreSignalInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
        .semaphore = sleeping.semaphore,
        .value = sleeping.value,
    };
    REQUIRE(DEVICE_CALL(vkSignalSemaphore)(lower.device, &info) == VK_SUCCESS);
    pthread_mutex_unlock(&sleeping.mutex);
}

static VkDevice
other_device(void)
{
    static const float one = 1.0f;
    static const char *const extension = VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME;
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueCount = 1,
        .pQueuePriorities = &one,
    };
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
        .enabledExtensionCount = 1,
        .ppEnabledExtensionNames = &extension,
    };
    VkPhysicalDevice pdev;
    uint32_t count = 1;
    VkDevice dev;

    REQUIRE(INSTANCE_CALL(vkEnumeratePhysicalDevices)(lower.instance, &count, &pdev) >= 0);
    REQUIRE(INSTANCE_CALL(vkCreateDevice)(pdev, &info, NULL, &dev) == VK_SUCCESS);
    return dev;
}

#define OTHER_CALL(name) ((PFN_##name)lower.get_device(other, #name))

/* One batch that waits for the payload, or signals it. */
static void
use_payload(int fd, bool is_wait)
{
    static const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    static const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    const VkDevice other = other_device();
    VkSemaphore semaphore;
    VkQueue queue;

    OTHER_CALL(vkGetDeviceQueue)(other, 0, 0, &queue);
    REQUIRE(OTHER_CALL(vkCreateSemaphore)(other, &info, NULL, &semaphore) == VK_SUCCESS);
    const VkImportSemaphoreFdInfoKHR import = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR,
        .semaphore = semaphore,
        .handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT,
        .fd = fd,
    };
    REQUIRE(OTHER_CALL(vkImportSemaphoreFdKHR)(other, &import) == VK_SUCCESS);
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .waitSemaphoreCount = is_wait,
        .pWaitSemaphores = &semaphore,
        .pWaitDstStageMask = &stages,
        .signalSemaphoreCount = !is_wait,
        .pSignalSemaphores = &semaphore,
    };
    REQUIRE(OTHER_CALL(vkQueueSubmit)(queue, 1, &submit, VK_NULL_HANDLE) == VK_SUCCESS);
    REQUIRE(OTHER_CALL(vkDeviceWaitIdle)(other) == VK_SUCCESS);
    OTHER_CALL(vkDestroySemaphore)(other, semaphore, NULL);
    OTHER_CALL(vkDestroyDevice)(other, NULL);
}

EXPORT void
lower_foreign_signal(int fd)
{
    use_payload(fd, false);
}

EXPORT void
lower_foreign_wait(int fd)
{
    use_payload(fd, true);
}

static const struct lower_own own[] = {
    OWN("vkLatencySleepNV", latency_sleep, true),
    OWN("vkLatencySleepLegacyNV", latency_sleep_legacy, true),
};

PFN_vkVoidFunction
lower_foreign_function(const char *name, bool is_device)
{
    return lower_own_function(own, sizeof(own) / sizeof(own[0]), name, is_device);
}

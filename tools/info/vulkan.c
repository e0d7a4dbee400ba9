/* SPDX-License-Identifier: MIT */
/* From the loader to our device.
 */
#include "info.h"

#include "platform/module.h"

#include <string.h>

static void
resolve(struct info_vulkan *vk)
{
#define RESOLVE(name) vk->name = (PFN_vk##name)vk->GetInstanceProcAddr(vk->instance, "vk" #name)
    RESOLVE(DestroyInstance);
    RESOLVE(GetPhysicalDeviceProperties2);
    RESOLVE(GetPhysicalDeviceFeatures2);
    RESOLVE(GetPhysicalDeviceMemoryProperties2);
    RESOLVE(GetPhysicalDeviceQueueFamilyProperties2);
    RESOLVE(GetPhysicalDeviceFormatProperties2);
    RESOLVE(EnumerateDeviceExtensionProperties);
    RESOLVE(GetPhysicalDeviceVideoCapabilitiesKHR);
    RESOLVE(GetPhysicalDeviceVideoFormatPropertiesKHR);
    RESOLVE(GetPhysicalDeviceVideoEncodeQualityLevelPropertiesKHR);
#undef RESOLVE
}

static const char *
find_device(struct info_vulkan *vk)
{
    const PFN_vkEnumeratePhysicalDevices enumerate =
        (PFN_vkEnumeratePhysicalDevices)vk->GetInstanceProcAddr(vk->instance,
                                                                "vkEnumeratePhysicalDevices");
    VkPhysicalDevice devices[64];
    uint32_t count = 64;

    const VkResult result = enumerate(vk->instance, &count, devices);
    if (result < 0)
        return "The loader finds no usable driver.";
    vk->device_count = count;
    for (uint32_t i = 0; i < count; i++) {
        VkPhysicalDeviceDriverProperties driver = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
        VkPhysicalDeviceProperties2 props = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &driver};
        vk->GetPhysicalDeviceProperties2(devices[i], &props);
        if (strcmp(driver.driverName, "Reelpipe") != 0)
            continue;
        vk->device = devices[i];
        vk->device_index = i;
        return NULL;
    }
    return "The loader shows other devices, but not Reelpipe's.";
}

const char *
info_vulkan_open(struct info_vulkan *vk)
{
    *vk = (struct info_vulkan){.library = rp_module_open("libvulkan.so.1")};
    if (!vk->library)
        return "There is no Vulkan loader (libvulkan.so.1).";
    vk->GetInstanceProcAddr =
        (PFN_vkGetInstanceProcAddr)rp_module_symbol(vk->library, "vkGetInstanceProcAddr");
    vk->EnumerateInstanceVersion =
        (PFN_vkEnumerateInstanceVersion)vk->GetInstanceProcAddr(NULL, "vkEnumerateInstanceVersion");
    const PFN_vkCreateInstance create =
        (PFN_vkCreateInstance)vk->GetInstanceProcAddr(NULL, "vkCreateInstance");

    const VkApplicationInfo app = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .pApplicationName = "reelpipe-info",
        .apiVersion = VK_API_VERSION_1_3,
    };
    const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pApplicationInfo = &app,
    };
    if (create(&info, NULL, &vk->instance) != VK_SUCCESS)
        return "vkCreateInstance fails: the loader finds no driver that it can load.";
    resolve(vk);
    return find_device(vk);
}

void
info_vulkan_close(struct info_vulkan *vk)
{
    if (vk->instance)
        vk->DestroyInstance(vk->instance, NULL);
    if (vk->library)
        rp_module_close(vk->library);
}

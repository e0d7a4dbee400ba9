/* SPDX-License-Identifier: MIT */
/* reelpipe-info collects what there is to say as one JSON tree; the human view prints the tree.
 */
#ifndef RP_TOOLS_INFO_INFO_H
#define RP_TOOLS_INFO_INFO_H

#include <cjson/cJSON.h>
#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stdint.h>

/* The functions that the tool calls, all found through the loader. NULL members: not there. */
struct info_vulkan {
    void *library;
    VkInstance instance;
    VkPhysicalDevice device; /* ours; VK_NULL_HANDLE: not among the loader's */
    uint32_t device_index;   /* in the loader's order */
    uint32_t device_count;
    PFN_vkGetInstanceProcAddr GetInstanceProcAddr;
    PFN_vkEnumerateInstanceVersion EnumerateInstanceVersion;
    PFN_vkDestroyInstance DestroyInstance;
    PFN_vkGetPhysicalDeviceProperties2 GetPhysicalDeviceProperties2;
    PFN_vkGetPhysicalDeviceFeatures2 GetPhysicalDeviceFeatures2;
    PFN_vkGetPhysicalDeviceMemoryProperties2 GetPhysicalDeviceMemoryProperties2;
    PFN_vkGetPhysicalDeviceQueueFamilyProperties2 GetPhysicalDeviceQueueFamilyProperties2;
    PFN_vkGetPhysicalDeviceFormatProperties2 GetPhysicalDeviceFormatProperties2;
    PFN_vkEnumerateDeviceExtensionProperties EnumerateDeviceExtensionProperties;
    PFN_vkGetPhysicalDeviceVideoCapabilitiesKHR GetPhysicalDeviceVideoCapabilitiesKHR;
    PFN_vkGetPhysicalDeviceVideoFormatPropertiesKHR GetPhysicalDeviceVideoFormatPropertiesKHR;
    PFN_vkGetPhysicalDeviceVideoEncodeQualityLevelPropertiesKHR
        GetPhysicalDeviceVideoEncodeQualityLevelPropertiesKHR;
};

/* Opens the loader and looks for the device whose driver is called "Reelpipe". Returns NULL, or
 * what is wrong as a sentence; vk can be asked (and closed) as far as it got. */
const char *info_vulkan_open(struct info_vulkan *vk);
void info_vulkan_close(struct info_vulkan *vk);

/* Branches of the tree; the caller owns them. */
cJSON *info_loader(const struct info_vulkan *vk);
/* The layer, and the devices that it would lend queues to. Changes the environment: to be asked
 * last. */
cJSON *info_layer(const struct info_vulkan *vk);
cJSON *info_device(const struct info_vulkan *vk);
cJSON *info_queues(const struct info_vulkan *vk);
cJSON *info_extensions(const struct info_vulkan *vk);
cJSON *info_features(const struct info_vulkan *vk);
cJSON *info_formats(const struct info_vulkan *vk);
cJSON *info_video(const struct info_vulkan *vk);

/* Adds the names of the set bits, without the common prefix, as an array called key. */
struct info_bit {
    uint64_t bit;
    const char *name;
};
void info_add_bits(cJSON *node, const char *key, uint64_t value, const struct info_bit *bits,
                   uint32_t count);

/* Adds "W x H". */
void info_add_extent(cJSON *node, const char *key, VkExtent2D extent);

/* The human view. */
void info_print(const cJSON *tree);

#endif

/* SPDX-License-Identifier: MIT */
/* The device, its queue families, extensions and formats.
 */
#include "info.h"

#include "format/format.h"

#include <stdio.h>
#include <stdlib.h>

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof((array)[0]))

void
info_add_bits(cJSON *node, const char *key, uint64_t value, const struct info_bit *bits,
              uint32_t count)
{
    cJSON *array = cJSON_AddArrayToObject(node, key);
    for (uint32_t i = 0; i < count; i++)
        if (value & bits[i].bit)
            cJSON_AddItemToArray(array, cJSON_CreateString(bits[i].name));
}

void
info_add_extent(cJSON *node, const char *key, VkExtent2D extent)
{
    char text[48];
    (void)snprintf(text, sizeof(text), "%ux%u", extent.width, extent.height);
    cJSON_AddStringToObject(node, key, text);
}

static void
add_version(cJSON *node, const char *key, uint32_t version)
{
    char text[48];
    (void)snprintf(text, sizeof(text), "%u.%u.%u", VK_API_VERSION_MAJOR(version),
                   VK_API_VERSION_MINOR(version), VK_API_VERSION_PATCH(version));
    cJSON_AddStringToObject(node, key, text);
}

static void
add_uuid(cJSON *node, const char *key, const uint8_t uuid[VK_UUID_SIZE])
{
    char text[2 * VK_UUID_SIZE + 1];
    for (uint32_t i = 0; i < VK_UUID_SIZE; i++)
        (void)snprintf(text + 2 * (size_t)i, 3, "%02x", uuid[i]);
    cJSON_AddStringToObject(node, key, text);
}

static void
add_memory(const struct info_vulkan *vk, cJSON *node)
{
    VkPhysicalDeviceMemoryBudgetPropertiesEXT budget = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
    VkPhysicalDeviceMemoryProperties2 memory = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2, .pNext = &budget};

    vk->GetPhysicalDeviceMemoryProperties2(vk->device, &memory);
    cJSON_AddNumberToObject(node, "heap_MiB",
                            (double)(memory.memoryProperties.memoryHeaps[0].size >> 20));
    if (budget.heapBudget[0])
        cJSON_AddNumberToObject(node, "budget_MiB", (double)(budget.heapBudget[0] >> 20));
}

cJSON *
info_device(const struct info_vulkan *vk)
{
    cJSON *node = cJSON_CreateObject();
    VkPhysicalDeviceIDProperties id = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES};
    VkPhysicalDeviceDriverProperties driver = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES, .pNext = &id};
    VkPhysicalDeviceProperties2 props = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                         .pNext = &driver};

    vk->GetPhysicalDeviceProperties2(vk->device, &props);
    cJSON_AddStringToObject(node, "name", props.properties.deviceName);
    cJSON_AddStringToObject(node, "driver", driver.driverInfo);
    add_version(node, "api_version", props.properties.apiVersion);
    add_version(node, "driver_version", props.properties.driverVersion);
    add_memory(vk, node);
    add_uuid(node, "device_uuid", id.deviceUUID);
    add_uuid(node, "driver_uuid", id.driverUUID);
    return node;
}

static const struct info_bit queue_bits[] = {
    {VK_QUEUE_GRAPHICS_BIT, "graphics"},
    {VK_QUEUE_COMPUTE_BIT, "compute"},
    {VK_QUEUE_TRANSFER_BIT, "transfer"},
    {VK_QUEUE_VIDEO_DECODE_BIT_KHR, "video decode"},
    {VK_QUEUE_VIDEO_ENCODE_BIT_KHR, "video encode"},
};

static const struct info_bit codec_bits[] = {
    {VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR, "encode H.264"},
    {VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR, "encode H.265"},
    {VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR, "encode AV1"},
    {VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR, "decode H.264"},
    {VK_VIDEO_CODEC_OPERATION_DECODE_H265_BIT_KHR, "decode H.265"},
    {VK_VIDEO_CODEC_OPERATION_DECODE_AV1_BIT_KHR, "decode AV1"},
    {VK_VIDEO_CODEC_OPERATION_DECODE_VP9_BIT_KHR, "decode VP9"},
};

cJSON *
info_queues(const struct info_vulkan *vk)
{
    enum { MAX_FAMILIES = 8 };
    VkQueueFamilyVideoPropertiesKHR video[MAX_FAMILIES];
    VkQueueFamilyProperties2 families[MAX_FAMILIES];
    uint32_t count = MAX_FAMILIES;
    cJSON *array = cJSON_CreateArray();

    for (uint32_t i = 0; i < MAX_FAMILIES; i++) {
        video[i] = (VkQueueFamilyVideoPropertiesKHR){
            .sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_VIDEO_PROPERTIES_KHR};
        families[i] = (VkQueueFamilyProperties2){
            .sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_PROPERTIES_2, .pNext = &video[i]};
    }
    vk->GetPhysicalDeviceQueueFamilyProperties2(vk->device, &count, families);
    for (uint32_t i = 0; i < count; i++) {
        cJSON *node = cJSON_CreateObject();
        cJSON_AddNumberToObject(node, "family", i);
        cJSON_AddNumberToObject(node, "queues", families[i].queueFamilyProperties.queueCount);
        info_add_bits(node, "can", families[i].queueFamilyProperties.queueFlags, queue_bits,
                      COUNT(queue_bits));
        info_add_bits(node, "codecs", video[i].videoCodecOperations, codec_bits, COUNT(codec_bits));
        cJSON_AddItemToArray(array, node);
    }
    return array;
}

cJSON *
info_extensions(const struct info_vulkan *vk)
{
    cJSON *array = cJSON_CreateArray();
    uint32_t count = 0;

    vk->EnumerateDeviceExtensionProperties(vk->device, NULL, &count, NULL);
    VkExtensionProperties *extensions = calloc(count ? count : 1, sizeof(*extensions));
    if (extensions)
        vk->EnumerateDeviceExtensionProperties(vk->device, NULL, &count, extensions);
    for (uint32_t i = 0; extensions && i < count; i++)
        cJSON_AddItemToArray(array, cJSON_CreateString(extensions[i].extensionName));
    free(extensions);
    return array;
}

static const struct info_bit format_bits[] = {
    {VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT, "sampled"},
    {VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT, "linear filter"},
    {VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT, "storage"},
    {VK_FORMAT_FEATURE_STORAGE_IMAGE_ATOMIC_BIT, "storage atomic"},
    {VK_FORMAT_FEATURE_TRANSFER_SRC_BIT, "transfer src"},
    {VK_FORMAT_FEATURE_TRANSFER_DST_BIT, "transfer dst"},
    {VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT, "uniform texels"},
    {VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT, "storage texels"},
    {VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_ATOMIC_BIT, "storage texels atomic"},
    {VK_FORMAT_FEATURE_VIDEO_ENCODE_INPUT_BIT_KHR, "encode input"},
    {VK_FORMAT_FEATURE_VIDEO_ENCODE_DPB_BIT_KHR, "encode DPB"},
    {VK_FORMAT_FEATURE_VIDEO_DECODE_OUTPUT_BIT_KHR, "decode output"},
    {VK_FORMAT_FEATURE_VIDEO_DECODE_DPB_BIT_KHR, "decode DPB"},
};

cJSON *
info_formats(const struct info_vulkan *vk)
{
    cJSON *node = cJSON_CreateObject();
    uint32_t count;
    const struct rp_format *all = rp_format_all(&count);

    for (uint32_t i = 0; i < count; i++) {
        VkFormatProperties2 props = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2};
        vk->GetPhysicalDeviceFormatProperties2(vk->device, all[i].vk, &props);
        const VkFormatProperties *p = &props.formatProperties;
        if (!(p->optimalTilingFeatures | p->linearTilingFeatures | p->bufferFeatures))
            continue;
        cJSON *format = cJSON_AddObjectToObject(node, all[i].name);
        info_add_bits(format, "optimal", p->optimalTilingFeatures, format_bits, COUNT(format_bits));
        info_add_bits(format, "linear", p->linearTilingFeatures, format_bits, COUNT(format_bits));
        info_add_bits(format, "buffer", p->bufferFeatures, format_bits, COUNT(format_bits));
    }
    return node;
}

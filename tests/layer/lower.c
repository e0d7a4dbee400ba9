/* SPDX-License-Identifier: MIT */
/* A driver for tests of the layer: ours without its video, which ends the program when it is shown
 * anything of video. REELPIPE_TEST_LOWER=single gives it one family with one queue.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

#define EXPORT __attribute__((visibility("default"))) VKAPI_ATTR
#define FAMILIES 2

#define VIDEO_IMAGES \
    (VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR | VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR | \
     VK_IMAGE_USAGE_VIDEO_ENCODE_DST_BIT_KHR | VK_IMAGE_USAGE_VIDEO_DECODE_SRC_BIT_KHR | \
     VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR | VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR)
#define VIDEO_BUFFERS \
    (VK_BUFFER_USAGE_VIDEO_ENCODE_SRC_BIT_KHR | VK_BUFFER_USAGE_VIDEO_ENCODE_DST_BIT_KHR | \
     VK_BUFFER_USAGE_VIDEO_DECODE_SRC_BIT_KHR | VK_BUFFER_USAGE_VIDEO_DECODE_DST_BIT_KHR)
#define VIDEO_FEATURES \
    (VK_FORMAT_FEATURE_2_VIDEO_ENCODE_INPUT_BIT_KHR | \
     VK_FORMAT_FEATURE_2_VIDEO_ENCODE_DPB_BIT_KHR | \
     VK_FORMAT_FEATURE_2_VIDEO_DECODE_OUTPUT_BIT_KHR | \
     VK_FORMAT_FEATURE_2_VIDEO_DECODE_DPB_BIT_KHR)
#define VIDEO_STAGES \
    (VK_PIPELINE_STAGE_2_VIDEO_ENCODE_BIT_KHR | VK_PIPELINE_STAGE_2_VIDEO_DECODE_BIT_KHR)

#define REQUIRE(condition) \
    do { \
        if (!(condition)) { \
            (void)fprintf(stderr, "the lower device: %s\n", #condition); \
            abort(); \
        } \
    } while (0)

/* The driver's functions; the tests have one instance and one device at a time. */
static PFN_vkGetInstanceProcAddr get_instance;
static VkInstance instance;
static PFN_vkGetDeviceProcAddr get_device;
static VkDevice device;

#define INSTANCE_CALL(name) ((PFN_##name)get_instance(instance, #name))
#define DEVICE_CALL(name) ((PFN_##name)get_device(device, #name))

static bool
is_single(void)
{
    const char *mode = getenv("REELPIPE_TEST_LOWER");
    return mode && strcmp(mode, "single") == 0;
}

static void
driver_open(void)
{
    if (get_instance)
        return;
    void *library = dlopen(RP_TEST_DRIVER, RTLD_NOW | RTLD_LOCAL);
    REQUIRE(library);
    void *symbol = dlsym(library, "vk_icdGetInstanceProcAddr");
    memcpy(&get_instance, &symbol, sizeof(get_instance));
}

static const void *
find(const void *chain, VkStructureType type)
{
    const VkBaseInStructure *s = chain;
    while (s && s->sType != type)
        s = s->pNext;
    return s;
}

static VKAPI_ATTR VkResult VKAPI_CALL
create_instance(const VkInstanceCreateInfo *info, const VkAllocationCallbacks *alloc,
                VkInstance *out)
{
    const VkResult result =
        ((PFN_vkCreateInstance)get_instance(NULL, "vkCreateInstance"))(info, alloc, out);
    if (result == VK_SUCCESS)
        instance = *out;
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL
enumerate_extensions(VkPhysicalDevice pdev, const char *layer, uint32_t *count,
                     VkExtensionProperties *out)
{
    const PFN_vkEnumerateDeviceExtensionProperties enumerate =
        INSTANCE_CALL(vkEnumerateDeviceExtensionProperties);
    VkExtensionProperties all[256];
    uint32_t there = 256;
    uint32_t n = 0;

    enumerate(pdev, layer, &there, all);
    for (uint32_t i = 0; i < there; i++) {
        if (strstr(all[i].extensionName, "video"))
            continue;
        if (out && n < *count)
            out[n] = all[i];
        n++;
    }
    const bool is_short = out && *count < n;
    *count = is_short ? *count : n;
    return is_short ? VK_INCOMPLETE : VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL
get_families2(VkPhysicalDevice pdev, uint32_t *count, VkQueueFamilyProperties2 *out)
{
    const uint32_t total = is_single() ? 1 : FAMILIES;

    if (!out) {
        *count = total;
        return;
    }
    *count = *count < total ? *count : total;
    INSTANCE_CALL(vkGetPhysicalDeviceQueueFamilyProperties2)(pdev, count, out);
    if (is_single() && *count > 0)
        out[0].queueFamilyProperties.queueCount = 1;
}

static VKAPI_ATTR void VKAPI_CALL
get_families(VkPhysicalDevice pdev, uint32_t *count, VkQueueFamilyProperties *out)
{
    VkQueueFamilyProperties2 families[FAMILIES] = {
        {.sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_PROPERTIES_2},
        {.sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_PROPERTIES_2},
    };

    get_families2(pdev, count, out ? families : NULL);
    for (uint32_t i = 0; out && i < *count; i++)
        out[i] = families[i].queueFamilyProperties;
}

static VKAPI_ATTR void VKAPI_CALL
get_features2(VkPhysicalDevice pdev, VkPhysicalDeviceFeatures2 *out)
{
    INSTANCE_CALL(vkGetPhysicalDeviceFeatures2)(pdev, out);
    for (VkBaseOutStructure *s = out->pNext; s; s = s->pNext) {
        switch ((int)s->sType) {
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_MAINTENANCE_1_FEATURES_KHR:
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_MAINTENANCE_2_FEATURES_KHR:
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_ENCODE_INTRA_REFRESH_FEATURES_KHR:
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_ENCODE_FEEDBACK_2_FEATURES_KHR:
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_ENCODE_RGB_CONVERSION_FEATURES_VALVE:
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_ENCODE_QUANTIZATION_MAP_FEATURES_KHR:
            /* Each has one feature, and is of one size. */
            ((VkPhysicalDeviceVideoMaintenance1FeaturesKHR *)s)->videoMaintenance1 = VK_FALSE;
            break;
        default:
            break;
        }
    }
}

static VKAPI_ATTR void VKAPI_CALL
get_format2(VkPhysicalDevice pdev, VkFormat format, VkFormatProperties2 *out)
{
    INSTANCE_CALL(vkGetPhysicalDeviceFormatProperties2)(pdev, format, out);
    out->formatProperties.linearTilingFeatures &= ~(VkFormatFeatureFlags)VIDEO_FEATURES;
    out->formatProperties.optimalTilingFeatures &= ~(VkFormatFeatureFlags)VIDEO_FEATURES;
    VkFormatProperties3 *more =
        (VkFormatProperties3 *)(uintptr_t)find(out->pNext, VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3);
    if (more) {
        more->linearTilingFeatures &= ~VIDEO_FEATURES;
        more->optimalTilingFeatures &= ~VIDEO_FEATURES;
    }
}

static VKAPI_ATTR void VKAPI_CALL
get_format(VkPhysicalDevice pdev, VkFormat format, VkFormatProperties *out)
{
    VkFormatProperties2 properties = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2};
    get_format2(pdev, format, &properties);
    *out = properties.formatProperties;
}

static VKAPI_ATTR VkResult VKAPI_CALL
get_image_format2(VkPhysicalDevice pdev, const VkPhysicalDeviceImageFormatInfo2 *info,
                  VkImageFormatProperties2 *out)
{
    REQUIRE(!(info->usage & VIDEO_IMAGES));
    REQUIRE(!find(info->pNext, VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR));
    return INSTANCE_CALL(vkGetPhysicalDeviceImageFormatProperties2)(pdev, info, out);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_proc(VkDevice dev, const char *name);

static VKAPI_ATTR VkResult VKAPI_CALL
create_device(VkPhysicalDevice pdev, const VkDeviceCreateInfo *info,
              const VkAllocationCallbacks *alloc, VkDevice *out)
{
    for (uint32_t i = 0; i < info->enabledExtensionCount; i++)
        REQUIRE(!strstr(info->ppEnabledExtensionNames[i], "video"));
    for (uint32_t i = 0; i < info->queueCreateInfoCount; i++) {
        const VkDeviceQueueCreateInfo *queues = &info->pQueueCreateInfos[i];
        REQUIRE(queues->queueFamilyIndex < (is_single() ? 1u : FAMILIES));
        REQUIRE(!is_single() || queues->queueCount == 1);
    }
    const VkResult result = INSTANCE_CALL(vkCreateDevice)(pdev, info, alloc, out);
    if (result == VK_SUCCESS) {
        device = *out;
        get_device = INSTANCE_CALL(vkGetDeviceProcAddr);
    }
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL
create_image(VkDevice dev, const VkImageCreateInfo *info, const VkAllocationCallbacks *alloc,
             VkImage *out)
{
    REQUIRE(!(info->usage & VIDEO_IMAGES));
    REQUIRE(!(info->flags & VK_IMAGE_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR));
    REQUIRE(!find(info->pNext, VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR));
    for (uint32_t i = 0; i < info->queueFamilyIndexCount; i++)
        REQUIRE(info->pQueueFamilyIndices[i] < FAMILIES);
    return DEVICE_CALL(vkCreateImage)(dev, info, alloc, out);
}

static VKAPI_ATTR VkResult VKAPI_CALL
create_buffer(VkDevice dev, const VkBufferCreateInfo *info, const VkAllocationCallbacks *alloc,
              VkBuffer *out)
{
    REQUIRE(!(info->usage & VIDEO_BUFFERS));
    REQUIRE(!(info->flags & VK_BUFFER_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR));
    REQUIRE(!find(info->pNext, VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR));
    for (uint32_t i = 0; i < info->queueFamilyIndexCount; i++)
        REQUIRE(info->pQueueFamilyIndices[i] < FAMILIES);
    return DEVICE_CALL(vkCreateBuffer)(dev, info, alloc, out);
}

static void
check_family(uint32_t family)
{
    REQUIRE(family < FAMILIES || family >= VK_QUEUE_FAMILY_FOREIGN_EXT);
}

static VKAPI_ATTR void VKAPI_CALL
cmd_pipeline_barrier2(VkCommandBuffer cb, const VkDependencyInfo *info)
{
    for (uint32_t i = 0; i < info->memoryBarrierCount; i++) {
        const VkMemoryBarrier2 *b = &info->pMemoryBarriers[i];
        REQUIRE(!((b->srcStageMask | b->dstStageMask) & VIDEO_STAGES));
    }
    for (uint32_t i = 0; i < info->bufferMemoryBarrierCount; i++) {
        const VkBufferMemoryBarrier2 *b = &info->pBufferMemoryBarriers[i];
        REQUIRE(!((b->srcStageMask | b->dstStageMask) & VIDEO_STAGES));
        check_family(b->srcQueueFamilyIndex);
        check_family(b->dstQueueFamilyIndex);
    }
    for (uint32_t i = 0; i < info->imageMemoryBarrierCount; i++) {
        const VkImageMemoryBarrier2 *b = &info->pImageMemoryBarriers[i];
        REQUIRE(!((b->srcStageMask | b->dstStageMask) & VIDEO_STAGES));
        REQUIRE(b->newLayout < VK_IMAGE_LAYOUT_VIDEO_DECODE_DST_KHR ||
                b->newLayout > VK_IMAGE_LAYOUT_VIDEO_DECODE_DPB_KHR);
        REQUIRE(b->newLayout < VK_IMAGE_LAYOUT_VIDEO_ENCODE_DST_KHR ||
                b->newLayout > VK_IMAGE_LAYOUT_VIDEO_ENCODE_DPB_KHR);
        check_family(b->srcQueueFamilyIndex);
        check_family(b->dstQueueFamilyIndex);
    }
    DEVICE_CALL(vkCmdPipelineBarrier2)(cb, info);
}

struct own {
    const char *name;
    PFN_vkVoidFunction function;
    bool is_device;
};

#define OWN(name, function, is_device) \
    { \
        name, (PFN_vkVoidFunction)(function), is_device \
    }

static const struct own own[] = {
    OWN("vkCreateInstance", create_instance, false),
    OWN("vkCreateDevice", create_device, false),
    OWN("vkGetDeviceProcAddr", device_proc, false),
    OWN("vkEnumerateDeviceExtensionProperties", enumerate_extensions, false),
    OWN("vkGetPhysicalDeviceQueueFamilyProperties", get_families, false),
    OWN("vkGetPhysicalDeviceQueueFamilyProperties2", get_families2, false),
    OWN("vkGetPhysicalDeviceQueueFamilyProperties2KHR", get_families2, false),
    OWN("vkGetPhysicalDeviceFeatures2", get_features2, false),
    OWN("vkGetPhysicalDeviceFeatures2KHR", get_features2, false),
    OWN("vkGetPhysicalDeviceFormatProperties", get_format, false),
    OWN("vkGetPhysicalDeviceFormatProperties2", get_format2, false),
    OWN("vkGetPhysicalDeviceFormatProperties2KHR", get_format2, false),
    OWN("vkGetPhysicalDeviceImageFormatProperties2", get_image_format2, false),
    OWN("vkGetPhysicalDeviceImageFormatProperties2KHR", get_image_format2, false),
    OWN("vkCreateImage", create_image, true),
    OWN("vkCreateBuffer", create_buffer, true),
    OWN("vkCmdPipelineBarrier2", cmd_pipeline_barrier2, true),
    OWN("vkCmdPipelineBarrier2KHR", cmd_pipeline_barrier2, true),
};

static PFN_vkVoidFunction
own_function(const char *name, bool is_device)
{
    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
        if (strcmp(own[i].name, name) == 0 && (own[i].is_device || !is_device))
            return own[i].function;
    }
    return NULL;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
device_proc(VkDevice dev, const char *name)
{
    if (strstr(name, "Video"))
        return NULL;
    const PFN_vkVoidFunction function = own_function(name, true);
    return function ? function : INSTANCE_CALL(vkGetDeviceProcAddr)(dev, name);
}

EXPORT VkResult VKAPI_CALL vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version);
EXPORT PFN_vkVoidFunction VKAPI_CALL vk_icdGetInstanceProcAddr(VkInstance handle, const char *name);
EXPORT PFN_vkVoidFunction VKAPI_CALL vk_icdGetPhysicalDeviceProcAddr(VkInstance handle,
                                                                     const char *name);

EXPORT VkResult VKAPI_CALL
vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version)
{
    driver_open();
    *version = *version < 5 ? *version : 5;
    return VK_SUCCESS;
}

EXPORT PFN_vkVoidFunction VKAPI_CALL
vk_icdGetInstanceProcAddr(VkInstance handle, const char *name)
{
    driver_open();
    if (strstr(name, "Video"))
        return NULL;
    const PFN_vkVoidFunction function = own_function(name, false);
    return function ? function : get_instance(handle, name);
}

EXPORT PFN_vkVoidFunction VKAPI_CALL
vk_icdGetPhysicalDeviceProcAddr(VkInstance handle, const char *name)
{
    if (strncmp(name, "vkGetPhysicalDevice", 19) != 0 &&
        strcmp(name, "vkEnumerateDeviceExtensionProperties") != 0)
        return NULL;
    return vk_icdGetInstanceProcAddr(handle, name);
}

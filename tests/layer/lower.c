/* SPDX-License-Identifier: MIT */
/* A driver for tests of the layer: ours without its video, which ends the program when it is shown
 * anything of video. REELPIPE_TEST_LOWER=single gives it one family with one queue; h264 leaves it
 * the video of H.264, and what is shown to it is that alone. With REELPIPE_TEST_LOWER_FAILS="lost
 * N" the N-th submission to a device finds it lost, and so do those behind it; with "memory N" it
 * alone fails.
 */
#include "lower.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAMILIES 2 /* in front of the video families */

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

struct lower lower;

static bool
is_mode(const char *name)
{
    const char *mode = getenv("REELPIPE_TEST_LOWER");
    return mode && strcmp(mode, name) == 0;
}

static bool
is_single(void)
{
    return is_mode("single");
}

bool
lower_has_h264(void)
{
    return is_mode("h264");
}

#define H264 \
    (VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR | VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR)

static uint32_t
family_total(void)
{
    return lower_has_h264() ? 2 * FAMILIES : is_single() ? 1 : FAMILIES;
}

static bool
is_hidden(const char *extension)
{
    const char *const others[] = {"av1", "h265", "vp9"};
    bool is_other = false;

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        is_other |= strstr(extension, others[i]) != NULL;
    return strstr(extension, "video") && (!lower_has_h264() || is_other);
}

const void *
lower_find(const void *chain, VkStructureType type)
{
    const VkBaseInStructure *s = chain;
    while (s && s->sType != type)
        s = s->pNext;
    return s;
}

static void
driver_open(void)
{
    if (lower.get_instance)
        return;
    void *library = dlopen(RP_TEST_DRIVER, RTLD_NOW | RTLD_LOCAL);
    REQUIRE(library);
    void *symbol = dlsym(library, "vk_icdGetInstanceProcAddr");
    memcpy(&lower.get_instance, &symbol, sizeof(lower.get_instance));
}

/* Extensions that the driver does not have: those of window systems. */
static const char *const surfaces[] = {
    VK_KHR_SURFACE_EXTENSION_NAME, VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME,
    "VK_KHR_xcb_surface",          "VK_KHR_xlib_surface",
    "VK_KHR_wayland_surface",
};
#define SURFACES (sizeof(surfaces) / sizeof(surfaces[0]))

static VKAPI_ATTR VkResult VKAPI_CALL
enumerate_instance(const char *layer, uint32_t *count, VkExtensionProperties *out)
{
    const PFN_vkEnumerateInstanceExtensionProperties enumerate =
        (PFN_vkEnumerateInstanceExtensionProperties)lower.get_instance(
            NULL, "vkEnumerateInstanceExtensionProperties");
    VkExtensionProperties all[64];
    uint32_t n = 64 - SURFACES;

    enumerate(layer, &n, all);
    for (size_t i = 0; i < SURFACES; i++) {
        (void)snprintf(all[n].extensionName, sizeof(all[n].extensionName), "%s", surfaces[i]);
        all[n++].specVersion = 1;
    }
    const bool is_short = out && *count < n;
    *count = is_short ? *count : n;
    if (out)
        memcpy(out, all, *count * sizeof(*out));
    return is_short ? VK_INCOMPLETE : VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL
create_instance(const VkInstanceCreateInfo *info, const VkAllocationCallbacks *alloc,
                VkInstance *out)
{
    VkInstanceCreateInfo own = *info;
    const char *names[16];

    own.enabledExtensionCount = 0;
    own.ppEnabledExtensionNames = names;
    for (uint32_t i = 0; i < info->enabledExtensionCount && i < 16; i++) {
        if (!strstr(info->ppEnabledExtensionNames[i], "_surface"))
            names[own.enabledExtensionCount++] = info->ppEnabledExtensionNames[i];
    }
    const VkResult result =
        ((PFN_vkCreateInstance)lower.get_instance(NULL, "vkCreateInstance"))(&own, alloc, out);
    if (result == VK_SUCCESS)
        lower.instance = *out;
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL
enumerate_extensions(VkPhysicalDevice pdev, const char *layer, uint32_t *count,
                     VkExtensionProperties *out)
{
    const PFN_vkEnumerateDeviceExtensionProperties enumerate =
        INSTANCE_CALL(vkEnumerateDeviceExtensionProperties);
    VkExtensionProperties all[256];
    uint32_t there = 255;
    uint32_t n = 0;

    enumerate(pdev, layer, &there, all);
    if (!layer) {
        all[there] = (VkExtensionProperties){.extensionName = VK_EXT_DEBUG_MARKER_EXTENSION_NAME};
        all[there++].specVersion = VK_EXT_DEBUG_MARKER_SPEC_VERSION;
    }
    for (uint32_t i = 0; i < there; i++) {
        if (is_hidden(all[i].extensionName))
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
    const uint32_t total = family_total();

    if (!out) {
        *count = total;
        return;
    }
    *count = *count < total ? *count : total;
    INSTANCE_CALL(vkGetPhysicalDeviceQueueFamilyProperties2)(pdev, count, out);
    if (is_single() && *count > 0)
        out[0].queueFamilyProperties.queueCount = 1;
    for (uint32_t i = 0; i < *count; i++) {
        VkQueueFamilyVideoPropertiesKHR *video =
            (VkQueueFamilyVideoPropertiesKHR *)(uintptr_t)lower_find(
                out[i].pNext, VK_STRUCTURE_TYPE_QUEUE_FAMILY_VIDEO_PROPERTIES_KHR);
        if (video)
            video->videoCodecOperations &= H264;
    }
}

static VKAPI_ATTR void VKAPI_CALL
get_families(VkPhysicalDevice pdev, uint32_t *count, VkQueueFamilyProperties *out)
{
    VkQueueFamilyProperties2 families[2 * FAMILIES] = {
        {.sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_PROPERTIES_2},
        {.sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_PROPERTIES_2},
        {.sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_PROPERTIES_2},
        {.sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_PROPERTIES_2},
    };

    *count = *count < 2 * FAMILIES ? *count : 2 * FAMILIES;
    get_families2(pdev, count, out ? families : NULL);
    for (uint32_t i = 0; out && i < *count; i++)
        out[i] = families[i].queueFamilyProperties;
}

/* Whether the structure is one of video's features, and the feature is one that this device has
 * not. */
static bool
is_missing_feature(VkStructureType type)
{
    switch ((int)type) {
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_ENCODE_AV1_FEATURES_KHR:
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_DECODE_VP9_FEATURES_KHR:
        return true;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_MAINTENANCE_1_FEATURES_KHR:
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_MAINTENANCE_2_FEATURES_KHR:
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_ENCODE_INTRA_REFRESH_FEATURES_KHR:
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_ENCODE_FEEDBACK_2_FEATURES_KHR:
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_ENCODE_RGB_CONVERSION_FEATURES_VALVE:
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_ENCODE_QUANTIZATION_MAP_FEATURES_KHR:
        return !lower_has_h264();
    default:
        return false;
    }
}

/* Each of those structures has one feature, and is of one size. */
typedef VkPhysicalDeviceVideoMaintenance1FeaturesKHR video_feature;

static VKAPI_ATTR void VKAPI_CALL
get_features2(VkPhysicalDevice pdev, VkPhysicalDeviceFeatures2 *out)
{
    INSTANCE_CALL(vkGetPhysicalDeviceFeatures2)(pdev, out);
    for (VkBaseOutStructure *s = out->pNext; s; s = s->pNext) {
        if (is_missing_feature(s->sType))
            ((video_feature *)s)->videoMaintenance1 = VK_FALSE;
    }
}

static VKAPI_ATTR void VKAPI_CALL
get_format2(VkPhysicalDevice pdev, VkFormat format, VkFormatProperties2 *out)
{
    INSTANCE_CALL(vkGetPhysicalDeviceFormatProperties2)(pdev, format, out);
    if (lower_has_h264())
        return;
    out->formatProperties.linearTilingFeatures &= ~(VkFormatFeatureFlags)VIDEO_FEATURES;
    out->formatProperties.optimalTilingFeatures &= ~(VkFormatFeatureFlags)VIDEO_FEATURES;
    VkFormatProperties3 *more = (VkFormatProperties3 *)(uintptr_t)lower_find(
        out->pNext, VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3);
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

/* Profiles are those of the driver's own codec; without it there is no usage for video. */
static void
check_video(const void *chain, bool is_video, bool is_independent)
{
    const VkVideoProfileListInfoKHR *list =
        lower_find(chain, VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR);

    REQUIRE(lower_has_h264() || (!is_video && !is_independent && !list));
    REQUIRE(!is_independent || is_video);
    REQUIRE(!is_video || is_independent || (list && list->profileCount > 0));
    for (uint32_t i = 0; list && i < list->profileCount; i++)
        REQUIRE(list->pProfiles[i].videoCodecOperation & H264);
}

static VKAPI_ATTR VkResult VKAPI_CALL
get_image_format2(VkPhysicalDevice pdev, const VkPhysicalDeviceImageFormatInfo2 *info,
                  VkImageFormatProperties2 *out)
{
    check_video(info->pNext, info->usage & VIDEO_IMAGES,
                info->flags & VK_IMAGE_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR);
    return INSTANCE_CALL(vkGetPhysicalDeviceImageFormatProperties2)(pdev, info, out);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_proc(VkDevice dev, const char *name);

static atomic_long submits; /* of the device */
static long failing_submit; /* 0: none */
static bool is_loss;

static void
read_failure(void)
{
    const char *setting = getenv("REELPIPE_TEST_LOWER_FAILS");
    const char *number = setting ? strchr(setting, ' ') : NULL;

    failing_submit = number ? strtol(number, NULL, 10) : 0;
    is_loss = setting && strncmp(setting, "lost", 4) == 0;
    atomic_store(&submits, 0);
}

uint32_t
lower_submit_count(void)
{
    return (uint32_t)atomic_load(&submits);
}

static VKAPI_ATTR VkResult VKAPI_CALL
queue_submit2(VkQueue queue, uint32_t count, const VkSubmitInfo2 *infos, VkFence fence)
{
    const long n = atomic_fetch_add(&submits, 1) + 1;

    lower_gate_pass(GATE_SUBMIT);
    if (failing_submit > 0 && (n == failing_submit || (n > failing_submit && is_loss)))
        return is_loss ? VK_ERROR_DEVICE_LOST : VK_ERROR_OUT_OF_HOST_MEMORY;
    return DEVICE_CALL(vkQueueSubmit2)(queue, count, infos, fence);
}

static VKAPI_ATTR VkResult VKAPI_CALL
signal_semaphore(VkDevice dev, const VkSemaphoreSignalInfo *info)
{
    uint64_t value;

    lower_gate_pass(GATE_SIGNAL_FIRST);
    REQUIRE(DEVICE_CALL(vkGetSemaphoreCounterValue)(dev, info->semaphore, &value) == VK_SUCCESS);
    REQUIRE(value < info->value);
    const VkResult result = DEVICE_CALL(vkSignalSemaphore)(dev, info);
    lower_gate_pass(GATE_SIGNAL);
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL
create_device(VkPhysicalDevice pdev, const VkDeviceCreateInfo *info,
              const VkAllocationCallbacks *alloc, VkDevice *out)
{
    VkDeviceCreateInfo own = *info;
    const char *names[256];

    for (const VkBaseInStructure *s = info->pNext; s; s = s->pNext) {
        if (is_missing_feature(s->sType) && ((const video_feature *)s)->videoMaintenance1)
            return VK_ERROR_FEATURE_NOT_PRESENT;
    }
    own.enabledExtensionCount = 0;
    own.ppEnabledExtensionNames = names;
    for (uint32_t i = 0; i < info->enabledExtensionCount && i < 256; i++) {
        REQUIRE(!is_hidden(info->ppEnabledExtensionNames[i]));
        if (strcmp(info->ppEnabledExtensionNames[i], VK_EXT_DEBUG_MARKER_EXTENSION_NAME) != 0)
            names[own.enabledExtensionCount++] = info->ppEnabledExtensionNames[i];
    }
    for (uint32_t i = 0; i < info->queueCreateInfoCount; i++) {
        const VkDeviceQueueCreateInfo *queues = &info->pQueueCreateInfos[i];
        REQUIRE(queues->queueFamilyIndex < family_total());
        REQUIRE(!is_single() || queues->queueCount == 1);
    }
    read_failure();
    const VkResult result = INSTANCE_CALL(vkCreateDevice)(pdev, &own, alloc, out);
    if (result == VK_SUCCESS) {
        lower.device = *out;
        lower.get_device = INSTANCE_CALL(vkGetDeviceProcAddr);
    }
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL
create_image(VkDevice dev, const VkImageCreateInfo *info, const VkAllocationCallbacks *alloc,
             VkImage *out)
{
    check_video(info->pNext, info->usage & VIDEO_IMAGES,
                info->flags & VK_IMAGE_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR);
    for (uint32_t i = 0; i < info->queueFamilyIndexCount; i++)
        REQUIRE(info->pQueueFamilyIndices[i] < family_total());
    return DEVICE_CALL(vkCreateImage)(dev, info, alloc, out);
}

static VKAPI_ATTR VkResult VKAPI_CALL
create_buffer(VkDevice dev, const VkBufferCreateInfo *info, const VkAllocationCallbacks *alloc,
              VkBuffer *out)
{
    check_video(info->pNext, info->usage & VIDEO_BUFFERS,
                info->flags & VK_BUFFER_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR);
    for (uint32_t i = 0; i < info->queueFamilyIndexCount; i++)
        REQUIRE(info->pQueueFamilyIndices[i] < family_total());
    return DEVICE_CALL(vkCreateBuffer)(dev, info, alloc, out);
}

/* What nobody has written yet is not zero. */
static VKAPI_ATTR VkResult VKAPI_CALL
allocate_memory(VkDevice dev, const VkMemoryAllocateInfo *info, const VkAllocationCallbacks *alloc,
                VkDeviceMemory *out)
{
    const VkResult result = DEVICE_CALL(vkAllocateMemory)(dev, info, alloc, out);
    void *map;

    if (result != VK_SUCCESS ||
        lower_find(info->pNext, VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR) ||
        lower_find(info->pNext, VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT))
        return result;
    if (DEVICE_CALL(vkMapMemory)(dev, *out, 0, VK_WHOLE_SIZE, 0, &map) == VK_SUCCESS) {
        memset(map, 0xdd, info->allocationSize);
        DEVICE_CALL(vkUnmapMemory)(dev, *out);
    }
    return result;
}

void
lower_check_family(uint32_t family)
{
    REQUIRE(family < family_total() || family >= VK_QUEUE_FAMILY_FOREIGN_EXT);
}

static VKAPI_ATTR VkResult VKAPI_CALL
create_command_pool(VkDevice dev, const VkCommandPoolCreateInfo *info,
                    const VkAllocationCallbacks *alloc, VkCommandPool *out)
{
    lower_check_family(info->queueFamilyIndex);
    return DEVICE_CALL(vkCreateCommandPool)(dev, info, alloc, out);
}

static VKAPI_ATTR VkResult VKAPI_CALL
create_session(VkDevice dev, const VkVideoSessionCreateInfoKHR *info,
               const VkAllocationCallbacks *alloc, VkVideoSessionKHR *out)
{
    REQUIRE(info->queueFamilyIndex < family_total());
    REQUIRE(info->pVideoProfile->videoCodecOperation & H264);
    return DEVICE_CALL(vkCreateVideoSessionKHR)(dev, info, alloc, out);
}

static VKAPI_ATTR VkResult VKAPI_CALL
get_video_formats(VkPhysicalDevice pdev, const VkPhysicalDeviceVideoFormatInfoKHR *info,
                  uint32_t *count, VkVideoFormatPropertiesKHR *out)
{
    check_video(info->pNext, true, false);
    return INSTANCE_CALL(vkGetPhysicalDeviceVideoFormatPropertiesKHR)(pdev, info, count, out);
}

static VKAPI_ATTR VkResult VKAPI_CALL
get_video_capabilities(VkPhysicalDevice pdev, const VkVideoProfileInfoKHR *profile,
                       VkVideoCapabilitiesKHR *out)
{
    REQUIRE(profile->videoCodecOperation & H264);
    return INSTANCE_CALL(vkGetPhysicalDeviceVideoCapabilitiesKHR)(pdev, profile, out);
}

static const struct lower_own own[] = {
    OWN("vkCreateInstance", create_instance, false),
    OWN("vkEnumerateInstanceExtensionProperties", enumerate_instance, false),
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
    OWN("vkGetPhysicalDeviceVideoFormatPropertiesKHR", get_video_formats, false),
    OWN("vkGetPhysicalDeviceVideoCapabilitiesKHR", get_video_capabilities, false),
    OWN("vkCreateVideoSessionKHR", create_session, true),
    OWN("vkQueueSubmit2", queue_submit2, true),
    OWN("vkQueueSubmit2KHR", queue_submit2, true),
    OWN("vkSignalSemaphore", signal_semaphore, true),
    OWN("vkSignalSemaphoreKHR", signal_semaphore, true),
    OWN("vkCreateCommandPool", create_command_pool, true),
    OWN("vkAllocateMemory", allocate_memory, true),
    OWN("vkCreateImage", create_image, true),
    OWN("vkCreateBuffer", create_buffer, true),
};

PFN_vkVoidFunction
lower_own_function(const struct lower_own *table, size_t count, const char *name, bool is_device)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(table[i].name, name) == 0 && (table[i].is_device || !is_device))
            return table[i].function;
    }
    return NULL;
}

static PFN_vkVoidFunction
own_function(const char *name, bool is_device)
{
    const PFN_vkVoidFunction function =
        lower_own_function(own, sizeof(own) / sizeof(own[0]), name, is_device);
    if (function)
        return function;
    const PFN_vkVoidFunction command = lower_command_function(name, is_device);
    const PFN_vkVoidFunction foreign = lower_foreign_function(name, is_device);
    return command ? command : foreign ? foreign : lower_presentation_function(name, is_device);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
device_proc(VkDevice dev, const char *name)
{
    if (strstr(name, "Video") && !lower_has_h264())
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
    if (strstr(name, "Video") && !lower_has_h264())
        return NULL;
    const PFN_vkVoidFunction function = own_function(name, false);
    return function ? function : lower.get_instance(handle, name);
}

EXPORT PFN_vkVoidFunction VKAPI_CALL
vk_icdGetPhysicalDeviceProcAddr(VkInstance handle, const char *name)
{
    if (strncmp(name, "vkGetPhysicalDevice", 19) != 0 &&
        strcmp(name, "vkEnumerateDeviceExtensionProperties") != 0)
        return NULL;
    return vk_icdGetInstanceProcAddr(handle, name);
}

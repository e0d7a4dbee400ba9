/* SPDX-License-Identifier: MIT */
/* Instance, device, queues. */
#include "tools/encode/gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAX_DEVICES 32
#define MAX_FAMILIES 32

static void
instance_create(struct gpu *gpu)
{
    const VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .pApplicationName = "reelpipe-encode",
        .apiVersion = VK_API_VERSION_1_3,
    };
    const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pApplicationInfo = &application,
    };
    uint32_t version;

    vk_open(&gpu->vk);
    vk_check(gpu->vk.EnumerateInstanceVersion(&version), "vkEnumerateInstanceVersion");
    if (version < VK_API_VERSION_1_3)
        die("the Vulkan loader is older than 1.3");
    vk_check(gpu->vk.CreateInstance(&info, NULL, &gpu->instance), "vkCreateInstance");
    vk_resolve_instance(&gpu->vk, gpu->instance);
}

static bool
has_extensions(struct gpu *gpu, VkPhysicalDevice physical_device, const struct gpu_work *work)
{
    VkExtensionProperties *extensions;
    uint32_t count = 0;
    uint32_t found = 0;

    vk_check(gpu->vk.EnumerateDeviceExtensionProperties(physical_device, NULL, &count, NULL),
             "vkEnumerateDeviceExtensionProperties");
    extensions = calloc(count + 1, sizeof(*extensions));
    if (!extensions)
        die("out of memory");
    vk_check(gpu->vk.EnumerateDeviceExtensionProperties(physical_device, NULL, &count, extensions),
             "vkEnumerateDeviceExtensionProperties");
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < work->extension_count; k++)
            found += strcmp(extensions[i].extensionName, work->extensions[k]) == 0;
    }
    free(extensions);
    return found == work->extension_count;
}

/* Sets the two families; false when the device has no queue for the work. */
static bool
find_families(struct gpu *gpu, VkPhysicalDevice physical_device, const struct gpu_work *work)
{
    VkQueueFamilyVideoPropertiesKHR video[MAX_FAMILIES];
    VkQueueFamilyProperties2 families[MAX_FAMILIES];
    /* Graphics and compute families can copy whether they say so or not. */
    const VkQueueFlags copies =
        VK_QUEUE_TRANSFER_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_GRAPHICS_BIT;
    uint32_t count = MAX_FAMILIES;
    bool has_work = false;
    bool has_copy = false;

    for (uint32_t i = 0; i < MAX_FAMILIES; i++) {
        video[i] = (VkQueueFamilyVideoPropertiesKHR){
            .sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_VIDEO_PROPERTIES_KHR,
        };
        families[i] = (VkQueueFamilyProperties2){
            .sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_PROPERTIES_2,
            .pNext = &video[i],
        };
    }
    gpu->vk.GetPhysicalDeviceQueueFamilyProperties2(physical_device, &count, families);
    for (uint32_t i = 0; i < count && !has_work; i++) {
        if (families[i].queueFamilyProperties.queueFlags & work->queue_flags &&
            (video[i].videoCodecOperations & work->codec_operations) == work->codec_operations) {
            gpu->family = i;
            has_work = true;
        }
    }
    if (!has_work)
        return false;
    /* The copies' queue is of another family if there is one: copies on the same queue may wait for
     * pictures. */
    for (uint32_t i = 1; i <= count && !has_copy; i++) {
        const uint32_t family = (gpu->family + i) % count;
        if (families[family].queueFamilyProperties.queueFlags & copies) {
            gpu->copy_family = family;
            has_copy = true;
        }
    }
    return has_copy;
}

static bool
can_work(struct gpu *gpu, VkPhysicalDevice physical_device, const struct gpu_work *work)
{
    VkPhysicalDeviceProperties properties;

    gpu->vk.GetPhysicalDeviceProperties(physical_device, &properties);
    return properties.apiVersion >= VK_API_VERSION_1_3 &&
           has_extensions(gpu, physical_device, work) && find_families(gpu, physical_device, work);
}

/* Whether text holds part, in small letters or capitals. */
static bool
has_part(const char *text, const char *part)
{
    const size_t length = strlen(part);
    for (; strlen(text) >= length; text++) {
        if (strncasecmp(text, part, length) == 0)
            return true;
    }
    return false;
}

static bool
is_wanted(uint32_t index, const char *name, const char *wanted)
{
    char text[16];

    if (!wanted)
        return true;
    snprintf(text, sizeof(text), "%u", index);
    return strcmp(wanted, text) == 0 || has_part(name, wanted);
}

static uint32_t
enumerate(struct gpu *gpu, VkPhysicalDevice devices[MAX_DEVICES])
{
    uint32_t count = MAX_DEVICES;
    const VkResult result = gpu->vk.EnumeratePhysicalDevices(gpu->instance, &count, devices);

    if (result != VK_INCOMPLETE)
        vk_check(result, "vkEnumeratePhysicalDevices");
    return count;
}

static void
physical_device_choose(struct gpu *gpu, const char *wanted, const struct gpu_work *work)
{
    VkPhysicalDevice devices[MAX_DEVICES];
    const uint32_t count = enumerate(gpu, devices);

    for (uint32_t i = 0; i < count; i++) {
        gpu->vk.GetPhysicalDeviceProperties(devices[i], &gpu->properties);
        if (is_wanted(i, gpu->properties.deviceName, wanted) && can_work(gpu, devices[i], work)) {
            gpu->physical_device = devices[i];
            gpu->vk.GetPhysicalDeviceMemoryProperties(devices[i], &gpu->memory);
            return;
        }
    }
    die("no device%s%s %s (of %u)", wanted ? " like " : "", wanted ? wanted : "", work->verb,
        count);
}

static void
device_create(struct gpu *gpu, const struct gpu_work *work, uint32_t queue_count)
{
    static const float priorities[GPU_MAX_QUEUES] = {1.0f, 1.0f, 1.0f, 1.0f};
    const uint32_t families[] = {gpu->family, gpu->copy_family};
    VkDeviceQueueCreateInfo queues[2];
    VkPhysicalDeviceVideoEncodeAV1FeaturesKHR feature = {
        /* all of one member are the same */
        .sType = work->feature,
        .videoEncodeAV1 = VK_TRUE,
    };
    VkPhysicalDeviceVulkan13Features features13 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
        .pNext = work->feature ? &feature : NULL,
        .synchronization2 = VK_TRUE,
    };
    VkPhysicalDeviceVulkan12Features features12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .pNext = &features13,
        .timelineSemaphore = VK_TRUE,
    };
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &features12,
        .queueCreateInfoCount = gpu->copy_family == gpu->family ? 1 : 2,
        .pQueueCreateInfos = queues,
        .enabledExtensionCount = work->extension_count,
        .ppEnabledExtensionNames = work->extensions,
    };

    for (uint32_t i = 0; i < 2; i++) {
        queues[i] = (VkDeviceQueueCreateInfo){
            .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
            .queueFamilyIndex = families[i],
            .queueCount = i == 0 ? queue_count : 1,
            .pQueuePriorities = priorities,
        };
    }
    vk_check(gpu->vk.CreateDevice(gpu->physical_device, &info, NULL, &gpu->device),
             "vkCreateDevice");
    vk_resolve_device(&gpu->vk, gpu->device);
    gpu->video = video_device_load(gpu->device, gpu->vk.GetDeviceProcAddr);
    gpu->vk.GetDeviceQueue(gpu->device, gpu->family, 0, &gpu->queue);
    gpu->vk.GetDeviceQueue(gpu->device, gpu->copy_family, 0, &gpu->copy_queue);
}

void
gpu_open_queues(struct gpu *gpu, const char *wanted, const struct gpu_work *work,
                uint32_t queue_count)
{
    *gpu = (struct gpu){0};
    instance_create(gpu);
    physical_device_choose(gpu, wanted, work);
    device_create(gpu, work, queue_count);
}

void
gpu_open(struct gpu *gpu, const char *wanted, const struct gpu_work *work)
{
    gpu_open_queues(gpu, wanted, work, 1);
}

void
gpu_use_queue(struct gpu *gpu, uint32_t index)
{
    gpu->vk.GetDeviceQueue(gpu->device, gpu->family, index, &gpu->queue);
}

void
gpu_close(struct gpu *gpu)
{
    if (gpu->device)
        gpu->vk.DestroyDevice(gpu->device, NULL);
    gpu->vk.DestroyInstance(gpu->instance, NULL);
    vk_close(&gpu->vk);
}

void
gpu_list(const struct gpu_work *const *works, uint32_t work_count)
{
    struct gpu gpu = {0};
    VkPhysicalDevice devices[MAX_DEVICES];
    uint32_t count;

    instance_create(&gpu);
    count = enumerate(&gpu, devices);
    for (uint32_t i = 0; i < count; i++) {
        gpu.vk.GetPhysicalDeviceProperties(devices[i], &gpu.properties);
        printf("%u: %s", i, gpu.properties.deviceName);
        for (uint32_t k = 0; k < work_count; k++) {
            if (can_work(&gpu, devices[i], works[k]))
                printf(" (%s)", works[k]->verb);
        }
        putchar('\n');
    }
    gpu_close(&gpu);
}

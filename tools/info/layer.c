/* SPDX-License-Identifier: MIT */
/* The layer that lends our video queues: whether the loader sees it, and which devices it serves.
 */
#include "info.h"
#include "system.h"

#include <string.h>

#define NAME "VK_LAYER_REELPIPE_video"
#define ENABLE "REELPIPE_VIDEO_LAYER"
#define MAX_DEVICES 64
#define MAX_LAYERS 128

static bool
is_seen(const struct info_vulkan *vk)
{
    const PFN_vkEnumerateInstanceLayerProperties enumerate =
        (PFN_vkEnumerateInstanceLayerProperties)vk->GetInstanceProcAddr(
            NULL, "vkEnumerateInstanceLayerProperties");
    VkLayerProperties layers[MAX_LAYERS];
    uint32_t count = MAX_LAYERS;

    if (!enumerate || enumerate(&count, layers) < 0)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(layers[i].layerName, NAME) == 0)
            return true;
    }
    return false;
}

/* The devices as an instance shows them. */
struct view {
    uint32_t count;
    uint32_t family_count[MAX_DEVICES];
    VkPhysicalDeviceProperties properties[MAX_DEVICES];
};

static bool
look(const struct info_vulkan *vk, bool has_layer, struct view *out)
{
    static const char *const name = NAME;
    const VkApplicationInfo app = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .pApplicationName = "reelpipe-info",
        .apiVersion = VK_API_VERSION_1_3,
    };
    const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pApplicationInfo = &app,
        .enabledLayerCount = has_layer ? 1 : 0,
        .ppEnabledLayerNames = &name,
    };
    VkPhysicalDevice devices[MAX_DEVICES];
    VkInstance instance;

#define FIND(of, function) ((PFN_##function)vk->GetInstanceProcAddr(of, #function))
    if (FIND(NULL, vkCreateInstance)(&info, NULL, &instance) != VK_SUCCESS)
        return false;
    out->count = MAX_DEVICES;
    if (FIND(instance, vkEnumeratePhysicalDevices)(instance, &out->count, devices) < 0)
        out->count = 0;
    for (uint32_t i = 0; i < out->count; i++) {
        FIND(instance, vkGetPhysicalDeviceProperties)(devices[i], &out->properties[i]);
        FIND(instance, vkGetPhysicalDeviceQueueFamilyProperties)
        (devices[i], &out->family_count[i], NULL);
    }
    FIND(instance, vkDestroyInstance)(instance, NULL);
#undef FIND
    return true;
}

cJSON *
info_layer(const struct info_vulkan *vk)
{
    cJSON *node = cJSON_CreateObject();
    struct view without;
    struct view with;

    const bool seen = vk->library && is_seen(vk);
    cJSON_AddBoolToObject(node, "is_seen", seen);
    cJSON *served = cJSON_AddArrayToObject(node, "serves");
    if (!seen)
        return node;
    /* Nothing else is asked of the loader after this. */
    info_forget_variable(ENABLE);
    info_forget_variable("VK_INSTANCE_LAYERS");
    if (!look(vk, false, &without) || !look(vk, true, &with))
        return node;
    for (uint32_t i = 0; i < with.count && i < without.count; i++) {
        if (with.family_count[i] > without.family_count[i])
            cJSON_AddItemToArray(served, cJSON_CreateString(with.properties[i].deviceName));
    }
    return node;
}

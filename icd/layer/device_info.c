/* SPDX-License-Identifier: MIT */
/* Queues, extensions and features of the lower device.
 */
#include "icd/layer/device_info.h"

#include "icd/layer/chain.h"
#include "icd/layer/extensions.h"
#include "icd/layer/instance.h"
#include "util/alloc.h"
#include "util/pnext.h"

#include <stddef.h>
#include <string.h>

/* What the layer adds to the application's extensions; the first two where the instance is older
 * than the version that has them. */
static const char *const wanted_extensions[] = {
    VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME,
    VK_KHR_SYNCHRONIZATION_2_EXTENSION_NAME,
};
#define WANTED_EXTENSIONS 2

bool
rp_layer_device_info_is_lent(const struct rp_layer_physical_device *pdev,
                             const VkDeviceCreateInfo *info)
{
    for (uint32_t i = 0; i < info->queueCreateInfoCount; i++) {
        if (rp_layer_family_is_above(pdev, info->pQueueCreateInfos[i].queueFamilyIndex))
            return true;
    }
    for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
        if (rp_layer_extension_is_lent(pdev, info->ppEnabledExtensionNames[i]))
            return true;
    }
    return false;
}

/* Where the family is asked for without flags; NULL: nowhere. */
static VkDeviceQueueCreateInfo *
find_queues(VkDeviceQueueCreateInfo *queues, uint32_t count, uint32_t family)
{
    for (uint32_t i = 0; i < count; i++) {
        if (queues[i].queueFamilyIndex == family && queues[i].flags == 0)
            return &queues[i];
    }
    return NULL;
}

/* A queue of the family that the application asked for first: it is the one that most likely
 * writes the pictures. Its own where there is another one, else the application's. */
static bool
add_copy_queue(struct rp_layer_device *dev, struct rp_arena *arena, VkDeviceCreateInfo *out,
               VkDeviceQueueCreateInfo *queues)
{
    static const float one = 1.0f;
    VkQueueFamilyProperties families[RP_LAYER_MAX_FAMILIES];
    uint32_t family_count = RP_LAYER_MAX_FAMILIES;

    dev->instance->lower.GetPhysicalDeviceQueueFamilyProperties(dev->physical_device->handle,
                                                                &family_count, families);
    uint32_t family = 0;
    if (out->queueCreateInfoCount > 0) {
        family = queues[0].queueFamilyIndex;
    } else {
        while (family + 1 < family_count &&
               !(families[family].queueFlags & (VK_QUEUE_TRANSFER_BIT | VK_QUEUE_COMPUTE_BIT)))
            family++;
    }
    dev->copy_family = family;
    VkDeviceQueueCreateInfo *asked = find_queues(queues, out->queueCreateInfoCount, family);
    if (!asked) {
        queues[out->queueCreateInfoCount++] = (VkDeviceQueueCreateInfo){
            .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
            .queueFamilyIndex = family,
            .queueCount = 1,
            .pQueuePriorities = &one,
        };
        if (out->queueCreateInfoCount == 1)
            dev->families[dev->family_count++] = family;
        return true;
    }
    dev->copy_is_shared = asked->queueCount >= families[family].queueCount;
    if (dev->copy_is_shared)
        return true;
    float *priorities = rp_arena_alloc(arena, (asked->queueCount + 1) * sizeof(*priorities));
    if (!priorities)
        return false;
    memcpy(priorities, asked->pQueuePriorities, asked->queueCount * sizeof(*priorities));
    priorities[asked->queueCount] = 1.0f;
    dev->copy_index = asked->queueCount++;
    asked->pQueuePriorities = priorities;
    return true;
}

static void
family_add(struct rp_layer_device *dev, uint32_t family)
{
    uint32_t seen = 0;

    while (seen < dev->family_count && dev->families[seen] != family)
        seen++;
    if (seen == dev->family_count && seen < RP_LAYER_MAX_FAMILIES)
        dev->families[dev->family_count++] = family;
}

static bool
copy_queues(struct rp_layer_device *dev, const VkDeviceCreateInfo *info, struct rp_arena *arena,
            VkDeviceCreateInfo *out)
{
    VkDeviceQueueCreateInfo *queues =
        rp_arena_alloc(arena, (info->queueCreateInfoCount + 1) * sizeof(*queues));
    const VkDeviceQueueCreateInfo *alias = NULL;

    if (!queues)
        return false;
    out->queueCreateInfoCount = 0;
    out->pQueueCreateInfos = queues;
    for (uint32_t i = 0; i < info->queueCreateInfoCount; i++) {
        const VkDeviceQueueCreateInfo *asked = &info->pQueueCreateInfos[i];
        const uint32_t family = asked->queueFamilyIndex;
        if (rp_layer_family_is_alias(dev->physical_device, family)) {
            dev->alias_is_asked[family - dev->physical_device->family_count] = true;
            alias = asked;
        }
        if (rp_layer_family_is_above(dev->physical_device, family))
            continue;
        queues[out->queueCreateInfoCount++] = *asked;
        family_add(dev, family);
    }
    if (alias && !find_queues(queues, out->queueCreateInfoCount, 0)) {
        queues[out->queueCreateInfoCount] = *alias;
        queues[out->queueCreateInfoCount++].queueFamilyIndex = 0;
        family_add(dev, 0);
    }
    const bool is_done = add_copy_queue(dev, arena, out, queues);
    dev->holds_back = dev->copy_is_shared || alias;
    return is_done;
}

static bool
is_listed(const char *name, const VkExtensionProperties *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(list[i].extensionName, name) == 0)
            return true;
    }
    return false;
}

static bool
is_enabled(const char *name, const char *const *names, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0)
            return true;
    }
    return false;
}

static VkResult
add_extensions(struct rp_layer_device *dev, const char **names, uint32_t *count)
{
    const struct rp_layer_instance_calls *lower = &dev->instance->lower;
    const VkPhysicalDevice handle = dev->physical_device->handle;
    uint32_t there = 0;

    VkResult result = lower->EnumerateDeviceExtensionProperties(handle, NULL, &there, NULL);
    if (result != VK_SUCCESS || there == 0)
        return result;
    VkExtensionProperties *list =
        rp_zalloc_array(NULL, there, sizeof(*list), VK_SYSTEM_ALLOCATION_SCOPE_COMMAND);
    if (!list)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    result = lower->EnumerateDeviceExtensionProperties(handle, NULL, &there, list);
    for (uint32_t i = 0; result >= 0 && i < WANTED_EXTENSIONS; i++) {
        if (is_listed(wanted_extensions[i], list, there) &&
            !is_enabled(wanted_extensions[i], names, *count))
            names[(*count)++] = wanted_extensions[i];
    }
    rp_free(NULL, list);
    return result < 0 ? result : VK_SUCCESS;
}

static VkResult
copy_extensions(struct rp_layer_device *dev, const VkDeviceCreateInfo *info, struct rp_arena *arena,
                VkDeviceCreateInfo *out)
{
    const char **names =
        rp_arena_alloc(arena, (info->enabledExtensionCount + WANTED_EXTENSIONS) * sizeof(*names));
    uint32_t count = 0;

    if (!names)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
        const char *name = info->ppEnabledExtensionNames[i];
        if (!rp_layer_extension_is_known(name) ||
            rp_layer_extension_is_lower(dev->physical_device, name))
            names[count++] = name;
    }
    const VkResult result = add_extensions(dev, names, &count);
    out->enabledExtensionCount = count;
    out->ppEnabledExtensionNames = names;
    return result;
}

/* The structures of features that the lower device does not have. */
static void
remove_features(const struct rp_layer_device *dev, void **chain)
{
    for (uint32_t i = 0; i < RP_LAYER_VIDEO_FEATURES; i++) {
        if (!dev->physical_device->lower_features[i])
            rp_layer_chain_remove(chain,
                                  rp_layer_video_feature_type((enum rp_layer_video_feature)i));
    }
}

/* Switches a feature on: a member of a structure with those of a version, or of one of its own,
 * which is added to the chain where there is neither. What stands behind a structure that is not
 * known cannot be written to: there the application has to have asked for the feature itself. */
static VkResult
add_feature(struct rp_arena *arena, void **chain, VkStructureType version, size_t version_offset_B,
            VkStructureType own)
{
    /* Each of both features has a structure with one member. */
    typedef VkPhysicalDeviceTimelineSemaphoreFeatures feature;
    const VkStructureType types[] = {version, own};
    const size_t offsets_B[] = {version_offset_B, offsetof(feature, timelineSemaphore)};
    bool is_there = false;

    for (uint32_t i = 0; i < 2; i++) {
        const uint8_t *asked = rp_find_struct(*chain, types[i]);
        uint8_t *copy = rp_layer_chain_find(*chain, types[i]);
        VkBool32 is_on = VK_TRUE;
        is_there |= asked != NULL;
        if (copy)
            memcpy(copy + offsets_B[i], &is_on, sizeof(is_on));
        else if (asked)
            memcpy(&is_on, asked + offsets_B[i], sizeof(is_on));
        if (!is_on)
            return VK_ERROR_FEATURE_NOT_PRESENT;
    }
    if (is_there)
        return VK_SUCCESS;
    feature *added = rp_arena_alloc(arena, sizeof(*added));
    if (!added)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    *added = (feature){.sType = own, .pNext = *chain, .timelineSemaphore = VK_TRUE};
    *chain = added;
    return VK_SUCCESS;
}

/* Timeline semaphores and synchronization2 are switched on, whatever the application asked for. */
static VkResult
add_features(struct rp_arena *arena, void **chain)
{
    const VkResult result =
        add_feature(arena, chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                    offsetof(VkPhysicalDeviceVulkan12Features, timelineSemaphore),
                    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES);
    return result == VK_SUCCESS
               ? add_feature(arena, chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                             offsetof(VkPhysicalDeviceVulkan13Features, synchronization2),
                             VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES)
               : result;
}

VkResult
rp_layer_device_info_lower(struct rp_layer_device *dev, const VkDeviceCreateInfo *info,
                           struct rp_arena *arena, VkDeviceCreateInfo *out)
{
    void *chain = NULL;

    *out = *info;
    if (!rp_layer_chain_copy(arena, info->pNext, &chain))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    remove_features(dev, &chain);
    if (dev->has_lent) {
        if (!copy_queues(dev, info, arena, out))
            return VK_ERROR_OUT_OF_HOST_MEMORY;
        VkResult result = add_features(arena, &chain);
        if (result == VK_SUCCESS)
            result = copy_extensions(dev, info, arena, out);
        if (result != VK_SUCCESS)
            return result;
    }
    out->pNext = chain;
    return VK_SUCCESS;
}

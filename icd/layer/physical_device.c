/* SPDX-License-Identifier: MIT */
/* Which devices are served: those that lack a codec, and can share memory and wait with our driver.
 * What a device codes itself stays its own.
 */
#include "icd/layer/physical_device.h"

#include "icd/layer/extensions.h"
#include "icd/layer/instance.h"
#include "util/alloc.h"
#include "util/log.h"

#include <stddef.h>

#define MAX_FAMILIES 32

VkVideoCodecOperationFlagsKHR
rp_layer_operations_of_kind(enum rp_layer_lent_kind kind)
{
    /* VkVideoCodecOperationFlagBitsKHR has the decoders in the lower half. */
    return kind == RP_LAYER_ENCODE ? 0xffff0000 : 0x0000ffff;
}

static VkVideoCodecOperationFlagsKHR
operations_of_lower(const struct rp_layer_instance_calls *lower, VkPhysicalDevice handle,
                    uint32_t *family_count_out, bool *is_alone_out)
{
    VkQueueFamilyVideoPropertiesKHR video[MAX_FAMILIES];
    VkQueueFamilyProperties2 families[MAX_FAMILIES];
    uint32_t count = MAX_FAMILIES;

    for (uint32_t i = 0; i < MAX_FAMILIES; i++) {
        video[i] = (VkQueueFamilyVideoPropertiesKHR){
            .sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_VIDEO_PROPERTIES_KHR,
        };
        families[i] = (VkQueueFamilyProperties2){
            .sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_PROPERTIES_2,
            .pNext = &video[i],
        };
    }
    lower->GetPhysicalDeviceQueueFamilyProperties2(handle, &count, families);
    VkVideoCodecOperationFlagsKHR operations = 0;
    for (uint32_t i = 0; i < count; i++)
        operations |= video[i].videoCodecOperations;
    *family_count_out = count;
    *is_alone_out =
        count == 1 && families[0].queueFamilyProperties.queueFlags & VK_QUEUE_COMPUTE_BIT;
    return operations;
}

/* False where the layer cannot wait with the device or copy its pictures. */
static bool
is_able(const struct rp_layer_instance_calls *lower, VkPhysicalDevice handle)
{
    const VkMemoryPropertyFlags shared =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    const VkFormatFeatureFlags copied =
        VK_FORMAT_FEATURE_TRANSFER_SRC_BIT | VK_FORMAT_FEATURE_TRANSFER_DST_BIT;
    VkPhysicalDeviceSynchronization2Features sync2 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES,
    };
    VkPhysicalDeviceTimelineSemaphoreFeatures timeline = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
        .pNext = &sync2,
    };
    VkPhysicalDeviceFeatures2 features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
        .pNext = &timeline,
    };
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceMemoryProperties memory;
    VkFormatProperties format;

    lower->GetPhysicalDeviceProperties(handle, &properties);
    if (properties.apiVersion < VK_API_VERSION_1_2)
        return false;
    lower->GetPhysicalDeviceFeatures2(handle, &features);
    lower->GetPhysicalDeviceMemoryProperties(handle, &memory);
    lower->GetPhysicalDeviceFormatProperties(handle, VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, &format);
    bool has_shared = false;
    for (uint32_t i = 0; i < memory.memoryTypeCount; i++)
        has_shared |= (memory.memoryTypes[i].propertyFlags & shared) == shared;
    return has_shared && sync2.synchronization2 && timeline.timelineSemaphore &&
           (format.optimalTilingFeatures & copied) == copied;
}

static void
features_of_lower(const struct rp_layer_instance_calls *lower, VkPhysicalDevice handle, bool *out)
{
    struct rp_layer_video_feature_struct chain[RP_LAYER_VIDEO_FEATURES];
    VkPhysicalDeviceFeatures2 features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
        .pNext = &chain[0],
    };

    rp_layer_video_features_chain(chain, NULL);
    lower->GetPhysicalDeviceFeatures2(handle, &features);
    for (uint32_t i = 0; i < RP_LAYER_VIDEO_FEATURES; i++)
        out[i] = chain[i].is_on;
}

static void
look(struct rp_layer_physical_device *pdev)
{
    const struct rp_layer_instance *instance = pdev->instance;
    const struct rp_layer_instance_calls *lower = &instance->lower;
    bool is_alone;

    /* An instance of version 1.0 without the extension. */
    if (!lower->GetPhysicalDeviceFeatures2 || !lower->GetPhysicalDeviceQueueFamilyProperties2) {
        lower->GetPhysicalDeviceQueueFamilyProperties(pdev->handle, &pdev->family_count, NULL);
        return;
    }
    pdev->lower_operations =
        operations_of_lower(lower, pdev->handle, &pdev->family_count, &is_alone);
    features_of_lower(lower, pdev->handle, pdev->lower_features);
    if (!is_able(lower, pdev->handle))
        return;
    for (uint32_t kind = 0; kind < RP_LAYER_LENT_FAMILIES; kind++)
        pdev->operations[kind] = instance->driver_operations[kind] & ~pdev->lower_operations &
                                 rp_layer_extension_operations();
    if (is_alone && rp_layer_is_served(pdev))
        pdev->alias_count = RP_LAYER_ALIAS_FAMILIES;
    rp_log(RP_LOG_INFO, "the layer lends operations 0x%x and 0x%x to a device with %u families",
           pdev->operations[RP_LAYER_ENCODE], pdev->operations[RP_LAYER_DECODE],
           pdev->family_count);
}

struct rp_layer_physical_device *
rp_layer_physical_device_get(VkPhysicalDevice handle)
{
    struct rp_layer_instance *instance = rp_layer_instance_find(handle);

    pthread_mutex_lock(&instance->mutex);
    struct rp_layer_physical_device *pdev = instance->physical_devices;
    while (pdev && pdev->handle != handle)
        pdev = pdev->next;
    if (!pdev) {
        pdev = rp_zalloc(NULL, sizeof(*pdev), _Alignof(max_align_t),
                         VK_SYSTEM_ALLOCATION_SCOPE_INSTANCE);
        if (pdev) {
            pdev->handle = handle;
            pdev->instance = instance;
            look(pdev);
            pdev->next = instance->physical_devices;
            instance->physical_devices = pdev;
        }
    }
    pthread_mutex_unlock(&instance->mutex);
    return pdev;
}

void
rp_layer_physical_devices_free(struct rp_layer_instance *instance)
{
    while (instance->physical_devices) {
        struct rp_layer_physical_device *pdev = instance->physical_devices;
        instance->physical_devices = pdev->next;
        rp_free(NULL, pdev);
    }
}

/* The index of a lent family; UINT32_MAX when it is not there. */
static uint32_t
lent_family(const struct rp_layer_physical_device *pdev, enum rp_layer_lent_kind kind)
{
    if (!pdev->operations[kind])
        return UINT32_MAX;
    return pdev->family_count + pdev->alias_count +
           (kind == RP_LAYER_DECODE && pdev->operations[RP_LAYER_ENCODE] ? 1u : 0u);
}

bool
rp_layer_family_is_lent(const struct rp_layer_physical_device *pdev, uint32_t family,
                        enum rp_layer_lent_kind *out)
{
    for (uint32_t kind = 0; kind < RP_LAYER_LENT_FAMILIES; kind++) {
        if (pdev->operations[kind] && family == lent_family(pdev, (enum rp_layer_lent_kind)kind)) {
            *out = (enum rp_layer_lent_kind)kind;
            return true;
        }
    }
    return false;
}

/* SPDX-License-Identifier: MIT */
/* Which devices are served: those that cannot encode, or cannot decode, and can share memory and
 * wait with our driver. What a device does itself stays its own.
 */
#include "icd/layer/physical_device.h"

#include "icd/layer/instance.h"
#include "util/alloc.h"
#include "util/log.h"
#include "util/pnext.h"

#include <stddef.h>

#define MAX_FAMILIES 32

#define ENCODE_IMAGES \
    (VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR | VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR | \
     VK_IMAGE_USAGE_VIDEO_ENCODE_DST_BIT_KHR)
#define DECODE_IMAGES \
    (VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR | VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR | \
     VK_IMAGE_USAGE_VIDEO_DECODE_SRC_BIT_KHR)
#define ENCODE_BUFFERS \
    (VK_BUFFER_USAGE_2_VIDEO_ENCODE_DST_BIT_KHR | VK_BUFFER_USAGE_2_VIDEO_ENCODE_SRC_BIT_KHR)
#define DECODE_BUFFERS \
    (VK_BUFFER_USAGE_2_VIDEO_DECODE_DST_BIT_KHR | VK_BUFFER_USAGE_2_VIDEO_DECODE_SRC_BIT_KHR)

/* VkVideoCodecOperationFlagBitsKHR has the decoders in the lower half. Usages, layouts and stages
 * are the same for all codecs: each half is lent whole or not at all. */
static const VkVideoCodecOperationFlagsKHR operations_of_kind[RP_LAYER_LENT_FAMILIES] = {
    [RP_LAYER_ENCODE] = 0xffff0000,
    [RP_LAYER_DECODE] = 0x0000ffff,
};

/* Those whose extensions the layer knows (extensions.c, manifest.json.in). */
#define KNOWN_OPERATIONS \
    (VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR | VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR | \
     VK_VIDEO_CODEC_OPERATION_DECODE_AV1_BIT_KHR)

static VkVideoCodecOperationFlagsKHR
operations_of_lower(const struct rp_layer_instance_calls *lower, VkPhysicalDevice handle,
                    uint32_t *family_count_out)
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

static struct rp_layer_video_features
features_of_lower(const struct rp_layer_instance_calls *lower, VkPhysicalDevice handle)
{
    VkPhysicalDeviceVideoMaintenance1FeaturesKHR maintenance1 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_MAINTENANCE_1_FEATURES_KHR,
    };
    VkPhysicalDeviceVideoMaintenance2FeaturesKHR maintenance2 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_MAINTENANCE_2_FEATURES_KHR,
        .pNext = &maintenance1,
    };
    VkPhysicalDeviceVideoEncodeIntraRefreshFeaturesKHR refresh = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_ENCODE_INTRA_REFRESH_FEATURES_KHR,
        .pNext = &maintenance2,
    };
    VkPhysicalDeviceVideoEncodeFeedback2FeaturesKHR feedback2 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_ENCODE_FEEDBACK_2_FEATURES_KHR,
        .pNext = &refresh,
    };
    VkPhysicalDeviceVideoEncodeRgbConversionFeaturesVALVE rgb = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_ENCODE_RGB_CONVERSION_FEATURES_VALVE,
        .pNext = &feedback2,
    };
    VkPhysicalDeviceFeatures2 features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
        .pNext = &rgb,
    };

    lower->GetPhysicalDeviceFeatures2(handle, &features);
    return (struct rp_layer_video_features){
        .maintenance1 = maintenance1.videoMaintenance1,
        .maintenance2 = maintenance2.videoMaintenance2,
        .intra_refresh = refresh.videoEncodeIntraRefresh,
        .feedback2 = feedback2.videoEncodeFeedback2,
        .rgb_conversion = rgb.videoEncodeRgbConversion,
    };
}

static void
look(struct rp_layer_physical_device *pdev)
{
    const struct rp_layer_instance *instance = pdev->instance;
    const struct rp_layer_instance_calls *lower = &instance->lower;

    /* An instance of version 1.0 without the extension. */
    if (!lower->GetPhysicalDeviceFeatures2 || !lower->GetPhysicalDeviceQueueFamilyProperties2) {
        lower->GetPhysicalDeviceQueueFamilyProperties(pdev->handle, &pdev->family_count, NULL);
        return;
    }
    pdev->lower_operations = operations_of_lower(lower, pdev->handle, &pdev->family_count);
    pdev->lower_features = features_of_lower(lower, pdev->handle);
    if (!is_able(lower, pdev->handle))
        return;
    for (uint32_t kind = 0; kind < RP_LAYER_LENT_FAMILIES; kind++) {
        if (!(pdev->lower_operations & operations_of_kind[kind]))
            pdev->operations[kind] = instance->driver_operations[kind] & KNOWN_OPERATIONS;
    }
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

uint32_t
rp_layer_lent_family(const struct rp_layer_physical_device *pdev, enum rp_layer_lent_kind kind)
{
    if (!pdev->operations[kind])
        return UINT32_MAX;
    return pdev->family_count +
           (kind == RP_LAYER_DECODE && pdev->operations[RP_LAYER_ENCODE] ? 1u : 0u);
}

bool
rp_layer_family_is_lent(const struct rp_layer_physical_device *pdev, uint32_t family,
                        enum rp_layer_lent_kind *out)
{
    for (uint32_t kind = 0; kind < RP_LAYER_LENT_FAMILIES; kind++) {
        if (pdev->operations[kind] &&
            family == rp_layer_lent_family(pdev, (enum rp_layer_lent_kind)kind)) {
            *out = (enum rp_layer_lent_kind)kind;
            return true;
        }
    }
    return false;
}

bool
rp_layer_profiles_are_lent(const struct rp_layer_physical_device *pdev, const void *chain)
{
    const VkVideoProfileListInfoKHR *list =
        rp_find_struct(chain, VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR);
    bool are_lent = list && list->profileCount > 0;

    for (uint32_t i = 0; are_lent && i < list->profileCount; i++)
        are_lent = rp_layer_operation_is_lent(pdev, list->pProfiles[i].videoCodecOperation);
    return are_lent;
}

VkImageUsageFlags
rp_layer_image_usages(const struct rp_layer_physical_device *pdev)
{
    return (pdev->operations[RP_LAYER_ENCODE] ? ENCODE_IMAGES : 0) |
           (pdev->operations[RP_LAYER_DECODE] ? DECODE_IMAGES : 0);
}

VkBufferUsageFlags2
rp_layer_buffer_usages(const struct rp_layer_physical_device *pdev)
{
    return (pdev->operations[RP_LAYER_ENCODE] ? ENCODE_BUFFERS : 0) |
           (pdev->operations[RP_LAYER_DECODE] ? DECODE_BUFFERS : 0);
}

/* SPDX-License-Identifier: MIT */
/* Extensions and features of a physical device.
 */
#include "icd/layer/extensions.h"

#include "icd/layer/instance.h"
#include "util/alloc.h"
#include "util/compiler.h"
#include "util/pnext.h"

#include <string.h>

#define ALL_ENCODE 0xffff0000
#define ALL_DECODE 0x0000ffff

/* A known extension is there for operations, and, where feature is not NO_FEATURE, for a member of
 * struct rp_layer_video_features. */
#define NO_FEATURE SIZE_MAX
#define FEATURE(member) offsetof(struct rp_layer_video_features, member)

struct known {
    const char *name;
    uint32_t version;
    VkVideoCodecOperationFlagsKHR operations; /* one of which there must be */
    size_t feature;
};

/* Of icd/layer/manifest.json.in. */
static const struct known known[] = {
    {VK_KHR_VIDEO_QUEUE_EXTENSION_NAME, VK_KHR_VIDEO_QUEUE_SPEC_VERSION, ALL_ENCODE | ALL_DECODE,
     NO_FEATURE},
    {VK_KHR_VIDEO_ENCODE_QUEUE_EXTENSION_NAME, VK_KHR_VIDEO_ENCODE_QUEUE_SPEC_VERSION, ALL_ENCODE,
     NO_FEATURE},
    {VK_KHR_VIDEO_ENCODE_H264_EXTENSION_NAME, VK_KHR_VIDEO_ENCODE_H264_SPEC_VERSION,
     VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR, NO_FEATURE},
    {VK_KHR_VIDEO_DECODE_QUEUE_EXTENSION_NAME, VK_KHR_VIDEO_DECODE_QUEUE_SPEC_VERSION, ALL_DECODE,
     NO_FEATURE},
    {VK_KHR_VIDEO_DECODE_H264_EXTENSION_NAME, VK_KHR_VIDEO_DECODE_H264_SPEC_VERSION,
     VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR, NO_FEATURE},
    {VK_KHR_VIDEO_DECODE_AV1_EXTENSION_NAME, VK_KHR_VIDEO_DECODE_AV1_SPEC_VERSION,
     VK_VIDEO_CODEC_OPERATION_DECODE_AV1_BIT_KHR, NO_FEATURE},
    {VK_KHR_VIDEO_MAINTENANCE_1_EXTENSION_NAME, VK_KHR_VIDEO_MAINTENANCE_1_SPEC_VERSION,
     ALL_ENCODE | ALL_DECODE, FEATURE(maintenance1)},
    {VK_KHR_VIDEO_MAINTENANCE_2_EXTENSION_NAME, VK_KHR_VIDEO_MAINTENANCE_2_SPEC_VERSION,
     ALL_ENCODE | ALL_DECODE, FEATURE(maintenance2)},
    {VK_KHR_VIDEO_ENCODE_INTRA_REFRESH_EXTENSION_NAME,
     VK_KHR_VIDEO_ENCODE_INTRA_REFRESH_SPEC_VERSION, ALL_ENCODE, FEATURE(intra_refresh)},
    {VK_KHR_VIDEO_ENCODE_FEEDBACK_2_EXTENSION_NAME, VK_KHR_VIDEO_ENCODE_FEEDBACK_2_SPEC_VERSION,
     ALL_ENCODE, FEATURE(feedback2)},
    {VK_VALVE_VIDEO_ENCODE_RGB_CONVERSION_EXTENSION_NAME,
     VK_VALVE_VIDEO_ENCODE_RGB_CONVERSION_SPEC_VERSION, ALL_ENCODE, FEATURE(rgb_conversion)},
};

static const struct known *
find(const char *name)
{
    for (size_t i = 0; i < RP_ARRAY_SIZE(known); i++) {
        if (strcmp(known[i].name, name) == 0)
            return &known[i];
    }
    return NULL;
}

bool
rp_layer_extension_is_known(const char *name)
{
    return find(name) != NULL;
}

bool
rp_layer_extension_is_lower(const struct rp_layer_physical_device *pdev, const char *name)
{
    const struct known *row = find(name);

    if (!row || !(row->operations & pdev->lower_operations))
        return false;
    if (row->feature == NO_FEATURE)
        return true;
    bool has;
    memcpy(&has, (const char *)&pdev->lower_features + row->feature, sizeof(has));
    return has;
}

bool
rp_layer_extension_is_hidden(const char *name)
{
    /* The layer's own map of memory would be a second one. */
    return strcmp(name, VK_EXT_MAP_MEMORY_PLACED_EXTENSION_NAME) == 0;
}

static bool
is_lent(const struct rp_layer_physical_device *pdev, const struct known *row)
{
    return row->operations &
           (pdev->operations[RP_LAYER_ENCODE] | pdev->operations[RP_LAYER_DECODE]);
}

static VkResult
answer(const VkExtensionProperties *all, uint32_t n, uint32_t *count, VkExtensionProperties *out)
{
    if (!out) {
        *count = n;
        return VK_SUCCESS;
    }
    const VkResult result = *count < n ? VK_INCOMPLETE : VK_SUCCESS;
    *count = RP_MIN(*count, n);
    memcpy(out, all, *count * sizeof(*all));
    return result;
}

static VkResult
enumerate_known(uint32_t *count, VkExtensionProperties *out)
{
    VkExtensionProperties all[RP_ARRAY_SIZE(known)] = {{{0}, 0}};

    for (size_t i = 0; i < RP_ARRAY_SIZE(known); i++) {
        memcpy(all[i].extensionName, known[i].name, strlen(known[i].name) + 1);
        all[i].specVersion = known[i].version;
    }
    return answer(all, RP_ARRAY_SIZE(known), count, out);
}

/* The device's own without what the loader added, then what is lent. */
static VkResult
enumerate_device(const struct rp_layer_physical_device *pdev, uint32_t *count,
                 VkExtensionProperties *out)
{
    const struct rp_layer_instance_calls *lower = &pdev->instance->lower;
    const bool is_served = rp_layer_is_served(pdev);
    uint32_t there = 0;

    VkResult result = lower->EnumerateDeviceExtensionProperties(pdev->handle, NULL, &there, NULL);
    if (result != VK_SUCCESS)
        return result;
    VkExtensionProperties *all = rp_zalloc_array(NULL, there + RP_ARRAY_SIZE(known), sizeof(*all),
                                                 VK_SYSTEM_ALLOCATION_SCOPE_COMMAND);
    if (!all)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    result = lower->EnumerateDeviceExtensionProperties(pdev->handle, NULL, &there, all);
    uint32_t n = 0;
    for (uint32_t i = 0; result == VK_SUCCESS && i < there; i++) {
        const char *name = all[i].extensionName;
        if (rp_layer_extension_is_known(name) ? rp_layer_extension_is_lower(pdev, name)
                                              : !is_served || !rp_layer_extension_is_hidden(name))
            all[n++] = all[i];
    }
    for (size_t i = 0; result == VK_SUCCESS && i < RP_ARRAY_SIZE(known); i++) {
        if (!is_lent(pdev, &known[i]) || rp_layer_extension_is_lower(pdev, known[i].name))
            continue;
        memcpy(all[n].extensionName, known[i].name, strlen(known[i].name) + 1);
        all[n++].specVersion = known[i].version;
    }
    if (result == VK_SUCCESS)
        result = answer(all, n, count, out);
    rp_free(NULL, all);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_EnumerateDeviceExtensionProperties(VkPhysicalDevice handle, const char *layer,
                                            uint32_t *count, VkExtensionProperties *out)
{
    if (layer && strcmp(layer, RP_LAYER_NAME) == 0)
        return enumerate_known(count, out);
    if (layer)
        return rp_layer_instance_find(handle)->lower.EnumerateDeviceExtensionProperties(
            handle, layer, count, out);
    const struct rp_layer_physical_device *pdev = rp_layer_physical_device_get(handle);
    return pdev ? enumerate_device(pdev, count, out) : VK_ERROR_OUT_OF_HOST_MEMORY;
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_GetPhysicalDeviceFeatures2(VkPhysicalDevice handle, VkPhysicalDeviceFeatures2 *out)
{
    const struct rp_layer_physical_device *pdev = rp_layer_physical_device_get(handle);

    rp_layer_instance_find(handle)->lower.GetPhysicalDeviceFeatures2(handle, out);
    if (!pdev || !rp_layer_is_served(pdev))
        return;
    const VkBool32 encode = pdev->operations[RP_LAYER_ENCODE] != 0;
    for (VkBaseOutStructure *s = out->pNext; s; s = s->pNext) {
        switch ((int)s->sType) {
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_MAINTENANCE_1_FEATURES_KHR:
            ((VkPhysicalDeviceVideoMaintenance1FeaturesKHR *)s)->videoMaintenance1 = VK_TRUE;
            break;
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_MAINTENANCE_2_FEATURES_KHR:
            ((VkPhysicalDeviceVideoMaintenance2FeaturesKHR *)s)->videoMaintenance2 = VK_TRUE;
            break;
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_ENCODE_INTRA_REFRESH_FEATURES_KHR:
            ((VkPhysicalDeviceVideoEncodeIntraRefreshFeaturesKHR *)s)->videoEncodeIntraRefresh |=
                encode;
            break;
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_ENCODE_FEEDBACK_2_FEATURES_KHR:
            ((VkPhysicalDeviceVideoEncodeFeedback2FeaturesKHR *)s)->videoEncodeFeedback2 |= encode;
            break;
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_ENCODE_RGB_CONVERSION_FEATURES_VALVE:
            ((VkPhysicalDeviceVideoEncodeRgbConversionFeaturesVALVE *)s)
                ->videoEncodeRgbConversion |= encode;
            break;
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAP_MEMORY_PLACED_FEATURES_EXT: {
            VkPhysicalDeviceMapMemoryPlacedFeaturesEXT *placed =
                (VkPhysicalDeviceMapMemoryPlacedFeaturesEXT *)s;
            placed->memoryMapPlaced = VK_FALSE;
            placed->memoryMapRangePlaced = VK_FALSE;
            placed->memoryUnmapReserve = VK_FALSE;
            break;
        }
        default:
            break;
        }
    }
}

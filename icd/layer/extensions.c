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

#define ENCODE(codec) VK_VIDEO_CODEC_OPERATION_ENCODE_##codec##_BIT_KHR
#define DECODE(codec) VK_VIDEO_CODEC_OPERATION_DECODE_##codec##_BIT_KHR

/* A known extension is there for operations, and for a feature where it has one. */
#define NO_FEATURE RP_LAYER_VIDEO_FEATURES

struct known {
    const char *name;
    uint32_t version;
    VkVideoCodecOperationFlagsKHR operations; /* one of which there must be */
    enum rp_layer_video_feature feature;
};

/* The strings behind the names and versions of an extension's macros. */
#define KNOWN(id, operations, feature) \
    { \
        VK_##id##_EXTENSION_NAME, VK_##id##_SPEC_VERSION, operations, feature \
    }

/* tools/gen/layer.py holds icd/layer/manifest.json.in against these and the registry. */
static const struct known known[] = {
    KNOWN(KHR_VIDEO_QUEUE, ALL_ENCODE | ALL_DECODE, NO_FEATURE),
    KNOWN(KHR_VIDEO_ENCODE_QUEUE, ALL_ENCODE, NO_FEATURE),
    KNOWN(KHR_VIDEO_ENCODE_H264, ENCODE(H264), NO_FEATURE),
    KNOWN(KHR_VIDEO_ENCODE_H265, ENCODE(H265), NO_FEATURE),
    KNOWN(KHR_VIDEO_ENCODE_AV1, ENCODE(AV1), RP_LAYER_ENCODE_AV1),
    KNOWN(KHR_VIDEO_DECODE_QUEUE, ALL_DECODE, NO_FEATURE),
    KNOWN(KHR_VIDEO_DECODE_H264, DECODE(H264), NO_FEATURE),
    KNOWN(KHR_VIDEO_DECODE_H265, DECODE(H265), NO_FEATURE),
    KNOWN(KHR_VIDEO_DECODE_AV1, DECODE(AV1), NO_FEATURE),
    KNOWN(KHR_VIDEO_DECODE_VP9, DECODE(VP9), RP_LAYER_DECODE_VP9),
    KNOWN(KHR_VIDEO_MAINTENANCE_1, ALL_ENCODE | ALL_DECODE, RP_LAYER_MAINTENANCE_1),
    KNOWN(KHR_VIDEO_MAINTENANCE_2, ALL_ENCODE | ALL_DECODE, RP_LAYER_MAINTENANCE_2),
    KNOWN(KHR_VIDEO_ENCODE_INTRA_REFRESH, ALL_ENCODE, RP_LAYER_INTRA_REFRESH),
    KNOWN(KHR_VIDEO_ENCODE_FEEDBACK_2, ALL_ENCODE, RP_LAYER_FEEDBACK_2),
    KNOWN(KHR_VIDEO_ENCODE_QUANTIZATION_MAP, ALL_ENCODE, RP_LAYER_QUANTIZATION_MAP),
    KNOWN(VALVE_VIDEO_ENCODE_RGB_CONVERSION, ALL_ENCODE, RP_LAYER_RGB_CONVERSION),
};

VkVideoCodecOperationFlagsKHR
rp_layer_extension_operations(void)
{
    VkVideoCodecOperationFlagsKHR operations = 0;

    for (size_t i = 0; i < RP_ARRAY_SIZE(known); i++) {
        if (known[i].operations != ALL_ENCODE && known[i].operations != ALL_DECODE &&
            known[i].operations != (ALL_ENCODE | ALL_DECODE))
            operations |= known[i].operations;
    }
    return operations;
}

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
    return row->feature == NO_FEATURE || pdev->lower_features[row->feature];
}

/* Whether the layer cannot serve the extension, so that a served device does not report it. */
static bool
is_hidden(const char *name)
{
    /* The layer's own map of memory would be a second one. */
    return strcmp(name, VK_EXT_MAP_MEMORY_PLACED_EXTENSION_NAME) == 0;
}

static bool
is_lent(const struct rp_layer_physical_device *pdev, const struct known *row)
{
    const VkVideoCodecOperationFlagsKHR lent =
        pdev->operations[RP_LAYER_ENCODE] | pdev->operations[RP_LAYER_DECODE];

    if (!(row->operations & lent))
        return false;
    return row->feature == NO_FEATURE || (pdev->instance->driver_features[row->feature] &&
                                          !(row->operations & pdev->lower_operations));
}

bool
rp_layer_extension_is_lent(const struct rp_layer_physical_device *pdev, const char *name)
{
    const struct known *row = find(name);

    return row && is_lent(pdev, row) && !rp_layer_extension_is_lower(pdev, name);
}

/* Whether the feature is our driver's, for what is lent: where the lower device codes anything that
 * the feature is about, it is not lent, for it would hold for the lower device, too. */
static bool
feature_is_lent(const struct rp_layer_physical_device *pdev, enum rp_layer_video_feature feature)
{
    for (size_t i = 0; i < RP_ARRAY_SIZE(known); i++) {
        if (known[i].feature == feature)
            return is_lent(pdev, &known[i]);
    }
    return false;
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
                                              : !is_served || !is_hidden(name))
            all[n++] = all[i];
    }
    for (size_t i = 0; result == VK_SUCCESS && i < RP_ARRAY_SIZE(known); i++) {
        if (!rp_layer_extension_is_lent(pdev, known[i].name))
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
    for (VkBaseOutStructure *s = out->pNext; s; s = s->pNext) {
        const enum rp_layer_video_feature feature = rp_layer_video_feature_find(s->sType);
        if (feature != NO_FEATURE && feature_is_lent(pdev, feature))
            ((struct rp_layer_video_feature_struct *)s)->is_on = VK_TRUE;
        if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAP_MEMORY_PLACED_FEATURES_EXT) {
            VkPhysicalDeviceMapMemoryPlacedFeaturesEXT *placed =
                (VkPhysicalDeviceMapMemoryPlacedFeaturesEXT *)s;
            placed->memoryMapPlaced = VK_FALSE;
            placed->memoryMapRangePlaced = VK_FALSE;
            placed->memoryUnmapReserve = VK_FALSE;
        }
    }
}

/* SPDX-License-Identifier: MIT */
/* Structures of features by their number, and the other way round.
 */
#include "icd/layer/video_features.h"

#include <assert.h>
#include <stddef.h>

static const VkStructureType types[RP_LAYER_VIDEO_FEATURES] = {
    [RP_LAYER_MAINTENANCE_1] = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_MAINTENANCE_1_FEATURES_KHR,
    [RP_LAYER_MAINTENANCE_2] = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_MAINTENANCE_2_FEATURES_KHR,
    [RP_LAYER_ENCODE_AV1] = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_ENCODE_AV1_FEATURES_KHR,
    [RP_LAYER_DECODE_VP9] = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_DECODE_VP9_FEATURES_KHR,
    [RP_LAYER_INTRA_REFRESH] =
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_ENCODE_INTRA_REFRESH_FEATURES_KHR,
    [RP_LAYER_FEEDBACK_2] = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_ENCODE_FEEDBACK_2_FEATURES_KHR,
    [RP_LAYER_QUANTIZATION_MAP] =
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_ENCODE_QUANTIZATION_MAP_FEATURES_KHR,
    [RP_LAYER_RGB_CONVERSION] =
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_ENCODE_RGB_CONVERSION_FEATURES_VALVE,
};

#define IS_OF_THE_FORM(type, member) \
    static_assert(sizeof(type) == sizeof(struct rp_layer_video_feature_struct) && \
                      offsetof(type, member) == \
                          offsetof(struct rp_layer_video_feature_struct, is_on), \
                  #type)
IS_OF_THE_FORM(VkPhysicalDeviceVideoMaintenance1FeaturesKHR, videoMaintenance1);
IS_OF_THE_FORM(VkPhysicalDeviceVideoMaintenance2FeaturesKHR, videoMaintenance2);
IS_OF_THE_FORM(VkPhysicalDeviceVideoEncodeAV1FeaturesKHR, videoEncodeAV1);
IS_OF_THE_FORM(VkPhysicalDeviceVideoDecodeVP9FeaturesKHR, videoDecodeVP9);
IS_OF_THE_FORM(VkPhysicalDeviceVideoEncodeIntraRefreshFeaturesKHR, videoEncodeIntraRefresh);
IS_OF_THE_FORM(VkPhysicalDeviceVideoEncodeFeedback2FeaturesKHR, videoEncodeFeedback2);
IS_OF_THE_FORM(VkPhysicalDeviceVideoEncodeQuantizationMapFeaturesKHR, videoEncodeQuantizationMap);
IS_OF_THE_FORM(VkPhysicalDeviceVideoEncodeRgbConversionFeaturesVALVE, videoEncodeRgbConversion);

void
rp_layer_video_features_chain(struct rp_layer_video_feature_struct chain[RP_LAYER_VIDEO_FEATURES],
                              void *next)
{
    for (uint32_t i = RP_LAYER_VIDEO_FEATURES; i-- > 0;) {
        chain[i] = (struct rp_layer_video_feature_struct){.sType = types[i], .pNext = next};
        next = &chain[i];
    }
}

VkStructureType
rp_layer_video_feature_type(enum rp_layer_video_feature feature)
{
    return types[feature];
}

enum rp_layer_video_feature
rp_layer_video_feature_find(VkStructureType type)
{
    uint32_t i = 0;

    while (i < RP_LAYER_VIDEO_FEATURES && types[i] != type)
        i++;
    return (enum rp_layer_video_feature)i;
}

/* SPDX-License-Identifier: MIT */
/* The features of video, as a table: each stands alone in a structure of the same form.
 */
#ifndef RP_ICD_LAYER_VIDEO_FEATURES_H
#define RP_ICD_LAYER_VIDEO_FEATURES_H

#include <vulkan/vulkan_core.h>

#include <stdint.h>

enum rp_layer_video_feature {
    RP_LAYER_MAINTENANCE_1,
    RP_LAYER_MAINTENANCE_2,
    RP_LAYER_ENCODE_AV1,
    RP_LAYER_DECODE_VP9,
    RP_LAYER_INTRA_REFRESH,
    RP_LAYER_FEEDBACK_2,
    RP_LAYER_QUANTIZATION_MAP,
    RP_LAYER_RGB_CONVERSION,
    RP_LAYER_VIDEO_FEATURES, /* how many */
};

/* What all of these structures are. */
struct rp_layer_video_feature_struct {
    VkStructureType sType;
    void *pNext;
    VkBool32 is_on;
};

/* The chain of all features, in the order of the enumeration; it ends in next, which may be
 * NULL. */
void
rp_layer_video_features_chain(struct rp_layer_video_feature_struct chain[RP_LAYER_VIDEO_FEATURES],
                              void *next);

VkStructureType rp_layer_video_feature_type(enum rp_layer_video_feature feature);

/* RP_LAYER_VIDEO_FEATURES: the structure is none of them. */
enum rp_layer_video_feature rp_layer_video_feature_find(VkStructureType type);

#endif

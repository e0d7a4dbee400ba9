/* SPDX-License-Identifier: MIT */
/* The formats of pictures that the layer copies between the lower device and our driver.
 */
#ifndef RP_ICD_LAYER_FORMATS_H
#define RP_ICD_LAYER_FORMATS_H

#include <vulkan/vulkan_core.h>

#include <stdint.h>

#define RP_LAYER_MAX_PLANES 3

struct rp_layer_format {
    VkFormat format;
    uint32_t plane_count;
    struct {
        VkImageAspectFlagBits aspect;
        uint32_t texel_B;
        uint32_t shift; /* of width and height: 1 for subsampled chroma */
    } planes[RP_LAYER_MAX_PLANES];
};

/* NULL: pictures of the format are not copied. */
const struct rp_layer_format *rp_layer_format_find(VkFormat format);

#endif

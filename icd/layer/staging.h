/* SPDX-License-Identifier: MIT */
/* One layer of a lower image as our driver codes it: a LINEAR image in lower host memory, to which
 * and from which the lower device copies.
 */
#ifndef RP_ICD_LAYER_STAGING_H
#define RP_ICD_LAYER_STAGING_H

#include "icd/layer/formats.h"
#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#include <stdint.h>

struct rp_layer_image;

struct rp_layer_staging {
    VkBuffer buffer;       /* lower */
    VkDeviceMemory memory; /* lower, mapped for good */
    VkImage img;           /* our driver's, over the same bytes */
    VkDeviceMemory driver_memory;
    VkImageView view;
    uint32_t copy_count;
    VkBufferImageCopy copies[RP_LAYER_MAX_PLANES]; /* between buffer and the layer */
};

/* The staging of a layer of a lower image, which is made when it is first asked for. Any thread. */
VkResult rp_layer_staging_get(struct rp_layer_image *img, uint32_t layer,
                              struct rp_layer_staging **out) RP_MUST_CHECK;

/* All of the image. */
void rp_layer_stagings_destroy(struct rp_layer_image *img);

#endif

/* SPDX-License-Identifier: MIT */
/* Images of lent queues, of two kinds.
 *
 * References are our driver's alone: the application holds its handle, and the memory that it binds
 * is not used. Pictures that the lower device writes or reads, too, are lower images; our driver
 * has a LINEAR image for each layer that it codes, a staging, in lower memory that the lower device
 * copies to and from.
 */
#ifndef RP_ICD_LAYER_IMAGE_H
#define RP_ICD_LAYER_IMAGE_H

#include "icd/layer/device.h"
#include "icd/layer/formats.h"
#include "icd/layer/map.h"
#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stdint.h>

struct rp_arena;
struct rp_layer_sharing;
struct rp_layer_staging;

struct rp_layer_image {
    struct rp_layer_entry entry; /* is_lower: a lower image */
    struct rp_layer_device *dev;
    VkImageUsageFlags usage;       /* lent ones */
    VkImageUsageFlags lower_usage; /* those of the lower device */
    VkFormat format;
    VkExtent2D extent;
    uint32_t layer_count;
    VkDeviceMemory driver_memory;       /* of a reference */
    struct rp_layer_staging **stagings; /* of a lower image: layer_count, each NULL until needed */
};

struct rp_layer_view {
    struct rp_layer_entry entry;
    struct rp_layer_image *img; /* borrowed */
    uint32_t first_layer;
    VkImageView driver; /* of a reference */
    VkImageView lower;  /* NULL: the view has lent usages alone */
};

/* NULL: only the lower device knows it. */
static inline struct rp_layer_image *
rp_layer_image_get(struct rp_layer_device *dev, VkImage handle)
{
    return rp_layer_map_get(&dev->map, VK_OBJECT_TYPE_IMAGE, RP_LAYER_HANDLE(handle));
}

static inline struct rp_layer_view *
rp_layer_view_get(struct rp_layer_device *dev, VkImageView handle)
{
    return rp_layer_map_get(&dev->map, VK_OBJECT_TYPE_IMAGE_VIEW, RP_LAYER_HANDLE(handle));
}

/* The lower device's part of an image to be made. *is_reference_out: there is none, and *out is not
 * written. sharing holds the families of *out. */
VkResult rp_layer_image_info_lower(const struct rp_layer_device *dev, const VkImageCreateInfo *info,
                                   struct rp_arena *arena, struct rp_layer_sharing *sharing,
                                   VkImageCreateInfo *out, bool *is_reference_out) RP_MUST_CHECK;

/* What our driver codes in the place of a picture: its view, and the layer in it. */
VkResult rp_layer_view_driver(struct rp_layer_view *view, uint32_t layer, VkImageView *out,
                              uint32_t *layer_out) RP_MUST_CHECK;

#endif

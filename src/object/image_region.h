/* SPDX-License-Identifier: MIT */
/* The box of texel blocks that a copy names in an image, as memory.
 */
#ifndef RP_OBJECT_IMAGE_REGION_H
#define RP_OBJECT_IMAGE_REGION_H

#include "transfer/transfer.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stdint.h>

struct rp_image;
struct rp_workers;

/* Slices are depth slices of a 3D image, else array layers. Of one plane and, for multisampled
 * images, one sample after the other: sample_count boxes, sample_stride_B apart. */
struct rp_image_region {
    struct rp_transfer_box box;
    struct rp_transfer_size size;
    uint32_t sample_count;
    uint64_t sample_stride_B;
    uint32_t block_B;
    uint32_t block_w_px;
    uint32_t block_h_px;
    bool has_x8; /* words of 24 bits of depth and 8 bits that mean nothing */
};

/* What aspect (one bit) of layers at offset covers with extent; both in texels of the aspect's
 * plane. The box is cut at the edges of the subresource. */
void rp_image_region_init(struct rp_image_region *region, struct rp_image *img,
                          VkImageAspectFlags aspect, const VkImageSubresourceLayers *layers,
                          VkOffset3D offset, VkExtent3D extent);

/* After a copy from memory into the region: what means nothing is zero, so that equal images are
 * equal bytes. */
void rp_image_region_clear_x8(const struct rp_image_region *region);

/* Linear memory beside a region: the pitches that vkCmdCopyBufferToImage knows, in texels; 0 is
 * tight. */
struct rp_transfer_box rp_image_region_linear(const struct rp_image_region *region, uint8_t *data,
                                              uint32_t row_length_px, uint32_t image_height_px,
                                              VkExtent3D extent);

/* How many bytes of linear memory the region spans: what it moves, and what lies between. 0: it
 * moves nothing. UINT64_MAX: more than there can be. */
uint64_t rp_image_region_linear_B(const struct rp_image_region *region,
                                  const struct rp_transfer_box *linear);

/* Whether what the region moves lies in room_B bytes from linear's first one on. */
bool rp_image_region_fits(const struct rp_image_region *region,
                          const struct rp_transfer_box *linear, uint64_t room_B);

/* One region of vkCmdCopyImage2 or vkCopyImageToImage, all its aspects and samples. */
void rp_image_copy_region(struct rp_workers *workers, struct rp_image *dst, struct rp_image *src,
                          const VkImageCopy2 *region);

#endif

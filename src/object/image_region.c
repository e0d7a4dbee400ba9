/* SPDX-License-Identifier: MIT */
/* From Vulkan's offsets and extents in texels to bytes.
 */
#include "object/image_region.h"

#include "format/format.h"
#include "object/image.h"
#include "util/checked.h"
#include "util/compiler.h"

static uint32_t
blocks(uint32_t texels, uint32_t block_px)
{
    return texels / block_px + (texels % block_px != 0);
}

/* The part of [offset, offset + extent) that lies below limit. */
static uint32_t
clip(uint32_t offset, uint32_t extent, uint32_t limit)
{
    if (offset >= limit)
        return 0;
    return RP_MIN(extent, limit - offset);
}

void
rp_image_region_init(struct rp_image_region *region, struct rp_image *img,
                     VkImageAspectFlags aspect, const VkImageSubresourceLayers *layers,
                     VkOffset3D offset, VkExtent3D extent)
{
    const uint32_t index = rp_format_plane_index(img->format, aspect);
    const struct rp_format_plane *fp = &img->format->planes[index];
    const struct rp_image_plane *plane = &img->plane[index];
    *region = (struct rp_image_region){
        .block_B = fp->block_B,
        .block_w_px = fp->block_w_px,
        .block_h_px = fp->block_h_px,
    };
    if (!plane->host || layers->mipLevel >= img->level_count)
        return; /* nothing there to copy */

    const struct rp_image_level *l = &plane->level[layers->mipLevel];
    const bool is_3d = img->type == VK_IMAGE_TYPE_3D;

    const uint32_t x_px = (uint32_t)offset.x, y_px = (uint32_t)offset.y;
    const uint32_t first_slice = is_3d ? (uint32_t)offset.z : layers->baseArrayLayer;
    const uint64_t slice_stride_B = is_3d ? l->slice_stride_B : l->layer_stride_B;
    const uint32_t slice_limit = is_3d ? l->extent_px.depth : img->layer_count;
    /* VK_REMAINING_ARRAY_LAYERS is the largest number: the clip resolves it. A copy between 3D
     * and layers says the depth in extent on both sides. */
    const uint32_t slice_count =
        is_3d || layers->layerCount == 1 ? extent.depth : layers->layerCount;
    const uint32_t width_px = clip(x_px, extent.width, l->extent_px.width);
    const uint32_t height_px = clip(y_px, extent.height, l->extent_px.height);

    *region = (struct rp_image_region){
        .box =
            {
                .data = plane->host + l->offset_B + first_slice * slice_stride_B +
                        y_px / fp->block_h_px * l->row_stride_B +
                        (uint64_t)(x_px / fp->block_w_px) * fp->block_B,
                .row_stride_B = l->row_stride_B,
                .slice_stride_B = slice_stride_B,
            },
        .size =
            {
                .row_B = (uint64_t)blocks(width_px, fp->block_w_px) * fp->block_B,
                .row_count = blocks(height_px, fp->block_h_px),
                .slice_count = clip(first_slice, slice_count, slice_limit),
            },
        .sample_count = img->sample_count,
        .sample_stride_B = l->slice_stride_B,
        .block_B = fp->block_B,
        .block_w_px = fp->block_w_px,
        .block_h_px = fp->block_h_px,
        .has_x8 = fp->format == VK_FORMAT_X8_D24_UNORM_PACK32,
    };
}

void
rp_image_region_clear_x8(const struct rp_image_region *region)
{
    if (!region->has_x8)
        return;
    for (uint32_t z = 0; z < region->size.slice_count; z++) {
        for (uint32_t y = 0; y < region->size.row_count; y++) {
            uint8_t *row =
                region->box.data + z * region->box.slice_stride_B + y * region->box.row_stride_B;
            for (uint64_t x_B = 3; x_B < region->size.row_B; x_B += 4)
                row[x_B] = 0;
        }
    }
}

struct rp_transfer_box
rp_image_region_linear(const struct rp_image_region *region, uint8_t *data, uint32_t row_length_px,
                       uint32_t image_height_px, VkExtent3D extent)
{
    const uint32_t width_px = row_length_px ? row_length_px : extent.width;
    const uint32_t height_px = image_height_px ? image_height_px : extent.height;
    const uint64_t row_stride_B = (uint64_t)blocks(width_px, region->block_w_px) * region->block_B;

    return (struct rp_transfer_box){
        .data = data,
        .row_stride_B = row_stride_B,
        .slice_stride_B = row_stride_B * blocks(height_px, region->block_h_px),
    };
}

uint64_t
rp_image_region_linear_B(const struct rp_image_region *region, const struct rp_transfer_box *linear)
{
    const struct rp_transfer_size *size = &region->size;
    if (size->row_B == 0 || size->row_count == 0 || size->slice_count == 0)
        return 0;
    uint64_t slices_B, rows_B, end_B;
    const bool is_possible = rp_mul_u64(linear->slice_stride_B, size->slice_count - 1, &slices_B) &&
                             rp_mul_u64(linear->row_stride_B, size->row_count - 1, &rows_B) &&
                             rp_add_u64(slices_B, rows_B, &end_B) &&
                             rp_add_u64(end_B, size->row_B, &end_B);
    return is_possible ? end_B : UINT64_MAX;
}

bool
rp_image_region_fits(const struct rp_image_region *region, const struct rp_transfer_box *linear,
                     uint64_t room_B)
{
    const uint64_t size_B = rp_image_region_linear_B(region, linear);
    return size_B <= room_B && size_B != UINT64_MAX;
}

static void
copy_aspect(struct rp_workers *workers, struct rp_image *dst, VkImageAspectFlags dst_aspect,
            struct rp_image *src, VkImageAspectFlags src_aspect, const VkImageCopy2 *r)
{
    struct rp_image_region from, to;
    rp_image_region_init(&from, src, src_aspect, &r->srcSubresource, r->srcOffset, r->extent);
    /* The extent is in source texels; the destination takes the same number of blocks. */
    const struct rp_format_plane *fp =
        &dst->format->planes[rp_format_plane_index(dst->format, dst_aspect)];
    const VkExtent3D extent = {
        .width = blocks(r->extent.width, from.block_w_px) * fp->block_w_px,
        .height = blocks(r->extent.height, from.block_h_px) * fp->block_h_px,
        .depth = from.size.slice_count,
    };
    rp_image_region_init(&to, dst, dst_aspect, &r->dstSubresource, r->dstOffset, extent);
    const struct rp_transfer_size size = {
        .row_B = RP_MIN(from.size.row_B, to.size.row_B),
        .row_count = RP_MIN(from.size.row_count, to.size.row_count),
        .slice_count = RP_MIN(from.size.slice_count, to.size.slice_count),
    };
    for (uint32_t i = 0; i < RP_MIN(from.sample_count, to.sample_count); i++) {
        rp_transfer_copy_box(workers, &to.box, &from.box, &size);
        rp_image_region_clear_x8(&to);
        to.box.data += to.sample_stride_B;
        from.box.data += from.sample_stride_B;
    }
}

void
rp_image_copy_region(struct rp_workers *workers, struct rp_image *dst, struct rp_image *src,
                     const VkImageCopy2 *region)
{
    const VkImageAspectFlags src_aspects = region->srcSubresource.aspectMask;
    const VkImageAspectFlags both = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;

    if (src_aspects == both && region->dstSubresource.aspectMask == both) {
        copy_aspect(workers, dst, VK_IMAGE_ASPECT_DEPTH_BIT, src, VK_IMAGE_ASPECT_DEPTH_BIT,
                    region);
        copy_aspect(workers, dst, VK_IMAGE_ASPECT_STENCIL_BIT, src, VK_IMAGE_ASPECT_STENCIL_BIT,
                    region);
        return;
    }
    copy_aspect(workers, dst, region->dstSubresource.aspectMask, src, src_aspects, region);
}

/* SPDX-License-Identifier: MIT */
/* vkCmdBlitImage2: the texture unit samples the source, row by row of the destination.
 *
 * No queue family here allows a blit and no format reports it; a call does what it says all the
 * same.
 */
#include "cmd/cmd_buffer.h"
#include "cmd/describe.h"
#include "cmd/replay.h"
#include "compute/image/image.h"
#include "compute/image/lanes.h"
#include "compute/image/texel.h"
#include "object/device.h"
#include "object/image.h"
#include "util/compiler.h"

#include "format/format.h"

#include "rp_entrypoints.h"

#include <string.h>

#define LANES 256u

struct blit_image {
    struct rp_cmd cmd;
    struct rp_image *src; /* borrowed */
    struct rp_image *dst; /* borrowed */
    VkFilter filter;
    uint32_t region_count;
    VkImageBlit2 regions[]; /* pNext is not kept */
};

/* One dimension of a blit: destination texels [begin, end), and where they lie in the source. */
struct blit_axis {
    int32_t begin;
    int32_t end;
    int32_t dst_origin;
    float src_origin;
    float scale;
};

static struct blit_axis
axis_init(int32_t src0, int32_t src1, int32_t dst0, int32_t dst1, uint32_t limit)
{
    const int32_t low = RP_MIN(dst0, dst1), high = RP_MAX(dst0, dst1);
    return (struct blit_axis){
        .begin = RP_MAX(low, 0),
        .end = (int64_t)high < (int64_t)limit ? high : (int32_t)limit,
        .dst_origin = dst0,
        .src_origin = (float)src0,
        .scale = dst1 == dst0 ? 0.0f : (float)(src1 - src0) / (float)(dst1 - dst0),
    };
}

/* 20.5: the centre of a destination texel in unnormalized source coordinates. */
static uint32_t
axis_coord_bits(const struct blit_axis *axis, int32_t dst)
{
    return rp_float_bits(((float)(dst - axis->dst_origin) + 0.5f) * axis->scale + axis->src_origin);
}

/* One aspect of one layer, sampled as one level of one (1D, 2D or 3D) texture. */
struct blit {
    struct rp_texture_level src_level;
    struct rp_texture texture;
    struct rp_sampler_state sampler;
    struct rp_texel_codec codec;
    struct blit_axis axis[3];
    uint8_t *dst; /* texel (0, 0, 0) */
    uint64_t row_stride_B;
    uint64_t slice_stride_B;
};

static void
blit_span(const struct blit *b, int32_t x, uint32_t count, int32_t y, int32_t z)
{
    static const struct rp_image_shape shape = {.dim = RP_DIM_3D};
    uint32_t coords[3][LANES];
    uint32_t texels[4][LANES];
    const struct rp_image_args args = {.coord = {coords[0], coords[1], coords[2]}};
    uint32_t *const out[4] = {texels[0], texels[1], texels[2], texels[3]};

    for (uint32_t i = 0; i < count; i++) {
        coords[0][i] = axis_coord_bits(&b->axis[0], x + (int32_t)i);
        coords[1][i] = axis_coord_bits(&b->axis[1], y);
        coords[2][i] = axis_coord_bits(&b->axis[2], z);
    }
    rp_image_sample(&shape, &b->texture, &b->sampler, &args, count, NULL, out);

    uint8_t *texel = b->dst + (uint64_t)z * b->slice_stride_B + (uint64_t)y * b->row_stride_B +
                     (uint64_t)x * b->codec.texel_B;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t color[4] = {texels[0][i], texels[1][i], texels[2][i], texels[3][i]};
        b->codec.encode(b->codec.fmt, texel, color);
        texel += b->codec.texel_B;
    }
}

static void
blit_run(const struct blit *b)
{
    for (int32_t z = b->axis[2].begin; z < b->axis[2].end; z++) {
        for (int32_t y = b->axis[1].begin; y < b->axis[1].end; y++) {
            for (int32_t x = b->axis[0].begin; x < b->axis[0].end; x += (int32_t)LANES) {
                const uint32_t left = (uint32_t)(b->axis[0].end - x);
                blit_span(b, x, RP_MIN(left, LANES), y, z);
            }
        }
    }
}

static struct rp_texture_level
level_of_layer(const struct rp_image_plane *plane, uint32_t level, uint32_t layer)
{
    const struct rp_image_level *l = &plane->level[level];
    return (struct rp_texture_level){
        .data = rp_image_texels(plane, level, layer, 0),
        .width_px = l->extent_px.width,
        .height_px = l->extent_px.height,
        .depth_px = l->extent_px.depth,
        .row_B = l->row_stride_B,
        .slice_B = l->slice_stride_B,
    };
}

static struct rp_sampler_state
sampler_of_filter(VkFilter filter)
{
    struct rp_sampler_state sampler = {
        .mag_filter = filter,
        .min_filter = filter,
        .is_unnormalized = true,
    };
    for (uint32_t i = 0; i < 3; i++)
        sampler.address_mode[i] = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    return sampler;
}

static void
blit_layer(const struct blit_image *c, const VkImageBlit2 *r, VkImageAspectFlags aspect,
           uint32_t layer)
{
    const struct rp_image_plane *src = rp_image_plane_of(c->src, aspect);
    const struct rp_image_plane *dst = rp_image_plane_of(c->dst, aspect);
    const VkImageSubresourceLayers *from = &r->srcSubresource, *to = &r->dstSubresource;
    const struct rp_image_level *level = &dst->level[to->mipLevel];
    const VkOffset3D *s = r->srcOffsets, *d = r->dstOffsets;

    struct blit b = {
        .src_level = level_of_layer(src, from->mipLevel, from->baseArrayLayer + layer),
        .sampler = sampler_of_filter(c->filter),
        .codec = rp_texel_codec_get(dst->format->vk),
        .dst = rp_image_texels(dst, to->mipLevel, to->baseArrayLayer + layer, 0),
        .row_stride_B = level->row_stride_B,
        .slice_stride_B = level->slice_stride_B,
    };
    b.texture = (struct rp_texture){
        .type = VK_IMAGE_VIEW_TYPE_3D,
        .format = src->format->vk,
        .plane_count = 1,
        .level_count = 1,
        .layer_count = 1,
        .sample_count = 1,
        .levels = &b.src_level,
    };
    b.axis[0] = axis_init(s[0].x, s[1].x, d[0].x, d[1].x, level->extent_px.width);
    b.axis[1] = axis_init(s[0].y, s[1].y, d[0].y, d[1].y, level->extent_px.height);
    b.axis[2] = axis_init(s[0].z, s[1].z, d[0].z, d[1].z, level->extent_px.depth);
    if (b.codec.texel_B)
        blit_run(&b);
}

static void
blit_region(const struct blit_image *c, const VkImageBlit2 *r)
{
    const uint32_t layer_count = r->dstSubresource.layerCount == VK_REMAINING_ARRAY_LAYERS
                                     ? c->dst->layer_count - r->dstSubresource.baseArrayLayer
                                     : r->dstSubresource.layerCount;
    const VkImageAspectFlags aspects = r->srcSubresource.aspectMask;

    for (uint32_t i = 0; i < layer_count; i++) {
        for (VkImageAspectFlags rest = aspects; rest; rest &= rest - 1)
            blit_layer(c, r, rest & -rest, i);
    }
}

static VkResult
blit_image_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    const struct blit_image *c = (const struct blit_image *)cmd;

    rp_replay_wait_jobs(rp);
    rp_image_mark_written(c->dst);
    for (uint32_t i = 0; i < c->region_count; i++)
        blit_region(c, &c->regions[i]);
    return VK_SUCCESS;
}

static void
blit_image_describe(const struct rp_cmd *cmd, struct rp_describe *d)
{
    const struct blit_image *c = (const struct blit_image *)cmd;
    const VkBlitImageInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_BLIT_IMAGE_INFO_2,
        .srcImage = rp_image_to_handle(c->src),
        .srcImageLayout = VK_IMAGE_LAYOUT_GENERAL,
        .dstImage = rp_image_to_handle(c->dst),
        .dstImageLayout = VK_IMAGE_LAYOUT_GENERAL,
        .regionCount = c->region_count,
        .pRegions = rp_describe_regions(d, c->regions, c->region_count, sizeof(c->regions[0])),
        .filter = c->filter,
    };
    rp_describe_info(d, info.pRegions ? &info : NULL);
    rp_capture_touch_image(d->capture, c->src, RP_CAPTURE_READ);
    rp_capture_touch_image(d->capture, c->dst, RP_CAPTURE_WRITE);
}

static const struct rp_cmd_ops blit_image_ops = {
    .name = "BlitImage",
    .replay = blit_image_replay,
    .describe = blit_image_describe,
};

VKAPI_ATTR void VKAPI_CALL
rp_CmdBlitImage2(VkCommandBuffer commandBuffer, const VkBlitImageInfo2 *info)
{
    struct rp_cmd_buffer *cb = rp_cmd_buffer_from_handle(commandBuffer);

    struct blit_image *c = rp_cmd_record(
        cb, &blit_image_ops, sizeof(*c) + (size_t)info->regionCount * sizeof(c->regions[0]));
    if (!c)
        return;

    c->src = rp_image_from_handle(info->srcImage);
    c->dst = rp_image_from_handle(info->dstImage);
    c->filter = info->filter;
    c->region_count = info->regionCount;
    memcpy(c->regions, info->pRegions, info->regionCount * sizeof(c->regions[0]));
}

/* SPDX-License-Identifier: MIT */
/* vkCmdResolveImage2: the samples of a texel become one.
 *
 * No queue family here allows a resolve and no format reports it; a call does what it says all the
 * same: the average of colours, the first sample of integers, depth and stencil.
 */
#include "cmd/cmd_buffer.h"
#include "cmd/describe.h"
#include "cmd/replay.h"
#include "compute/image/lanes.h"
#include "compute/image/texel.h"
#include "object/device.h"
#include "object/image.h"
#include "object/image_region.h"
#include "util/compiler.h"

#include "format/format.h"

#include "rp_entrypoints.h"

#include <string.h>

struct resolve_image {
    struct rp_cmd cmd;
    struct rp_image *src; /* borrowed */
    struct rp_image *dst; /* borrowed */
    uint32_t region_count;
    VkImageResolve2 regions[]; /* pNext is not kept */
};

static void
average_texel(const struct rp_texel_codec *codec, const uint8_t *src, uint64_t sample_stride_B,
              uint32_t sample_count, uint8_t *dst)
{
    float sum[4] = {0};
    uint32_t color[4];

    for (uint32_t s = 0; s < sample_count; s++) {
        codec->decode(codec->fmt, src + s * sample_stride_B, color);
        for (uint32_t i = 0; i < 4; i++)
            sum[i] += rp_bits_float(color[i]);
    }
    for (uint32_t i = 0; i < 4; i++)
        color[i] = rp_float_bits(sum[i] / (float)sample_count);
    codec->encode(codec->fmt, dst, color);
}

static void
average_row(const struct rp_texel_codec *codec, const struct rp_image_region *from,
            const uint8_t *src, uint8_t *dst, uint64_t row_B)
{
    for (uint64_t x_B = 0; x_B + codec->texel_B <= row_B; x_B += codec->texel_B)
        average_texel(codec, src + x_B, from->sample_stride_B, from->sample_count, dst + x_B);
}

static void
average_boxes(VkFormat format, const struct rp_image_region *from, const struct rp_image_region *to,
              const struct rp_transfer_size *size)
{
    const struct rp_texel_codec codec = rp_texel_codec_get(format);

    for (uint32_t z = 0; z < size->slice_count && codec.texel_B; z++) {
        for (uint32_t y = 0; y < size->row_count; y++) {
            average_row(&codec, from,
                        from->box.data + z * from->box.slice_stride_B + y * from->box.row_stride_B,
                        to->box.data + z * to->box.slice_stride_B + y * to->box.row_stride_B,
                        size->row_B);
        }
    }
}

static bool
is_averaged(const struct rp_format *fmt)
{
    const enum rp_numeric numeric = fmt->channels[0].numeric;
    return !rp_format_is_depth_stencil(fmt) && numeric != RP_NUMERIC_UINT &&
           numeric != RP_NUMERIC_SINT;
}

static void
resolve_aspect(const struct resolve_image *c, const VkImageResolve2 *r, VkImageAspectFlags aspect,
               struct rp_workers *workers)
{
    struct rp_image_region from, to;
    rp_image_region_init(&from, c->src, aspect, &r->srcSubresource, r->srcOffset, r->extent);
    rp_image_region_init(&to, c->dst, aspect, &r->dstSubresource, r->dstOffset, r->extent);

    const struct rp_transfer_size size = {
        .row_B = RP_MIN(from.size.row_B, to.size.row_B),
        .row_count = RP_MIN(from.size.row_count, to.size.row_count),
        .slice_count = RP_MIN(from.size.slice_count, to.size.slice_count),
    };
    if (is_averaged(c->dst->format))
        average_boxes(c->dst->vk_format, &from, &to, &size);
    else
        rp_transfer_copy_box(workers, &to.box, &from.box, &size);
}

static VkResult
resolve_image_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    const struct resolve_image *c = (const struct resolve_image *)cmd;

    rp_replay_wait_jobs(rp);
    rp_image_mark_written(c->dst);
    for (uint32_t i = 0; i < c->region_count; i++) {
        const VkImageResolve2 *r = &c->regions[i];
        for (VkImageAspectFlags rest = r->srcSubresource.aspectMask; rest; rest &= rest - 1)
            resolve_aspect(c, r, rest & -rest, rp->dev->workers);
    }
    return VK_SUCCESS;
}

static void
resolve_image_describe(const struct rp_cmd *cmd, struct rp_describe *d)
{
    const struct resolve_image *c = (const struct resolve_image *)cmd;
    const VkResolveImageInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_RESOLVE_IMAGE_INFO_2,
        .srcImage = rp_image_to_handle(c->src),
        .srcImageLayout = VK_IMAGE_LAYOUT_GENERAL,
        .dstImage = rp_image_to_handle(c->dst),
        .dstImageLayout = VK_IMAGE_LAYOUT_GENERAL,
        .regionCount = c->region_count,
        .pRegions = rp_describe_regions(d, c->regions, c->region_count, sizeof(c->regions[0])),
    };
    rp_describe_info(d, info.pRegions ? &info : NULL);
    rp_capture_touch_image(d->capture, c->src, RP_CAPTURE_READ);
    rp_capture_touch_image(d->capture, c->dst, RP_CAPTURE_WRITE);
}

static const struct rp_cmd_ops resolve_image_ops = {
    .name = "ResolveImage",
    .replay = resolve_image_replay,
    .describe = resolve_image_describe,
};

VKAPI_ATTR void VKAPI_CALL
rp_CmdResolveImage2(VkCommandBuffer commandBuffer, const VkResolveImageInfo2 *info)
{
    struct rp_cmd_buffer *cb = rp_cmd_buffer_from_handle(commandBuffer);

    struct resolve_image *c = rp_cmd_record(
        cb, &resolve_image_ops, sizeof(*c) + (size_t)info->regionCount * sizeof(c->regions[0]));
    if (!c)
        return;

    c->src = rp_image_from_handle(info->srcImage);
    c->dst = rp_image_from_handle(info->dstImage);
    c->region_count = info->regionCount;
    memcpy(c->regions, info->pRegions, info->regionCount * sizeof(c->regions[0]));
}

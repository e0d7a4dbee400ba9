/* SPDX-License-Identifier: MIT */
/* vkCmdClearColorImage and vkCmdClearDepthStencilImage: one texel, repeated over subresources.
 */
#include "cmd/cmd_buffer.h"
#include "cmd/describe.h"
#include "cmd/replay.h"
#include "object/device.h"
#include "object/image.h"
#include "object/image_region.h"

#include "format/format.h"
#include "format/pack.h"

#include "rp_entrypoints.h"

#include <string.h>

struct clear_image {
    struct rp_cmd cmd;
    struct rp_image *img; /* borrowed */
    VkClearColorValue color;
    VkClearDepthStencilValue depth_stencil;
    uint32_t range_count;
    VkImageSubresourceRange ranges[];
};

static void
clear_level(const struct clear_image *c, struct rp_workers *workers,
            const VkImageSubresourceRange *range, uint32_t plane, uint32_t level,
            const uint8_t *texel)
{
    const struct rp_image_plane *p = &c->img->plane[plane];
    const VkImageSubresourceLayers layers = {
        .mipLevel = level,
        .baseArrayLayer = range->baseArrayLayer,
        .layerCount = range->layerCount,
    };
    struct rp_image_region region;

    rp_image_region_init(&region, c->img, p->aspect, &layers, (VkOffset3D){0},
                         p->level[level].extent_px);
    for (uint32_t i = 0; i < region.sample_count; i++) {
        rp_transfer_fill_box(workers, &region.box, &region.size, texel, region.block_B);
        region.box.data += region.sample_stride_B;
    }
}

static void
clear_range(const struct clear_image *c, struct rp_workers *workers,
            const VkImageSubresourceRange *range, bool is_color)
{
    const uint32_t planes = rp_format_plane_mask(c->img->format, range->aspectMask);
    const uint32_t left_count =
        c->img->level_count - RP_MIN(range->baseMipLevel, c->img->level_count);
    const uint32_t level_count = RP_MIN(range->levelCount, left_count);

    for (uint32_t i = 0; i < c->img->plane_count; i++) {
        uint8_t texel[RP_MAX_TEXEL_B];
        if (!(planes >> i & 1))
            continue;
        if (is_color)
            rp_format_pack_color(c->img->plane[i].format, &c->color, texel);
        else
            rp_format_pack_depth_stencil(c->img->plane[i].format->vk, &c->depth_stencil, texel);
        for (uint32_t level = 0; level < level_count; level++)
            clear_level(c, workers, range, i, range->baseMipLevel + level, texel);
    }
}

static VkResult
clear_replay(const struct rp_cmd *cmd, struct rp_replay *rp, bool is_color)
{
    const struct clear_image *c = (const struct clear_image *)cmd;

    rp_replay_wait_jobs(rp);
    rp_image_mark_written(c->img);
    for (uint32_t i = 0; i < c->range_count; i++)
        clear_range(c, rp->dev->workers, &c->ranges[i], is_color);
    return VK_SUCCESS;
}

static VkResult
clear_color_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    return clear_replay(cmd, rp, true);
}

static VkResult
clear_depth_stencil_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    return clear_replay(cmd, rp, false);
}

static void
clear_describe(const struct rp_cmd *cmd, struct rp_describe *d)
{
    const struct clear_image *c = (const struct clear_image *)cmd;

    rp_describe_key_handle(d, "image", c->img);
    rp_json_key(d->json, "color");
    rp_json_bytes(d->json, &c->color, sizeof(c->color));
    rp_json_key(d->json, "depth_stencil");
    rp_json_bytes(d->json, &c->depth_stencil, sizeof(c->depth_stencil));
    rp_json_key(d->json, "ranges");
    rp_json_open(d->json, '[');
    for (uint32_t i = 0; i < c->range_count; i++) {
        rp_json_u64(d->json, c->ranges[i].aspectMask);
        rp_json_u64(d->json, c->ranges[i].baseMipLevel);
        rp_json_u64(d->json, c->ranges[i].levelCount);
        rp_json_u64(d->json, c->ranges[i].baseArrayLayer);
        rp_json_u64(d->json, c->ranges[i].layerCount);
    }
    rp_json_close(d->json, ']');
    rp_capture_touch_image(d->capture, c->img, RP_CAPTURE_WRITE);
}

static const struct rp_cmd_ops clear_color_ops = {
    .name = "ClearColorImage",
    .replay = clear_color_replay,
    .describe = clear_describe,
};

static const struct rp_cmd_ops clear_depth_stencil_ops = {
    .name = "ClearDepthStencilImage",
    .replay = clear_depth_stencil_replay,
    .describe = clear_describe,
};

static struct clear_image *
record_clear(VkCommandBuffer commandBuffer, const struct rp_cmd_ops *ops, VkImage image,
             uint32_t range_count, const VkImageSubresourceRange *ranges)
{
    struct rp_cmd_buffer *cb = rp_cmd_buffer_from_handle(commandBuffer);

    struct clear_image *c =
        rp_cmd_record(cb, ops, sizeof(*c) + (size_t)range_count * sizeof(ranges[0]));
    if (!c)
        return NULL;
    c->img = rp_image_from_handle(image);
    c->range_count = range_count;
    memcpy(c->ranges, ranges, range_count * sizeof(ranges[0]));
    return c;
}

VKAPI_ATTR void VKAPI_CALL
rp_CmdClearColorImage(VkCommandBuffer commandBuffer, VkImage image, VkImageLayout layout,
                      const VkClearColorValue *color, uint32_t range_count,
                      const VkImageSubresourceRange *ranges)
{
    struct clear_image *c =
        record_clear(commandBuffer, &clear_color_ops, image, range_count, ranges);
    if (c)
        c->color = *color;
}

/* No queue family here allows it; a call does what it says all the same. */
VKAPI_ATTR void VKAPI_CALL
rp_CmdClearDepthStencilImage(VkCommandBuffer commandBuffer, VkImage image, VkImageLayout layout,
                             const VkClearDepthStencilValue *value, uint32_t range_count,
                             const VkImageSubresourceRange *ranges)
{
    struct clear_image *c =
        record_clear(commandBuffer, &clear_depth_stencil_ops, image, range_count, ranges);
    if (c)
        c->depth_stencil = *value;
}

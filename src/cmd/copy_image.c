/* SPDX-License-Identifier: MIT */
/* vkCmdCopyBufferToImage2, vkCmdCopyImageToBuffer2, vkCmdCopyImage2.
 */
#include "cmd/cmd_buffer.h"
#include "cmd/replay.h"
#include "object/buffer.h"
#include "object/device.h"
#include "object/image.h"
#include "object/image_region.h"
#include "object/memory.h"

#include "format/format.h"

#include "rp_entrypoints.h"

#include <string.h>

#define COPY_B_PER_NS 16

static uint64_t
extent_cost_ns(const struct rp_image *img, VkExtent3D extent, uint32_t layer_count)
{
    const uint32_t layers = layer_count == VK_REMAINING_ARRAY_LAYERS ? 1 : layer_count;
    return (uint64_t)extent.width * extent.height * extent.depth / COPY_B_PER_NS * layers *
           img->format->planes[0].block_B;
}

/* Both directions between a buffer and an image. */
struct copy_linear {
    struct rp_cmd cmd;
    const struct rp_buffer *buf;
    struct rp_image *img;
    uint32_t region_count;
    VkBufferImageCopy2 regions[]; /* pNext is not kept */
};

static void
copy_linear_region(const struct copy_linear *c, const VkBufferImageCopy2 *r, bool to_image,
                   struct rp_workers *workers)
{
    struct rp_image_region region;
    rp_image_region_init(&region, c->img, r->imageSubresource.aspectMask, &r->imageSubresource,
                         r->imageOffset, r->imageExtent);
    const struct rp_transfer_box linear =
        rp_image_region_linear(&region, c->buf->host + r->bufferOffset, r->bufferRowLength,
                               r->bufferImageHeight, r->imageExtent);
    const uint64_t room_B = rp_buffer_range_B(c->buf, r->bufferOffset, VK_WHOLE_SIZE);
    if (!rp_image_region_fits(&region, &linear, room_B))
        return; /* the application's mistake; nothing outside of the buffer is touched */
    if (!to_image) {
        rp_transfer_copy_box(workers, &linear, &region.box, &region.size);
        return;
    }
    rp_transfer_copy_box(workers, &region.box, &linear, &region.size);
    rp_image_region_clear_x8(&region);
}

static VkResult
buffer_to_image_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    const struct copy_linear *c = (const struct copy_linear *)cmd;

    rp_replay_wait_jobs(rp);
    rp_image_mark_written(c->img);
    for (uint32_t i = 0; i < c->region_count; i++)
        copy_linear_region(c, &c->regions[i], true, rp->dev->workers);
    return VK_SUCCESS;
}

static VkResult
image_to_buffer_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    const struct copy_linear *c = (const struct copy_linear *)cmd;

    rp_replay_wait_jobs(rp);
    for (uint32_t i = 0; i < c->region_count; i++)
        copy_linear_region(c, &c->regions[i], false, rp->dev->workers);
    return VK_SUCCESS;
}

static const struct rp_cmd_ops buffer_to_image_ops = {
    .name = "CopyBufferToImage",
    .cost_ns = 60,
    .replay = buffer_to_image_replay,
};

static const struct rp_cmd_ops image_to_buffer_ops = {
    .name = "CopyImageToBuffer",
    .cost_ns = 60,
    .replay = image_to_buffer_replay,
};

static void
record_copy_linear(struct rp_cmd_buffer *cb, const struct rp_cmd_ops *ops, VkBuffer buffer,
                   VkImage image, uint32_t region_count, const VkBufferImageCopy2 *regions)
{
    struct copy_linear *c =
        rp_cmd_record(cb, ops, sizeof(*c) + (size_t)region_count * sizeof(c->regions[0]));
    if (!c)
        return;

    c->buf = rp_buffer_from_handle(buffer);
    c->img = rp_image_from_handle(image);
    c->region_count = region_count;
    memcpy(c->regions, regions, region_count * sizeof(regions[0]));
    /* FFmpeg 7.1 imports the frame that it uploads and gives its memory back as soon as it has
     * submitted: that copy is made inside the submission, however long it is, or the submission
     * waits for it. */
    if (c->buf->memory && c->buf->memory->kind == RP_MEMORY_HOST) {
        cb->reads_host_memory |= ops == &buffer_to_image_ops;
        return;
    }
    for (uint32_t i = 0; i < region_count; i++) {
        rp_cmd_add_cost(cb, extent_cost_ns(c->img, regions[i].imageExtent,
                                           regions[i].imageSubresource.layerCount));
    }
}

VKAPI_ATTR void VKAPI_CALL
rp_CmdCopyBufferToImage2(VkCommandBuffer commandBuffer, const VkCopyBufferToImageInfo2 *info)
{
    record_copy_linear(rp_cmd_buffer_from_handle(commandBuffer), &buffer_to_image_ops,
                       info->srcBuffer, info->dstImage, info->regionCount, info->pRegions);
}

VKAPI_ATTR void VKAPI_CALL
rp_CmdCopyImageToBuffer2(VkCommandBuffer commandBuffer, const VkCopyImageToBufferInfo2 *info)
{
    record_copy_linear(rp_cmd_buffer_from_handle(commandBuffer), &image_to_buffer_ops,
                       info->dstBuffer, info->srcImage, info->regionCount, info->pRegions);
}

struct copy_image {
    struct rp_cmd cmd;
    struct rp_image *src;
    struct rp_image *dst;
    uint32_t region_count;
    VkImageCopy2 regions[]; /* pNext is not kept */
};

static VkResult
copy_image_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    const struct copy_image *c = (const struct copy_image *)cmd;

    rp_replay_wait_jobs(rp);
    rp_image_mark_written(c->dst);
    for (uint32_t i = 0; i < c->region_count; i++)
        rp_image_copy_region(rp->dev->workers, c->dst, c->src, &c->regions[i]);
    return VK_SUCCESS;
}

static const struct rp_cmd_ops copy_image_ops = {
    .name = "CopyImage",
    .cost_ns = 80,
    .replay = copy_image_replay,
};

VKAPI_ATTR void VKAPI_CALL
rp_CmdCopyImage2(VkCommandBuffer commandBuffer, const VkCopyImageInfo2 *info)
{
    struct rp_cmd_buffer *cb = rp_cmd_buffer_from_handle(commandBuffer);

    struct copy_image *c = rp_cmd_record(
        cb, &copy_image_ops, sizeof(*c) + (size_t)info->regionCount * sizeof(c->regions[0]));
    if (!c)
        return;

    c->src = rp_image_from_handle(info->srcImage);
    c->dst = rp_image_from_handle(info->dstImage);
    c->region_count = info->regionCount;
    memcpy(c->regions, info->pRegions, info->regionCount * sizeof(c->regions[0]));
    for (uint32_t i = 0; i < info->regionCount; i++) {
        rp_cmd_add_cost(cb, extent_cost_ns(c->src, c->regions[i].extent,
                                           c->regions[i].srcSubresource.layerCount));
    }
}

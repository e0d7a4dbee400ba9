/* SPDX-License-Identifier: MIT */
/* vkCmdCopyBufferToImage2, vkCmdCopyImageToBuffer2, vkCmdCopyImage2.
 */
#include "cmd/cmd_buffer.h"
#include "cmd/copy_cost.h"
#include "cmd/describe.h"
#include "cmd/replay.h"
#include "object/buffer.h"
#include "object/device.h"
#include "object/image.h"
#include "object/image_region.h"
#include "object/memory.h"

#include "rp_entrypoints.h"

#include <string.h>

/* A copy between a buffer and an image, in either direction. */
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

/* The buffer's bytes that the regions move, and what lies between. */
static void
touch_linear(struct rp_describe *d, const struct copy_linear *c, uint32_t access)
{
    for (uint32_t i = 0; i < c->region_count; i++) {
        const VkBufferImageCopy2 *r = &c->regions[i];
        struct rp_image_region region;
        rp_image_region_init(&region, c->img, r->imageSubresource.aspectMask, &r->imageSubresource,
                             r->imageOffset, r->imageExtent);
        const struct rp_transfer_box linear = rp_image_region_linear(
            &region, NULL, r->bufferRowLength, r->bufferImageHeight, r->imageExtent);
        rp_capture_touch_buffer(d->capture, c->buf, r->bufferOffset,
                                rp_image_region_linear_B(&region, &linear), access);
    }
}

static void
buffer_to_image_describe(const struct rp_cmd *cmd, struct rp_describe *d)
{
    const struct copy_linear *c = (const struct copy_linear *)cmd;
    const VkCopyBufferToImageInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_COPY_BUFFER_TO_IMAGE_INFO_2,
        .srcBuffer = rp_buffer_to_handle((struct rp_buffer *)c->buf),
        .dstImage = rp_image_to_handle(c->img),
        .dstImageLayout = VK_IMAGE_LAYOUT_GENERAL,
        .regionCount = c->region_count,
        .pRegions = rp_describe_regions(d, c->regions, c->region_count, sizeof(c->regions[0])),
    };
    rp_describe_info(d, info.pRegions ? &info : NULL);
    touch_linear(d, c, RP_CAPTURE_READ);
    rp_capture_touch_image(d->capture, c->img, RP_CAPTURE_WRITE);
}

static void
image_to_buffer_describe(const struct rp_cmd *cmd, struct rp_describe *d)
{
    const struct copy_linear *c = (const struct copy_linear *)cmd;
    const VkCopyImageToBufferInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_COPY_IMAGE_TO_BUFFER_INFO_2,
        .srcImage = rp_image_to_handle(c->img),
        .srcImageLayout = VK_IMAGE_LAYOUT_GENERAL,
        .dstBuffer = rp_buffer_to_handle((struct rp_buffer *)c->buf),
        .regionCount = c->region_count,
        .pRegions = rp_describe_regions(d, c->regions, c->region_count, sizeof(c->regions[0])),
    };
    rp_describe_info(d, info.pRegions ? &info : NULL);
    rp_capture_touch_image(d->capture, c->img, RP_CAPTURE_READ);
    touch_linear(d, c, RP_CAPTURE_WRITE);
}

static const struct rp_cmd_ops buffer_to_image_ops = {
    .name = "CopyBufferToImage",
    .cost_ns = 60,
    .replay = buffer_to_image_replay,
    .describe = buffer_to_image_describe,
};

static const struct rp_cmd_ops image_to_buffer_ops = {
    .name = "CopyImageToBuffer",
    .cost_ns = 60,
    .replay = image_to_buffer_replay,
    .describe = image_to_buffer_describe,
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
        rp_cmd_add_cost(cb, rp_copy_extent_cost_ns(c->img, regions[i].imageExtent,
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

static void
copy_image_describe(const struct rp_cmd *cmd, struct rp_describe *d)
{
    const struct copy_image *c = (const struct copy_image *)cmd;
    const VkCopyImageInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_COPY_IMAGE_INFO_2,
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

static const struct rp_cmd_ops copy_image_ops = {
    .name = "CopyImage",
    .cost_ns = 80,
    .replay = copy_image_replay,
    .describe = copy_image_describe,
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
        rp_cmd_add_cost(cb, rp_copy_extent_cost_ns(c->src, c->regions[i].extent,
                                                   c->regions[i].srcSubresource.layerCount));
    }
}

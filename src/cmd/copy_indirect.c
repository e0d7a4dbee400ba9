/* SPDX-License-Identifier: MIT */
/* VK_KHR_copy_memory_indirect: copies whose parameters lie in memory. Addresses are pointers.
 */
#include "cmd/cmd_buffer.h"
#include "cmd/describe.h"
#include "cmd/replay.h"
#include "object/device.h"
#include "object/image.h"
#include "object/image_region.h"
#include "transfer/transfer.h"

#include "rp_entrypoints.h"

#include <string.h>

struct copy_memory_indirect {
    struct rp_cmd cmd;
    uint32_t count;
    VkStridedDeviceAddressRangeKHR range; /* of the parameters */
    struct rp_image *img;                 /* borrowed; NULL: from memory to memory */
};

static uint8_t *
address_to_host(VkDeviceAddress address)
{
    return (uint8_t *)(uintptr_t)address;
}

/* How many of the parameters lie in the range. */
static uint32_t
parameter_count(const struct copy_memory_indirect *c, size_t size_B)
{
    if (c->range.size < size_B)
        return 0;
    if (c->range.stride == 0)
        return c->count;
    const uint64_t room = (c->range.size - size_B) / c->range.stride + 1;
    return (uint32_t)RP_MIN(room, c->count);
}

static VkResult
memory_indirect_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    const struct copy_memory_indirect *c = (const struct copy_memory_indirect *)cmd;
    VkCopyMemoryIndirectCommandKHR p;
    const uint32_t count = parameter_count(c, sizeof(p));

    rp_replay_wait_jobs(rp);
    for (uint32_t i = 0; i < count; i++) {
        memcpy(&p, address_to_host(c->range.address + i * c->range.stride), sizeof(p));
        if (p.size)
            rp_transfer_copy(rp->dev->workers, address_to_host(p.dstAddress),
                             address_to_host(p.srcAddress), p.size);
    }
    return VK_SUCCESS;
}

static VkResult
image_indirect_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    const struct copy_memory_indirect *c = (const struct copy_memory_indirect *)cmd;
    VkCopyMemoryToImageIndirectCommandKHR p;
    const uint32_t count = parameter_count(c, sizeof(p));

    rp_replay_wait_jobs(rp);
    rp_image_mark_written(c->img);
    for (uint32_t i = 0; i < count; i++) {
        struct rp_image_region region;
        memcpy(&p, address_to_host(c->range.address + i * c->range.stride), sizeof(p));
        if (c->img->type == VK_IMAGE_TYPE_3D) {
            /* vkCmdCopyMemoryToImageIndirectKHR: the subresource has the slices. */
            p.imageOffset.z = (int32_t)p.imageSubresource.baseArrayLayer;
            p.imageExtent.depth = p.imageSubresource.layerCount;
        }
        rp_image_region_init(&region, c->img, p.imageSubresource.aspectMask, &p.imageSubresource,
                             p.imageOffset, p.imageExtent);
        const struct rp_transfer_box linear =
            rp_image_region_linear(&region, address_to_host(p.srcAddress), p.bufferRowLength,
                                   p.bufferImageHeight, p.imageExtent);
        rp_transfer_copy_box(rp->dev->workers, &region.box, &linear, &region.size);
        rp_image_region_clear_x8(&region);
    }
    return VK_SUCCESS;
}

/* Only memory knows what is copied: any buffer with an address may be. */
static void
copy_indirect_describe(const struct rp_cmd *cmd, struct rp_describe *d)
{
    const struct copy_memory_indirect *c = (const struct copy_memory_indirect *)cmd;

    rp_json_key_u64(d->json, "count", c->count);
    rp_json_key_u64(d->json, "address", c->range.address);
    rp_json_key_u64(d->json, "size", c->range.size);
    rp_json_key_u64(d->json, "stride", c->range.stride);
    rp_describe_key_handle(d, "image", c->img);
    rp_capture_touch_addressable(d->capture, c->img ? RP_CAPTURE_READ : RP_CAPTURE_WRITE);
    rp_capture_touch_image(d->capture, c->img, RP_CAPTURE_WRITE);
}

static const struct rp_cmd_ops memory_indirect_ops = {
    .name = "CopyMemoryIndirect",
    .replay = memory_indirect_replay,
    .describe = copy_indirect_describe,
};

static const struct rp_cmd_ops image_indirect_ops = {
    .name = "CopyMemoryToImageIndirect",
    .replay = image_indirect_replay,
    .describe = copy_indirect_describe,
};

static void
record_indirect(VkCommandBuffer handle, const struct rp_cmd_ops *ops, uint32_t count,
                const VkStridedDeviceAddressRangeKHR *range, VkImage image)
{
    struct copy_memory_indirect *c =
        rp_cmd_record(rp_cmd_buffer_from_handle(handle), ops, sizeof(*c));
    if (!c)
        return;
    c->count = count;
    c->range = *range;
    c->img = rp_image_from_handle(image);
}

VKAPI_ATTR void VKAPI_CALL
rp_CmdCopyMemoryIndirectKHR(VkCommandBuffer commandBuffer, const VkCopyMemoryIndirectInfoKHR *info)
{
    record_indirect(commandBuffer, &memory_indirect_ops, info->copyCount, &info->copyAddressRange,
                    VK_NULL_HANDLE);
}

VKAPI_ATTR void VKAPI_CALL
rp_CmdCopyMemoryToImageIndirectKHR(VkCommandBuffer commandBuffer,
                                   const VkCopyMemoryToImageIndirectInfoKHR *info)
{
    record_indirect(commandBuffer, &image_indirect_ops, info->copyCount, &info->copyAddressRange,
                    info->dstImage);
}

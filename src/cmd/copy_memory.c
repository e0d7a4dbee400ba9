/* SPDX-License-Identifier: MIT */
/* VK_KHR_device_address_commands: copies, fills and updates of memory that is named by its device
 * address, which is a pointer. What ends a range is its size: nothing beyond it is touched.
 */
#include "cmd/cmd_buffer.h"
#include "cmd/copy_cost.h"
#include "cmd/describe.h"
#include "cmd/replay.h"
#include "object/device.h"
#include "object/image.h"
#include "object/image_region.h"
#include "transfer/transfer.h"

#include "rp_entrypoints.h"

#include <string.h>

static uint8_t *
address_to_host(VkDeviceAddress address)
{
    return (uint8_t *)(uintptr_t)address;
}

struct copy_memory {
    struct rp_cmd cmd;
    uint32_t region_count;
    VkDeviceMemoryCopyKHR regions[]; /* pNext is not kept */
};

static uint64_t
copy_size_B(const VkDeviceMemoryCopyKHR *r)
{
    return RP_MIN(r->srcRange.size, r->dstRange.size);
}

static VkResult
copy_memory_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    const struct copy_memory *c = (const struct copy_memory *)cmd;

    rp_replay_wait_jobs(rp);
    for (uint32_t i = 0; i < c->region_count; i++) {
        const VkDeviceMemoryCopyKHR *r = &c->regions[i];
        if (copy_size_B(r))
            rp_transfer_copy(rp->dev->workers, address_to_host(r->dstRange.address),
                             address_to_host(r->srcRange.address), copy_size_B(r));
    }
    return VK_SUCCESS;
}

static void
copy_memory_describe(const struct rp_cmd *cmd, struct rp_describe *d)
{
    const struct copy_memory *c = (const struct copy_memory *)cmd;
    const VkCopyDeviceMemoryInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_COPY_DEVICE_MEMORY_INFO_KHR,
        .regionCount = c->region_count,
        .pRegions = rp_describe_regions(d, c->regions, c->region_count, sizeof(c->regions[0])),
    };
    rp_describe_info(d, info.pRegions ? &info : NULL);
    for (uint32_t i = 0; i < c->region_count; i++) {
        const VkDeviceMemoryCopyKHR *r = &c->regions[i];
        rp_capture_touch_address(d->capture, r->srcRange.address, copy_size_B(r), RP_CAPTURE_READ);
        rp_capture_touch_address(d->capture, r->dstRange.address, copy_size_B(r), RP_CAPTURE_WRITE);
    }
}

static const struct rp_cmd_ops copy_memory_ops = {
    .name = "CopyMemory",
    .cost_ns = 20,
    .replay = copy_memory_replay,
    .describe = copy_memory_describe,
};

VKAPI_ATTR void VKAPI_CALL
rp_CmdCopyMemoryKHR(VkCommandBuffer commandBuffer, const VkCopyDeviceMemoryInfoKHR *info)
{
    struct rp_cmd_buffer *cb = rp_cmd_buffer_from_handle(commandBuffer);
    if (!info) /* the registry lets it be */
        return;
    const size_t regions_B = info->regionCount * sizeof(info->pRegions[0]);

    struct copy_memory *c = rp_cmd_record(cb, &copy_memory_ops, sizeof(*c) + regions_B);
    if (!c)
        return;
    c->region_count = info->regionCount;
    memcpy(c->regions, info->pRegions, regions_B);
    for (uint32_t i = 0; i < info->regionCount; i++)
        rp_cmd_add_cost(cb, copy_size_B(&info->pRegions[i]) / RP_COPY_B_PER_NS);
}

/* A copy between memory and an image, in either direction. */
struct copy_memory_image {
    struct rp_cmd cmd;
    struct rp_image *img; /* borrowed */
    uint32_t region_count;
    VkDeviceMemoryImageCopyKHR regions[]; /* pNext is not kept */
};

/* Fills in both sides of a copy. */
static void
region_init(const VkDeviceMemoryImageCopyKHR *r, struct rp_image *img,
            struct rp_image_region *region, struct rp_transfer_box *linear)
{
    rp_image_region_init(region, img, r->imageSubresource.aspectMask, &r->imageSubresource,
                         r->imageOffset, r->imageExtent);
    *linear = rp_image_region_linear(region, address_to_host(r->addressRange.address),
                                     r->addressRowLength, r->addressImageHeight, r->imageExtent);
}

static void
copy_memory_image_region(const struct copy_memory_image *c, const VkDeviceMemoryImageCopyKHR *r,
                         bool to_image, struct rp_workers *workers)
{
    struct rp_image_region region;
    struct rp_transfer_box linear;
    region_init(r, c->img, &region, &linear);
    if (!rp_image_region_fits(&region, &linear, r->addressRange.size))
        return; /* the application's mistake; nothing outside of the range is touched */
    if (!to_image) {
        rp_transfer_copy_box(workers, &linear, &region.box, &region.size);
        return;
    }
    rp_transfer_copy_box(workers, &region.box, &linear, &region.size);
    rp_image_region_clear_x8(&region);
}

static VkResult
memory_to_image_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    const struct copy_memory_image *c = (const struct copy_memory_image *)cmd;

    rp_replay_wait_jobs(rp);
    rp_image_mark_written(c->img);
    for (uint32_t i = 0; i < c->region_count; i++)
        copy_memory_image_region(c, &c->regions[i], true, rp->dev->workers);
    return VK_SUCCESS;
}

static VkResult
image_to_memory_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    const struct copy_memory_image *c = (const struct copy_memory_image *)cmd;

    rp_replay_wait_jobs(rp);
    for (uint32_t i = 0; i < c->region_count; i++)
        copy_memory_image_region(c, &c->regions[i], false, rp->dev->workers);
    return VK_SUCCESS;
}

/* The bytes that the region moves, and what lies between: the range may be larger. */
static void
touch_linear(struct rp_describe *d, struct rp_image *img, const VkDeviceMemoryImageCopyKHR *r,
             uint32_t access)
{
    struct rp_image_region region;
    struct rp_transfer_box linear;
    region_init(r, img, &region, &linear);
    const uint64_t size_B = rp_image_region_linear_B(&region, &linear);
    if (size_B <= r->addressRange.size)
        rp_capture_touch_address(d->capture, r->addressRange.address, size_B, access);
}

static void
copy_memory_image_describe(const struct copy_memory_image *c, struct rp_describe *d, bool to_image)
{
    VkDeviceMemoryImageCopyKHR *regions =
        rp_describe_regions(d, c->regions, c->region_count, sizeof(c->regions[0]));
    for (uint32_t i = 0; regions && i < c->region_count; i++)
        regions[i].imageLayout = VK_IMAGE_LAYOUT_GENERAL;
    const VkCopyDeviceMemoryImageInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_COPY_DEVICE_MEMORY_IMAGE_INFO_KHR,
        .image = rp_image_to_handle(c->img),
        .regionCount = c->region_count,
        .pRegions = regions,
    };
    rp_describe_info(d, regions ? &info : NULL);
    for (uint32_t i = 0; i < c->region_count; i++)
        touch_linear(d, c->img, &c->regions[i], to_image ? RP_CAPTURE_READ : RP_CAPTURE_WRITE);
    rp_capture_touch_image(d->capture, c->img, to_image ? RP_CAPTURE_WRITE : RP_CAPTURE_READ);
}

static void
memory_to_image_describe(const struct rp_cmd *cmd, struct rp_describe *d)
{
    copy_memory_image_describe((const struct copy_memory_image *)cmd, d, true);
}

static void
image_to_memory_describe(const struct rp_cmd *cmd, struct rp_describe *d)
{
    copy_memory_image_describe((const struct copy_memory_image *)cmd, d, false);
}

static const struct rp_cmd_ops memory_to_image_ops = {
    .name = "CopyMemoryToImage",
    .cost_ns = 60,
    .replay = memory_to_image_replay,
    .describe = memory_to_image_describe,
};

static const struct rp_cmd_ops image_to_memory_ops = {
    .name = "CopyImageToMemory",
    .cost_ns = 60,
    .replay = image_to_memory_replay,
    .describe = image_to_memory_describe,
};

static void
record_copy_memory_image(VkCommandBuffer handle, const struct rp_cmd_ops *ops,
                         const VkCopyDeviceMemoryImageInfoKHR *info)
{
    struct rp_cmd_buffer *cb = rp_cmd_buffer_from_handle(handle);
    if (!info) /* the registry lets it be */
        return;
    const size_t regions_B = info->regionCount * sizeof(info->pRegions[0]);

    struct copy_memory_image *c = rp_cmd_record(cb, ops, sizeof(*c) + regions_B);
    if (!c)
        return;
    c->img = rp_image_from_handle(info->image);
    c->region_count = info->regionCount;
    memcpy(c->regions, info->pRegions, regions_B);
    for (uint32_t i = 0; i < info->regionCount; i++)
        rp_cmd_add_cost(cb, rp_copy_extent_cost_ns(c->img, c->regions[i].imageExtent,
                                                   c->regions[i].imageSubresource.layerCount));
}

VKAPI_ATTR void VKAPI_CALL
rp_CmdCopyMemoryToImageKHR(VkCommandBuffer commandBuffer,
                           const VkCopyDeviceMemoryImageInfoKHR *info)
{
    record_copy_memory_image(commandBuffer, &memory_to_image_ops, info);
}

VKAPI_ATTR void VKAPI_CALL
rp_CmdCopyImageToMemoryKHR(VkCommandBuffer commandBuffer,
                           const VkCopyDeviceMemoryImageInfoKHR *info)
{
    record_copy_memory_image(commandBuffer, &image_to_memory_ops, info);
}

struct fill_memory {
    struct rp_cmd cmd;
    VkDeviceAddressRangeKHR dst;
    uint32_t word;
};

static VkResult
fill_memory_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    const struct fill_memory *c = (const struct fill_memory *)cmd;

    rp_replay_wait_jobs(rp);
    if (c->dst.size)
        rp_transfer_fill(rp->dev->workers, address_to_host(c->dst.address), c->dst.size, c->word);
    return VK_SUCCESS;
}

static void
fill_memory_describe(const struct rp_cmd *cmd, struct rp_describe *d)
{
    const struct fill_memory *c = (const struct fill_memory *)cmd;

    rp_json_key_u64(d->json, "address", c->dst.address);
    rp_json_key_u64(d->json, "size", c->dst.size);
    rp_json_key_u64(d->json, "word", c->word);
    rp_capture_touch_address(d->capture, c->dst.address, c->dst.size, RP_CAPTURE_WRITE);
}

static const struct rp_cmd_ops fill_memory_ops = {
    .name = "FillMemory",
    .cost_ns = 40,
    .replay = fill_memory_replay,
    .describe = fill_memory_describe,
};

VKAPI_ATTR void VKAPI_CALL
rp_CmdFillMemoryKHR(VkCommandBuffer commandBuffer, const VkDeviceAddressRangeKHR *dst,
                    VkAddressCommandFlagsKHR flags, uint32_t word)
{
    struct rp_cmd_buffer *cb = rp_cmd_buffer_from_handle(commandBuffer);

    struct fill_memory *c = rp_cmd_record(cb, &fill_memory_ops, sizeof(*c));
    if (!c)
        return;
    c->dst.address = dst->address;
    c->dst.size = dst->size & ~(VkDeviceSize)3; /* a multiple of 4, as of its address */
    c->word = word;
    rp_cmd_add_cost(cb, c->dst.size / RP_COPY_B_PER_NS);
}

struct update_memory {
    struct rp_cmd cmd;
    VkDeviceAddress address;
    uint64_t size_B;
    _Alignas(16) uint8_t data[];
};

static VkResult
update_memory_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    const struct update_memory *c = (const struct update_memory *)cmd;

    rp_replay_wait_jobs(rp);
    if (c->size_B)
        memcpy(address_to_host(c->address), c->data, c->size_B);
    return VK_SUCCESS;
}

static void
update_memory_describe(const struct rp_cmd *cmd, struct rp_describe *d)
{
    const struct update_memory *c = (const struct update_memory *)cmd;

    rp_json_key_u64(d->json, "address", c->address);
    rp_json_key(d->json, "data");
    rp_json_bytes(d->json, c->data, c->size_B);
    rp_capture_touch_address(d->capture, c->address, c->size_B, RP_CAPTURE_WRITE);
}

static const struct rp_cmd_ops update_memory_ops = {
    .name = "UpdateMemory",
    .cost_ns = 20,
    .replay = update_memory_replay,
    .describe = update_memory_describe,
};

VKAPI_ATTR void VKAPI_CALL
rp_CmdUpdateMemoryKHR(VkCommandBuffer commandBuffer, const VkDeviceAddressRangeKHR *dst,
                      VkAddressCommandFlagsKHR flags, VkDeviceSize size_B, const void *data)
{
    struct rp_cmd_buffer *cb = rp_cmd_buffer_from_handle(commandBuffer);
    const uint64_t range_B = RP_MIN(size_B, dst->size);

    struct update_memory *c = rp_cmd_record(cb, &update_memory_ops, sizeof(*c) + range_B);
    if (!c)
        return;
    c->address = dst->address;
    c->size_B = range_B;
    memcpy(c->data, data, range_B);
    rp_cmd_add_cost(cb, range_B / RP_COPY_B_PER_NS);
}

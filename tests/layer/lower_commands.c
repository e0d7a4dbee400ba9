/* SPDX-License-Identifier: MIT */
/* The part of the tests' lower device that records commands.
 */
#include "lower.h"

#include <stdatomic.h>

#define VIDEO_STAGES \
    (VK_PIPELINE_STAGE_2_VIDEO_ENCODE_BIT_KHR | VK_PIPELINE_STAGE_2_VIDEO_DECODE_BIT_KHR)

static atomic_uint layout_changes;

/* For tests: image barriers so far that change a layout. */
EXPORT uint32_t lower_layout_changes(void);
EXPORT uint32_t
lower_layout_changes(void)
{
    return atomic_load(&layout_changes);
}

static VKAPI_ATTR void VKAPI_CALL
cmd_pipeline_barrier2(VkCommandBuffer cb, const VkDependencyInfo *info)
{
    if (lower_has_h264()) {
        DEVICE_CALL(vkCmdPipelineBarrier2)(cb, info);
        return;
    }
    for (uint32_t i = 0; i < info->memoryBarrierCount; i++) {
        const VkMemoryBarrier2 *b = &info->pMemoryBarriers[i];
        REQUIRE(!((b->srcStageMask | b->dstStageMask) & VIDEO_STAGES));
    }
    for (uint32_t i = 0; i < info->bufferMemoryBarrierCount; i++) {
        const VkBufferMemoryBarrier2 *b = &info->pBufferMemoryBarriers[i];
        REQUIRE(!((b->srcStageMask | b->dstStageMask) & VIDEO_STAGES));
        lower_check_family(b->srcQueueFamilyIndex);
        lower_check_family(b->dstQueueFamilyIndex);
    }
    for (uint32_t i = 0; i < info->imageMemoryBarrierCount; i++) {
        const VkImageMemoryBarrier2 *b = &info->pImageMemoryBarriers[i];
        REQUIRE(!((b->srcStageMask | b->dstStageMask) & VIDEO_STAGES));
        REQUIRE(b->newLayout < VK_IMAGE_LAYOUT_VIDEO_DECODE_DST_KHR ||
                b->newLayout > VK_IMAGE_LAYOUT_VIDEO_DECODE_DPB_KHR);
        REQUIRE(b->newLayout < VK_IMAGE_LAYOUT_VIDEO_ENCODE_DST_KHR ||
                b->newLayout > VK_IMAGE_LAYOUT_VIDEO_ENCODE_DPB_KHR);
        lower_check_family(b->srcQueueFamilyIndex);
        lower_check_family(b->dstQueueFamilyIndex);
        if (b->oldLayout != b->newLayout)
            atomic_fetch_add(&layout_changes, 1);
    }
    DEVICE_CALL(vkCmdPipelineBarrier2)(cb, info);
}

/* The tests' queries are lent ones, but for those of the device's own codec. */
static VKAPI_ATTR void VKAPI_CALL
cmd_copy_results(VkCommandBuffer cb, VkQueryPool pool, uint32_t first, uint32_t count, VkBuffer dst,
                 VkDeviceSize offset_B, VkDeviceSize stride_B, VkQueryResultFlags flags)
{
    REQUIRE(lower_has_h264());
    DEVICE_CALL(vkCmdCopyQueryPoolResults)(cb, pool, first, count, dst, offset_B, stride_B, flags);
}

static VKAPI_ATTR void VKAPI_CALL
cmd_copy_results_to_memory(VkCommandBuffer cb, VkQueryPool pool, uint32_t first, uint32_t count,
                           const VkStridedDeviceAddressRangeKHR *dst,
                           VkAddressCommandFlagsKHR dst_flags, VkQueryResultFlags flags)
{
    REQUIRE(lower_has_h264());
    DEVICE_CALL(vkCmdCopyQueryPoolResultsToMemoryKHR)
    (cb, pool, first, count, dst, dst_flags, flags);
}

static VKAPI_ATTR void VKAPI_CALL
cmd_reset_queries(VkCommandBuffer cb, VkQueryPool pool, uint32_t first, uint32_t count)
{
    REQUIRE(lower_has_h264());
    DEVICE_CALL(vkCmdResetQueryPool)(cb, pool, first, count);
}

static const struct lower_own own[] = {
    OWN("vkCmdCopyQueryPoolResults", cmd_copy_results, true),
    OWN("vkCmdCopyQueryPoolResultsToMemoryKHR", cmd_copy_results_to_memory, true),
    OWN("vkCmdResetQueryPool", cmd_reset_queries, true),
    OWN("vkCmdPipelineBarrier2", cmd_pipeline_barrier2, true),
    OWN("vkCmdPipelineBarrier2KHR", cmd_pipeline_barrier2, true),
};

PFN_vkVoidFunction
lower_command_function(const char *name, bool is_device)
{
    return lower_own_function(own, sizeof(own) / sizeof(own[0]), name, is_device);
}

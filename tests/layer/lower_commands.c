/* SPDX-License-Identifier: MIT */
/* The part of the tests' lower device that records commands.
 */
#include "lower.h"

#include <stdatomic.h>

#define VIDEO_STAGES \
    (VK_PIPELINE_STAGE_2_VIDEO_ENCODE_BIT_KHR | VK_PIPELINE_STAGE_2_VIDEO_DECODE_BIT_KHR)

#define VIDEO_ACCESSES \
    (VK_ACCESS_2_VIDEO_ENCODE_READ_BIT_KHR | VK_ACCESS_2_VIDEO_ENCODE_WRITE_BIT_KHR | \
     VK_ACCESS_2_VIDEO_DECODE_READ_BIT_KHR | VK_ACCESS_2_VIDEO_DECODE_WRITE_BIT_KHR)

static atomic_uint layout_changes;
static atomic_uint range_barriers;

/* For tests: image barriers so far that change a layout. */
EXPORT uint32_t lower_layout_changes(void);
EXPORT uint32_t
lower_layout_changes(void)
{
    return atomic_load(&layout_changes);
}

/* Likewise barriers of ranges of memory. */
EXPORT uint32_t lower_range_barriers(void);
EXPORT uint32_t
lower_range_barriers(void)
{
    return atomic_load(&range_barriers);
}

/* Ranges of memory, in the chain. */
static void
check_ranges(const VkDependencyInfo *info)
{
    const VkMemoryRangeBarriersInfoKHR *ranges =
        lower_find(info->pNext, VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIERS_INFO_KHR);

    for (uint32_t i = 0; ranges && i < ranges->memoryRangeBarrierCount; i++) {
        const VkMemoryRangeBarrierKHR *b = &ranges->pMemoryRangeBarriers[i];
        REQUIRE(!((b->srcStageMask | b->dstStageMask) & VIDEO_STAGES));
        REQUIRE(!((b->srcAccessMask | b->dstAccessMask) & VIDEO_ACCESSES));
        lower_check_family(b->srcQueueFamilyIndex);
        lower_check_family(b->dstQueueFamilyIndex);
        atomic_fetch_add(&range_barriers, 1);
    }
}

static atomic_uint tensor_barriers;

/* For tests: barriers of tensors so far. */
EXPORT uint32_t lower_tensor_barriers(void);
EXPORT uint32_t
lower_tensor_barriers(void)
{
    return atomic_load(&tensor_barriers);
}

static void
check_tensor(const VkTensorMemoryBarrierARM *b)
{
    REQUIRE(!((b->srcStageMask | b->dstStageMask) & VIDEO_STAGES));
    REQUIRE(!((b->srcAccessMask | b->dstAccessMask) & VIDEO_ACCESSES));
    lower_check_family(b->srcQueueFamilyIndex);
    lower_check_family(b->dstQueueFamilyIndex);
    atomic_fetch_add(&tensor_barriers, 1);
}

static void
check_tensors(const VkDependencyInfo *info)
{
    const VkTensorMemoryBarrierARM *one =
        lower_find(info->pNext, VK_STRUCTURE_TYPE_TENSOR_MEMORY_BARRIER_ARM);
    const VkTensorDependencyInfoARM *all =
        lower_find(info->pNext, VK_STRUCTURE_TYPE_TENSOR_DEPENDENCY_INFO_ARM);

    if (one)
        check_tensor(one);
    for (uint32_t i = 0; all && i < all->tensorMemoryBarrierCount; i++)
        check_tensor(&all->pTensorMemoryBarriers[i]);
}

static void
check_dependency(const VkDependencyInfo *info)
{
    if (lower_has_h264())
        return;
    check_ranges(info);
    check_tensors(info);
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
}

static VKAPI_ATTR void VKAPI_CALL
cmd_pipeline_barrier2(VkCommandBuffer cb, const VkDependencyInfo *info)
{
    check_dependency(info);
    DEVICE_CALL(vkCmdPipelineBarrier2)(cb, info);
}

static VKAPI_ATTR void VKAPI_CALL
cmd_set_event2(VkCommandBuffer cb, VkEvent event, const VkDependencyInfo *info)
{
    check_dependency(info);
    DEVICE_CALL(vkCmdSetEvent2)(cb, event, info);
}

static VKAPI_ATTR void VKAPI_CALL
cmd_wait_events2(VkCommandBuffer cb, uint32_t count, const VkEvent *events,
                 const VkDependencyInfo *infos)
{
    for (uint32_t i = 0; i < count; i++)
        check_dependency(&infos[i]);
    DEVICE_CALL(vkCmdWaitEvents2)(cb, count, events, infos);
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

/* Tensors are shared between families that the device has. The driver has none. */
static VKAPI_ATTR VkResult VKAPI_CALL
create_tensor(VkDevice dev, const VkTensorCreateInfoARM *info, const VkAllocationCallbacks *alloc,
              VkTensorARM *out)
{
    for (uint32_t i = 0; i < info->queueFamilyIndexCount; i++)
        lower_check_family(info->pQueueFamilyIndices[i]);
    *out = (VkTensorARM)(uintptr_t)(16 + info->queueFamilyIndexCount);
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL
get_tensor_requirements(VkDevice dev, const VkDeviceTensorMemoryRequirementsARM *info,
                        VkMemoryRequirements2 *out)
{
    VkTensorARM tensor;
    create_tensor(dev, info->pCreateInfo, NULL, &tensor);
    out->memoryRequirements.size = (VkDeviceSize)(uintptr_t)tensor;
}

static const struct lower_own own[] = {
    OWN("vkCreateTensorARM", create_tensor, true),
    OWN("vkGetDeviceTensorMemoryRequirementsARM", get_tensor_requirements, true),
    OWN("vkCmdCopyQueryPoolResults", cmd_copy_results, true),
    OWN("vkCmdCopyQueryPoolResultsToMemoryKHR", cmd_copy_results_to_memory, true),
    OWN("vkCmdResetQueryPool", cmd_reset_queries, true),
    OWN("vkCmdPipelineBarrier2", cmd_pipeline_barrier2, true),
    OWN("vkCmdPipelineBarrier2KHR", cmd_pipeline_barrier2, true),
    OWN("vkCmdSetEvent2", cmd_set_event2, true),
    OWN("vkCmdSetEvent2KHR", cmd_set_event2, true),
    OWN("vkCmdWaitEvents2", cmd_wait_events2, true),
    OWN("vkCmdWaitEvents2KHR", cmd_wait_events2, true),
};

PFN_vkVoidFunction
lower_command_function(const char *name, bool is_device)
{
    return lower_own_function(own, sizeof(own) / sizeof(own[0]), name, is_device);
}

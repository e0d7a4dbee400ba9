/* SPDX-License-Identifier: MIT */
/* Pipeline barriers: only dispatches need them.
 *
 * A queue replays in order, memory is coherent, images have no layouts, and a command that touches
 * what a job aside may use waits for it by itself (rp_replay_wait_jobs). But small dispatches run
 * side by side until something orders them: any command that is neither a dispatch nor a bind.
 */
#include "cmd/cmd_buffer.h"
#include "cmd/describe.h"
#include "cmd/profile.h"
#include "cmd/replay.h"
#include "object/device.h"

#include "rp_entrypoints.h"

static VkResult
barrier_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    if (RP_UNLIKELY(rp->dev->profile))
        rp_profile_cmd_buffer_barrier(rp);
    return VK_SUCCESS; /* the dispatches before it are finished */
}

static const struct rp_cmd_ops barrier_ops = {
    .name = "PipelineBarrier",
    .cost_ns = 5,
    .goes_with_pictures = true,
    .is_instant = true,
    .replay = barrier_replay,
    .describe = rp_describe_nothing,
};

static void
barrier_record(VkCommandBuffer handle)
{
    struct rp_cmd_buffer *cb = rp_cmd_buffer_from_handle(handle);

    if (!cb->has_open_dispatches)
        cb->dropped_barrier_count++;
    else if (rp_cmd_record(cb, &barrier_ops, sizeof(struct rp_cmd)))
        cb->has_open_dispatches = false;
}

VKAPI_ATTR void VKAPI_CALL
rp_CmdPipelineBarrier2(VkCommandBuffer commandBuffer, const VkDependencyInfo *info)
{
    barrier_record(commandBuffer);
}

VKAPI_ATTR void VKAPI_CALL
rp_CmdPipelineBarrier(VkCommandBuffer commandBuffer, VkPipelineStageFlags src_stages,
                      VkPipelineStageFlags dst_stages, VkDependencyFlags flags,
                      uint32_t memory_count, const VkMemoryBarrier *memory_barriers,
                      uint32_t buffer_count, const VkBufferMemoryBarrier *buffer_barriers,
                      uint32_t image_count, const VkImageMemoryBarrier *image_barriers)
{
    barrier_record(commandBuffer);
}

/* SPDX-License-Identifier: MIT */
/* Pipeline barriers: nothing is recorded.
 *
 * A queue replays in order, memory is coherent, images have no layouts, and a command that touches
 * what a job aside may use waits for it by itself (rp_replay_wait_async).
 */
#include "rp_entrypoints.h"

VKAPI_ATTR void VKAPI_CALL
rp_CmdPipelineBarrier2(VkCommandBuffer commandBuffer, const VkDependencyInfo *info)
{
}

VKAPI_ATTR void VKAPI_CALL
rp_CmdPipelineBarrier(VkCommandBuffer commandBuffer, VkPipelineStageFlags src_stages,
                      VkPipelineStageFlags dst_stages, VkDependencyFlags flags,
                      uint32_t memory_count, const VkMemoryBarrier *memory_barriers,
                      uint32_t buffer_count, const VkBufferMemoryBarrier *buffer_barriers,
                      uint32_t image_count, const VkImageMemoryBarrier *image_barriers)
{
}

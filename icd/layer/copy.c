/* SPDX-License-Identifier: MIT */
/* Command buffers of the lower device for the copies.
 */
#include "icd/layer/copy.h"

#include "icd/layer/barrier.h"
#include "icd/layer/device.h"
#include "icd/layer/image.h"
#include "icd/layer/staging.h"

VkResult
rp_layer_copier_init(struct rp_layer_copier *copier, struct rp_layer_device *dev)
{
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
        .queueFamilyIndex = dev->copy_family,
    };
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};

    *copier = (struct rp_layer_copier){.dev = dev};
    VkResult result = dev->lower.CreateCommandPool(dev->handle, &pool, NULL, &copier->pool);
    if (result != VK_SUCCESS)
        return result;
    const VkCommandBufferAllocateInfo cb = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = copier->pool,
        .commandBufferCount = 1,
    };
    result = dev->lower.AllocateCommandBuffers(dev->handle, &cb, &copier->cb);
    if (result == VK_SUCCESS)
        result = dev->set_loader_data(dev->handle, copier->cb);
    if (result == VK_SUCCESS)
        result = dev->lower.CreateFence(dev->handle, &fence, NULL, &copier->fence);
    return result;
}

void
rp_layer_copier_finish(struct rp_layer_copier *copier)
{
    struct rp_layer_device *dev = copier->dev;

    if (!dev)
        return;
    dev->lower.DestroyFence(dev->handle, copier->fence, NULL);
    dev->lower.DestroyCommandPool(dev->handle, copier->pool, NULL);
}

/* The application's submissions are ordered with the lent queue by the host, which makes all that
 * they wrote available; here it becomes visible. */
static void
record_barrier(struct rp_layer_copier *copier, VkPipelineStageFlags2 src, VkAccessFlags2 written,
               VkPipelineStageFlags2 dst, VkAccessFlags2 accessed)
{
    const VkMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
        .srcStageMask = src,
        .srcAccessMask = written,
        .dstStageMask = dst,
        .dstAccessMask = accessed,
    };
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .memoryBarrierCount = 1,
        .pMemoryBarriers = &barrier,
    };
    copier->dev->lower.CmdPipelineBarrier2(copier->cb, &info);
}

static void
record_layout(struct rp_layer_copier *copier, const struct rp_layer_op *op)
{
    VkImageMemoryBarrier2 barrier = op->barrier;
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .imageMemoryBarrierCount = 1,
        .pImageMemoryBarriers = &barrier,
    };

    if (!rp_layer_lower_image_barrier(copier->dev, &barrier))
        return;
    barrier.srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    barrier.dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    barrier.srcAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
    copier->dev->lower.CmdPipelineBarrier2(copier->cb, &info);
}

static VkResult
record_op(struct rp_layer_copier *copier, const struct rp_layer_op *op)
{
    const struct rp_layer_device_calls *lower = &copier->dev->lower;
    const VkImage handle = (VkImage)op->image->entry.handle;
    struct rp_layer_staging *staging;

    if (op->kind == RP_LAYER_OP_BARRIER) {
        record_layout(copier, op);
        return VK_SUCCESS;
    }
    const VkResult result = rp_layer_staging_get(op->image, op->layer, &staging);
    if (result != VK_SUCCESS)
        return result;
    if (op->kind == RP_LAYER_OP_COPY_IN)
        lower->CmdCopyImageToBuffer(copier->cb, handle, VK_IMAGE_LAYOUT_GENERAL, staging->buffer,
                                    staging->copy_count, staging->copies);
    else
        lower->CmdCopyBufferToImage(copier->cb, staging->buffer, handle, VK_IMAGE_LAYOUT_GENERAL,
                                    staging->copy_count, staging->copies);
    return VK_SUCCESS;
}

static VkResult
record(struct rp_layer_copier *copier, const struct rp_layer_op *ops, uint32_t count)
{
    static const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
    };
    const struct rp_layer_device_calls *lower = &copier->dev->lower;

    VkResult result = lower->BeginCommandBuffer(copier->cb, &begin);
    if (result != VK_SUCCESS)
        return result;
    record_barrier(copier, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_2_HOST_BIT,
                   VK_ACCESS_2_MEMORY_WRITE_BIT | VK_ACCESS_2_HOST_WRITE_BIT,
                   VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                   VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT);
    for (uint32_t i = 0; i < count && result == VK_SUCCESS; i++)
        result = record_op(copier, &ops[i]);
    record_barrier(copier, VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                   VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT);
    const VkResult end = lower->EndCommandBuffer(copier->cb);
    return result == VK_SUCCESS ? end : result;
}

VkResult
rp_layer_copier_run(struct rp_layer_copier *copier, const struct rp_layer_op *ops, uint32_t count)
{
    struct rp_layer_device *dev = copier->dev;
    const VkCommandBufferSubmitInfo cb = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
        .commandBuffer = copier->cb,
    };
    const VkSubmitInfo2 submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
        .commandBufferInfoCount = 1,
        .pCommandBufferInfos = &cb,
    };

    if (count == 0)
        return VK_SUCCESS;
    VkResult result = record(copier, ops, count);
    if (result != VK_SUCCESS)
        return result;
    pthread_mutex_lock(&dev->copy_mutex);
    result = dev->lower.QueueSubmit2(dev->copy_queue, 1, &submit, copier->fence);
    pthread_mutex_unlock(&dev->copy_mutex);
    if (result != VK_SUCCESS)
        return result;
    result = dev->lower.WaitForFences(dev->handle, 1, &copier->fence, VK_TRUE, UINT64_MAX);
    return result == VK_SUCCESS ? dev->lower.ResetFences(dev->handle, 1, &copier->fence) : result;
}

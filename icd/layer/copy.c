/* SPDX-License-Identifier: MIT */
/* Command buffers of the lower device for the copies.
 */
#include "icd/layer/copy.h"

#include "icd/layer/barrier.h"
#include "icd/layer/device.h"
#include "icd/layer/image.h"
#include "icd/layer/lower_queue.h"
#include "icd/layer/staging.h"
#include "util/alloc.h"

#include <stddef.h>

static void
copy_destroy(struct rp_layer_device *dev, struct rp_layer_copy *copy)
{
    if (!copy)
        return;
    dev->lower.DestroyFence(dev->handle, copy->fence, NULL);
    dev->lower.DestroyCommandPool(dev->handle, copy->pool, NULL);
    rp_free(NULL, copy);
}

static VkResult
copy_create(struct rp_layer_device *dev, struct rp_layer_copy **out)
{
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
        .queueFamilyIndex = dev->copy_family,
    };
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    struct rp_layer_copy *copy =
        rp_zalloc(NULL, sizeof(*copy), _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);

    if (!copy)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    VkResult result = dev->lower.CreateCommandPool(dev->handle, &pool, NULL, &copy->pool);
    const VkCommandBufferAllocateInfo cb = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = copy->pool,
        .commandBufferCount = 1,
    };
    if (result == VK_SUCCESS)
        result = dev->lower.AllocateCommandBuffers(dev->handle, &cb, &copy->cb);
    if (result == VK_SUCCESS)
        result = dev->set_loader_data(dev->handle, copy->cb);
    if (result == VK_SUCCESS)
        result = dev->lower.CreateFence(dev->handle, &fence, NULL, &copy->fence);
    if (result != VK_SUCCESS) {
        copy_destroy(dev, copy);
        return result;
    }
    *out = copy;
    return VK_SUCCESS;
}

static void
put_back(struct rp_layer_copier *copier, struct rp_layer_copy *copy)
{
    pthread_mutex_lock(&copier->mutex);
    copy->next = copier->unused;
    copier->unused = copy;
    pthread_mutex_unlock(&copier->mutex);
}

/* The first one is made beforehand: a short of memory is told when the device is made. */
VkResult
rp_layer_copier_init(struct rp_layer_copier *copier, struct rp_layer_device *dev)
{
    *copier = (struct rp_layer_copier){.dev = dev};
    pthread_mutex_init(&copier->mutex, NULL);
    return copy_create(dev, &copier->unused);
}

void
rp_layer_copier_finish(struct rp_layer_copier *copier)
{
    if (!copier->dev)
        return;
    while (copier->unused) {
        struct rp_layer_copy *copy = copier->unused;
        copier->unused = copy->next;
        copy_destroy(copier->dev, copy);
    }
    pthread_mutex_destroy(&copier->mutex);
}

/* The application's submissions are ordered with the lent queue by the host, which makes all that
 * they wrote available; here it becomes visible. */
static void
record_barrier(struct rp_layer_device *dev, VkCommandBuffer cb, VkPipelineStageFlags2 src,
               VkAccessFlags2 written, VkPipelineStageFlags2 dst, VkAccessFlags2 accessed)
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
    dev->lower.CmdPipelineBarrier2(cb, &info);
}

static void
record_layout(struct rp_layer_device *dev, VkCommandBuffer cb, const struct rp_layer_op *op)
{
    VkImageMemoryBarrier2 barrier = op->barrier;
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .imageMemoryBarrierCount = 1,
        .pImageMemoryBarriers = &barrier,
    };

    if (!rp_layer_lower_image_barrier(dev, VK_QUEUE_FAMILY_IGNORED, &barrier))
        return;
    barrier.srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    barrier.dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    barrier.srcAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
    dev->lower.CmdPipelineBarrier2(cb, &info);
}

/* Between a layout that the lower device knows as video's, which cannot be copied, and GENERAL. */
static void
record_change(struct rp_layer_device *dev, VkCommandBuffer cb, const struct rp_layer_op *op,
              VkImageLayout from, VkImageLayout to)
{
    const VkImageMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        .srcAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        .dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT,
        .oldLayout = from,
        .newLayout = to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = (VkImage)op->image->entry.handle,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, op->layer, 1},
    };
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .imageMemoryBarrierCount = 1,
        .pImageMemoryBarriers = &barrier,
    };

    if (from != to)
        dev->lower.CmdPipelineBarrier2(cb, &info);
}

static VkResult
record_op(struct rp_layer_device *dev, VkCommandBuffer cb, const struct rp_layer_op *op)
{
    const struct rp_layer_device_calls *lower = &dev->lower;
    const VkImage handle = (VkImage)op->image->entry.handle;
    const VkImageLayout layout = rp_layer_lower_layout(dev, op->image, op->layout);
    struct rp_layer_staging *staging;

    if (op->kind == RP_LAYER_OP_BARRIER) {
        record_layout(dev, cb, op);
        return VK_SUCCESS;
    }
    const VkResult result = rp_layer_staging_get(op->image, op->layer, &staging);
    if (result != VK_SUCCESS)
        return result;
    record_change(dev, cb, op, layout, VK_IMAGE_LAYOUT_GENERAL);
    if (op->kind == RP_LAYER_OP_COPY_IN)
        lower->CmdCopyImageToBuffer(cb, handle, VK_IMAGE_LAYOUT_GENERAL, staging->buffer,
                                    staging->copy_count, staging->copies);
    else
        lower->CmdCopyBufferToImage(cb, staging->buffer, handle, VK_IMAGE_LAYOUT_GENERAL,
                                    staging->copy_count, staging->copies);
    record_change(dev, cb, op, VK_IMAGE_LAYOUT_GENERAL, layout);
    return VK_SUCCESS;
}

static VkResult
record(struct rp_layer_device *dev, VkCommandBuffer cb, const struct rp_layer_op *ops,
       uint32_t count)
{
    static const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
    };
    const struct rp_layer_device_calls *lower = &dev->lower;

    VkResult result = lower->BeginCommandBuffer(cb, &begin);
    if (result != VK_SUCCESS)
        return result;
    record_barrier(dev, cb, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_2_HOST_BIT,
                   VK_ACCESS_2_MEMORY_WRITE_BIT | VK_ACCESS_2_HOST_WRITE_BIT,
                   VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                   VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT);
    for (uint32_t i = 0; i < count && result == VK_SUCCESS; i++)
        result = record_op(dev, cb, &ops[i]);
    record_barrier(dev, cb, VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                   VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT);
    const VkResult end = lower->EndCommandBuffer(cb);
    return result == VK_SUCCESS ? end : result;
}

static VkResult
submit(struct rp_layer_device *dev, const struct rp_layer_copy *copy,
       const VkSemaphoreSubmitInfo *waits, uint32_t wait_count)
{
    const VkCommandBufferSubmitInfo cb = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
        .commandBuffer = copy->cb,
    };
    const VkSubmitInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
        .waitSemaphoreInfoCount = wait_count,
        .pWaitSemaphoreInfos = waits,
        .commandBufferInfoCount = 1,
        .pCommandBufferInfos = &cb,
    };

    const VkQueue queue = rp_layer_lower_queue_lock(dev, dev->copy_queue);
    const VkResult result = dev->lower.QueueSubmit2(queue, 1, &info, copy->fence);
    rp_layer_lower_queue_unlock(dev, queue);
    return result;
}

VkResult
rp_layer_copier_begin(struct rp_layer_copier *copier, const struct rp_layer_op *ops, uint32_t count,
                      const VkSemaphoreSubmitInfo *waits, uint32_t wait_count,
                      struct rp_layer_copy **out)
{
    struct rp_layer_device *dev = copier->dev;
    VkResult result = VK_SUCCESS;

    pthread_mutex_lock(&copier->mutex);
    struct rp_layer_copy *copy = copier->unused;
    if (copy)
        copier->unused = copy->next;
    pthread_mutex_unlock(&copier->mutex);
    if (!copy)
        result = copy_create(dev, &copy);
    if (result != VK_SUCCESS)
        return result;
    result = record(dev, copy->cb, ops, count);
    if (result == VK_SUCCESS)
        result = submit(dev, copy, waits, wait_count);
    if (result != VK_SUCCESS) {
        put_back(copier, copy);
        return result;
    }
    *out = copy;
    return VK_SUCCESS;
}

VkResult
rp_layer_copier_end(struct rp_layer_copier *copier, struct rp_layer_copy *copy)
{
    struct rp_layer_device *dev = copier->dev;

    VkResult result = dev->lower.WaitForFences(dev->handle, 1, &copy->fence, VK_TRUE, UINT64_MAX);
    if (result == VK_SUCCESS)
        result = dev->lower.ResetFences(dev->handle, 1, &copy->fence);
    if (result == VK_SUCCESS)
        put_back(copier, copy);
    else
        copy_destroy(dev, copy); /* the device is lost */
    return result;
}

/* SPDX-License-Identifier: MIT */
/* Commands of the objects target. Those that name memory by its address stay inside of a buffer,
 * which nobody else sees to; what was read for other ends chooses them, so that the seeds mean what
 * they meant.
 */
#include "objects.h"

#include "by_address.h"

static uint64_t
least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* size_B from an offset on, or what there is. */
static VkDeviceAddressRangeKHR
range_of(struct world *w, const struct buffer_slot *b, VkDeviceSize offset_B, VkDeviceSize size_B)
{
    return test_address_range(w->f, b->handle, offset_B, least(size_B, b->size_B - offset_B));
}

static void
record_memory(struct world *w, VkCommandBuffer cb, const struct buffer_slot *a,
              const struct buffer_slot *b, const VkBufferCopy *copy)
{
    static const uint8_t data[256];
    const VkDeviceAddressRangeKHR at = range_of(w, b, copy->dstOffset & ~3ull, copy->size);
    copy_memory(cb, range_of(w, a, copy->srcOffset, copy->size),
                range_of(w, b, copy->dstOffset, copy->size));
    vkCmdFillMemoryKHR(cb, &at, 0, 7);
    vkCmdUpdateMemoryKHR(cb, &at, 0, sizeof(data), data); /* the range ends it */
}

/* Ranges start anywhere, and may end outside: what is outside is left out. */
static void
record_buffers(struct world *w, VkCommandBuffer cb)
{
    const struct buffer_slot *a = &w->buffers[pick(w, SLOTS)];
    const struct buffer_slot *b = &w->buffers[pick(w, SLOTS)];
    static const uint8_t data[256];
    if (!a->handle || !b->handle || a == b)
        return;
    const VkBufferCopy copy = {pick(w, (uint32_t)a->size_B), pick(w, (uint32_t)b->size_B),
                               any_size(w)};
    const VkDeviceSize at = pick(w, (uint32_t)a->size_B) & ~3u;
    vkCmdCopyBuffer(cb, a->handle, b->handle, 1, &copy);
    vkCmdFillBuffer(cb, a->handle, at, pick(w, 2) ? VK_WHOLE_SIZE : any_size(w) & ~3ull, 7);
    vkCmdUpdateBuffer(cb, a->handle, at, 4 + (pick(w, 252) & ~3u), data);
    if (copy.size & 1)
        record_memory(w, cb, a, b, &copy);
}

static void
record_images(struct world *w, VkCommandBuffer cb)
{
    const struct image_slot *s = &w->images[pick(w, SLOTS)];
    const struct buffer_slot *b = &w->buffers[pick(w, SLOTS)];
    if (!s->handle || !b->handle)
        return;
    const VkBufferImageCopy region = {
        .bufferOffset = pick(w, (uint32_t)b->size_B) & ~15u,
        .bufferRowLength = pick(w, 2) ? 0 : 240,
        .imageSubresource = {s->aspect, pick(w, s->info.mipLevels + 1),
                             pick(w, s->info.arrayLayers),
                             pick(w, 2) ? 1 : VK_REMAINING_ARRAY_LAYERS},
        .imageOffset = {(int32_t)(pick(w, s->info.extent.width) / 12 * 12),
                        s->info.imageType == VK_IMAGE_TYPE_1D ? 0 : (int32_t)pick(w, 2) * 60, 0},
        .imageExtent = {1 + pick(w, 200), 1 + pick(w, 200), 1 + pick(w, s->info.extent.depth)},
    };
    const VkClearColorValue red = {{1.0f, 0.0f, 0.0f, 1.0f}};
    const VkImageSubresourceRange range = {s->aspect, pick(w, s->info.mipLevels),
                                           VK_REMAINING_MIP_LEVELS, pick(w, s->info.arrayLayers),
                                           VK_REMAINING_ARRAY_LAYERS};
    vkCmdCopyBufferToImage(cb, b->handle, s->handle, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
    vkCmdCopyImageToBuffer(cb, s->handle, VK_IMAGE_LAYOUT_GENERAL, b->handle, 1, &region);
    if (region.bufferOffset & 16) {
        const VkDeviceAddressRangeKHR at = range_of(w, b, region.bufferOffset, VK_WHOLE_SIZE);
        copy_memory_to_image(cb, at, s->handle, &region);
        copy_image_to_memory(cb, s->handle, at, &region);
    }
    if (s->aspect == VK_IMAGE_ASPECT_COLOR_BIT && s->info.format < VK_FORMAT_BC1_RGB_UNORM_BLOCK)
        vkCmdClearColorImage(cb, s->handle, VK_IMAGE_LAYOUT_GENERAL, &red, 1, &range);
}

static void
record_queries(struct world *w, VkCommandBuffer cb)
{
    VkQueryPool q = w->queries[pick(w, SLOTS)];
    const struct buffer_slot *b = &w->buffers[pick(w, SLOTS)];
    const uint32_t first = pick(w, 8);
    if (!q)
        return;
    vkCmdResetQueryPool(cb, q, first, 8 - first);
    vkCmdWriteTimestamp2(cb, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, q, first);
    if (!b->handle || b->size_B < 64)
        return;
    const VkDeviceSize at = 8 * pick(w, 7);
    const VkQueryResultFlags flags = VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT;
    const VkDeviceAddressRangeKHR range = range_of(w, b, at, first & 2 ? 16 : 7);
    const VkStridedDeviceAddressRangeKHR strided = {range.address, range.size, 8};
    if (first & 1)
        vkCmdCopyQueryPoolResultsToMemoryKHR(cb, q, first, 1, &strided, 0, flags);
    else
        vkCmdCopyQueryPoolResults(cb, q, first, 1, b->handle, at, 8, flags);
}

static void
record_order(struct world *w, VkCommandBuffer cb)
{
    const VkEvent e = w->events[pick(w, SLOTS)];
    const VkMemoryBarrier2 all = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                  .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                  .srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT,
                                  .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                  .dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT};
    const VkDependencyInfo dependency = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                         .memoryBarrierCount = pick(w, 2),
                                         .pMemoryBarriers = &all};
    if (!e) {
        vkCmdPipelineBarrier2(cb, &dependency);
        return;
    }
    vkCmdSetEvent2(cb, e, &dependency);
    vkCmdWaitEvents2(cb, 1, &e, &dependency);
    if (pick(w, 2))
        vkCmdResetEvent2(cb, e, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
}

static void
record_image_copy(struct world *w, VkCommandBuffer cb)
{
    const struct image_slot *a = &w->images[pick(w, SLOTS)];
    const struct image_slot *b = &w->images[pick(w, SLOTS)];
    const VkImageUsageFlags both =
        VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    if (!a->handle || !b->handle || a == b || (a->info.usage & b->info.usage & both) != both)
        return;
    /* Formats of other sizes and other aspects are invalid use: nothing may break. */
    const VkImageCopy region = {
        .srcSubresource = {a->aspect, pick(w, a->info.mipLevels), pick(w, a->info.arrayLayers), 1},
        .srcOffset = {(int32_t)pick(w, a->info.extent.width), 0, 0},
        .dstSubresource = {b->aspect, pick(w, b->info.mipLevels), pick(w, b->info.arrayLayers), 1},
        .dstOffset = {(int32_t)pick(w, b->info.extent.width), 0, 0},
        .extent = {1 + pick(w, 64), 1 + pick(w, 64), 1 + pick(w, 2)},
    };
    vkCmdCopyImage(cb, a->handle, VK_IMAGE_LAYOUT_GENERAL, b->handle, VK_IMAGE_LAYOUT_GENERAL, 1,
                   &region);
}

/* Push descriptors of what is there, or of nothing. */
static void
record_pushes(struct world *w, VkCommandBuffer cb)
{
    const struct buffer_slot *b = &w->buffers[pick(w, SLOTS)];
    const uint32_t binding = pick(w, BINDINGS);
    const VkDescriptorBufferInfo buffer = {b->handle, 0, VK_WHOLE_SIZE};
    const VkDescriptorImageInfo image = {w->samplers[pick(w, SLOTS)],
                                         w->images[pick(w, SLOTS)].view, VK_IMAGE_LAYOUT_GENERAL};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstBinding = binding,
                                        .dstArrayElement = pick(w, SET_ITEMS),
                                        .descriptorCount = 1,
                                        .descriptorType = binding_types[binding],
                                        .pImageInfo = &image,
                                        .pBufferInfo = &buffer,
                                        .pTexelBufferView = &b->view};
    vkCmdPushDescriptorSet(cb, VK_PIPELINE_BIND_POINT_COMPUTE, w->pushed, 0, 1, &write);
}

static void
record_dispatch(struct world *w, VkCommandBuffer cb)
{
    const VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
    const uint32_t which = pick(w, 2);
    const struct set_slot *set = &w->sets[pick(w, SLOTS)];
    const struct buffer_slot *b = &w->buffers[pick(w, SLOTS)];
    const struct push push = {pick(w, 8), pick(w, 4), (uint32_t)any_size(w),
                              (int32_t)pick(w, 5) - 2};
    const VkDispatchIndirectCommand groups = {pick(w, 5), pick(w, 5), pick(w, 3)};
    if (!w->pipelines[which] || (which == 0 && !set->handle))
        return;
    if (w->shaders[which] && pick(w, 2))
        vkCmdBindShadersEXT(cb, 1, &stage, &w->shaders[which]);
    else
        vkCmdBindPipeline(cb, VK_PIPELINE_BIND_POINT_COMPUTE, w->pipelines[which]);
    if (which == 0)
        vkCmdBindDescriptorSets(cb, VK_PIPELINE_BIND_POINT_COMPUTE, w->layout, 0, 1, &set->handle,
                                0, NULL);
    vkCmdPushConstants(cb, which ? w->pushed : w->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                       sizeof(push), &push);
    if (pick(w, 3) == 0 && b->handle && b->size_B >= sizeof(groups)) {
        const VkDispatchIndirect2InfoKHR info = {
            .sType = VK_STRUCTURE_TYPE_DISPATCH_INDIRECT_2_INFO_KHR,
            .addressRange = range_of(w, b, 0, groups.y == 3 ? 11 : VK_WHOLE_SIZE)};
        vkCmdUpdateBuffer(cb, b->handle, 0, sizeof(groups), &groups);
        if (groups.x & 1)
            vkCmdDispatchIndirect2KHR(cb, &info);
        else
            vkCmdDispatchIndirect(cb, b->handle, 0);
        return;
    }
    vkCmdDispatchBase(cb, pick(w, 2), pick(w, 2), 0, groups.x, groups.y, groups.z);
}

/* Labels, which only messengers hear, and dispatches that a word of a buffer may leave out. */
static void
record_conditional(struct world *w, VkCommandBuffer cb)
{
    const struct buffer_slot *b = &w->buffers[pick(w, SLOTS)];
    const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                        .pLabelName = "perhaps"};
    vkCmdBeginDebugUtilsLabelEXT(cb, &label);
    if (b->handle && b->size_B >= 4) {
        const VkConditionalRenderingBeginInfoEXT info = {
            .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
            .buffer = b->handle,
            .offset = pick(w, (uint32_t)b->size_B - 3) & ~3u,
            .flags = pick(w, 2)};
        const VkConditionalRenderingBeginInfo2EXT by_address = {
            .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_2_EXT,
            .addressRange = range_of(w, b, info.offset, info.offset & 8 ? 4 : 3),
            .flags = info.flags};
        if (info.offset & 4)
            vkCmdBeginConditionalRendering2EXT(cb, &by_address);
        else
            vkCmdBeginConditionalRenderingEXT(cb, &info);
        record_dispatch(w, cb);
        vkCmdEndConditionalRenderingEXT(cb);
    }
    vkCmdEndDebugUtilsLabelEXT(cb);
}

typedef void recorder(struct world *w, VkCommandBuffer cb);

static recorder *const recorders[] = {
    record_buffers, record_images, record_image_copy, record_queries,
    record_order,   record_pushes, record_dispatch,   record_conditional,
};
#define RECORDERS ((uint32_t)(sizeof(recorders) / sizeof(recorders[0])))

static void
record_secondary(struct world *w)
{
    const VkCommandBufferInheritanceInfo inherited = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                           .pInheritanceInfo = &inherited};
    REQUIRE_EQ(vkBeginCommandBuffer(w->secondary, &info), VK_SUCCESS);
    for (uint32_t n = pick(w, 6); n; n--)
        recorders[pick(w, RECORDERS)](w, w->secondary);
    REQUIRE_EQ(vkEndCommandBuffer(w->secondary), VK_SUCCESS);
    vkCmdExecuteCommands(w->f->cb, 1, &w->secondary);
}

void
step_submit(struct world *w)
{
    test_begin(w->f);
    for (uint32_t n = pick(w, 12); n; n--)
        recorders[pick(w, RECORDERS)](w, w->f->cb);
    if (pick(w, 4) == 3)
        record_secondary(w);
    test_submit_and_wait(w->f);
}

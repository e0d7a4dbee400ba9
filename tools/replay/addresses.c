/* SPDX-License-Identifier: MIT */
/* Commands that name memory by its device address: the buffers lie where they lay.
 */
#include "commands.h"

/* has_command: the device has what the command belongs to. */
static bool
may_use(struct ctx *c, bool has_command)
{
    if (!has_command)
        return replay_fail(c->r, "the device lacks an extension of a command that was captured");
    if (!c->replay->has_capture_replay)
        return replay_fail(c->r, "uses buffer device addresses, which this device cannot have "
                                 "where they were (bufferDeviceAddressCaptureReplay)");
    return true;
}

static bool
copy_range(struct ctx *c, VkStridedDeviceAddressRangeKHR *range_out, uint32_t *count_out)
{
    return may_use(c, vkCmdCopyMemoryIndirectKHR != NULL) && arg_u32(c, "count", count_out) &&
           arg_u64(c, "address", &range_out->address) && arg_u64(c, "size", &range_out->size) &&
           arg_u64(c, "stride", &range_out->stride);
}

bool
replay_do_copy_indirect(struct ctx *c)
{
    VkCopyMemoryIndirectInfoKHR info = {.sType = VK_STRUCTURE_TYPE_COPY_MEMORY_INDIRECT_INFO_KHR};
    if (!copy_range(c, &info.copyAddressRange, &info.copyCount))
        return false;
    vkCmdCopyMemoryIndirectKHR(c->cb, &info);
    return true;
}

/* What the subresources are stands in memory: our driver reads it there alone. */
bool
replay_do_copy_to_image_indirect(struct ctx *c)
{
    VkCopyMemoryToImageIndirectInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_COPY_MEMORY_TO_IMAGE_INDIRECT_INFO_KHR,
        .dstImageLayout = VK_IMAGE_LAYOUT_GENERAL,
    };
    if (!copy_range(c, &info.copyAddressRange, &info.copyCount) ||
        !arg_handle(c, "image", "VkImage", &info.dstImage))
        return false;
    vkCmdCopyMemoryToImageIndirectKHR(c->cb, &info);
    return true;
}

static bool
arg_range(struct ctx *c, VkDeviceAddressRangeKHR *out)
{
    return may_use(c, vkCmdCopyMemoryKHR != NULL) && arg_u64(c, "address", &out->address) &&
           arg_u64(c, "size", &out->size);
}

#define ADDRESS_COMMAND(name, vk_type, call) \
    bool replay_do_##name(struct ctx *c) \
    { \
        void *info; \
        if (!may_use(c, call != NULL) || !arg_info(c, #vk_type, &info)) \
            return false; \
        call(c->cb, info); \
        return true; \
    }
ADDRESS_COMMAND(copy_memory, VkCopyDeviceMemoryInfoKHR, vkCmdCopyMemoryKHR)
ADDRESS_COMMAND(copy_memory_to_image, VkCopyDeviceMemoryImageInfoKHR, vkCmdCopyMemoryToImageKHR)
ADDRESS_COMMAND(copy_image_to_memory, VkCopyDeviceMemoryImageInfoKHR, vkCmdCopyImageToMemoryKHR)

bool
replay_do_fill_memory(struct ctx *c)
{
    VkDeviceAddressRangeKHR dst;
    uint32_t word;
    if (!arg_range(c, &dst) || !arg_u32(c, "word", &word))
        return false;
    if (dst.size)
        vkCmdFillMemoryKHR(c->cb, &dst, 0, word);
    return true;
}

bool
replay_do_update_memory(struct ctx *c)
{
    VkDeviceAddressRangeKHR dst;
    void *data;
    size_t size_B;
    if (!may_use(c, vkCmdUpdateMemoryKHR != NULL) || !arg_u64(c, "address", &dst.address) ||
        !replay_read_data(c->r, replay_get(c->json, "data"), 1, &data, &size_B))
        return false;
    dst.size = size_B;
    if (size_B)
        vkCmdUpdateMemoryKHR(c->cb, &dst, 0, size_B, data);
    return true;
}

/* Nobody waits, as for results that go to a buffer. */
bool
replay_do_copy_results_to_memory(struct ctx *c)
{
    VkQueryPool pool;
    VkDeviceAddressRangeKHR range;
    VkStridedDeviceAddressRangeKHR dst;
    uint32_t first, count, flags;
    if (!query_args(c, &pool, &first, &count) || !arg_range(c, &range) ||
        !arg_u64(c, "stride", &dst.stride) || !arg_u32(c, "flags", &flags))
        return false;
    dst.address = range.address;
    dst.size = range.size;
    vkCmdCopyQueryPoolResultsToMemoryKHR(c->cb, pool, first, count, &dst, 0,
                                         flags & ~(uint32_t)VK_QUERY_RESULT_WAIT_BIT);
    return true;
}

bool
replay_do_begin_conditional2(struct ctx *c)
{
    uint64_t is_inverted;
    VkConditionalRenderingBeginInfo2EXT info = {
        .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_2_EXT};
    if (!may_use(c, vkCmdBeginConditionalRendering2EXT != NULL) ||
        !arg_range(c, &info.addressRange) || !arg_u64(c, "inverted", &is_inverted))
        return false;
    info.flags = is_inverted ? VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT : 0;
    vkCmdBeginConditionalRendering2EXT(c->cb, &info);
    return true;
}

bool
replay_do_dispatch_indirect2(struct ctx *c)
{
    VkDispatchIndirect2InfoKHR info = {.sType = VK_STRUCTURE_TYPE_DISPATCH_INDIRECT_2_INFO_KHR};
    if (!arg_range(c, &info.addressRange))
        return false;
    if (!c->bound->pipeline)
        return true;
    if (!replay_bindings_flush(c->replay, c->bound, c->json))
        return false;
    c->replay->has_dispatch = true;
    vkCmdDispatchIndirect2KHR(c->cb, &info);
    return true;
}

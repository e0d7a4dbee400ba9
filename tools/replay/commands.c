/* SPDX-License-Identifier: MIT */
/* Records the commands of a line: a row for each name.
 *
 * Captures hold no barriers but those between dispatches: everything is ordered by a full barrier
 * in front of each command, and images stay in VK_IMAGE_LAYOUT_GENERAL. Events order nothing more.
 */
#include "commands.h"

#include <string.h>

void
replay_full_barrier(VkCommandBuffer cb)
{
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
    };
    vkCmdPipelineBarrier(cb, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         0, 1, &barrier, 0, NULL, 0, NULL);
}

/* A list of numbers, n to an element. */
static bool
arg_numbers(const struct ctx *c, const char *key, uint32_t n, uint64_t **out, uint32_t *count_out)
{
    const cJSON *list = replay_get(c->json, key), *item;
    const int size = cJSON_GetArraySize(list);
    uint32_t i = 0;
    if (size < 0 || (uint32_t)size % n)
        return replay_fail(c->r, "\"%s\" has %d numbers", key, size);
    *out = replay_read_alloc(c->r, (size_t)size, sizeof(**out));
    *count_out = (uint32_t)size / n;
    if (!*out)
        return false;
    cJSON_ArrayForEach(item, list)
    {
        if (!replay_read_u64(c->r, item, &(*out)[i++]))
            return false;
    }
    return true;
}

static bool
do_nothing(struct ctx *c)
{
    (void)c;
    return true;
}

static bool
do_barrier(struct ctx *c)
{
    replay_full_barrier(c->cb);
    c->replay->has_dispatch = false;
    return true;
}

static bool
do_copy_buffer(struct ctx *c)
{
    VkBuffer src, dst;
    uint64_t *numbers;
    uint32_t count;
    if (!arg_handle(c, "src", "VkBuffer", &src) || !arg_handle(c, "dst", "VkBuffer", &dst) ||
        !arg_numbers(c, "regions", 3, &numbers, &count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const VkBufferCopy region = {numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
        if (region.size)
            vkCmdCopyBuffer(c->cb, src, dst, 1, &region);
    }
    return true;
}

static bool
do_fill_buffer(struct ctx *c)
{
    VkBuffer dst;
    uint64_t offset_B, size_B;
    uint32_t word;
    if (!arg_handle(c, "dst", "VkBuffer", &dst) || !arg_u64(c, "offset", &offset_B) ||
        !arg_u64(c, "size", &size_B) || !arg_u32(c, "word", &word))
        return false;
    if (size_B)
        vkCmdFillBuffer(c->cb, dst, offset_B, size_B, word);
    return true;
}

static bool
do_update_buffer(struct ctx *c)
{
    VkBuffer dst;
    uint64_t offset_B;
    void *data;
    size_t size_B;
    if (!arg_handle(c, "dst", "VkBuffer", &dst) || !arg_u64(c, "offset", &offset_B) ||
        !replay_read_data(c->r, replay_get(c->json, "data"), 1, &data, &size_B))
        return false;
    if (size_B)
        vkCmdUpdateBuffer(c->cb, dst, offset_B, size_B, data);
    return true;
}

INFO_COMMAND(buffer_to_image, VkCopyBufferToImageInfo2, vkCmdCopyBufferToImage2)
INFO_COMMAND(image_to_buffer, VkCopyImageToBufferInfo2, vkCmdCopyImageToBuffer2)
INFO_COMMAND(copy_image, VkCopyImageInfo2, vkCmdCopyImage2)
INFO_COMMAND(blit_image, VkBlitImageInfo2, vkCmdBlitImage2)
INFO_COMMAND(resolve_image, VkResolveImageInfo2, vkCmdResolveImage2)
INFO_COMMAND(control_coding, VkVideoCodingControlInfoKHR, vkCmdControlVideoCodingKHR)
INFO_COMMAND(decode, VkVideoDecodeInfoKHR, vkCmdDecodeVideoKHR)
INFO_COMMAND(encode, VkVideoEncodeInfoKHR, vkCmdEncodeVideoKHR)

static bool
do_begin_coding(struct ctx *c)
{
    void *info;
    if (!vkCmdBeginVideoCodingKHR)
        return replay_fail(c->r, "the device has no video");
    if (!arg_info(c, "VkVideoBeginCodingInfoKHR", &info))
        return false;
    vkCmdBeginVideoCodingKHR(c->cb, info);
    c->replay->is_in_scope = true;
    return true;
}

static bool
do_end_coding(struct ctx *c)
{
    const VkVideoEndCodingInfoKHR info = {.sType = VK_STRUCTURE_TYPE_VIDEO_END_CODING_INFO_KHR};
    if (!c->replay->is_in_scope)
        return replay_fail(c->r, "no video coding scope is open");
    vkCmdEndVideoCodingKHR(c->cb, &info);
    c->replay->is_in_scope = false;
    return true;
}

static bool
clear_args(struct ctx *c, VkImage *image_out, VkImageSubresourceRange **ranges_out,
           uint32_t *count_out)
{
    uint64_t *n;
    if (!arg_handle(c, "image", "VkImage", image_out) ||
        !arg_numbers(c, "ranges", 5, &n, count_out))
        return false;
    *ranges_out = replay_read_alloc(c->r, *count_out, sizeof(**ranges_out));
    for (uint32_t i = 0; *ranges_out && i < *count_out; i++, n += 5)
        (*ranges_out)[i] =
            (VkImageSubresourceRange){(VkImageAspectFlags)n[0], (uint32_t)n[1], (uint32_t)n[2],
                                      (uint32_t)n[3], (uint32_t)n[4]};
    return *ranges_out != NULL;
}

static bool
do_clear_color(struct ctx *c)
{
    VkImage image;
    VkImageSubresourceRange *ranges;
    VkClearColorValue color;
    uint32_t count;
    if (!clear_args(c, &image, &ranges, &count) ||
        !replay_read_bytes(c->r, replay_get(c->json, "color"), &color, sizeof(color)))
        return false;
    vkCmdClearColorImage(c->cb, image, VK_IMAGE_LAYOUT_GENERAL, &color, count, ranges);
    return true;
}

static bool
do_clear_depth_stencil(struct ctx *c)
{
    VkImage image;
    VkImageSubresourceRange *ranges;
    VkClearDepthStencilValue value;
    uint32_t count;
    if (!clear_args(c, &image, &ranges, &count) ||
        !replay_read_bytes(c->r, replay_get(c->json, "depth_stencil"), &value, sizeof(value)))
        return false;
    vkCmdClearDepthStencilImage(c->cb, image, VK_IMAGE_LAYOUT_GENERAL, &value, count, ranges);
    return true;
}

static bool
do_bind_pipeline(struct ctx *c)
{
    return arg_u64(c, "pipeline", &c->bound->pipeline);
}

static bool
do_bind_shaders(struct ctx *c)
{
    return arg_u64(c, "shader", &c->bound->pipeline);
}

static bool
do_bind_sets(struct ctx *c)
{
    uint32_t number;
    const cJSON *set;
    if (!arg_u32(c, "first", &number))
        return false;
    cJSON_ArrayForEach(set, replay_get(c->json, "sets"))
    {
        if (number >= REPLAY_MAX_SETS)
            return replay_fail(c->r, "there is no set %u", number);
        c->bound->sets[number] = (struct replay_set){.json = cJSON_IsObject(set) ? set : NULL};
        c->bound->is_set_dirty[number++] = true;
    }
    return true;
}

static bool
do_push_descriptors(struct ctx *c)
{
    uint32_t number;
    if (!arg_u32(c, "set", &number))
        return false;
    if (number >= REPLAY_MAX_SETS)
        return replay_fail(c->r, "there is no set %u", number);
    c->bound->sets[number] = (struct replay_set){.json = c->json, .is_pushed = true};
    c->bound->is_set_dirty[number] = true;
    return true;
}

static bool
do_push_constants(struct ctx *c)
{
    uint64_t offset_B;
    void *data;
    size_t size_B;
    if (!arg_u64(c, "offset", &offset_B) ||
        !replay_read_data(c->r, replay_get(c->json, "values"), 1, &data, &size_B))
        return false;
    if (offset_B > sizeof(c->bound->push_constants) ||
        size_B > sizeof(c->bound->push_constants) - offset_B)
        return replay_fail(c->r, "too many push constants");
    memcpy(c->bound->push_constants + offset_B, data, size_B);
    c->bound->are_constants_dirty = true;
    return true;
}

static bool
do_dispatch(struct ctx *c)
{
    uint64_t *base, *count;
    uint32_t base_count, count_count;
    if (!arg_numbers(c, "base", 3, &base, &base_count) ||
        !arg_numbers(c, "count", 3, &count, &count_count))
        return false;
    if (base_count != 1 || count_count != 1)
        return replay_fail(c->r, "a dispatch has three counts of workgroups");
    if (!c->bound->pipeline)
        return true;
    if (!replay_bindings_flush(c->replay, c->bound, c->json))
        return false;
    c->replay->has_dispatch = true;
    if (base[0] || base[1] || base[2])
        vkCmdDispatchBase(c->cb, (uint32_t)base[0], (uint32_t)base[1], (uint32_t)base[2],
                          (uint32_t)count[0], (uint32_t)count[1], (uint32_t)count[2]);
    else
        vkCmdDispatch(c->cb, (uint32_t)count[0], (uint32_t)count[1], (uint32_t)count[2]);
    return true;
}

static bool
do_dispatch_indirect(struct ctx *c)
{
    VkBuffer buffer;
    uint64_t offset_B;
    if (!arg_handle(c, "buffer", "VkBuffer", &buffer) || !arg_u64(c, "offset", &offset_B))
        return false;
    if (!c->bound->pipeline)
        return true;
    if (!replay_bindings_flush(c->replay, c->bound, c->json))
        return false;
    c->replay->has_dispatch = true;
    vkCmdDispatchIndirect(c->cb, buffer, offset_B);
    return true;
}

static bool
do_begin_conditional(struct ctx *c)
{
    uint64_t is_inverted;
    VkConditionalRenderingBeginInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT};
    if (!vkCmdBeginConditionalRenderingEXT)
        return replay_fail(c->r, "the device has no conditional rendering");
    if (!arg_handle(c, "buffer", "VkBuffer", &info.buffer) || !arg_u64(c, "offset", &info.offset) ||
        !arg_u64(c, "inverted", &is_inverted))
        return false;
    info.flags = is_inverted ? VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT : 0;
    vkCmdBeginConditionalRenderingEXT(c->cb, &info);
    return true;
}

static bool
do_end_conditional(struct ctx *c)
{
    if (!vkCmdEndConditionalRenderingEXT)
        return replay_fail(c->r, "the device has no conditional rendering");
    vkCmdEndConditionalRenderingEXT(c->cb);
    return true;
}

static bool
do_begin_query(struct ctx *c)
{
    VkQueryPool pool;
    uint32_t first, count;
    if (!query_args(c, &pool, &first, &count))
        return false;
    vkCmdBeginQuery(c->cb, pool, first, 0);
    return true;
}

static bool
do_end_query(struct ctx *c)
{
    VkQueryPool pool;
    uint32_t first, count;
    if (!query_args(c, &pool, &first, &count))
        return false;
    vkCmdEndQuery(c->cb, pool, first);
    return true;
}

static bool
do_reset_queries(struct ctx *c)
{
    VkQueryPool pool;
    uint32_t first, count;
    if (!query_args(c, &pool, &first, &count))
        return false;
    vkCmdResetQueryPool(c->cb, pool, first, count);
    return true;
}

static bool
do_write_timestamp(struct ctx *c)
{
    VkQueryPool pool;
    uint32_t first, count;
    if (!query_args(c, &pool, &first, &count))
        return false;
    vkCmdWriteTimestamp(c->cb, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool, first);
    return true;
}

/* Nobody waits: what the results tell of may have been done before the range that was captured. */
static bool
do_copy_results(struct ctx *c)
{
    VkQueryPool pool;
    VkBuffer buffer;
    uint64_t offset_B, stride_B;
    uint32_t first, count, flags;
    if (!query_args(c, &pool, &first, &count) || !arg_handle(c, "buffer", "VkBuffer", &buffer) ||
        !arg_u64(c, "offset", &offset_B) || !arg_u64(c, "stride", &stride_B) ||
        !arg_u32(c, "flags", &flags))
        return false;
    vkCmdCopyQueryPoolResults(c->cb, pool, first, count, buffer, offset_B, stride_B,
                              flags & ~(uint32_t)VK_QUERY_RESULT_WAIT_BIT);
    return true;
}

static bool
do_run_commands(struct ctx *c)
{
    const cJSON *list;
    cJSON_ArrayForEach(list, replay_get(c->json, "commands"))
    {
        if (!replay_commands(c->replay, c->bound, list))
            return false;
    }
    return true;
}

static const struct command {
    const char *name;
    bool (*record)(struct ctx *c);
    bool orders_itself; /* no barrier in front of it */
} commands[] = {
    {"BeginConditionalRendering", do_begin_conditional, false},
    {"BeginConditionalRendering2", replay_do_begin_conditional2, false},
    {"BeginQuery", do_begin_query, true},
    {"BeginVideoCoding", do_begin_coding, false},
    {"BindDescriptorBufferEmbeddedSamplers", do_nothing, true},
    {"BindDescriptorBuffers", do_nothing, true},
    {"BindDescriptorSets", do_bind_sets, true},
    {"BindPipeline", do_bind_pipeline, true},
    {"BindResourceHeap", replay_do_bind_resource_heap, true},
    {"BindSamplerHeap", replay_do_bind_sampler_heap, true},
    {"BindShaders", do_bind_shaders, true},
    {"BlitImage", do_blit_image, false},
    {"ClearColorImage", do_clear_color, false},
    {"ClearDepthStencilImage", do_clear_depth_stencil, false},
    {"ControlVideoCoding", do_control_coding, true},
    {"CopyBuffer", do_copy_buffer, false},
    {"CopyBufferToImage", do_buffer_to_image, false},
    {"CopyImage", do_copy_image, false},
    {"CopyImageToBuffer", do_image_to_buffer, false},
    {"CopyImageToMemory", replay_do_copy_image_to_memory, false},
    {"CopyMemory", replay_do_copy_memory, false},
    {"CopyMemoryIndirect", replay_do_copy_indirect, false},
    {"CopyMemoryToImage", replay_do_copy_memory_to_image, false},
    {"CopyMemoryToImageIndirect", replay_do_copy_to_image_indirect, false},
    {"CopyQueryPoolResults", do_copy_results, false},
    {"CopyQueryPoolResultsToMemory", replay_do_copy_results_to_memory, false},
    {"DecodeVideo", do_decode, true},
    {"Dispatch", do_dispatch, true},
    {"DispatchIndirect", do_dispatch_indirect, true},
    {"DispatchIndirect2", replay_do_dispatch_indirect2, true},
    {"EncodeVideo", do_encode, true},
    {"EndConditionalRendering", do_end_conditional, true},
    {"EndQuery", do_end_query, true},
    {"EndVideoCoding", do_end_coding, true},
    {"ExecuteCommands", do_run_commands, true},
    {"FillBuffer", do_fill_buffer, false},
    {"FillMemory", replay_do_fill_memory, false},
    {"PipelineBarrier", do_barrier, true},
    {"PushConstants", do_push_constants, true},
    {"PushDescriptorSet", do_push_descriptors, true},
    {"ResetEvent", do_nothing, true},
    {"ResetQueryPool", do_reset_queries, false},
    {"ResolveImage", do_resolve_image, false},
    {"SetDescriptorBufferOffsets", do_nothing, true},
    {"SetEvent", do_nothing, true},
    {"UpdateBuffer", do_update_buffer, false},
    {"UpdateMemory", replay_do_update_memory, false},
    {"WaitEvents", do_barrier, true},
    {"WriteTimestamp", do_write_timestamp, false},
};

static const struct command *
command_find(const char *name)
{
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

bool
replay_commands(struct replay *replay, struct replay_bound *bound, const cJSON *list)
{
    const cJSON *json;
    cJSON_ArrayForEach(json, list)
    {
        struct ctx c = {replay, &replay->reader, bound, json, replay->cb};
        const char *name = cJSON_GetStringValue(replay_get(json, "cmd"));
        const struct command *command = name ? command_find(name) : NULL;
        if (!command)
            return replay_fail(c.r, "the command %.60s is not known", name ? name : "?");
        /* Before what is no dispatch, and between dispatches and what came before them. */
        const bool is_dispatch = strncmp(name, "Dispatch", 8) == 0;
        if (!replay->is_in_scope &&
            (!command->orders_itself || (is_dispatch && !replay->has_dispatch))) {
            replay_full_barrier(c.cb);
            replay->has_dispatch = false;
        }
        if (!command->record(&c))
            return false;
    }
    return true;
}

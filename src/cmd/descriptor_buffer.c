/* SPDX-License-Identifier: MIT */
/* vkCmdBindDescriptorBuffersEXT, vkCmdSetDescriptorBufferOffsets2EXT and
 * vkCmdBindDescriptorBufferEmbeddedSamplers2EXT: sets whose descriptors lie in memory.
 *
 * Each dispatch reads them when it is replayed. A capture tells what a dispatch read beside the
 * dispatch, as sets (cmd/describe_bindings.h).
 */
#include "cmd/bind.h"

#include "cmd/cmd_buffer.h"
#include "cmd/describe.h"
#include "cmd/describe_bindings.h"
#include "cmd/replay.h"
#include "object/descriptor_layout.h"
#include "object/device.h"
#include "object/sampler.h"

#include "rp_entrypoints.h"

struct bind_buffers {
    struct rp_cmd cmd;
    uint32_t count;
    VkDeviceAddress addresses[];
};

static VkResult
bind_buffers_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    const struct bind_buffers *c = (const struct bind_buffers *)cmd;

    struct rp_bind_state *state = rp_bind_state_get(rp);
    if (!state)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < RP_MAX_DESCRIPTOR_BUFFERS; i++) {
        const VkDeviceAddress address = i < c->count ? c->addresses[i] : 0;
        const uint64_t left_B = address ? rp_descriptor_buffer_left_B(rp->dev, address) : 0;
        state->buffers[i] = (struct rp_bound_descriptor_buffer){
            .host = left_B ? (const uint8_t *)(uintptr_t)address : NULL,
            .size_B = left_B,
        };
    }
    state->is_dirty = true;
    return VK_SUCCESS;
}

static const struct rp_cmd_ops bind_buffers_ops = {
    .name = "BindDescriptorBuffers",
    .keeps_dispatches_open = true,
    .cost_ns = 100,
    .replay = bind_buffers_replay,
    .describe = rp_describe_bind,
};

VKAPI_ATTR void VKAPI_CALL
rp_CmdBindDescriptorBuffersEXT(VkCommandBuffer commandBuffer, uint32_t count,
                               const VkDescriptorBufferBindingInfoEXT *infos)
{
    struct rp_cmd_buffer *cb = rp_cmd_buffer_from_handle(commandBuffer);

    count = RP_MIN(count, RP_MAX_DESCRIPTOR_BUFFERS);
    struct bind_buffers *c =
        rp_cmd_record(cb, &bind_buffers_ops, sizeof(*c) + count * sizeof(c->addresses[0]));
    if (!c)
        return;
    c->count = count;
    for (uint32_t i = 0; i < count; i++)
        c->addresses[i] = infos[i].address;
}

struct set_offsets {
    struct rp_cmd cmd;
    uint32_t first;
    uint32_t count;
    struct rp_bound_set sets[];
};

static VkResult
set_offsets_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    const struct set_offsets *c = (const struct set_offsets *)cmd;

    struct rp_bind_state *state = rp_bind_state_get(rp);
    if (!state)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < c->count; i++)
        state->sets[c->first + i] = c->sets[i];
    if (state->push_set - c->first < c->count)
        state->push_set = RP_MAX_SETS;
    state->is_dirty = true;
    return VK_SUCCESS;
}

static const struct rp_cmd_ops set_offsets_ops = {
    .name = "SetDescriptorBufferOffsets",
    .keeps_dispatches_open = true,
    .cost_ns = 30,
    .replay = set_offsets_replay,
    .describe = rp_describe_bind,
};

static const struct rp_cmd_ops embedded_samplers_ops = {
    .name = "BindDescriptorBufferEmbeddedSamplers",
    .keeps_dispatches_open = true,
    .cost_ns = 30,
    .replay = set_offsets_replay,
    .describe = rp_describe_bind,
};

/* Room for count sets from first on. */
static struct set_offsets *
sets_record(struct rp_cmd_buffer *cb, const struct rp_cmd_ops *ops, uint32_t first, uint32_t count)
{
    struct set_offsets *c = rp_cmd_record(cb, ops, sizeof(*c) + count * sizeof(c->sets[0]));
    if (!c)
        return NULL;
    c->first = first;
    c->count = count;
    for (uint32_t i = 0; i < count; i++) {
        c->sets[i] = (struct rp_bound_set){0};
        rp_cmd_bound_forget_set(cb, first + i);
    }
    return c;
}

VKAPI_ATTR void VKAPI_CALL
rp_CmdSetDescriptorBufferOffsets2EXT(VkCommandBuffer commandBuffer,
                                     const VkSetDescriptorBufferOffsetsInfoEXT *info)
{
    struct rp_cmd_buffer *cb = rp_cmd_buffer_from_handle(commandBuffer);

    if (!(info->stageFlags & VK_SHADER_STAGE_COMPUTE_BIT) || info->firstSet > RP_MAX_SETS ||
        info->setCount > RP_MAX_SETS - info->firstSet)
        return;
    struct set_offsets *c = sets_record(cb, &set_offsets_ops, info->firstSet, info->setCount);
    if (!c)
        return;
    for (uint32_t i = 0; i < c->count; i++)
        c->sets[i] = (struct rp_bound_set){
            .is_in_memory = info->pBufferIndices[i] < RP_MAX_DESCRIPTOR_BUFFERS,
            .buffer = info->pBufferIndices[i],
            .offset_B = info->pOffsets[i],
        };
}

/* A table of the layout's samplers that lives as long as the command: layouts may go before. */
static struct rp_descriptor *
embedded_take(struct rp_cmd_buffer *cb, const struct rp_set_layout *layout)
{
    struct rp_descriptor_table table;
    void *memory = rp_cmd_alloc(cb, rp_descriptor_table_size(layout, 0) + 1);
    if (!memory)
        return NULL;
    rp_descriptor_table_init(&table, layout, 0, memory);
    return rp_cmd_copy_samplers(cb, table.items, table.item_count) ? table.items : NULL;
}

VKAPI_ATTR void VKAPI_CALL
rp_CmdBindDescriptorBufferEmbeddedSamplers2EXT(
    VkCommandBuffer commandBuffer, const VkBindDescriptorBufferEmbeddedSamplersInfoEXT *info)
{
    struct rp_cmd_buffer *cb = rp_cmd_buffer_from_handle(commandBuffer);
    const struct rp_pipeline_layout *layout = rp_pipeline_layout_from_handle(info->layout);

    if (!(info->stageFlags & VK_SHADER_STAGE_COMPUTE_BIT))
        return;
    if (info->set >= layout->set_count || !layout->sets[info->set]) {
        rp_cmd_fail(cb, VK_ERROR_VALIDATION_FAILED_EXT);
        return;
    }
    struct set_offsets *c = sets_record(cb, &embedded_samplers_ops, info->set, 1);
    if (!c)
        return;
    c->sets[0].items = embedded_take(cb, layout->sets[info->set]);
    c->sets[0].item_count = layout->sets[info->set]->item_count;
    c->sets[0].is_embedded = true;
}

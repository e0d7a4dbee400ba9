/* SPDX-License-Identifier: MIT */
/* vkCmdBindPipeline, vkCmdBindShadersEXT, vkCmdBindDescriptorSets2, vkCmdPushConstants2.
 *
 * A bind that changes nothing is dropped while recording.
 */
#include "cmd/bind.h"

#include "cmd/cmd_buffer.h"
#include "cmd/describe.h"
#include "cmd/describe_bindings.h"
#include "cmd/replay.h"
#include "object/pipeline.h"
#include "util/log.h"

#include "rp_entrypoints.h"

#include <string.h>

struct rp_cmd_bound {
    const struct rp_pipeline *pipeline;
    const struct rp_descriptor_set *sets[RP_MAX_SETS]; /* bound without dynamic offsets */
    uint64_t pushed_words; /* bit i: word i of push_constants is known */
    uint8_t push_constants[RP_MAX_PUSH_CONSTANTS_B];
};
static_assert(RP_MAX_PUSH_CONSTANTS_B == 64 * 4, "pushed_words has a bit per word");

/* NULL when memory is short: then nothing is dropped. */
static struct rp_cmd_bound *
cmd_bound(struct rp_cmd_buffer *cb)
{
    if (!cb->bound) {
        cb->bound = rp_cmd_alloc(cb, sizeof(*cb->bound));
        if (cb->bound)
            *cb->bound = (struct rp_cmd_bound){0};
    }
    return cb->bound;
}

const struct rp_pipeline *
rp_cmd_bound_pipeline(const struct rp_cmd_buffer *cb)
{
    return cb->bound ? cb->bound->pipeline : NULL;
}

void
rp_cmd_bound_forget_set(struct rp_cmd_buffer *cb, uint32_t set)
{
    if (cb->bound && set < RP_MAX_SETS)
        cb->bound->sets[set] = NULL;
}

struct bind_pipeline {
    struct rp_cmd cmd;
    const struct rp_pipeline *pipeline; /* borrowed; NULL: none is bound any more */
};

static VkResult
bind_pipeline_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    const struct bind_pipeline *c = (const struct bind_pipeline *)cmd;

    struct rp_bind_state *state = rp_bind_state_get(rp);
    if (!state)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    state->pipeline = c->pipeline;
    state->is_dirty = true;
    return VK_SUCCESS;
}

static void
bind_pipeline_describe(const struct rp_cmd *cmd, struct rp_describe *d)
{
    const struct bind_pipeline *c = (const struct bind_pipeline *)cmd;

    rp_describe_key_handle(d, "pipeline", c->pipeline);
    rp_describe_bind(cmd, d);
}

static const struct rp_cmd_ops bind_pipeline_ops = {
    .name = "BindPipeline",
    .keeps_dispatches_open = true,
    .cost_ns = 20,
    .replay = bind_pipeline_replay,
    .describe = bind_pipeline_describe,
};

static void
bind_shaders_describe(const struct rp_cmd *cmd, struct rp_describe *d)
{
    const struct bind_pipeline *c = (const struct bind_pipeline *)cmd;

    rp_describe_key_handle(d, "shader", c->pipeline);
    rp_describe_bind(cmd, d);
}

/* Shader objects are bound in the pipelines' place: each replaces the other. */
static const struct rp_cmd_ops bind_shaders_ops = {
    .name = "BindShaders",
    .keeps_dispatches_open = true,
    .cost_ns = 20,
    .replay = bind_pipeline_replay,
    .describe = bind_shaders_describe,
};

static void
bind_record(struct rp_cmd_buffer *cb, const struct rp_cmd_ops *ops,
            const struct rp_pipeline *pipeline)
{
    struct rp_cmd_bound *bound = cmd_bound(cb);
    if (bound && bound->pipeline == pipeline) {
        cb->dropped_bind_count++;
        return;
    }

    struct bind_pipeline *c = rp_cmd_record(cb, ops, sizeof(*c));
    if (!c)
        return;
    c->pipeline = pipeline;
    if (bound)
        bound->pipeline = pipeline;
}

VKAPI_ATTR void VKAPI_CALL
rp_CmdBindPipeline(VkCommandBuffer commandBuffer, VkPipelineBindPoint point, VkPipeline handle)
{
    if (point == VK_PIPELINE_BIND_POINT_COMPUTE)
        bind_record(rp_cmd_buffer_from_handle(commandBuffer), &bind_pipeline_ops,
                    rp_pipeline_from_handle(handle));
}

/* Without an array there is none in it; of the other stages none can be bound. */
VKAPI_ATTR void VKAPI_CALL
rp_CmdBindShadersEXT(VkCommandBuffer commandBuffer, uint32_t count,
                     const VkShaderStageFlagBits *stages, const VkShaderEXT *shaders)
{
    for (uint32_t i = 0; i < count; i++) {
        if (stages[i] == VK_SHADER_STAGE_COMPUTE_BIT)
            bind_record(rp_cmd_buffer_from_handle(commandBuffer), &bind_shaders_ops,
                        shaders ? rp_pipeline_from_shader(shaders[i]) : NULL);
    }
}

struct bind_sets {
    struct rp_cmd cmd;
    uint32_t first;
    uint32_t count;
    struct rp_bound_set *sets; /* tables of sets that the app keeps; offsets behind this array */
};

static VkResult
bind_sets_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    const struct bind_sets *c = (const struct bind_sets *)cmd;

    struct rp_bind_state *state = rp_bind_state_get(rp);
    if (!state)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    memcpy(&state->sets[c->first], c->sets, c->count * sizeof(c->sets[0]));
    if (state->push_set - c->first < c->count)
        state->push_set = RP_MAX_SETS;
    state->is_dirty = true;
    return VK_SUCCESS;
}

static void
bind_sets_describe(const struct rp_cmd *cmd, struct rp_describe *d)
{
    const struct bind_sets *c = (const struct bind_sets *)cmd;

    rp_json_key_u64(d->json, "first", c->first);
    rp_json_key(d->json, "sets");
    rp_json_open(d->json, '[');
    for (uint32_t i = 0; i < c->count; i++)
        rp_describe_bound_set(d, &c->sets[i]);
    rp_json_close(d->json, ']');
    rp_describe_bind(cmd, d);
}

static const struct rp_cmd_ops bind_sets_ops = {
    .name = "BindDescriptorSets",
    .keeps_dispatches_open = true,
    .cost_ns = 30,
    .replay = bind_sets_replay,
    .describe = bind_sets_describe,
};

static bool
bind_sets_changes_nothing(struct rp_cmd_bound *bound, const VkBindDescriptorSetsInfo *info)
{
    bool is_same = bound != NULL;
    for (uint32_t i = 0; bound && i < info->descriptorSetCount; i++) {
        const struct rp_descriptor_set *set =
            rp_descriptor_set_from_handle(info->pDescriptorSets[i]);
        const bool has_dynamic = !set || set->table.layout->dynamic_count;
        const struct rp_descriptor_set **slot = &bound->sets[info->firstSet + i];
        is_same = is_same && set && !has_dynamic && *slot == set;
        *slot = has_dynamic ? NULL : set;
    }
    return is_same;
}

VKAPI_ATTR void VKAPI_CALL
rp_CmdBindDescriptorSets2(VkCommandBuffer commandBuffer, const VkBindDescriptorSetsInfo *info)
{
    struct rp_cmd_buffer *cb = rp_cmd_buffer_from_handle(commandBuffer);

    if (!(info->stageFlags & VK_SHADER_STAGE_COMPUTE_BIT) || info->firstSet > RP_MAX_SETS ||
        info->descriptorSetCount > RP_MAX_SETS - info->firstSet)
        return;
    if (bind_sets_changes_nothing(cmd_bound(cb), info)) {
        cb->dropped_bind_count++;
        return;
    }

    struct bind_sets *c = rp_cmd_record(cb, &bind_sets_ops, sizeof(*c));
    struct rp_bound_set *sets = rp_cmd_alloc(cb, info->descriptorSetCount * sizeof(*sets));
    const uint32_t *offsets = rp_cmd_copy(cb, info->pDynamicOffsets, info->dynamicOffsetCount,
                                          sizeof(*info->pDynamicOffsets));
    if (!c || !sets || (info->dynamicOffsetCount && !offsets))
        return;

    uint32_t used_count = 0;
    for (uint32_t i = 0; i < info->descriptorSetCount; i++) {
        const struct rp_descriptor_set *set =
            rp_descriptor_set_from_handle(info->pDescriptorSets[i]);
        sets[i] = (struct rp_bound_set){0};
        if (!set)
            continue;
        const uint32_t left_count = info->dynamicOffsetCount - used_count;
        sets[i] = (struct rp_bound_set){
            .items = set->table.items,
            .item_count = set->table.item_count,
            .dynamic_offsets = offsets + used_count,
            .dynamic_count = RP_MIN(set->table.layout->dynamic_count, left_count),
        };
        used_count += sets[i].dynamic_count;
    }
    c->first = info->firstSet;
    c->count = info->descriptorSetCount;
    c->sets = sets;
}

struct push_constants {
    struct rp_cmd cmd;
    uint32_t offset_B;
    uint32_t size_B;
    uint8_t data[];
};

static VkResult
push_constants_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    const struct push_constants *c = (const struct push_constants *)cmd;

    struct rp_bind_state *state = rp_bind_state_get(rp);
    if (!state)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    memcpy(state->push_constants + c->offset_B, c->data, c->size_B);
    return VK_SUCCESS;
}

static void
push_constants_describe(const struct rp_cmd *cmd, struct rp_describe *d)
{
    const struct push_constants *c = (const struct push_constants *)cmd;

    rp_json_key_u64(d->json, "offset", c->offset_B);
    rp_json_key(d->json, "values");
    rp_json_bytes(d->json, c->data, c->size_B);
    rp_describe_bind(cmd, d);
}

static const struct rp_cmd_ops push_constants_ops = {
    .name = "PushConstants",
    .keeps_dispatches_open = true,
    .cost_ns = 20,
    .replay = push_constants_replay,
    .describe = push_constants_describe,
};

/* Remembers the values of whole words. */
static bool
push_changes_nothing(struct rp_cmd_bound *bound, const VkPushConstantsInfo *info)
{
    if (!bound)
        return false;
    if (!info->size || info->offset % 4 || info->size % 4) {
        bound->pushed_words = 0;
        return false;
    }
    const uint32_t count = info->size / 4;
    const uint64_t words = UINT64_MAX >> (64 - count) << info->offset / 4;
    uint8_t *known = bound->push_constants + info->offset;
    if ((bound->pushed_words & words) == words && memcmp(known, info->pValues, info->size) == 0)
        return true;
    bound->pushed_words |= words;
    memcpy(known, info->pValues, info->size);
    return false;
}

VKAPI_ATTR void VKAPI_CALL
rp_CmdPushConstants2(VkCommandBuffer commandBuffer, const VkPushConstantsInfo *info)
{
    struct rp_cmd_buffer *cb = rp_cmd_buffer_from_handle(commandBuffer);

    if (!(info->stageFlags & VK_SHADER_STAGE_COMPUTE_BIT) ||
        info->offset > RP_MAX_PUSH_CONSTANTS_B ||
        info->size > RP_MAX_PUSH_CONSTANTS_B - info->offset)
        return;
    if (push_changes_nothing(cmd_bound(cb), info)) {
        cb->dropped_push_count++;
        return;
    }
    struct push_constants *c = rp_cmd_record(cb, &push_constants_ops, sizeof(*c) + info->size);
    if (!c)
        return;
    c->offset_B = info->offset;
    c->size_B = info->size;
    memcpy(c->data, info->pValues, info->size);
}

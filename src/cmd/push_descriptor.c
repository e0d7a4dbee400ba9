/* SPDX-License-Identifier: MIT */
/* vkCmdPushDescriptorSet2 and its form with a template.
 *
 * Writes become descriptors while recording: the payload borrows nothing but views and buffers,
 * which the application keeps.
 */
#include "cmd/bind.h"

#include "cmd/cmd_buffer.h"
#include "cmd/describe.h"
#include "cmd/describe_bindings.h"
#include "cmd/replay.h"

#include "rp_entrypoints.h"

struct push_descriptors {
    struct rp_cmd cmd;
    uint32_t set;
    uint32_t count;
    uint32_t written; /* bit i: items[i] replaces what was pushed before */
    struct rp_descriptor items[RP_MAX_PUSH_DESCRIPTORS];
};
static_assert(RP_MAX_PUSH_DESCRIPTORS <= 32, "written has a bit per descriptor");

static VkResult
push_descriptors_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    const struct push_descriptors *c = (const struct push_descriptors *)cmd;

    struct rp_bind_state *state = rp_bind_state_get(rp);
    if (!state)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    if (state->push_set != c->set) {
        state->push_set = c->set;
        for (uint32_t i = 0; i < RP_MAX_PUSH_DESCRIPTORS; i++)
            state->pushed[i] = (struct rp_descriptor){0};
    }
    for (uint32_t i = 0; i < c->count; i++)
        if (c->written >> i & 1)
            state->pushed[i] = c->items[i];
    state->sets[c->set] = (struct rp_bound_set){.items = state->pushed, .item_count = c->count};
    state->is_dirty = true;
    return VK_SUCCESS;
}

/* All that is pushed by now: what was pushed before stays. */
static void
push_descriptors_describe(const struct rp_cmd *cmd, struct rp_describe *d)
{
    const struct push_descriptors *c = (const struct push_descriptors *)cmd;

    rp_describe_bind(cmd, d);
    rp_json_key_u64(d->json, "set", c->set);
    if (d->bind)
        rp_describe_items(d, NULL, d->bind->pushed, c->count);
}

static const struct rp_cmd_ops push_descriptors_ops = {
    .name = "PushDescriptorSet",
    .keeps_dispatches_open = true,
    .cost_ns = 100,
    .replay = push_descriptors_replay,
    .describe = push_descriptors_describe,
};

bool
rp_cmd_copy_samplers(struct rp_cmd_buffer *cb, struct rp_descriptor *items, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!items[i].sampler)
            continue;
        struct rp_sampler_state *copy =
            rp_cmd_copy(cb, items[i].sampler, 1, sizeof(*items[i].sampler));
        if (!copy)
            return false;
        if (copy->ycbcr)
            copy->ycbcr = rp_cmd_copy(cb, copy->ycbcr, 1, sizeof(*copy->ycbcr));
        items[i].sampler = copy;
    }
    return true;
}

/* Marks the items of each binding that has an immutable sampler, with a copy of the sampler that
 * lives as long as the command. */
static bool
push_take_samplers(struct rp_cmd_buffer *cb, const struct rp_set_layout *layout,
                   struct push_descriptors *c)
{
    if (!rp_cmd_copy_samplers(cb, c->items, c->count))
        return false;
    for (uint32_t b = 0; b < layout->binding_count; b++)
        for (uint32_t k = 0;
             layout->bindings[b].immutable_samplers && k < layout->bindings[b].count; k++)
            if (layout->bindings[b].type == VK_DESCRIPTOR_TYPE_SAMPLER)
                c->written |= 1u << (layout->bindings[b].first_item + k);
    return true;
}

/* A recorded push of nothing into this set number; *table_out writes to its items. */
static struct push_descriptors *
push_begin(struct rp_cmd_buffer *cb, const struct rp_pipeline_layout *layout, uint32_t set,
           struct rp_descriptor_table *table_out)
{
    if (set >= layout->set_count || !layout->sets[set] ||
        layout->sets[set]->item_count > RP_MAX_PUSH_DESCRIPTORS) {
        rp_cmd_fail(cb, VK_ERROR_VALIDATION_FAILED_EXT);
        return NULL;
    }
    struct push_descriptors *c = rp_cmd_record(cb, &push_descriptors_ops, sizeof(*c));
    if (!c)
        return NULL;
    rp_cmd_bound_forget_set(cb, set);
    rp_descriptor_table_init(table_out, layout->sets[set], 0, c->items);
    c->set = set;
    c->count = layout->sets[set]->item_count;
    c->written = 0;
    return c;
}

/* Bits of the count items from (binding, element) on. */
static uint32_t
push_mask(const struct rp_set_layout *layout, uint32_t binding, uint32_t element, uint32_t count)
{
    const struct rp_set_binding *b = rp_set_layout_find(layout, binding);
    if (!b || count == 0)
        return 0;
    const uint32_t first = b->first_item + element;
    if (first >= 32)
        return 0;
    return (count >= 32 ? UINT32_MAX : (1u << count) - 1) << first;
}

VKAPI_ATTR void VKAPI_CALL
rp_CmdPushDescriptorSet2(VkCommandBuffer commandBuffer, const VkPushDescriptorSetInfo *info)
{
    struct rp_cmd_buffer *cb = rp_cmd_buffer_from_handle(commandBuffer);
    const struct rp_pipeline_layout *layout = rp_pipeline_layout_from_handle(info->layout);
    struct rp_descriptor_table table;

    if (!(info->stageFlags & VK_SHADER_STAGE_COMPUTE_BIT))
        return;
    struct push_descriptors *c = push_begin(cb, layout, info->set, &table);
    if (!c)
        return;
    for (uint32_t i = 0; i < info->descriptorWriteCount; i++) {
        const VkWriteDescriptorSet *w = &info->pDescriptorWrites[i];
        rp_descriptor_table_write(&table, w);
        c->written |=
            push_mask(table.layout, w->dstBinding, w->dstArrayElement, w->descriptorCount);
    }
    (void)push_take_samplers(cb, table.layout, c); /* a failure sticks to cb */
}

VKAPI_ATTR void VKAPI_CALL
rp_CmdPushDescriptorSetWithTemplate2(VkCommandBuffer commandBuffer,
                                     const VkPushDescriptorSetWithTemplateInfo *info)
{
    struct rp_cmd_buffer *cb = rp_cmd_buffer_from_handle(commandBuffer);
    const struct rp_pipeline_layout *layout = rp_pipeline_layout_from_handle(info->layout);
    const struct rp_update_template *tmpl =
        rp_update_template_from_handle(info->descriptorUpdateTemplate);
    struct rp_descriptor_table table;

    struct push_descriptors *c = push_begin(cb, layout, info->set, &table);
    if (!c)
        return;
    rp_descriptor_table_write_template(&table, tmpl, info->pData);
    for (uint32_t i = 0; i < tmpl->entry_count; i++)
        c->written |= push_mask(table.layout, tmpl->entries[i].dstBinding,
                                tmpl->entries[i].dstArrayElement, tmpl->entries[i].descriptorCount);
    (void)push_take_samplers(cb, table.layout, c);
}

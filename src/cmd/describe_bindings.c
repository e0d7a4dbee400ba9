/* SPDX-License-Identifier: MIT */
#include "cmd/describe_bindings.h"

#include "capture/lookup.h"
#include "cmd/cmd.h"
#include "object/buffer.h"
#include "object/descriptor_set.h"
#include "object/image.h"
#include "object/pipeline.h"

void
rp_describe_bind(const struct rp_cmd *cmd, struct rp_describe *d)
{
    if (cmd->ops->replay(cmd, &d->replay) != VK_SUCCESS)
        d->json->is_out_of_memory = true;
}

/* False: the item is nothing that lives. */
static bool
describe_buffer_item(struct rp_describe *d, const struct rp_descriptor *item)
{
    const struct rp_buffer *buf =
        rp_capture_find_buffer(d->capture, item->ptr, item->size_B, item->limit_B);
    if (!buf)
        return false;
    rp_describe_key_handle(d, "buffer", buf);
    rp_json_key_u64(d->json, "offset", (uint64_t)(item->ptr - buf->host));
    rp_json_key_u64(d->json, "range", item->size_B);
    return true;
}

/* Pushed samplers are copies in the command. */
static void
describe_item(struct rp_describe *d, uint32_t index, const struct rp_descriptor *item,
              bool is_inline, bool is_pushed)
{
    const struct rp_image_view *view = rp_capture_find_view(d->capture, item->view);
    const struct rp_sampler *sampler = rp_capture_find_sampler(d->capture, item->sampler);
    if (!sampler && item->sampler && is_pushed)
        sampler = rp_capture_find_equal_sampler(d->capture, item->sampler);
    const struct rp_buffer_view *texels =
        item->format ? rp_capture_find_buffer_view(d->capture, item) : NULL;

    rp_json_open(d->json, '{');
    rp_json_key_u64(d->json, "i", index);
    if (is_inline && item->ptr) {
        rp_json_key(d->json, "bytes");
        rp_json_bytes(d->json, item->ptr, item->size_B);
    } else if (texels) {
        rp_describe_key_handle(d, "texels", texels);
    } else if (item->ptr && describe_buffer_item(d, item) && item->format) {
        rp_json_key_u64(d->json, "format", item->format); /* from memory: there is no view */
    }
    if (view)
        rp_describe_key_handle(d, "view", view);
    if (sampler)
        rp_describe_key_handle(d, "sampler", sampler);
    rp_json_close(d->json, '}');
}

static bool
item_is_inline(const struct rp_set_layout *layout, uint32_t index)
{
    for (uint32_t i = 0; layout && i < layout->binding_count; i++) {
        const struct rp_set_binding *b = &layout->bindings[i];
        if (b->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK && b->first_item == index)
            return true;
    }
    return false;
}

void
rp_describe_items(struct rp_describe *d, const struct rp_set_layout *layout,
                  const struct rp_descriptor *items, uint32_t count)
{
    rp_json_key(d->json, "items");
    rp_json_open(d->json, '[');
    for (uint32_t i = 0; i < count; i++) {
        if (items[i].ptr || items[i].view || items[i].sampler)
            describe_item(d, i, &items[i], item_is_inline(layout, i), !layout);
    }
    rp_json_close(d->json, ']');
}

void
rp_describe_bound_set(struct rp_describe *d, const struct rp_bound_set *bound)
{
    if (!bound->items) {
        rp_json_null(d->json);
        return;
    }
    const struct rp_descriptor_set *set = rp_descriptor_set_of_items(bound->items);

    rp_json_open(d->json, '{');
    rp_describe_key_handle(d, "layout", set->table.layout);
    rp_json_key_u64(d->json, "variable", set->variable_count);
    rp_json_key(d->json, "dynamic");
    rp_json_open(d->json, '[');
    for (uint32_t i = 0; i < bound->dynamic_count; i++)
        rp_json_u64(d->json, bound->dynamic_offsets[i]);
    rp_json_close(d->json, ']');
    rp_describe_items(d, set->table.layout, bound->items, bound->item_count);
    rp_json_close(d->json, '}');
}

/* The items of one set, of those bindings that the kernel has. */
static void
describe_memory_set(struct rp_describe *d, const struct rp_bind_state *state, uint32_t set)
{
    rp_json_open(d->json, '{');
    rp_json_key_u64(d->json, "set", set);
    rp_json_key(d->json, "items");
    rp_json_open(d->json, '[');
    for (uint32_t i = 0; i < state->pipeline->binding_count; i++) {
        const struct rp_pipeline_binding *b = &state->pipeline->bindings[i];
        uint64_t size_B;
        const uint8_t *at = b->set == set ? rp_bind_state_memory(state, b, &size_B) : NULL;
        if (!at)
            continue;
        rp_capture_expect_descriptors(d->capture, at, size_B);
        for (uint32_t k = 0; k < state->arrays[i].count; k++) {
            const struct rp_descriptor *item = &state->arrays[i].items[k];
            if (item->ptr || item->view || item->sampler)
                describe_item(d, b->first_item + k, item, b->is_inline, false);
        }
    }
    rp_json_close(d->json, ']');
    rp_json_close(d->json, '}');
}

void
rp_describe_memory_sets(struct rp_describe *d, const struct rp_bind_state *state)
{
    bool is_open = false;

    for (uint32_t set = 0; set < RP_MAX_SETS; set++) {
        if (!state->sets[set].is_in_memory && !state->sets[set].is_embedded)
            continue;
        if (!is_open) {
            rp_json_key(d->json, "sets");
            rp_json_open(d->json, '[');
        }
        is_open = true;
        describe_memory_set(d, state, set);
    }
    if (is_open)
        rp_json_close(d->json, ']');
}

static void
touch_item(struct rp_describe *d, const struct rp_descriptor *item, uint32_t access)
{
    const struct rp_image_view *view = rp_capture_find_view(d->capture, item->view);
    if (view)
        rp_capture_touch_image(d->capture, view->img,
                               view->usage & VK_IMAGE_USAGE_STORAGE_BIT ? access : RP_CAPTURE_READ);
    if (!item->ptr || !item->size_B)
        return;
    const struct rp_buffer *buf = rp_capture_find_buffer(d->capture, item->ptr, item->size_B, 0);
    if (buf)
        rp_capture_touch_buffer(d->capture, buf, (uint64_t)(item->ptr - buf->host), item->size_B,
                                buf->usage & (VK_BUFFER_USAGE_2_STORAGE_BUFFER_BIT |
                                              VK_BUFFER_USAGE_2_STORAGE_TEXEL_BUFFER_BIT)
                                    ? access
                                    : RP_CAPTURE_READ);
}

void
rp_describe_touch_bindings(struct rp_describe *d, const struct rp_bind_state *state)
{
    const uint32_t flags = rp_capture_kernel_flags(d->capture, state->pipeline);
    const uint32_t access =
        RP_CAPTURE_WRITE | (flags & RP_CAPTURE_KERNEL_CLOCK ? RP_CAPTURE_UNREPEATABLE : 0);

    for (uint32_t i = 0; i < state->pipeline->binding_count; i++)
        for (uint32_t k = 0; !state->arrays[i].reader && k < state->arrays[i].count; k++)
            touch_item(d, &state->arrays[i].items[k], access);
    if (flags & (RP_CAPTURE_KERNEL_ADDRESSES | RP_CAPTURE_KERNEL_HEAPS))
        rp_capture_touch_addressable(d->capture, access);
    if (flags & RP_CAPTURE_KERNEL_HEAPS) /* whose descriptors it may even write itself */
        rp_capture_touch_heap_images(d->capture, access);
}

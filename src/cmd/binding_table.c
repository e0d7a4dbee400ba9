/* SPDX-License-Identifier: MIT */
/* What the bound pipeline's kernel reads and writes: a table of arrays of descriptors.
 */
#include "cmd/bind.h"

#include "object/device.h"
#include "object/pipeline.h"
#include "util/alloc.h"

/* Descriptors of a binding in memory: more are read when a kernel uses them. A pass over a million
 * takes 10 ms, and a kernel uses a few of them. */
#define MAX_EARLY_READS 64u

/* Room for count descriptors in state->dynamic. */
static bool
dynamic_reserve(struct rp_bind_state *state, uint32_t count)
{
    if (count <= state->dynamic_capacity)
        return true;
    rp_free(NULL, state->dynamic);
    state->dynamic =
        rp_zalloc_array(NULL, count, sizeof(*state->dynamic), VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
    state->dynamic_capacity = state->dynamic ? count : 0;
    return state->dynamic != NULL;
}

/* Room for count bindings in state->arrays and ->are_transient. */
static bool
arrays_reserve(struct rp_bind_state *state, uint32_t count)
{
    if (count <= state->array_capacity)
        return true;
    rp_free(NULL, state->arrays);
    rp_free(NULL, state->are_transient);
    state->arrays =
        rp_zalloc_array(NULL, count, sizeof(*state->arrays), VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
    state->are_transient = rp_zalloc_array(NULL, count, sizeof(*state->are_transient),
                                           VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
    state->array_capacity = state->arrays && state->are_transient ? count : 0;
    return state->array_capacity != 0;
}

struct rp_descriptor_array
rp_bind_state_array(const struct rp_bind_state *state, const struct rp_pipeline_binding *b)
{
    if (b->set >= RP_MAX_SETS) /* a module may say any number */
        return (struct rp_descriptor_array){0};
    const struct rp_bound_set *set = &state->sets[b->set];
    if (!set->items || b->first_item >= set->item_count)
        return (struct rp_descriptor_array){0};
    return (struct rp_descriptor_array){
        .items = set->items + b->first_item,
        .count = RP_MIN(b->item_count, set->item_count - b->first_item),
    };
}

/* Copies descriptors to out with their dynamic offsets added; an offset past the end empties. */
static void
dynamic_resolve(const struct rp_bound_set *set, const struct rp_pipeline_binding *b,
                const struct rp_descriptor_array *array, struct rp_descriptor *out)
{
    for (uint32_t i = 0; i < array->count; i++) {
        const uint32_t index = b->first_dynamic + i;
        const uint64_t offset_B = index < set->dynamic_count ? set->dynamic_offsets[index] : 0;
        out[i] = array->items[i];
        if (!out[i].ptr)
            continue;
        out[i].ptr += offset_B;
        const uint64_t left_B = out[i].limit_B > offset_B ? out[i].limit_B - offset_B : 0;
        out[i].size_B = RP_MIN(out[i].size_B, left_B);
    }
}

const uint8_t *
rp_bind_state_memory(const struct rp_bind_state *state, const struct rp_pipeline_binding *b,
                     uint64_t *size_B_out)
{
    if (b->set >= RP_MAX_SETS || !state->sets[b->set].is_in_memory)
        return NULL;
    const struct rp_bound_set *set = &state->sets[b->set];
    const struct rp_bound_descriptor_buffer *buf = &state->buffers[set->buffer];
    if (!buf->host || set->offset_B > buf->size_B ||
        b->memory_offset_B >= buf->size_B - set->offset_B)
        return NULL;
    const uint64_t offset_B = set->offset_B + b->memory_offset_B;
    const uint64_t wanted_B =
        b->is_inline ? b->inline_B : (uint64_t)b->memory_count * RP_MEMORY_DESCRIPTOR_B;
    *size_B_out = RP_MIN(wanted_B, buf->size_B - offset_B);
    return buf->host + offset_B;
}

/* Descriptors of a binding in memory. */
static uint32_t
memory_item_count(const struct rp_bind_state *state, const struct rp_pipeline_binding *b)
{
    uint64_t size_B;
    if (!rp_bind_state_memory(state, b, &size_B))
        return 0;
    return b->is_inline ? 1 : (uint32_t)(size_B / RP_MEMORY_DESCRIPTOR_B);
}

/* Reads as many to out. */
static void
memory_resolve(const struct rp_bind_state *state, const struct rp_pipeline_binding *b,
               uint32_t count, struct rp_descriptor *out)
{
    uint64_t size_B;
    const uint8_t *at = rp_bind_state_memory(state, b, &size_B);
    if (at && b->is_inline)
        *out = (struct rp_descriptor){.ptr = (uint8_t *)at, .size_B = size_B};
    for (uint32_t i = 0; at && !b->is_inline && i < count; i++)
        out[i] = rp_descriptor_memory_read(state->dev, at + (size_t)i * RP_MEMORY_DESCRIPTOR_B);
}

static struct rp_descriptor
reader_read(const void *ctx, const uint8_t *at)
{
    return rp_descriptor_memory_read(ctx, at);
}

/* Is the binding left to the reader? Captures and profiles look at all that is bound. */
static bool
is_read_late(const struct rp_bind_state *state, uint32_t count)
{
    return count > MAX_EARLY_READS && !state->dev->capture && !state->dev->profile;
}

/* What is bound, where the set is one in memory. */
static struct rp_descriptor_array
memory_array(const struct rp_bind_state *state, const struct rp_pipeline_binding *b)
{
    struct rp_descriptor_array out = {.count = memory_item_count(state, b)};
    if (is_read_late(state, out.count)) {
        uint64_t size_B;
        out.memory = rp_bind_state_memory(state, b, &size_B);
        out.reader = &state->reader;
    }
    return out;
}

/* What a binding of RP_HEAP_SET is: descriptors of heaps are read when a kernel names them. */
static struct rp_descriptor_array
heap_array(const struct rp_bind_state *state, const struct rp_pipeline_binding *b)
{
    switch ((enum rp_heap_binding)b->first_item) {
    case RP_HEAP_RESOURCES:
    case RP_HEAP_SAMPLERS: {
        const struct rp_bound_descriptor_buffer *heap = &state->heaps[b->first_item];
        const uint64_t count = heap->size_B / RP_HEAP_DESCRIPTOR_B;
        return (struct rp_descriptor_array){
            .count = (uint32_t)RP_MIN(count, RP_MAX_HEAP_DESCRIPTORS),
            .memory = heap->host,
            .reader = &state->reader,
        };
    }
    case RP_HEAP_BYTES:
        return (struct rp_descriptor_array){.items = &state->heap_bytes, .count = 1};
    case RP_HEAP_EMBEDDED:
        return (struct rp_descriptor_array){.items = state->pipeline->embedded,
                                            .count = state->pipeline->embedded_count};
    default: /* of a module that names that set itself */
        return (struct rp_descriptor_array){0};
    }
}

/* Arrays as they are bound, and how many of their descriptors state->dynamic is to hold. */
static uint64_t
arrays_begin(struct rp_bind_state *state, bool *has_memory_out)
{
    const struct rp_pipeline *pipeline = state->pipeline;
    uint64_t dynamic_count = 0;

    *has_memory_out = false;
    for (uint32_t i = 0; i < pipeline->binding_count; i++) {
        const struct rp_pipeline_binding *b = &pipeline->bindings[i];
        const bool is_in_memory = b->set < RP_MAX_SETS && state->sets[b->set].is_in_memory;
        state->arrays[i] = rp_bind_state_array(state, b);
        if (is_in_memory)
            state->arrays[i] = memory_array(state, b);
        else if (b->set == RP_HEAP_SET)
            state->arrays[i] = heap_array(state, b);
        state->are_transient[i] = b->is_dynamic || b->set == state->push_set || is_in_memory ||
                                  (b->set == RP_HEAP_SET && b->first_item == RP_HEAP_BYTES);
        if ((b->is_dynamic || is_in_memory) && !state->arrays[i].reader)
            dynamic_count += state->arrays[i].count;
        *has_memory_out |= is_in_memory;
    }
    return dynamic_count;
}

VkResult
rp_bind_state_resolve(struct rp_bind_state *state)
{
    const struct rp_pipeline *pipeline = state->pipeline;
    bool has_memory;

    state->reader = (struct rp_descriptor_reader){
        .read = reader_read,
        .read_range = rp_descriptor_memory_range,
        .ctx = state->dev,
        .size_B = RP_MEMORY_DESCRIPTOR_B,
    };
    if (!arrays_reserve(state, pipeline->binding_count))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    const uint64_t dynamic_count = arrays_begin(state, &has_memory);
    if (dynamic_count > UINT32_MAX || !dynamic_reserve(state, (uint32_t)dynamic_count))
        return VK_ERROR_OUT_OF_HOST_MEMORY;

    struct rp_descriptor *next = state->dynamic;
    for (uint32_t i = 0; i < pipeline->binding_count; i++) {
        const struct rp_pipeline_binding *b = &pipeline->bindings[i];
        struct rp_descriptor_array *array = &state->arrays[i];
        if (!array->count || array->reader)
            continue;
        if (!array->items)
            memory_resolve(state, b, array->count, next);
        else if (b->is_dynamic)
            dynamic_resolve(&state->sets[b->set], b, array, next);
        else
            continue;
        array->items = next;
        next += array->count;
    }
    state->is_dirty = has_memory; /* it may change before the next dispatch */
    return VK_SUCCESS;
}

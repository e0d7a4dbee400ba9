/* SPDX-License-Identifier: MIT */
/* What the bound pipeline's kernel reads and writes: a table of arrays of descriptors.
 */
#include "cmd/bind.h"

#include "object/pipeline.h"
#include "util/alloc.h"

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

VkResult
rp_bind_state_resolve(struct rp_bind_state *state)
{
    const struct rp_pipeline *pipeline = state->pipeline;
    uint32_t dynamic_count = 0;

    if (!arrays_reserve(state, pipeline->binding_count))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < pipeline->binding_count; i++) {
        state->arrays[i] = rp_bind_state_array(state, &pipeline->bindings[i]);
        state->are_transient[i] =
            pipeline->bindings[i].is_dynamic || pipeline->bindings[i].set == state->push_set;
        if (pipeline->bindings[i].is_dynamic)
            dynamic_count += state->arrays[i].count;
    }
    if (!dynamic_reserve(state, dynamic_count))
        return VK_ERROR_OUT_OF_HOST_MEMORY;

    struct rp_descriptor *next = state->dynamic;
    for (uint32_t i = 0; i < pipeline->binding_count; i++) {
        const struct rp_pipeline_binding *b = &pipeline->bindings[i];
        if (!b->is_dynamic || !state->arrays[i].count)
            continue;
        dynamic_resolve(&state->sets[b->set], b, &state->arrays[i], next);
        state->arrays[i].items = next;
        next += state->arrays[i].count;
    }
    state->is_dirty = false;
    return VK_SUCCESS;
}

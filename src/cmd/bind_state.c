/* SPDX-License-Identifier: MIT */
/* The life of what is bound.
 */
#include "cmd/bind.h"

#include "cmd/replay.h"
#include "util/alloc.h"

struct rp_bind_state *
rp_bind_state_get(struct rp_replay *rp)
{
    if (RP_LIKELY(*rp->bind))
        return *rp->bind;

    struct rp_bind_state *state =
        rp_zalloc(NULL, sizeof(*state), _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
    if (!state)
        return NULL;
    state->dev = rp->dev;
    rp_bind_state_reset(state);
    *rp->bind = state;
    return state;
}

void
rp_bind_state_reset(struct rp_bind_state *state)
{
    state->pipeline = NULL;
    for (uint32_t i = 0; i < RP_MAX_SETS; i++)
        state->sets[i] = (struct rp_bound_set){0};
    for (uint32_t i = 0; i < RP_MAX_DESCRIPTOR_BUFFERS; i++)
        state->buffers[i] = (struct rp_bound_descriptor_buffer){0};
    state->heaps[RP_HEAP_RESOURCES] = (struct rp_bound_descriptor_buffer){0};
    state->heaps[RP_HEAP_SAMPLERS] = (struct rp_bound_descriptor_buffer){0};
    state->heap_bytes = (struct rp_descriptor){0};
    state->push_set = RP_MAX_SETS;
    state->is_dirty = true;
    state->profile_run.pipeline = NULL;
}

void
rp_bind_state_destroy(struct rp_bind_state *state)
{
    if (!state)
        return;
    rp_dispatcher_destroy(state->dispatcher);
    rp_free(NULL, state->arrays);
    rp_free(NULL, state->are_transient);
    rp_free(NULL, state->dynamic);
    rp_profile_run_finish(&state->profile_run);
    rp_free(NULL, state);
}

/* SPDX-License-Identifier: MIT */
#include "cmd/profile.h"

#include "cmd/bind.h"
#include "cmd/cmd_buffer.h"
#include "cmd/replay.h"
#include "object/device.h"
#include "object/pipeline.h"
#include "platform/clock.h"
#include "profile/simt.h"
#include "util/alloc.h"

#include <string.h>

static void
count_kept(const struct rp_cmd_buffer *cb, struct rp_profile_state counts[RP_PROFILE_STATE_COUNT])
{
    static const struct {
        const char *name;
        enum rp_profile_state_kind kind;
    } kinds[] = {
        {"BindPipeline", RP_PROFILE_BINDS},     {"BindDescriptorSets", RP_PROFILE_BINDS},
        {"BindResourceHeap", RP_PROFILE_BINDS}, {"BindSamplerHeap", RP_PROFILE_BINDS},
        {"PushConstants", RP_PROFILE_PUSHES},   {"PipelineBarrier", RP_PROFILE_BARRIERS},
    };
    for (const struct rp_cmd *cmd = cb->first; cmd; cmd = cmd->next)
        for (uint32_t i = 0; i < RP_ARRAY_SIZE(kinds); i++)
            if (strcmp(cmd->ops->name, kinds[i].name) == 0)
                counts[kinds[i].kind].kept++;
}

/* Between barriers. */
static void
find_parts(struct rp_replay *rp, const struct rp_cmd_buffer *cb)
{
    struct rp_profile_device *p = rp_profile_device_of(rp->dev->profile);
    struct rp_bind_state *state = rp_bind_state_get(rp);
    if (!state)
        return;
    bool is_unknown = false;
    rp_profile_barriers_begin(&state->profile_run);
    for (const struct rp_cmd *cmd = cb->first; cmd; cmd = cmd->next) {
        if (strcmp(cmd->ops->name, "PipelineBarrier") != 0) {
            is_unknown |= !cmd->ops->keeps_dispatches_open;
            continue;
        }
        rp_profile_barriers_add_part(p, &state->profile_run, is_unknown);
        is_unknown = false;
    }
    rp_profile_barriers_add_part(p, &state->profile_run, is_unknown);
}

void
rp_profile_cmd_buffer_barrier(struct rp_replay *rp)
{
    if (*rp->bind)
        rp_profile_barrier(rp_profile_device_of(rp->dev->profile), &(*rp->bind)->profile_run);
}

void
rp_profile_cmd_buffer_end(struct rp_replay *rp)
{
    if (*rp->bind)
        rp_profile_barriers_end(rp_profile_device_of(rp->dev->profile), &(*rp->bind)->profile_run);
}

void
rp_profile_cmd_buffer(struct rp_replay *rp, const struct rp_cmd_buffer *cb)
{
    struct rp_profile_state counts[RP_PROFILE_STATE_COUNT] = {
        [RP_PROFILE_BINDS].dropped = cb->dropped_bind_count,
        [RP_PROFILE_PUSHES].dropped = cb->dropped_push_count,
        [RP_PROFILE_BARRIERS].dropped = cb->dropped_barrier_count,
    };
    count_kept(cb, counts);
    if (cb->level == VK_COMMAND_BUFFER_LEVEL_PRIMARY)
        find_parts(rp, cb);
    rp_profile_command_buffer(rp_profile_device_of(rp->dev->profile), counts);
}

static void
repack(struct rp_profile_device *p, struct rp_profile_pipeline *pp,
       const struct rp_dispatch *dispatch)
{
    if (rp_repack_run(&p->recording.repack, p, pp, dispatch))
        return;
    pthread_mutex_lock(&p->mutex);
    p->is_short = true;
    pthread_mutex_unlock(&p->mutex);
}

VkResult
rp_profile_run_dispatch(struct rp_replay *rp, struct rp_bind_state *state,
                        const struct rp_dispatch *dispatch)
{
    struct rp_profile_device *p = rp_profile_device_of(rp->dev->profile);
    const struct rp_pipeline *pipeline = state->pipeline;
    if (!pipeline->profile) /* memory was short when it was made */
        return rp_dispatcher_run(state->dispatcher, dispatch);

    struct rp_descriptor_array *bound = rp_zalloc_array(
        NULL, pipeline->binding_count + 1, sizeof(*bound), VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
    if (!bound)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < pipeline->binding_count; i++) {
        const struct rp_pipeline_binding *b = &pipeline->bindings[i];
        const bool is_in_memory = b->set < RP_MAX_SETS && state->sets[b->set].is_in_memory;
        bound[i] = is_in_memory ? state->arrays[i] : rp_bind_state_array(state, b);
    }
    const struct rp_profile_dispatch d = {
        .pipeline = pipeline->profile,
        .run = &state->profile_run,
        .bindings = dispatch->bindings,
        .undynamic = bound,
        .push_constants = dispatch->push_constants,
        .group_count = {dispatch->group_count[0], dispatch->group_count[1],
                        dispatch->group_count[2]},
    };
    rp_profile_dispatch_begin(p, &d);
    struct rp_dispatch counted = *dispatch;
    const struct rp_kernel *kernel = rp_profile_simt_kernel(p, pipeline->profile, pipeline->kernel);
    if (kernel) {
        counted.kernel = kernel;
        counted.probe_totals = pipeline->profile->simt.totals;
        counted.op_totals = pipeline->profile->simt.operations;
    }
    struct rp_accesses *accesses = kernel ? pipeline->profile->simt.accesses : NULL;
    if (accesses)
        counted.recorder = rp_recording_begin(&p->recording, accesses, &counted);
    if (accesses && p->repacks && p->recording.heat.maps)
        rp_repack_begin(&p->recording.repack, pipeline->profile, &counted);
    const uint64_t begin_ns = rp_clock_now_ns();
    const VkResult result = rp_dispatcher_run(state->dispatcher, &counted);
    const uint64_t time_ns = rp_clock_now_ns() - begin_ns;
    if (accesses && result == VK_SUCCESS)
        repack(p, pipeline->profile, &counted);
    if (accesses)
        rp_recording_end(&p->recording);
    rp_profile_dispatch_end(p, &d, time_ns);
    rp_free(NULL, bound);
    return result;
}

/* SPDX-License-Identifier: MIT */
/* vkCmdDispatchBase, vkCmdDispatchIndirect and vkCmdDispatchIndirect2KHR.
 */
#include "cmd/bind.h"

#include "cmd/cmd_buffer.h"
#include "cmd/describe.h"
#include "cmd/describe_bindings.h"
#include "cmd/profile.h"
#include "cmd/replay.h"
#include "object/buffer.h"
#include "object/device.h"
#include "object/pipeline.h"
#include "util/checked.h"

#include "rp_entrypoints.h"

#include <string.h>

static VkResult
dispatch_run(struct rp_replay *rp, const uint32_t base[3], const uint32_t count[3])
{
    if (rp->skips_dispatches)
        return VK_SUCCESS;
    struct rp_bind_state *state = rp_bind_state_get(rp);
    if (!state)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    if (!state->pipeline || !count[0] || !count[1] || !count[2])
        return VK_SUCCESS;
    if (!state->dispatcher)
        /* What is captured has to repeat, atomics of floats included: one thread. */
        state->dispatcher = rp_dispatcher_create(rp->dev->capture ? NULL : rp->dev->workers);
    if (!state->dispatcher)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    if (state->is_dirty) {
        const VkResult result = rp_bind_state_resolve(state);
        if (result != VK_SUCCESS)
            return result;
    }

    rp_replay_wait_jobs(rp);
    rp_device_mark_shader_writes(rp->dev);
    const struct rp_dispatch dispatch = {
        .kernel = state->pipeline->kernel,
        .variants = state->pipeline->variants,
        .bindings = state->arrays,
        .are_transient = state->are_transient,
        .push_constants = state->push_constants,
        .base_group = {base[0], base[1], base[2]},
        .group_count = {count[0], count[1], count[2]},
        .timeout_ns = rp->dev->dispatch_timeout_ns,
    };
    if (RP_UNLIKELY(rp->dev->profile))
        return rp_profile_run_dispatch(rp, state, &dispatch);
    bool is_open;
    const VkResult result = rp_dispatcher_start(state->dispatcher, &dispatch, &is_open);
    rp->has_open_dispatches |= is_open;
    return result;
}

/* What the bound pipeline's kernel can reach. */
static void
dispatch_touch(struct rp_describe *d)
{
    if (!d->bind || !d->bind->pipeline || rp_bind_state_resolve(d->bind) != VK_SUCCESS)
        return;
    rp_describe_memory_sets(d, d->bind);
    rp_describe_touch_bindings(d, d->bind);
}

struct dispatch {
    struct rp_cmd cmd;
    uint32_t base[3];
    uint32_t count[3];
};

static VkResult
dispatch_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    const struct dispatch *c = (const struct dispatch *)cmd;

    return dispatch_run(rp, c->base, c->count);
}

static void
dispatch_describe(const struct rp_cmd *cmd, struct rp_describe *d)
{
    const struct dispatch *c = (const struct dispatch *)cmd;

    rp_json_key(d->json, "base");
    rp_json_open(d->json, '[');
    for (uint32_t i = 0; i < 3; i++)
        rp_json_u64(d->json, c->base[i]);
    rp_json_close(d->json, ']');
    rp_json_key(d->json, "count");
    rp_json_open(d->json, '[');
    for (uint32_t i = 0; i < 3; i++)
        rp_json_u64(d->json, c->count[i]);
    rp_json_close(d->json, ']');
    dispatch_touch(d);
}

static const struct rp_cmd_ops dispatch_ops = {
    .name = "Dispatch",
    .keeps_dispatches_open = true,
    .replay = dispatch_replay,
    .describe = dispatch_describe,
};

/* For kernels without loops: their time is known, and a short one may run inside vkQueueSubmit. */
static const struct rp_cmd_ops bounded_dispatch_ops = {
    .name = "Dispatch",
    .keeps_dispatches_open = true,
    .cost_ns = 300,
    .replay = dispatch_replay,
    .describe = dispatch_describe,
};

static const struct rp_cmd_ops *
dispatch_choose_ops(struct rp_cmd_buffer *cb, const uint32_t count[3])
{
    const struct rp_pipeline *pipeline = rp_cmd_bound_pipeline(cb);
    uint64_t cost_ns = pipeline ? pipeline->group_cost_ns : 0;
    if (!cost_ns)
        return &dispatch_ops;
    for (uint32_t i = 0; i < 3; i++) {
        if (!rp_mul_u64(cost_ns, count[i], &cost_ns))
            return &dispatch_ops;
    }
    rp_cmd_add_cost(cb, cost_ns);
    return &bounded_dispatch_ops;
}

VKAPI_ATTR void VKAPI_CALL
rp_CmdDispatchBase(VkCommandBuffer commandBuffer, uint32_t base_x, uint32_t base_y, uint32_t base_z,
                   uint32_t count_x, uint32_t count_y, uint32_t count_z)
{
    struct rp_cmd_buffer *cb = rp_cmd_buffer_from_handle(commandBuffer);

    const uint32_t base[3] = {base_x, base_y, base_z};
    const uint32_t count[3] = {count_x, count_y, count_z};
    struct dispatch *c = rp_cmd_record(cb, dispatch_choose_ops(cb, count), sizeof(*c));
    if (!c)
        return;
    cb->has_open_dispatches = true;
    memcpy(c->base, base, sizeof(base));
    memcpy(c->count, count, sizeof(count));
}

struct dispatch_indirect {
    struct rp_cmd cmd;
    const struct rp_buffer *buf; /* borrowed: the app keeps it until the submission completes */
    VkDeviceSize offset_B;
};

static VkResult
dispatch_indirect_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    const struct dispatch_indirect *c = (const struct dispatch_indirect *)cmd;
    VkDispatchIndirectCommand args;

    if (rp_buffer_range_B(c->buf, c->offset_B, sizeof(args)) != sizeof(args))
        return VK_SUCCESS;
    rp_replay_wait_jobs(rp);
    memcpy(&args, c->buf->host + c->offset_B, sizeof(args));
    return dispatch_run(rp, (const uint32_t[3]){0}, (const uint32_t[3]){args.x, args.y, args.z});
}

static void
dispatch_indirect_describe(const struct rp_cmd *cmd, struct rp_describe *d)
{
    const struct dispatch_indirect *c = (const struct dispatch_indirect *)cmd;

    rp_describe_key_handle(d, "buffer", c->buf);
    rp_json_key_u64(d->json, "offset", c->offset_B);
    rp_capture_touch_buffer(d->capture, c->buf, c->offset_B, sizeof(VkDispatchIndirectCommand),
                            RP_CAPTURE_READ);
    dispatch_touch(d);
}

static const struct rp_cmd_ops dispatch_indirect_ops = {
    .name = "DispatchIndirect",
    .keeps_dispatches_open = true,
    .replay = dispatch_indirect_replay,
    .describe = dispatch_indirect_describe,
};

VKAPI_ATTR void VKAPI_CALL
rp_CmdDispatchIndirect(VkCommandBuffer commandBuffer, VkBuffer buffer, VkDeviceSize offset_B)
{
    struct rp_cmd_buffer *cb = rp_cmd_buffer_from_handle(commandBuffer);

    struct dispatch_indirect *c = rp_cmd_record(cb, &dispatch_indirect_ops, sizeof(*c));
    if (!c)
        return;
    cb->has_open_dispatches = true;
    c->buf = rp_buffer_from_handle(buffer);
    c->offset_B = offset_B;
}

struct dispatch_indirect2 {
    struct rp_cmd cmd;
    VkDeviceAddressRangeKHR range;
};

static VkResult
dispatch_indirect2_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    const struct dispatch_indirect2 *c = (const struct dispatch_indirect2 *)cmd;
    VkDispatchIndirectCommand args;

    if (c->range.size < sizeof(args))
        return VK_SUCCESS;
    rp_replay_wait_jobs(rp);
    memcpy(&args, (const void *)(uintptr_t)c->range.address, sizeof(args));
    return dispatch_run(rp, (const uint32_t[3]){0}, (const uint32_t[3]){args.x, args.y, args.z});
}

static void
dispatch_indirect2_describe(const struct rp_cmd *cmd, struct rp_describe *d)
{
    const struct dispatch_indirect2 *c = (const struct dispatch_indirect2 *)cmd;

    rp_json_key_u64(d->json, "address", c->range.address);
    rp_json_key_u64(d->json, "size", c->range.size);
    rp_capture_touch_address(d->capture, c->range.address, sizeof(VkDispatchIndirectCommand),
                             RP_CAPTURE_READ);
    dispatch_touch(d);
}

static const struct rp_cmd_ops dispatch_indirect2_ops = {
    .name = "DispatchIndirect2",
    .keeps_dispatches_open = true,
    .replay = dispatch_indirect2_replay,
    .describe = dispatch_indirect2_describe,
};

VKAPI_ATTR void VKAPI_CALL
rp_CmdDispatchIndirect2KHR(VkCommandBuffer commandBuffer, const VkDispatchIndirect2InfoKHR *info)
{
    struct rp_cmd_buffer *cb = rp_cmd_buffer_from_handle(commandBuffer);

    struct dispatch_indirect2 *c = rp_cmd_record(cb, &dispatch_indirect2_ops, sizeof(*c));
    if (!c)
        return;
    cb->has_open_dispatches = true;
    c->range = info->addressRange;
}

/* SPDX-License-Identifier: MIT */
/* Events that commands set, reset and wait for, in both generations.
 */
#include "object/event.h"

#include "cmd/cmd_buffer.h"
#include "cmd/describe.h"
#include "cmd/replay.h"
#include "object/device.h"

#include "rp_entrypoints.h"

#include <string.h>

struct change_event {
    struct rp_cmd cmd;
    struct rp_event *event; /* borrowed */
};

static VkResult
set_event_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    const struct change_event *c = (const struct change_event *)cmd;

    rp_replay_wait_jobs(rp);
    atomic_store(&c->event->is_set, true);
    rp_sync_announce(rp->dev);
    return VK_SUCCESS;
}

static VkResult
reset_event_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    const struct change_event *c = (const struct change_event *)cmd;

    rp_replay_wait_jobs(rp);
    atomic_store(&c->event->is_set, false);
    return VK_SUCCESS;
}

static void
change_event_describe(const struct rp_cmd *cmd, struct rp_describe *d)
{
    rp_describe_key_handle(d, "event", ((const struct change_event *)cmd)->event);
}

static const struct rp_cmd_ops set_event_ops = {
    .name = "SetEvent",
    .cost_ns = 50,
    .replay = set_event_replay,
    .describe = change_event_describe,
};

static const struct rp_cmd_ops reset_event_ops = {
    .name = "ResetEvent",
    .cost_ns = 50,
    .replay = reset_event_replay,
    .describe = change_event_describe,
};

static void
record_change(VkCommandBuffer handle, const struct rp_cmd_ops *ops, VkEvent event)
{
    struct change_event *c = rp_cmd_record(rp_cmd_buffer_from_handle(handle), ops, sizeof(*c));
    if (c)
        c->event = rp_event_from_handle(event);
}

VKAPI_ATTR void VKAPI_CALL
rp_CmdSetEvent2(VkCommandBuffer commandBuffer, VkEvent event, const VkDependencyInfo *info)
{
    record_change(commandBuffer, &set_event_ops, event);
}

VKAPI_ATTR void VKAPI_CALL
rp_CmdSetEvent(VkCommandBuffer commandBuffer, VkEvent event, VkPipelineStageFlags stages)
{
    record_change(commandBuffer, &set_event_ops, event);
}

VKAPI_ATTR void VKAPI_CALL
rp_CmdResetEvent2(VkCommandBuffer commandBuffer, VkEvent event, VkPipelineStageFlags2 stages)
{
    record_change(commandBuffer, &reset_event_ops, event);
}

struct wait_events {
    struct rp_cmd cmd;
    uint32_t count;
    VkEvent events[]; /* borrowed */
};

static bool
events_are_set(const void *ctx)
{
    const struct wait_events *c = ctx;

    for (uint32_t i = 0; i < c->count; i++) {
        if (!atomic_load(&rp_event_from_handle(c->events[i])->is_set))
            return false;
    }
    return true;
}

static VkResult
wait_events_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    return rp_replay_wait(rp, events_are_set, cmd);
}

static void
wait_events_describe(const struct rp_cmd *cmd, struct rp_describe *d)
{
    const struct wait_events *c = (const struct wait_events *)cmd;

    rp_json_key(d->json, "events");
    rp_json_open(d->json, '[');
    for (uint32_t i = 0; i < c->count; i++)
        rp_json_handle(d->json, (uintptr_t)c->events[i]);
    rp_json_close(d->json, ']');
}

static const struct rp_cmd_ops wait_events_ops = {
    .name = "WaitEvents",
    .cost_ns = 0, /* the host may set it whenever it likes */
    .waits_for_others = true,
    .replay = wait_events_replay,
    .describe = wait_events_describe,
};

static void
record_wait(VkCommandBuffer handle, uint32_t count, const VkEvent *events)
{
    struct wait_events *c = rp_cmd_record(rp_cmd_buffer_from_handle(handle), &wait_events_ops,
                                          sizeof(*c) + (size_t)count * sizeof(c->events[0]));
    if (!c)
        return;

    c->count = count;
    memcpy(c->events, events, count * sizeof(events[0]));
}

VKAPI_ATTR void VKAPI_CALL
rp_CmdWaitEvents2(VkCommandBuffer commandBuffer, uint32_t count, const VkEvent *events,
                  const VkDependencyInfo *infos)
{
    record_wait(commandBuffer, count, events);
}

VKAPI_ATTR void VKAPI_CALL
rp_CmdWaitEvents(VkCommandBuffer commandBuffer, uint32_t count, const VkEvent *events,
                 VkPipelineStageFlags src_stages, VkPipelineStageFlags dst_stages,
                 uint32_t memory_count, const VkMemoryBarrier *memory_barriers,
                 uint32_t buffer_count, const VkBufferMemoryBarrier *buffer_barriers,
                 uint32_t image_count, const VkImageMemoryBarrier *image_barriers)
{
    record_wait(commandBuffer, count, events);
}

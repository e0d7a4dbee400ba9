/* SPDX-License-Identifier: MIT */
#include "cmd/describe.h"

#include "cmd/bind.h"
#include "cmd/cmd_buffer.h"
#include "util/struct_json.h"

#include <string.h>

void
rp_describe_init(struct rp_describe *d, struct rp_device *dev, struct rp_capture *capture,
                 struct rp_json *json)
{
    *d = (struct rp_describe){.capture = capture, .json = json, .replay.dev = dev};
    d->replay.bind = &d->bind;
    rp_arena_init(&d->arena, NULL);
}

void
rp_describe_finish(struct rp_describe *d)
{
    rp_bind_state_destroy(d->bind);
    rp_arena_finish(&d->arena);
}

void
rp_describe_commands(struct rp_describe *d, const struct rp_cmd_buffer *cb)
{
    rp_json_open(d->json, '[');
    for (const struct rp_cmd *cmd = cb->first; cmd; cmd = cmd->next) {
        if (cmd->ops->is_past && cmd->ops->is_past(cmd, d))
            continue;
        rp_json_open(d->json, '{');
        rp_json_key_string(d->json, "cmd", cmd->ops->name);
        cmd->ops->describe(cmd, d);
        rp_json_close(d->json, '}');
        rp_arena_reset(&d->arena);
    }
    rp_json_close(d->json, ']');
}

void
rp_describe_cmd_buffer(struct rp_describe *d, const struct rp_cmd_buffer *cb, uint64_t sequence)
{
    d->replay.sequence = sequence;
    if (d->bind)
        rp_bind_state_reset(d->bind);
    rp_describe_commands(d, cb);
}

void
rp_describe_info(struct rp_describe *d, const void *info)
{
    if (!info) {
        d->json->is_out_of_memory = true;
        return;
    }
    rp_json_key(d->json, "info");
    rp_struct_json(d->json, info);
}

void
rp_describe_key_handle(struct rp_describe *d, const char *key, const void *obj)
{
    rp_json_key(d->json, key);
    rp_json_handle(d->json, (uintptr_t)obj);
}

void *
rp_describe_regions(struct rp_describe *d, const void *regions, uint32_t count, size_t size_B)
{
    uint8_t *copy = rp_arena_alloc(&d->arena, count * size_B + 1);
    if (!copy)
        return NULL;
    memcpy(copy, regions, count * size_B);
    for (uint32_t i = 0; i < count; i++)
        ((VkBaseOutStructure *)(copy + i * size_B))->pNext = NULL;
    return copy;
}

void
rp_describe_nothing(const struct rp_cmd *cmd, struct rp_describe *d)
{
    (void)cmd;
    (void)d;
}

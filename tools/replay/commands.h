/* SPDX-License-Identifier: MIT */
/* What the functions that record one command share, and those that commands.c calls by name.
 */
#ifndef RP_TOOLS_REPLAY_COMMANDS_H
#define RP_TOOLS_REPLAY_COMMANDS_H

#include "replay.h"

struct ctx {
    struct replay *replay;
    struct replay_reader *r;
    struct replay_bound *bound;
    const cJSON *json;
    VkCommandBuffer cb;
};

static inline bool
arg_u64(const struct ctx *c, const char *key, uint64_t *out)
{
    return replay_read_u64(c->r, replay_get(c->json, key), out);
}

static inline bool
arg_u32(const struct ctx *c, const char *key, uint32_t *out)
{
    return replay_read_number(c->r, replay_get(c->json, key), out, sizeof(*out));
}

static inline bool
arg_handle(const struct ctx *c, const char *key, const char *type, void *out)
{
    return replay_read_handle(c->r, replay_get(c->json, key), out, type, false);
}

static inline bool
arg_info(const struct ctx *c, const char *type, void **out)
{
    return replay_read_struct(c->r, replay_get(c->json, "info"), type, out);
}

static inline bool
query_args(struct ctx *c, VkQueryPool *pool_out, uint32_t *first_out, uint32_t *count_out)
{
    return arg_handle(c, "pool", "VkQueryPool", pool_out) && arg_u32(c, "first", first_out) &&
           arg_u32(c, "count", count_out);
}

/* Commands whose only argument is a structure. */
#define INFO_COMMAND(name, vk_type, call) \
    static bool do_##name(struct ctx *c) \
    { \
        void *info; \
        if (!call) \
            return replay_fail(c->r, "the device has no " #call); \
        if (!arg_info(c, #vk_type, &info)) \
            return false; \
        call(c->cb, info); \
        return true; \
    }

/* addresses.c */
bool replay_do_begin_conditional2(struct ctx *c);
bool replay_do_copy_image_to_memory(struct ctx *c);
bool replay_do_copy_indirect(struct ctx *c);
bool replay_do_copy_memory(struct ctx *c);
bool replay_do_copy_memory_to_image(struct ctx *c);
bool replay_do_copy_results_to_memory(struct ctx *c);
bool replay_do_copy_to_image_indirect(struct ctx *c);
bool replay_do_dispatch_indirect2(struct ctx *c);
bool replay_do_fill_memory(struct ctx *c);
bool replay_do_update_memory(struct ctx *c);

/* heaps.c */
bool replay_do_bind_resource_heap(struct ctx *c);
bool replay_do_bind_sampler_heap(struct ctx *c);

#endif

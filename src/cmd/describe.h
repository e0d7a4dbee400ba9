/* SPDX-License-Identifier: MIT */
/* Describing recorded commands for a capture: as JSON, and by the memory that they reach.
 *
 * Each command's ops have a function describe() beside its replay. It writes the keys of an object
 * that is open, in which "cmd" says the command's name already, and touches what the command reads
 * and writes (capture/memory.h). A command that Vulkan calls with a structure writes that structure
 * as the key "info" (tools/replay calls it by that); the others write their few numbers.
 */
#ifndef RP_CMD_DESCRIBE_H
#define RP_CMD_DESCRIBE_H

#include "capture/memory.h"
#include "cmd/replay.h"
#include "util/arena.h"
#include "util/compiler.h"
#include "util/json.h"

#include <vulkan/vulkan_core.h>

struct rp_bind_state;
struct rp_cmd_buffer;
struct rp_image_region;
struct rp_transfer_box;

struct rp_describe {
    struct rp_capture *capture;
    struct rp_json *json;
    struct rp_replay replay;    /* of binds alone: what a dispatch would see */
    struct rp_bind_state *bind; /* owned; of the command buffer that is described */
    struct rp_arena arena;      /* for structures that are put together to be written */
};

void rp_describe_init(struct rp_describe *d, struct rp_device *dev, struct rp_capture *capture,
                      struct rp_json *json);
void rp_describe_finish(struct rp_describe *d);

/* A primary command buffer: a list of commands. sequence: of its submission. */
void rp_describe_cmd_buffer(struct rp_describe *d, const struct rp_cmd_buffer *cb,
                            uint64_t sequence);
/* Describes the commands of a secondary command buffer within the state of d. */
void rp_describe_commands(struct rp_describe *d, const struct rp_cmd_buffer *cb);

/* For describe functions. info: the key "info" with a structure; NULL (memory was short): the line
 * is given up. */
void rp_describe_info(struct rp_describe *d, const void *info);
void rp_describe_key_handle(struct rp_describe *d, const char *key, const void *obj);

/* A copy of count regions (structures with sType) whose chains, which were not kept, are empty. */
void *rp_describe_regions(struct rp_describe *d, const void *regions, uint32_t count,
                          size_t size_B) RP_MUST_CHECK;

/* A command without arguments. */
void rp_describe_nothing(const struct rp_cmd *cmd, struct rp_describe *d);

#endif

/* SPDX-License-Identifier: MIT */
/* A recorded command: a block in the pool's arena, and how it is replayed.
 *
 * A command is one payload struct that starts with struct rp_cmd, its recorder (the entry point)
 * and its replayer, side by side in one file of src/cmd/. A recorder copies all that the call
 * points to; nothing about state is decided while recording.
 */
#ifndef RP_CMD_CMD_H
#define RP_CMD_CMD_H

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stdint.h>

struct rp_cmd;
struct rp_decode_survey;
struct rp_describe;
struct rp_replay;

struct rp_cmd_ops {
    const char *name;
    /* What one replay takes, about, without what the recorder adds by rp_cmd_add_cost(). 0: long
     * or not known; a command buffer with such a command never runs inside vkQueueSubmit. */
    uint32_t cost_ns;
    bool waits_for_others;      /* for the host, or for another queue: for as long as it takes */
    bool keeps_dispatches_open; /* those before it may run beside those after it */
    bool goes_with_pictures; /* may come while pictures of the same encode session are under way */
    bool is_instant; /* changes the replay's state alone: a job before it may as well start after */
    /* Executes. A failure here loses the device. */
    VkResult (*replay)(const struct rp_cmd *cmd, struct rp_replay *rp);
    /* For captures: what it is, and what memory it reaches (cmd/describe.h). Never NULL. */
    void (*describe)(const struct rp_cmd *cmd, struct rp_describe *d);
    /* NULL, or: does it do nothing any more, so that a capture leaves it out? */
    bool (*is_past)(const struct rp_cmd *cmd, const struct rp_describe *d);
    /* NULL, or: tells what it decodes, when its command buffer is submitted. */
    void (*survey)(const struct rp_cmd *cmd, struct rp_decode_survey *survey);
};

struct rp_cmd {
    const struct rp_cmd_ops *ops;
    struct rp_cmd *next;
};

#endif

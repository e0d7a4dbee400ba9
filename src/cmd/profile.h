/* SPDX-License-Identifier: MIT */
/* Telling a profile (profile/profile.h) what command buffers and their dispatches are. For devices
 * that have one.
 */
#ifndef RP_CMD_PROFILE_H
#define RP_CMD_PROFILE_H

#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

struct rp_bind_state;
struct rp_cmd_buffer;
struct rp_dispatch;
struct rp_replay;

/* cb, primary or secondary, is about to be replayed. */
void rp_profile_cmd_buffer(struct rp_replay *rp, const struct rp_cmd_buffer *cb);

void rp_profile_cmd_buffer_barrier(struct rp_replay *rp);
void rp_profile_cmd_buffer_end(struct rp_replay *rp); /* of a primary one */

/* Runs a dispatch of the bound pipeline, whose binding table is made, to its end. */
VkResult rp_profile_run_dispatch(struct rp_replay *rp, struct rp_bind_state *state,
                                 const struct rp_dispatch *dispatch) RP_MUST_CHECK;

#endif

/* SPDX-License-Identifier: MIT */
/* What the operations that tell a recorder share.
 */
#ifndef RP_COMPUTE_EXEC_RECORD_LANES_H
#define RP_COMPUTE_EXEC_RECORD_LANES_H

#include "compute/exec/exec.h"

/* The active lanes, ascending, and how many they are; room for RP_MAX_WORKGROUP_SIZE. */
uint32_t rp_record_lanes(const struct rp_op *o, const struct rp_exec *x, uint16_t *lanes);

/* Which binding a handle belongs to, or RP_NO_BINDING. */
uint32_t rp_record_binding(const struct rp_exec *x, uint32_t handle);

#endif

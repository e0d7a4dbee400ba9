/* SPDX-License-Identifier: MIT */
/* Counting how often operations run, for profiles.
 */
#ifndef RP_COMPUTE_EXEC_COUNT_H
#define RP_COMPUTE_EXEC_COUNT_H

#include "compute/exec/exec.h"

/* Has the operations count (exec.h: struct rp_counting): keeps their own handlers in handlers, by
 * record. */
void rp_exec_count_ops(struct rp_op *ops, const uint16_t *codes, uint32_t count,
                       rp_handler **handlers);
rp_handler rp_exec_count;

#endif

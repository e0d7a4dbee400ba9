/* SPDX-License-Identifier: MIT */
/* Subgroup operations lane by lane, for what has no form on whole blocks.
 */
#ifndef RP_COMPUTE_EXEC_SUBGROUP_H
#define RP_COMPUTE_EXEC_SUBGROUP_H

#include <stdbool.h>
#include <stdint.h>

struct rp_exec;
struct rp_op;

/* What does not change the other operand of a reduction (enum ir_reduce). */
uint64_t rp_subgroup_identity(uint32_t op, bool is_64);

void rp_subgroup_lanes(const struct rp_op *o, char *R, struct rp_exec *x);

#endif

/* SPDX-License-Identifier: MIT */
/* Pairs of operations on scalars that are one: found by pair.c, written by emit_arithmetic.c.
 */
#ifndef RP_COMPUTE_IR_PAIR_H
#define RP_COMPUTE_IR_PAIR_H

#include "compute/exec/op_list.h"
#include "compute/ir/instr.h"

/* The operation (enum rp_exec_op) that does both, where the second takes the result of the first;
 * RP_X_COUNT: there is none. */
uint32_t ir_pair_code(const struct ir_instr *first, const struct ir_instr *second);

#endif

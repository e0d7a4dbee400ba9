/* SPDX-License-Identifier: MIT */
/* Folding constants.
 */
#ifndef RP_COMPUTE_EXEC_EVAL_H
#define RP_COMPUTE_EXEC_EVAL_H

#include <stdint.h>

/* One arithmetic operation (below IR_ARITHMETIC_END of enum ir_op, but for those on bools) on
 * scalars, by the portable handlers: what constants fold to is what lanes would compute. */
uint64_t rp_exec_eval(uint32_t ir_op, const uint64_t in[3]);

#endif

/* SPDX-License-Identifier: MIT */
/* What is known of integers before they run, and what that makes of divisions.
 */
#ifndef RP_COMPUTE_IR_RANGE_H
#define RP_COMPUTE_IR_RANGE_H

#include "compute/ir/op.h"

struct ir_instr;
struct ir_program;

/* What is known of an integer or bool without running: lo <= value <= hi, unsigned. */
struct ir_range {
    bool is_known;
    uint32_t lo;
    uint32_t hi;
};

/* Ranges of values to assume for some instructions (PHIs of a loop that is looked at). */
struct ir_assumed {
    const struct ir_instr *instr;
    struct ir_range range;
};

struct ir_range ir_range_of(const struct ir_program *ir, const struct ir_instr *instr,
                            const struct ir_assumed *assumed, uint32_t assumed_count);

/* a op b, or a sum, when ranges make something simpler of it; else NULL. */
struct ir_instr *ir_divide(struct ir_program *ir, enum ir_op op, struct ir_instr *a,
                           struct ir_instr *b);
struct ir_instr *ir_rejoin_division(struct ir_program *ir, struct ir_instr *x, struct ir_instr *y);

#endif

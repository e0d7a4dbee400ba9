/* SPDX-License-Identifier: MIT */
/* Makes instructions.
 */
#ifndef RP_COMPUTE_IR_BUILD_H
#define RP_COMPUTE_IR_BUILD_H

#include "compute/ir/ir.h"

/* Makes an instruction without placing it. */
struct ir_instr *ir_make(struct ir_program *ir, enum ir_op op, enum ir_type type,
                         uint32_t arg_count);

/* Places it behind the cursor, which moves on. */
void ir_place(struct ir_program *ir, struct ir_instr *instr);
void ir_remove(struct ir_program *ir, struct ir_instr *instr);

/* Values. Arithmetic folds constants and simple identities, so the result may be an operand. */
struct ir_instr *ir_const(struct ir_program *ir, enum ir_type type, uint64_t bits);
struct ir_instr *ir_i(struct ir_program *ir, uint32_t value);
struct ir_instr *ir_f(struct ir_program *ir, float value);
struct ir_instr *ir_undef(struct ir_program *ir, enum ir_type type);
struct ir_instr *ir_un(struct ir_program *ir, enum ir_op op, struct ir_instr *a);
struct ir_instr *ir_bin(struct ir_program *ir, enum ir_op op, struct ir_instr *a,
                        struct ir_instr *b);
struct ir_instr *ir_tri(struct ir_program *ir, enum ir_op op, struct ir_instr *a,
                        struct ir_instr *b, struct ir_instr *c);
struct ir_instr *ir_not(struct ir_program *ir, struct ir_instr *a);
struct ir_instr *ir_select(struct ir_program *ir, struct ir_instr *cond, struct ir_instr *a,
                           struct ir_instr *b);
struct ir_instr *ir_builtin(struct ir_program *ir, enum ir_builtin which);

#endif

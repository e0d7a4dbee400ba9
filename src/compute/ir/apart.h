/* SPDX-License-Identifier: MIT */
/* Accesses to memory that may change places: merge.c and structs.c bring them together.
 */
#ifndef RP_COMPUTE_IR_APART_H
#define RP_COMPUTE_IR_APART_H

#include "compute/ir/ir.h"

/* Does an access stay one of its own, in the order in which the program says? Others look at this
 * memory meanwhile, or write it. */
bool ir_is_watched(const struct ir_program *ir, const struct ir_instr *access);

/* But for their constant offsets. */
bool ir_have_same_place(const struct ir_instr *a, const struct ir_instr *b);

/* Two linear accesses of one buffer, of which one is a STORE: does each lane touch other words by
 * the one than by the other? What other lanes touch is not asked, so nothing moves past what orders
 * lanes. Buffers of two descriptors may overlap. */
bool ir_are_apart(const struct ir_program *ir, const struct ir_instr *a, const struct ir_instr *b);

#endif

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

/* Two accesses, of which one is a STORE: does each lane touch other words by the one than by the
 * other? What other lanes touch is not asked, so nothing moves past what orders lanes. Buffers of
 * two descriptors may overlap: what moves on the word that they do not is told ir_take_apart(). */
bool ir_are_apart(const struct ir_program *ir, const struct ir_instr *a, const struct ir_instr *b);

/* `moved` goes from one end of [first, last] to the other: adds the buffers that it passes to those
 * that the program takes for apart. False: they are too many, it must stay. */
bool ir_take_apart(struct ir_program *ir, const struct ir_instr *moved,
                   const struct ir_instr *first, const struct ir_instr *last);

#endif

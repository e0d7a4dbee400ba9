/* SPDX-License-Identifier: MIT */
/* Scalars that can have the register of the PHI that they become.
 */
#ifndef RP_COMPUTE_IR_COALESCE_H
#define RP_COMPUTE_IR_COALESCE_H

#include <stdbool.h>
#include <stdint.h>

struct ir_instr;
struct ir_program;

/* From the first to the last position in the list, as alloc.c has it. */
struct ir_lifetime {
    bool has_register;
    uint32_t start;
    uint32_t stop;
};

/* How alloc.c is asked and told. */
struct ir_coalesced {
    struct ir_lifetime (*lifetime)(const struct ir_instr *i);
    void (*join)(struct ir_instr *to, struct ir_instr *from); /* firsts of their groups */
};

/* Instructions have their positions in `index`. */
void ir_coalesce(struct ir_program *ir, const struct ir_coalesced *out);

#endif

/* SPDX-License-Identifier: MIT */
/* What a REDUCTION does: found by reduction.c, written by emit.c.
 */
#ifndef RP_COMPUTE_IR_REDUCTION_H
#define RP_COMPUTE_IR_REDUCTION_H

#include "compute/exec/op.h"

struct ir_instr;

/* Steps of a reduction in workgroup memory; args[0]: from a workgroup's memory to the next
 * one's. */
struct ir_reduction {
    struct ir_instr *last;        /* ENDIF of the last step */
    const struct ir_instr *sum;   /* of the last step */
    const struct ir_instr *store; /* of the last step: all write the same place */
    uint32_t count;
    struct rp_reduction record;
};

#endif

/* SPDX-License-Identifier: MIT */
/* What there is code for, by the interpreter's operations.
 */
#ifndef RP_COMPUTE_MACHINE_SHAPE_H
#define RP_COMPUTE_MACHINE_SHAPE_H

#include "compute/machine/assembler.h"

enum machine_kind {
    MACHINE_NOTHING,
    MACHINE_ARITHMETIC,
    MACHINE_PAIR,   /* first of a, b, then second of that and c */
    MACHINE_TRIPLE, /* first of a, b, c, then second of that and i */
    MACHINE_MOVE,
    MACHINE_MOVE64,
    MACHINE_LOAD,
    MACHINE_STORE,
    MACHINE_JUMPS, /* from here on */
    MACHINE_JUMP = MACHINE_JUMPS,
    MACHINE_LOOPBACK,
    MACHINE_IF,
    MACHINE_IF_COMPARISON,
    MACHINE_IF_LOGIC,
    MACHINE_TILE,
    MACHINE_LONGS,  /* a run of vectors' operations of 64 bits begins; machine.c finds them */
    MACHINE_GATHER, /* a group with gathers begins with one; likewise */
};

struct machine_shape {
    uint8_t kind;
    uint8_t first; /* enum machine_op; of memory: bytes */
    uint8_t second;
    bool is_reversed; /* the first result is the second's second operand */
};

struct machine_shape machine_shape(uint32_t code);

#endif

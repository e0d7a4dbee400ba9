/* SPDX-License-Identifier: MIT */
/* Operations on memory and across lanes that the lane IR and the interpreter share: operands of
 * ATOMIC and SUBGROUP.
 */
#ifndef RP_COMPUTE_LANE_OPS_H
#define RP_COMPUTE_LANE_OPS_H

enum ir_atomic {
    IR_ATOMIC_LOAD,
    IR_ATOMIC_STORE,
    IR_ATOMIC_XCHG,
    IR_ATOMIC_CMPXCHG,
    IR_ATOMIC_IADD,
    IR_ATOMIC_SMIN,
    IR_ATOMIC_UMIN,
    IR_ATOMIC_SMAX,
    IR_ATOMIC_UMAX,
    IR_ATOMIC_AND,
    IR_ATOMIC_OR,
    IR_ATOMIC_XOR,
    IR_ATOMIC_FADD,
    IR_ATOMIC_FMIN,
    IR_ATOMIC_FMAX,
    /* Added to the last three: denormal results are zero; sums are rounded towards zero. */
    IR_ATOMIC_FLUSHES = 16,
    IR_ATOMIC_TRUNCATES = 32,
};

/* Over rows of lanes, as many as cluster says. */
enum ir_subgroup {
    IR_SG_ELECT,     /* b <- */
    IR_SG_ALL,       /* b <- b */
    IR_SG_ANY,       /* b <- b */
    IR_SG_BALLOT,    /* i <- b: the bits of 32 lanes; imm: 0, or 1 for those behind them */
    IR_SG_FIRST,     /* i <- i: of the first active lane */
    IR_SG_SHUFFLE,   /* i <- i, i: of lane arg 1; 0 beyond */
    IR_SG_PARTITION, /* i <- i: the bits of the active lanes that have the same value; imm: as a
                            ballot's */
    IR_SG_CLOCK,     /* l <- */
    IR_SG_REDUCE,    /* i <- i; imm: enum ir_reduce, scan. Partitioned scans have arg 1, and arg 2
                            for more than 32 lanes: the bits of the lane's partition */
    IR_SG_REDUCE64,  /* l <- l */
};

enum ir_reduce {
    IR_RED_IADD,
    IR_RED_IMUL,
    IR_RED_SMIN,
    IR_RED_UMIN,
    IR_RED_SMAX,
    IR_RED_UMAX,
    IR_RED_AND,
    IR_RED_OR,
    IR_RED_XOR,
    IR_RED_FADD,
    IR_RED_FMUL,
    IR_RED_FMIN,
    IR_RED_FMAX,
    IR_RED_COUNT,
};

/* Numbered as SPIR-V's GroupOperation. */
enum ir_scan {
    IR_SCAN_REDUCE = 0,
    IR_SCAN_INCLUSIVE = 1,
    IR_SCAN_EXCLUSIVE = 2,
    IR_SCAN_CLUSTERED = 3,
    IR_SCAN_PARTITIONED = 6,
    IR_SCAN_PARTITIONED_INCLUSIVE = 7,
    IR_SCAN_PARTITIONED_EXCLUSIVE = 8,
};

#endif

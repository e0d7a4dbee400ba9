/* SPDX-License-Identifier: MIT */
/* Atomics on 32-bit integers of one memory: the most frequent ones.
 */
#ifndef RP_COMPUTE_EXEC_ATOMIC_WORDS_H
#define RP_COMPUTE_EXEC_ATOMIC_WORDS_H

#include "compute/exec/common.h"
#include "compute/lane_ops.h"

/* What an operation on integers leaves of what was there. */
static inline __attribute__((always_inline)) uint32_t
rp_atomic_combine(enum ir_atomic op, uint32_t old, uint32_t value)
{
    switch (op) {
    case IR_ATOMIC_STORE:
    case IR_ATOMIC_XCHG:
        return value;
    case IR_ATOMIC_IADD:
        return old + value;
    case IR_ATOMIC_SMIN:
        return (int32_t)old < (int32_t)value ? old : value;
    case IR_ATOMIC_UMIN:
        return old < value ? old : value;
    case IR_ATOMIC_SMAX:
        return (int32_t)old > (int32_t)value ? old : value;
    case IR_ATOMIC_UMAX:
        return old > value ? old : value;
    case IR_ATOMIC_AND:
        return old & value;
    case IR_ATOMIC_OR:
        return old | value;
    default:
        return old ^ value;
    }
}

/* `ptr` is aligned to words; offsets of lanes are in bytes, with `bias` added. False: nothing was
 * done, since the operation is none on integers, or sums that differ in their words and of which
 * nobody wants the old values, for which there is a shorter way. */
bool rp_atomic_words(const struct rp_op *o, char *R, const struct rp_exec *x, uint8_t *ptr,
                     uint64_t size_B, uint32_t bias);

#endif

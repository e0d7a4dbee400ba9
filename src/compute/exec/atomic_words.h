/* SPDX-License-Identifier: MIT */
/* Atomics on 32-bit integers of one memory: the most frequent ones.
 */
#ifndef RP_COMPUTE_EXEC_ATOMIC_WORDS_H
#define RP_COMPUTE_EXEC_ATOMIC_WORDS_H

#include "compute/exec/common.h"

/* `ptr` is aligned to words; offsets of lanes are in bytes, with `bias` added. False: nothing was
 * done, since the operation is none on integers, or sums that differ in their words and of which
 * nobody wants the old values, for which there is a shorter way. */
bool rp_atomic_words(const struct rp_op *o, char *R, const struct rp_exec *x, uint8_t *ptr,
                     uint64_t size_B, uint32_t bias);

#endif

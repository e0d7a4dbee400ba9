/* SPDX-License-Identifier: MIT */
/* The calling thread's signal mask, for the time in which a library starts threads: they inherit
 * it, and the application's signals are not for them.
 */
#ifndef RP_PLATFORM_SIGNAL_MASK_H
#define RP_PLATFORM_SIGNAL_MASK_H

#include <stdint.h>

/* A sigset_t, which headers that all systems share cannot name. */
struct rp_signal_mask {
    uint64_t words[16];
};

/* Blocks all signals; returns the mask of before. */
struct rp_signal_mask rp_signals_block(void);

void rp_signals_restore(const struct rp_signal_mask *mask);

#endif

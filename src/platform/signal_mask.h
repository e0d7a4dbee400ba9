/* SPDX-License-Identifier: MIT */
/* The calling thread's signal mask, for the time in which a library starts threads: they inherit
 * it, and the application's signals are not for them.
 */
#ifndef RP_PLATFORM_SIGNAL_MASK_H
#define RP_PLATFORM_SIGNAL_MASK_H

#include <signal.h>

/* Blocks all signals; returns the mask of before. */
sigset_t rp_signals_block(void);

void rp_signals_restore(const sigset_t *mask);

#endif

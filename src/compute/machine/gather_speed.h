/* SPDX-License-Identifier: MIT */
/* Which way of gathering is the fast one here, with AVX2: one instruction does it, or loads of
 * single words. Processors differ by a factor of two in either direction.
 */
#ifndef RP_COMPUTE_MACHINE_GATHER_SPEED_H
#define RP_COMPUTE_MACHINE_GATHER_SPEED_H

#include <stdbool.h>

/* Of the instruction. It is timed when this is asked for the first time in the process. */
bool machine_gathers_are_fast(void);

#endif

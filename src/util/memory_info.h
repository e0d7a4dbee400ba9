/* SPDX-License-Identifier: MIT */
/* How much memory the machine, or the cgroup that the process runs in, has.
 */
#ifndef RP_UTIL_MEMORY_INFO_H
#define RP_UTIL_MEMORY_INFO_H

#include "util/compiler.h"

#include <stdbool.h>
#include <stdint.h>

/* Physical memory, or when that is less the tightest memory limit of the process' cgroups, or what
 * a pointer can reach. Never zero. */
uint64_t rp_memory_total_B(void);

/* Charges size_B of device memory to the process, whatever instance or device it is for; false, and
 * nothing charged, when the sum would pass limit_B. Any thread. */
bool rp_memory_charge(uint64_t size_B, uint64_t limit_B) RP_MUST_CHECK;
void rp_memory_uncharge(uint64_t size_B);
uint64_t rp_memory_charged_B(void);

/* What can still be taken without swapping or meeting a limit; a snapshot. */
uint64_t rp_memory_available_B(void);

#endif

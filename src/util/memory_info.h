/* SPDX-License-Identifier: MIT */
/* How much memory the machine, or the cgroup that the process runs in, has.
 */
#ifndef RP_UTIL_MEMORY_INFO_H
#define RP_UTIL_MEMORY_INFO_H

#include <stdint.h>

/* Physical memory, or the tightest memory limit of the process' cgroups when that is less. Never
 * zero. */
uint64_t rp_memory_total_B(void);

/* What can still be taken without swapping or meeting a limit; a snapshot. */
uint64_t rp_memory_available_B(void);

#endif

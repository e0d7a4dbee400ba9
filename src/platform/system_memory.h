/* SPDX-License-Identifier: MIT */
/* How much memory the machine, or the cgroup that the process runs in, has.
 */
#ifndef RP_PLATFORM_SYSTEM_MEMORY_H
#define RP_PLATFORM_SYSTEM_MEMORY_H

#include <stdint.h>

struct rp_system_memory {
    uint64_t total_B;     /* physical, or the tightest limit of the process' cgroups below that */
    uint64_t available_B; /* what can still be taken without swapping or meeting a limit */
};

/* A snapshot; 1 GiB, all of it available, where the system does not say. */
struct rp_system_memory rp_system_memory_read(void);

#endif

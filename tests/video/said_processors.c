/* SPDX-License-Identifier: MIT */
/* The kernel's answer, in its place.
 */
#include "said_processors.h"

#include <sched.h>
#include <string.h>

atomic_uint said_processors = 1;

int
sched_getaffinity(pid_t pid, size_t size_B, cpu_set_t *set)
{
    (void)pid;
    memset(set, 0, size_B);
    const unsigned count = atomic_load(&said_processors);
    for (unsigned i = 0; i < count; i++)
        CPU_SET_S(i, size_B, set);
    return 0;
}

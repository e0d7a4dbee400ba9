/* SPDX-License-Identifier: MIT */
/* rp_alloc() and rp_zalloc() with a counter in front, for programs that link with
 * -Wl,--wrap=rp_alloc,--wrap=rp_zalloc: counts allocations, and lets the n-th one fail.
 */
#ifndef RP_TESTS_FAILING_ALLOC_H
#define RP_TESTS_FAILING_ALLOC_H

#include <stdatomic.h>

struct failing_alloc {
    atomic_uint count;  /* of allocations since it was set to 0 */
    atomic_uint wanted; /* the number of the one that fails, from 1 on; 0: none does */
};

/* Any thread may allocate. */
extern struct failing_alloc failing_alloc;

#endif

/* SPDX-License-Identifier: MIT */
/* An allocator for programs whose libraries allocate by themselves: counts what is allocated and
 * freed, and lets the n-th allocation fail.
 *
 * failing_malloc.c defines malloc, calloc, realloc, aligned_alloc, posix_memalign and free for the
 * whole process, so the program has to be compiled with -fno-builtin and with its symbols visible,
 * and without sanitizers, which have an allocator of their own.
 */
#ifndef RP_TESTS_FAILING_MALLOC_H
#define RP_TESTS_FAILING_MALLOC_H

#include <stdatomic.h>
#include <stdbool.h>

struct failing_malloc {
    bool is_counting; /* set around calls of what is tested, whose threads count and fail, too */
    atomic_long countdown;  /* 1: the next allocation fails; 0: none does */
    atomic_long live_count; /* allocations less frees, while counting */
    atomic_bool has_failed;
};

extern struct failing_malloc failing_malloc;

#endif

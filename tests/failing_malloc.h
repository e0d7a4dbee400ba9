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

#include <stdbool.h>

struct failing_malloc {
    bool is_counting; /* set around calls of what is tested: nothing else counts or fails */
    long countdown;   /* 1: the next allocation fails; 0: none does */
    long live_count;  /* allocations less frees, while counting */
    bool has_failed;
};

extern struct failing_malloc failing_malloc;

#endif

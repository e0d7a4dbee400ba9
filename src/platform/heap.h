/* SPDX-License-Identifier: MIT */
/* The C library's heap. util/alloc.h serves it to the driver; below that, in src/platform, it is
 * called as it is.
 */
#ifndef RP_PLATFORM_HEAP_H
#define RP_PLATFORM_HEAP_H

#include "util/compiler.h"

#include <stddef.h>

/* size_B: not 0. align_B: a power of two. NULL when memory is short. */
void *rp_heap_alloc(size_t size_B, size_t align_B) RP_MUST_CHECK;
void *rp_heap_zalloc(size_t size_B, size_t align_B) RP_MUST_CHECK;

/* Accepts NULL. */
void rp_heap_free(void *memory);

#endif

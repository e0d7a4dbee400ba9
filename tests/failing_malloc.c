/* SPDX-License-Identifier: MIT */
/* The C library's allocator with a counter in front.
 */
#include "failing_malloc.h"

#include <errno.h>
#include <stdlib.h>

/* glibc's own names. */
void *__libc_malloc(size_t size_B);
void *__libc_calloc(size_t count, size_t size_B);
void *__libc_realloc(void *memory, size_t size_B);
void *__libc_memalign(size_t align_B, size_t size_B);
void __libc_free(void *memory);

struct failing_malloc failing_malloc;

static bool
fails(void)
{
    if (!failing_malloc.is_counting || failing_malloc.countdown == 0 ||
        --failing_malloc.countdown != 0)
        return false;
    failing_malloc.has_failed = true;
    return true;
}

static void *
taken(void *memory)
{
    failing_malloc.live_count += failing_malloc.is_counting && memory;
    return memory;
}

void *
malloc(size_t size_B)
{
    return fails() ? NULL : taken(__libc_malloc(size_B));
}

void *
calloc(size_t count, size_t size_B)
{
    return fails() ? NULL : taken(__libc_calloc(count, size_B));
}

void *
realloc(void *memory, size_t size_B)
{
    if (fails())
        return NULL;
    failing_malloc.live_count += failing_malloc.is_counting && !memory;
    return __libc_realloc(memory, size_B);
}

void *
aligned_alloc(size_t align_B, size_t size_B)
{
    return fails() ? NULL : taken(__libc_memalign(align_B, size_B));
}

int
posix_memalign(void **out, size_t align_B, size_t size_B)
{
    void *memory = aligned_alloc(align_B, size_B);
    if (!memory)
        return ENOMEM;
    *out = memory;
    return 0;
}

void
free(void *memory)
{
    failing_malloc.live_count -= failing_malloc.is_counting && memory;
    __libc_free(memory);
}

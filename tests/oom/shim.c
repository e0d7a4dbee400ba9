/* SPDX-License-Identifier: MIT */
/* Preloaded in front of the C library: its allocations of the driver alone (told by the caller's
 * address) are counted, and one of them fails. Not for sanitizers, which have their own.
 */
#include "driver_code.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

void oom_shim_fail_at(long n);
long oom_shim_live_count(void);
long oom_shim_total_count(void);

/* glibc's own names. */
void *__libc_malloc(size_t size_B);
void *__libc_calloc(size_t count, size_t size_B);
void *__libc_realloc(void *memory, size_t size_B);
void *__libc_memalign(size_t align_B, size_t size_B);
void __libc_free(void *memory);

#define MAX_LIVE (1u << 16)

static atomic_long countdown;
static atomic_long total_count;
static atomic_long live_count;
static _Atomic(void *) live[MAX_LIVE]; /* hash set of what the driver holds */

void
oom_shim_fail_at(long n)
{
    driver_code_find();
    atomic_store(&countdown, n);
}

long
oom_shim_live_count(void)
{
    return atomic_load(&live_count);
}

long
oom_shim_total_count(void)
{
    return atomic_load(&total_count);
}

static bool
is_failing(void)
{
    atomic_fetch_add(&total_count, 1);
    return atomic_load(&countdown) > 0 && atomic_fetch_sub(&countdown, 1) == 1;
}

static size_t
slot_of(const void *memory)
{
    return ((uintptr_t)memory >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 48;
}

static void *
remember(void *memory)
{
    for (size_t i = slot_of(memory), n = 0; memory && n < MAX_LIVE; i = (i + 1) % MAX_LIVE, n++) {
        void *empty = NULL;
        if (atomic_compare_exchange_strong(&live[i], &empty, memory)) {
            atomic_fetch_add(&live_count, 1);
            return memory;
        }
    }
    return memory;
}

static void
forget(void *memory)
{
    /* The set has holes after a removal: look at a stretch behind the hash. */
    for (size_t i = slot_of(memory), n = 0; memory && n < 512; i = (i + 1) % MAX_LIVE, n++) {
        void *found = memory;
        if (atomic_compare_exchange_strong(&live[i], &found, NULL)) {
            atomic_fetch_sub(&live_count, 1);
            return;
        }
    }
}

void *
malloc(size_t size_B)
{
    if (!driver_code_has(__builtin_return_address(0)))
        return __libc_malloc(size_B);
    return is_failing() ? NULL : remember(__libc_malloc(size_B));
}

void *
calloc(size_t count, size_t size_B)
{
    if (!driver_code_has(__builtin_return_address(0)))
        return __libc_calloc(count, size_B);
    return is_failing() ? NULL : remember(__libc_calloc(count, size_B));
}

void *
realloc(void *memory, size_t size_B)
{
    if (!driver_code_has(__builtin_return_address(0)))
        return __libc_realloc(memory, size_B);
    if (is_failing())
        return NULL;
    forget(memory);
    return remember(__libc_realloc(memory, size_B));
}

int
posix_memalign(void **out, size_t align_B, size_t size_B)
{
    const bool is_ours = driver_code_has(__builtin_return_address(0));
    if (is_ours && is_failing())
        return 12; /* ENOMEM */
    void *memory = __libc_memalign(align_B, size_B);
    if (!memory)
        return 12;
    *out = is_ours ? remember(memory) : memory;
    return 0;
}

void
free(void *memory)
{
    forget(memory);
    __libc_free(memory);
}

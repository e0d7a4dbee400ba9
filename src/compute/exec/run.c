/* SPDX-License-Identifier: MIT */
/* What handlers ask the dispatch for: memory behind a handle, time.
 */
#include "compute/exec/op.h"

#include <time.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define FUEL 4096u

const struct rp_descriptor *
rp_exec_descriptor(const struct rp_exec *x, uint32_t handle)
{
    const uint32_t binding = handle >> 24;
    if (binding >= x->binding_count)
        return NULL;
    const struct rp_descriptor_array *array = &x->bindings[binding];
    const uint32_t index = handle & 0xffffffu;
    return index < array->count ? &array->items[index] : NULL;
}

struct rp_memory
rp_exec_lookup(const struct rp_exec *x, uint32_t handle)
{
    if (handle >> 24 >= x->binding_count)
        return x->memory[handle >> 24]; /* the kernel's own, or empty */

    const struct rp_descriptor *d = rp_exec_descriptor(x, handle);
    if (!d || !d->ptr)
        return (struct rp_memory){0};
    return (struct rp_memory){
        .ptr = d->ptr,
        .size_B = d->size_B > UINT32_MAX ? UINT32_MAX : (uint32_t)d->size_B,
    };
}

void
rp_exec_settle(struct rp_exec *x)
{
#ifdef __SSE2__
    if (x->has_streamed)
        _mm_sfence();
#endif
    x->has_streamed = false;
}

bool
rp_exec_refuel(struct rp_exec *x)
{
    x->fuel = FUEL;
    if (atomic_load_explicit(x->is_cancelled, memory_order_relaxed))
        return true;
    if (!x->deadline_ns)
        return false;

    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if ((uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec < x->deadline_ns)
        return false;
    atomic_store_explicit(x->is_cancelled, true, memory_order_relaxed);
    return true;
}

/* SPDX-License-Identifier: MIT */
/* What handlers ask the dispatch for: memory behind a handle, time.
 */
#include "compute/exec/exec.h"

#include "platform/clock.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define FUEL 4096u

const struct rp_descriptor *
rp_exec_descriptor(const struct rp_exec *x, uint32_t handle)
{
    if (handle >> RP_PAGE_SHIFT >= x->page_count)
        return NULL;
    const struct rp_page *page = &x->pages[handle >> RP_PAGE_SHIFT];
    const struct rp_descriptor_array *array = &x->bindings[page->binding];
    const uint32_t index = page->first + (handle & RP_PAGE_INDEX);
    return index < array->count ? &array->items[index] : NULL;
}

static struct rp_memory
descriptor_memory(const struct rp_descriptor *d)
{
    if (!d || !d->ptr)
        return (struct rp_memory){0};
    return (struct rp_memory){
        .ptr = d->ptr,
        .size_B = d->size_B > UINT32_MAX ? UINT32_MAX : (uint32_t)d->size_B,
    };
}

void
rp_exec_bind(struct rp_exec *x)
{
    const uint32_t count = RP_MIN(x->binding_count, RP_STATIC_BINDINGS);

    for (uint32_t b = 0; b < count; b++)
        x->memory[b] = descriptor_memory(x->bindings[b].count ? x->bindings[b].items : NULL);
    memset(x->memory + count, 0, (RP_STATIC_BINDINGS - count) * sizeof(x->memory[0]));
}

struct rp_memory
rp_exec_lookup(const struct rp_exec *x, uint32_t handle)
{
    if (handle >> RP_PAGE_SHIFT >= RP_PAGE_OWN)
        return x->memory[handle >> RP_PAGE_SHIFT & 0xff];
    return descriptor_memory(rp_exec_descriptor(x, handle));
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

    if (rp_clock_now_ns() < x->deadline_ns)
        return false;
    atomic_store_explicit(x->is_cancelled, true, memory_order_relaxed);
    return true;
}

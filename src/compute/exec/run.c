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

/* NULL: there is none of that handle. *index_out is below its count. */
static const struct rp_descriptor_array *
handle_array(const struct rp_exec *x, uint32_t handle, uint32_t *index_out)
{
    if (handle >> RP_PAGE_SHIFT >= x->page_count)
        return NULL;
    const struct rp_page *page = &x->pages[handle >> RP_PAGE_SHIFT];
    const struct rp_descriptor_array *array = &x->bindings[page->binding];
    *index_out = page->first + (handle & RP_PAGE_INDEX);
    return *index_out < array->count ? array : NULL;
}

static const uint8_t *
array_memory(const struct rp_descriptor_array *array, uint32_t index)
{
    return array->memory + (size_t)index * array->reader->size_B;
}

const struct rp_descriptor *
rp_exec_descriptor(const struct rp_exec *x, uint32_t handle, struct rp_descriptor *room)
{
    uint32_t index;
    const struct rp_descriptor_array *array = handle_array(x, handle, &index);
    if (!array || RP_LIKELY(array->items))
        return array ? &array->items[index] : NULL;
    *room = array->reader->read(array->reader->ctx, array_memory(array, index));
    return room;
}

static struct rp_memory
range_memory(uint8_t *ptr, uint64_t size_B)
{
    if (!ptr)
        return (struct rp_memory){0};
    return (struct rp_memory){ptr, size_B > UINT32_MAX ? UINT32_MAX : (uint32_t)size_B};
}

static struct rp_memory
item_memory(const struct rp_descriptor_array *array, uint32_t index)
{
    if (RP_LIKELY(array->items))
        return range_memory(array->items[index].ptr, array->items[index].size_B);
    const struct rp_descriptor_range range = array->reader->read_range(array_memory(array, index));
    return range_memory(range.ptr, range.size_B);
}

void
rp_exec_bind(struct rp_exec *x)
{
    const uint32_t count = RP_MIN(x->binding_count, RP_STATIC_BINDINGS);

    for (uint32_t b = 0; b < count; b++)
        x->memory[b] =
            x->bindings[b].count ? item_memory(&x->bindings[b], 0) : (struct rp_memory){0};
    for (uint32_t v = 0; v < RP_KEPT_VIEWS; v++)
        x->views[v] = (struct rp_kept_view){.handle = UINT32_MAX};
    memset(x->memory + count, 0, (RP_STATIC_BINDINGS - count) * sizeof(x->memory[0]));
}

struct rp_memory
rp_exec_lookup(const struct rp_exec *x, uint32_t handle)
{
    uint32_t index;
    if (handle >> RP_PAGE_SHIFT >= RP_PAGE_OWN)
        return x->memory[handle >> RP_PAGE_SHIFT & 0xff];
    const struct rp_descriptor_array *array = handle_array(x, handle, &index);
    return array ? item_memory(array, index) : (struct rp_memory){0};
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

/* SPDX-License-Identifier: MIT */
/* Counted by the memory itself and by everyone who holds it.
 */
#include "object/memory_hold.h"

#include "object/memory.h"
#include "util/alloc.h"

#include <stddef.h>
#include <sys/mman.h>

struct rp_memory_hold {
    atomic_uint count;
    uint8_t *host;
    uint64_t size_B;
};

struct rp_memory_hold *
rp_memory_hold_get(struct rp_memory *mem)
{
    if (mem->is_imported || (mem->kind != RP_MEMORY_ANONYMOUS && mem->kind != RP_MEMORY_FD))
        return NULL;
    struct rp_memory_hold *hold = atomic_load_explicit(&mem->hold, memory_order_acquire);
    if (hold)
        return hold;

    hold = rp_zalloc(NULL, sizeof(*hold), _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!hold)
        return NULL;
    atomic_init(&hold->count, 1);
    hold->host = mem->host;
    hold->size_B = mem->size_B;
    struct rp_memory_hold *other = NULL;
    if (atomic_compare_exchange_strong(&mem->hold, &other, hold))
        return hold;
    rp_free(NULL, hold);
    return other;
}

void
rp_memory_hold_retain(void *hold)
{
    atomic_fetch_add_explicit(&((struct rp_memory_hold *)hold)->count, 1, memory_order_relaxed);
}

void
rp_memory_hold_release(void *ptr)
{
    struct rp_memory_hold *hold = ptr;
    if (atomic_fetch_sub_explicit(&hold->count, 1, memory_order_acq_rel) > 1)
        return;
    munmap(hold->host, hold->size_B);
    rp_free(NULL, hold);
}

void
rp_memory_hold_leave(struct rp_memory_hold *hold)
{
    /* In one step, whoever is reading. If the system refuses, the pages stay until the release. */
    if (atomic_load_explicit(&hold->count, memory_order_acquire) > 1)
        (void)mmap(hold->host, hold->size_B, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
    rp_memory_hold_release(hold);
}

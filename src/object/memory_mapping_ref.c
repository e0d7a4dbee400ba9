/* SPDX-License-Identifier: MIT */
/* The memory itself counts as one of the owners.
 */
#include "object/memory_mapping_ref.h"

#include "object/memory.h"
#include "platform/pages.h"
#include "util/alloc.h"

#include <stddef.h>

struct rp_memory_mapping_ref {
    atomic_uint count;
    uint8_t *host;
    uint64_t size_B;
};

struct rp_memory_mapping_ref *
rp_memory_mapping_ref_get(struct rp_memory *mem)
{
    if (mem->is_imported || (mem->kind != RP_MEMORY_ANONYMOUS && mem->kind != RP_MEMORY_FD))
        return NULL;
    struct rp_memory_mapping_ref *ref =
        atomic_load_explicit(&mem->mapping_ref, memory_order_acquire);
    if (ref)
        return ref;

    ref = rp_zalloc(NULL, sizeof(*ref), _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!ref)
        return NULL;
    atomic_init(&ref->count, 1);
    ref->host = mem->host;
    ref->size_B = mem->size_B;
    struct rp_memory_mapping_ref *other = NULL;
    if (atomic_compare_exchange_strong(&mem->mapping_ref, &other, ref))
        return ref;
    rp_free(NULL, ref);
    return other;
}

void
rp_memory_mapping_ref_retain(void *ref)
{
    atomic_fetch_add_explicit(&((struct rp_memory_mapping_ref *)ref)->count, 1,
                              memory_order_relaxed);
}

void
rp_memory_mapping_ref_release(void *ptr)
{
    struct rp_memory_mapping_ref *ref = ptr;
    if (atomic_fetch_sub_explicit(&ref->count, 1, memory_order_acq_rel) > 1)
        return;
    rp_pages_unmap(ref->host, ref->size_B);
    rp_free(NULL, ref);
}

void
rp_memory_mapping_ref_abandon(struct rp_memory_mapping_ref *ref)
{
    /* If the system refuses, the pages stay until the release. */
    if (atomic_load_explicit(&ref->count, memory_order_acquire) > 1)
        (void)rp_pages_replace(ref->host, ref->size_B);
    rp_memory_mapping_ref_release(ref);
}

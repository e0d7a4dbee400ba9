/* SPDX-License-Identifier: MIT */
/* By the memory that is bound: what sites with the same binding each time can reach.
 */
#include "profile/unwritten.h"

#include "compute/image/image.h"
#include "util/compiler.h"

#define MAX_RANGES 64u /* of memory that is written */
#define MAX_LOOKS 4096u

struct ranges {
    struct range {
        const uint8_t *begin;
        const uint8_t *end;
    } items[MAX_RANGES];
    uint32_t count;
    uint32_t look_count; /* at descriptors */
};

/* False: nobody knows. */
static bool
range_of(const struct rp_descriptor *d, bool may_be_stale, struct range *out)
{
    if (d->view && may_be_stale)
        return false;
    const uint8_t *begin = d->view ? d->view->levels[0].data : d->ptr;
    const uint64_t size_B = d->view ? rp_image_view_size_B(d->view) : d->size_B;
    *out = (struct range){begin, begin ? begin + size_B : NULL};
    return true;
}

static bool
range_is_apart(const struct ranges *r, const struct range *range)
{
    for (uint32_t i = 0; i < r->count; i++)
        if ((uintptr_t)range->begin < (uintptr_t)r->items[i].end &&
            (uintptr_t)r->items[i].begin < (uintptr_t)range->end)
            return false;
    return true;
}

/* A binding, as sites name it: writes are added, of reads it is asked whether they are apart from
 * what is there. False: they are not, or nobody knows. */
static bool
binding_look(struct ranges *r, const struct rp_dispatch *dispatch, uint32_t binding,
             bool may_be_stale, bool is_write)
{
    const struct rp_descriptor_array *array = &dispatch->bindings[binding];
    if (array->reader) /* a heap may have anything in it */
        return false;
    for (uint32_t i = 0; i < array->count; i++) {
        struct range range;
        if (++r->look_count > MAX_LOOKS || !range_of(&array->items[i], may_be_stale, &range))
            return false;
        if (!is_write && !range_is_apart(r, &range))
            return false;
        if (is_write && r->count == MAX_RANGES)
            return false;
        if (is_write)
            r->items[r->count++] = range;
    }
    return true;
}

static bool
is_global(const struct rp_access_site *site, uint32_t bits)
{
    return !(site->bits & RP_ACCESS_SHARED) && site->bits & bits;
}

static bool
site_look(struct ranges *r, const struct rp_access_site *site, const struct rp_dispatch *dispatch,
          const bool *may_be_stale, bool is_write)
{
    uint32_t binding_count;
    (void)rp_kernel_bindings(dispatch->kernel, &binding_count);
    return site->binding < binding_count &&
           binding_look(r, dispatch, site->binding, may_be_stale && may_be_stale[site->binding],
                        is_write);
}

void
rp_unwritten_find(const struct rp_access_site *sites, uint32_t site_count,
                  const struct rp_dispatch *dispatch, const bool *may_be_stale,
                  bool *are_unwritten_out)
{
    struct ranges ranges = {.count = 0};
    const struct rp_access_site *last = NULL;
    bool is_known = true;
    for (uint32_t i = 0; i < site_count; i++) {
        are_unwritten_out[i] = false;
        if (!is_global(&sites[i], RP_ACCESS_WRITE) || !is_known)
            continue;
        if (!last || last->binding != sites[i].binding)
            is_known = site_look(&ranges, &sites[i], dispatch, may_be_stale, true);
        last = &sites[i];
    }
    for (uint32_t i = 0; i < site_count && is_known; i++)
        if (is_global(&sites[i], RP_ACCESS_READ) && !(sites[i].bits & RP_ACCESS_WRITE))
            are_unwritten_out[i] = site_look(&ranges, &sites[i], dispatch, may_be_stale, false);
}

/* SPDX-License-Identifier: MIT */
/* A sorted array that is searched as a tree: the middle of a part is its root.
 */
#include "capture/spans.h"

#include "util/alloc.h"
#include "util/checked.h"

#include <stdlib.h>

bool
rp_spans_add(struct rp_spans *spans, uintptr_t begin, uint64_t size_B, void *owner)
{
    if (!rp_grow_array(&spans->items, spans->count, &spans->capacity, sizeof(*spans->items)))
        return false;
    spans->items[spans->count++] =
        (struct rp_span){.begin = begin, .end = begin + (uintptr_t)size_B, .owner = owner};
    return true;
}

static int
compare_begins(const void *left, const void *right)
{
    const struct rp_span *a = left, *b = right;
    return (a->begin > b->begin) - (a->begin < b->begin);
}

/* Returns the last end of those from first on, before end. */
static uintptr_t
last_ends_set(struct rp_span *items, uint32_t first, uint32_t end)
{
    if (first >= end)
        return 0;
    const uint32_t middle = first + (end - first) / 2;
    const uintptr_t left = last_ends_set(items, first, middle);
    const uintptr_t right = last_ends_set(items, middle + 1, end);
    items[middle].last_end = RP_MAX(items[middle].end, RP_MAX(left, right));
    return items[middle].last_end;
}

void
rp_spans_sort(struct rp_spans *spans)
{
    if (spans->count)
        qsort(spans->items, spans->count, sizeof(*spans->items), compare_begins);
    (void)last_ends_set(spans->items, 0, spans->count);
}

void
rp_spans_finish(struct rp_spans *spans)
{
    rp_free(NULL, spans->items);
    *spans = (struct rp_spans){0};
}

struct search {
    uintptr_t begin;
    uintptr_t end;
    rp_span_visit *visit;
    void *ctx;
};

static const struct rp_span *
part_search(const struct rp_span *items, uint32_t first, uint32_t end, const struct search *s)
{
    while (first < end) {
        const uint32_t middle = first + (end - first) / 2;
        const struct rp_span *span = &items[middle];
        if (span->last_end < s->end)
            return NULL;
        if (span->begin <= s->begin) {
            const struct rp_span *found = part_search(items, middle + 1, end, s);
            if (found)
                return found;
            if (span->end >= s->end && s->visit(s->ctx, span))
                return span;
        }
        end = middle;
    }
    return NULL;
}

void *
rp_spans_find(const struct rp_spans *spans, uintptr_t begin, uintptr_t end, rp_span_visit *visit,
              void *ctx)
{
    const struct search search = {.begin = begin, .end = end, .visit = visit, .ctx = ctx};
    const struct rp_span *found = part_search(spans->items, 0, spans->count, &search);
    return found ? found->owner : NULL;
}

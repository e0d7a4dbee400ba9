/* SPDX-License-Identifier: MIT */
/* Ranges of addresses that objects hold, which may overlap: who holds these bytes? In logarithmic
 * time for each that does.
 */
#ifndef RP_CAPTURE_SPANS_H
#define RP_CAPTURE_SPANS_H

#include "util/compiler.h"

#include <stdbool.h>
#include <stdint.h>

struct rp_span {
    uintptr_t begin;
    uintptr_t end;
    uintptr_t last_end; /* of those in the part of the array whose middle it is */
    void *owner;        /* borrowed */
};

struct rp_spans {
    struct rp_span *items; /* owned */
    uint32_t count;
    uint32_t capacity;
};

/* True: no other is wanted. */
typedef bool rp_span_visit(void *ctx, const struct rp_span *span);

/* False: no memory. Nothing is found before rp_spans_sort(), which follows the last one. */
bool rp_spans_add(struct rp_spans *spans, uintptr_t begin, uint64_t size_B,
                  void *owner) RP_MUST_CHECK;
void rp_spans_sort(struct rp_spans *spans);
void rp_spans_finish(struct rp_spans *spans);

/* Calls visit for those that hold all bytes from begin to end, the one that begins last first,
 * until it says so; the owner of that one, or NULL. */
void *rp_spans_find(const struct rp_spans *spans, uintptr_t begin, uintptr_t end,
                    rp_span_visit *visit, void *ctx);

#endif

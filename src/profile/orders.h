/* SPDX-License-Identifier: MIT */
/* Orders of workgroups, judged by the misses of simulated caches.
 *
 * Of a dispatch the lines of memory that each workgroup touches are kept, in the order of its
 * requests. Then the workgroups are put in other orders, one after the other, and what they touch
 * goes through caches that keep the lines which were touched last. Row-major order, x fastest, is
 * what runs here and on most devices.
 */
#ifndef RP_PROFILE_ORDERS_H
#define RP_PROFILE_ORDERS_H

#include "util/json.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RP_ORDER_LINE_B 64u
#define RP_ORDER_MAX_TOUCHES (UINT32_C(1) << 22) /* of a dispatch: beyond, nothing is judged */
#define RP_ORDER_CACHES 3u

enum rp_order {
    RP_ORDER_ROWS,
    RP_ORDER_Z,       /* bits of x and y by turns; slices of z stay apart here and below */
    RP_ORDER_TILES_2, /* squares of 2x2 workgroups, row by row inside and outside */
    RP_ORDER_TILES_4,
    RP_ORDER_TILES_8,
    RP_ORDER_TILES_16,
    RP_ORDER_HILBERT,
    RP_ORDER_COUNT,
};

/* What the orders of a pipeline's dispatch cost. */
struct rp_orders {
    bool is_judged;
    uint64_t touches;
    uint64_t lines; /* different ones */
    uint64_t misses[RP_ORDER_COUNT][RP_ORDER_CACHES];
};

/* Bytes [begin, end) of memory; several of them ascend by their beginnings. */
struct rp_order_range {
    uintptr_t begin;
    uintptr_t end;
};

/* The trace of the dispatch that runs. */
struct rp_order_trace {
    bool is_open; /* else nothing is kept */
    uint32_t group_count[3];
    uint32_t *touches; /* owned: numbers of lines, as they came first; none twice in a row */
    uint32_t touch_count;
    uint32_t touch_total; /* with those that were twice in a row */
    uint64_t last_line;   /* that the workgroup touched, + 1; 0: none yet */
    uint32_t touch_capacity;
    uint32_t *begins; /* owned, by workgroup: its first touch */
    uint32_t begun;   /* workgroups */
    uint64_t *keys;   /* owned, open addressing: 1 + line; 0 is free */
    uint32_t *numbers;
    uint32_t slot_count;
    uint32_t line_count;
};

void rp_order_begin(struct rp_order_trace *trace, const uint32_t group_count[3]);
void rp_order_group(struct rp_order_trace *trace);
/* Lines of a request. */
void rp_order_touch(struct rp_order_trace *trace, const struct rp_order_range *ranges,
                    uint32_t count);
/* Judges and ends it; where it was not open or too large *out stays. */
void rp_order_end(struct rp_order_trace *trace, struct rp_orders *out);

/* The key "orders"; nothing where nothing was judged. */
void rp_orders_write(struct rp_json *json, const struct rp_orders *orders);

#endif

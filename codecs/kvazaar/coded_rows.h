/* SPDX-License-Identifier: MIT */
/* How far a picture is that others refer to while it is coded: of each row of coding tree blocks,
 * how many are coded from the left.
 *
 * In-loop filters of a block change samples of those before it and above it, and leave its own last
 * ones to those behind it and below: who reads samples waits for the block in which those lie that
 * are as far as filters reach to the right and down. What waits is exact: it decides when a block
 * is coded, never how.
 */
#ifndef RP_CODECS_KVAZAAR_CODED_ROWS_H
#define RP_CODECS_KVAZAAR_CODED_ROWS_H

#include "platform/progress.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct rp_workers;

struct rp_kvazaar_coded_rows {
    atomic_bool are_ended;    /* as all rows are then: this one is quick to look at */
    struct rp_progress *rows; /* borrowed: of row_count, their first so many blocks */
    uint32_t row_count;
    uint32_t column_count;
};

/* Forgets what is coded of all rows; nobody waits for any of them. */
void rp_kvazaar_coded_rows_clear(struct rp_kvazaar_coded_rows *coded);

/* No row will have more blocks coded: nobody waits any longer. */
void rp_kvazaar_coded_rows_end(struct rp_kvazaar_coded_rows *coded);

static inline bool
rp_kvazaar_coded_rows_are_ended(const struct rp_kvazaar_coded_rows *coded)
{
    return atomic_load_explicit(&coded->are_ended, memory_order_acquire);
}

/* The first column_count blocks of the rows from first to last, inclusive, are coded; there are
 * more rows and columns than that, or as many. */
bool rp_kvazaar_coded_rows_are_there(const struct rp_kvazaar_coded_rows *coded,
                                     uint32_t column_count, uint32_t first, uint32_t last);

/* Waits until they are, in a step of workers, or NULL. */
void rp_kvazaar_coded_rows_wait(struct rp_kvazaar_coded_rows *coded, uint32_t column_count,
                                uint32_t first, uint32_t last, struct rp_workers *workers);

#endif

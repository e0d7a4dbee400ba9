/* SPDX-License-Identifier: MIT */
#include "codecs/kvazaar/coded_rows.h"

#include "codecs/kvazaar/step.h"

void
rp_kvazaar_coded_rows_clear(struct rp_kvazaar_coded_rows *coded)
{
    atomic_store(&coded->are_ended, false);
    for (uint32_t i = 0; i < coded->row_count; i++)
        rp_progress_set(&coded->rows[i], 0);
}

void
rp_kvazaar_coded_rows_end(struct rp_kvazaar_coded_rows *coded)
{
    for (uint32_t i = 0; i < coded->row_count; i++) {
        if (rp_progress_get(&coded->rows[i]) < coded->column_count)
            rp_progress_set(&coded->rows[i], coded->column_count);
    }
    atomic_store_explicit(&coded->are_ended, true, memory_order_release);
}

bool
rp_kvazaar_coded_rows_are_there(const struct rp_kvazaar_coded_rows *coded, uint32_t column_count,
                                uint32_t first, uint32_t last)
{
    /* The last one first: those above it are mostly there when it is. */
    for (uint32_t i = last + 1; i-- > first;) {
        if (rp_progress_get(&coded->rows[i]) < column_count)
            return false;
    }
    return true;
}

void
rp_kvazaar_coded_rows_wait(struct rp_kvazaar_coded_rows *coded, uint32_t column_count,
                           uint32_t first, uint32_t last, struct rp_workers *workers)
{
    for (uint32_t i = last + 1; i-- > first;)
        rp_kvazaar_step_wait(workers, &coded->rows[i], column_count, true);
}

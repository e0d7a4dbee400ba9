/* SPDX-License-Identifier: MIT */
#include "codecs/kvazaar/coded_rows.h"

void
rp_kvazaar_coded_rows_clear(struct rp_kvazaar_coded_rows *coded)
{
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
}

bool
rp_kvazaar_coded_rows_are_all(const struct rp_kvazaar_coded_rows *coded)
{
    uint32_t i = 0;
    while (i < coded->row_count && rp_progress_get(&coded->rows[i]) == coded->column_count)
        i++;
    return i == coded->row_count;
}

void
rp_kvazaar_coded_rows_wait(struct rp_kvazaar_coded_rows *coded, uint32_t column_count,
                           uint32_t first, uint32_t last, uint64_t spin_ns)
{
    for (uint32_t i = first; i <= last; i++) {
        uint32_t done = rp_progress_get(&coded->rows[i]);
        while (done < column_count)
            done = rp_progress_wait(&coded->rows[i], done, spin_ns);
    }
}

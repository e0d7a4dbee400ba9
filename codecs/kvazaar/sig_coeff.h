/* SPDX-License-Identifier: MIT */
/* Which context codes sig_coeff_flag (9.3.4.2.5).
 */
#ifndef RP_CODECS_KVAZAAR_SIG_COEFF_H
#define RP_CODECS_KVAZAAR_SIG_COEFF_H

#include "global.h"
#include "tables.h"

#include <stdint.h>

/* ctxInc, from 0 on for both luma (type 0) and chroma: of the coefficient at x, y of a block, whose
 * group has, to the right (1) and below (2) of it, groups that are not zeros. */
static inline int32_t
rp_kvazaar_sig_coeff_context(int32_t coded_groups, uint32_t scan_idx, int32_t x, int32_t y,
                             int32_t log2_size, int8_t type)
{
    static const uint8_t of_4x4[16] = {0, 1, 4, 5, 2, 3, 4, 5, 6, 6, 8, 8, 7, 7, 8, 8};
    static const uint8_t in_group[4][16] = {
        {2, 1, 1, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0},
        {2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0},
        {2, 1, 0, 0, 2, 1, 0, 0, 2, 1, 0, 0, 2, 1, 0, 0},
        {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2},
    };
    const int32_t in_4x4 = 4 * (y & 3) + (x & 3);
    if (log2_size == 2)
        return of_4x4[in_4x4];
    if ((x | y) == 0)
        return 0;
    const int32_t of_size = log2_size == 3 ? (scan_idx == SCAN_DIAG ? 9 : 15) : type == 0 ? 21 : 12;
    return of_size + in_group[coded_groups][in_4x4] + (type == 0 && (x | y) > 3 ? 3 : 0);
}

#endif

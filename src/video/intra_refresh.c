/* SPDX-License-Identifier: MIT */
/* Columns from the left, rows from the top, or macroblocks in raster order.
 */
#include "video/intra_refresh.h"

#include "util/compiler.h"

bool
rp_intra_refresh_fill(const struct rp_intra_refresh *refresh, uint32_t width_mb, uint32_t height_mb,
                      uint32_t clean_region_count, uint8_t *force_intra, uint8_t *intra_clean)
{
    const uint32_t n = refresh->cycle_duration;
    const uint32_t clean_count = RP_MIN(clean_region_count, refresh->index);
    if (n == 0 || n > RP_INTRA_REFRESH_MAX_CYCLE || refresh->index >= n)
        return false;

    const bool is_column =
        refresh->mode == VK_VIDEO_ENCODE_INTRA_REFRESH_MODE_BLOCK_COLUMN_BASED_BIT_KHR;
    const bool is_row = refresh->mode == VK_VIDEO_ENCODE_INTRA_REFRESH_MODE_BLOCK_ROW_BASED_BIT_KHR;
    const uint32_t total = is_column ? width_mb : is_row ? height_mb : width_mb * height_mb;
    for (uint32_t mb = 0; mb < width_mb * height_mb; mb++) {
        const uint32_t place = is_column ? mb % width_mb : is_row ? mb / width_mb : mb;
        /* Equal parts as far as they can be; some are empty in a long cycle. */
        const uint32_t region = (uint32_t)((uint64_t)place * n / total);
        /* What an older reference does not have refreshed has to be coded again. */
        intra_clean[mb] = region < clean_count;
        force_intra[mb] = region >= clean_count && region <= refresh->index;
    }
    return true;
}

/* SPDX-License-Identifier: MIT */
/* Slices, columns from the left, rows from the top, or macroblocks in raster order.
 */
#include "video/encode/intra_refresh.h"

#include "util/compiler.h"

/* The slice that a macroblock is in. */
static uint32_t
slice_at(const struct rp_h264_encode_job *job, uint32_t mb)
{
    uint32_t low = 0;
    uint32_t high = job->slice_count - 1;
    while (low < high) {
        const uint32_t middle = (low + high + 1) / 2;
        if (job->slices[middle].first_mb <= mb)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* The slice, column, row or macroblock, counted; *total: how many there are. */
static uint32_t
place_of(const struct rp_intra_refresh *refresh, const struct rp_h264_encode_job *job, uint32_t mb,
         uint32_t *total)
{
    const uint32_t width_mb = (job->width_px + 15) / 16;
    const uint32_t height_mb = (job->height_px + 15) / 16;

    switch (refresh->mode) {
    case VK_VIDEO_ENCODE_INTRA_REFRESH_MODE_PER_PICTURE_PARTITION_BIT_KHR:
        *total = job->slice_count;
        return slice_at(job, mb);
    case VK_VIDEO_ENCODE_INTRA_REFRESH_MODE_BLOCK_COLUMN_BASED_BIT_KHR:
        *total = width_mb;
        return mb % width_mb;
    case VK_VIDEO_ENCODE_INTRA_REFRESH_MODE_BLOCK_ROW_BASED_BIT_KHR:
        *total = height_mb;
        return mb / width_mb;
    default:
        *total = width_mb * height_mb;
        return mb;
    }
}

bool
rp_intra_refresh_fill(const struct rp_intra_refresh *refresh, const struct rp_h264_encode_job *job,
                      uint32_t clean_region_count, uint8_t *force_intra, uint8_t *intra_clean)
{
    const uint32_t mb_count = ((job->width_px + 15) / 16) * ((job->height_px + 15) / 16);
    const uint32_t n = refresh->cycle_duration;
    const uint32_t clean_count = RP_MIN(clean_region_count, refresh->index);
    if (n == 0 || n > RP_INTRA_REFRESH_MAX_CYCLE || refresh->index >= n)
        return false;

    for (uint32_t mb = 0; mb < mb_count; mb++) {
        uint32_t total;
        const uint32_t place = place_of(refresh, job, mb, &total);
        /* Equal parts as far as they can be; some are empty in a long cycle. */
        const uint32_t region = (uint32_t)((uint64_t)place * n / total);
        /* What an older reference does not have refreshed has to be coded again. */
        intra_clean[mb] = region < clean_count;
        force_intra[mb] = region >= clean_count && region <= refresh->index;
    }
    return true;
}

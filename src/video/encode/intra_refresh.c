/* SPDX-License-Identifier: MIT */
/* Slices or tiles, columns from the left, rows from the top, or blocks in raster order.
 */
#include "video/encode/intra_refresh.h"

#include "util/compiler.h"

/* The one of the parts, which begin at first[], that place is in. */
static uint32_t
part_at(const uint32_t *first, uint32_t count, uint32_t place)
{
    uint32_t low = 0;
    uint32_t high = count - 1;
    while (low < high) {
        const uint32_t middle = (low + high + 1) / 2;
        if (first[middle] <= place)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* The slice or tile that a block is in. */
static uint32_t
partition_at(const struct rp_intra_refresh_blocks *blocks, uint32_t block, uint32_t *total)
{
    const struct rp_intra_refresh_tiles *tiles = blocks->tiles;
    if (!tiles) {
        *total = blocks->partition_count;
        return part_at(blocks->partition_first, blocks->partition_count, block);
    }
    *total = tiles->col_count * tiles->row_count;
    return part_at(tiles->first_rows, tiles->row_count, block / blocks->width) * tiles->col_count +
           part_at(tiles->first_cols, tiles->col_count, block % blocks->width);
}

/* The partition, column, row or block, counted; *total: how many there are. */
static uint32_t
place_of(const struct rp_intra_refresh *refresh, const struct rp_intra_refresh_blocks *blocks,
         uint32_t block, uint32_t *total)
{
    switch (refresh->mode) {
    case VK_VIDEO_ENCODE_INTRA_REFRESH_MODE_PER_PICTURE_PARTITION_BIT_KHR:
        return partition_at(blocks, block, total);
    case VK_VIDEO_ENCODE_INTRA_REFRESH_MODE_BLOCK_COLUMN_BASED_BIT_KHR:
        *total = blocks->width;
        return block % blocks->width;
    case VK_VIDEO_ENCODE_INTRA_REFRESH_MODE_BLOCK_ROW_BASED_BIT_KHR:
        *total = blocks->height;
        return block / blocks->width;
    default:
        *total = blocks->width * blocks->height;
        return block;
    }
}

bool
rp_intra_refresh_fill(const struct rp_intra_refresh *refresh,
                      const struct rp_intra_refresh_blocks *blocks, uint32_t clean_region_count,
                      uint8_t *force_intra, uint8_t *intra_clean)
{
    const uint32_t block_count = blocks->width * blocks->height;
    const uint32_t n = refresh->cycle_duration;
    const uint32_t clean_count = RP_MIN(clean_region_count, refresh->index);
    if (n == 0 || n > RP_INTRA_REFRESH_MAX_CYCLE || refresh->index >= n)
        return false;

    for (uint32_t block = 0; block < block_count; block++) {
        uint32_t total;
        const uint32_t place = place_of(refresh, blocks, block, &total);
        /* Equal parts as far as they can be; some are empty in a long cycle. */
        const uint32_t region = (uint32_t)((uint64_t)place * n / total);
        /* What an older reference does not have refreshed has to be coded again. */
        intra_clean[block] = region < clean_count;
        force_intra[block] = region >= clean_count && region <= refresh->index;
    }
    return true;
}

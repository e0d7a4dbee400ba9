/* SPDX-License-Identifier: MIT */
/* Intra refresh: the regions of a cycle as blocks of the standard.
 *
 * Region i of a cycle of n is intra coded in the cycle's picture i, and from then on nothing in it
 * is predicted from what is not refreshed yet.
 */
#ifndef RP_VIDEO_ENCODE_INTRA_REFRESH_H
#define RP_VIDEO_ENCODE_INTRA_REFRESH_H

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stdint.h>

#define RP_INTRA_REFRESH_MODES \
    (VK_VIDEO_ENCODE_INTRA_REFRESH_MODE_PER_PICTURE_PARTITION_BIT_KHR | \
     VK_VIDEO_ENCODE_INTRA_REFRESH_MODE_BLOCK_BASED_BIT_KHR | \
     VK_VIDEO_ENCODE_INTRA_REFRESH_MODE_BLOCK_ROW_BASED_BIT_KHR | \
     VK_VIDEO_ENCODE_INTRA_REFRESH_MODE_BLOCK_COLUMN_BASED_BIT_KHR)
#define RP_INTRA_REFRESH_MAX_CYCLE 256u

struct rp_intra_refresh {
    VkVideoEncodeIntraRefreshModeFlagBitsKHR mode; /* NONE: the picture has none */
    uint32_t cycle_duration;
    uint32_t index;
};

/* Rectangles of blocks, counted row by row. */
struct rp_intra_refresh_tiles {
    const uint32_t *first_cols; /* the first column of blocks of each, ascending from 0 */
    uint32_t col_count;
    const uint32_t *first_rows;
    uint32_t row_count;
};

/* A picture as blocks of the standard's refresh size. Its partitions are slices, which follow each
 * other in raster order, or tiles. */
struct rp_intra_refresh_blocks {
    uint32_t width;
    uint32_t height;
    const uint32_t *partition_first; /* the first block of each slice, ascending from 0 */
    uint32_t partition_count;
    const struct rp_intra_refresh_tiles *tiles; /* or NULL */
};

/* Per block, what reelpipe/encode.h calls force_intra and intra_clean. clean_region_count: regions
 * below it are refreshed in every reference of the picture. False for a cycle that cannot be. */
bool rp_intra_refresh_fill(const struct rp_intra_refresh *refresh,
                           const struct rp_intra_refresh_blocks *blocks,
                           uint32_t clean_region_count, uint8_t *force_intra, uint8_t *intra_clean);

#endif

/* SPDX-License-Identifier: MIT */
/* The tiles of a picture (5.9.15), in superblocks.
 */
#ifndef RP_CODECS_AOM_TILES_H
#define RP_CODECS_AOM_TILES_H

#include "reelpipe/encode_av1.h"

#include <stdbool.h>
#include <stdint.h>

struct rp_aom_tiles {
    bool is_uniform;
    bool has_logs; /* libaom gets the logarithms, not the sizes, which it would cut once more */
    uint32_t cols_log2;
    uint32_t rows_log2;
    uint32_t cols;
    uint32_t rows;
    uint16_t widths_sb_minus_1[RP_AV1_ENCODE_MAX_TILE_COLS];
    uint16_t heights_sb_minus_1[RP_AV1_ENCODE_MAX_TILE_ROWS];
};

/* What info says of a frame of this size; NULL: as few tiles as it can have. False when there is no
 * such layout. Uniform spacing gives the least layout that has at least as many tiles. */
bool rp_aom_tiles_init(struct rp_aom_tiles *tiles, uint32_t width_px, uint32_t height_px,
                       const StdVideoAV1TileInfo *info);

#endif

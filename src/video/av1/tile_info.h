/* SPDX-License-Identifier: MIT */
/* The tiles of an AV1 frame (tile_info(), 5.9.15, 6.8.14).
 */
#ifndef RP_VIDEO_AV1_TILE_INFO_H
#define RP_VIDEO_AV1_TILE_INFO_H

#include "video/av1/sequence.h"

#define RP_AV1_MAX_TILE_COLS 64
#define RP_AV1_MAX_TILE_ROWS 64

struct rp_av1_tile_info {
    bool uniform_tile_spacing_flag;
    uint32_t tile_cols_log2; /* TileColsLog2: coded when spacing is uniform, else it follows */
    uint32_t tile_rows_log2;
    uint32_t width_in_sbs_minus_1[RP_AV1_MAX_TILE_COLS]; /* coded when spacing is not uniform */
    uint32_t height_in_sbs_minus_1[RP_AV1_MAX_TILE_ROWS];
    uint32_t tile_cols; /* TileCols: how many there are; follows */
    uint32_t tile_rows;
    uint32_t context_update_tile_id;
    uint32_t tile_size_bytes_minus_1;
};

/* What the size of a frame allows. */
struct rp_av1_tile_limits {
    uint32_t sb_cols; /* superblocks */
    uint32_t sb_rows;
    uint32_t max_tile_width_sb;
    uint32_t min_log2_tile_cols;
    uint32_t max_log2_tile_cols;
    uint32_t max_log2_tile_rows;
    uint32_t min_log2_tiles;
};

/* frame_width_px is the width that is coded: in front of super-resolution. */
struct rp_av1_tile_limits rp_av1_tile_limits_get(const struct rp_av1_sequence *seq,
                                                 uint32_t frame_width_px, uint32_t frame_height_px);

void rp_av1_code_tile_info(struct rp_av1_syntax *syntax, const struct rp_av1_tile_limits *limits,
                           struct rp_av1_tile_info *tiles);

/* tile_log2(): the smallest k with block << k at least target (5.9.16). */
uint32_t rp_av1_tile_log2(uint32_t block, uint32_t target);

#endif

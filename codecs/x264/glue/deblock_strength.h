/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loop filter strengths that tell pictures apart, not list entries.
 */
#ifndef RP_CODECS_X264_GLUE_DEBLOCK_STRENGTH_H
#define RP_CODECS_X264_GLUE_DEBLOCK_STRENGTH_H

#include "context.h"

struct rp_x264_block_motion {
    int id[2]; /* picture per list; -1: list not used */
    const int16_t *mv[2];
};

/* "Different reference pictures or motion vectors". limit: of vertical distance. */
bool rp_x264_motion_is_different(const struct rp_x264_block_motion *p,
                                 const struct rp_x264_block_motion *q, int limit);

/* x264's loopf.deblock_strength for pictures whose lists name a picture twice. */
void rp_x264_deblock_strength(uint8_t nnz[X264_SCAN8_SIZE], int8_t ref[2][X264_SCAN8_LUMA_SIZE],
                              int16_t mv[2][X264_SCAN8_LUMA_SIZE][2], uint8_t bs[2][8][4],
                              int mvy_limit, int is_b);

#endif

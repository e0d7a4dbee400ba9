/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tokens of 16 bits between the recorder and the player of CABAC rows.
 */
#ifndef RP_CODECS_X264_GLUE_ROW_TOKENS_H
#define RP_CODECS_X264_GLUE_ROW_TOKENS_H

#include "glue/core.h"

/* Below RP_X264_TOKEN_BYPASS: a bin, and above it its context. */
enum rp_x264_token {
    RP_X264_TOKEN_BYPASS = 0x8000,    /* and the bin */
    RP_X264_TOKEN_UE = 0x9000,        /* and the order of Exp-Golomb; the value in two more */
    RP_X264_TOKEN_TERMINATE = 0xa000, /* and 1: end_of_slice_flag, else in mb_type */
    RP_X264_TOKEN_PCM = 0xb000,       /* 384 bytes of samples follow */
    RP_X264_TOKEN_BLOCK = 0xc000,     /* and ctxBlockCat */
    RP_X264_TOKEN_QP = 0xd000,        /* and the macroblock's QP: mb_qp_delta */
};

#define RP_X264_PCM_B 384

/* A block's coefficients as x264's residual coder is given them; behind it is the next one. */
static inline uint8_t *
rp_x264_block_at(uint8_t *blocks, int category)
{
    const uintptr_t mask = x264_count_cat_m1[category] == 63 ? 63 : 0;
    return (uint8_t *)(((uintptr_t)blocks + mask) & ~mask);
}

/* Its first coefficient: blocks of 15 are read from one before. */
static inline dctcoef *
rp_x264_block_coefficients(uint8_t *block, int category)
{
    return (dctcoef *)block + (x264_count_cat_m1[category] == 14);
}

static inline size_t
rp_x264_block_size_B(int category)
{
    return x264_count_cat_m1[category] == 63 ? 128 : 32;
}

#endif

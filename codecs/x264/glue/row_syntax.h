/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a row of macroblocks is in the stream, as far as it is known before the rows above are
 * written.
 *
 * With CAVLC that is the row's bits, but for three places that depend on those before: the first
 * mb_skip_run, the first mb_qp_delta, and where the samples of I_PCM macroblocks are aligned. With
 * CABAC it is tokens: bins with their contexts, and blocks of coefficients, which are binarised
 * when the arithmetic coder gets to them.
 */
#ifndef RP_CODECS_X264_GLUE_ROW_SYNTAX_H
#define RP_CODECS_X264_GLUE_ROW_SYNTAX_H

#include "context.h"

/* Room that a macroblock takes at most, the attempts included that are taken back; in blocks of
 * coefficients there is room for aligning them. */
#define RP_X264_ROW_MB_B 4096
#define RP_X264_ROW_MB_BLOCKS_B 1536

struct rp_x264_row_syntax {
    uint8_t *data;   /* borrowed: RP_X264_ROW_MB_B for each macroblock; bits, or tokens */
    uint8_t *blocks; /* borrowed: RP_X264_ROW_MB_BLOCKS_B for each, with CABAC */
    int *samples_at; /* borrowed: the bit behind each pcm mb_type, before it is aligned; CAVLC */
    int samples_count;
    int size; /* in bits or bytes */

    bool has_coded; /* a macroblock that is not skipped; CAVLC */
    int leading_skips;
    int trailing_skips;

    /* QPs: the first mb_qp_delta is from what the rows before leave. -1: none has one. */
    int first_qp;
    int last_qp;
    int leading_mbs; /* before the one with the first mb_qp_delta */
    int delta_at;    /* CAVLC: where one bit stands for it */
    int qp_sum;      /* of all macroblocks */
};

/* Bins of a row as tokens, those of a context in their order, for who goes on with its states; what
 * there is no room for is left out. */
struct rp_x264_row_bins {
    uint16_t *tokens; /* borrowed */
    int *ends;        /* borrowed: by macroblock, the count with its own */
    int count;
    int room;
};

/* One thread's x264, with which it codes rows; x264's functions get h alone. */
struct rp_x264_row_coder {
    x264_t h;
    x264_frame_t frame; /* h.fdec with intra refresh, whose column x264 looks for there */
    struct rp_x264_row_syntax *row; /* the row at hand */
    struct rp_x264_row_coder *next; /* that nobody codes with */
    struct rp_x264_row_bins *bins;  /* of the row; NULL: nobody decides by CABAC states */
    int mb_counts[19];              /* by type, of the picture */
    uint64_t spin_ns;               /* before it sleeps while it waits for others */
};

static inline struct rp_x264_row_coder *
rp_x264_row_coder_of(x264_t *h)
{
    return (struct rp_x264_row_coder *)h;
}

/* core_cavlc.c: x264_macroblock_write_cavlc() into the row. */
void rp_x264_row_write_cavlc(x264_t *h);

/* core_cabac.c: x264's functions of these names, whose coder is h's own: p is where the next token
 * goes, p_end where the next block goes. With bins, states go on with what is written. */
void rp_x264_row_write_cabac(x264_t *h, x264_cabac_t *cb);
void rp_x264_row_write_skip(x264_t *h, int is_skipped);
void rp_x264_row_write_end_of_slice(x264_cabac_t *cb);

/* Macroblock x has been written, from token first on. Its bins are noted; those of its blocks and
 * of its QP have been. */
void rp_x264_row_note_bins(x264_t *h, int x, const uint8_t *first);

/* About how many bits tokens from first on take, with states that start as given. */
int rp_x264_row_count_bits(x264_t *h, const x264_cabac_t *start, const uint8_t *first,
                           const uint8_t *first_block);

/* row_play.c: puts the row's tokens through the arithmetic coder. last_qp: of the macroblock
 * before; it moves on. last_delta: its mb_qp_delta, which moves on too. */
void rp_x264_row_play(x264_t *h, x264_cabac_t *cb, const struct rp_x264_row_syntax *row,
                      int *last_qp, int *last_delta);

#endif

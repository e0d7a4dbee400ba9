/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What this folder reaches inside x264 beyond x264's own headers.
 *
 *   core_base, core_encoder, core_analyse, core_deblock, core_rate, core_cabac, core_cavlc  x264's
 *                     files of these names; the last two are for row_syntax alone
 *   bipred            averages with the weights that x264's do not take
 *   deblock_strength  loop filter strengths that tell pictures apart, not list entries
 *   intra_x9          the choice among nine intra modes that x264's assembly makes, in C
 *   mb_limits         the level's limits of macroblocks, which x264 does not keep
 *   row_syntax        rows that are coded before their place in the slice is known; row_play
 *   wait_rows         waiting for rows of a reference that another thread is coding
 *
 * core_*.c include x264's files unchanged and open their static functions. Every file that
 * includes this one is compiled with x264's flags, and every function that other code calls is
 * RP_X264_ENTRY: x264's objects count on a more aligned stack than the ABI gives.
 */
#ifndef RP_CODECS_X264_GLUE_CORE_H
#define RP_CODECS_X264_GLUE_CORE_H

#include "common/common.h"
#include "platform/progress.h"

#include <limits.h>
#include <stdbool.h>

#define RP_X264_ENTRY REALIGN_STACK

/* Allocations of one x264_encoder_open(), so that they can be given back when it fails: x264
 * itself drops them. */
#define RP_X264_NOTED_MAX 1024
struct rp_x264_noted {
    void *memory[RP_X264_NOTED_MAX];
    int count;
};

/* core_base.c. Between begin and end x264's allocations on this thread are noted. */
void rp_x264_noted_begin(struct rp_x264_noted *noted);
void rp_x264_noted_end(void);
void rp_x264_noted_free(struct rp_x264_noted *noted);

/* core_encoder.c. NULL when memory is short. */
x264_t *rp_x264_open(x264_param_t *params);
void rp_x264_close(x264_t *h);

/* x264's static functions of these names. slice_write() writes the slice from
 * h->sh.i_first_mb to i_last_mb and filters the rows that it completes. Negative: out of memory.
 */
int rp_x264_slice_write(x264_t *h);
void rp_x264_weighted_pred_init(x264_t *h);
void rp_x264_nal_start(x264_t *h, int type, int ref_idc);
int rp_x264_nal_end(x264_t *h);

/* core_encoder.c, for who codes macroblocks in place of slice_write(). The first decides on the one
 * at hand; the second makes room for a row of them in h->out, false: memory is short. */
void rp_x264_macroblock_analyse(x264_t *h);
bool rp_x264_bitstream_has_room(x264_t *h);

/* wait_rows.c, in place of x264_frame_cond_wait(): returns when so many lines are there; and of
 * x264_frame_cond_broadcast(). A frame that others wait for has its struct rp_x264_told_rows in
 * opaque. */
#define RP_X264_ALL_LINES (INT_MAX / 2)
struct rp_x264_told_rows {
    struct rp_progress lines;   /* that are done */
    struct rp_workers *workers; /* borrowed: threads that look for rows that are ready */
};
int rp_x264_wait_rows(x264_frame_t *frame, int lines);
void rp_x264_tell_rows(x264_frame_t *frame, int lines);
bool rp_x264_has_rows(const x264_frame_t *frame, int lines); /* it would not wait */

/* core_encoder.c. x264's own filter of row mb_y - 1. */
void rp_x264_filter_row(x264_t *h, int mb_y);

/* core_rate.c. The picture that begins has no rate control. */
void rp_x264_rate_fix_qp(x264_t *h, float qp);
/* Holds QP from here on, inside a picture. */
void rp_x264_rate_set_qp(x264_t *h, float qp);

/* core_analyse.c. Costs of a picture in half size, intra coded and against one reference, which
 * x264's lookahead leaves for its rate control. Rows are begun from the last one, each at its last
 * macroblock: one needs those of the row below up to the one to the left. */
struct rp_x264_lowres_pair {
    x264_frame_t *picture; /* its costs are not known */
    x264_frame_t *ref;     /* NULL: costs of intra coding alone */
};

#define RP_X264_COST_COUNT 5
struct rp_x264_row_cost {
    int intra[RP_X264_COST_COUNT];
    int inter[RP_X264_COST_COUNT];
};

/* Macroblocks [first_x, end_x) of row y, added to its cost; the next ones of the row are those in
 * front of them, with the same h. Then what all rows sum up to. */
void rp_x264_lowres_cost_row(x264_t *h, const struct rp_x264_lowres_pair *pair, int y, int first_x,
                             int end_x, struct rp_x264_row_cost *cost);
void rp_x264_lowres_cost_sum(const x264_t *h, const struct rp_x264_lowres_pair *pair,
                             const struct rp_x264_row_cost *rows);

#endif

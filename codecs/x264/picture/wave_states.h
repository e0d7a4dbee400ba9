/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The CABAC states that a row begins with, where decisions go by states.
 *
 * x264 goes on with the states that the row above ends with, which are not known yet. What is known
 * when a row begins is the first macroblocks of the row above, twice as many of the one above that,
 * and so on. The states that the row above began with learn from those that were not known then,
 * and the row begins with them. So each macroblock is learned from once, in an order that is not
 * the stream's, but the same for every number of threads.
 */
#ifndef RP_CODECS_X264_PICTURE_WAVE_STATES_H
#define RP_CODECS_X264_PICTURE_WAVE_STATES_H

#include "glue/row_syntax.h"

struct rp_x264_wave;

struct rp_x264_wave_states {
    uint8_t learned[1024]; /* what the row begun last has begun with */
    int step_mb;           /* that a row is known to be ahead of the next one when that begins */
    int reach_rows;        /* after so many all of a row is known */
    int ring_count;        /* row y is in rows[y % ring_count] */
    struct rp_x264_row_bins *rows; /* owned; NULL: nobody decides by states */
    void *memory;                  /* of their tokens; owned */
};

/* Zeroed: nobody decides by states. False when memory is short; finish() takes what there is. */
bool rp_x264_wave_states_init(struct rp_x264_wave_states *states, const x264_t *h);
void rp_x264_wave_states_finish(struct rp_x264_wave_states *states);

/* The slice begins: its useful threads and wave->cabac_at_start are known. */
void rp_x264_wave_states_begin(struct rp_x264_wave *wave);

/* Row y begins: waits until what its states are learned from is known. Nobody is told of row y
 * before, so rows do this one after the other. */
void rp_x264_wave_states_begin_row(struct rp_x264_wave *wave, struct rp_x264_row_coder *coder,
                                   int y);

#endif

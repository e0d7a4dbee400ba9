/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rate control of rows that are coded side by side: each has its QP before all of those above are
 * coded. It is planned by the rows up to a fixed number above it, and by what those in between are
 * expected to take: bytes do not depend on which of them are coded at the same time.
 */
#ifndef RP_CODECS_X264_RATE_ROWS_H
#define RP_CODECS_X264_RATE_ROWS_H

#include "rate/layer.h"

struct rp_x264_rate_planned_rows {
    int delay; /* a row's QP is known when the one so many above it is coded */
    float qp[RP_X264_MAX_ROWS];
    int part_bits; /* of the slices that have ended in the row under way */
    int part_qp_sum;
};

/* Whether rows of h's pictures may be coded so: in low ones the delay would be too large a part. */
bool rp_x264_rate_rows_can_be_planned(const x264_t *h);

/* h's picture or band begins, whose rate control has been started. */
void rp_x264_rate_rows_begin(struct rp_x264_rate_planned_rows *rows, const x264_t *h);

/* Row y, after all above it, has been coded, or a slice's part of it: when it is_complete another
 * one is planned. h may be any that codes rows of the picture. qp_sum: of the macroblocks. */
void rp_x264_rate_rows_coded(struct rp_x264_rate_planned_rows *rows, x264_t *h, int y, int bits,
                             int qp_sum, bool is_complete);

#endif

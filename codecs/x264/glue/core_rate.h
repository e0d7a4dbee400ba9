/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x264's rate control state, which only ratecontrol.c knows, behind functions: what rate/ reads of
 * it and plans in it. Slice types are x264's, bits are bits, qscales those of ratecontrol.c.
 */
#ifndef RP_CODECS_X264_GLUE_CORE_RATE_H
#define RP_CODECS_X264_GLUE_CORE_RATE_H

#include "codecs/rate/target.h"
#include "glue/core.h"

/* Bits in the buffer after the last picture; with filler, or if all of it can be without. */
struct rp_x264_rc_fill {
    double most_bits;
    double least_bits;
};

/* The picture that x264_ratecontrol_start() has begun. */
struct rp_x264_rc_picture {
    float qp;
    float last_qscale; /* of the picture before */
    float qp_sum;      /* of the macroblocks coded so far */
    float satd;
    int block_count; /* macroblocks */
    double planned_bits;
    double most_bits;
    double fill_bits; /* in the buffer, as its rows are to see it */
    bool fills_whole_buffer;
};

float rp_x264_qscale_from_qp(float qp);
float rp_x264_qp_from_qscale(float qscale);

/* A state with h's tables, of which no rate is set. NULL when memory is short. */
x264_ratecontrol_t *rp_x264_rc_create(x264_t *h);
void rp_x264_rc_destroy(x264_ratecontrol_t *rc); /* accepts NULL */
void rp_x264_rc_copy(x264_ratecontrol_t *to, const x264_ratecontrol_t *from);

/* What pictures leave when they end is made the base's; what rc's own picture did stays. */
void rp_x264_rc_rebase(x264_ratecontrol_t *rc, const x264_ratecontrol_t *base);

/* change: how many times the rate before that is; 0: there was none. */
void rp_x264_rc_set_rate(x264_ratecontrol_t *rc, const struct rp_rate_target *target,
                         double buffer_bits, double change);

/* x264 counts the buffer's bits in units of one over the time scale. */
struct rp_x264_rc_fill rp_x264_rc_fill(const x264_ratecontrol_t *rc, double time_scale);
void rp_x264_rc_set_fill(x264_ratecontrol_t *rc, double bits, double time_scale);

/* Counts a picture of so many bits as if it had ended. */
void rp_x264_rc_take_from_fill(x264_ratecontrol_t *rc, double bits, double time_scale);

struct rp_x264_rc_picture rp_x264_rc_picture(const x264_ratecontrol_t *rc);

/* What x264's predictor expects of a picture. */
float rp_x264_rc_predict(const x264_ratecontrol_t *rc, int type, float qscale, float satd);

/* The picture of h begins with qp, in place of x264's choice. */
void rp_x264_rc_choose_qp(x264_t *h, int type, float qp);

/* Bits that its rows are to sum up to; when it is coded again, other threads are not told. */
void rp_x264_rc_plan_bits(x264_ratecontrol_t *rc, double bits);
void rp_x264_rc_plan_retry(x264_ratecontrol_t *rc, double bits);

/* Bits that it may take, and that its rows may take from the buffer. */
void rp_x264_rc_bound(x264_ratecontrol_t *rc, double most_bits);
void rp_x264_rc_bound_fill(x264_ratecontrol_t *rc, double most_bits);

/* Whether x264 changes the QP from row to row. */
void rp_x264_rc_control_rows(x264_ratecontrol_t *rc, bool is_on);

/* Row y of h's picture, after all above it, has been coded with qp: its bits are in h->fdec.
 * qp_sum: of its macroblocks. Then the QP of the row behind last: rows from y to last have the QPs
 * given, and those behind y are not coded yet. h->mb.i_mb_x and i_mb_y change. */
void rp_x264_rc_note_row(x264_t *h, int y, float qp, int qp_sum);
float rp_x264_rc_plan_row(x264_t *h, const float *qps, int y, int last);

/* What rows of h's picture are expected to take with its QP. */
double rp_x264_rc_rows_bits(x264_t *h, int first_row, int end_row);

/* A state for some rows of a picture alone: NULL when memory is short. It is rc's, with that
 * part of its bits; sum_shares() gives rc what they have learnt. */
x264_ratecontrol_t *rp_x264_rc_create_share(void);
void rp_x264_rc_destroy_share(x264_ratecontrol_t *share); /* accepts NULL */
void rp_x264_rc_take_share(x264_ratecontrol_t *share, const x264_ratecontrol_t *rc, int type,
                           double part);
void rp_x264_rc_sum_shares(x264_ratecontrol_t *rc, int type, x264_ratecontrol_t *const *shares,
                           int count);

#endif

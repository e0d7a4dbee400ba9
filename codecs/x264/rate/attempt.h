/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One picture with rate control from its plan to its end.
 *
 * It works with a copy of its layer's state, so that two pictures can be coded side by side: what
 * it did is put together with what those before it left when they have ended. The next one is
 * planned by the state before this one and by what this one's first rows let expect; always, so
 * that bytes do not depend on which of them are coded at the same time.
 */
#ifndef RP_CODECS_X264_RATE_ATTEMPT_H
#define RP_CODECS_X264_RATE_ATTEMPT_H

#include "rate/bands.h"
#include "rate/rows.h"
#include "rate/session.h"

struct rp_encoder;

struct rp_x264_rate_attempt {
    struct rp_x264_rate_layer layer;         /* the picture's copy */
    struct rp_x264_rate_layer *shared_layer; /* borrowed: the session's, whose copy layer is */
    struct rp_encoder *enc;                  /* borrowed, as rate */
    struct rp_encoder_rate *rate;
    uint64_t number;
    uint64_t version;
    uint64_t serial; /* of the reconstruction; 0: none is kept */
    bool is_weighed; /* its offsets have those of mb_persistence.h */
    bool follows;    /* planned by a partial result of the picture before */
    int first_qp;    /* of the picture as it was planned */
    int show_row;    /* after which the next picture has its partial result; -1: it gets none */

    /* The picture before as a reference, whose rows are seen as they become certain. */
    const x264_frame_t *reference; /* NULL: it is none, or complete */
    int shown_rows;                /* of it, when this one was planned */
    int seen_rows;
    float row_qp[RP_X264_MAX_ROWS];
    float row_qscale[RP_X264_MAX_ROWS];
    int row_bits[RP_X264_MAX_ROWS];
    int row_satd[RP_X264_MAX_ROWS];

    struct rp_x264_row_cost row_costs[RP_X264_MAX_ROWS]; /* in half size */
    struct rp_x264_rate_bands bands;
    struct rp_x264_rate_planned_rows planned_rows;
};

/* Makes ctx->attempt. False when memory is short. */
bool rp_x264_rate_attempt_reserve(struct rp_x264_context *ctx);
void rp_x264_rate_attempt_destroy(struct rp_x264_rate_attempt *attempt); /* accepts NULL */

/* The views of attempt->reference get its rows as far as they are known, the others as they should
 * come out. layer is the picture's before as far as that is known. */
void rp_x264_rate_attempt_refer(struct rp_x264_rate_attempt *attempt, x264_t *h);

/* At the end of a row: more of them are known. band: that the row is of; NULL: there are none. */
void rp_x264_rate_attempt_see_rows(struct rp_x264_rate_attempt *attempt, const x264_t *h,
                                   struct rp_x264_rate_band *band);

/* Rows of a picture that are coded before the next one is planned; with bands, those that have
 * them. */
static inline int
rp_x264_rate_shown_rows(const x264_t *h)
{
    return (3 * h->mb.i_mb_height + 7) / 8;
}

#endif

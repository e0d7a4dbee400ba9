/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which macroblocks persist: those that later pictures go on from are worth more bits. x264's
 * macroblock tree looks for them in pictures to come; there are none here, but what pictures before
 * have shown mostly goes on.
 */
#ifndef RP_CODECS_X264_RATE_MB_PERSISTENCE_H
#define RP_CODECS_X264_RATE_MB_PERSISTENCE_H

#include "context.h"

#include "rate/layer.h"

#define RP_X264_PERSISTENCE_STEPS 256

struct rp_x264_persistent_mb {
    uint16_t lasting;    /* part of it that pictures take from the one before, of 65536 */
    uint16_t intra_cost; /* in the last picture, in half size */
    float offset_qp;     /* of the picture under way, less than others'; scratch */
};

/* What a row's macroblocks cost, and with their weights. */
struct rp_x264_persistence_sums {
    double cost;
    double weighted;
};

/* State of one session, whose pictures with rate control come to it in their order. */
struct rp_x264_mb_persistence {
    struct rp_x264_persistent_mb *mb; /* owned; NULL until the first picture */
    int count;
    float shift_qp; /* between such offsets and those that leave P pictures their bits */
    int horizon;    /* pictures that the tables are for; -1: none */
    float offset_qp[RP_X264_PERSISTENCE_STEPS]; /* for what part of a macroblock lasts */
    int weight[RP_X264_PERSISTENCE_STEPS];      /* 256 * what that makes of its bits */
    struct rp_x264_persistence_sums row_sums[RP_X264_MAX_ROWS]; /* scratch */
};

void rp_x264_mb_persistence_finish(struct rp_x264_mb_persistence *persistence);

/* Adds to the QP offsets of h's picture, whose costs in half size are known; they count for what
 * its rows are expected to take, too. Begin; then each row once, in any order and side by side;
 * then the end. left: pictures to the next I picture; as many descendants are expected at the most.
 * is_inter: it may refer to others. False when memory is short. */
bool rp_x264_mb_persistence_begin(struct rp_x264_mb_persistence *persistence, const x264_t *h,
                                  int left);
void rp_x264_mb_persistence_weigh_row(struct rp_x264_mb_persistence *persistence, x264_t *h, int y,
                                      bool is_inter);
void rp_x264_mb_persistence_end(struct rp_x264_mb_persistence *persistence, x264_t *h,
                                bool is_inter);

#endif

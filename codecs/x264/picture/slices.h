/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A picture of several slices: who codes them, and the filter that follows.
 *
 * A band is a run of slices that begins with a row of macroblocks. Bands are coded without a look
 * at each other, by as many contexts as there are threads to be had: bytes do not depend on who
 * coded which. Rows are filtered in their order as soon as they are coded, by whoever finds the
 * next one ready, each macroblock as its slice says. Where slices meet, strengths are made when
 * both sides are known.
 */
#ifndef RP_CODECS_X264_PICTURE_SLICES_H
#define RP_CODECS_X264_PICTURE_SLICES_H

#include "context.h"

#include <pthread.h>

struct rp_encoder;
struct rp_x264_rate_bands;

/* Where a slice's NAL unit is: its index in the context that coded it. */
struct rp_x264_coded_slice {
    struct rp_x264_context *ctx;
    int nal;
};

struct rp_x264_slices {
    /* The picture; as it is from its start to its end. */
    struct rp_encoder *enc;
    struct rp_x264_context *owner; /* whose arrays all contexts share */
    const struct rp_h264_encode_job *job;
    x264_frame_t *frame;             /* the reconstruction */
    x264_frame_t frame_at_start;     /* for those who join */
    bool has_bands;                  /* more than one, if slices begin with rows */
    struct rp_x264_rate_bands *rate; /* of a picture with rate control that has some; or NULL */
    int shown_bands; /* of these, before the next picture is planned; 0: it waits for the end */

    struct rp_x264_coded_slice *coded; /* owned, of capacity; each written by who codes it */
    uint32_t capacity;
    uint8_t (*strengths)[2][8][4]; /* owned, per macroblock: of the loop filter */
    uint32_t filter_slice;         /* the filter's: of the macroblock at hand */

    pthread_mutex_t weights_mutex; /* guards the lines of weighted references that are not made */

    pthread_mutex_t mutex; /* guards all below */
    uint32_t next_slice;   /* the first that nobody codes yet */
    int next_rate_band;
    int coded_bands; /* of the first shown_bands */
    bool has_failed;
    uint8_t *row_is_coded; /* owned, per row of macroblocks */
    int next_row;          /* to be filtered */
    bool is_filtering;
    int mb_counts[19];               /* by type, of bands that are coded */
    struct rp_x264_context *helpers; /* by next_helper; the caller's until they are released */
};

/* Makes ctx->slices with room for the job's. False when memory is short. */
bool rp_x264_slices_reserve(struct rp_x264_context *ctx);
void rp_x264_slices_destroy(struct rp_x264_slices *slices); /* accepts NULL */

/* Codes all slices of ctx->job, for which ctx is ready. False when memory ran short. */
bool rp_x264_slices_code(struct rp_encoder *enc, struct rp_x264_context *ctx);

/* Gives back the contexts that helped: nobody needs their NAL units any more. */
void rp_x264_slices_release(struct rp_x264_context *ctx);

/* Slice index is about to be written: h->sh says what it is. */
void rp_x264_slice_begin(struct rp_x264_context *ctx, uint32_t index);

/* row_filter.c: the functions of these names in rp_x264_hooks. */
void rp_x264_slices_filter_coded_rows(x264_t *h, int mb_y);
const struct rp_h264_slice *rp_x264_slices_filtered_slice(x264_t *h, int mb_xy);
void rp_x264_slices_filter_edges(x264_t *h, int mb_x, int mb_y);

#endif

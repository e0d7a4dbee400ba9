/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rate control of slices that are coded side by side.
 *
 * The picture's rows are parted into bands, runs of whole slices. Each has its share of all that
 * the picture may take, by what its rows are expected to cost, and is controlled by x264 as a
 * picture of its own: no band looks at another one, and bytes do not depend on who codes which, and
 * when. What they leave is put together in their order.
 */
#ifndef RP_CODECS_X264_RATE_BANDS_H
#define RP_CODECS_X264_RATE_BANDS_H

#include "rate/rows.h"

/* Lower bands could hardly make good what their first rows take. */
#define RP_X264_RATE_BANDS 8

struct rp_x264_rate_band {
    x264_ratecontrol_t *rc; /* owned; NULL until first used */
    int first_row;
    int end_row;
    int seen_rows;                                 /* of a reference that is still being coded */
    struct rp_x264_rate_planned_rows planned_rows; /* of slices whose rows are side by side */
    /* QPs of rows as x264 is to see them: row 0 has that of the band's first. */
    float row_qp[RP_X264_MAX_ROWS];
};

struct rp_x264_rate_bands {
    int count; /* 0: the picture is controlled as a whole */
    struct rp_x264_rate_band band[RP_X264_RATE_BANDS];
};

/* Makes the bands' states. False when memory is short. */
bool rp_x264_rate_bands_open(struct rp_x264_rate_bands *bands);
void rp_x264_rate_bands_finish(struct rp_x264_rate_bands *bands);

/* Parts the job's slices: sets count and rows. */
void rp_x264_rate_bands_part(struct rp_x264_rate_bands *bands, const struct rp_h264_encode_job *job,
                             const x264_t *h);

/* Whether what the picture takes can be foreseen: if not, its rows had better go on from each
 * other. h has been started. */
bool rp_x264_rate_is_foreseen(const x264_t *h);

/* Plans the bands: the picture has been started by layer, which h is attached to.
 * shown_rows: of the reference that is still being coded, if there is one. */
void rp_x264_rate_bands_plan(struct rp_x264_rate_bands *bands,
                             const struct rp_x264_rate_layer *layer, x264_t *h, int shown_rows);

/* The layer's state as the first bands, count of them, leave it. */
void rp_x264_rate_bands_sum(const struct rp_x264_rate_bands *bands, int count,
                            struct rp_x264_rate_layer *layer);

/* h is to code with the picture's rate control as owner's does, but for the state, which is a
 * band's; and as before again. */
void rp_x264_rate_bands_join(struct rp_x264_context *ctx, const struct rp_x264_context *owner);
void rp_x264_rate_bands_leave(struct rp_x264_context *ctx);

#endif

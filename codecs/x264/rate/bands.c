/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where bands begin, what each may take, and what a context that helps takes over from the one it
 * helps.
 */
#include "rate/bands.h"

#include "glue/core_rate.h"

#define FINER 2        /* QPs below its reference: nobody foresees what such a picture takes */
#define EVEN_SHARE 0.1 /* of what bands are given: nobody foresees all of it */

bool
rp_x264_rate_bands_open(struct rp_x264_rate_bands *bands)
{
    for (int i = 0; i < RP_X264_RATE_BANDS; i++) {
        if (!bands->band[i].rc)
            bands->band[i].rc = rp_x264_rc_create_share();
        if (!bands->band[i].rc)
            return false;
    }
    return true;
}

void
rp_x264_rate_bands_finish(struct rp_x264_rate_bands *bands)
{
    for (int i = 0; i < RP_X264_RATE_BANDS; i++)
        rp_x264_rc_destroy_share(bands->band[i].rc);
}

void
rp_x264_rate_bands_part(struct rp_x264_rate_bands *bands, const struct rp_h264_encode_job *job,
                        const x264_t *h)
{
    const int width = h->mb.i_mb_width;
    const int height = h->mb.i_mb_height;
    const int least = (height + RP_X264_RATE_BANDS - 1) / RP_X264_RATE_BANDS;
    int first_row = 0;

    bands->count = 0;
    if (height > RP_X264_MAX_ROWS)
        return;
    for (uint32_t i = 1; i <= job->slice_count; i++) {
        const bool is_last = i == job->slice_count;
        const int mb = is_last ? width * height : (int)job->slices[i].first_mb;
        const int end_row = mb / width;
        if (mb % width != 0 || (!is_last && end_row - first_row < least))
            continue;
        struct rp_x264_rate_band *band = &bands->band[bands->count++];
        band->first_row = first_row;
        band->end_row = first_row = end_row;
    }
}

bool
rp_x264_rate_is_foreseen(const x264_t *h)
{
    const x264_frame_t *ref = h->i_ref[0] > 0 ? h->fref[0][0] : NULL;

    return h->sh.i_type != SLICE_TYPE_P || !ref || ref->f_qp_avg_rc <= 0 ||
           rp_x264_rc_picture(h->rc).qp > ref->f_qp_avg_rc - FINER;
}

void
rp_x264_rate_bands_plan(struct rp_x264_rate_bands *bands, const struct rp_x264_rate_layer *layer,
                        x264_t *h, int shown_rows)
{
    const double all = rp_x264_rc_rows_bits(h, 0, h->mb.i_mb_height);

    for (int i = 0; i < bands->count; i++) {
        struct rp_x264_rate_band *band = &bands->band[i];
        const double rows = (double)(band->end_row - band->first_row) / h->mb.i_mb_height;
        const double own = rp_x264_rc_rows_bits(h, band->first_row, band->end_row);
        const double weight = all > 0 ? own / all : rows;
        const double share = (1 - EVEN_SHARE) * weight + EVEN_SHARE * rows;
        rp_x264_rc_take_share(band->rc, layer->rc, layer->picture.type, share);
        band->seen_rows = X264_MAX(shown_rows, band->first_row);
    }
}

void
rp_x264_rate_bands_sum(const struct rp_x264_rate_bands *bands, int count,
                       struct rp_x264_rate_layer *layer)
{
    x264_ratecontrol_t *shares[RP_X264_RATE_BANDS];

    for (int i = 0; i < count; i++)
        shares[i] = bands->band[i].rc;
    rp_x264_rc_sum_shares(layer->rc, layer->picture.type, shares, count);
}

/* The owner's views have been told how their pictures came out. */
static void
views_copy_rate(x264_t *h, const x264_t *from)
{
    for (int list = 0; list < 2; list++) {
        for (int i = 0; i < h->i_ref[list]; i++) {
            h->fref[list][i]->i_frame = from->fref[list][i]->i_frame;
            rp_x264_rate_view_refer(h->fref[list][i], from->fref[list][i]);
        }
    }
}

void
rp_x264_rate_bands_join(struct rp_x264_context *ctx, const struct rp_x264_context *owner)
{
    const x264_t *from = owner->h;
    x264_t *h = ctx->h;

    ctx->own_rc = h->rc;
    ctx->is_flat = owner->is_flat;
    views_copy_rate(h, from);
    h->frames.b_have_lowres = from->frames.b_have_lowres;
    h->sps->i_profile_idc = from->sps->i_profile_idc;
    h->param.rc.i_vbv_buffer_size = from->param.rc.i_vbv_buffer_size;
    h->param.rc.i_vbv_max_bitrate = from->param.rc.i_vbv_max_bitrate;
    h->mb.b_variable_qp = 1;
    h->i_thread_frames = h->param.i_threads = from->i_thread_frames;
}

void
rp_x264_rate_bands_leave(struct rp_x264_context *ctx)
{
    x264_t *h = ctx->h;
    if (!ctx->own_rc)
        return;

    rp_x264_rate_release(h, ctx->own_rc);
    ctx->own_rc = NULL;
    h->frames.b_have_lowres = 0;
}

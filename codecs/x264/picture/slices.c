/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bands, and the contexts that code them.
 */
#include "picture/slices.h"

#include "encoder.h"
#include "picture/setup.h"
#include "picture/source.h"
#include "picture/wave.h"
#include "rate/order.h"

#include "util/alloc.h"
#include "util/compiler.h"

#define SLICES_SCOPE VK_SYSTEM_ALLOCATION_SCOPE_OBJECT

static struct rp_x264_slices *
slices_create(const x264_t *h)
{
    struct rp_x264_slices *s = rp_zalloc(NULL, sizeof(*s), 64, SLICES_SCOPE);
    if (!s)
        return NULL;
    pthread_mutex_init(&s->mutex, NULL);
    pthread_mutex_init(&s->weights_mutex, NULL);
    s->strengths =
        rp_zalloc_array(NULL, (size_t)h->mb.i_mb_count, sizeof(*s->strengths), SLICES_SCOPE);
    s->row_is_coded = rp_zalloc(NULL, (size_t)h->mb.i_mb_height, 1, SLICES_SCOPE);
    if (s->strengths && s->row_is_coded)
        return s;
    rp_x264_slices_destroy(s);
    return NULL;
}

void
rp_x264_slices_destroy(struct rp_x264_slices *s)
{
    if (!s)
        return;
    pthread_mutex_destroy(&s->weights_mutex);
    pthread_mutex_destroy(&s->mutex);
    rp_free(NULL, s->strengths);
    rp_free(NULL, s->row_is_coded);
    rp_free(NULL, s->coded);
    rp_free(NULL, s);
}

bool
rp_x264_slices_reserve(struct rp_x264_context *ctx)
{
    const uint32_t count = ctx->job->slice_count;
    if (count == 1)
        return true;

    if (!ctx->slices)
        ctx->slices = slices_create(ctx->h);
    struct rp_x264_slices *s = ctx->slices;
    if (!s || s->capacity >= count)
        return s;
    rp_free(NULL, s->coded);
    s->coded = rp_zalloc_array(NULL, count, sizeof(*s->coded), SLICES_SCOPE);
    s->capacity = s->coded ? count : 0;
    return s->coded;
}

static bool
job_is_mixed(const struct rp_h264_encode_job *job)
{
    for (uint32_t i = 0; i < job->slice_count; i++) {
        if (job->slices[i].type != job->slice_type)
            return true;
    }
    return false;
}

/* Where the next picture may be planned before this one has ended, the first bands tell. */
static void
slices_start_rate(struct rp_x264_slices *s, struct rp_x264_context *ctx)
{
    struct rp_x264_rate_attempt *attempt = ctx->attempt;

    s->rate = NULL;
    s->shown_bands = s->next_rate_band = s->coded_bands = 0;
    if (!ctx->job->common.rate || !s->has_bands)
        return;
    struct rp_x264_rate_bands *bands = &attempt->bands;
    rp_x264_rate_bands_part(bands, ctx->job, ctx->h);
    s->has_bands = bands->count > 1 && rp_x264_rate_is_foreseen(ctx->h);
    if (!s->has_bands)
        return;
    s->rate = bands;
    rp_x264_rate_bands_plan(bands, &attempt->layer, ctx->h,
                            attempt->reference ? attempt->shown_rows : 0);
    while (attempt->show_row >= 0 && s->shown_bands < bands->count &&
           (s->shown_bands == 0 || bands->band[s->shown_bands - 1].end_row <= attempt->show_row))
        s->shown_bands++;
}

static void
slices_start(struct rp_x264_slices *s, struct rp_encoder *enc, struct rp_x264_context *ctx)
{
    x264_t *h = ctx->h;

    s->enc = enc;
    s->owner = ctx;
    s->job = ctx->job;
    s->frame = h->fdec;
    s->frame_at_start = *h->fdec;
    s->has_bands = true;
    slices_start_rate(s, ctx);
    s->filter_slice = 0;
    s->next_slice = 0;
    s->has_failed = false;
    memset(s->row_is_coded, 0, (size_t)h->mb.i_mb_height);
    s->next_row = 0;
    s->is_filtering = false;
    memset(s->mb_counts, 0, sizeof(s->mb_counts));
    s->helpers = NULL;
    /* x264 leaves list 1 as it was outside of B slices. */
    if (ctx->job->slice_type == RP_H264_SLICE_B && job_is_mixed(ctx->job))
        memset(h->fdec->ref[1], -1, 4 * (size_t)h->mb.i_mb_count);
}

struct band {
    uint32_t first; /* slice */
    uint32_t end;
    struct rp_x264_rate_band *rate; /* NULL: it is of no picture that has them */
};

/* Whether a slice may be the first of a band. */
static bool
slice_begins_band(const struct rp_x264_slices *s, uint32_t slice,
                  const struct rp_x264_rate_band *rate)
{
    const uint32_t width = (uint32_t)s->owner->h->mb.i_mb_width;
    const uint32_t first_mb = s->job->slices[slice].first_mb;

    return rate ? first_mb == width * (uint32_t)rate->end_row
                : s->has_bands && first_mb % width == 0;
}

/* The next band. False when there is none. */
static bool
slices_take_band(struct rp_x264_slices *s, struct band *out)
{
    const uint32_t count = s->job->slice_count;

    pthread_mutex_lock(&s->mutex);
    *out = (struct band){.first = s->has_failed ? count : s->next_slice};
    if (out->first < count && s->rate)
        out->rate = &s->rate->band[s->next_rate_band++];
    out->end = RP_MIN(out->first + 1, count);
    while (out->end < count && !slice_begins_band(s, out->end, out->rate))
        out->end++;
    s->next_slice = out->end;
    pthread_mutex_unlock(&s->mutex);
    return out->first < count;
}

static bool
slices_has_band(struct rp_x264_slices *s)
{
    pthread_mutex_lock(&s->mutex);
    const bool has_band = !s->has_failed && s->next_slice < s->job->slice_count;
    pthread_mutex_unlock(&s->mutex);
    return has_band;
}

void
rp_x264_slice_begin(struct rp_x264_context *ctx, uint32_t index)
{
    const struct rp_h264_slice *slice = &ctx->job->slices[index];
    x264_slice_header_t *sh = &ctx->h->sh;

    ctx->slice_index = index;
    /* P macroblocks leave list 1 as they find it, and are predicted from it when it says so. */
    memset(ctx->h->mb.cache.ref, -2, sizeof(ctx->h->mb.cache.ref));
    /* Temporal direct prediction that fails leaves references without their vectors. */
    memset(ctx->h->mb.cache.mv, 0, sizeof(ctx->h->mb.cache.mv));
    sh->i_type = (int)slice->type;
    sh->i_first_mb = (int)slice->first_mb;
    sh->i_last_mb = (int)(slice->first_mb + slice->mb_count - 1);
    sh->i_cabac_init_idc = (int)slice->cabac_init_idc;
    sh->i_disable_deblocking_filter_idc = (int)slice->disable_deblocking_filter_idc;
    sh->i_alpha_c0_offset = slice->alpha_c0_offset_div2 * 2;
    sh->i_beta_offset = slice->beta_offset_div2 * 2;
    if (slice->qp >= 0)
        rp_x264_rate_set_qp(ctx->h, (float)slice->qp);
}

/* A row that the slice does not begin has been copied for the one before, and may be all that it
 * has. */
static void
slice_copy_source(const struct rp_x264_slices *s, x264_t *h)
{
    const int width = h->mb.i_mb_width;
    const int first_row = (h->sh.i_first_mb + width - 1) / width;
    const int end_row = h->sh.i_last_mb / width + 1;

    if (s->owner->has_source_by_bands && first_row < end_row)
        rp_x264_source_copy_rows(h, &s->job->common.src, first_row, end_row);
}

static bool
slice_code(struct rp_x264_slices *s, struct rp_x264_context *ctx)
{
    x264_t *h = ctx->h;
    const int row = h->sh.i_first_mb / h->mb.i_mb_width;

    if (rp_x264_wave_is_for(ctx, ctx->slice_index))
        return rp_x264_wave_code(s->enc, ctx);
    h->deblock_strength[0] = h->deblock_strength[1] = s->strengths + row * h->mb.i_mb_width;
    slice_copy_source(s, h);
    return rp_x264_slice_write(h) >= 0;
}

static bool
band_code(struct rp_x264_slices *s, struct rp_x264_context *ctx, const struct band *band)
{
    const struct rp_h264_slice *last = &s->job->slices[band->end - 1];
    const uint32_t first_mb = s->job->slices[band->first].first_mb;
    const uint32_t end_mb = last->first_mb + last->mb_count;
    x264_t *h = ctx->h;

    ctx->band = band->rate;
    if (band->rate) {
        h->rc = band->rate->rc;
        h->fdec->f_row_qp = band->rate->row_qp;
    }
    h->i_threadslice_start = (int)first_mb / h->mb.i_mb_width;
    h->i_threadslice_end = (int)end_mb / h->mb.i_mb_width;
    memset(&h->stat.frame, 0, sizeof(h->stat.frame));
    rp_x264_setup_clear_motion(h, first_mb, end_mb - first_mb);
    for (uint32_t i = band->first; i < band->end; i++) {
        rp_x264_slice_begin(ctx, i);
        if (!slice_code(s, ctx))
            return false;
        s->coded[i] = (struct rp_x264_coded_slice){ctx, h->out.i_nal - 1};
    }
    return true;
}

/* The next picture may be planned by the first bands. */
static void
slices_show(struct rp_x264_slices *s)
{
    struct rp_x264_rate_attempt *attempt = s->owner->attempt;
    const int row_count = s->rate->band[s->shown_bands - 1].end_row;

    rp_x264_rate_bands_sum(s->rate, s->shown_bands, &attempt->layer);
    attempt->layer.shown_bits = 0;
    for (int y = 0; y < row_count; y++)
        attempt->layer.shown_bits += s->frame->i_row_bits[y];
    rp_x264_rate_order_show(attempt, s->owner->h, row_count);
}

static void
slices_code_bands(struct rp_x264_slices *s, struct rp_x264_context *ctx)
{
    x264_t *h = ctx->h;
    struct band band;

    while (slices_take_band(s, &band)) {
        const bool is_coded = band_code(s, ctx, &band);
        const bool is_shown = is_coded && s->rate && band.rate - s->rate->band < s->shown_bands;
        pthread_mutex_lock(&s->mutex);
        for (size_t i = 0; i < RP_ARRAY_SIZE(s->mb_counts); i++)
            s->mb_counts[i] += h->stat.frame.i_mb_count[i];
        ctx->is_broken = !is_coded;
        s->has_failed |= !is_coded;
        s->coded_bands += is_shown;
        const bool shows = is_shown && s->coded_bands == s->shown_bands;
        pthread_mutex_unlock(&s->mutex);
        if (shows)
            slices_show(s);
    }
    ctx->band = NULL;
    h->i_threadslice_start = 0;
    h->i_threadslice_end = h->mb.i_mb_height;
    h->sh.i_type = (int)s->job->slice_type;
    x264_emms();
}

/* The arrays that the filter reads are the owner's. */
static void
helper_swap_arrays(struct rp_x264_context *ctx, struct rp_x264_arrays *arrays)
{
    x264_t *h = ctx->h;
    const struct rp_x264_arrays own = {
        .qp = h->mb.qp,
        .cbp = h->mb.cbp,
        .transform_size = h->mb.mb_transform_size,
        .slice_table = h->mb.slice_table,
        .non_zero_count = h->mb.non_zero_count,
        .strengths = {h->deblock_strength[0], h->deblock_strength[1]},
        .fenc = h->fenc,
        .fdec = h->fdec,
    };

    h->mb.qp = arrays->qp;
    h->mb.cbp = arrays->cbp;
    h->mb.mb_transform_size = arrays->transform_size;
    h->mb.slice_table = arrays->slice_table;
    h->mb.non_zero_count = arrays->non_zero_count;
    h->deblock_strength[0] = arrays->strengths[0];
    h->deblock_strength[1] = arrays->strengths[1];
    h->fenc = arrays->fenc;
    h->fdec = arrays->fdec;
    *arrays = own;
}

/* The reconstruction for who codes bands of it. */
static x264_frame_t *
frame_copy(const struct rp_x264_slices *s, struct rp_x264_context *ctx)
{
    x264_frame_t *frame = &ctx->views[RP_X264_VIEW_COUNT];

    *frame = s->frame_at_start;
    return frame;
}

static struct rp_x264_context *
helper_join(struct rp_x264_slices *s)
{
    const struct rp_x264_context *owner = s->owner;
    struct rp_x264_context *ctx = rp_x264_encoder_acquire(s->enc, &owner->config);
    if (!ctx)
        return NULL;

    ctx->own = (struct rp_x264_arrays){
        .qp = owner->h->mb.qp,
        .cbp = owner->h->mb.cbp,
        .transform_size = owner->h->mb.mb_transform_size,
        .slice_table = owner->h->mb.slice_table,
        .non_zero_count = owner->h->mb.non_zero_count,
        .strengths = {s->strengths, s->strengths},
        .fenc = owner->h->fenc,
        .fdec = frame_copy(s, ctx),
    };
    helper_swap_arrays(ctx, &ctx->own);
    ctx->is_broken = !rp_x264_setup_join(ctx, owner) || !rp_x264_wave_reserve(s->enc, ctx);
    ctx->shared_slices = s;
    pthread_mutex_lock(&s->mutex);
    ctx->next_helper = s->helpers;
    s->helpers = ctx;
    pthread_mutex_unlock(&s->mutex);
    return ctx->is_broken ? NULL : ctx;
}

static RP_X264_ENTRY void
slices_take_part(void *arg, uint32_t i, uint32_t thread)
{
    struct rp_x264_slices *s = arg;
    (void)thread;

    if (!slices_has_band(s))
        return;
    struct rp_x264_context *ctx = i == 0 ? s->owner : helper_join(s);
    if (ctx) /* else memory is short, and others do it */
        slices_code_bands(s, ctx);
}

bool
rp_x264_slices_code(struct rp_encoder *enc, struct rp_x264_context *ctx)
{
    struct rp_x264_slices *s = ctx->slices;
    x264_t *h = ctx->h;
    uint8_t(*const strengths[2])[2][8][4] = {h->deblock_strength[0], h->deblock_strength[1]};
    x264_ratecontrol_t *rc = h->rc;

    rp_x264_slices_release(ctx); /* it may be coded again */
    slices_start(s, enc, ctx);
    ctx->shared_slices = s;
    if (s->rate)
        h->fdec = frame_copy(s, ctx);
    const uint32_t threads = s->has_bands ? rp_workers_thread_count(enc->workers) : 1;
    rp_workers_run(enc->workers, RP_MIN(threads, ctx->job->slice_count), slices_take_part, s);
    ctx->shared_slices = NULL;
    h->fdec = s->frame;
    h->rc = rc;
    if (s->rate && !s->has_failed)
        rp_x264_rate_bands_sum(s->rate, s->rate->count, &ctx->attempt->layer);
    h->deblock_strength[0] = strengths[0];
    h->deblock_strength[1] = strengths[1];
    memcpy(h->stat.frame.i_mb_count, s->mb_counts, sizeof(s->mb_counts));
    for (const struct rp_x264_context *helper = s->helpers; helper; helper = helper->next_helper)
        ctx->is_header_too_long |= helper->is_header_too_long;
    return !s->has_failed;
}

void
rp_x264_slices_release(struct rp_x264_context *ctx)
{
    struct rp_x264_slices *s = ctx->slices;

    while (s && s->helpers) {
        struct rp_x264_context *helper = s->helpers;
        s->helpers = helper->next_helper;
        helper_swap_arrays(helper, &helper->own);
        rp_x264_rate_bands_leave(helper);
        helper->shared_slices = NULL;
        helper->job = NULL;
        rp_x264_encoder_release(s->enc, helper, helper->is_broken);
    }
}

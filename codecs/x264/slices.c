/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bands, and the contexts that code them.
 */
#include "slices.h"

#include "encoder.h"
#include "picture.h"
#include "source.h"

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
    s->strengths = rp_zalloc_array(NULL, (size_t)h->mb.i_mb_count, sizeof(*s->strengths), SLICES_SCOPE);
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

/* Rate control plans rows one after the other; weighted references are made for one reader. */
bool
rp_x264_slices_have_bands(const struct rp_h264_encode_job *job)
{
    return job->slice_count > 1 && !job->rate && !job->weights;
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

static void
slices_start(struct rp_x264_slices *s, struct rp_h264_encoder *enc, struct rp_x264_context *ctx)
{
    x264_t *h = ctx->h;

    s->enc = enc;
    s->owner = ctx;
    s->job = ctx->job;
    s->frame = h->fdec;
    s->frame_at_start = *h->fdec;
    s->has_bands = rp_x264_slices_have_bands(ctx->job);
    s->filter_slice = 0;
    s->next_slice = 0;
    s->has_failed = false;
    memset(s->row_is_coded, 0, (size_t)h->mb.i_mb_height);
    s->next_row = 0;
    s->is_filtering = false;
    memset(s->mb_counts, 0, sizeof(s->mb_counts));
    s->helpers = NULL;
    /* x264 leaves list 1 as it was outside of B slices. */
    if (ctx->job->slice_type == SLICE_TYPE_B && job_is_mixed(ctx->job))
        memset(h->fdec->ref[1], -1, 4 * (size_t)h->mb.i_mb_count);
}

/* The first slice of the next band, which ends before *end. False when there is none. */
static bool
slices_take_band(struct rp_x264_slices *s, uint32_t *first, uint32_t *end)
{
    const uint32_t width = (uint32_t)s->owner->h->mb.i_mb_width;
    const uint32_t count = s->job->slice_count;

    pthread_mutex_lock(&s->mutex);
    *first = s->next_slice;
    if (s->has_failed)
        *first = count;
    *end = RP_MIN(*first + 1, count);
    while (*end < count && (!s->has_bands || s->job->slices[*end].first_mb % width != 0))
        (*end)++;
    s->next_slice = *end;
    pthread_mutex_unlock(&s->mutex);
    return *first < count;
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

void
rp_x264_slice_begin_row(x264_t *h)
{
    const int y = 16 * h->mb.i_mb_y;
    const int range = 4 * h->param.analyse.i_mv_range;
    const int rows_range = h->i_thread_frames > 1 ? h->param.analyse.i_mv_range_thread : range;
    const int margin = 6; /* a search goes on for some steps beyond its limits */

    for (int list = 0; list < 2 && h->i_thread_frames > 1; list++) {
        for (int i = 0; i < h->i_ref[list]; i++)
            rp_x264_wait_rows(h->fref[list][i]->orig, y + rows_range);
    }
    h->mb.mv_min[1] = 4 * (-y - 24);
    h->mb.mv_max[1] = 4 * (16 * (h->mb.i_mb_height - 1) - y + 24);
    h->mb.mv_min_spel[1] = X264_MAX(h->mb.mv_min[1], -range);
    h->mb.mv_max_spel[1] = X264_MIN3(h->mb.mv_max[1], range - 1, 4 * rows_range);
    h->mb.mv_limit_fpel[0][1] = (h->mb.mv_min_spel[1] >> 2) + margin;
    h->mb.mv_limit_fpel[1][1] = (h->mb.mv_max_spel[1] >> 2) - margin;
}

static bool
band_code(struct rp_x264_slices *s, struct rp_x264_context *ctx, uint32_t first, uint32_t end)
{
    const struct rp_h264_slice *last = &s->job->slices[end - 1];
    const uint32_t first_mb = s->job->slices[first].first_mb;
    const uint32_t end_mb = last->first_mb + last->mb_count;
    x264_t *h = ctx->h;

    h->i_threadslice_start = (int)first_mb / h->mb.i_mb_width;
    h->i_threadslice_end = (int)end_mb / h->mb.i_mb_width;
    if (s->owner->has_source_by_bands)
        rp_x264_source_copy_rows(h, &s->job->src, h->i_threadslice_start, h->i_threadslice_end);
    memset(&h->stat.frame, 0, sizeof(h->stat.frame));
    rp_x264_picture_clear_motion(h, first_mb, end_mb - first_mb);
    for (uint32_t i = first; i < end; i++) {
        rp_x264_slice_begin(ctx, i);
        if (rp_x264_slice_write(h) < 0)
            return false;
        s->coded[i] = (struct rp_x264_coded_slice){ctx, h->out.i_nal - 1};
    }
    return true;
}

static void
slices_code_bands(struct rp_x264_slices *s, struct rp_x264_context *ctx)
{
    x264_t *h = ctx->h;
    uint32_t first, end;

    while (slices_take_band(s, &first, &end)) {
        const bool is_coded = band_code(s, ctx, first, end);
        pthread_mutex_lock(&s->mutex);
        for (size_t i = 0; i < RP_ARRAY_SIZE(s->mb_counts); i++)
            s->mb_counts[i] += h->stat.frame.i_mb_count[i];
        ctx->is_broken = !is_coded;
        s->has_failed |= !is_coded;
        pthread_mutex_unlock(&s->mutex);
    }
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

static struct rp_x264_context *
helper_join(struct rp_x264_slices *s)
{
    const struct rp_x264_context *owner = s->owner;
    struct rp_x264_context *ctx = rp_x264_encoder_acquire(s->enc, &owner->config);
    if (!ctx)
        return NULL;

    x264_frame_t *frame = &ctx->views[RP_X264_VIEW_COUNT];
    *frame = s->frame_at_start;
    ctx->own = (struct rp_x264_arrays){
        .qp = owner->h->mb.qp,
        .cbp = owner->h->mb.cbp,
        .transform_size = owner->h->mb.mb_transform_size,
        .slice_table = owner->h->mb.slice_table,
        .non_zero_count = owner->h->mb.non_zero_count,
        .strengths = {s->strengths, s->strengths},
        .fenc = owner->h->fenc,
        .fdec = frame,
    };
    helper_swap_arrays(ctx, &ctx->own);
    ctx->is_broken = !rp_x264_picture_join(ctx, owner);
    ctx->now = s;
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
rp_x264_slices_code(struct rp_h264_encoder *enc, struct rp_x264_context *ctx)
{
    struct rp_x264_slices *s = ctx->slices;
    x264_t *h = ctx->h;
    uint8_t(*const strengths[2])[2][8][4] = {h->deblock_strength[0], h->deblock_strength[1]};

    slices_start(s, enc, ctx);
    ctx->now = s;
    const uint32_t threads = s->has_bands ? rp_workers_thread_count(enc->workers) : 1;
    rp_workers_run(enc->workers, RP_MIN(threads, ctx->job->slice_count), slices_take_part, s);
    ctx->now = NULL;
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
        helper->now = NULL;
        helper->job = NULL;
        rp_x264_encoder_release(s->enc, helper, helper->is_broken);
    }
}

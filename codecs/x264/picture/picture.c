/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stages of one picture, in the order that x264's encoder needs them.
 */
#include "picture/picture.h"

#include "picture/bitstream.h"
#include "picture/half_size.h"
#include "picture/quant.h"
#include "picture/refresh.h"
#include "picture/refs.h"
#include "picture/setup.h"
#include "picture/slices.h"
#include "picture/slot.h"
#include "picture/source.h"
#include "picture/wave.h"
#include "picture/weights.h"
#include "rate/bands.h"
#include "rate/order.h"

#include "reelpipe/workers.h"

#include "encoder/analyse.h"
#include "encoder/macroblock.h"
#include "encoder/ratecontrol.h"
#include "encoder/set.h"

#define MB_PX UINT64_C(256)

#define WEIGHED_ROWS 16 /* by a thread at a time: fewer are not worth another one */

#define LEAST_ROWS 20 /* of macroblocks: lower pictures are coded soon, and few rows tell little */

static int
job_frame_type(const struct rp_h264_encode_job *job)
{
    switch (job->slice_type) {
    case SLICE_TYPE_P:
        return X264_TYPE_P;
    case SLICE_TYPE_B:
        return job->nal_ref_idc ? X264_TYPE_BREF : X264_TYPE_B;
    default:
        return job->is_idr ? X264_TYPE_IDR : X264_TYPE_I;
    }
}

static void
picture_init_source(struct rp_x264_context *ctx)
{
    x264_frame_t *fenc = ctx->h->fenc;

    fenc->b_intra_calculated = 0;
    fenc->i_type = job_frame_type(ctx->job);
    fenc->b_keyframe = ctx->job->is_idr;
    fenc->b_kept_as_ref = ctx->job->nal_ref_idc > 0;
    fenc->i_poc = 0;
    fenc->i_bframes = 0;
    fenc->i_qpplus1 = X264_QP_AUTO;
    fenc->i_frame = 0;
    memset(fenc->weight, 0, sizeof(fenc->weight));
}

static bool
picture_init_recon(struct rp_x264_context *ctx)
{
    const struct rp_x264_content *recon = rp_x264_begun_of(ctx->job)->recon;
    x264_t *h = ctx->h;

    if (!recon && !rp_x264_context_need_unkept(ctx))
        return false;
    h->fdec = recon ? recon->frame : ctx->unkept;
    x264_frame_t *fdec = h->fdec;
    /* Filtered, padded and with half-pel planes if and only if somebody keeps it. */
    fdec->b_kept_as_ref = recon != NULL;
    fdec->i_type = h->fenc->i_type;
    fdec->i_frame = fdec->i_frame_num = 0;
    fdec->i_poc = 0;
    fdec->i_delta_poc[0] = fdec->i_delta_poc[1] = 0;
    fdec->i_slice_count = 0;
    fdec->b_corrupt = 0;
    fdec->mb_info = NULL;
    fdec->mb_info_free = NULL;
    rp_x264_frame_clear_rate(fdec, h);
    return true;
}

static bool
picture_write_slices(struct rp_encoder *enc, struct rp_x264_context *ctx)
{
    x264_t *h = ctx->h;

    if (ctx->job->slice_count > 1)
        return rp_x264_slices_code(enc, ctx);
    memset(&h->stat.frame, 0, sizeof(h->stat.frame));
    rp_x264_setup_clear_motion(h, 0, (uint32_t)h->mb.i_mb_count);
    rp_x264_slice_begin(ctx, 0);
    const bool is_written =
        rp_x264_wave_is_for(ctx, 0) ? rp_x264_wave_code(enc, ctx) : rp_x264_slice_write(h) >= 0;
    x264_emms();
    return is_written;
}

static void
picture_count(const struct rp_x264_context *ctx, struct rp_encode_result *result)
{
    const x264_t *h = ctx->h;
    const int *mbs = h->stat.frame.i_mb_count;
    const uint32_t total = (uint32_t)h->mb.i_mb_count;

    result->intra_px = MB_PX * (uint64_t)(mbs[I_4x4] + mbs[I_8x8] + mbs[I_16x16] + mbs[I_PCM]);
    result->inter_px = MB_PX * total - result->intra_px;
    result->skipped_px = MB_PX * (uint64_t)(mbs[P_SKIP] + mbs[B_SKIP]);

    /* Nothing of I_PCM macroblocks is quantised: x264 has 0 there, for the loop filter. */
    uint32_t sum = 0, count = 0;
    result->min_qp = QP_MAX_SPEC;
    result->max_qp = 0;
    for (uint32_t i = 0; i < total; i++) {
        const uint32_t qp = (uint32_t)h->mb.qp[i];
        if (h->mb.type[i] == I_PCM)
            continue;
        sum += qp;
        count++;
        result->min_qp = X264_MIN(result->min_qp, qp);
        result->max_qp = X264_MAX(result->max_qp, qp);
    }
    if (count == 0) {
        result->min_qp = result->max_qp = sum = (uint32_t)h->sh.i_qp;
        count = 1;
    }
    result->average_qp = (sum + count / 2) / count;
}

/* Prepares everything up to the choice of the QP. */
static enum rp_codec_status
picture_prepare(struct rp_encoder *enc, struct rp_x264_context *ctx,
                struct rp_encode_result *result)
{
    const struct rp_h264_encode_job *job = ctx->job;
    x264_t *h = ctx->h;

    h->sh.i_type = (int)job->slice_type;
    const bool is_by_rows = job->slice_count > 1 || rp_x264_wave_is_for(ctx, 0);
    if (!rp_x264_wave_reserve(enc, ctx) || !rp_x264_source_load(enc, ctx, is_by_rows) ||
        (job->common.rate && !rp_x264_rate_attempt_reserve(ctx)))
        return RP_CODEC_NO_MEMORY;
    picture_init_source(ctx);
    if (!picture_init_recon(ctx))
        return RP_CODEC_NO_MEMORY;
    if (!rp_x264_weights_reserve(ctx))
        return RP_CODEC_NO_MEMORY;
    if (!rp_x264_setup_reserve_absent_refs(ctx) || !rp_x264_slices_reserve(ctx))
        return RP_CODEC_NO_MEMORY;
    const bool direct_spatial = rp_x264_refs_attach(ctx);
    /* The macroblock coder has no temporal direct mode for some references. */
    result->has_overrides =
        job->slice_type == RP_H264_SLICE_B && direct_spatial != job->direct_spatial;
    rp_x264_setup_header(ctx, direct_spatial);
    return RP_CODEC_OK;
}

/* The slices of a picture whose QP is chosen, and the stream that they give. */
static enum rp_codec_status
picture_code(struct rp_encoder *enc, struct rp_x264_context *ctx, struct rp_encode_result *result)
{
    rp_x264_bitstream_start(ctx, ctx->job->write_aud);
    rp_x264_setup_macroblocks(ctx);
    rp_x264_weighted_pred_init(ctx->h);
    rp_x264_weights_init(ctx);
    if (!picture_write_slices(enc, ctx))
        return RP_CODEC_NO_MEMORY;
    if (ctx->is_header_too_long)
        return RP_CODEC_FAILED;
    picture_count(ctx, result);
    return rp_x264_bitstream_finish(ctx, result);
}

/* Rows of pictures with rate control are not final before those have ended. */
static enum rp_codec_status
picture_code_constant(struct rp_encoder *enc, struct rp_x264_context *ctx,
                      struct rp_encode_result *result)
{
    x264_t *h = ctx->h;

    rp_x264_rate_order_wait(enc, ctx->job);
    rp_x264_quant_prepare(ctx);
    rp_x264_rate_fix_qp(h, (float)ctx->job->slices[0].qp);
    const enum rp_codec_status status = picture_code(enc, ctx, result);
    h->fdec->f_qp_avg_rc = (float)result->average_qp;
    return status;
}

/* Whether a picture of size_B is coded again, and how. recoding: how it was coded, then how it
 * is to be. */
static bool
picture_retry(struct rp_x264_context *ctx, size_t size_B, const struct rp_encode_result *result,
              struct rp_x264_rate_recoding *recoding)
{
    struct rp_x264_rate_attempt *attempt = ctx->attempt;
    const int type = rp_x264_rate_type(ctx->job);
    const struct rp_x264_rate_layer *layer = attempt->shared_layer;
    const int qp = X264_MAX(attempt->first_qp, (int)(rp_x264_rate_rows_qp(ctx->h) + 0.5));
    const int max_qp = layer->target.max_index[type];
    const double limit_bits = rp_x264_rate_layer_limit(layer, type);
    const double bits = 8.0 * (double)size_B;

    const int aimed_qp =
        rp_x264_rate_layer_aim_again(&attempt->layer, type, bits, attempt->first_qp, qp);
    if (aimed_qp >= 0) {
        *recoding = (struct rp_x264_rate_recoding){recoding->number + 1, aimed_qp, 0};
        return true;
    }
    /* Macroblocks do not show a limit above 51. */
    const bool is_coarsest = max_qp <= QP_MAX_SPEC && (int)result->min_qp >= max_qp;
    if (recoding->qp >= max_qp || is_coarsest)
        return false;
    if (bits <= limit_bits)
        return rp_x264_rate_layer_hold_again(layer, ctx->h, type, bits, recoding);
    /* At the coarsest one nothing is left of a picture: it is not leapt at. */
    const double steps = 6 * log2(bits / X264_MAX(limit_bits, bits / 64));
    const int again = qp + 1 + (int)steps;
    *recoding = (struct rp_x264_rate_recoding){recoding->number + 1,
                                               X264_MIN(again, (qp + max_qp + 1) / 2), 0};
    return true;
}

static bool
picture_can_be_followed(const struct rp_x264_context *ctx)
{
    const int rows = ctx->h->mb.i_mb_height;

    return rows >= LEAST_ROWS && rows <= RP_X264_MAX_ROWS &&
           rp_x264_rate_layer_can_be_followed(&ctx->attempt->layer, rp_x264_rate_type(ctx->job));
}

static const struct rp_x264_rate_recoding as_planned = {0, -1, 0};

/* Codes the picture with its attempt's layer. */
static enum rp_codec_status
picture_code_attempt(struct rp_encoder *enc, struct rp_x264_context *ctx,
                     const struct rp_x264_rate_recoding *recoding, struct rp_encode_result *result)
{
    struct rp_x264_rate_attempt *attempt = ctx->attempt;
    const int type = rp_x264_rate_type(ctx->job);
    x264_t *h = ctx->h;

    rp_x264_frame_clear_rate(h->fdec, h);
    rp_x264_rate_layer_attach(&attempt->layer, h);
    if (recoding->qp >= 0)
        h->i_frame = 1; /* not the first one any more, be it that */
    rp_x264_rate_know_refs(ctx);
    rp_x264_rate_layer_start(&attempt->layer, h, type, recoding, ctx->job->common.preceding_B);
    attempt->first_qp = x264_ratecontrol_qp(h);
    if (recoding->qp >= attempt->layer.target.max_index[type])
        rp_x264_quant_flatten(ctx);
    if (recoding->qp < 0 && picture_can_be_followed(ctx))
        attempt->show_row = rp_x264_rate_shown_rows(h) - 1;
    if (attempt->follows || attempt->show_row >= 0)
        h->i_thread_frames = h->param.i_threads = 2; /* direct prediction asks for the latter */
    const enum rp_codec_status status = picture_code(enc, ctx, result);
    rp_x264_rate_layer_detach(&attempt->layer, h);
    return status;
}

/* What rate control wants to know of the picture itself, when the reference has half-size planes.
 */
static bool
picture_analyse_early(struct rp_encoder *enc, struct rp_x264_context *ctx)
{
    x264_t *h = ctx->h;
    x264_frame_t *ref = NULL;

    if (h->i_ref[0] > 0) {
        const struct rp_x264_content *content = rp_x264_begun_of(ctx->job)->refs[0][0];
        if (!rp_x264_rate_order_has_lowres(enc, content))
            return false;
        ref = content->lowres;
    }
    rp_x264_half_size_cost(enc, ctx, ref);
    return true;
}

/* picture_analyse_early() when the reference is complete: its half-size planes are made where they
 * are missing. False when memory is short. */
static bool
picture_analyse(struct rp_encoder *enc, struct rp_x264_context *ctx)
{
    struct rp_x264_content *content = rp_x264_begun_of(ctx->job)->refs[0][0];

    pthread_mutex_lock(&enc->mutex);
    const bool has_lowres = rp_x264_content_need_lowres(content, ctx);
    pthread_mutex_unlock(&enc->mutex);
    if (has_lowres)
        rp_x264_half_size_cost(enc, ctx, content->lowres);
    return has_lowres;
}

/* The references' rows tell of their rates. */
static void
picture_wait_refs(const struct rp_x264_context *ctx)
{
    const struct rp_h264_encode_job *job = ctx->job;

    for (int list = 0; list < 2; list++) {
        for (uint32_t i = 0; i < job->ref_count[list]; i++) {
            struct rp_x264_content *content = rp_x264_begun_of(job)->refs[list][i];
            if (content->frame != ctx->attempt->reference)
                rp_x264_content_wait(content);
        }
    }
}

/* A picture at constant QP in between waits for the one before it: who followed that one would wait
 * for both. */
static bool
picture_may_follow(const struct rp_h264_encode_job *job,
                   const struct rp_x264_rate_snapshot *snapshot, bool is_analysed)
{
    return is_analysed && job->slice_type != RP_H264_SLICE_I &&
           snapshot->settings.layer_count <= 1 && !rp_x264_begun_of(job)->is_after_constant;
}

struct weighing {
    struct rp_x264_mb_persistence *persistence;
    x264_t *h; /* nobody changes it meanwhile */
    bool is_inter;
};

static RP_X264_ENTRY void
rows_weigh(void *arg, uint32_t i, uint32_t thread)
{
    const struct weighing *weighing = arg;
    const int first = WEIGHED_ROWS * (int)i;
    const int end = X264_MIN(first + WEIGHED_ROWS, weighing->h->mb.i_mb_height);
    (void)thread;

    for (int y = first; y < end; y++)
        rp_x264_mb_persistence_weigh_row(weighing->persistence, weighing->h, y, weighing->is_inter);
}

/* Once, when the picture is first planned: others may have it planned again. The fastest level
 * pays more for QPs that differ than it gains, as it does for adaptive quantisation. */
static bool
picture_weigh(struct rp_encoder *enc, struct rp_x264_context *ctx)
{
    const struct rp_h264_encode_job *job = ctx->job;
    struct rp_x264_rate_attempt *attempt = ctx->attempt;
    const bool is_referred_to = job->nal_ref_idc > 0 && job->slice_type != RP_H264_SLICE_B;
    const bool is_inter = job->slice_type != RP_H264_SLICE_I;
    const int left = rp_rate_law_to_intra(&attempt->layer.law, !is_inter);
    const int count = (ctx->h->mb.i_mb_height + WEIGHED_ROWS - 1) / WEIGHED_ROWS;
    struct weighing weighing = {&job->common.rate->persistence, ctx->h, is_inter};

    if (attempt->is_weighed || !is_referred_to || ctx->aq_mode == X264_AQ_NONE)
        return true;
    attempt->is_weighed = true;
    if (!rp_x264_mb_persistence_begin(weighing.persistence, ctx->h, left))
        return false;
    rp_workers_run(enc->workers, (uint32_t)count, rows_weigh, &weighing);
    rp_x264_mb_persistence_end(weighing.persistence, ctx->h, is_inter);
    return true;
}

/* By a partial result of the picture before, or else with all before it complete. */
static enum rp_codec_status
picture_code_in_order(struct rp_encoder *enc, struct rp_x264_context *ctx,
                      const struct rp_x264_rate_snapshot *snapshot, bool is_analysed,
                      struct rp_encode_result *result)
{
    const struct rp_h264_encode_job *job = ctx->job;
    struct rp_x264_rate_attempt *attempt = ctx->attempt;
    x264_t *h = ctx->h;

    rp_workers_pause(enc->workers);
    rp_x264_rate_order_enter(enc, ctx, snapshot, picture_may_follow(job, snapshot, is_analysed));
    picture_wait_refs(ctx);
    rp_workers_resume(enc->workers);
    if (attempt->follows) {
        rp_x264_rate_attempt_refer(attempt, h);
        rp_x264_rate_layer_expect(&attempt->layer, h, attempt->shown_rows);
        if (!picture_weigh(enc, ctx))
            return RP_CODEC_NO_MEMORY;
        return picture_code_attempt(enc, ctx, &as_planned, result);
    }
    attempt->shared_layer =
        rp_x264_rate_layer_for(job->common.rate, snapshot, job->common.temporal_layer, h);
    if (!attempt->shared_layer || (!is_analysed && !picture_analyse(enc, ctx)))
        return RP_CODEC_NO_MEMORY;
    rp_x264_rate_layer_copy(&attempt->layer, attempt->shared_layer);
    if (!picture_weigh(enc, ctx))
        return RP_CODEC_NO_MEMORY;
    return picture_code_attempt(enc, ctx, &as_planned, result);
}

static bool
is_coded(enum rp_codec_status status)
{
    return status == RP_CODEC_OK || status == RP_CODEC_NO_SPACE;
}

/* A picture that would break the buffer, a window of a constant rate, or the application's limit is
 * coded again: now that it is known what the pictures before have left. */
static enum rp_codec_status
picture_finish_attempt(struct rp_encoder *enc, struct rp_x264_context *ctx,
                       struct rp_encode_result *result)
{
    const struct rp_h264_encode_job *job = ctx->job;
    struct rp_x264_rate_attempt *attempt = ctx->attempt;
    struct rp_x264_rate_layer *layer = attempt->shared_layer;
    const int type = rp_x264_rate_type(job);
    x264_t *h = ctx->h;
    struct rp_x264_rate_recoding recoding = as_planned;

    while (picture_retry(ctx, result->size_B + job->common.preceding_B, result, &recoding)) {
        rp_workers_pause(enc->workers);
        rp_x264_rate_order_retry(attempt);
        rp_workers_resume(enc->workers);
        rp_x264_rate_layer_rewind(&attempt->layer, layer);
        const enum rp_codec_status status = picture_code_attempt(enc, ctx, &recoding, result);
        if (!is_coded(status))
            return status;
    }
    const size_t size_B = result->size_B + job->common.preceding_B;
    rp_x264_rate_layer_rebase(&attempt->layer, layer);
    rp_x264_rate_layer_attach(&attempt->layer, h);
    const size_t filler_B = rp_x264_rate_layer_end(&attempt->layer, h, type, size_B);
    rp_x264_rate_layer_detach(&attempt->layer, h);
    rp_x264_rate_order_leave(attempt);
    const enum rp_codec_status status = rp_x264_bitstream_fill(job, filler_B, result);
    rp_rate_virtual_buffer_take(&job->common.rate->buffer, 8.0 * (double)size_B,
                                8.0 * result->filler_B);
    return status;
}

static bool
picture_wait_order(struct rp_encoder *enc, struct rp_x264_rate_attempt *attempt)
{
    rp_workers_pause(enc->workers);
    const bool is_valid = rp_x264_rate_order_finish(attempt);
    rp_workers_resume(enc->workers);
    return is_valid;
}

static enum rp_codec_status
picture_code_with_rate(struct rp_encoder *enc, struct rp_x264_context *ctx,
                       const struct rp_x264_rate_snapshot *snapshot,
                       struct rp_encode_result *result)
{
    x264_t *h = ctx->h;

    h->frames.b_have_lowres = 1;
    rp_x264_rate_order_publish(enc, ctx);
    const bool is_analysed = picture_analyse_early(enc, ctx);
    ctx->attempt->is_weighed = false;
    enum rp_codec_status status;
    do
        status = picture_code_in_order(enc, ctx, snapshot, is_analysed, result);
    while (!picture_wait_order(enc, ctx->attempt));
    if (is_coded(status))
        status = picture_finish_attempt(enc, ctx, result);
    h->frames.b_have_lowres = 0;
    return status;
}

enum rp_codec_status
rp_x264_picture_encode(struct rp_encoder *enc, struct rp_x264_context *ctx,
                       struct rp_h264_encode_job *job, const struct rp_x264_rate_snapshot *snapshot)
{
    struct rp_encode_result *result = &job->common.result;

    *result = (struct rp_encode_result){0};
    ctx->job = job;
    ctx->is_header_too_long = false;
    result->status = picture_prepare(enc, ctx, result);
    if (result->status == RP_CODEC_OK)
        result->status = snapshot ? picture_code_with_rate(enc, ctx, snapshot, result)
                                  : picture_code_constant(enc, ctx, result);
    rp_x264_slices_release(ctx);
    rp_x264_source_unload(ctx);
    ctx->job = NULL;
    return result->status;
}

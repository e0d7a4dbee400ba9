/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stages of one picture, in the order that x264's encoder needs them.
 */
#include "picture.h"

#include "bitstream.h"
#include "quant.h"
#include "refs.h"
#include "slot.h"
#include "source.h"

#include "encoder/analyse.h"
#include "encoder/macroblock.h"
#include "encoder/ratecontrol.h"
#include "encoder/set.h"

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
    fenc->b_kept_as_ref = ctx->job->recon.slot != NULL;
    fenc->i_poc = 0;
    fenc->i_bframes = 0;
    fenc->i_qpplus1 = X264_QP_AUTO;
    fenc->i_frame = 0;
    memset(fenc->weight, 0, sizeof(fenc->weight));
}

/* Motion that the analysis looks up for macroblocks it has not coded yet must not be that of
 * whichever picture used the memory before. */
static void
picture_clear_motion_caches(x264_t *h)
{
    const size_t size_B = (size_t)h->mb.i_mb_count * sizeof(h->fdec->mv16x16[0]);

    memset(h->fdec->mv16x16, 0, size_B);
    for (int list = 0; list < 2; list++) {
        for (int i = !list; i < h->i_ref[list]; i++)
            memset(h->mb.mvr[list][i], 0, size_B);
    }
}

static bool
picture_init_recon(struct rp_x264_context *ctx)
{
    const struct rp_h264_encode_job *job = ctx->job;
    const struct rp_h264_slot *slot = job->recon.slot;
    x264_t *h = ctx->h;

    if (!slot && !rp_x264_context_need_unkept(ctx))
        return false;
    h->fdec = slot ? slot->frame : ctx->unkept;
    x264_frame_t *fdec = h->fdec;
    /* Filtered, padded and with half-pel planes if and only if somebody keeps it. */
    fdec->b_kept_as_ref = slot != NULL;
    fdec->i_type = h->fenc->i_type;
    fdec->i_frame = fdec->i_frame_num = 0;
    fdec->i_poc = 0;
    fdec->i_delta_poc[0] = fdec->i_delta_poc[1] = 0;
    fdec->i_slice_count = 0;
    fdec->b_corrupt = 0;
    fdec->mb_info = NULL;
    fdec->mb_info_free = NULL;
    return true;
}

static void
picture_init_header(struct rp_x264_context *ctx, bool direct_spatial)
{
    const struct rp_h264_encode_job *job = ctx->job;
    x264_t *h = ctx->h;
    x264_slice_header_t *sh = &h->sh;

    h->i_nal_type = job->is_idr ? NAL_SLICE_IDR : NAL_SLICE;
    h->i_nal_ref_idc = (int)job->nal_ref_idc;
    h->mb.b_direct_auto_write = h->mb.b_direct_auto_read = 0;
    *sh = (x264_slice_header_t){
        .sps = h->sps,
        .pps = h->pps,
        .i_type = (int)job->slice_type,
        .i_last_mb = h->mb.i_mb_count - 1,
        .i_idr_pic_id = job->is_idr ? 0 : -1,
        .b_direct_spatial_mv_pred = direct_spatial,
        .b_num_ref_idx_override = 1,
        .i_num_ref_idx_l0_active = X264_MAX(1, h->i_ref[0]),
        .i_num_ref_idx_l1_active = X264_MAX(1, h->i_ref[1]),
        .i_cabac_init_idc = (int)job->cabac_init_idc,
        .i_disable_deblocking_filter_idc = (int)job->disable_deblocking_filter_idc,
        .i_alpha_c0_offset = job->alpha_c0_offset_div2 * 2,
        .i_beta_offset = job->beta_offset_div2 * 2,
    };
}

/* What x264's slice_init() leads to, without the reference handling. */
static void
picture_init_macroblocks(struct rp_x264_context *ctx)
{
    x264_t *h = ctx->h;

    /* It divides by the distance to RefPicList0[0]. */
    if (h->i_ref[0] > 0 && h->fref[0][0]->i_poc == 0)
        h->fdec->i_poc = 1;
    x264_macroblock_slice_init(h);
    if (ctx->job->slice_type == SLICE_TYPE_B)
        rp_x264_refs_init_bipred(ctx);
    rp_x264_weighted_pred_init(h);
    picture_clear_motion_caches(h);
}

static bool
picture_write_slices(struct rp_x264_context *ctx)
{
    const struct rp_h264_encode_job *job = ctx->job;
    x264_t *h = ctx->h;

    h->mb.b_reencode_mb = 0;
    memset(&h->stat.frame, 0, sizeof(h->stat.frame));
    /* x264_cabac_encode_flush() puts a bit chosen by i_frame behind the stop bit; for 1 it is 0,
     * as it has to be. */
    h->i_frame = 1;
    for (uint32_t i = 0; i < job->slice_count; i++) {
        const struct rp_h264_slice *slice = &job->slices[i];
        ctx->slice_index = i;
        h->sh.i_first_mb = (int)slice->first_mb;
        h->sh.i_last_mb = (int)(slice->first_mb + slice->mb_count - 1);
        if (slice->qp >= 0)
            rp_x264_rate_set_qp(h, (float)slice->qp);
        if (rp_x264_slice_write(h) < 0)
            return false;
    }
    x264_emms();
    return true;
}

static void
picture_count(const struct rp_x264_context *ctx, struct rp_h264_encode_result *result)
{
    const x264_t *h = ctx->h;
    const int *mbs = h->stat.frame.i_mb_count;
    const uint32_t total = (uint32_t)h->mb.i_mb_count;

    result->intra_mb_count = (uint32_t)(mbs[I_4x4] + mbs[I_8x8] + mbs[I_16x16] + mbs[I_PCM]);
    result->inter_mb_count = total - result->intra_mb_count;
    result->skipped_mb_count = (uint32_t)(mbs[P_SKIP] + mbs[B_SKIP]);

    uint32_t sum = 0;
    result->min_qp = QP_MAX_SPEC;
    result->max_qp = 0;
    for (uint32_t i = 0; i < total; i++) {
        const uint32_t qp = (uint32_t)h->mb.qp[i];
        sum += qp;
        result->min_qp = X264_MIN(result->min_qp, qp);
        result->max_qp = X264_MAX(result->max_qp, qp);
    }
    result->average_qp = (sum + total / 2) / total;
}

static enum rp_codec_status
picture_code(struct rp_x264_context *ctx, struct rp_h264_encode_result *result)
{
    const struct rp_h264_encode_job *job = ctx->job;
    x264_t *h = ctx->h;

    h->sh.i_type = (int)job->slice_type;
    rp_x264_source_load(ctx);
    picture_init_source(ctx);
    if (!picture_init_recon(ctx))
        return RP_CODEC_NO_MEMORY;
    if (job->slice_type == SLICE_TYPE_B && job->refs[1][0].is_long_term &&
        !rp_x264_context_need_absent_refs(ctx))
        return RP_CODEC_NO_MEMORY;
    const bool direct_spatial = rp_x264_refs_attach(ctx);
    picture_init_header(ctx, direct_spatial);
    rp_x264_quant_prepare(ctx);
    rp_x264_bitstream_start(ctx);
    rp_x264_rate_fix_qp(h, (float)job->slices[0].qp);
    picture_init_macroblocks(ctx);
    if (!picture_write_slices(ctx))
        return RP_CODEC_NO_MEMORY;
    if (ctx->is_header_too_long)
        return RP_CODEC_FAILED;
    picture_count(ctx, result);
    return rp_x264_bitstream_finish(ctx, result);
}

enum rp_codec_status
rp_x264_picture_encode(struct rp_x264_context *ctx, struct rp_h264_encode_job *job)
{
    job->result = (struct rp_h264_encode_result){0};
    ctx->job = job;
    ctx->is_header_too_long = false;
    job->result.status = picture_code(ctx, &job->result);
    rp_x264_source_unload(ctx);
    ctx->job = NULL;
    return job->result.status;
}

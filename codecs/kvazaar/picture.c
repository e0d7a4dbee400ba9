/* SPDX-License-Identifier: MIT */
#include "codecs/kvazaar/picture.h"

#include "codecs/kvazaar/rate.h"
#include "codecs/kvazaar/references.h"
#include "codecs/kvazaar/slices.h"
#include "codecs/kvazaar/slot.h"

#include "util/compiler.h"

#include <math.h>

#define MIN_CODING_BLOCK_PX 8u
#define COPIED_PX (4 * LCU_WIDTH) /* rows that are worth waking a thread */

/* kvazaar reads these while it codes. */
static void
set_tools(struct rp_kvazaar_context *ctx, const struct rp_h265_encode_job *job)
{
    kvz_config *cfg = &ctx->control->cfg;
    cfg->qp = (int8_t)ctx->qp;
    cfg->max_merge = (uint8_t)job->max_merge_cand;
    cfg->tmvp_enable = job->temporal_mvp;
    cfg->deblock_enable = job->deblocking;
    cfg->deblock_beta = (int8_t)job->beta_offset_div2;
    cfg->deblock_tc = (int8_t)job->tc_offset_div2;
    cfg->sao_type = job->sao ? ctx->cfg->sao_type : KVZ_SAO_OFF;
    cfg->signhide_enable = job->pps->flags.sign_data_hiding_enabled_flag;
    cfg->trskip_enable = job->pps->flags.transform_skip_enabled_flag;
    cfg->amp_enable = ctx->cfg->amp_enable && job->sps->flags.amp_enabled_flag;
    cfg->tr_depth_intra = (int8_t)job->sps->max_transform_hierarchy_depth_intra;
    ctx->control->tr_depth_inter = (int8_t)job->sps->max_transform_hierarchy_depth_inter;
}

static float
mean_of(const float *values, uint32_t count)
{
    float sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += values[i];
    return sum / (float)count;
}

/* The quantiser of what matters most is so much finer than of what matters least, within the rate's
 * bounds. */
#define EMPHASIS_QP 12.0f

/* The maps' deltas, of a picture of ctx->qp. With a plan quantisers stay within its bounds.
 * Quantisers that are no farther than that from the slice's are no farther than CuQpDeltaVal goes
 * from each other, and so from any prediction of them. */
static void
set_map(struct rp_kvazaar_context *ctx, const struct rp_h265_encode_job *job,
        const struct rp_rate_plan *plan)
{
    const uint32_t columns = (uint32_t)ctx->control->in.width_in_lcu;
    const uint32_t rows = (uint32_t)ctx->control->in.height_in_lcu;
    const uint32_t map_columns = (job->common.width_px + RP_H265_CTB_PX - 1) / RP_H265_CTB_PX;
    const uint32_t map_rows = (job->common.height_px + RP_H265_CTB_PX - 1) / RP_H265_CTB_PX;
    const int16_t *deltas = job->common.qp_delta;
    const float *emphasis = job->common.rate ? job->common.emphasis : NULL;
    const float mean = emphasis ? mean_of(emphasis, map_columns * map_rows) : 0;
    kvz_picture *source = &ctx->source;

    source->roi.roi_array = NULL;
    if (!deltas && !emphasis)
        return;
    for (uint32_t y = 0; y < rows; y++) {
        for (uint32_t x = 0; x < columns; x++) {
            const uint32_t block =
                RP_MIN(y, map_rows - 1) * map_columns + RP_MIN(x, map_columns - 1);
            const int wanted = (deltas ? deltas[block] : 0) +
                               (emphasis ? (int)lrintf((mean - emphasis[block]) * EMPHASIS_QP) : 0);
            int delta = CLIP(-RP_H265_MAX_QP_DELTA, RP_H265_MAX_QP_DELTA, wanted);
            if (plan)
                delta = CLIP(plan->least_index, plan->greatest_index, ctx->qp + delta) - ctx->qp;
            ctx->qp_deltas[y * columns + x] = (int8_t)delta;
        }
    }
    source->roi.roi_array = ctx->qp_deltas;
    source->roi.width = (int)columns;
    source->roi.height = (int)rows;
}

static void
set_frame(struct rp_kvazaar_context *ctx, const struct rp_h265_encode_job *job)
{
    encoder_state_config_frame_t *frame = ctx->state.frame;
    frame->poc = RP_KVAZAAR_CURRENT_POC;
    frame->num = 1;
    frame->slicetype = (enum kvz_slice_type)job->slice_type;
    frame->is_irap = job->slice_type == STD_VIDEO_H265_SLICE_TYPE_I;
    frame->pictype = (uint8_t)job->nal_unit_type;
    frame->QP = (int8_t)ctx->qp;
    frame->lambda = 0.57 * pow(2.0, (ctx->qp - 12) / 3.0);
    frame->max_qp_delta_depth = job->pps->flags.cu_qp_delta_enabled_flag ? 0 : -1;
    frame->cur_frame_bits_coded = 0;
    ctx->intra_frame = *frame;
    ctx->intra_frame.slicetype = KVZ_SLICE_I;
    ctx->motion.intra_frame = &ctx->intra_frame;
}

/* Slices keep references to the pictures that they last worked on. */
static void
forget_pictures(encoder_state_t *state)
{
    for (uint32_t i = 0; state->children[i].encoder_control; i++) {
        encoder_state_t *child = &state->children[i];
        forget_pictures(child);
        if (child->tile == state->tile)
            continue;
        videoframe_t *frame = child->tile->frame;
        kvz_image_free(frame->source);
        kvz_image_free(frame->rec);
        frame->source = frame->rec = NULL;
        kvz_cu_array_free(&frame->cu_array);
    }
}

static void
begin(void *state)
{
    rp_kvazaar_state_begin(state);
}

static void
end(void *state)
{
    forget_pictures(state);
}

/* A picture that is coded into a content. */
struct coding {
    struct rp_kvazaar_context *ctx;
    const struct rp_h265_encode_job *job;
    struct rp_kvazaar_content *content;
};

static void
prepare_rows(void *opaque, uint32_t y_px, uint32_t end_px)
{
    const struct coding *coding = opaque;
    rp_kvazaar_planes_fill(&coding->ctx->source, &coding->job->common.src, y_px, end_px);
    rp_kvazaar_content_clear_motion(coding->content, y_px, end_px);
}

static void
copy_rows(void *opaque, uint32_t i, uint32_t thread)
{
    const struct coding *coding = opaque;
    (void)thread;
    rp_kvazaar_content_copy(coding->content, &coding->job->common.recon.pixels, i * COPIED_PX,
                            (i + 1) * COPIED_PX);
}

/* Quantisers and kinds of the blocks of the coded extent. */
static void
measure(const struct rp_kvazaar_content *content, const struct rp_kvazaar_context *ctx,
        const struct rp_h265_encode_job *job, struct rp_encode_result *result)
{
    const uint32_t width_px = job->common.width_px, height_px = job->common.height_px;
    uint64_t qp_sum = 0, block_count = 0;
    result->min_qp = UINT32_MAX;
    for (uint32_t y = 0; y < height_px; y += MIN_CODING_BLOCK_PX) {
        for (uint32_t x = 0; x < width_px; x += MIN_CODING_BLOCK_PX) {
            const cu_info_t *cu = kvz_cu_array_at_const(&content->motion, x, y);
            const uint64_t size_px = (uint64_t)RP_MIN(MIN_CODING_BLOCK_PX, width_px - x) *
                                     RP_MIN(MIN_CODING_BLOCK_PX, height_px - y);
            const uint32_t qp =
                job->pps->flags.cu_qp_delta_enabled_flag ? cu->qp : (uint32_t)ctx->qp;
            qp_sum += qp;
            block_count++;
            result->min_qp = RP_MIN(result->min_qp, qp);
            result->max_qp = RP_MAX(result->max_qp, qp);
            if (cu->type == CU_INTRA)
                result->intra_px += size_px;
            else if (cu->skipped)
                result->skipped_px += size_px;
            result->inter_px += cu->type == CU_INTRA ? 0 : size_px;
        }
    }
    result->average_qp = (uint32_t)((qp_sum + block_count / 2) / block_count);
}

static void
prepare(struct rp_kvazaar_context *ctx, const struct rp_h265_encode_job *job,
        struct rp_kvazaar_content *content)
{
    encoder_state_t *state = &ctx->state;
    rp_kvazaar_references_set(ctx, job);
    state->tile->frame->source = &ctx->source;
    state->tile->frame->rec = &content->picture;
    state->tile->frame->cu_array = &content->motion;
}

/* Codes the picture with ctx->qp; the size is set, be there room for it. */
static enum rp_codec_status
attempt(struct rp_kvazaar_context *ctx, struct rp_h265_encode_job *job,
        struct rp_kvazaar_content *content)
{
    encoder_state_t *state = &ctx->state;
    struct rp_encode_result *result = &job->common.result;
    set_tools(ctx, job);
    set_frame(ctx, job);
    state->tile->frame->poc = state->frame->poc;
    struct coding coding = {ctx, job, content};
    /* With rate control the picture may be coded again: nobody sees it before it is done. */
    struct rp_kvazaar_coded_rows *coded = job->common.rate ? NULL : &content->coded;
    if (!rp_kvazaar_heap_run(&ctx->heap, begin, state) ||
        !rp_kvazaar_wave_code(&ctx->wave, &ctx->motion, coded, prepare_rows, &coding) ||
        !rp_kvazaar_heap_run(&ctx->heap, end, state))
        return RP_CODEC_NO_MEMORY;
    result->size_B = rp_kvazaar_slices_write(ctx, job);
    if (result->size_B == 0)
        return RP_CODEC_FAILED;
    return result->size_B > job->common.dst_capacity_B ? RP_CODEC_NO_SPACE : RP_CODEC_OK;
}

static bool
is_coded(enum rp_codec_status status)
{
    return status == RP_CODEC_OK || status == RP_CODEC_NO_SPACE;
}

static enum rp_codec_status
code_into(struct rp_kvazaar_context *ctx, struct rp_h265_encode_job *job,
          struct rp_kvazaar_content *content, struct rp_rate_plan *plan)
{
    struct rp_encode_result *result = &job->common.result;
    enum rp_codec_status status;
    prepare(ctx, job, content);
    do {
        ctx->qp = plan ? plan->index : job->qp;
        set_map(ctx, job, plan);
        status = attempt(ctx, job, content);
    } while (plan && is_coded(status) && rp_rate_plan_is_again(plan, result->size_B));
    if (!is_coded(status))
        return status;
    if (plan)
        content->rate_base = rp_rate_plan_end(plan, result->size_B);
    measure(content, ctx, job, result);
    return status;
}

void
rp_kvazaar_picture_encode(struct rp_kvazaar_context *ctx, struct rp_h265_encode_job *job,
                          struct rp_rate_plan *plan)
{
    struct rp_encode_job *common = &job->common;
    struct rp_kvazaar_content *recon = rp_kvazaar_begun_of(job)->recon;
    common->result = (struct rp_encode_result){0};
    enum rp_codec_status status = RP_CODEC_NO_MEMORY;
    if (recon)
        status = code_into(ctx, job, recon, plan);
    else if (rp_kvazaar_content_reserve(&ctx->scratch, ctx->config.width_px, ctx->config.height_px))
        status = code_into(ctx, job, &ctx->scratch, plan);
    common->result.status = status;
}

void
rp_kvazaar_picture_copy(const struct rp_kvazaar_context *ctx, struct rp_h265_encode_job *job)
{
    struct coding coding = {.job = job, .content = rp_kvazaar_begun_of(job)->recon};
    rp_kvazaar_wave_run(&ctx->wave, (ctx->config.height_px + COPIED_PX - 1) / COPIED_PX, copy_rows,
                        &coding);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The codec's entry points: jobs begin in order, wait for the slots they change, and are coded on
 * any thread.
 */
#include "encoder.h"

#include "check.h"
#include "picture/hooks.h"
#include "picture/job_slots.h"
#include "picture/picture.h"
#include "rate/order.h"

#include "util/alloc.h"
#include "util/compiler.h"

#define ENCODER_SCOPE VK_SYSTEM_ALLOCATION_SCOPE_OBJECT

static int
level_number(StdVideoH264LevelIdc level)
{
    static const uint8_t numbers[] = {
        10, 11, 12, 13, 20, 21, 22, 30, 31, 32, 40, 41, 42, 50, 51, 52, 60, 61, 62,
    };
    return numbers[level];
}

static struct rp_x264_config
job_config(const struct rp_h264_encode_job *job)
{
    const StdVideoH264PictureParameterSet *pps = job->pps;

    return (struct rp_x264_config){
        .width_px = job->common.width_px,
        .height_px = job->common.height_px,
        .level_idc = level_number(job->sps->level_idc),
        .chroma_qp_offset = pps->chroma_qp_index_offset,
        .quality_level = RP_MIN(job->common.quality_level, RP_X264_QUALITY_LEVELS - 1),
        .has_cabac = pps->flags.entropy_coding_mode_flag,
        .has_transform_8x8 = pps->flags.transform_8x8_mode_flag,
        .has_constrained_intra = pps->flags.constrained_intra_pred_flag,
        .has_implicit_weights =
            pps->weighted_bipred_idc == STD_VIDEO_H264_WEIGHTED_BIPRED_IDC_IMPLICIT,
    };
}

/* What begin() notes of the job; NULL when memory is short. */
static struct rp_x264_begun *
begun_take(struct rp_encoder *enc)
{
    pthread_mutex_lock(&enc->mutex);
    struct rp_x264_begun *begun = enc->free_begun;
    if (begun)
        enc->free_begun = begun->next;
    pthread_mutex_unlock(&enc->mutex);
    if (!begun)
        return rp_zalloc(NULL, sizeof(*begun), _Alignof(struct rp_x264_begun), ENCODER_SCOPE);
    *begun = (struct rp_x264_begun){0};
    return begun;
}

static void
begun_return(struct rp_encoder *enc, struct rp_h264_encode_job *job)
{
    struct rp_x264_begun *begun = job->common.codec_private;

    job->common.codec_private = NULL;
    pthread_mutex_lock(&enc->mutex);
    begun->next = enc->free_begun;
    enc->free_begun = begun;
    pthread_mutex_unlock(&enc->mutex);
}

/* Rate control goes on from the size of the picture before: more than one to prepare meanwhile is
 * waited for here, where it holds up nobody else's pictures. */
static enum rp_codec_status
rate_begin(struct rp_encoder *enc, const struct rp_h264_encode_job *job, bool may_wait)
{
    struct rp_x264_begun *begun = rp_x264_begun_of(job);
    if (!job->common.rate)
        return RP_CODEC_OK;

    begun->snapshot.settings = job->common.rate->settings;
    begun->snapshot.version = job->common.rate->version;
    pthread_mutex_lock(&enc->mutex);
    while (may_wait && enc->rated_count >= RP_X264_RATED_MOST)
        pthread_cond_wait(&enc->job_ended, &enc->mutex);
    const bool is_busy = enc->rated_count >= RP_X264_RATED_MOST;
    pthread_mutex_unlock(&enc->mutex);
    return is_busy ? RP_CODEC_BUSY : RP_CODEC_OK;
}

static enum rp_codec_status
begin_fail(struct rp_encoder *enc, struct rp_h264_encode_job *job, enum rp_codec_status status)
{
    if (job->common.codec_private)
        begun_return(enc, job);
    job->common.result = (struct rp_encode_result){.status = status};
    return status;
}

static RP_X264_ENTRY enum rp_codec_status
encoder_begin(struct rp_encoder *enc, struct rp_encode_job *common, bool may_wait)
{
    struct rp_h264_encode_job *job = rp_h264_encode_job_of(common);
    job->common.codec_private = NULL;
    if (!rp_x264_job_is_supported(job))
        return begin_fail(enc, job, RP_CODEC_UNSUPPORTED);
    job->common.codec_private = begun_take(enc);
    if (!job->common.codec_private)
        return begin_fail(enc, job, RP_CODEC_NO_MEMORY);

    const struct rp_x264_config config = job_config(job);
    enum rp_codec_status status = rate_begin(enc, job, may_wait);
    if (status == RP_CODEC_OK)
        status = rp_x264_job_slots_prepare(enc, &config, job, may_wait);
    if (status != RP_CODEC_OK)
        return begin_fail(enc, job, status);
    rp_x264_job_slots_start(enc, &config, job);
    return RP_CODEC_OK;
}

static RP_X264_ENTRY void
encoder_encode(struct rp_encoder *enc, struct rp_encode_job *common)
{
    struct rp_h264_encode_job *job = rp_h264_encode_job_of(common);
    const struct rp_x264_config config = job_config(job);
    struct rp_x264_context *ctx = rp_x264_encoder_acquire(enc, &config);
    if (ctx) {
        const struct rp_x264_begun *begun = rp_x264_begun_of(job);
        const enum rp_codec_status status =
            rp_x264_picture_encode(enc, ctx, job, job->common.rate ? &begun->snapshot : NULL);
        const bool is_done = status == RP_CODEC_OK || status == RP_CODEC_NO_SPACE;
        rp_x264_encoder_release(enc, ctx, !is_done);
    } else {
        job->common.result = (struct rp_encode_result){.status = RP_CODEC_NO_MEMORY};
    }
    if (job->common.rate)
        rp_x264_rate_order_wait(enc, job);
    rp_x264_job_slots_end(enc, job);
    begun_return(enc, job);
}

static RP_X264_ENTRY void
encoder_dpb_layout(uint32_t width_px, uint32_t height_px, struct rp_dpb_layout *out)
{
    const size_t stride_B = rp_x264_stride_B(width_px);
    const size_t lines = ALIGN((size_t)height_px, 16);
    const size_t luma_B = stride_B * (lines + 2 * PADV);
    const size_t chroma_B = stride_B * (lines / 2 + PADV);

    *out = (struct rp_dpb_layout){
        .size_B = luma_B + chroma_B + 128,
        .align_B = 64,
        .stride_B = stride_B,
        .offset_B = {stride_B * PADV + PADH_ALIGN, luma_B + stride_B * (PADV / 2) + PADH_ALIGN},
    };
}

static struct rp_encoder *
encoder_create(struct rp_workers *workers)
{
    struct rp_encoder *enc =
        rp_zalloc(NULL, sizeof(*enc), _Alignof(struct rp_encoder), ENCODER_SCOPE);
    if (!enc)
        return NULL;
    enc->workers = workers;
    enc->hooks = &rp_x264_picture_hooks;
    pthread_mutex_init(&enc->mutex, NULL);
    pthread_cond_init(&enc->job_ended, NULL);
    rp_x264_encoder_init_pool(enc);
    return enc;
}

static RP_X264_ENTRY void
encoder_destroy(struct rp_encoder *enc)
{
    if (!enc)
        return;
    rp_pool_finish(&enc->pool);
    while (enc->free_begun) {
        struct rp_x264_begun *begun = enc->free_begun;
        enc->free_begun = begun->next;
        rp_free(NULL, begun);
    }
    while (enc->spares) {
        struct rp_x264_content *content = enc->spares;
        enc->spares = content->next;
        rp_x264_content_destroy(content);
    }
    pthread_cond_destroy(&enc->job_ended);
    pthread_mutex_destroy(&enc->mutex);
    rp_free(NULL, enc);
}

static struct rp_encoder_slot *
encoder_slot_create(struct rp_encoder *enc)
{
    (void)enc;
    return rp_zalloc(NULL, sizeof(struct rp_encoder_slot), _Alignof(struct rp_encoder_slot),
                     ENCODER_SCOPE);
}

static RP_X264_ENTRY void
encoder_slot_destroy(struct rp_encoder *enc, struct rp_encoder_slot *slot)
{
    (void)enc;
    if (!slot)
        return;
    rp_x264_content_destroy(slot->content);
    rp_free(NULL, slot);
}

static struct rp_encoder_rate *
encoder_rate_create(struct rp_encoder *enc)
{
    (void)enc;
    return rp_x264_rate_create();
}

static RP_X264_ENTRY void
encoder_rate_destroy(struct rp_encoder *enc, struct rp_encoder_rate *rate)
{
    (void)enc;
    rp_x264_rate_destroy(rate);
}

static const struct rp_encode_codec x264_codec = {
    .name = "x264 " REELPIPE_X264_VERSION,
    .quality_level_count = RP_X264_QUALITY_LEVELS,
    .dpb_layout = encoder_dpb_layout,
    .create = encoder_create,
    .destroy = encoder_destroy,
    .slot_create = encoder_slot_create,
    .slot_destroy = encoder_slot_destroy,
    .rate_create = encoder_rate_create,
    .rate_destroy = encoder_rate_destroy,
    .rate_set = rp_x264_rate_set,
    .begin = encoder_begin,
    .encode = encoder_encode,
};

const struct rp_encode_codec *
rp_codec_h264_encode(void)
{
    return &x264_codec;
}

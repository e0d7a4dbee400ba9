/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The codec's entry points: jobs begin in order, wait for the slots they change, and are coded on
 * any thread.
 */
#include "encoder.h"

#include "check.h"
#include "job_slots.h"
#include "picture.h"
#include "rate.h"

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
        .width_px = job->width_px,
        .height_px = job->height_px,
        .level_idc = level_number(job->sps->level_idc),
        .chroma_qp_offset = pps->chroma_qp_index_offset,
        .quality_level = RP_MIN(job->quality_level, RP_X264_QUALITY_LEVELS - 1),
        .has_cabac = pps->flags.entropy_coding_mode_flag,
        .has_transform_8x8 = pps->flags.transform_8x8_mode_flag,
        .has_constrained_intra = pps->flags.constrained_intra_pred_flag,
        .has_implicit_weights =
            pps->weighted_bipred_idc == STD_VIDEO_H264_WEIGHTED_BIPRED_IDC_IMPLICIT,
    };
}

/* Takes the picture's place in the order of those with rate control. */
static bool
ticket_take(struct rp_h264_encoder *enc, struct rp_h264_encode_job *job)
{
    pthread_mutex_lock(&enc->mutex);
    struct rp_x264_rate_ticket *ticket = enc->free_tickets;
    if (ticket)
        enc->free_tickets = ticket->next;
    pthread_mutex_unlock(&enc->mutex);
    if (!ticket)
        ticket =
            rp_zalloc(NULL, sizeof(*ticket), _Alignof(struct rp_x264_rate_ticket), ENCODER_SCOPE);
    if (!ticket)
        return false;

    ticket->settings = job->rate->settings;
    ticket->version = job->rate->version;
    ticket->number = enc->ticket_count++;
    job->codec_private = ticket;
    return true;
}

/* Waits for the picture's turn, and for its references: their rows tell of their rates. */
static void
ticket_wait(struct rp_h264_encoder *enc, const struct rp_h264_encode_job *job)
{
    const struct rp_x264_rate_ticket *ticket = job->codec_private;

    pthread_mutex_lock(&enc->mutex);
    while (enc->ticket_served != ticket->number)
        pthread_cond_wait(&enc->job_ended, &enc->mutex);
    pthread_mutex_unlock(&enc->mutex);
    for (int list = 0; list < 2; list++) {
        for (uint32_t i = 0; i < job->ref_count[list]; i++)
            rp_x264_slot_wait(job->refs[list][i].picture.slot);
    }
}

static void
ticket_return(struct rp_h264_encoder *enc, struct rp_h264_encode_job *job)
{
    struct rp_x264_rate_ticket *ticket = job->codec_private;

    pthread_mutex_lock(&enc->mutex);
    enc->ticket_served++;
    ticket->next = enc->free_tickets;
    enc->free_tickets = ticket;
    pthread_cond_broadcast(&enc->job_ended);
    pthread_mutex_unlock(&enc->mutex);
    job->codec_private = NULL;
}

static enum rp_codec_status
begin_fail(struct rp_h264_encode_job *job, enum rp_codec_status status)
{
    job->result = (struct rp_h264_encode_result){.status = status};
    return status;
}

static RP_X264_ENTRY enum rp_codec_status
encoder_begin(struct rp_h264_encoder *enc, struct rp_h264_encode_job *job)
{
    if (!rp_x264_job_is_supported(job))
        return begin_fail(job, RP_CODEC_UNSUPPORTED);

    const struct rp_x264_config config = job_config(job);
    if (!rp_x264_job_slots_prepare(enc, &config, job))
        return begin_fail(job, RP_CODEC_NO_MEMORY);
    if (job->rate && !ticket_take(enc, job))
        return begin_fail(job, RP_CODEC_NO_MEMORY);
    rp_x264_job_slots_start(enc, &config, job);
    return RP_CODEC_OK;
}

static RP_X264_ENTRY void
encoder_encode(struct rp_h264_encoder *enc, struct rp_h264_encode_job *job)
{
    const struct rp_x264_config config = job_config(job);
    if (job->rate)
        ticket_wait(enc, job);
    struct rp_x264_context *ctx = rp_x264_encoder_acquire(enc, &config);
    if (ctx) {
        const struct rp_x264_rate_ticket *ticket = job->rate ? job->codec_private : NULL;
        const enum rp_codec_status status = rp_x264_picture_encode(ctx, job, ticket);
        const bool is_done = status == RP_CODEC_OK || status == RP_CODEC_NO_SPACE;
        rp_x264_encoder_release(enc, ctx, !is_done);
    } else {
        job->result = (struct rp_h264_encode_result){.status = RP_CODEC_NO_MEMORY};
    }
    if (job->rate)
        ticket_return(enc, job);
    rp_x264_job_slots_end(enc, job);
}

static RP_X264_ENTRY void
encoder_dpb_layout(uint32_t width_px, uint32_t height_px, struct rp_h264_dpb_layout *out)
{
    const size_t stride_B = rp_x264_stride_B(width_px);
    const size_t lines = ALIGN((size_t)height_px, 16);
    const size_t luma_B = stride_B * (lines + 2 * PADV);
    const size_t chroma_B = stride_B * (lines / 2 + PADV);

    *out = (struct rp_h264_dpb_layout){
        .size_B = luma_B + chroma_B + 128,
        .align_B = 64,
        .stride_B = stride_B,
        .offset_B = {stride_B * PADV + PADH_ALIGN, luma_B + stride_B * (PADV / 2) + PADH_ALIGN},
    };
}

static struct rp_h264_encoder *
encoder_create(struct rp_workers *workers)
{
    struct rp_h264_encoder *enc =
        rp_zalloc(NULL, sizeof(*enc), _Alignof(struct rp_h264_encoder), ENCODER_SCOPE);
    if (!enc)
        return NULL;
    enc->workers = workers;
    pthread_mutex_init(&enc->mutex, NULL);
    pthread_cond_init(&enc->job_ended, NULL);
    return enc;
}

static RP_X264_ENTRY void
encoder_destroy(struct rp_h264_encoder *enc)
{
    if (!enc)
        return;
    while (enc->contexts) {
        struct rp_x264_context *ctx = enc->contexts;
        enc->contexts = ctx->next;
        rp_x264_context_destroy(ctx);
    }
    while (enc->free_tickets) {
        struct rp_x264_rate_ticket *ticket = enc->free_tickets;
        enc->free_tickets = ticket->next;
        rp_free(NULL, ticket);
    }
    pthread_cond_destroy(&enc->job_ended);
    pthread_mutex_destroy(&enc->mutex);
    rp_free(NULL, enc);
}

static struct rp_h264_slot *
encoder_slot_create(struct rp_h264_encoder *enc)
{
    (void)enc;
    return rp_zalloc(NULL, sizeof(struct rp_h264_slot), 64, ENCODER_SCOPE);
}

static RP_X264_ENTRY void
encoder_slot_destroy(struct rp_h264_encoder *enc, struct rp_h264_slot *slot)
{
    (void)enc;
    if (!slot)
        return;
    rp_x264_slot_drop_frame(slot);
    rp_free(NULL, slot);
}

static struct rp_h264_rate *
encoder_rate_create(struct rp_h264_encoder *enc)
{
    (void)enc;
    return rp_x264_rate_create();
}

static RP_X264_ENTRY void
encoder_rate_destroy(struct rp_h264_encoder *enc, struct rp_h264_rate *rate)
{
    (void)enc;
    rp_x264_rate_destroy(rate);
}

static const struct rp_h264_encode_codec x264_codec = {
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

const struct rp_h264_encode_codec *
rp_codec_h264_encode(void)
{
    return &x264_codec;
}

/* SPDX-License-Identifier: MIT */
/* The codec's entry points: jobs are coded one after the other, on any thread.
 */
#include "codecs/aom/encoder.h"

#include "codecs/aom/check.h"
#include "codecs/aom/picture.h"

#include "util/alloc.h"
#include "util/compiler.h"

#define ENCODER_SCOPE VK_SYSTEM_ALLOCATION_SCOPE_OBJECT

static enum rp_codec_status
encoder_begin(struct rp_encoder *enc, struct rp_encode_job *common, bool may_wait)
{
    (void)may_wait; /* nothing is waited for */
    common->codec_private = NULL;
    if (!rp_aom_job_is_supported(rp_av1_encode_job_of(common))) {
        common->result = (struct rp_encode_result){.status = RP_CODEC_UNSUPPORTED};
        return RP_CODEC_UNSUPPORTED;
    }
    pthread_mutex_lock(&enc->mutex);
    common->codec_private = (void *)(uintptr_t)enc->begun_count++;
    pthread_mutex_unlock(&enc->mutex);
    return RP_CODEC_OK;
}

/* Until it is this job's turn. */
static void
turn_begin(struct rp_encoder *enc, uint64_t number)
{
    pthread_mutex_lock(&enc->mutex);
    while (enc->ended_count != number || enc->is_busy)
        pthread_cond_wait(&enc->turn_ended, &enc->mutex);
    enc->is_busy = true;
    pthread_mutex_unlock(&enc->mutex);
}

static void
turn_end(struct rp_encoder *enc, bool has_coded)
{
    pthread_mutex_lock(&enc->mutex);
    enc->ended_count += has_coded;
    enc->is_busy = false;
    pthread_cond_broadcast(&enc->turn_ended);
    pthread_mutex_unlock(&enc->mutex);
}

/* The context of the job's sequence: that of the picture before, or of a reference, or a new one.
 *  */
static enum rp_codec_status
choose_context(struct rp_encoder *enc, const struct rp_av1_encode_job *job)
{
    const struct rp_aom_config config = rp_aom_config_of(job);
    struct rp_aom_context *ctx = enc->context;
    if (ctx && rp_aom_context_is_for(ctx, &config))
        return RP_CODEC_OK;

    ctx = NULL;
    for (uint32_t i = 0; i < RP_AV1_NAMES && !ctx; i++) {
        const struct rp_encoder_slot *slot = job->refs[i].picture.slot;
        if (slot && slot->context && rp_aom_context_is_for(slot->context, &config))
            ctx = slot->context;
    }
    if (ctx)
        ctx->reference_count++;
    else
        ctx = rp_aom_context_create(&config);
    rp_aom_context_unref(enc->context);
    enc->context = ctx;
    return ctx ? RP_CODEC_OK : RP_CODEC_NO_MEMORY;
}

static void
encoder_encode(struct rp_encoder *enc, struct rp_encode_job *common)
{
    struct rp_av1_encode_job *job = rp_av1_encode_job_of(common);
    const uint32_t float_state = rp_float_state_enter();
    turn_begin(enc, (uintptr_t)common->codec_private);
    const enum rp_codec_status status = choose_context(enc, job);
    if (status == RP_CODEC_OK)
        rp_aom_picture_encode(enc->context, job);
    else
        common->result = (struct rp_encode_result){.status = status};
    if (common->recon.slot && common->result.status != RP_CODEC_OK &&
        common->result.status != RP_CODEC_NO_SPACE)
        rp_aom_slot_clear(common->recon.slot);
    turn_end(enc, true);
    rp_float_state_leave(float_state);
}

static struct rp_encoder *
encoder_create(struct rp_workers *workers)
{
    struct rp_encoder *enc =
        rp_zalloc(NULL, sizeof(*enc), _Alignof(struct rp_encoder), ENCODER_SCOPE);
    if (!enc)
        return NULL;
    enc->workers = workers;
    pthread_mutex_init(&enc->mutex, NULL);
    pthread_cond_init(&enc->turn_ended, NULL);
    return enc;
}

static void
encoder_destroy(struct rp_encoder *enc)
{
    if (!enc)
        return;
    rp_aom_context_unref(enc->context);
    pthread_cond_destroy(&enc->turn_ended);
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

static void
encoder_slot_destroy(struct rp_encoder *enc, struct rp_encoder_slot *slot)
{
    if (!slot)
        return;
    pthread_mutex_lock(&enc->mutex);
    while (enc->is_busy)
        pthread_cond_wait(&enc->turn_ended, &enc->mutex);
    enc->is_busy = true;
    pthread_mutex_unlock(&enc->mutex);
    rp_aom_slot_clear(slot);
    turn_end(enc, false);
    rp_free(NULL, slot);
}

static const struct rp_encode_codec aom_codec = {
    .name = "libaom " REELPIPE_AOM_VERSION,
    .quality_level_count = RP_AOM_QUALITY_LEVELS,
    .create = encoder_create,
    .destroy = encoder_destroy,
    .slot_create = encoder_slot_create,
    .slot_destroy = encoder_slot_destroy,
    .begin = encoder_begin,
    .encode = encoder_encode,
};

const struct rp_encode_codec *
rp_codec_av1_encode(void)
{
    return &aom_codec;
}

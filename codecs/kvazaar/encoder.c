/* SPDX-License-Identifier: MIT */
/* The codec's entry points: jobs begin in order, and are coded on any thread.
 */
#include "codecs/kvazaar/encoder.h"

#include "codecs/kvazaar/check.h"
#include "codecs/kvazaar/job_slots.h"
#include "codecs/kvazaar/picture.h"
#include "codecs/kvazaar/rate.h"

#include "util/alloc.h"
#include "util/compiler.h"

#include "reelpipe/workers.h"

#define ENCODER_SCOPE VK_SYSTEM_ALLOCATION_SCOPE_OBJECT

/* What begin() notes of the job; NULL when memory is short. */
static struct rp_kvazaar_begun *
begun_take(struct rp_encoder *enc)
{
    pthread_mutex_lock(&enc->mutex);
    struct rp_kvazaar_begun *begun = enc->free_begun;
    if (begun)
        enc->free_begun = begun->next;
    pthread_mutex_unlock(&enc->mutex);
    if (!begun)
        return rp_zalloc(NULL, sizeof(*begun), _Alignof(struct rp_kvazaar_begun), ENCODER_SCOPE);
    *begun = (struct rp_kvazaar_begun){0};
    return begun;
}

static void
begun_return(struct rp_encoder *enc, struct rp_encode_job *common)
{
    struct rp_kvazaar_begun *begun = common->codec_private;

    common->codec_private = NULL;
    if (!begun)
        return;
    pthread_mutex_lock(&enc->mutex);
    begun->next = enc->free_begun;
    enc->free_begun = begun;
    pthread_mutex_unlock(&enc->mutex);
}

/* Rate control goes on from the size of the picture before: more than one to get ready meanwhile is
 * waited for here, where it takes no thread and no context. */
static enum rp_codec_status
rate_begin(struct rp_encoder *enc, bool may_wait)
{
    pthread_mutex_lock(&enc->mutex);
    while (may_wait && enc->rated_count >= RP_KVAZAAR_RATED_MOST)
        pthread_cond_wait(&enc->job_ended, &enc->mutex);
    const bool is_busy = enc->rated_count >= RP_KVAZAAR_RATED_MOST;
    pthread_mutex_unlock(&enc->mutex);
    return is_busy ? RP_CODEC_BUSY : RP_CODEC_OK;
}

static enum rp_codec_status
job_begin(struct rp_encoder *enc, struct rp_h265_encode_job *job, bool may_wait)
{
    struct rp_encode_job *common = &job->common;
    if (!rp_kvazaar_job_is_supported(job))
        return RP_CODEC_UNSUPPORTED;
    struct rp_kvazaar_begun *begun = begun_take(enc);
    common->codec_private = begun;
    if (!begun)
        return RP_CODEC_NO_MEMORY;
    enum rp_codec_status status = common->rate ? rate_begin(enc, may_wait) : RP_CODEC_OK;
    if (status == RP_CODEC_OK)
        status = rp_kvazaar_job_slots_prepare(enc, job, may_wait);
    if (status != RP_CODEC_OK)
        return status;
    if (common->rate) {
        begun->turn = rp_turns_take(&enc->turns, &common->rate->control);
        if (!begun->turn)
            return RP_CODEC_NO_MEMORY;
    }
    rp_kvazaar_job_slots_start(enc, job);
    return RP_CODEC_OK;
}

static enum rp_codec_status
encoder_begin(struct rp_encoder *enc, struct rp_encode_job *common, bool may_wait)
{
    common->codec_private = NULL;
    const enum rp_codec_status status = job_begin(enc, rp_h265_encode_job_of(common), may_wait);
    common->result = (struct rp_encode_result){.status = status};
    if (status != RP_CODEC_OK)
        begun_return(enc, common);
    return status;
}

/* A thread that waits leaves the processor to those that code. */
static void
wait_for_turn(struct rp_encoder *enc, const struct rp_turn *turn)
{
    if (enc->workers)
        rp_workers_pause(enc->workers);
    rp_turns_begin(&enc->turns, turn);
    if (enc->workers)
        rp_workers_resume(enc->workers);
}

/* The small picture is made before it is the picture's turn. ctx: NULL when memory was short. */
static void
encode_in_turn(struct rp_encoder *enc, struct rp_h265_encode_job *job,
               struct rp_kvazaar_context *ctx)
{
    struct rp_encode_job *common = &job->common;
    struct rp_kvazaar_begun *begun = common->codec_private;
    struct rp_rate_plan plan;

    const bool has_small = ctx && rp_small_picture_fill(&ctx->small, &common->src, common->width_px,
                                                        common->height_px);
    wait_for_turn(enc, begun->turn);
    if (has_small) {
        rp_kvazaar_rate_plan(job, &ctx->small, &plan);
        rp_kvazaar_picture_encode(ctx, job, &plan);
        if (begun->recon)
            rp_small_picture_swap(&begun->recon->small, &ctx->small);
    }
    rp_turns_end(&enc->turns, begun->turn);
}

static void
job_encode(struct rp_encoder *enc, struct rp_h265_encode_job *job)
{
    struct rp_encode_job *common = &job->common;
    const struct rp_kvazaar_begun *begun = common->codec_private;
    struct rp_kvazaar_config config;
    rp_kvazaar_config_init(&config, job);
    struct rp_kvazaar_context *ctx = rp_kvazaar_encoder_acquire(enc, &config);

    common->result = (struct rp_encode_result){.status = RP_CODEC_NO_MEMORY};
    if (common->rate)
        encode_in_turn(enc, job, ctx);
    else if (ctx)
        rp_kvazaar_picture_encode(ctx, job, NULL);
    rp_kvazaar_job_slots_coded(job);
    if (enc->workers)
        rp_workers_poke(enc->workers);
    if (begun->recon) {
        rp_kvazaar_job_slots_begin_copy(enc, job);
        if (!atomic_load(&begun->recon->is_lost))
            rp_kvazaar_picture_copy(ctx, job);
    }
    if (ctx)
        rp_kvazaar_encoder_release(enc, ctx, common->result.status == RP_CODEC_NO_MEMORY);
    rp_kvazaar_job_slots_end(enc, job);
}

static void
encoder_encode(struct rp_encoder *enc, struct rp_encode_job *common)
{
    const uint64_t float_state = rp_float_state_enter();
    job_encode(enc, rp_h265_encode_job_of(common));
    begun_return(enc, common);
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
    rp_turns_init(&enc->turns);
    pthread_mutex_init(&enc->mutex, NULL);
    pthread_cond_init(&enc->job_ended, NULL);
    rp_kvazaar_encoder_init_pool(enc);
    return enc;
}

static void
encoder_destroy(struct rp_encoder *enc)
{
    if (!enc)
        return;
    rp_pool_finish(&enc->pool);
    while (enc->free_begun) {
        struct rp_kvazaar_begun *begun = enc->free_begun;
        enc->free_begun = begun->next;
        rp_free(NULL, begun);
    }
    while (enc->spares) {
        struct rp_kvazaar_content *content = enc->spares;
        enc->spares = content->next;
        rp_kvazaar_content_destroy(content);
    }
    pthread_cond_destroy(&enc->job_ended);
    pthread_mutex_destroy(&enc->mutex);
    rp_turns_finish(&enc->turns);
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
    (void)enc; /* no context keeps a slot's picture from one picture to the next */
    if (!slot)
        return;
    rp_kvazaar_content_destroy(slot->content);
    rp_free(NULL, slot);
}

static struct rp_encoder_rate *
encoder_rate_create(struct rp_encoder *enc)
{
    (void)enc;
    return rp_session_rate_create(&rp_kvazaar_rate_encoder);
}

const struct rp_encode_codec rp_kvazaar_codec = {
#if KVZ_BIT_DEPTH == 8
    .of_10_bits = &rp_kvazaar10_codec,
#endif
    .name = "kvazaar " REELPIPE_KVAZAAR_VERSION,
    .quality_level_count = RP_KVAZAAR_QUALITY_LEVELS,
    .create = encoder_create,
    .destroy = encoder_destroy,
    .slot_create = encoder_slot_create,
    .slot_destroy = encoder_slot_destroy,
    .rate_create = encoder_rate_create,
    .rate_destroy = rp_session_rate_destroy,
    .rate_set = rp_session_rate_set,
    .begin = encoder_begin,
    .encode = encoder_encode,
};

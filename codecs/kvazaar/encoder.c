/* SPDX-License-Identifier: MIT */
/* The codec's entry points: jobs are coded one after the other, on any thread.
 */
#include "codecs/kvazaar/encoder.h"

#include "codecs/kvazaar/check.h"
#include "codecs/kvazaar/picture.h"
#include "codecs/kvazaar/rate.h"

#include "util/alloc.h"
#include "util/compiler.h"

#define ENCODER_SCOPE VK_SYSTEM_ALLOCATION_SCOPE_OBJECT

static enum rp_codec_status
encoder_begin(struct rp_encoder *enc, struct rp_encode_job *common, bool may_wait)
{
    (void)may_wait; /* nothing is waited for */
    common->codec_private = NULL;
    if (!rp_kvazaar_job_is_supported(rp_h265_encode_job_of(common))) {
        common->result = (struct rp_encode_result){.status = RP_CODEC_UNSUPPORTED};
        return RP_CODEC_UNSUPPORTED;
    }
    struct rp_turn *turn = rp_turns_take(&enc->turns, common->rate ? &common->rate->control : NULL);
    common->codec_private = turn;
    common->result = (struct rp_encode_result){.status = turn ? RP_CODEC_OK : RP_CODEC_NO_MEMORY};
    return common->result.status;
}

/* The context of the configuration, which becomes the first one; the oldest makes room for a new one.
 * NULL when memory is short. */
static struct rp_kvazaar_context *
take_context(struct rp_encoder *enc, const struct rp_kvazaar_config *config)
{
    uint32_t i = 0;
    while (i < RP_KVAZAAR_CONTEXTS - 1 && enc->contexts[i] &&
           !rp_kvazaar_context_is_for(enc->contexts[i], config))
        i++;
    struct rp_kvazaar_context *ctx = enc->contexts[i];
    if (!ctx || !rp_kvazaar_context_is_for(ctx, config)) {
        rp_kvazaar_context_destroy(ctx);
        ctx = rp_kvazaar_context_create(config, enc->workers);
    }
    for (; i > 0; i--)
        enc->contexts[i] = enc->contexts[i - 1];
    enc->contexts[0] = ctx;
    return ctx;
}

static void
encode_in_turn(struct rp_encoder *enc, struct rp_h265_encode_job *job)
{
    struct rp_encode_job *common = &job->common;
    const struct rp_turn *turn = common->codec_private;
    struct rp_encoder_slot *recon = common->recon.slot;
    struct rp_kvazaar_config config;
    struct rp_rate_plan plan;

    rp_kvazaar_config_init(&config, job);
    struct rp_kvazaar_context *ctx = take_context(enc, &config);
    if (ctx && (!common->rate || rp_kvazaar_rate_plan(job, &turn->rate, &enc->small, &plan)))
        rp_kvazaar_picture_encode(ctx, job, common->rate ? &plan : NULL);
    else
        common->result = (struct rp_encode_result){.status = RP_CODEC_NO_MEMORY};
    const enum rp_codec_status status = common->result.status;
    if (status == RP_CODEC_NO_MEMORY) {
        rp_kvazaar_context_destroy(ctx);
        enc->contexts[0] = NULL;
    }
    if (recon && status != RP_CODEC_OK && status != RP_CODEC_NO_SPACE)
        recon->has_picture = false;
    else if (recon && common->rate)
        rp_small_picture_swap(&recon->small, &enc->small);
    else if (recon)
        recon->small.is_filled = false; /* it was that of the picture before */
}

static void
encoder_encode(struct rp_encoder *enc, struct rp_encode_job *common)
{
    struct rp_turn *turn = common->codec_private;
    const uint64_t float_state = rp_float_state_enter();
    rp_turns_begin(&enc->turns, turn);
    encode_in_turn(enc, rp_h265_encode_job_of(common));
    rp_turns_end(&enc->turns, turn);
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
    return enc;
}

static void
encoder_destroy(struct rp_encoder *enc)
{
    if (!enc)
        return;
    for (uint32_t i = 0; i < RP_KVAZAAR_CONTEXTS; i++)
        rp_kvazaar_context_destroy(enc->contexts[i]);
    rp_small_picture_finish(&enc->small);
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
    rp_kvazaar_slot_finish(slot);
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

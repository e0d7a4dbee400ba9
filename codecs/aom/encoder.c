/* SPDX-License-Identifier: MIT */
/* The codec's entry points: jobs are coded one after the other, on any thread.
 */
#include "codecs/aom/encoder.h"

#include "codecs/aom/check.h"
#include "codecs/aom/picture.h"
#include "codecs/aom/rate.h"

#include "reelpipe/workers.h"
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
    struct rp_turn *turn = rp_turns_take(&enc->turns, common->rate ? &common->rate->control : NULL);
    common->codec_private = turn;
    common->result = (struct rp_encode_result){.status = turn ? RP_CODEC_OK : RP_CODEC_NO_MEMORY};
    return common->result.status;
}

/* The context of the job's sequence: that of the picture before, or of a reference, or a new
 * one. */
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
        ctx = rp_aom_context_create(&config, enc->workers);
    rp_aom_context_unref(enc->context);
    enc->context = ctx;
    return ctx ? RP_CODEC_OK : RP_CODEC_NO_MEMORY;
}

static bool
has_rate(const struct rp_av1_encode_job *job)
{
    return job->common.rate && job->q_index < 0;
}

/* How the references were coded, in the mean. */
static double
mean_base(const struct rp_av1_encode_job *job)
{
    double sum = 0;
    int count = 0;

    for (uint32_t i = 0; i < RP_AV1_NAMES; i++) {
        const struct rp_encoder_slot *slot = job->refs[i].picture.slot;
        if (!slot || slot->rate_base <= 0)
            continue;
        sum += slot->rate_base;
        count++;
    }
    return count > 0 ? sum / count : 0;
}

/* Against the names that pixels are predicted from, each picture once. */
static double
complexity_of(const struct rp_small_picture *small, const struct rp_av1_encode_job *job)
{
    static const uint8_t names[] = {0, 3, 6};
    const struct rp_small_picture *references[RP_ARRAY_SIZE(names)];
    uint32_t count = 0;

    for (uint32_t i = 0; i < RP_ARRAY_SIZE(names); i++) {
        const struct rp_encoder_slot *slot = job->refs[names[i]].picture.slot;
        bool is_new = slot && slot->source;
        for (uint32_t k = 0; k < count && is_new; k++)
            is_new = references[k] != &slot->source->small;
        if (is_new)
            references[count++] = &slot->source->small;
    }
    return rp_small_picture_complexity(small, references, count);
}

/* source: an empty one, of the picture. False when memory is short. */
static bool
plan_rate(struct rp_encoder *enc, const struct rp_av1_encode_job *job, struct rp_aom_source *source,
          struct rp_rate_plan *out)
{
    const struct rp_encode_job *common = &job->common;
    const struct rp_turn *turn = common->codec_private;

    if (!source ||
        !rp_small_picture_fill(&source->small, &common->src, common->width_px, common->height_px))
        return false;
    const struct rp_rate_question question = {
        .type = job->rate_type,
        .limited = job->rate_type,
        .temporal_layer = common->temporal_layer,
        .complexity = complexity_of(&source->small, job),
        .reference_base = mean_base(job),
        .block_count = (int)(((common->width_px + 15) / 16) * ((common->height_px + 15) / 16)),
        .bit_depth = enc->context->config.bit_depth,
        .preceding_B = common->preceding_B,
    };
    rp_rate_control_plan(&common->rate->control, &turn->rate, &question, out);
    return true;
}

/* With its references where they are now: rate control looks at them, too. */
static enum rp_codec_status
prepare_in_turn(struct rp_encoder *enc, const struct rp_av1_encode_job *job)
{
    const enum rp_codec_status status = choose_context(enc, job);
    if (status != RP_CODEC_OK)
        return status;
    return rp_aom_decoded_resolve(&enc->decoded, enc->context, job) ? RP_CODEC_OK : RP_CODEC_FAILED;
}

static void
encode_in_turn(struct rp_encoder *enc, struct rp_av1_encode_job *job)
{
    struct rp_encode_job *common = &job->common;
    struct rp_aom_source *source = NULL;
    struct rp_rate_plan rate;

    enum rp_codec_status status = prepare_in_turn(enc, job);
    if (status == RP_CODEC_OK && has_rate(job)) {
        source = rp_aom_source_take(enc->context);
        if (!plan_rate(enc, job, source, &rate))
            status = RP_CODEC_NO_MEMORY;
    }
    if (status == RP_CODEC_OK)
        rp_aom_picture_encode(enc->context, &enc->decoded, job, source, source ? &rate : NULL);
    else
        common->result = (struct rp_encode_result){.status = status};
    if (source)
        rp_aom_source_unref(enc->context, source);
    if (common->result.status == RP_CODEC_OK || common->result.status == RP_CODEC_NO_SPACE)
        return;
    rp_aom_decoded_refresh(&enc->decoded, job, &(struct rp_encoder_slot){0});
    if (common->recon.slot)
        rp_aom_slot_clear(common->recon.slot);
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

static void
encoder_encode(struct rp_encoder *enc, struct rp_encode_job *common)
{
    struct rp_turn *turn = common->codec_private;
    const uint64_t float_state = rp_float_state_enter();
    wait_for_turn(enc, turn);
    encode_in_turn(enc, rp_av1_encode_job_of(common));
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
    rp_aom_decoded_finish(&enc->decoded);
    rp_aom_context_unref(enc->context);
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
    if (!slot)
        return;
    rp_turns_begin(&enc->turns, NULL);
    rp_aom_slot_clear(slot);
    rp_turns_end(&enc->turns, NULL);
    rp_free(NULL, slot);
}

static struct rp_encoder_rate *
encoder_rate_create(struct rp_encoder *enc)
{
    (void)enc;
    return rp_session_rate_create(&rp_aom_rate_encoder);
}

static const struct rp_encode_codec aom_codec = {
    .name = "libaom " REELPIPE_AOM_VERSION,
    .quality_level_count = RP_AOM_QUALITY_LEVELS,
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

const struct rp_encode_codec *
rp_codec_av1_encode(void)
{
    return &aom_codec;
}

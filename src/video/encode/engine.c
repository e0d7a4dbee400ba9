/* SPDX-License-Identifier: MIT */
/* Session state and the life of a picture.
 */
#include "video/encode/engine.h"

#include "util/alloc.h"
#include "video/encode/session.h"

#include "reelpipe/cpu.h"

struct rp_video_encode *
rp_video_encode_create(const struct rp_video_encode_info *info)
{
    struct rp_video_encode *enc =
        rp_zalloc(NULL, sizeof(*enc), 8, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!enc)
        return NULL;

    pthread_mutex_init(&enc->mutex, NULL);
    pthread_cond_init(&enc->picture_ended, NULL);
    enc->standard = info->standard;
    enc->codec = info->codec;
    if (info->rgb) {
        enc->has_rgb_input = true;
        enc->rgb = *info->rgb;
        rp_rgb_dsp_init(&enc->rgb_dsp, rp_cpu_flags());
    }
    const size_t state_B = enc->standard->state_B;
    if (state_B > 0)
        enc->state =
            rp_zalloc(NULL, state_B, _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    enc->codec_enc = info->codec->create(info->workers);
    /* Room for the pictures of the slots, and two that are on their way in or out. */
    if (!enc->codec_enc || (state_B > 0 && !enc->state) ||
        !rp_encode_slots_init(&enc->slots, enc->codec, enc->codec_enc, info->max_dpb_slots + 2)) {
        rp_video_encode_destroy(enc);
        return NULL;
    }
    return enc;
}

static void
rate_unref(struct rp_video_encode *enc, struct rp_encode_rate *rate)
{
    if (!rate || --rate->user_count > 0)
        return;
    enc->codec->rate_destroy(enc->codec_enc, rate->codec_rate);
    rp_free(NULL, rate);
}

void
rp_video_encode_destroy(struct rp_video_encode *enc)
{
    if (!enc)
        return;
    while (enc->free_pictures) {
        struct rp_encode_picture *pic = enc->free_pictures;
        enc->free_pictures = pic->next_free;
        enc->standard->picture_finish(pic);
        rp_free(NULL, pic->qp_deltas);
        rp_free(NULL, pic->emphasis);
        rp_free(NULL, pic->force_intra);
        rp_free(NULL, pic->intra_clean);
        rp_free(NULL, pic->converted);
        rp_free(NULL, pic);
    }
    rate_unref(enc, enc->rate);
    rp_encode_slots_finish(&enc->slots);
    if (enc->codec_enc)
        enc->codec->destroy(enc->codec_enc);
    rp_free(NULL, enc->state);
    pthread_cond_destroy(&enc->picture_ended);
    pthread_mutex_destroy(&enc->mutex);
    rp_free(NULL, enc);
}

void
rp_video_encode_reset(struct rp_video_encode *enc)
{
    pthread_mutex_lock(&enc->mutex);
    enc->rate_control =
        (struct rp_encode_rate_control){.mode = VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DEFAULT_KHR};
    enc->rate_is_stale = true;
    enc->quality_level = 0;
    pthread_mutex_unlock(&enc->mutex);
}

void
rp_video_encode_set_rate(struct rp_video_encode *enc, const struct rp_encode_rate_control *rate)
{
    pthread_mutex_lock(&enc->mutex);
    enc->rate_control = *rate;
    enc->rate_is_new = true;
    if (!enc->codec->rate_create &&
        rate->mode != VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR)
        enc->rate_control.mode = VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DEFAULT_KHR;
    pthread_mutex_unlock(&enc->mutex);
}

static bool
rates_are_equal(const struct rp_rate_settings *a, const struct rp_rate_settings *b)
{
    bool is_equal = a->layer_count == b->layer_count;
    for (uint32_t i = 0; is_equal && i < a->layer_count; i++)
        is_equal = a->layer[i].average_bps == b->layer[i].average_bps &&
                   a->layer[i].max_bps == b->layer[i].max_bps;
    return is_equal;
}

void
rp_video_encode_expect_rate(struct rp_video_encode *enc, const struct rp_encode_rate_control *rate)
{
    const struct rp_rate_settings *from = &rate->settings;

    pthread_mutex_lock(&enc->mutex);
    struct rp_rate_settings *to = &enc->rate_control.settings;
    if (enc->rate_control.mode == rate->mode && from->layer_count == to->layer_count &&
        !rates_are_equal(from, to) && !rates_are_equal(from, &enc->expected_rate)) {
        for (uint32_t i = 0; i < to->layer_count; i++) {
            to->layer[i].average_bps = from->layer[i].average_bps;
            to->layer[i].max_bps = from->layer[i].max_bps;
        }
        enc->rate_is_new = true;
    }
    enc->expected_rate = *from;
    pthread_mutex_unlock(&enc->mutex);
}

void
rp_video_encode_set_quality(struct rp_video_encode *enc, uint32_t quality_level)
{
    /* FFmpeg also takes maxQualityLevels, which is one more than the last level. */
    const uint32_t last_level = enc->codec->quality_level_count - 1;
    pthread_mutex_lock(&enc->mutex);
    enc->quality_level = RP_MIN(quality_level, last_level);
    pthread_mutex_unlock(&enc->mutex);
}

static struct rp_encode_rate *
rate_create(struct rp_video_encode *enc)
{
    struct rp_encode_rate *rate =
        rp_zalloc(NULL, sizeof(*rate), 8, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!rate)
        return NULL;
    rate->codec_rate = enc->codec->rate_create(enc->codec_enc);
    if (!rate->codec_rate) {
        rp_free(NULL, rate);
        return NULL;
    }
    rate->user_count = 1;
    return rate;
}

/* What the stream promises, for those who want it kept: FFmpeg writes the average of a variable
 * rate there. A stream that says that its rate is constant is filled up to it. */
static void
rate_apply_hrd(struct rp_video_encode *enc, const struct rp_encode_picture *pic)
{
    struct rp_rate_settings *settings = &enc->rate_control.settings;
    const bool was_filled = settings->wants_filler;
    const uint64_t bps = settings->hrd_bps, buffer_bits = settings->hrd_buffer_bits;

    struct rp_encode_hrd hrd = {0};
    if (enc->standard->get_hrd)
        enc->standard->get_hrd(pic, &hrd);
    settings->wants_filler = hrd.is_constant;
    settings->hrd_bps = enc->rate_control.wants_hrd ? hrd.bps : 0;
    settings->hrd_buffer_bits = enc->rate_control.wants_hrd ? hrd.buffer_bits : 0;
    enc->rate_is_new |= settings->wants_filler != was_filled || settings->hrd_bps != bps ||
                        settings->hrd_buffer_bits != buffer_bits;
}

/* Gives the job its rate control, or none: then the slices have their QP already. */
static enum rp_codec_status
picture_choose_rate(struct rp_video_encode *enc, struct rp_encode_picture *pic)
{
    const bool is_controlled =
        enc->rate_control.mode == VK_VIDEO_ENCODE_RATE_CONTROL_MODE_CBR_BIT_KHR ||
        enc->rate_control.mode == VK_VIDEO_ENCODE_RATE_CONTROL_MODE_VBR_BIT_KHR;
    if (!is_controlled)
        return RP_CODEC_OK;

    if (enc->rate_is_stale && pic->is_key) {
        rate_unref(enc, enc->rate);
        enc->rate = NULL;
    }
    if (!enc->rate) {
        enc->rate = rate_create(enc);
        if (!enc->rate)
            return RP_CODEC_NO_MEMORY;
        enc->rate_is_new = true;
    }
    rate_apply_hrd(enc, pic);
    if (enc->rate_is_new)
        enc->codec->rate_set(enc->rate->codec_rate, &enc->rate_control.settings);
    enc->rate_is_new = false;
    enc->rate_is_stale = false;

    pic->rate = enc->rate;
    pic->rate->user_count++;
    pic->job->rate = pic->rate->codec_rate;
    return RP_CODEC_OK;
}

/* Zeroed but for the arrays that it owns. */
static struct rp_encode_picture *
picture_take(struct rp_video_encode *enc)
{
    struct rp_encode_picture *pic = enc->free_pictures;
    if (pic)
        enc->free_pictures = pic->next_free;
    else
        pic = rp_zalloc(NULL, enc->standard->picture_B, _Alignof(max_align_t),
                        VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!pic)
        return NULL;
    *pic = (struct rp_encode_picture){
        .enc = enc,
        .qp_deltas = pic->qp_deltas,
        .emphasis = pic->emphasis,
        .force_intra = pic->force_intra,
        .intra_clean = pic->intra_clean,
        .block_capacity = pic->block_capacity,
        .converted = pic->converted,
        .converted_capacity_B = pic->converted_capacity_B,
        .clean_region_count = UINT32_MAX,
    };
    enc->standard->picture_init(pic);
    return pic;
}

static void
picture_give_back(struct rp_encode_picture *pic)
{
    struct rp_video_encode *enc = pic->enc;

    rate_unref(enc, pic->rate);
    pic->rate = NULL;
    pic->next_free = enc->free_pictures;
    enc->free_pictures = pic;
}

/* Addresses as numbers: of two buffers. */
static bool
ranges_overlap(uintptr_t a, size_t a_B, uintptr_t b, size_t b_B)
{
    return a < b ? b - a < a_B : a - b < b_B;
}

/* A picture under way may write there. */
static bool
range_is_taken(const struct rp_video_encode *enc, const uint8_t *bytes, size_t size_B)
{
    const struct rp_encode_picture *pic = enc->running;

    while (pic && !ranges_overlap((uintptr_t)pic->job->dst, pic->job->dst_capacity_B,
                                  (uintptr_t)bytes, size_B))
        pic = pic->next_running;
    return pic;
}

/* Where the rate asks for it and the application has said nothing: what it has written itself. */
static void
picture_find_preceding(const struct rp_video_encode *enc, const struct rp_encode_request *request,
                       struct rp_encode_picture *pic)
{
    if (!pic->rate || request->preceding_B > 0 || !request->dst_buffer)
        return;

    const size_t before_B = (size_t)(request->dst - request->dst_buffer);
    if (!range_is_taken(enc, request->dst_buffer, before_B))
        pic->job->preceding_B = enc->standard->preceding_B(request->dst_buffer, before_B);
}

static void
picture_end_running(struct rp_encode_picture *pic)
{
    struct rp_encode_picture **link = &pic->enc->running;

    while (*link != pic)
        link = &(*link)->next_running;
    *link = pic->next_running;
}

/* With the mutex, so without waiting for pictures under way: their queues may want it. */
static enum rp_codec_status
picture_try_begin(struct rp_video_encode *enc, const struct rp_encode_request *request,
                  struct rp_encode_picture **out)
{
    /* An application that does not look at its bitstreams may have all written to one place. */
    if (range_is_taken(enc, request->dst, request->dst_capacity_B))
        return RP_CODEC_BUSY;
    struct rp_encode_picture *pic = picture_take(enc);
    if (!pic)
        return RP_CODEC_NO_MEMORY;

    enc->picture_number++;
    pic->sequence = request->sequence;
    enum rp_codec_status status = enc->standard->resolve(enc, request, pic);
    if (status == RP_CODEC_OK)
        status = picture_choose_rate(enc, pic);
    picture_find_preceding(enc, request, pic);
    if (status == RP_CODEC_OK)
        status = enc->codec->begin(enc->codec_enc, pic->job, false);
    if (status != RP_CODEC_OK) {
        picture_give_back(pic);
        return status;
    }
    enc->standard->advance(enc, pic);
    rp_encode_know_slots(pic);
    pic->next_running = enc->running;
    enc->running = pic;
    if (request->queue)
        request->queue(request->queue_ctx, pic);
    *out = pic;
    return RP_CODEC_OK;
}

enum rp_codec_status
rp_encode_picture_begin(struct rp_video_encode *enc, const struct rp_encode_request *request,
                        bool may_wait, struct rp_encode_picture **out)
{
    pthread_mutex_lock(&enc->mutex);
    enum rp_codec_status status = picture_try_begin(enc, request, out);
    while (status == RP_CODEC_BUSY && may_wait) {
        pthread_cond_wait(&enc->picture_ended, &enc->mutex);
        status = picture_try_begin(enc, request, out);
    }
    pthread_mutex_unlock(&enc->mutex);
    return status;
}

bool
rp_video_encode_is_busy(struct rp_video_encode *enc)
{
    pthread_mutex_lock(&enc->mutex);
    const bool is_busy = enc->running;
    pthread_mutex_unlock(&enc->mutex);
    return is_busy;
}

void
rp_encode_picture_run(struct rp_encode_picture *pic)
{
    struct rp_video_encode *enc = pic->enc;
    if (pic->rgb.texels) {
        struct rp_picture dst = pic->job->src;
        rp_rgb_convert(&enc->rgb_dsp, &enc->rgb, &pic->rgb, &dst, pic->convert_scratch);
    }
    enc->codec->encode(enc->codec_enc, pic->job);
    pthread_mutex_lock(&enc->mutex);
    picture_end_running(pic);
    pthread_cond_broadcast(&enc->picture_ended);
    pthread_mutex_unlock(&enc->mutex);
    pic->feedback.codec = pic->job->result;
    pic->feedback.status = pic->job->result.status;
    pic->feedback.has_overrides |= pic->job->result.has_overrides;
    enc->standard->complete(pic);
}

const struct rp_encode_feedback *
rp_encode_picture_feedback(const struct rp_encode_picture *pic)
{
    return &pic->feedback;
}

void
rp_encode_picture_finish(struct rp_encode_picture *pic)
{
    struct rp_video_encode *enc = pic->enc;

    pthread_mutex_lock(&enc->mutex);
    picture_give_back(pic);
    pthread_mutex_unlock(&enc->mutex);
}

void *
rp_encode_picture_caller(struct rp_encode_picture *pic)
{
    return pic->caller;
}

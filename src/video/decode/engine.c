/* SPDX-License-Identifier: MIT */
/* Sessions of the decode engine, and the order in which their pictures are decoded.
 */
#include "video/decode/engine.h"

#include "util/alloc.h"
#include "util/compiler.h"
#include "video/decode/session.h"
#include "video/decode/standard.h"

/* Threads for the slices of one picture: more find nothing to do. */
#define MAX_THREADS 8u

static void *
state_create(const struct rp_decode_standard *standard)
{
    void *state = rp_zalloc(NULL, standard->state_B, _Alignof(max_align_t),
                            VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (state)
        standard->state_init(state);
    return state;
}

struct rp_video_decode *
rp_video_decode_create(const struct rp_decode_standard *standard,
                       const struct rp_decode_codec *codec, uint32_t thread_count,
                       enum rp_codec_status *status_out)
{
    struct rp_video_decode *dec =
        rp_zalloc(NULL, sizeof(*dec), _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!dec) {
        *status_out = RP_CODEC_NO_MEMORY;
        return NULL;
    }
    dec->standard = standard;
    dec->codec = codec;
    rp_decode_slots_init(&dec->slots, standard->slot_count,
                         standard->slot_count - 1 - standard->spare_slot_count);
    pthread_mutex_init(&dec->mutex, NULL);

    *status_out = RP_CODEC_NO_MEMORY;
    if (standard->state_B > 0)
        dec->state = state_create(standard);
    if (standard->state_B == 0 || dec->state)
        dec->codec_dec = codec->create(RP_MIN(thread_count, MAX_THREADS), status_out);
    if (!dec->codec_dec) {
        rp_video_decode_destroy(dec);
        return NULL;
    }
    return dec;
}

void
rp_video_decode_destroy(struct rp_video_decode *dec)
{
    if (!dec)
        return;
    if (dec->codec_dec)
        dec->codec->destroy(dec->codec_dec);
    if (dec->state)
        dec->standard->state_finish(dec->state);
    rp_free(NULL, dec->state);
    pthread_mutex_destroy(&dec->mutex);
    rp_free(NULL, dec);
}

void
rp_video_decode_reset(struct rp_video_decode *dec, uint64_t sequence)
{
    pthread_mutex_lock(&dec->mutex);
    if (rp_decode_slots_forget_before(&dec->slots, sequence)) {
        dec->codec->reset(dec->codec_dec);
        if (dec->standard->state_reset)
            dec->standard->state_reset(dec->state);
    }
    pthread_mutex_unlock(&dec->mutex);
}

bool
rp_video_decode_is_past(struct rp_video_decode *dec, uint64_t sequence)
{
    pthread_mutex_lock(&dec->mutex);
    const bool is_past = rp_decode_slots_have_after(&dec->slots, sequence);
    pthread_mutex_unlock(&dec->mutex);
    return is_past;
}

void
rp_video_decode_expect(struct rp_video_decode *dec, const struct rp_decode_identity *picture,
                       uint64_t sequence)
{
    if (dec->standard->expect)
        dec->standard->expect(dec->state, picture, sequence);
}

void
rp_video_decode_give_up(struct rp_video_decode *dec, const struct rp_decode_identity *picture,
                        uint64_t sequence)
{
    if (!dec->standard->give_up)
        return;
    pthread_mutex_lock(&dec->mutex);
    dec->standard->give_up(dec->state, picture, sequence);
    pthread_mutex_unlock(&dec->mutex);
}

int32_t
rp_decode_setup_slot(struct rp_video_decode *dec, const struct rp_decode_request *request,
                     bool is_reference)
{
    if (request->setup.image_id && is_reference)
        return rp_decode_slots_take(&dec->slots, &request->setup, request->sequence);
    rp_decode_slots_forget(&dec->slots, &request->setup);
    return -1;
}

struct rp_decode_job
rp_decode_common_job(const struct rp_decode_request *request, int32_t setup_slot)
{
    return (struct rp_decode_job){
        .data = request->src,
        .data_B = request->src_B,
        .setup_slot = setup_slot,
        .dst = request->dst,
        .dst_setup = request->dst_setup,
        .target = request->target,
    };
}

enum rp_codec_status
rp_video_decode_picture(struct rp_video_decode *dec, const struct rp_decode_request *request)
{
    const struct rp_decode_standard *standard = dec->standard;
    struct rp_decode_identity picture = {.fields = RP_DECODE_TOP | RP_DECODE_BOTTOM};
    (void)standard->identify_picture(request->picture, &picture);
    picture.key = request->setup;
    picture.ref_count = request->ref_count;

    pthread_mutex_lock(&dec->mutex);
    if (standard->enter)
        standard->enter(dec->state, &dec->mutex, &picture, request->sequence);
    const enum rp_codec_status status = standard->decode(dec, request);
    if (standard->leave)
        standard->leave(dec->state, &picture, request->sequence);
    pthread_mutex_unlock(&dec->mutex);
    return status;
}

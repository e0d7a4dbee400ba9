/* SPDX-License-Identifier: MIT */
/* A picture as the application describes it becomes a job of the decoder.
 */
#include "video/decode/engine.h"

#include "util/alloc.h"
#include "video/h264/fields.h"
#include "video/h264/sets.h"

#include <vk_video/vulkan_video_codec_h264std_decode.h>

#include <pthread.h>

struct rp_video_decode {
    const struct rp_h264_decode_codec *codec; /* borrowed */
    struct rp_h264_decoder *codec_dec;        /* owned */
    struct rp_decode_slots slots;
    struct rp_decode_fields fields;
    pthread_mutex_t mutex; /* guards all: held while a picture is decoded */
};

/* Slice threads: more find nothing to do. */
#define MAX_THREADS 8u

struct rp_video_decode *
rp_video_decode_create(const struct rp_h264_decode_codec *codec, uint32_t thread_count,
                       enum rp_codec_status *status_out)
{
    struct rp_video_decode *dec =
        rp_zalloc(NULL, sizeof(*dec), _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!dec) {
        *status_out = RP_CODEC_NO_MEMORY;
        return NULL;
    }
    dec->codec = codec;
    pthread_mutex_init(&dec->mutex, NULL);
    rp_decode_fields_init(&dec->fields);
    dec->codec_dec = codec->create(RP_MIN(thread_count, MAX_THREADS), status_out);
    if (!dec->codec_dec) {
        rp_decode_fields_finish(&dec->fields);
        pthread_mutex_destroy(&dec->mutex);
        rp_free(NULL, dec);
        return NULL;
    }
    return dec;
}

void
rp_video_decode_destroy(struct rp_video_decode *dec)
{
    if (!dec)
        return;
    dec->codec->destroy(dec->codec_dec);
    rp_decode_fields_finish(&dec->fields);
    pthread_mutex_destroy(&dec->mutex);
    rp_free(NULL, dec);
}

void
rp_video_decode_reset(struct rp_video_decode *dec, uint64_t sequence)
{
    pthread_mutex_lock(&dec->mutex);
    if (rp_decode_slots_forget_before(&dec->slots, sequence))
        dec->codec->reset(dec->codec_dec);
    pthread_mutex_unlock(&dec->mutex);
}

static void
reference_init(struct rp_video_decode *dec, struct rp_h264_decode_reference *ref,
               const struct rp_decode_reference *from)
{
    const StdVideoDecodeH264ReferenceInfo *std = from->std;
    *ref = (struct rp_h264_decode_reference){
        .slot = rp_decode_slots_use(&dec->slots, &from->key),
        .frame_num = std->FrameNum,
        .poc = {std->PicOrderCnt[0], std->PicOrderCnt[1]},
        .has_top = std->flags.top_field_flag,
        .has_bottom = std->flags.bottom_field_flag,
        .is_long_term = std->flags.used_for_long_term_reference,
        .is_non_existing = std->flags.is_non_existing,
    };
}

/* Only references need a slot. */
static int32_t
setup_slot(struct rp_video_decode *dec, const struct rp_decode_request *request)
{
    if (request->setup.image_id && request->picture->pStdPictureInfo->flags.is_reference)
        return rp_decode_slots_take(&dec->slots, &request->setup, request->sequence);
    rp_decode_slots_forget(&dec->slots, &request->setup);
    return -1;
}

static enum rp_codec_status
picture_decode(struct rp_video_decode *dec, const struct rp_decode_request *request)
{
    struct rp_decode_sets sets;
    if (!request->picture || !request->picture->pStdPictureInfo ||
        !rp_decode_sets_find(request, &sets))
        return RP_CODEC_FAILED;

    struct rp_h264_decode_reference refs[RP_DECODE_MAX_REFERENCES];
    rp_decode_slots_begin(&dec->slots);
    const uint32_t ref_count = RP_MIN(request->ref_count, RP_DECODE_MAX_REFERENCES);
    for (uint32_t i = 0; i < ref_count; i++)
        reference_init(dec, &refs[i], &request->refs[i]);

    const StdVideoDecodeH264PictureInfo *std = request->picture->pStdPictureInfo;
    const struct rp_h264_decode_job job = {
        .sps = sets.sps,
        .pps = sets.pps,
        .is_field = std->flags.field_pic_flag,
        .is_bottom_field = std->flags.bottom_field_flag,
        .is_idr = std->flags.IdrPicFlag,
        .is_reference = std->flags.is_reference,
        .frame_num = std->frame_num,
        .poc = {std->PicOrderCnt[0], std->PicOrderCnt[1]},
        .data = request->src,
        .data_B = request->src_B,
        .slice_offsets_B = request->picture->pSliceOffsets,
        .slice_count = request->picture->pSliceOffsets ? request->picture->sliceCount : 0,
        .refs = refs,
        .ref_count = ref_count,
        .setup_slot = setup_slot(dec, request),
        .dst = request->dst,
        .dst_setup = request->dst_setup,
        .home = request->home,
    };
    return dec->codec->decode(dec->codec_dec, &job);
}

static struct rp_decode_field
field_of(const struct rp_decode_request *request)
{
    const StdVideoDecodeH264PictureInfo *std =
        request->picture ? request->picture->pStdPictureInfo : NULL;
    const bool is_field = std && std->flags.field_pic_flag;
    return (struct rp_decode_field){
        .key = request->setup,
        .fields = !is_field                      ? RP_DECODE_TOP | RP_DECODE_BOTTOM
                  : std->flags.bottom_field_flag ? RP_DECODE_BOTTOM
                                                 : RP_DECODE_TOP,
        .sequence = request->sequence,
    };
}

void
rp_video_decode_expect(struct rp_video_decode *dec, const struct rp_decode_field *field)
{
    rp_decode_fields_expect(&dec->fields, field);
}

void
rp_video_decode_give_up(struct rp_video_decode *dec, const struct rp_decode_field *field)
{
    pthread_mutex_lock(&dec->mutex);
    rp_decode_fields_give_up(&dec->fields, field);
    pthread_mutex_unlock(&dec->mutex);
}

enum rp_codec_status
rp_video_decode_picture(struct rp_video_decode *dec, const struct rp_decode_request *request)
{
    const struct rp_decode_field field = field_of(request);
    pthread_mutex_lock(&dec->mutex);
    rp_decode_fields_enter(&dec->fields, &dec->mutex, &field);
    const enum rp_codec_status status = picture_decode(dec, request);
    rp_decode_fields_leave(&dec->fields, &field);
    pthread_mutex_unlock(&dec->mutex);
    return status;
}

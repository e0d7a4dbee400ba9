/* SPDX-License-Identifier: MIT */
/* H.264 in the decode engine: what a command says of a picture becomes a job of the decoder.
 */
#include "video/h264/standard.h"

#include "util/compiler.h"
#include "video/decode/session.h"
#include "video/decode/standard.h"
#include "video/h264/fields.h"
#include "video/h264/sets.h"

#include "reelpipe/decode_h264.h"

#include <vk_video/vulkan_video_codec_h264std_decode.h>

#include <assert.h>

static_assert(RP_H264_DECODE_KEPT <= RP_DECODE_SLOT_LIMIT, "the engine has room for the slots");

static const StdVideoDecodeH264PictureInfo *
std_picture(const void *picture_info)
{
    const VkVideoDecodeH264PictureInfoKHR *info = picture_info;
    return info ? info->pStdPictureInfo : NULL;
}

static const StdVideoDecodeH264ReferenceInfo *
std_reference(const void *reference_info)
{
    const VkVideoDecodeH264DpbSlotInfoKHR *info = reference_info;
    return info ? info->pStdReferenceInfo : NULL;
}

/* The fields that are named; both when neither is. */
static uint32_t
fields_of(bool has_top, bool has_bottom)
{
    if (has_top == has_bottom)
        return RP_DECODE_TOP | RP_DECODE_BOTTOM;
    return has_top ? RP_DECODE_TOP : RP_DECODE_BOTTOM;
}

static bool
identify_picture(const void *picture_info, struct rp_decode_identity *out)
{
    const StdVideoDecodeH264PictureInfo *std = std_picture(picture_info);
    if (!std)
        return false;
    const bool is_field = std->flags.field_pic_flag;
    *out = (struct rp_decode_identity){
        .key = out->key,
        .fields = fields_of(is_field && !std->flags.bottom_field_flag,
                            is_field && std->flags.bottom_field_flag),
        .frame_num = std->frame_num,
        .poc = {std->PicOrderCnt[0], std->PicOrderCnt[1]},
    };
    return true;
}

static bool
identify_reference(const void *reference_info, struct rp_decode_identity *out)
{
    const StdVideoDecodeH264ReferenceInfo *std = std_reference(reference_info);
    if (!std || std->flags.is_non_existing)
        return false;
    *out = (struct rp_decode_identity){
        .key = out->key,
        .fields = fields_of(std->flags.top_field_flag, std->flags.bottom_field_flag),
        .frame_num = std->FrameNum,
        .is_long_term = std->flags.used_for_long_term_reference,
        .poc = {std->PicOrderCnt[0], std->PicOrderCnt[1]},
    };
    return true;
}

/* Returns how many references there are: those that have their numbers. */
static uint32_t
references_init(struct rp_video_decode *dec, const struct rp_decode_request *request,
                struct rp_h264_decode_reference refs[RP_DECODE_MAX_REFERENCES])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < request->ref_count && count < RP_DECODE_MAX_REFERENCES; i++) {
        const StdVideoDecodeH264ReferenceInfo *std = std_reference(request->refs[i].info);
        if (!std)
            continue;
        refs[count++] = (struct rp_h264_decode_reference){
            .slot = rp_decode_slots_use(&dec->slots, &request->refs[i].key),
            .frame_num = std->FrameNum,
            .poc = {std->PicOrderCnt[0], std->PicOrderCnt[1]},
            .has_top = std->flags.top_field_flag,
            .has_bottom = std->flags.bottom_field_flag,
            .is_long_term = std->flags.used_for_long_term_reference,
            .is_non_existing = std->flags.is_non_existing,
        };
    }
    return count;
}

static enum rp_codec_status
decode(struct rp_video_decode *dec, const struct rp_decode_request *request)
{
    const VkVideoDecodeH264PictureInfoKHR *info = request->picture;
    const StdVideoDecodeH264PictureInfo *std = std_picture(info);
    struct rp_h264_sets sets;
    if (!std || !rp_h264_sets_find(request, &sets))
        return RP_CODEC_FAILED;

    struct rp_h264_decode_reference refs[RP_DECODE_MAX_REFERENCES];
    rp_decode_slots_begin(&dec->slots);
    const uint32_t ref_count = references_init(dec, request, refs);
    const int32_t slot = rp_decode_setup_slot(dec, request, std->flags.is_reference);
    const struct rp_h264_decode_job job = {
        .common = rp_decode_common_job(request, slot),
        .sps = sets.sps,
        .pps = sets.pps,
        .is_field = std->flags.field_pic_flag,
        .is_bottom_field = std->flags.bottom_field_flag,
        .is_idr = std->flags.IdrPicFlag,
        .is_reference = std->flags.is_reference,
        .frame_num = std->frame_num,
        .poc = {std->PicOrderCnt[0], std->PicOrderCnt[1]},
        .slice_offsets_B = info->pSliceOffsets,
        .slice_count = info->pSliceOffsets ? info->sliceCount : 0,
        .refs = refs,
        .ref_count = ref_count,
    };
    return dec->codec->decode(dec->codec_dec, &job.common);
}

static void
state_init(void *state)
{
    rp_h264_fields_init(state);
}

static void
state_finish(void *state)
{
    rp_h264_fields_finish(state);
}

static struct rp_h264_field
field_of(const struct rp_decode_identity *picture, uint64_t sequence)
{
    return (struct rp_h264_field){picture->key, picture->fields, picture->ref_count, sequence};
}

static void
expect(void *state, const struct rp_decode_identity *picture, uint64_t sequence)
{
    const struct rp_h264_field field = field_of(picture, sequence);
    rp_h264_fields_expect(state, &field);
}

static void
enter(void *state, pthread_mutex_t *mutex, const struct rp_decode_identity *picture,
      uint64_t sequence)
{
    const struct rp_h264_field field = field_of(picture, sequence);
    rp_h264_fields_enter(state, mutex, &field);
}

static void
leave(void *state, const struct rp_decode_identity *picture, uint64_t sequence)
{
    const struct rp_h264_field field = field_of(picture, sequence);
    rp_h264_fields_leave(state, &field);
}

static void
give_up(void *state, const struct rp_decode_identity *picture, uint64_t sequence)
{
    const struct rp_h264_field field = field_of(picture, sequence);
    rp_h264_fields_give_up(state, &field);
}

const struct rp_decode_standard rp_h264_decode = {
    .codec = rp_codec_h264_decode,
    .slot_count = RP_H264_DECODE_KEPT,
    .spare_slot_count = RP_H264_DECODE_KEPT - RP_H264_DECODE_SLOTS,
    .picture_info_type = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_PICTURE_INFO_KHR,
    .reference_info_type = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_DPB_SLOT_INFO_KHR,
    .inline_parameters_type =
        VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_INLINE_SESSION_PARAMETERS_INFO_KHR,
    .identify_picture = identify_picture,
    .identify_reference = identify_reference,
    .decode = decode,
    .state_B = sizeof(struct rp_h264_fields),
    .state_init = state_init,
    .state_finish = state_finish,
    .expect = expect,
    .enter = enter,
    .leave = leave,
    .give_up = give_up,
};

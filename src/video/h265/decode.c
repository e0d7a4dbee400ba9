/* SPDX-License-Identifier: MIT */
/* H.265 in the decode engine: what a command says of a picture becomes a picture of a private
 * stream, and a job of the decoder.
 */
#include "video/h265/standard.h"

#include "util/compiler.h"
#include "video/decode/session.h"
#include "video/decode/standard.h"
#include "video/h265/private_stream.h"
#include "video/h265/session_parameters.h"

#include "reelpipe/decode_h265.h"

#include <assert.h>

static_assert(RP_H265_PRIVATE_SLOTS <= RP_DECODE_SLOT_LIMIT, "the engine has room for the slots");
static_assert(RP_DECODE_MAX_REFERENCES <= RP_H265_PRIVATE_LISTED, "all references are listed");

struct h265_state {
    struct rp_h265_private_streams streams;
    struct rp_h265_private_picture picture; /* that is decoded now */
};

static const StdVideoDecodeH265PictureInfo *
std_picture(const void *picture_info)
{
    const VkVideoDecodeH265PictureInfoKHR *info = picture_info;
    return info ? info->pStdPictureInfo : NULL;
}

static const StdVideoDecodeH265ReferenceInfo *
std_reference(const void *reference_info)
{
    const VkVideoDecodeH265DpbSlotInfoKHR *info = reference_info;
    return info ? info->pStdReferenceInfo : NULL;
}

static bool
identify_picture(const void *picture_info, struct rp_decode_identity *out)
{
    const StdVideoDecodeH265PictureInfo *std = std_picture(picture_info);
    if (!std)
        return false;
    *out = (struct rp_decode_identity){
        .key = out->key,
        .fields = RP_DECODE_TOP | RP_DECODE_BOTTOM,
        .poc = {std->PicOrderCntVal, std->PicOrderCntVal},
    };
    return true;
}

static bool
identify_reference(const void *reference_info, struct rp_decode_identity *out)
{
    const StdVideoDecodeH265ReferenceInfo *std = std_reference(reference_info);
    if (!std)
        return false;
    *out = (struct rp_decode_identity){
        .key = out->key,
        .fields = RP_DECODE_TOP | RP_DECODE_BOTTOM,
        .is_long_term = std->flags.used_for_long_term_reference,
        .poc = {std->PicOrderCntVal, std->PicOrderCntVal},
    };
    return true;
}

/* The sets that the picture names; inlined ones win, each by itself. */
static bool
find_sets(const struct rp_decode_request *request, struct rp_h265_private_request *out)
{
    const StdVideoDecodeH265PictureInfo *std = std_picture(request->picture);
    const VkVideoDecodeH265InlineSessionParametersInfoKHR *inlined = request->inlined;
    if (inlined) {
        out->sps = inlined->pStdSPS;
        out->pps = inlined->pStdPPS;
    }
    if (!out->sps)
        out->sps = rp_h265_parameters_find_sps(request->parameters, std->sps_video_parameter_set_id,
                                               std->pps_seq_parameter_set_id);
    if (!out->pps)
        out->pps = rp_h265_parameters_find_pps(request->parameters, std->sps_video_parameter_set_id,
                                               std->pps_seq_parameter_set_id,
                                               std->pps_pic_parameter_set_id);
    return out->sps && out->pps;
}

/* The application's slot indices of one part of the reference picture set. */
static void
set_init(const struct rp_decode_request *request, const struct rp_h265_private_request *private,
         const uint8_t *slot_indices, struct rp_h265_private_set *out)
{
    for (uint32_t i = 0; i < STD_VIDEO_DECODE_H265_REF_PIC_SET_LIST_SIZE; i++) {
        if (slot_indices[i] == STD_VIDEO_H265_NO_REFERENCE_PICTURE)
            continue;
        struct rp_h265_private_reference *ref = &out->at[out->count++];
        *ref = (struct rp_h265_private_reference){.slot = -1};
        for (uint32_t k = 0; k < private->listed_count; k++) {
            if (request->refs[k].slot_index == slot_indices[i])
                *ref = private->listed[k];
        }
    }
}

static void
references_init(struct rp_video_decode *dec, const struct rp_decode_request *request,
                struct rp_h265_private_request *out)
{
    const StdVideoDecodeH265PictureInfo *std = std_picture(request->picture);
    out->listed_count = RP_MIN(request->ref_count, RP_DECODE_MAX_REFERENCES);
    for (uint32_t i = 0; i < out->listed_count; i++) {
        const StdVideoDecodeH265ReferenceInfo *ref = std_reference(request->refs[i].info);
        out->listed[i] = (struct rp_h265_private_reference){
            .slot = rp_decode_slots_use(&dec->slots, &request->refs[i].key),
            .has_poc = ref != NULL,
            .poc = ref ? ref->PicOrderCntVal : 0,
        };
    }
    set_init(request, out, std->RefPicSetStCurrBefore, &out->before);
    set_init(request, out, std->RefPicSetStCurrAfter, &out->after);
    set_init(request, out, std->RefPicSetLtCurr, &out->long_term);
}

/* The control pictures, then the picture; returns its own status. */
static enum rp_codec_status
decode_private(struct rp_video_decode *dec, const struct rp_decode_request *request)
{
    struct h265_state *state = dec->state;
    struct rp_h265_private_picture *picture = &state->picture;
    enum rp_codec_status status = RP_CODEC_OK;
    for (uint32_t i = 0; i <= picture->control_count; i++) {
        struct rp_h265_decode_job job;
        rp_h265_private_job(picture, i, &job);
        job.common = rp_decode_common_job(request, picture->setup_slot);
        if (i < picture->control_count) {
            job.common.dst = job.common.dst_setup = (struct rp_picture){.bit_depth = 0};
            job.common.target = (struct rp_decode_target){.memory = NULL};
        }
        status = dec->codec->decode(dec->codec_dec, &job.common);
    }
    return status;
}

static enum rp_codec_status
decode(struct rp_video_decode *dec, const struct rp_decode_request *request)
{
    const VkVideoDecodeH265PictureInfoKHR *info = request->picture;
    const StdVideoDecodeH265PictureInfo *std = std_picture(info);
    struct h265_state *state = dec->state;
    struct rp_h265_private_request private = {.sps = NULL};
    if (!std || !find_sets(request, &private))
        return RP_CODEC_FAILED;

    private.poc = std->PicOrderCntVal;
    private.is_idr = std->flags.IdrPicFlag;
    private.short_term_set_bits = std->NumBitsForSTRefPicSetInSlice;
    private.src = request->src;
    private.src_B = request->src_B;
    private.slice_offsets_B = info->pSliceSegmentOffsets;
    private.slice_count = info->pSliceSegmentOffsets ? info->sliceSegmentCount : 0;
    rp_decode_slots_begin(&dec->slots);
    references_init(dec, request, &private);
    /* Whatever IsReference says: each picture of H.265 may become a reference of the next one, and
     * Vulkan-Video-Samples never sets it. */
    private.setup_slot = rp_decode_setup_slot(dec, request, true);

    enum rp_codec_status status = rp_h265_private_begin(&state->streams, &private, &state->picture);
    if (status != RP_CODEC_OK)
        return status;
    status = decode_private(dec, request);
    rp_h265_private_end(&state->streams, &state->picture, status);
    return status == RP_CODEC_OK && state->picture.is_damaged ? RP_CODEC_DAMAGED : status;
}

static void
state_init(void *state)
{
    rp_h265_private_streams_init(&((struct h265_state *)state)->streams);
}

static void
state_finish(void *state)
{
    rp_h265_private_picture_finish(&((struct h265_state *)state)->picture);
}

const struct rp_decode_standard rp_h265_decode = {
    .codec = rp_codec_h265_decode,
    .slot_count = RP_H265_PRIVATE_SLOTS,
    .spare_slot_count = RP_H265_PRIVATE_SLOTS - RP_H265_DECODE_SLOTS,
    .picture_info_type = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_PICTURE_INFO_KHR,
    .reference_info_type = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_DPB_SLOT_INFO_KHR,
    .inline_parameters_type =
        VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_INLINE_SESSION_PARAMETERS_INFO_KHR,
    .identify_picture = identify_picture,
    .identify_reference = identify_reference,
    .decode = decode,
    .state_B = sizeof(struct h265_state),
    .state_init = state_init,
    .state_finish = state_finish,
    .state_reset = state_init,
};

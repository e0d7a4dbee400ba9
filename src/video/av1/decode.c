/* SPDX-License-Identifier: MIT */
/* AV1 in the decode engine: what a command says of a picture becomes a picture of a private stream,
 * and a job of the decoder.
 */
#include "video/av1/standard.h"

#include "util/checked.h"
#include "video/av1/private_stream.h"
#include "video/av1/session_parameters.h"
#include "video/decode/session.h"
#include "video/decode/standard.h"

#include "reelpipe/decode_av1.h"

#include <assert.h>

/* All that a command may list of its nine slots' pictures, and those that an application has
 * forgotten. */
#define SLOTS 17
static_assert(SLOTS <= RP_DECODE_SLOT_LIMIT, "the engine has room for the slots");

struct av1_state {
    struct rp_av1_private_streams streams;
    struct rp_av1_private_picture picture; /* that is decoded now */
};

static const StdVideoDecodeAV1PictureInfo *
std_picture(const void *picture_info)
{
    const VkVideoDecodeAV1PictureInfoKHR *info = picture_info;
    return info ? info->pStdPictureInfo : NULL;
}

static bool
identify_picture(const void *picture_info, struct rp_decode_identity *out)
{
    const StdVideoDecodeAV1PictureInfo *std = std_picture(picture_info);
    if (!std)
        return false;
    *out = (struct rp_decode_identity){
        .key = out->key,
        .fields = RP_DECODE_TOP | RP_DECODE_BOTTOM,
        .poc = {std->OrderHint, std->OrderHint},
    };
    return true;
}

static bool
identify_reference(const void *reference_info, struct rp_decode_identity *out)
{
    const VkVideoDecodeAV1DpbSlotInfoKHR *info = reference_info;
    if (!info || !info->pStdReferenceInfo)
        return false;
    const uint8_t order_hint = info->pStdReferenceInfo->OrderHint;
    *out = (struct rp_decode_identity){
        .key = out->key,
        .fields = RP_DECODE_TOP | RP_DECODE_BOTTOM,
        .poc = {order_hint, order_hint},
    };
    return true;
}

static const StdVideoAV1SequenceHeader *
find_sequence(const struct rp_decode_request *request)
{
    const VkVideoDecodeAV1InlineSessionParametersInfoKHR *inlined = request->inlined;
    if (inlined && inlined->pStdSequenceHeader)
        return inlined->pStdSequenceHeader;
    return rp_av1_parameters_sequence(request->parameters);
}

/* The decoder's slots of the application's: -1 where none is listed, or nothing was decoded. */
static void
set_name_slots(struct rp_video_decode *dec, const struct rp_decode_request *request,
               int32_t name_slots[RP_AV1_REFS_PER_FRAME])
{
    const VkVideoDecodeAV1PictureInfoKHR *info = request->picture;
    for (uint32_t n = 0; n < RP_AV1_REFS_PER_FRAME; n++)
        name_slots[n] = -1;
    for (uint32_t i = 0; i < request->ref_count; i++) {
        const int32_t slot = rp_decode_slots_use(&dec->slots, &request->refs[i].key);
        for (uint32_t n = 0; n < RP_AV1_REFS_PER_FRAME; n++) {
            if (info->referenceNameSlotIndices[n] == request->refs[i].slot_index)
                name_slots[n] = slot;
        }
    }
}

/* The decoder writes whole superblocks: the application must have nothing right of or below the
 * picture but what its access granularity takes in. */
static bool
may_be_in_place(const struct rp_decode_request *request)
{
    return request->image_width_px <=
               rp_align_u64(request->coded_width_px, RP_AV1_GRANULARITY_PX) &&
           request->image_height_px <=
               rp_align_u64(request->coded_height_px, RP_AV1_GRANULARITY_PX);
}

static enum rp_codec_status
decode_private(struct rp_video_decode *dec, const struct rp_decode_request *request)
{
    const VkVideoDecodeAV1PictureInfoKHR *info = request->picture;
    struct av1_state *state = dec->state;
    const struct rp_av1_private_picture *picture = &state->picture;
    const struct rp_av1_private_stream *stream = &state->streams.at[picture->stream];
    struct rp_av1_decode_job job = {
        .common = rp_decode_common_job(request, picture->setup_slot),
        .stream = picture->stream,
        .starts_stream = picture->starts_stream,
        .applies_film_grain = picture->applies_film_grain,
        .sequence_header = stream->sequence_header,
        .sequence_header_B = stream->sequence_header_B,
        .frame_header = picture->frame_header,
        .frame_header_B = picture->frame_header_B,
        .tile_offsets_B = info->pTileOffsets,
        .tile_sizes_B = info->pTileSizes,
        .tile_count = info->tileCount,
    };
    /* GStreamer's coded extent is that before super-resolution. */
    job.common.dst.width_px = request->image_width_px;
    if (!may_be_in_place(request))
        job.common.target = (struct rp_decode_target){.memory = NULL};
    return dec->codec->decode(dec->codec_dec, &job.common);
}

static enum rp_codec_status
decode(struct rp_video_decode *dec, const struct rp_decode_request *request)
{
    const VkVideoDecodeAV1PictureInfoKHR *info = request->picture;
    const StdVideoDecodeAV1PictureInfo *std = std_picture(info);
    struct av1_state *state = dec->state;
    struct rp_av1_private_request private_request = {
        .sequence = find_sequence(request),
        .picture = std,
        .width_px = request->coded_width_px,
        .height_px = request->coded_height_px,
        .tile_count = info && info->pTileOffsets && info->pTileSizes ? info->tileCount : 0,
    };
    if (!std || !private_request.sequence)
        return RP_CODEC_FAILED;
    if (request->coded_width_px > RP_AV1_DECODE_MAX_WIDTH_PX ||
        request->coded_height_px > RP_AV1_DECODE_MAX_HEIGHT_PX)
        return RP_CODEC_UNSUPPORTED;

    rp_decode_slots_begin(&dec->slots);
    set_name_slots(dec, request, private_request.name_slots);
    private_request.setup_slot = rp_decode_setup_slot(dec, request, std->refresh_frame_flags != 0);
    enum rp_codec_status status =
        rp_av1_private_begin(&state->streams, &private_request, &state->picture);
    if (status != RP_CODEC_OK) {
        /* The slot was another picture's, or this one's image's. */
        rp_av1_private_streams_drop(&state->streams, private_request.setup_slot);
        return status;
    }
    status = decode_private(dec, request);
    rp_av1_private_end(&state->streams, &state->picture, status == RP_CODEC_OK);
    return status == RP_CODEC_OK && state->picture.is_damaged ? RP_CODEC_DAMAGED : status;
}

static void
state_init(void *state)
{
    rp_av1_private_streams_init(&((struct av1_state *)state)->streams);
}

static void
state_finish(void *state)
{
}

const struct rp_decode_standard rp_av1_decode = {
    .codec = rp_codec_av1_decode,
    .slot_count = SLOTS,
    .picture_info_type = VK_STRUCTURE_TYPE_VIDEO_DECODE_AV1_PICTURE_INFO_KHR,
    .reference_info_type = VK_STRUCTURE_TYPE_VIDEO_DECODE_AV1_DPB_SLOT_INFO_KHR,
    .inline_parameters_type = VK_STRUCTURE_TYPE_VIDEO_DECODE_AV1_INLINE_SESSION_PARAMETERS_INFO_KHR,
    .identify_picture = identify_picture,
    .identify_reference = identify_reference,
    .decode = decode,
    .state_B = sizeof(struct av1_state),
    .state_init = state_init,
    .state_finish = state_finish,
    .state_reset = state_init,
};

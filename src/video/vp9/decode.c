/* SPDX-License-Identifier: MIT */
/* VP9 in the decode engine: what a command says of a picture becomes a picture of the decoder's
 * stream. The application's own uncompressed header is not looked at.
 */
#include "util/checked.h"
#include "util/compiler.h"
#include "video/decode/session.h"
#include "video/decode/standard.h"
#include "video/vp9/header.h"
#include "video/vp9/order.h"
#include "video/vp9/references.h"
#include "video/vp9/standard.h"

#include "reelpipe/decode_vp9.h"

#include <assert.h>

#define SLOTS (RP_VP9_REFERENCES + 1)
static_assert(SLOTS <= RP_DECODE_SLOT_LIMIT, "the engine has room for the slots");

struct vp9_state {
    struct rp_vp9_references refs;
    struct rp_vp9_order order;
};

static const StdVideoDecodeVP9PictureInfo *
std_picture(const void *picture_info)
{
    const VkVideoDecodeVP9PictureInfoKHR *info = picture_info;
    return info ? info->pStdPictureInfo : NULL;
}

static bool
identify_picture(const void *picture_info, struct rp_decode_identity *out)
{
    if (!std_picture(picture_info))
        return false;
    *out = (struct rp_decode_identity){
        .key = out->key,
        .fields = RP_DECODE_TOP | RP_DECODE_BOTTOM,
    };
    return true;
}

/* There is no structure that says something of a reference. */
static bool
identify_reference(const void *reference_info, struct rp_decode_identity *out)
{
    (void)reference_info;
    *out = (struct rp_decode_identity){
        .key = out->key,
        .fields = RP_DECODE_TOP | RP_DECODE_BOTTOM,
    };
    return true;
}

/* Places of the references that the picture names. False when there is nothing to refer to. */
static bool
find_references(struct rp_video_decode *dec, const struct rp_decode_request *request,
                uint8_t ref_frame_idx[RP_VP9_REFS_PER_FRAME], bool *is_damaged_out)
{
    const VkVideoDecodeVP9PictureInfoKHR *info = request->picture;
    const struct vp9_state *state = dec->state;
    int32_t name_slots[RP_VP9_REFS_PER_FRAME] = {-1, -1, -1};
    bool is_named[RP_VP9_REFS_PER_FRAME];
    for (uint32_t n = 0; n < RP_VP9_REFS_PER_FRAME; n++)
        is_named[n] = info->referenceNameSlotIndices[n] >= 0;
    for (uint32_t i = 0; i < request->ref_count; i++) {
        const int32_t slot = rp_decode_slots_use(&dec->slots, &request->refs[i].key);
        for (uint32_t n = 0; n < RP_VP9_REFS_PER_FRAME; n++) {
            if (is_named[n] && info->referenceNameSlotIndices[n] == request->refs[i].slot_index)
                name_slots[n] = slot;
        }
    }
    return rp_vp9_references_find(&state->refs, name_slots, is_named, ref_frame_idx,
                                  is_damaged_out);
}

/* What the picture takes all places of is no reference any more, and makes room for it. */
static void
forget_replaced(struct rp_video_decode *dec, uint32_t mask)
{
    const struct vp9_state *state = dec->state;
    for (int32_t i = 0; i < dec->slots.count; i++) {
        const struct rp_picture_key key = dec->slots.at[i].key;
        if (!rp_vp9_references_have(&state->refs, i, mask))
            rp_decode_slots_forget(&dec->slots, &key);
    }
}

/* The job's header and where its data are. False when the command says nothing that can be
 * decoded. */
static bool
job_init(const struct rp_decode_request *request, struct rp_vp9_frame *frame,
         uint8_t header[RP_VP9_MAX_HEADER_B], struct rp_vp9_decode_job *job)
{
    const VkVideoDecodeVP9PictureInfoKHR *info = request->picture;
    if (info->tilesOffset < info->compressedHeaderOffset || info->tilesOffset >= request->src_B)
        return false;
    frame->compressed_header_B = info->tilesOffset - info->compressedHeaderOffset;
    *job = (struct rp_vp9_decode_job){
        .width_px = frame->width_px,
        .height_px = frame->height_px,
        .bit_depth = frame->bit_depth,
        .header = header,
        .header_B = rp_vp9_header_write(frame, header),
        .data_offset_B = info->compressedHeaderOffset,
        .data_B = request->src_B - info->compressedHeaderOffset,
    };
    return job->header_B > 0;
}

/* Nothing but what the access granularity takes in is right of and below the picture. */
static bool
may_be_in_place(const struct rp_decode_request *request)
{
    return request->image_width_px <=
               rp_align_u64(request->coded_width_px, RP_VP9_GRANULARITY_PX) &&
           request->image_height_px <=
               rp_align_u64(request->coded_height_px, RP_VP9_GRANULARITY_PX);
}

static bool
format_is_supported(const StdVideoDecodeVP9PictureInfo *std, const struct rp_picture *dst)
{
    const StdVideoVP9ColorConfig *color = std->pColorConfig;
    const uint32_t bit_depth = std->profile == STD_VIDEO_VP9_PROFILE_0 ? 8 : 10;
    return dst->bit_depth == bit_depth &&
           (!color || (color->BitDepth == bit_depth && color->subsampling_x == 1 &&
                       color->subsampling_y == 1));
}

static bool
extent_is_supported(const struct rp_decode_request *request)
{
    return request->coded_width_px > 0 && request->coded_height_px > 0 &&
           request->coded_width_px <= RP_VP9_DECODE_MAX_WIDTH_PX &&
           request->coded_height_px <= RP_VP9_DECODE_MAX_HEIGHT_PX;
}

static enum rp_codec_status
decode(struct rp_video_decode *dec, const struct rp_decode_request *request)
{
    const StdVideoDecodeVP9PictureInfo *std = std_picture(request->picture);
    struct vp9_state *state = dec->state;
    uint8_t header[RP_VP9_MAX_HEADER_B];
    struct rp_vp9_decode_job job;
    bool is_damaged = false;
    if (!std)
        return RP_CODEC_FAILED;
    if (!format_is_supported(std, &request->dst) || !extent_is_supported(request))
        return RP_CODEC_UNSUPPORTED;

    struct rp_vp9_frame frame = {
        .std = std,
        .width_px = request->coded_width_px,
        .height_px = request->coded_height_px,
        .bit_depth = request->dst.bit_depth,
    };
    const uint32_t mask = rp_vp9_refresh_mask(std);
    rp_decode_slots_begin(&dec->slots);
    const bool has_references =
        rp_vp9_is_intra(std) || find_references(dec, request, frame.ref_frame_idx, &is_damaged);
    forget_replaced(dec, mask);
    const int32_t slot = rp_decode_setup_slot(dec, request, mask != 0);

    enum rp_codec_status status = RP_CODEC_FAILED;
    if (has_references && job_init(request, &frame, header, &job)) {
        job.common = rp_decode_common_job(request, slot);
        if (!may_be_in_place(request))
            job.common.target = (struct rp_decode_target){.memory = NULL};
        status = dec->codec->decode(dec->codec_dec, &job.common);
    }
    if (status == RP_CODEC_NO_MEMORY)
        rp_vp9_references_init(&state->refs);
    rp_vp9_references_update(&state->refs, slot, mask, status == RP_CODEC_OK);
    return status == RP_CODEC_OK && is_damaged ? RP_CODEC_DAMAGED : status;
}

static void
state_init(void *state)
{
    struct vp9_state *vp9 = state;
    rp_vp9_references_init(&vp9->refs);
    rp_vp9_order_init(&vp9->order);
}

static void
state_finish(void *state)
{
    rp_vp9_order_finish(&((struct vp9_state *)state)->order);
}

static void
state_reset(void *state)
{
    rp_vp9_references_init(&((struct vp9_state *)state)->refs);
}

static void
expect(void *state, const struct rp_decode_identity *picture, uint64_t sequence)
{
    (void)picture;
    rp_vp9_order_expect(&((struct vp9_state *)state)->order, sequence);
}

static void
enter(void *state, pthread_mutex_t *mutex, const struct rp_decode_identity *picture,
      uint64_t sequence)
{
    (void)picture;
    rp_vp9_order_enter(&((struct vp9_state *)state)->order, mutex, sequence);
}

static void
leave(void *state, const struct rp_decode_identity *picture, uint64_t sequence)
{
    (void)picture;
    rp_vp9_order_leave(&((struct vp9_state *)state)->order, sequence);
}

const struct rp_decode_standard rp_vp9_decode = {
    .codec = rp_codec_vp9_decode,
    .slot_count = SLOTS,
    .picture_info_type = VK_STRUCTURE_TYPE_VIDEO_DECODE_VP9_PICTURE_INFO_KHR,
    .identify_picture = identify_picture,
    .identify_reference = identify_reference,
    .decode = decode,
    .state_B = sizeof(struct vp9_state),
    .state_init = state_init,
    .state_finish = state_finish,
    .state_reset = state_reset,
    .expect = expect,
    .enter = enter,
    .leave = leave,
    .give_up = leave,
};

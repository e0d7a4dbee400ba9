/* SPDX-License-Identifier: MIT */
/* Reference lists and the reconstruction: from the application's slots to the codec's.
 */
#include "video/encode/session.h"

#define SLICE_B 1
#define SLICE_I 2

/* How the codec shall see the pixels of a DPB picture. In place only when the memory has the
 * layout of a picture of this size: of a smaller picture in a larger image, strides may differ. */
static void
dpb_picture_init(const struct rp_video_encode *enc, const struct rp_encode_resource *resource,
                 const struct rp_h264_encode_job *job, struct rp_h264_slot *slot,
                 struct rp_h264_dpb_picture *out)
{
    const uint32_t width_px = (job->width_px + 15) & ~15u;
    const uint32_t height_px = (job->height_px + 15) & ~15u;
    struct rp_h264_dpb_layout layout;
    enc->codec->dpb_layout(width_px, height_px, &layout);

    *out = (struct rp_h264_dpb_picture){.slot = slot, .pixels = resource->pixels};
    out->is_padded = resource->is_padded && resource->pixels.plane[0].stride_B == layout.stride_B &&
                     ((resource->pixels.width_px + 15) & ~15u) >= width_px &&
                     ((resource->pixels.height_px + 15) & ~15u) >= height_px;
    if (out->is_padded) {
        out->pixels.width_px = width_px;
        out->pixels.height_px = height_px;
    } else {
        out->pixels.width_px = RP_MIN(out->pixels.width_px, width_px);
        out->pixels.height_px = RP_MIN(out->pixels.height_px, height_px);
    }
}

static const struct rp_encode_reference *
find_reference(const struct rp_encode_request *request, int32_t slot_index)
{
    for (uint32_t i = 0; i < request->ref_count; i++) {
        if (request->refs[i].slot_index == slot_index)
            return &request->refs[i];
    }
    return NULL;
}

static enum rp_codec_status
resolve_reference(struct rp_video_encode *enc, const struct rp_encode_reference *ref,
                  struct rp_encode_picture *pic, struct rp_h264_reference *out)
{
    const struct rp_h264_encode_job *job = &pic->job;
    struct rp_encode_slot *slot =
        rp_encode_slots_use(&enc->slots, &ref->resource.key, enc->picture_number);
    if (!slot)
        return RP_CODEC_NO_MEMORY;

    dpb_picture_init(enc, &ref->resource, job, slot->codec_slot, &out->picture);
    out->poc = ref->std->PicOrderCnt;
    out->is_long_term = ref->std->flags.used_for_long_term_reference;
    out->is_foreign = slot->generation != ref->resource.generation ||
                      slot->width_mb != (job->width_px + 15) / 16 ||
                      slot->height_mb != (job->height_px + 15) / 16;
    /* The codec adopts it with this picture, so that the next one knows it. */
    pic->uses[pic->use_count++] = (struct rp_encode_use){slot, ref->resource.generation};
    return RP_CODEC_OK;
}

/* Entries up to the first "no reference picture"; a client lists those past what is active. */
static uint32_t
list_length(const uint8_t *list, uint32_t active_count, uint32_t limit)
{
    uint32_t count = 0;
    while (count < active_count && count < limit &&
           list[count] != STD_VIDEO_H264_NO_REFERENCE_PICTURE)
        count++;
    return count;
}

static uint32_t
clean_region_count(const struct rp_intra_refresh *refresh, const struct rp_encode_reference *ref)
{
    return refresh->cycle_duration - RP_MIN(refresh->cycle_duration, ref->dirty_region_count);
}

static enum rp_codec_status
resolve_list(struct rp_video_encode *enc, const struct rp_encode_request *request,
             struct rp_encode_picture *pic, uint32_t x)
{
    const StdVideoEncodeH264ReferenceListsInfo *lists =
        request->picture->pStdPictureInfo->pRefLists;
    const uint8_t *list = x ? lists->RefPicList1 : lists->RefPicList0;
    const uint32_t active_count =
        (x ? lists->num_ref_idx_l1_active_minus1 : lists->num_ref_idx_l0_active_minus1) + 1u;
    struct rp_h264_encode_job *job = &pic->job;

    job->ref_count[x] = list_length(list, active_count, x ? RP_H264_MAX_L1_REFS : RP_H264_MAX_REFS);
    pic->result.has_overrides |= job->ref_count[x] != active_count;
    for (uint32_t i = 0; i < job->ref_count[x]; i++) {
        const struct rp_encode_reference *ref = find_reference(request, list[i]);
        if (!ref || !ref->std)
            return RP_CODEC_FAILED;
        pic->clean_region_count =
            RP_MIN(pic->clean_region_count, clean_region_count(&request->refresh, ref));
        const enum rp_codec_status status = resolve_reference(enc, ref, pic, &job->refs[x][i]);
        if (status != RP_CODEC_OK)
            return status;
    }
    return job->ref_count[x] > 0 ? RP_CODEC_OK : RP_CODEC_FAILED;
}

void
rp_encode_name_references(const struct rp_encode_request *request, struct rp_encode_picture *pic)
{
    const StdVideoEncodeH264ReferenceListsInfo *lists =
        request->picture->pStdPictureInfo->pRefLists;

    for (uint32_t x = 0; x < 2; x++) {
        for (uint32_t i = 0; i < pic->job.ref_count[x]; i++) {
            const struct rp_encode_reference *ref =
                find_reference(request, x ? lists->RefPicList1[i] : lists->RefPicList0[i]);
            pic->header.ref[x][i] = (struct rp_h264_ref_name){
                .is_long_term = ref->std->flags.used_for_long_term_reference,
                .frame_num = ref->std->FrameNum,
                .long_term_frame_idx = ref->std->long_term_frame_idx,
            };
        }
    }
}

/* A reference cannot be overwritten by the picture that is predicted from it. */
static bool
is_referenced(const struct rp_h264_encode_job *job, const struct rp_h264_slot *slot)
{
    for (uint32_t x = 0; x < 2; x++) {
        for (uint32_t i = 0; i < job->ref_count[x]; i++) {
            if (job->refs[x][i].picture.slot == slot)
                return true;
        }
    }
    return false;
}

static enum rp_codec_status
resolve_setup(struct rp_video_encode *enc, const struct rp_encode_request *request,
              struct rp_encode_picture *pic)
{
    if (!request->has_setup)
        return RP_CODEC_OK;
    struct rp_encode_slot *slot =
        rp_encode_slots_use(&enc->slots, &request->setup.key, enc->picture_number);
    if (!slot)
        return RP_CODEC_NO_MEMORY;
    if (is_referenced(&pic->job, slot->codec_slot))
        return RP_CODEC_FAILED;
    dpb_picture_init(enc, &request->setup, &pic->job, slot->codec_slot, &pic->job.recon);
    pic->uses[pic->use_count++] = (struct rp_encode_use){slot, request->setup.generation};
    return RP_CODEC_OK;
}

enum rp_codec_status
rp_encode_resolve_references(struct rp_video_encode *enc, const struct rp_encode_request *request,
                             struct rp_encode_picture *pic)
{
    const uint32_t slice_type = pic->job.slice_type;
    enum rp_codec_status status = RP_CODEC_OK;
    if (slice_type != SLICE_I && !request->picture->pStdPictureInfo->pRefLists)
        return RP_CODEC_FAILED;
    if (slice_type != SLICE_I)
        status = resolve_list(enc, request, pic, 0);
    if (slice_type == SLICE_B && status == RP_CODEC_OK)
        status = resolve_list(enc, request, pic, 1);
    if (status == RP_CODEC_OK)
        status = resolve_setup(enc, request, pic);
    return status;
}

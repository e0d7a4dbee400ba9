/* SPDX-License-Identifier: MIT */
/* Reference lists and the reconstruction: from the application's slots to the codec's.
 */
#include "video/h264/encode_picture.h"

static const StdVideoEncodeH264ReferenceInfo *
std_of(const struct rp_encode_reference *ref)
{
    return ((const VkVideoEncodeH264DpbSlotInfoKHR *)ref->info)->pStdReferenceInfo;
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
resolve_reference(const struct rp_encode_reference *ref, struct rp_h264_encode_picture *pic,
                  struct rp_h264_reference *out)
{
    const StdVideoEncodeH264ReferenceInfo *std = std_of(ref);
    out->poc = std->PicOrderCnt;
    out->is_long_term = std->flags.used_for_long_term_reference;
    return rp_encode_use_slot(&pic->common, &ref->resource, &out->picture, &out->is_foreign);
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

static enum rp_codec_status
resolve_list(const struct rp_encode_request *request, struct rp_h264_encode_picture *pic,
             uint32_t x)
{
    const StdVideoEncodeH264ReferenceListsInfo *lists =
        rp_h264_picture_info(request)->pStdPictureInfo->pRefLists;
    const uint8_t *list = x ? lists->RefPicList1 : lists->RefPicList0;
    const uint32_t active_count =
        (x ? lists->num_ref_idx_l1_active_minus1 : lists->num_ref_idx_l0_active_minus1) + 1u;
    struct rp_h264_encode_job *job = &pic->job;

    job->ref_count[x] = list_length(list, active_count, x ? RP_H264_MAX_L1_REFS : RP_H264_MAX_REFS);
    pic->common.feedback.has_overrides |= job->ref_count[x] != active_count;
    for (uint32_t i = 0; i < job->ref_count[x]; i++) {
        const struct rp_encode_reference *ref = find_reference(request, list[i]);
        if (!ref || !std_of(ref))
            return RP_CODEC_FAILED;
        rp_encode_note_dirty_regions(request, ref, &pic->common);
        const enum rp_codec_status status = resolve_reference(ref, pic, &job->refs[x][i]);
        if (status != RP_CODEC_OK)
            return status;
    }
    return job->ref_count[x] > 0 ? RP_CODEC_OK : RP_CODEC_FAILED;
}

void
rp_h264_name_references(const struct rp_encode_request *request, struct rp_h264_encode_picture *pic)
{
    const StdVideoEncodeH264ReferenceListsInfo *lists =
        rp_h264_picture_info(request)->pStdPictureInfo->pRefLists;

    for (uint32_t x = 0; x < 2; x++) {
        for (uint32_t i = 0; i < pic->job.ref_count[x]; i++) {
            const struct rp_encode_reference *ref =
                find_reference(request, x ? lists->RefPicList1[i] : lists->RefPicList0[i]);
            pic->header.ref[x][i] = (struct rp_h264_ref_name){
                .is_long_term = std_of(ref)->flags.used_for_long_term_reference,
                .frame_num = std_of(ref)->FrameNum,
                .long_term_frame_idx = std_of(ref)->long_term_frame_idx,
            };
        }
    }
}

/* A reference cannot be overwritten by the picture that is predicted from it. */
static bool
is_referenced(const struct rp_h264_encode_job *job, const struct rp_encoder_slot *slot)
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
resolve_setup(const struct rp_encode_request *request, struct rp_h264_encode_picture *pic)
{
    if (!request->has_setup)
        return RP_CODEC_OK;
    struct rp_dpb_picture recon;
    const enum rp_codec_status status =
        rp_encode_use_slot(&pic->common, &request->setup, &recon, NULL);
    if (status != RP_CODEC_OK)
        return status;
    if (is_referenced(&pic->job, recon.slot))
        return RP_CODEC_FAILED;
    pic->job.common.recon = recon;
    return RP_CODEC_OK;
}

enum rp_codec_status
rp_h264_resolve_references(const struct rp_encode_request *request,
                           struct rp_h264_encode_picture *pic)
{
    const enum rp_h264_slice_type slice_type = pic->job.slice_type;
    enum rp_codec_status status = RP_CODEC_OK;
    if (slice_type != RP_H264_SLICE_I && !rp_h264_picture_info(request)->pStdPictureInfo->pRefLists)
        return RP_CODEC_FAILED;
    if (slice_type != RP_H264_SLICE_I)
        status = resolve_list(request, pic, 0);
    if (slice_type == RP_H264_SLICE_B && status == RP_CODEC_OK)
        status = resolve_list(request, pic, 1);
    if (status == RP_CODEC_OK)
        status = resolve_setup(request, pic);
    return status;
}

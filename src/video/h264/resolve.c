/* SPDX-License-Identifier: MIT */
/* A picture as the application describes it becomes a job of the codec.
 */
#include "video/h264/encode_picture.h"

#include "video/h264/encode_caps.h"

/* What the picture may refer to: B when any of its slices is, else P when one is. */
static bool
picture_slice_type(const VkVideoEncodeH264PictureInfoKHR *info, enum rp_h264_slice_type *out)
{
    bool has_type[3] = {false};
    for (uint32_t i = 0; i < info->naluSliceEntryCount; i++) {
        const StdVideoEncodeH264SliceHeader *std = info->pNaluSliceEntries[i].pStdSliceHeader;
        if (!std || (uint32_t)std->slice_type > RP_H264_SLICE_I)
            return false;
        has_type[std->slice_type] = true;
    }
    *out = has_type[RP_H264_SLICE_B]   ? RP_H264_SLICE_B
           : has_type[RP_H264_SLICE_P] ? RP_H264_SLICE_P
                                       : RP_H264_SLICE_I;
    return info->naluSliceEntryCount > 0;
}

static bool
resolve_kind(const struct rp_encode_request *request, struct rp_h264_encode_picture *pic)
{
    const VkVideoEncodeH264PictureInfoKHR *info = request->picture;
    const StdVideoEncodeH264PictureInfo *std = info->pStdPictureInfo;
    struct rp_h264_encode_job *job = &pic->job;
    if (!picture_slice_type(info, &job->slice_type))
        return false;

    job->is_idr = std->flags.IdrPicFlag;
    pic->common.is_key = job->is_idr;
    if (job->is_idr)
        job->slice_type = RP_H264_SLICE_I;
    job->poc = std->PicOrderCnt;
    job->common.temporal_layer = std->temporal_id;
    if (job->is_idr)
        job->nal_ref_idc = 3; /* never 0 for an IDR picture (7.4.1) */
    else if (std->flags.is_reference)
        job->nal_ref_idc = job->slice_type == RP_H264_SLICE_B ? 1 : 2;
    return true;
}

/* The SPS says how large the stream's frame is; the source fills it but for a part of the last
 * macroblocks. A client's coded extent may be rounded up beyond its image, or be odd: then there is
 * one more column, which images that are odd themselves need not have (reelpipe/picture.h). */
static bool
resolve_size(const struct rp_encode_request *request, struct rp_h264_encode_picture *pic)
{
    const StdVideoH264SequenceParameterSet *sps = pic->active.sps;
    const uint32_t width_mb = sps->pic_width_in_mbs_minus1 + 1;
    const uint32_t height_mb = sps->pic_height_in_map_units_minus1 + 1;
    struct rp_h264_encode_job *job = &pic->job;

    job->common.src = request->src.pixels;
    job->common.width_px =
        RP_MIN((request->coded_extent_px.width + 1) & ~1u, (job->common.src.width_px + 1) & ~1u);
    job->common.height_px =
        RP_MIN((request->coded_extent_px.height + 1) & ~1u, (job->common.src.height_px + 1) & ~1u);
    job->common.width_px = RP_MIN(job->common.width_px, 16 * width_mb);
    job->common.height_px = RP_MIN(job->common.height_px, 16 * height_mb);
    return (job->common.width_px + 15) / 16 == width_mb &&
           (job->common.height_px + 15) / 16 == height_mb;
}

static bool
has_mmco5(const struct rp_h264_slice_header *header)
{
    const StdVideoEncodeH264ReferenceListsInfo *lists = header->lists;
    if (header->nal_ref_idc == 0 || !lists || !lists->pRefPicMarkingOperations ||
        !header->picture->flags.adaptive_ref_pic_marking_mode_flag)
        return false;
    for (uint32_t i = 0; i < lists->refPicMarkingOpCount; i++) {
        const StdVideoH264MemMgmtControlOp op =
            lists->pRefPicMarkingOperations[i].memory_management_control_operation;
        if (op == STD_VIDEO_H264_MEM_MGMT_CONTROL_OP_END ||
            (uint32_t)op > STD_VIDEO_H264_MEM_MGMT_CONTROL_OP_MARK_CURRENT_AS_LONG_TERM)
            return false; /* nothing is written from here on */
        if (op == STD_VIDEO_H264_MEM_MGMT_CONTROL_OP_UNMARK_ALL)
            return true;
    }
    return false;
}

static uint32_t
frame_num(const struct rp_h264_encode_picture *pic)
{
    const uint32_t max_frame_num = 1u << (pic->active.sps->log2_max_frame_num_minus4 + 4);
    return pic->job.is_idr ? 0 : pic->header.picture->frame_num & (max_frame_num - 1);
}

/* FrameNumOffset (8.2.1.2). */
static uint32_t
frame_num_offset(const struct rp_h264_encode_state *state, const struct rp_h264_encode_picture *pic)
{
    const uint32_t max_frame_num = 1u << (pic->active.sps->log2_max_frame_num_minus4 + 4);
    if (pic->job.is_idr)
        return 0;
    const uint32_t previous = state->previous_had_mmco5 ? 0 : state->previous_frame_num_offset;
    return state->previous_frame_num > frame_num(pic) ? previous + max_frame_num : previous;
}

/* expectedPicOrderCnt (8.2.1.2). */
static int32_t
expected_poc(const struct rp_h264_encode_state *state, const struct rp_h264_encode_picture *pic)
{
    const StdVideoH264SequenceParameterSet *sps = pic->active.sps;
    const uint32_t cycle = sps->num_ref_frames_in_pic_order_cnt_cycle;
    uint32_t abs_frame_num = cycle ? frame_num_offset(state, pic) + frame_num(pic) : 0;
    if (pic->job.nal_ref_idc == 0 && abs_frame_num > 0)
        abs_frame_num--;

    uint32_t expected = 0; /* wraps as the application's own sums may */
    if (abs_frame_num > 0) {
        uint32_t cycle_delta = 0;
        for (uint32_t i = 0; i < cycle; i++)
            cycle_delta += (uint32_t)sps->pOffsetForRefFrame[i];
        expected = (abs_frame_num - 1) / cycle * cycle_delta;
        for (uint32_t i = 0; i <= (abs_frame_num - 1) % cycle; i++)
            expected += (uint32_t)sps->pOffsetForRefFrame[i];
    }
    if (pic->job.nal_ref_idc == 0)
        expected += (uint32_t)sps->offset_for_non_ref_pic;
    return (int32_t)expected;
}

static void
resolve_numbering(const struct rp_h264_encode_state *state, struct rp_h264_encode_picture *pic)
{
    const StdVideoH264SequenceParameterSet *sps = pic->active.sps;
    struct rp_h264_slice_header *header = &pic->header;

    if (sps->pic_order_cnt_type == STD_VIDEO_H264_POC_TYPE_1) {
        /* PicOrderCnt is that of the earlier field. */
        const int32_t bottom_lead = RP_MIN(0, sps->offset_for_top_to_bottom_field);
        header->delta_pic_order_cnt[0] = (int32_t)((uint32_t)pic->job.poc - (uint32_t)bottom_lead -
                                                   (uint32_t)expected_poc(state, pic));
    }
    header->idr_pic_id = header->picture->idr_pic_id;
    if (pic->job.is_idr) {
        header->idr_pic_id =
            rp_idr_ids_choose(&state->idr_ids, pic->common.sequence, header->idr_pic_id);
        pic->common.feedback.has_overrides |= header->idr_pic_id != header->picture->idr_pic_id;
    }
}

static void
resolve_header(const struct rp_encode_request *request, struct rp_h264_encode_picture *pic)
{
    struct rp_h264_encode_job *job = &pic->job;
    job->sps = pic->active.sps;
    job->pps = &pic->active.pps;
    pic->header = (struct rp_h264_slice_header){
        .sps = job->sps,
        .pps = job->pps,
        .picture = rp_h264_picture_info(request)->pStdPictureInfo,
        .lists = rp_h264_picture_info(request)->pStdPictureInfo->pRefLists,
        .slices = pic->std_slices,
        .weights = &pic->weights,
        .slice_type = job->slice_type,
        .is_idr = job->is_idr,
        .nal_ref_idc = job->nal_ref_idc,
        .ref_count = {job->ref_count[0], job->ref_count[1]},
    };
    job->write_slice_header = rp_h264_write_slice_header;
    job->slice_header_ctx = &pic->header;
}

static enum rp_codec_status
resolve_refresh(const struct rp_encode_request *request, struct rp_h264_encode_picture *pic)
{
    const struct rp_h264_encode_job *job = &pic->job;
    if (request->refresh.mode == VK_VIDEO_ENCODE_INTRA_REFRESH_MODE_NONE_KHR ||
        job->slice_type == RP_H264_SLICE_I)
        return RP_CODEC_OK;
    if (job->slice_type != RP_H264_SLICE_P)
        return RP_CODEC_UNSUPPORTED;
    uint32_t first_mbs[RP_H264_MAX_SLICES];
    for (uint32_t i = 0; i < job->slice_count; i++)
        first_mbs[i] = job->slices[i].first_mb;
    return rp_encode_fill_refresh(request, first_mbs, job->slice_count, &pic->common);
}

enum rp_codec_status
rp_h264_encode_resolve(struct rp_video_encode *enc, const struct rp_encode_request *request,
                       struct rp_encode_picture *common)
{
    struct rp_h264_encode_picture *pic = rp_h264_encode_picture_of(common);
    const StdVideoEncodeH264PictureInfo *std =
        request->picture ? rp_h264_picture_info(request)->pStdPictureInfo : NULL;
    if (!std || !request->parameters ||
        !rp_h264_parameters_find(rp_h264_parameters_of(request->parameters),
                                 std->seq_parameter_set_id, std->pic_parameter_set_id,
                                 &pic->active))
        return RP_CODEC_FAILED;
    pic->common.feedback.has_overrides =
        pic->active.has_sps_overrides || pic->active.has_pps_overrides;

    if (!resolve_kind(request, pic) || !resolve_size(request, pic))
        return RP_CODEC_FAILED;
    enum rp_codec_status status = rp_h264_resolve_slices(enc, request, pic);
    if (status == RP_CODEC_OK)
        status = rp_encode_read_map(request, common);
    if (status == RP_CODEC_OK)
        status = rp_encode_convert_source(request, common);
    if (status == RP_CODEC_OK)
        status = rp_h264_resolve_references(request, pic);
    if (status == RP_CODEC_OK)
        status = resolve_refresh(request, pic);
    if (status != RP_CODEC_OK)
        return status;

    rp_h264_resolve_weights(pic);
    resolve_header(request, pic);
    rp_h264_name_references(request, pic);
    resolve_numbering(enc->state, pic);
    pic->job.common.quality_level = enc->quality_level;
    pic->job.common.preceding_B = request->preceding_B;
    pic->job.common.dst = request->dst;
    pic->job.common.dst_capacity_B = request->dst_capacity_B;
    return RP_CODEC_OK;
}

void
rp_h264_encode_advance(struct rp_video_encode *enc, const struct rp_encode_picture *common)
{
    const struct rp_h264_encode_picture *pic = (const struct rp_h264_encode_picture *)common;
    struct rp_h264_encode_state *state = enc->state;

    state->previous_frame_num_offset = frame_num_offset(state, pic);
    state->previous_had_mmco5 = has_mmco5(&pic->header);
    /* 7.4.3: after operation 5 the picture counts as one with frame_num 0. */
    state->previous_frame_num = state->previous_had_mmco5 ? 0 : frame_num(pic);
    rp_idr_ids_add(&state->idr_ids, &(struct rp_idr_entry){.sequence = common->sequence,
                                                           .is_idr = pic->job.is_idr,
                                                           .id = pic->header.idr_pic_id});
}

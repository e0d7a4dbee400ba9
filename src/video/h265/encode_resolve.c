/* SPDX-License-Identifier: MIT */
/* A picture as the application describes it becomes a job of the codec.
 */
#include "video/h265/encode_caps.h"
#include "video/h265/encode_picture.h"

/* nal_unit_type of pictures that are no IRAP (Table 7-1); those that are referred to have one more.
 * Pictures in front of an IRAP picture in output order lead it: behind an IDR picture they are
 * decodable, behind a CRA picture they may refer to what is in front of it. */
#define NAL_TRAIL_N 0u
#define NAL_RADL_N 6u
#define NAL_RASL_N 8u

static uint32_t
nal_unit_type(const struct rp_h265_encode_state *state, const StdVideoEncodeH265PictureInfo *std)
{
    if (std->pic_type == STD_VIDEO_H265_PICTURE_TYPE_IDR)
        return RP_H265_NAL_IDR_W_RADL;
    if (std->flags.IrapPicFlag)
        return RP_H265_NAL_CRA;
    uint32_t type = NAL_TRAIL_N;
    if (state->has_irap && std->PicOrderCntVal < state->irap_poc)
        type = state->irap_is_idr ? NAL_RADL_N : NAL_RASL_N;
    return type + std->flags.is_reference;
}

static bool
headers_are_there(const VkVideoEncodeH265PictureInfoKHR *info)
{
    for (uint32_t i = 0; i < info->naluSliceSegmentEntryCount; i++) {
        if (!info->pNaluSliceSegmentEntries[i].pStdSliceSegmentHeader)
            return false;
    }
    return info->naluSliceSegmentEntryCount > 0;
}

/* The constant quantiser, or the preferred one where the application left the choice; that of a
 * rate is the codec's to choose. */
static int32_t
qp_of(const struct rp_video_encode *enc, StdVideoH265SliceType slice_type, int32_t constant_qp)
{
    static const enum rp_rate_type types[] = {
        [STD_VIDEO_H265_SLICE_TYPE_B] = RP_RATE_B,
        [STD_VIDEO_H265_SLICE_TYPE_P] = RP_RATE_P,
        [STD_VIDEO_H265_SLICE_TYPE_I] = RP_RATE_I,
    };
    if (enc->rate_control.mode == VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR)
        return RP_MAX(0, RP_MIN(constant_qp, RP_H265_MAX_QP));
    return rp_h265_encode_preferred_qp(types[slice_type]);
}

static bool
resolve_kind(const struct rp_video_encode *enc, const struct rp_encode_request *request,
             struct rp_h265_encode_picture *pic)
{
    const VkVideoEncodeH265PictureInfoKHR *info = request->picture;
    const StdVideoEncodeH265PictureInfo *std = info->pStdPictureInfo;
    struct rp_h265_encode_job *job = &pic->job;
    if (!headers_are_there(info))
        return false;
    job->slice_type = info->pNaluSliceSegmentEntries[0].pStdSliceSegmentHeader->slice_type;
    if ((uint32_t)job->slice_type > STD_VIDEO_H265_SLICE_TYPE_I || std->TemporalId > 6)
        return false;

    struct rp_h265_slice_header *header = &pic->header;
    header->nal_unit_type = nal_unit_type(enc->state, std);
    if (rp_h265_slice_is_irap(header))
        job->slice_type = STD_VIDEO_H265_SLICE_TYPE_I;
    job->nal_unit_type = header->nal_unit_type;
    job->temporal_id = job->common.temporal_layer = std->TemporalId;
    job->poc = std->PicOrderCntVal;
    job->qp = qp_of(enc, job->slice_type, info->pNaluSliceSegmentEntries[0].constantQp);
    job->temporal_mvp = pic->active.sps->flags.sps_temporal_mvp_enabled_flag &&
                        std->flags.slice_temporal_mvp_enabled_flag && !rp_h265_slice_is_idr(header);
    pic->common.is_key = rp_h265_slice_is_idr(header);

    const uint32_t lsb_bits = pic->active.sps->log2_max_pic_order_cnt_lsb_minus4 + 4u;
    header->no_output_of_prior_pics_flag = std->flags.no_output_of_prior_pics_flag;
    header->slice_pic_parameter_set_id = pic->active.pps->pps_pic_parameter_set_id;
    header->pic_output_flag = std->flags.pic_output_flag;
    header->slice_pic_order_cnt_lsb = (uint32_t)job->poc & ((1u << lsb_bits) - 1);
    header->slice_temporal_mvp_enabled_flag = job->temporal_mvp;
    return true;
}

/* The SPS says how large the stream's pictures are; the source fills them as far as it goes: an
 * application may round their size up to whole coding tree blocks (the CTS does). */
static bool
resolve_size(const struct rp_encode_request *request, struct rp_h265_encode_picture *pic)
{
    const StdVideoH265SequenceParameterSet *sps = pic->active.sps;
    struct rp_encode_job *job = &pic->job.common;
    job->src = request->src.pixels;
    job->width_px =
        RP_MIN((request->coded_extent_px.width + 1) & ~1u, (job->src.width_px + 1) & ~1u);
    job->height_px =
        RP_MIN((request->coded_extent_px.height + 1) & ~1u, (job->src.height_px + 1) & ~1u);
    job->width_px = RP_MIN(job->width_px, sps->pic_width_in_luma_samples);
    job->height_px = RP_MIN(job->height_px, sps->pic_height_in_luma_samples);
    job->src.width_px = RP_MIN(job->src.width_px, job->width_px);
    job->src.height_px = RP_MIN(job->src.height_px, job->height_px);
    return job->width_px > 0 && job->height_px > 0 &&
           sps->pic_width_in_luma_samples - job->width_px < RP_H265_CTB_PX &&
           sps->pic_height_in_luma_samples - job->height_px < RP_H265_CTB_PX;
}

/* Motion comes from what is refreshed alone: temporal candidates may not. */
static enum rp_codec_status
resolve_refresh(const struct rp_encode_request *request, struct rp_h265_encode_picture *pic)
{
    const uint32_t columns = (pic->job.common.width_px + RP_H265_CTB_PX - 1) / RP_H265_CTB_PX;
    uint32_t first_blocks[RP_H265_ENCODE_MAX_SLICES];
    if (request->refresh.mode == VK_VIDEO_ENCODE_INTRA_REFRESH_MODE_NONE_KHR ||
        pic->job.slice_type == STD_VIDEO_H265_SLICE_TYPE_I)
        return RP_CODEC_OK;
    pic->common.feedback.has_overrides |= pic->job.temporal_mvp;
    pic->job.temporal_mvp = pic->header.slice_temporal_mvp_enabled_flag = false;
    for (uint32_t i = 0; i < pic->job.slice_count; i++)
        first_blocks[i] = pic->first_rows[i] * columns;
    return rp_encode_fill_refresh(request, first_blocks, pic->job.slice_count, &pic->common);
}

enum rp_codec_status
rp_h265_encode_resolve(struct rp_video_encode *enc, const struct rp_encode_request *request,
                       struct rp_encode_picture *common)
{
    struct rp_h265_encode_picture *pic = rp_h265_encode_picture_of(common);
    const StdVideoEncodeH265PictureInfo *std =
        request->picture ? rp_h265_picture_info(request)->pStdPictureInfo : NULL;
    if (!std || !rp_h265_encode_parameters_find(
                    request->parameters, std->sps_video_parameter_set_id,
                    std->pps_seq_parameter_set_id, std->pps_pic_parameter_set_id, &pic->active))
        return RP_CODEC_FAILED;
    pic->common.feedback.has_overrides = pic->active.has_overrides;
    pic->job.sps = pic->active.sps;
    pic->job.pps = pic->active.pps;

    if (!resolve_kind(enc, request, pic) || !resolve_size(request, pic))
        return RP_CODEC_FAILED;
    enum rp_codec_status status = rp_encode_read_map(request, common);
    if (status == RP_CODEC_OK)
        status = rp_encode_convert_source(request, common);
    if (status == RP_CODEC_OK)
        status = rp_h265_resolve_references(request, pic);
    if (status == RP_CODEC_OK)
        status = rp_h265_resolve_slices(request, pic);
    if (status == RP_CODEC_OK)
        status = resolve_refresh(request, pic);
    if (status != RP_CODEC_OK)
        return status;

    pic->job.common.quality_level = enc->quality_level;
    pic->job.common.preceding_B = request->preceding_B;
    pic->job.common.dst = request->dst;
    pic->job.common.dst_capacity_B = request->dst_capacity_B;
    return RP_CODEC_OK;
}

void
rp_h265_encode_advance(struct rp_video_encode *enc, const struct rp_encode_picture *common)
{
    const struct rp_h265_encode_picture *pic = (const struct rp_h265_encode_picture *)common;
    struct rp_h265_encode_state *state = enc->state;
    if (pic->job.common.recon.slot) /* the last use is that of the reconstruction */
        common->uses[common->use_count - 1].slot->order = pic->job.poc;
    if (rp_h265_slice_is_irap(&pic->header))
        *state = (struct rp_h265_encode_state){
            .has_irap = true,
            .irap_is_idr = rp_h265_slice_is_idr(&pic->header),
            .irap_poc = pic->job.poc,
        };
}

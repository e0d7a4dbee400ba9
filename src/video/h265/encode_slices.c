/* SPDX-License-Identifier: MIT */
/* Slices: whole rows of coding tree blocks, all with the same header but for where they begin.
 */
#include "video/h265/encode_picture.h"

static int32_t
clamp(int32_t value, int32_t low, int32_t high)
{
    return RP_MAX(low, RP_MIN(value, high));
}

static const StdVideoEncodeH265SliceSegmentHeader *
std_of(const struct rp_encode_request *request, uint32_t i)
{
    return rp_h265_picture_info(request)->pNaluSliceSegmentEntries[i].pStdSliceSegmentHeader;
}

/* Flags that the parameter sets forbid are ignored: the CTS and Vulkan-Video-Samples set them. */
static void
resolve_deblocking(const StdVideoEncodeH265SliceSegmentHeader *std,
                   struct rp_h265_encode_picture *pic)
{
    const StdVideoH265PictureParameterSet *pps = pic->active.pps;
    struct rp_h265_slice_header *header = &pic->header;
    header->slice_deblocking_filter_disabled_flag = pps->flags.pps_deblocking_filter_disabled_flag;
    header->slice_beta_offset_div2 = pps->pps_beta_offset_div2;
    header->slice_tc_offset_div2 = pps->pps_tc_offset_div2;
    if (!pps->flags.deblocking_filter_control_present_flag)
        header->slice_beta_offset_div2 = header->slice_tc_offset_div2 = 0;
    if (pps->flags.deblocking_filter_override_enabled_flag &&
        std->flags.deblocking_filter_override_flag) {
        header->deblocking_filter_override_flag = true;
        header->slice_deblocking_filter_disabled_flag =
            std->flags.slice_deblocking_filter_disabled_flag;
        header->slice_beta_offset_div2 = clamp(std->slice_beta_offset_div2, -6, 6);
        header->slice_tc_offset_div2 = clamp(std->slice_tc_offset_div2, -6, 6);
    }
    pic->job.deblocking = !header->slice_deblocking_filter_disabled_flag;
    pic->job.beta_offset_div2 = header->slice_beta_offset_div2;
    pic->job.tc_offset_div2 = header->slice_tc_offset_div2;
}

/* A decoder has other motion than the codec, which has none, for a picture whose samples came from
 * elsewhere: it is no collocated picture, nor are others instead of it. */
static void
resolve_collocated(const StdVideoEncodeH265SliceSegmentHeader *std,
                   struct rp_h265_encode_picture *pic)
{
    struct rp_h265_encode_job *job = &pic->job;
    job->collocated_from_l0 =
        job->slice_type != STD_VIDEO_H265_SLICE_TYPE_B || std->flags.collocated_from_l0_flag;
    const uint32_t ref_count = job->ref_count[!job->collocated_from_l0];
    job->collocated_ref_idx = std->collocated_ref_idx < ref_count ? std->collocated_ref_idx : 0;

    /* The uses are those of list 0, then those of list 1. */
    const uint32_t use =
        (job->collocated_from_l0 ? 0 : job->ref_count[0]) + job->collocated_ref_idx;
    if (!job->temporal_mvp || ref_count == 0 || pic->common.uses[use].has_motion)
        return;
    job->temporal_mvp = pic->header.slice_temporal_mvp_enabled_flag = false;
    pic->common.feedback.has_overrides = true;
}

/* What the header of the first slice says holds for all of them. */
static void
resolve_header(const StdVideoEncodeH265SliceSegmentHeader *std, struct rp_h265_encode_picture *pic)
{
    struct rp_h265_encode_job *job = &pic->job;
    struct rp_h265_slice_header *header = &pic->header;
    const bool has_sao = pic->active.sps->flags.sample_adaptive_offset_enabled_flag;
    job->sao = has_sao && (std->flags.slice_sao_luma_flag || std->flags.slice_sao_chroma_flag);
    job->max_merge_cand = (uint32_t)clamp(std->MaxNumMergeCand, 1, 5);
    resolve_collocated(std, pic);

    header->slice_type = (uint32_t)job->slice_type;
    header->slice_sao_luma_flag = header->slice_sao_chroma_flag = job->sao;
    header->num_ref_idx_active[0] = job->ref_count[0];
    header->num_ref_idx_active[1] = job->ref_count[1];
    header->collocated_from_l0_flag = job->collocated_from_l0;
    header->collocated_ref_idx = job->collocated_ref_idx;
    header->five_minus_max_num_merge_cand = 5 - job->max_merge_cand;
    resolve_deblocking(std, pic);
    pic->common.feedback.has_overrides |=
        has_sao && std->flags.slice_sao_luma_flag != std->flags.slice_sao_chroma_flag;
}

/* Slices of nearly the same height. */
static void
spread(struct rp_h265_encode_picture *pic, uint32_t rows)
{
    for (uint32_t i = 0; i < pic->job.slice_count; i++)
        pic->first_rows[i] = i * rows / pic->job.slice_count;
}

/* Where the application says, from the start of a row each; where it says nothing, they are
 * spread. */
static bool
place(const struct rp_encode_request *request, struct rp_h265_encode_picture *pic)
{
    const StdVideoH265SequenceParameterSet *sps = pic->active.sps;
    const uint32_t columns = (sps->pic_width_in_luma_samples + RP_H265_CTB_PX - 1) / RP_H265_CTB_PX;
    const uint32_t rows = (sps->pic_height_in_luma_samples + RP_H265_CTB_PX - 1) / RP_H265_CTB_PX;
    bool is_said = false;
    if (pic->job.slice_count > rows)
        return false;
    for (uint32_t i = 1; i < pic->job.slice_count; i++)
        is_said |= std_of(request, i)->slice_segment_address != 0;
    if (!is_said) {
        spread(pic, rows);
        return true;
    }
    for (uint32_t i = 0; i < pic->job.slice_count; i++) {
        const uint32_t address = std_of(request, i)->slice_segment_address;
        pic->first_rows[i] = address / columns;
        if (address % columns != 0 || pic->first_rows[i] >= rows ||
            (i == 0 ? address != 0 : pic->first_rows[i] <= pic->first_rows[i - 1]))
            return false;
    }
    return true;
}

enum rp_codec_status
rp_h265_resolve_slices(const struct rp_encode_request *request, struct rp_h265_encode_picture *pic)
{
    const VkVideoEncodeH265PictureInfoKHR *info = rp_h265_picture_info(request);
    const uint32_t count = info->naluSliceSegmentEntryCount;
    if (count > RP_H265_ENCODE_MAX_SLICES)
        return RP_CODEC_UNSUPPORTED;
    pic->job.slice_count = count;
    if (!place(request, pic))
        return RP_CODEC_UNSUPPORTED;
    for (uint32_t i = 1; i < count; i++)
        pic->common.feedback.has_overrides |=
            info->pNaluSliceSegmentEntries[i].constantQp !=
                info->pNaluSliceSegmentEntries[0].constantQp ||
            std_of(request, i)->slice_type != std_of(request, 0)->slice_type;
    resolve_header(std_of(request, 0), pic);
    pic->job.slice_first_rows = pic->first_rows;
    pic->job.slice_size_B = pic->slice_sizes_B;
    pic->job.write_slice_header = rp_h265_write_slice_header;
    pic->job.slice_header_ctx = pic;
    return RP_CODEC_OK;
}

void
rp_h265_write_slice_header(const void *ctx, const struct rp_h265_slice_state *slice,
                           struct rp_bits *bits)
{
    const struct rp_h265_encode_picture *pic = ctx;
    const struct rp_h265_slice_context context = {
        .sps = pic->active.sps,
        .pps = pic->active.pps,
        .num_pic_total_curr = pic->num_pic_total_curr,
    };
    struct rp_h265_slice_header header = pic->header;
    uint32_t all_offsets = 0;
    header.first_slice_segment_in_pic_flag = slice->first_ctb == 0;
    header.slice_segment_address = slice->first_ctb;
    header.slice_qp_delta = slice->slice_qp - 26 - pic->active.pps->init_qp_minus26;
    header.num_entry_point_offsets = slice->entry_count;
    header.entry_point_offset_minus1 = slice->entry_offset_minus1;
    for (uint32_t i = 0; i < slice->entry_count; i++)
        all_offsets |= slice->entry_offset_minus1[i];
    while (all_offsets >> header.offset_len_minus1 > 1)
        header.offset_len_minus1++;

    struct rp_h265_syntax syntax = {.is_writing = true, .writer = *bits};
    rp_h265_code_slice_first_part(&syntax, &context, &header);
    rp_h265_code_slice_second_part(&syntax, &context, &header);
    *bits = syntax.writer;
}

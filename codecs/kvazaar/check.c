/* SPDX-License-Identifier: MIT */
#include "codecs/kvazaar/check.h"

#include "util/compiler.h"

static bool
is_within(int64_t value, int64_t low, int64_t high)
{
    return value >= low && value <= high;
}

static bool
sps_is_supported(const StdVideoH265SequenceParameterSet *sps)
{
    return sps && sps->chroma_format_idc == STD_VIDEO_H265_CHROMA_FORMAT_IDC_420 &&
           sps->bit_depth_luma_minus8 == KVZ_BIT_DEPTH - 8 &&
           sps->bit_depth_chroma_minus8 == KVZ_BIT_DEPTH - 8 &&
           is_within(sps->pic_width_in_luma_samples, RP_H265_ENCODE_MIN_PX,
                     RP_H265_ENCODE_MAX_WIDTH_PX) &&
           is_within(sps->pic_height_in_luma_samples, RP_H265_ENCODE_MIN_PX,
                     RP_H265_ENCODE_MAX_HEIGHT_PX) &&
           sps->pic_width_in_luma_samples % 8 == 0 && sps->pic_height_in_luma_samples % 8 == 0 &&
           sps->log2_min_luma_coding_block_size_minus3 == 0 &&
           sps->log2_diff_max_min_luma_coding_block_size == 3 &&
           sps->log2_min_luma_transform_block_size_minus2 == 0 &&
           sps->log2_diff_max_min_luma_transform_block_size == 3 &&
           sps->max_transform_hierarchy_depth_inter <= 4 &&
           sps->max_transform_hierarchy_depth_intra <= 4 && !sps->flags.scaling_list_enabled_flag &&
           !sps->flags.pcm_enabled_flag && !sps->flags.strong_intra_smoothing_enabled_flag &&
           !sps->flags.sps_range_extension_flag && !sps->flags.sps_scc_extension_flag;
}

static bool
pps_is_supported(const StdVideoH265PictureParameterSet *pps)
{
    return pps && !pps->flags.dependent_slice_segments_enabled_flag &&
           !pps->flags.cabac_init_present_flag && !pps->flags.constrained_intra_pred_flag &&
           (!pps->flags.cu_qp_delta_enabled_flag || pps->diff_cu_qp_delta_depth == 0) &&
           pps->pps_cb_qp_offset == 0 && pps->pps_cr_qp_offset == 0 &&
           !pps->flags.pps_slice_chroma_qp_offsets_present_flag && !pps->flags.weighted_pred_flag &&
           !pps->flags.weighted_bipred_flag && !pps->flags.transquant_bypass_enabled_flag &&
           !pps->flags.tiles_enabled_flag && !pps->flags.pps_scaling_list_data_present_flag &&
           pps->log2_parallel_merge_level_minus2 == 0 && !pps->flags.pps_range_extension_flag &&
           !pps->flags.pps_curr_pic_ref_enabled_flag;
}

static bool
format_is_supported(const struct rp_picture *picture)
{
    return picture->bit_depth == KVZ_BIT_DEPTH && picture->chroma == RP_CHROMA_420 &&
           picture->width_px > 0 && picture->height_px > 0 &&
           (picture->layout == RP_PICTURE_NV12 ||
            (picture->layout == RP_PICTURE_I420 && picture->plane[2].data)) &&
           picture->plane[0].data && picture->plane[1].data;
}

static bool
pictures_are_supported(const struct rp_h265_encode_job *job)
{
    const struct rp_encode_job *common = &job->common;
    return is_within(common->width_px, 1, job->sps->pic_width_in_luma_samples) &&
           is_within(common->height_px, 1, job->sps->pic_height_in_luma_samples) &&
           format_is_supported(&common->src) &&
           (!common->recon.slot || (format_is_supported(&common->recon.pixels) &&
                                    common->recon.pixels.layout == RP_PICTURE_NV12));
}

static bool
slices_are_supported(const struct rp_h265_encode_job *job)
{
    const uint32_t rows =
        (job->sps->pic_height_in_luma_samples + RP_H265_CTB_PX - 1) / RP_H265_CTB_PX;
    if (!is_within(job->slice_count, 1, RP_H265_ENCODE_MAX_SLICES) ||
        job->slice_first_rows[0] != 0 || job->slice_first_rows[job->slice_count - 1] >= rows)
        return false;
    for (uint32_t i = 1; i < job->slice_count; i++) {
        if (job->slice_first_rows[i] <= job->slice_first_rows[i - 1])
            return false;
    }
    return true;
}

/* How many pictures the lists hold, each counted once; 0 when one of them cannot be referred to. */
static uint32_t
picture_count(const struct rp_h265_encode_job *job)
{
    const struct rp_encoder_slot *slots[2 * RP_H265_ENCODE_MAX_REFS];
    uint32_t count = 0;
    for (uint32_t list = 0; list < 2; list++) {
        for (uint32_t i = 0; i < job->ref_count[list]; i++) {
            const struct rp_dpb_picture *picture = &job->refs[list][i].picture;
            uint32_t k = 0;
            if (!picture->slot || picture->slot == job->common.recon.slot ||
                !format_is_supported(&picture->pixels))
                return 0;
            while (k < count && slots[k] != picture->slot)
                k++;
            slots[k] = picture->slot;
            count = RP_MAX(count, k + 1);
        }
    }
    return count;
}

static bool
references_are_supported(const struct rp_h265_encode_job *job)
{
    const bool is_b = job->slice_type == STD_VIDEO_H265_SLICE_TYPE_B;
    if (job->slice_type == STD_VIDEO_H265_SLICE_TYPE_I)
        return job->ref_count[0] == 0 && job->ref_count[1] == 0;
    return is_within(job->ref_count[0], 1, RP_H265_ENCODE_MAX_REFS) &&
           is_within(job->ref_count[1], is_b, is_b ? RP_H265_ENCODE_MAX_REFS : 0) &&
           is_within(picture_count(job), 1, RP_H265_ENCODE_MAX_REFS) &&
           is_within(job->max_merge_cand, 1, 5) &&
           (!job->temporal_mvp ||
            ((is_b || job->collocated_from_l0) &&
             job->collocated_ref_idx < job->ref_count[!job->collocated_from_l0]));
}

bool
rp_kvazaar_job_is_supported(const struct rp_h265_encode_job *job)
{
    return sps_is_supported(job->sps) && pps_is_supported(job->pps) &&
           is_within(job->slice_type, STD_VIDEO_H265_SLICE_TYPE_B, STD_VIDEO_H265_SLICE_TYPE_I) &&
           is_within(job->nal_unit_type, 0, 31) && is_within(job->temporal_id, 0, 6) &&
           (job->common.rate || is_within(job->qp, 0, RP_H265_MAX_QP)) &&
           is_within(job->beta_offset_div2, -6, 6) && is_within(job->tc_offset_div2, -6, 6) &&
           (!job->sao || job->sps->flags.sample_adaptive_offset_enabled_flag) &&
           pictures_are_supported(job) && slices_are_supported(job) &&
           references_are_supported(job) && (!job->common.intra_clean || !job->temporal_mvp) &&
           ((!job->common.qp_delta && !job->common.emphasis) ||
            job->pps->flags.cu_qp_delta_enabled_flag) &&
           job->write_slice_header && (job->common.dst || job->common.dst_capacity_B == 0);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Refuses jobs that would read or write out of bounds, divide by zero or code something else
 * than the headers say.
 */
#include "check.h"

#include "context.h"

#include "util/compiler.h"

#define MAX_EXTENT_PX 16384

static bool
is_within(int32_t value, int32_t low, int32_t high)
{
    return value >= low && value <= high;
}

static bool
source_is_supported(const struct rp_h264_encode_job *job)
{
    const struct rp_picture *src = &job->common.src;
    const uint32_t luma_px = RP_MIN(job->common.width_px, src->width_px);

    if (job->common.width_px == 0 || job->common.height_px == 0 ||
        job->common.width_px > MAX_EXTENT_PX || job->common.height_px > MAX_EXTENT_PX ||
        ((job->common.width_px | job->common.height_px) & 1))
        return false;
    if (((src->width_px + 1) & ~1u) < job->common.width_px ||
        ((src->height_px + 1) & ~1u) < job->common.height_px)
        return false;
    if (!rp_picture_is_8_bit_420(src) || !src->plane[0].data || !src->plane[1].data)
        return false;
    if (src->layout == RP_PICTURE_NV12)
        return src->plane[1].stride_B >= job->common.width_px && src->plane[0].stride_B >= luma_px;
    return src->layout == RP_PICTURE_I420 && src->plane[2].data &&
           src->plane[0].stride_B >= luma_px &&
           src->plane[1].stride_B >= job->common.width_px / 2 &&
           src->plane[2].stride_B >= job->common.width_px / 2;
}

static bool
parameter_sets_are_supported(const StdVideoH264SequenceParameterSet *sps,
                             const StdVideoH264PictureParameterSet *pps)
{
    return sps && pps && sps->chroma_format_idc == STD_VIDEO_H264_CHROMA_FORMAT_IDC_420 &&
           sps->bit_depth_luma_minus8 == 0 && sps->bit_depth_chroma_minus8 == 0 &&
           sps->flags.frame_mbs_only_flag && !sps->flags.qpprime_y_zero_transform_bypass_flag &&
           !sps->flags.seq_scaling_matrix_present_flag &&
           !pps->flags.pic_scaling_matrix_present_flag &&
           is_within(sps->level_idc, STD_VIDEO_H264_LEVEL_IDC_1_0, STD_VIDEO_H264_LEVEL_IDC_6_2) &&
           is_within(pps->chroma_qp_index_offset, -12, 12) &&
           (!pps->flags.transform_8x8_mode_flag ||
            pps->second_chroma_qp_index_offset == pps->chroma_qp_index_offset) &&
           is_within(pps->weighted_bipred_idc, 0, 2);
}

static bool
picture_is_supported(const struct rp_dpb_picture *picture)
{
    const struct rp_picture *pixels = &picture->pixels;

    if (!picture->slot || !rp_picture_is_8_bit_420(pixels))
        return false;
    return pixels->layout == RP_PICTURE_NV12 && pixels->plane[0].data && pixels->plane[1].data &&
           pixels->width_px >= 2 && pixels->height_px >= 2;
}

static bool
references_are_supported(const struct rp_h264_encode_job *job)
{
    const uint32_t least0 = job->slice_type != RP_H264_SLICE_I;
    const uint32_t least1 = job->slice_type == RP_H264_SLICE_B;
    const uint32_t most0 = job->slice_type != RP_H264_SLICE_I ? RP_H264_MAX_REFS : 0;
    const uint32_t most1 = job->slice_type == RP_H264_SLICE_B ? RP_H264_MAX_L1_REFS : 0;

    if (job->ref_count[0] < least0 || job->ref_count[0] > most0 || job->ref_count[1] < least1 ||
        job->ref_count[1] > most1)
        return false;
    for (uint32_t list = 0; list < 2; list++) {
        for (uint32_t i = 0; i < job->ref_count[list]; i++) {
            const struct rp_dpb_picture *picture = &job->refs[list][i].picture;
            if (!picture_is_supported(picture) || picture->slot == job->common.recon.slot)
                return false;
        }
    }
    return true;
}

/* Weights of P pictures; B pictures have none but the implicit ones. */
static bool
weights_are_supported(const struct rp_h264_encode_job *job)
{
    const struct rp_h264_weights *weights = job->weights;
    return !weights || (job->slice_type == RP_H264_SLICE_P && job->pps->flags.weighted_pred_flag &&
                        weights->log2_denom[0] <= 7 && weights->log2_denom[1] <= 7);
}

static bool
slice_is_supported(const struct rp_h264_encode_job *job, const struct rp_h264_slice *slice)
{
    const bool has_type = slice->type == RP_H264_SLICE_I || slice->type == job->slice_type ||
                          (slice->type == RP_H264_SLICE_P && job->slice_type == RP_H264_SLICE_B);

    return has_type && is_within(slice->qp, job->common.rate ? -1 : 0, 51) &&
           slice->cabac_init_idc <= 2 && slice->disable_deblocking_filter_idc <= 2 &&
           is_within(slice->alpha_c0_offset_div2, -6, 6) &&
           is_within(slice->beta_offset_div2, -6, 6);
}

static bool
slices_are_supported(const struct rp_h264_encode_job *job)
{
    const uint32_t mb_count =
        ((job->common.width_px + 15) / 16) * ((job->common.height_px + 15) / 16);

    if (job->slice_count == 0 || !job->slices)
        return false;
    uint32_t next_mb = 0;
    for (uint32_t i = 0; i < job->slice_count; i++) {
        const struct rp_h264_slice *slice = &job->slices[i];
        if (slice->first_mb != next_mb || slice->mb_count == 0 ||
            slice->mb_count > mb_count - next_mb || !slice_is_supported(job, slice))
            return false;
        next_mb += slice->mb_count;
    }
    return next_mb == mb_count;
}

bool
rp_x264_job_is_supported(const struct rp_h264_encode_job *job)
{
    return source_is_supported(job) && parameter_sets_are_supported(job->sps, job->pps) &&
           job->slice_type <= RP_H264_SLICE_I &&
           (!job->is_idr || job->slice_type == RP_H264_SLICE_I) && job->nal_ref_idc <= 3 &&
           slices_are_supported(job) && weights_are_supported(job) &&
           (!job->common.recon.slot || picture_is_supported(&job->common.recon)) &&
           references_are_supported(job) && job->common.temporal_layer < RP_RATE_LAYERS &&
           job->write_slice_header && (job->common.dst || job->common.dst_capacity_B == 0);
}

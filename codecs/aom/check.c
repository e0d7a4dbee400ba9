/* SPDX-License-Identifier: MIT */
#include "codecs/aom/check.h"

#include "codecs/aom/tiles.h"

#include "util/compiler.h"

static bool
is_within(int32_t value, int32_t low, int32_t high)
{
    return value >= low && value <= high;
}

static bool
format_is_supported(const struct rp_picture *picture, uint32_t bit_depth)
{
    return picture->bit_depth == bit_depth && picture->chroma == RP_CHROMA_420 &&
           (picture->layout == RP_PICTURE_NV12 ||
            (picture->layout == RP_PICTURE_I420 && bit_depth == 8 && picture->plane[2].data)) &&
           picture->plane[0].data && picture->plane[1].data;
}

static bool
sequence_is_supported(const StdVideoAV1SequenceHeader *seq)
{
    const StdVideoAV1ColorConfig *color = seq ? seq->pColorConfig : NULL;
    return color && (color->BitDepth == 8 || color->BitDepth == 10) && color->subsampling_x == 1 &&
           color->subsampling_y == 1 && !color->flags.mono_chrome &&
           !seq->flags.use_128x128_superblock && !seq->flags.still_picture &&
           !seq->flags.reduced_still_picture_header && !seq->flags.enable_interintra_compound &&
           !seq->flags.enable_dual_filter && !seq->flags.enable_jnt_comp &&
           !seq->flags.film_grain_params_present &&
           (!seq->flags.enable_order_hint || seq->order_hint_bits_minus_1 <= 7);
}

static bool
pictures_are_supported(const struct rp_av1_encode_job *job)
{
    const struct rp_encode_job *common = &job->common;
    const uint32_t bit_depth = job->sequence->pColorConfig->BitDepth;

    if (!is_within((int32_t)common->width_px, RP_AV1_ENCODE_MIN_PX, RP_AV1_ENCODE_MAX_WIDTH_PX) ||
        !is_within((int32_t)common->height_px, RP_AV1_ENCODE_MIN_PX, RP_AV1_ENCODE_MAX_HEIGHT_PX))
        return false;
    if (!format_is_supported(&common->src, bit_depth) ||
        ((common->src.width_px + 1) & ~1u) < common->width_px ||
        ((common->src.height_px + 1) & ~1u) < common->height_px)
        return false;
    const struct rp_picture *recon = &common->recon.pixels;
    return !common->recon.slot ||
           (format_is_supported(recon, bit_depth) && recon->layout == RP_PICTURE_NV12 &&
            recon->width_px >= common->width_px && recon->height_px >= common->height_px);
}

static bool
parameters_are_supported(const StdVideoEncodeAV1PictureInfo *std)
{
    const StdVideoAV1LoopFilter *filter = std->pLoopFilter;
    const StdVideoAV1CDEF *cdef = std->pCDEF;
    const StdVideoAV1Quantization *quantization = std->pQuantization;

    for (uint32_t i = 0; filter && i < 4; i++) {
        if (filter->loop_filter_level[i] > 63)
            return false;
    }
    for (uint32_t i = 0; filter && i < STD_VIDEO_AV1_TOTAL_REFS_PER_FRAME; i++) {
        if (!is_within(filter->loop_filter_ref_deltas[i], -64, 63))
            return false;
    }
    for (uint32_t i = 0; filter && i < STD_VIDEO_AV1_LOOP_FILTER_ADJUSTMENTS; i++) {
        if (!is_within(filter->loop_filter_mode_deltas[i], -64, 63))
            return false;
    }
    if (cdef && (cdef->cdef_bits > 3 || cdef->cdef_damping_minus_3 > 3))
        return false;
    for (uint32_t i = 0; cdef && i < 1u << cdef->cdef_bits; i++) {
        if (cdef->cdef_y_pri_strength[i] > 15 || cdef->cdef_uv_pri_strength[i] > 15 ||
            cdef->cdef_y_sec_strength[i] > 3 || cdef->cdef_uv_sec_strength[i] > 3)
            return false;
    }
    return (!filter || filter->loop_filter_sharpness <= 7) &&
           (!quantization || (is_within(quantization->DeltaQYDc, -64, 63) &&
                              is_within(quantization->DeltaQUDc, -64, 63) &&
                              is_within(quantization->DeltaQUAc, -64, 63) &&
                              is_within(quantization->DeltaQVDc, -64, 63) &&
                              is_within(quantization->DeltaQVAc, -64, 63))) &&
           is_within((int32_t)std->interpolation_filter, 0,
                     STD_VIDEO_AV1_INTERPOLATION_FILTER_SWITCHABLE) &&
           (std->flags.is_filter_switchable ||
            std->interpolation_filter != STD_VIDEO_AV1_INTERPOLATION_FILTER_SWITCHABLE);
}

static bool
predicts(const struct rp_av1_encode_job *job, uint32_t name)
{
    return job->refs[name].picture.slot &&
           !(job->primary_is_cdf_only && job->picture->primary_ref_frame == name);
}

static bool
references_are_supported(const struct rp_av1_encode_job *job)
{
    const StdVideoEncodeAV1PictureInfo *std = job->picture;
    const bool is_switch = std->frame_type == STD_VIDEO_AV1_FRAME_TYPE_SWITCH;
    if (std->frame_type == STD_VIDEO_AV1_FRAME_TYPE_KEY ||
        std->frame_type == STD_VIDEO_AV1_FRAME_TYPE_INTRA_ONLY)
        return true;
    for (uint32_t i = 0; i < RP_AV1_NAMES; i++) {
        if (std->ref_frame_idx[i] < 0 ||
            std->ref_frame_idx[i] >= (int8_t)STD_VIDEO_AV1_NUM_REF_FRAMES)
            return false;
    }
    /* One number stands for one picture. */
    for (uint32_t i = 0; i < RP_AV1_NAMES; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (std->ref_frame_idx[i] == std->ref_frame_idx[k] && job->refs[i].picture.slot &&
                job->refs[k].picture.slot && job->refs[i].picture.slot != job->refs[k].picture.slot)
                return false;
        }
    }
    if (!is_switch && !std->flags.error_resilient_mode &&
        std->primary_ref_frame != STD_VIDEO_AV1_PRIMARY_REF_NONE &&
        (std->primary_ref_frame >= RP_AV1_NAMES || !job->refs[std->primary_ref_frame].picture.slot))
        return false;
    return predicts(job, 0) || predicts(job, 3) || predicts(job, 6);
}

bool
rp_aom_job_is_supported(const struct rp_av1_encode_job *job)
{
    struct rp_aom_tiles tiles;
    return sequence_is_supported(job->sequence) && job->picture &&
           is_within((int32_t)job->picture->frame_type, STD_VIDEO_AV1_FRAME_TYPE_KEY,
                     STD_VIDEO_AV1_FRAME_TYPE_SWITCH) &&
           pictures_are_supported(job) && parameters_are_supported(job->picture) &&
           references_are_supported(job) &&
           rp_aom_tiles_init(&tiles, job->common.width_px, job->common.height_px,
                             job->picture->pTileInfo) &&
           is_within(job->q_index, job->common.rate ? -1 : 0, RP_AV1_MAX_Q_INDEX) &&
           !job->common.emphasis && !job->common.force_intra == !job->common.intra_clean &&
           job->common.temporal_layer < RP_RATE_LAYERS && job->write_headers &&
           (job->common.dst || job->common.dst_capacity_B == 0);
}

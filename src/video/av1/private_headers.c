/* SPDX-License-Identifier: MIT */
/* Field by field. What applications are known to fill in differently, or wrongly, is told here.
 */
#include "video/av1/private_headers.h"

#include "util/compiler.h"
#include "video/av1/std_structures.h"

#define MAX_LEVEL_IDX 31  /* the maximum parameters level */
#define MAX_CODED_DENOM 7 /* three bits */

void
rp_av1_private_sequence(const StdVideoAV1SequenceHeader *std, struct rp_av1_sequence *out)
{
    *out = (struct rp_av1_sequence){
        .seq_profile = (uint32_t)std->seq_profile,
        .operating_points = {{.seq_level_idx = MAX_LEVEL_IDX}},
        .frame_width_bits_minus_1 = 15,
        .frame_height_bits_minus_1 = 15,
        .max_frame_width_minus_1 = RP_AV1_MAX_SIZE_PX - 1,
        .max_frame_height_minus_1 = RP_AV1_MAX_SIZE_PX - 1,
        .use_128x128_superblock = std->flags.use_128x128_superblock,
        .enable_filter_intra = std->flags.enable_filter_intra,
        .enable_intra_edge_filter = std->flags.enable_intra_edge_filter,
        .enable_interintra_compound = std->flags.enable_interintra_compound,
        .enable_masked_compound = std->flags.enable_masked_compound,
        .enable_warped_motion = std->flags.enable_warped_motion,
        .enable_dual_filter = std->flags.enable_dual_filter,
        .enable_order_hint = std->flags.enable_order_hint,
        .enable_jnt_comp = std->flags.enable_jnt_comp,
        .enable_ref_frame_mvs = std->flags.enable_ref_frame_mvs,
        .seq_force_screen_content_tools = RP_AV1_SELECT_SCREEN_CONTENT_TOOLS,
        .seq_force_integer_mv = RP_AV1_SELECT_INTEGER_MV,
        .order_hint_bits = std->flags.enable_order_hint ? std->order_hint_bits_minus_1 + 1u : 0,
        .enable_superres = std->flags.enable_superres,
        .enable_cdef = std->flags.enable_cdef,
        .enable_restoration = std->flags.enable_restoration,
        .color = rp_av1_color_from_std(std->pColorConfig),
        .film_grain_params_present = std->flags.film_grain_params_present,
    };
}

/* With super-resolution the coded extent is that after it (FFmpeg) or before it (GStreamer); a
 * frame that does not override the sequence's width has that one after it. False for a denominator
 * that no header can say. */
static bool
size_init(const StdVideoDecodeAV1PictureInfo *std, const StdVideoAV1SequenceHeader *std_sequence,
          const struct rp_av1_sequence *seq, uint32_t width_px, uint32_t height_px,
          struct rp_av1_frame_size *size)
{
    size->upscaled_width = width_px;
    size->frame_height = height_px;
    size->use_superres = seq->enable_superres && std->flags.use_superres;
    size->coded_denom = std->coded_denom;
    if (size->use_superres && !std->flags.frame_size_override_flag)
        size->upscaled_width = std_sequence->max_frame_width_minus_1 + 1u;
    size->frame_width = size->upscaled_width;
    if (size->use_superres) {
        if (size->coded_denom > MAX_CODED_DENOM)
            return false;
        const uint32_t denom = size->coded_denom + 9; /* SUPERRES_DENOM_MIN */
        size->frame_width = (size->upscaled_width * 8 + denom / 2) / denom;
    }
    return true;
}

/* All deltas are sent: which ones have changed, applications do not always say. */
static void
loop_filter_init(const StdVideoAV1LoopFilter *std, struct rp_av1_loop_filter *filter)
{
    for (uint32_t i = 0; i < 4; i++)
        filter->level[i] = std->loop_filter_level[i];
    filter->sharpness = std->loop_filter_sharpness;
    filter->delta_enabled = std->flags.loop_filter_delta_enabled;
    filter->delta_update = true;
    for (uint32_t i = 0; i < 8; i++) {
        filter->update_ref_delta[i] = true;
        filter->deltas.ref[i] = std->loop_filter_ref_deltas[i];
    }
    for (uint32_t i = 0; i < 2; i++) {
        filter->update_mode_delta[i] = true;
        filter->deltas.mode[i] = std->loop_filter_mode_deltas[i];
    }
}

/* LoopRestorationSize is the log2 of the size less 5. Of chroma it is the second one that counts:
 * the first one is wrong in the samples of Vulkan Video. */
static void
restoration_init(const StdVideoAV1LoopRestoration *std, struct rp_av1_loop_restoration *restoration)
{
    /* By StdVideoAV1FrameRestorationType: none, Wiener, self-guided, switchable. */
    static const uint8_t lr_type[] = {0, 2, 3, 1};
    for (uint32_t i = 0; i < RP_AV1_MAX_PLANES; i++)
        restoration->type[i] = lr_type[(uint32_t)std->FrameRestorationType[i] & 3];
    restoration->unit_shift = std->LoopRestorationSize[0] - 1u;
    restoration->uv_shift = std->LoopRestorationSize[0] != std->LoopRestorationSize[2];
}

static void
motion_init(const StdVideoAV1GlobalMotion *std, struct rp_av1_global_motion *motion)
{
    rp_av1_motion_params_init(&motion->params);
    for (uint32_t i = 1; i < 8 && std; i++) {
        motion->type[i] = (enum rp_av1_motion_type)(std->GmType[i] & 3);
        for (uint32_t k = 0; k < 6; k++)
            motion->params.gm_params[i][k] = std->gm_params[i][k];
    }
}

static void
points_init(uint32_t count, const uint8_t *values, const uint8_t *scalings,
            struct rp_av1_grain_point *points)
{
    for (uint32_t i = 0; i < count; i++)
        points[i] = (struct rp_av1_grain_point){values[i], scalings[i]};
}

static void
coefficients_init(uint32_t count, const int8_t *std, uint32_t *out)
{
    for (uint32_t i = 0; i < count; i++)
        out[i] = (uint8_t)std[i];
}

static void
grain_init(const StdVideoAV1FilmGrain *std, struct rp_av1_film_grain *grain)
{
    grain->apply_grain = grain->update_grain = true;
    grain->grain_seed = std->grain_seed;
    grain->model = (struct rp_av1_grain_model){
        .num_y_points = std->num_y_points,
        .chroma_scaling_from_luma = std->flags.chroma_scaling_from_luma,
        .num_cb_points = std->num_cb_points,
        .num_cr_points = std->num_cr_points,
        .grain_scaling_minus_8 = std->grain_scaling_minus_8,
        .ar_coeff_lag = std->ar_coeff_lag,
        .ar_coeff_shift_minus_6 = std->ar_coeff_shift_minus_6,
        .grain_scale_shift = std->grain_scale_shift,
        .cb_mult = std->cb_mult,
        .cb_luma_mult = std->cb_luma_mult,
        .cb_offset = std->cb_offset,
        .cr_mult = std->cr_mult,
        .cr_luma_mult = std->cr_luma_mult,
        .cr_offset = std->cr_offset,
        .overlap_flag = std->flags.overlap_flag,
        .clip_to_restricted_range = std->flags.clip_to_restricted_range,
    };
    struct rp_av1_grain_model *model = &grain->model;
    points_init(RP_AV1_MAX_Y_POINTS, std->point_y_value, std->point_y_scaling, model->point_y);
    points_init(RP_AV1_MAX_UV_POINTS, std->point_cb_value, std->point_cb_scaling, model->point_cb);
    points_init(RP_AV1_MAX_UV_POINTS, std->point_cr_value, std->point_cr_scaling, model->point_cr);
    coefficients_init(24, std->ar_coeffs_y_plus_128, model->ar_coeffs_y_plus_128);
    coefficients_init(25, std->ar_coeffs_cb_plus_128, model->ar_coeffs_cb_plus_128);
    coefficients_init(25, std->ar_coeffs_cr_plus_128, model->ar_coeffs_cr_plus_128);
}

/* What is written with the structures that std points to. */
static bool
parts_init(const StdVideoDecodeAV1PictureInfo *std, const struct rp_av1_sequence *seq,
           struct rp_av1_frame *out)
{
    if (!rp_av1_tiles_from_std(std->pTileInfo, seq, &out->size, &out->tiles) || !std->pQuantization)
        return false;
    out->quantization = rp_av1_quantization_from_std(std->pQuantization);
    out->segmentation = (struct rp_av1_segmentation){
        .segmentation_enabled = std->flags.segmentation_enabled,
        .segmentation_update_map = std->flags.segmentation_update_map,
        .segmentation_temporal_update = std->flags.segmentation_temporal_update,
        .segmentation_update_data = std->flags.segmentation_update_data,
    };
    if (std->pSegmentation)
        rp_av1_segments_from_std(std->pSegmentation, &out->segmentation.data);
    out->block_deltas = (struct rp_av1_block_deltas){
        .delta_q_present = std->flags.delta_q_present,
        .delta_q_res = std->delta_q_res,
        .delta_lf_present = std->flags.delta_lf_present,
        .delta_lf_res = std->delta_lf_res,
        .delta_lf_multi = std->flags.delta_lf_multi,
    };
    if (std->pLoopFilter)
        loop_filter_init(std->pLoopFilter, &out->loop_filter);
    if (std->pCDEF)
        rp_av1_cdef_from_std(std->pCDEF, &out->cdef);
    if (std->flags.UsesLr && std->pLoopRestoration)
        restoration_init(std->pLoopRestoration, &out->loop_restoration);
    motion_init(std->pGlobalMotion, &out->global_motion);
    if (std->flags.apply_grain && std->pFilmGrain)
        grain_init(std->pFilmGrain, &out->film_grain);
    return true;
}

bool
rp_av1_private_frame(const StdVideoDecodeAV1PictureInfo *std,
                     const StdVideoAV1SequenceHeader *std_sequence,
                     const struct rp_av1_sequence *seq, uint32_t width_px, uint32_t height_px,
                     struct rp_av1_frame *out)
{
    const bool is_intra = std->frame_type == STD_VIDEO_AV1_FRAME_TYPE_KEY ||
                          std->frame_type == STD_VIDEO_AV1_FRAME_TYPE_INTRA_ONLY;
    const bool is_switch = std->frame_type == STD_VIDEO_AV1_FRAME_TYPE_SWITCH;
    *out = (struct rp_av1_frame){
        .frame_type = is_intra ? RP_AV1_INTRA_ONLY_FRAME : RP_AV1_INTER_FRAME,
        .show_frame = true,
        .error_resilient_mode = !is_intra && (std->flags.error_resilient_mode || is_switch),
        .disable_cdf_update = std->flags.disable_cdf_update,
        .allow_screen_content_tools = std->flags.allow_screen_content_tools,
        .force_integer_mv = std->flags.force_integer_mv,
        .frame_size_override_flag = true,
        .order_hint = std->OrderHint,
        .primary_ref_frame = std->primary_ref_frame,
        .allow_intrabc = std->flags.allow_intrabc,
        .allow_high_precision_mv = std->flags.allow_high_precision_mv,
        .interpolation_filter = std->flags.is_filter_switchable
                                    ? RP_AV1_SWITCHABLE
                                    : (uint32_t)std->interpolation_filter,
        .is_motion_mode_switchable = std->flags.is_motion_mode_switchable,
        .use_ref_frame_mvs = std->flags.use_ref_frame_mvs,
        .disable_frame_end_update_cdf = std->flags.disable_frame_end_update_cdf,
        .tx_mode_select = std->TxMode == STD_VIDEO_AV1_TX_MODE_SELECT,
        .reference_select = std->flags.reference_select,
        .skip_mode_present = std->flags.skip_mode_present,
        .allow_warped_motion = std->flags.allow_warped_motion,
        .reduced_tx_set = std->flags.reduced_tx_set,
    };
    if (width_px == 0 || height_px == 0 || width_px > RP_AV1_MAX_SIZE_PX ||
        height_px > RP_AV1_MAX_SIZE_PX)
        return false;
    return size_init(std, std_sequence, seq, width_px, height_px, &out->size) &&
           parts_init(std, seq, out);
}

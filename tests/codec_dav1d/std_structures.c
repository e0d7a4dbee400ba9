/* SPDX-License-Identifier: MIT */
/* Field by field.
 */
#include "std_structures.h"

static void
sequence_init(struct std_structures *std, const struct rp_av1_sequence *seq)
{
    std->color = (StdVideoAV1ColorConfig){
        .flags = {.mono_chrome = seq->color.mono_chrome,
                  .color_range = seq->color.color_range,
                  .separate_uv_delta_q = seq->color.separate_uv_delta_q,
                  .color_description_present_flag = seq->color.color_description_present_flag},
        .BitDepth = (uint8_t)seq->color.bit_depth,
        .subsampling_x = seq->color.subsampling_x,
        .subsampling_y = seq->color.subsampling_y,
        .color_primaries = (StdVideoAV1ColorPrimaries)seq->color.color_primaries,
        .transfer_characteristics =
            (StdVideoAV1TransferCharacteristics)seq->color.transfer_characteristics,
        .matrix_coefficients = (StdVideoAV1MatrixCoefficients)seq->color.matrix_coefficients,
        .chroma_sample_position =
            (StdVideoAV1ChromaSamplePosition)seq->color.chroma_sample_position,
    };
    std->sequence = (StdVideoAV1SequenceHeader){
        .flags = {.still_picture = seq->still_picture,
                  .reduced_still_picture_header = seq->reduced_still_picture_header,
                  .use_128x128_superblock = seq->use_128x128_superblock,
                  .enable_filter_intra = seq->enable_filter_intra,
                  .enable_intra_edge_filter = seq->enable_intra_edge_filter,
                  .enable_interintra_compound = seq->enable_interintra_compound,
                  .enable_masked_compound = seq->enable_masked_compound,
                  .enable_warped_motion = seq->enable_warped_motion,
                  .enable_dual_filter = seq->enable_dual_filter,
                  .enable_order_hint = seq->enable_order_hint,
                  .enable_jnt_comp = seq->enable_jnt_comp,
                  .enable_ref_frame_mvs = seq->enable_ref_frame_mvs,
                  .frame_id_numbers_present_flag = seq->frame_id_numbers_present_flag,
                  .enable_superres = seq->enable_superres,
                  .enable_cdef = seq->enable_cdef,
                  .enable_restoration = seq->enable_restoration,
                  .film_grain_params_present = seq->film_grain_params_present},
        .seq_profile = (StdVideoAV1Profile)seq->seq_profile,
        .frame_width_bits_minus_1 = (uint8_t)seq->frame_width_bits_minus_1,
        .frame_height_bits_minus_1 = (uint8_t)seq->frame_height_bits_minus_1,
        .max_frame_width_minus_1 = (uint16_t)seq->max_frame_width_minus_1,
        .max_frame_height_minus_1 = (uint16_t)seq->max_frame_height_minus_1,
        .order_hint_bits_minus_1 = seq->order_hint_bits ? (uint8_t)(seq->order_hint_bits - 1) : 0,
        .seq_force_integer_mv = (uint8_t)seq->seq_force_integer_mv,
        .seq_force_screen_content_tools = (uint8_t)seq->seq_force_screen_content_tools,
        .pColorConfig = &std->color,
    };
}

static void
tiles_init(struct std_structures *std, const struct rp_av1_tile_info *tiles)
{
    static const uint16_t wrong[RP_AV1_MAX_TILE_COLS + 1];
    for (uint32_t i = 0; i < tiles->tile_cols; i++)
        std->widths_minus_1[i] = (uint16_t)tiles->width_in_sbs_minus_1[i];
    for (uint32_t i = 0; i < tiles->tile_rows; i++)
        std->heights_minus_1[i] = (uint16_t)tiles->height_in_sbs_minus_1[i];
    std->tiles = (StdVideoAV1TileInfo){
        .flags = {.uniform_tile_spacing_flag = tiles->uniform_tile_spacing_flag},
        .TileCols = (uint8_t)tiles->tile_cols,
        .TileRows = (uint8_t)tiles->tile_rows,
        .context_update_tile_id = (uint16_t)tiles->context_update_tile_id,
        .tile_size_bytes_minus_1 = (uint8_t)tiles->tile_size_bytes_minus_1,
        .pMiColStarts = wrong,
        .pMiRowStarts = wrong,
        .pWidthInSbsMinus1 = std->widths_minus_1,
        .pHeightInSbsMinus1 = std->heights_minus_1,
    };
}

static void
quantizers_init(struct std_structures *std, const struct rp_av1_frame *frame)
{
    const struct rp_av1_quantization *q = &frame->quantization;
    std->quantization = (StdVideoAV1Quantization){
        .flags = {.using_qmatrix = q->using_qmatrix, .diff_uv_delta = q->diff_uv_delta},
        .base_q_idx = (uint8_t)q->base_q_idx,
        .DeltaQYDc = (int8_t)q->y_dc.value,
        .DeltaQUDc = (int8_t)q->u_dc.value,
        .DeltaQUAc = (int8_t)q->u_ac.value,
        .DeltaQVDc = (int8_t)q->v_dc.value,
        .DeltaQVAc = (int8_t)q->v_ac.value,
        .qm_y = (uint8_t)q->qm_y,
        .qm_u = (uint8_t)q->qm_u,
        .qm_v = (uint8_t)q->qm_v,
    };
    std->segmentation = (StdVideoAV1Segmentation){.FeatureEnabled = {0}};
    for (uint32_t i = 0; i < RP_AV1_MAX_SEGMENTS; i++) {
        for (uint32_t j = 0; j < RP_AV1_SEG_LVL_MAX; j++) {
            std->segmentation.FeatureEnabled[i] |=
                (uint8_t)(frame->segmentation.data.feature_enabled[i][j] << j);
            std->segmentation.FeatureData[i][j] =
                (int16_t)frame->segmentation.data.feature_value[i][j];
        }
    }
}

/* update_ref_delta and update_mode_delta stay 0. */
static void
filters_init(struct std_structures *std, const struct rp_av1_frame *frame)
{
    static const StdVideoAV1FrameRestorationType types[] = {
        STD_VIDEO_AV1_FRAME_RESTORATION_TYPE_NONE, STD_VIDEO_AV1_FRAME_RESTORATION_TYPE_SWITCHABLE,
        STD_VIDEO_AV1_FRAME_RESTORATION_TYPE_WIENER, STD_VIDEO_AV1_FRAME_RESTORATION_TYPE_SGRPROJ};
    const struct rp_av1_loop_filter *filter = &frame->loop_filter;
    std->loop_filter = (StdVideoAV1LoopFilter){
        .flags = {.loop_filter_delta_enabled = filter->delta_enabled,
                  .loop_filter_delta_update = filter->delta_update},
        .loop_filter_sharpness = (uint8_t)filter->sharpness,
    };
    for (uint32_t i = 0; i < 4; i++)
        std->loop_filter.loop_filter_level[i] = (uint8_t)filter->level[i];
    for (uint32_t i = 0; i < 8; i++)
        std->loop_filter.loop_filter_ref_deltas[i] = (int8_t)filter->deltas.ref[i];
    for (uint32_t i = 0; i < 2; i++)
        std->loop_filter.loop_filter_mode_deltas[i] = (int8_t)filter->deltas.mode[i];
    std->cdef = (StdVideoAV1CDEF){.cdef_damping_minus_3 = (uint8_t)frame->cdef.damping_minus_3,
                                  .cdef_bits = (uint8_t)frame->cdef.bits};
    for (uint32_t i = 0; i < RP_AV1_MAX_CDEF_STRENGTHS; i++) {
        std->cdef.cdef_y_pri_strength[i] = (uint8_t)frame->cdef.y_pri_strength[i];
        std->cdef.cdef_y_sec_strength[i] = (uint8_t)frame->cdef.y_sec_strength[i];
        std->cdef.cdef_uv_pri_strength[i] = (uint8_t)frame->cdef.uv_pri_strength[i];
        std->cdef.cdef_uv_sec_strength[i] = (uint8_t)frame->cdef.uv_sec_strength[i];
    }
    const struct rp_av1_loop_restoration *lr = &frame->loop_restoration;
    for (uint32_t i = 0; i < RP_AV1_MAX_PLANES; i++) {
        std->restoration.FrameRestorationType[i] = types[lr->type[i]];
        std->restoration.LoopRestorationSize[i] =
            (uint16_t)(1 + lr->unit_shift - (i > 0 ? lr->uv_shift : 0));
    }
}

static void
motion_init(struct std_structures *std, const struct rp_av1_global_motion *motion)
{
    for (uint32_t i = 0; i < 8; i++) {
        std->motion.GmType[i] = (uint8_t)motion->type[i];
        for (uint32_t k = 0; k < 6; k++)
            std->motion.gm_params[i][k] = motion->params.gm_params[i][k];
    }
}

static void
points_init(uint32_t count, const struct rp_av1_grain_point *points, uint8_t *values,
            uint8_t *scalings)
{
    for (uint32_t i = 0; i < count; i++) {
        values[i] = (uint8_t)points[i].value;
        scalings[i] = (uint8_t)points[i].scaling;
    }
}

static void
grain_init(StdVideoAV1FilmGrain *std, const struct rp_av1_film_grain *grain)
{
    const struct rp_av1_grain_model *model = &grain->model;
    *std = (StdVideoAV1FilmGrain){
        .flags = {.chroma_scaling_from_luma = model->chroma_scaling_from_luma,
                  .overlap_flag = model->overlap_flag,
                  .clip_to_restricted_range = model->clip_to_restricted_range,
                  .update_grain = grain->update_grain},
        .grain_scaling_minus_8 = (uint8_t)model->grain_scaling_minus_8,
        .ar_coeff_lag = (uint8_t)model->ar_coeff_lag,
        .ar_coeff_shift_minus_6 = (uint8_t)model->ar_coeff_shift_minus_6,
        .grain_scale_shift = (uint8_t)model->grain_scale_shift,
        .grain_seed = (uint16_t)grain->grain_seed,
        .film_grain_params_ref_idx = (uint8_t)grain->film_grain_params_ref_idx,
        .num_y_points = (uint8_t)model->num_y_points,
        .num_cb_points = (uint8_t)model->num_cb_points,
        .num_cr_points = (uint8_t)model->num_cr_points,
        .cb_mult = (uint8_t)model->cb_mult,
        .cb_luma_mult = (uint8_t)model->cb_luma_mult,
        .cb_offset = (uint16_t)model->cb_offset,
        .cr_mult = (uint8_t)model->cr_mult,
        .cr_luma_mult = (uint8_t)model->cr_luma_mult,
        .cr_offset = (uint16_t)model->cr_offset,
    };
    points_init(RP_AV1_MAX_Y_POINTS, model->point_y, std->point_y_value, std->point_y_scaling);
    points_init(RP_AV1_MAX_UV_POINTS, model->point_cb, std->point_cb_value, std->point_cb_scaling);
    points_init(RP_AV1_MAX_UV_POINTS, model->point_cr, std->point_cr_value, std->point_cr_scaling);
    for (uint32_t i = 0; i < 24; i++)
        std->ar_coeffs_y_plus_128[i] = (int8_t)model->ar_coeffs_y_plus_128[i];
    for (uint32_t i = 0; i < 25; i++) {
        std->ar_coeffs_cb_plus_128[i] = (int8_t)model->ar_coeffs_cb_plus_128[i];
        std->ar_coeffs_cr_plus_128[i] = (int8_t)model->ar_coeffs_cr_plus_128[i];
    }
}

static StdVideoDecodeAV1PictureInfoFlags
flags_of(const struct rp_av1_frame *frame)
{
    return (StdVideoDecodeAV1PictureInfoFlags){
        .error_resilient_mode = frame->error_resilient_mode,
        .disable_cdf_update = frame->disable_cdf_update,
        .use_superres = frame->size.use_superres,
        .render_and_frame_size_different = frame->size.render_and_frame_size_different,
        .allow_screen_content_tools = frame->allow_screen_content_tools,
        .is_filter_switchable = frame->interpolation_filter == RP_AV1_SWITCHABLE,
        .force_integer_mv = frame->force_integer_mv || rp_av1_frame_is_intra(frame),
        .frame_size_override_flag = frame->frame_size_override_flag,
        .allow_intrabc = frame->allow_intrabc,
        .frame_refs_short_signaling = frame->frame_refs_short_signaling,
        .allow_high_precision_mv = frame->allow_high_precision_mv,
        .is_motion_mode_switchable = frame->is_motion_mode_switchable,
        .use_ref_frame_mvs = frame->use_ref_frame_mvs,
        .disable_frame_end_update_cdf = frame->disable_frame_end_update_cdf,
        .allow_warped_motion = frame->allow_warped_motion,
        .reduced_tx_set = frame->reduced_tx_set,
        .reference_select = frame->reference_select,
        .skip_mode_present = frame->skip_mode_present,
        .delta_q_present = frame->block_deltas.delta_q_present,
        .delta_lf_present = frame->block_deltas.delta_lf_present,
        .delta_lf_multi = frame->block_deltas.delta_lf_multi,
        .segmentation_enabled = frame->segmentation.segmentation_enabled,
        .segmentation_update_map = frame->segmentation.segmentation_update_map,
        .segmentation_temporal_update = frame->segmentation.segmentation_temporal_update,
        .segmentation_update_data = frame->segmentation.segmentation_update_data,
        .UsesLr = frame->loop_restoration.type[0] || frame->loop_restoration.type[1] ||
                  frame->loop_restoration.type[2],
        .apply_grain = frame->film_grain.apply_grain,
    };
}

void
std_structures_init(struct std_structures *std, const struct rp_av1_sequence *seq,
                    const struct rp_av1_frame *frame)
{
    sequence_init(std, seq);
    tiles_init(std, &frame->tiles);
    quantizers_init(std, frame);
    filters_init(std, frame);
    motion_init(std, &frame->global_motion);
    grain_init(&std->grain, &frame->film_grain);
    std->picture = (StdVideoDecodeAV1PictureInfo){
        .flags = flags_of(frame),
        .frame_type = (StdVideoAV1FrameType)frame->frame_type,
        .current_frame_id = frame->current_frame_id,
        .OrderHint = (uint8_t)frame->order_hint,
        .primary_ref_frame = (uint8_t)frame->primary_ref_frame,
        .refresh_frame_flags = (uint8_t)frame->refresh_frame_flags,
        .interpolation_filter = (StdVideoAV1InterpolationFilter)frame->interpolation_filter,
        .TxMode = frame->coded_lossless   ? STD_VIDEO_AV1_TX_MODE_ONLY_4X4
                  : frame->tx_mode_select ? STD_VIDEO_AV1_TX_MODE_SELECT
                                          : STD_VIDEO_AV1_TX_MODE_LARGEST,
        .delta_q_res = (uint8_t)frame->block_deltas.delta_q_res,
        .delta_lf_res = (uint8_t)frame->block_deltas.delta_lf_res,
        .SkipModeFrame = {(uint8_t)frame->skip_mode_frame[0], (uint8_t)frame->skip_mode_frame[1]},
        .coded_denom = (uint8_t)frame->size.coded_denom,
        .pTileInfo = &std->tiles,
        .pQuantization = &std->quantization,
        .pSegmentation = &std->segmentation,
        .pLoopFilter = &std->loop_filter,
        .pCDEF = &std->cdef,
        .pLoopRestoration = &std->restoration,
        .pGlobalMotion = &std->motion,
        .pFilmGrain = frame->film_grain.apply_grain ? &std->grain : NULL,
    };
    for (uint32_t i = 0; i < 8; i++)
        std->picture.OrderHints[i] = (uint8_t)frame->order_hints[i];
}

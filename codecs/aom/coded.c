/* SPDX-License-Identifier: MIT */
#include "codecs/aom/coded.h"

#include "codecs/aom/libaom.h"

#include "util/compiler.h"

static void
fill_flags(const AV1_COMMON *cm, const struct rp_aom_picture *picture,
           StdVideoEncodeAV1PictureInfo *info)
{
    const FeatureFlags *features = &cm->features;
    const bool is_inter = !picture->is_intra;

    info->flags.disable_cdf_update = features->disable_cdf_update;
    info->flags.disable_frame_end_update_cdf =
        features->refresh_frame_context == REFRESH_FRAME_CONTEXT_DISABLED;
    info->flags.reduced_tx_set = features->reduced_tx_set_used;
    info->flags.use_ref_frame_mvs = is_inter && features->allow_ref_frame_mvs;
    info->flags.is_filter_switchable = is_inter && features->interp_filter == SWITCHABLE;
    info->flags.allow_high_precision_mv = is_inter && features->allow_high_precision_mv;
    info->flags.is_motion_mode_switchable = 0;
    info->flags.allow_warped_motion = 0;
    info->flags.skip_mode_present = 0;
    info->flags.allow_screen_content_tools = 0;
    info->flags.allow_intrabc = 0;
    info->flags.force_integer_mv = 0;
    info->flags.use_superres = 0;
    info->flags.frame_refs_short_signaling = 0;
    info->flags.delta_q_present = 0;
    info->flags.delta_lf_present = 0;
    info->flags.UsesLr = 0;
    info->flags.usesChromaLr = 0;
    info->primary_ref_frame = (uint8_t)features->primary_ref_frame;
    info->interpolation_filter = is_inter ? (StdVideoAV1InterpolationFilter)features->interp_filter
                                          : info->interpolation_filter;
    info->TxMode = features->tx_mode == ONLY_4X4         ? STD_VIDEO_AV1_TX_MODE_ONLY_4X4
                   : features->tx_mode == TX_MODE_SELECT ? STD_VIDEO_AV1_TX_MODE_SELECT
                                                         : STD_VIDEO_AV1_TX_MODE_LARGEST;
    info->pLoopRestoration = NULL;
    info->pGlobalMotion = NULL;
}

static void
fill_tiles(const struct rp_aom_picture *picture, StdVideoAV1TileInfo *out)
{
    *out = (StdVideoAV1TileInfo){
        .flags.uniform_tile_spacing_flag = picture->tiles.is_uniform,
        .TileCols = (uint8_t)picture->tiles.cols,
        .TileRows = (uint8_t)picture->tiles.rows,
        .context_update_tile_id = (uint16_t)picture->context_update_tile_id,
        .tile_size_bytes_minus_1 = (uint8_t)(picture->tile_size_field_B - 1),
        .pWidthInSbsMinus1 = picture->tiles.widths_sb_minus_1,
        .pHeightInSbsMinus1 = picture->tiles.heights_sb_minus_1,
    };
}

static void
fill_quantization(const CommonQuantParams *params, StdVideoAV1Quantization *out)
{
    *out = (StdVideoAV1Quantization){
        .flags.diff_uv_delta = params->u_dc_delta_q != params->v_dc_delta_q ||
                               params->u_ac_delta_q != params->v_ac_delta_q,
        .base_q_idx = (uint8_t)params->base_qindex,
        .DeltaQYDc = (int8_t)params->y_dc_delta_q,
        .DeltaQUDc = (int8_t)params->u_dc_delta_q,
        .DeltaQUAc = (int8_t)params->u_ac_delta_q,
        .DeltaQVDc = (int8_t)params->v_dc_delta_q,
        .DeltaQVAc = (int8_t)params->v_ac_delta_q,
    };
}

static void
fill_segmentation(const struct rp_aom_picture *picture, struct rp_aom_coded *coded)
{
    const struct segmentation *seg = &picture->ctx->compressor->common.seg;
    StdVideoEncodeAV1PictureInfo *info = &coded->picture.info;

    info->flags.segmentation_enabled = seg->enabled;
    info->flags.segmentation_update_map = seg->enabled;
    info->flags.segmentation_update_data = seg->enabled;
    info->flags.segmentation_temporal_update = seg->enabled && seg->temporal_update;
    info->pSegmentation = seg->enabled ? &coded->segmentation : NULL;
    coded->segmentation = (StdVideoAV1Segmentation){0};
    for (uint32_t i = 0; seg->enabled && i < MAX_SEGMENTS; i++) {
        coded->segmentation.FeatureEnabled[i] = (uint8_t)seg->feature_mask[i];
        for (uint32_t k = 0; k < SEG_LVL_MAX; k++)
            coded->segmentation.FeatureData[i][k] = (int16_t)seg->feature_data[i][k];
    }
}

static void
fill_filters(const AV1_COMMON *cm, const StdVideoEncodeAV1PictureInfo *wanted,
             struct rp_aom_coded *coded)
{
    const struct loopfilter *lf = &cm->lf;
    const CdefInfo *cdef = &cm->cdef_info;

    coded->loop_filter = wanted->pLoopFilter ? *wanted->pLoopFilter : (StdVideoAV1LoopFilter){0};
    coded->loop_filter.loop_filter_level[0] = (uint8_t)lf->filter_level[0];
    coded->loop_filter.loop_filter_level[1] = (uint8_t)lf->filter_level[1];
    coded->loop_filter.loop_filter_level[2] = (uint8_t)lf->filter_level_u;
    coded->loop_filter.loop_filter_level[3] = (uint8_t)lf->filter_level_v;
    coded->loop_filter.loop_filter_sharpness = (uint8_t)lf->sharpness_level;

    coded->cdef = (StdVideoAV1CDEF){
        .cdef_damping_minus_3 = (uint8_t)(cdef->cdef_damping - 3),
        .cdef_bits = (uint8_t)cdef->cdef_bits,
    };
    for (uint32_t i = 0; i < RP_MIN(1u << cdef->cdef_bits, CDEF_MAX_STRENGTHS / 2); i++) {
        coded->cdef.cdef_y_pri_strength[i] =
            (uint8_t)(cdef->cdef_strengths[i] / CDEF_SEC_STRENGTHS);
        coded->cdef.cdef_y_sec_strength[i] =
            (uint8_t)(cdef->cdef_strengths[i] % CDEF_SEC_STRENGTHS);
        coded->cdef.cdef_uv_pri_strength[i] =
            (uint8_t)(cdef->cdef_uv_strengths[i] / CDEF_SEC_STRENGTHS);
        coded->cdef.cdef_uv_sec_strength[i] =
            (uint8_t)(cdef->cdef_uv_strengths[i] % CDEF_SEC_STRENGTHS);
    }
}

void
rp_aom_coded_init(struct rp_aom_coded *coded, const struct rp_aom_picture *picture)
{
    const AV1_COMMON *cm = &picture->ctx->compressor->common;
    const StdVideoEncodeAV1PictureInfo *wanted = picture->job->picture;
    StdVideoEncodeAV1PictureInfo *info = &coded->picture.info;

    *info = *wanted;
    fill_flags(cm, picture, info);
    fill_tiles(picture, &coded->tiles);
    fill_quantization(&cm->quant_params, &coded->quantization);
    fill_segmentation(picture, coded);
    fill_filters(cm, wanted, coded);
    info->pTileInfo = &coded->tiles;
    info->pQuantization = &coded->quantization;
    info->pLoopFilter = &coded->loop_filter;
    info->pCDEF = &coded->cdef;
    coded->picture.reference_select =
        !picture->is_intra && cm->current_frame.reference_mode == REFERENCE_MODE_SELECT;
}

void
rp_aom_coded_count(const struct rp_aom_picture *picture, struct rp_encode_result *result)
{
    const AV1_COMMON *cm = &picture->ctx->compressor->common;
    const CommonModeInfoParams *params = &cm->mi_params;
    uint64_t q_sum = 0, block_count = 0; /* in units of 4x4 pixels */

    result->min_qp = RP_AV1_MAX_Q_INDEX;
    for (int row = 0; row < params->mi_rows; row++) {
        for (int col = 0, width; col < params->mi_cols; col += width) {
            const MB_MODE_INFO *mi = params->mi_grid_base[row * params->mi_stride + col];
            const uint32_t q =
                (uint32_t)av1_get_qindex(&cm->seg, mi->segment_id, cm->quant_params.base_qindex);
            /* All of its columns, where the row enters it: blocks are met from their left. */
            width = RP_MIN(mi_size_wide[mi->bsize], params->mi_cols - col);
            const uint64_t area_px = (uint64_t)width * MI_SIZE * MI_SIZE;
            *(is_inter_block(mi) ? &result->inter_px : &result->intra_px) += area_px;
            result->skipped_px += is_inter_block(mi) && mi->skip_txfm ? area_px : 0;
            q_sum += (uint64_t)q * width;
            block_count += width;
            result->min_qp = RP_MIN(result->min_qp, q);
            result->max_qp = RP_MAX(result->max_qp, q);
        }
    }
    result->average_qp = (uint32_t)((q_sum + block_count / 2) / block_count);
}

/* SPDX-License-Identifier: MIT */
/* Field by field.
 */
#include "video/av1/std_structures.h"

#define TILE_SIZE_B 4

struct rp_av1_color
rp_av1_color_from_std(const StdVideoAV1ColorConfig *std)
{
    return (struct rp_av1_color){
        .bit_depth = std->BitDepth,
        .mono_chrome = std->flags.mono_chrome,
        .color_description_present_flag = true,
        .color_primaries = (uint32_t)std->color_primaries,
        .transfer_characteristics = (uint32_t)std->transfer_characteristics,
        .matrix_coefficients = (uint32_t)std->matrix_coefficients,
        .color_range = std->flags.color_range,
        .subsampling_x = std->subsampling_x,
        .subsampling_y = std->subsampling_y,
        .chroma_sample_position = (uint32_t)std->chroma_sample_position & 3,
        .separate_uv_delta_q = std->flags.separate_uv_delta_q,
    };
}

/* The smallest log2 from min to max that cuts size_sb into count parts; max + 1 when none does. */
static uint32_t
log2_for(uint32_t size_sb, uint32_t count, uint32_t min, uint32_t max)
{
    for (uint32_t k = min; k <= max; k++) {
        const uint32_t part_sb = (size_sb + (1u << k) - 1) >> k;
        if ((size_sb + part_sb - 1) / part_sb == count)
            return k;
    }
    return max + 1;
}

/* pMiColStarts and pMiRowStarts are not looked at: applications fill them in wrongly. */
bool
rp_av1_tiles_from_std(const StdVideoAV1TileInfo *std, const struct rp_av1_sequence *seq,
                      const struct rp_av1_frame_size *size, struct rp_av1_tile_info *tiles)
{
    if (!std || std->TileCols == 0 || std->TileCols > RP_AV1_MAX_TILE_COLS || std->TileRows == 0 ||
        std->TileRows > RP_AV1_MAX_TILE_ROWS)
        return false;
    tiles->context_update_tile_id = std->context_update_tile_id;
    tiles->tile_size_bytes_minus_1 = TILE_SIZE_B - 1;
    tiles->uniform_tile_spacing_flag = std->flags.uniform_tile_spacing_flag;
    if (tiles->uniform_tile_spacing_flag) {
        const struct rp_av1_tile_limits limits =
            rp_av1_tile_limits_get(seq, size->frame_width, size->frame_height);
        tiles->tile_cols_log2 = log2_for(limits.sb_cols, std->TileCols, limits.min_log2_tile_cols,
                                         limits.max_log2_tile_cols);
        const uint32_t min_rows = limits.min_log2_tiles > tiles->tile_cols_log2
                                      ? limits.min_log2_tiles - tiles->tile_cols_log2
                                      : 0;
        tiles->tile_rows_log2 =
            log2_for(limits.sb_rows, std->TileRows, min_rows, limits.max_log2_tile_rows);
        return true;
    }
    if (!std->pWidthInSbsMinus1 || !std->pHeightInSbsMinus1)
        return false;
    for (uint32_t i = 0; i < std->TileCols; i++)
        tiles->width_in_sbs_minus_1[i] = std->pWidthInSbsMinus1[i];
    for (uint32_t i = 0; i < std->TileRows; i++)
        tiles->height_in_sbs_minus_1[i] = std->pHeightInSbsMinus1[i];
    return true;
}

struct rp_av1_quantization
rp_av1_quantization_from_std(const StdVideoAV1Quantization *std)
{
    return (struct rp_av1_quantization){
        .base_q_idx = std->base_q_idx,
        .y_dc = {.value = std->DeltaQYDc},
        .diff_uv_delta = std->flags.diff_uv_delta,
        .u_dc = {.value = std->DeltaQUDc},
        .u_ac = {.value = std->DeltaQUAc},
        .v_dc = {.value = std->DeltaQVDc},
        .v_ac = {.value = std->DeltaQVAc},
        .using_qmatrix = std->flags.using_qmatrix,
        .qm_y = std->qm_y,
        .qm_u = std->qm_u,
        .qm_v = std->qm_v,
    };
}

void
rp_av1_segments_from_std(const StdVideoAV1Segmentation *std, struct rp_av1_segmentation_data *data)
{
    for (uint32_t i = 0; i < RP_AV1_MAX_SEGMENTS; i++) {
        for (uint32_t j = 0; j < RP_AV1_SEG_LVL_MAX; j++) {
            data->feature_enabled[i][j] = std->FeatureEnabled[i] >> j & 1;
            data->feature_value[i][j] = std->FeatureData[i][j];
        }
    }
}

/* The strength as it is coded: some applications say the strength that the code 3 stands for. */
static uint32_t
secondary_strength(uint8_t strength)
{
    return strength == 4 ? 3 : strength;
}

void
rp_av1_cdef_from_std(const StdVideoAV1CDEF *std, struct rp_av1_cdef *cdef)
{
    cdef->damping_minus_3 = std->cdef_damping_minus_3;
    cdef->bits = std->cdef_bits;
    for (uint32_t i = 0; i < RP_AV1_MAX_CDEF_STRENGTHS; i++) {
        cdef->y_pri_strength[i] = std->cdef_y_pri_strength[i];
        cdef->y_sec_strength[i] = secondary_strength(std->cdef_y_sec_strength[i]);
        cdef->uv_pri_strength[i] = std->cdef_uv_pri_strength[i];
        cdef->uv_sec_strength[i] = secondary_strength(std->cdef_uv_sec_strength[i]);
    }
}

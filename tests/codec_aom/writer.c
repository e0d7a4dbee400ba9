/* SPDX-License-Identifier: MIT */
#include "writer.h"

#include "tests/test.h"
#include "video/av1/obu.h"

void
writer_init(struct writer *writer, const StdVideoAV1SequenceHeader *seq)
{
    const StdVideoAV1ColorConfig *color = seq->pColorConfig;
    *writer = (struct writer){0};
    writer->state.sequence = (struct rp_av1_sequence){
        .seq_profile = (uint32_t)seq->seq_profile,
        .operating_points = {{.seq_level_idx = 31}},
        .frame_width_bits_minus_1 = 15,
        .frame_height_bits_minus_1 = 15,
        .max_frame_width_minus_1 = seq->max_frame_width_minus_1,
        .max_frame_height_minus_1 = seq->max_frame_height_minus_1,
        .enable_filter_intra = seq->flags.enable_filter_intra,
        .enable_intra_edge_filter = seq->flags.enable_intra_edge_filter,
        .enable_masked_compound = seq->flags.enable_masked_compound,
        .enable_warped_motion = seq->flags.enable_warped_motion,
        .enable_order_hint = seq->flags.enable_order_hint,
        .enable_ref_frame_mvs = seq->flags.enable_ref_frame_mvs,
        .seq_force_screen_content_tools = RP_AV1_SELECT_SCREEN_CONTENT_TOOLS,
        .seq_force_integer_mv = RP_AV1_SELECT_INTEGER_MV,
        .order_hint_bits = seq->flags.enable_order_hint ? seq->order_hint_bits_minus_1 + 1u : 0,
        .enable_superres = seq->flags.enable_superres,
        .enable_cdef = seq->flags.enable_cdef,
        .enable_restoration = seq->flags.enable_restoration,
        .color =
            {
                .bit_depth = color->BitDepth,
                .color_primaries = 2,
                .transfer_characteristics = 2,
                .matrix_coefficients = 2,
                .subsampling_x = true,
                .subsampling_y = true,
                .separate_uv_delta_q = color->flags.separate_uv_delta_q,
            },
    };
}

static size_t
put_obu(uint32_t type, const uint8_t *payload, size_t payload_B, uint8_t *data)
{
    const struct rp_av1_obu_header header = {
        .obu_type = type,
        .obu_has_size_field = true,
        .payload_B = payload_B,
    };
    size_t header_B;
    REQUIRE(rp_av1_obu_header_write(&header, data, WRITER_MAX_HEADER_B, &header_B) == RP_AV1_OK);
    REQUIRE(header_B + payload_B <= WRITER_MAX_HEADER_B);
    memcpy(data + header_B, payload, payload_B);
    return header_B + payload_B;
}

size_t
writer_sequence(const struct writer *writer, uint8_t *data)
{
    uint8_t payload[256];
    size_t payload_B;
    REQUIRE(rp_av1_sequence_write(&writer->state.sequence, payload, sizeof(payload), &payload_B) ==
            RP_AV1_OK);
    return put_obu(RP_AV1_OBU_SEQUENCE_HEADER, payload, payload_B, data);
}

size_t
writer_show_existing(struct writer *writer, uint32_t index, uint8_t *data)
{
    const struct rp_av1_frame frame = {
        .show_existing_frame = true,
        .frame_to_show_map_idx = index,
    };
    struct rp_av1_syntax syntax;
    uint8_t payload[16];
    struct rp_av1_frame copy = frame;
    rp_av1_syntax_init_write(&syntax, payload, sizeof(payload));
    rp_av1_code_frame(&syntax, &writer->state, &copy);
    rp_av1_code_trailing(&syntax);
    REQUIRE(rp_av1_syntax_status(&syntax) == RP_AV1_OK);
    rp_av1_state_update(&writer->state, &copy);
    return put_obu(RP_AV1_OBU_FRAME_HEADER, payload, rp_av1_syntax_position(&syntax) / 8, data);
}

static struct rp_av1_tile_info
tiles_of(const StdVideoAV1TileInfo *std)
{
    struct rp_av1_tile_info tiles = {
        .uniform_tile_spacing_flag = std->flags.uniform_tile_spacing_flag,
        .tile_cols_log2 = rp_av1_tile_log2(1, std->TileCols),
        .tile_rows_log2 = rp_av1_tile_log2(1, std->TileRows),
        .context_update_tile_id = std->context_update_tile_id,
        .tile_size_bytes_minus_1 = std->tile_size_bytes_minus_1,
    };
    for (uint32_t i = 0; i < std->TileCols; i++)
        tiles.width_in_sbs_minus_1[i] = std->pWidthInSbsMinus1[i];
    for (uint32_t i = 0; i < std->TileRows; i++)
        tiles.height_in_sbs_minus_1[i] = std->pHeightInSbsMinus1[i];
    return tiles;
}

static void
fill_quantizers(const StdVideoEncodeAV1PictureInfo *info, struct rp_av1_frame *frame)
{
    const StdVideoAV1Quantization *std = info->pQuantization;
    frame->quantization = (struct rp_av1_quantization){
        .base_q_idx = std->base_q_idx,
        .y_dc = {.value = std->DeltaQYDc},
        .diff_uv_delta = std->flags.diff_uv_delta,
        .u_dc = {.value = std->DeltaQUDc},
        .u_ac = {.value = std->DeltaQUAc},
        .v_dc = {.value = std->DeltaQVDc},
        .v_ac = {.value = std->DeltaQVAc},
    };
    if (!info->flags.segmentation_enabled)
        return;
    struct rp_av1_segmentation *segmentation = &frame->segmentation;
    segmentation->segmentation_enabled = true;
    segmentation->segmentation_update_map = info->flags.segmentation_update_map;
    segmentation->segmentation_temporal_update = info->flags.segmentation_temporal_update;
    segmentation->segmentation_update_data = info->flags.segmentation_update_data;
    for (uint32_t i = 0; i < RP_AV1_MAX_SEGMENTS; i++) {
        for (uint32_t k = 0; k < RP_AV1_SEG_LVL_MAX; k++) {
            segmentation->data.feature_enabled[i][k] =
                info->pSegmentation->FeatureEnabled[i] >> k & 1;
            segmentation->data.feature_value[i][k] = info->pSegmentation->FeatureData[i][k];
        }
    }
}

static void
fill_filters(const StdVideoEncodeAV1PictureInfo *info, struct rp_av1_frame *frame)
{
    const StdVideoAV1LoopFilter *filter = info->pLoopFilter;
    const StdVideoAV1CDEF *cdef = info->pCDEF;
    for (uint32_t i = 0; i < 4; i++)
        frame->loop_filter.level[i] = filter->loop_filter_level[i];
    frame->loop_filter.sharpness = filter->loop_filter_sharpness;
    frame->loop_filter.delta_enabled = filter->flags.loop_filter_delta_enabled;
    frame->loop_filter.delta_update =
        frame->loop_filter.delta_enabled && filter->flags.loop_filter_delta_update;
    for (uint32_t i = 0; i < 8; i++) {
        frame->loop_filter.update_ref_delta[i] = filter->update_ref_delta >> i & 1;
        frame->loop_filter.deltas.ref[i] = filter->loop_filter_ref_deltas[i];
    }
    for (uint32_t i = 0; i < 2; i++) {
        frame->loop_filter.update_mode_delta[i] = filter->update_mode_delta >> i & 1;
        frame->loop_filter.deltas.mode[i] = filter->loop_filter_mode_deltas[i];
    }
    frame->cdef.damping_minus_3 = cdef->cdef_damping_minus_3;
    frame->cdef.bits = cdef->cdef_bits;
    for (uint32_t i = 0; i < RP_AV1_MAX_CDEF_STRENGTHS; i++) {
        frame->cdef.y_pri_strength[i] = cdef->cdef_y_pri_strength[i];
        frame->cdef.y_sec_strength[i] = cdef->cdef_y_sec_strength[i];
        frame->cdef.uv_pri_strength[i] = cdef->cdef_uv_pri_strength[i];
        frame->cdef.uv_sec_strength[i] = cdef->cdef_uv_sec_strength[i];
    }
}

static struct rp_av1_frame
frame_of(const struct rp_av1_sequence *seq, const struct rp_av1_coded_picture *coded)
{
    const StdVideoEncodeAV1PictureInfo *info = &coded->info;
    struct rp_av1_frame frame = {
        .frame_type = (uint32_t)info->frame_type,
        .show_frame = info->flags.show_frame,
        .showable_frame = info->flags.showable_frame,
        .error_resilient_mode = info->flags.error_resilient_mode,
        .disable_cdf_update = info->flags.disable_cdf_update,
        .order_hint = info->order_hint,
        .primary_ref_frame = info->primary_ref_frame,
        .refresh_frame_flags = info->refresh_frame_flags,
        .size =
            {
                .upscaled_width = seq->max_frame_width_minus_1 + 1,
                .frame_height = seq->max_frame_height_minus_1 + 1,
                .render_width = seq->max_frame_width_minus_1 + 1,
                .render_height = seq->max_frame_height_minus_1 + 1,
                .frame_width = seq->max_frame_width_minus_1 + 1,
            },
        .allow_high_precision_mv = info->flags.allow_high_precision_mv,
        .interpolation_filter = info->flags.is_filter_switchable
                                    ? RP_AV1_SWITCHABLE
                                    : (uint32_t)info->interpolation_filter,
        .is_motion_mode_switchable = info->flags.is_motion_mode_switchable,
        .use_ref_frame_mvs = info->flags.use_ref_frame_mvs,
        .disable_frame_end_update_cdf = info->flags.disable_frame_end_update_cdf,
        .tiles = tiles_of(info->pTileInfo),
        .tx_mode_select = info->TxMode == STD_VIDEO_AV1_TX_MODE_SELECT,
        .reference_select = coded->reference_select,
        .skip_mode_present = info->flags.skip_mode_present,
        .allow_warped_motion = info->flags.allow_warped_motion,
        .reduced_tx_set = info->flags.reduced_tx_set,
    };
    rp_av1_motion_params_init(&frame.global_motion.params);
    fill_quantizers(info, &frame);
    fill_filters(info, &frame);
    return frame;
}

void
writer_headers(const void *ctx, const struct rp_av1_coded_picture *coded, size_t tile_group_B,
               struct rp_bits *bits)
{
    struct writer *writer = (struct writer *)ctx;
    struct rp_av1_frame frame = frame_of(&writer->state.sequence, coded);
    for (uint32_t i = 0; i < RP_AV1_REFS_PER_FRAME; i++)
        frame.ref_frame_idx[i] = (uint32_t)coded->info.ref_frame_idx[i] & 7;
    for (uint32_t i = 0; i < RP_AV1_REFERENCES; i++)
        frame.ref_order_hint[i] = writer->state.references[i].order_hint;

    uint8_t header[WRITER_MAX_HEADER_B];
    size_t size_bits;
    REQUIRE(rp_av1_frame_write(&frame, &writer->state, header, sizeof(header), &size_bits) ==
            RP_AV1_OK);
    /* Read again, it has what the syntax implies. */
    REQUIRE(rp_av1_frame_read(header, sizeof(header), &writer->state, &writer->frame, &size_bits) ==
            RP_AV1_OK);

    const size_t header_B = (size_bits + 7) / 8;
    const struct rp_av1_obu_header obu = {
        .obu_type = RP_AV1_OBU_FRAME,
        .obu_has_size_field = true,
        .payload_B = header_B + tile_group_B,
    };
    uint8_t start[RP_AV1_MAX_OBU_HEADER_B];
    size_t start_B;
    REQUIRE(rp_av1_obu_header_write(&obu, start, sizeof(start), &start_B) == RP_AV1_OK);
    for (size_t i = 0; i < start_B; i++)
        rp_bits_put(bits, 8, start[i]);
    for (size_t i = 0; i < header_B; i++)
        rp_bits_put(bits, 8,
                    i + 1 == header_B && size_bits % 8
                        ? header[i] & (uint8_t)(0xff << (8 - size_bits % 8))
                        : header[i]);
}

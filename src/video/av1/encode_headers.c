/* SPDX-License-Identifier: MIT */
/* The frame header of an encoded picture: what the application says when the picture begins, and
 * what the codec says when it has coded it.
 */
#include "video/av1/encode_picture.h"

#include "util/compiler.h"
#include "video/av1/obu.h"
#include "video/av1/std_structures.h"

/* More than any header takes: tiles have at most 2 * 64 sizes, segments 64 features. */
#define MAX_HEADER_B 2048

/* Under rate control the quantizer is not known yet; it is never one that loses nothing. */
#define SOME_Q_INDEX 1

static struct rp_av1_frame
frame_of(const StdVideoEncodeAV1PictureInfo *std, const struct rp_av1_sequence *seq)
{
    struct rp_av1_frame frame = {
        .frame_presentation_time = std->frame_presentation_time,
        .current_frame_id = std->current_frame_id,
        .frame_type = (uint32_t)std->frame_type,
        .show_frame = std->flags.show_frame,
        .showable_frame = std->flags.showable_frame,
        .error_resilient_mode = std->flags.error_resilient_mode,
        .disable_cdf_update = std->flags.disable_cdf_update,
        .order_hint = std->order_hint,
        .primary_ref_frame = std->primary_ref_frame,
        .buffer_removal_time_present_flag =
            std->flags.buffer_removal_time_present_flag && std->pBufferRemovalTimes,
        .refresh_frame_flags = std->refresh_frame_flags,
        .size = {.upscaled_width = seq->max_frame_width_minus_1 + 1,
                 .frame_height = seq->max_frame_height_minus_1 + 1,
                 .render_width = std->render_width_minus_1 + 1u,
                 .render_height = std->render_height_minus_1 + 1u,
                 .render_and_frame_size_different = std->flags.render_and_frame_size_different},
        .disable_frame_end_update_cdf = std->flags.disable_frame_end_update_cdf,
    };
    for (uint32_t i = 0; i <= seq->operating_points_cnt_minus_1; i++)
        frame.buffer_removal_time[i] =
            frame.buffer_removal_time_present_flag ? std->pBufferRemovalTimes[i] : 0;
    for (uint32_t i = 0; i < RP_AV1_REFERENCES; i++)
        frame.ref_order_hint[i] = std->ref_order_hint[i];
    for (uint32_t i = 0; i < RP_AV1_REFS_PER_FRAME; i++) {
        frame.ref_frame_idx[i] = (uint32_t)std->ref_frame_idx[i] & 7;
        frame.delta_frame_id_minus_1[i] = std->delta_frame_id_minus_1[i];
    }
    rp_av1_motion_params_init(&frame.global_motion.params);
    return frame;
}

/* Levels are the codec's; deltas are known from the start, since later pictures inherit them. */
static void
loop_filter_deltas_init(const StdVideoAV1LoopFilter *std, struct rp_av1_loop_filter *filter)
{
    if (!std)
        return;
    filter->delta_enabled = std->flags.loop_filter_delta_enabled;
    filter->delta_update = filter->delta_enabled && std->flags.loop_filter_delta_update;
    for (uint32_t i = 0; i < 8 && filter->delta_update; i++) {
        filter->update_ref_delta[i] = std->update_ref_delta >> i & 1;
        filter->deltas.ref[i] = std->loop_filter_ref_deltas[i];
    }
    for (uint32_t i = 0; i < 2 && filter->delta_update; i++) {
        filter->update_mode_delta[i] = std->update_mode_delta >> i & 1;
        filter->deltas.mode[i] = std->loop_filter_mode_deltas[i];
    }
}

/* The ids of the references are what the application says they are. */
static void
believe_ids(const struct rp_av1_frame *frame, struct rp_av1_state *stream)
{
    if (!stream->sequence.frame_id_numbers_present_flag || rp_av1_frame_is_intra(frame))
        return;
    const uint32_t id_count = 1u << rp_av1_frame_id_bits(&stream->sequence);
    for (uint32_t i = 0; i < RP_AV1_REFS_PER_FRAME; i++)
        stream->references[frame->ref_frame_idx[i]].frame_id =
            (frame->current_frame_id - frame->delta_frame_id_minus_1[i] - 1) % id_count;
}

/* As few tiles as the picture's size allows, until the codec says which they are. */
static void
least_tiles_init(const struct rp_av1_sequence *seq, struct rp_av1_frame *frame)
{
    const struct rp_av1_tile_limits limits =
        rp_av1_tile_limits_get(seq, frame->size.upscaled_width, frame->size.frame_height);
    frame->tiles.uniform_tile_spacing_flag = true;
    frame->tiles.tile_cols_log2 = limits.min_log2_tile_cols;
    frame->tiles.tile_rows_log2 = limits.min_log2_tiles > limits.min_log2_tile_cols
                                      ? limits.min_log2_tiles - limits.min_log2_tile_cols
                                      : 0;
}

/* Uniform spacing does not lead to every number of tiles: as near as it goes. */
static void
approach_tiles(const StdVideoAV1TileInfo *std, const struct rp_av1_sequence *seq,
               struct rp_av1_frame *frame)
{
    const struct rp_av1_tile_limits limits =
        rp_av1_tile_limits_get(seq, frame->size.upscaled_width, frame->size.frame_height);
    struct rp_av1_tile_info *tiles = &frame->tiles;
    if (tiles->tile_cols_log2 > limits.max_log2_tile_cols)
        tiles->tile_cols_log2 =
            RP_MAX(limits.min_log2_tile_cols,
                   RP_MIN(rp_av1_tile_log2(1, std->TileCols), limits.max_log2_tile_cols));
    const uint32_t min_rows = limits.min_log2_tiles > tiles->tile_cols_log2
                                  ? limits.min_log2_tiles - tiles->tile_cols_log2
                                  : 0;
    if (tiles->tile_rows_log2 > limits.max_log2_tile_rows)
        tiles->tile_rows_log2 =
            RP_MIN(RP_MAX(min_rows, rp_av1_tile_log2(1, std->TileRows)), limits.max_log2_tile_rows);
}

static bool
tiles_init(const StdVideoAV1TileInfo *std, const struct rp_av1_sequence *seq,
           struct rp_av1_frame *frame)
{
    if (!std) {
        least_tiles_init(seq, frame);
        return true;
    }
    frame->size.frame_width = frame->size.upscaled_width;
    if (!rp_av1_tiles_from_std(std, seq, &frame->size, &frame->tiles))
        return false;
    if (frame->tiles.uniform_tile_spacing_flag)
        approach_tiles(std, seq, frame);
    frame->tiles.context_update_tile_id = 0; /* the codec's choice */
    return true;
}

bool
rp_av1_headers_init(const StdVideoEncodeAV1PictureInfo *std, const struct rp_av1_encode_job *job,
                    struct rp_av1_headers *headers)
{
    const struct rp_av1_sequence *seq = &headers->stream.sequence;
    struct rp_av1_frame *frame = &headers->frame;
    uint8_t bytes[MAX_HEADER_B];
    struct rp_av1_syntax syntax;

    *frame = frame_of(std, seq);
    if (std->pQuantization)
        frame->quantization = rp_av1_quantization_from_std(std->pQuantization);
    frame->quantization.base_q_idx = job->q_index >= 0 ? (uint32_t)job->q_index : SOME_Q_INDEX;
    loop_filter_deltas_init(std->pLoopFilter, &frame->loop_filter);
    if (!tiles_init(std->pTileInfo, seq, frame))
        return false;
    believe_ids(frame, &headers->stream);
    headers->stream.has_frame_id = false; /* a picture may be lost, and be coded again */

    /* What the syntax implies, later pictures have to know as well. */
    rp_av1_syntax_init_write(&syntax, bytes, sizeof(bytes));
    rp_av1_code_frame(&syntax, &headers->stream, frame);
    return rp_av1_syntax_status(&syntax) == RP_AV1_OK &&
           (!std->pTileInfo || std->pTileInfo->flags.uniform_tile_spacing_flag ||
            (frame->tiles.tile_cols == std->pTileInfo->TileCols &&
             frame->tiles.tile_rows == std->pTileInfo->TileRows));
}

/* False when tiles are missing. */
static bool
take_coded(const struct rp_av1_headers *headers, const struct rp_av1_coded_picture *coded,
           struct rp_av1_frame *frame)
{
    const StdVideoEncodeAV1PictureInfo *std = &coded->info;
    frame->disable_cdf_update = std->flags.disable_cdf_update;
    frame->disable_frame_end_update_cdf = std->flags.disable_frame_end_update_cdf;
    frame->primary_ref_frame = std->primary_ref_frame;
    frame->allow_high_precision_mv = std->flags.allow_high_precision_mv;
    frame->interpolation_filter =
        std->flags.is_filter_switchable ? RP_AV1_SWITCHABLE : (uint32_t)std->interpolation_filter;
    frame->is_motion_mode_switchable = std->flags.is_motion_mode_switchable;
    frame->use_ref_frame_mvs = std->flags.use_ref_frame_mvs;
    frame->quantization = rp_av1_quantization_from_std(std->pQuantization);
    frame->segmentation = (struct rp_av1_segmentation){
        .segmentation_enabled = std->flags.segmentation_enabled,
        .segmentation_update_map = std->flags.segmentation_update_map,
        .segmentation_temporal_update = std->flags.segmentation_temporal_update,
        .segmentation_update_data = std->flags.segmentation_update_data,
    };
    if (std->pSegmentation)
        rp_av1_segments_from_std(std->pSegmentation, &frame->segmentation.data);
    for (uint32_t i = 0; i < 4; i++)
        frame->loop_filter.level[i] = std->pLoopFilter->loop_filter_level[i];
    frame->loop_filter.sharpness = std->pLoopFilter->loop_filter_sharpness;
    rp_av1_cdef_from_std(std->pCDEF, &frame->cdef);
    frame->tx_mode_select = std->TxMode == STD_VIDEO_AV1_TX_MODE_SELECT;
    frame->reference_select = coded->reference_select;
    frame->skip_mode_present = std->flags.skip_mode_present;
    frame->allow_warped_motion = std->flags.allow_warped_motion;
    frame->reduced_tx_set = std->flags.reduced_tx_set;

    frame->tiles = (struct rp_av1_tile_info){0};
    if (!rp_av1_tiles_from_std(std->pTileInfo, &headers->stream.sequence, &frame->size,
                               &frame->tiles))
        return false;
    frame->tiles.tile_size_bytes_minus_1 = std->pTileInfo->tile_size_bytes_minus_1;
    return true;
}

static void
put_bytes(struct rp_bits *bits, const uint8_t *bytes, size_t size_B)
{
    for (size_t i = 0; i < size_B; i++)
        rp_bits_put(bits, 8, bytes[i]);
}

void
rp_av1_write_headers(const void *ctx, const struct rp_av1_coded_picture *coded, size_t tile_group_B,
                     struct rp_bits *bits)
{
    const struct rp_av1_headers *headers = ctx;
    struct rp_av1_frame frame = headers->frame;
    uint8_t header[MAX_HEADER_B];
    uint8_t obu_header[RP_AV1_MAX_OBU_HEADER_B];
    struct rp_av1_syntax syntax;
    size_t obu_header_B = 0;

    bool is_good = take_coded(headers, coded, &frame);
    rp_av1_syntax_init_write(&syntax, header, sizeof(header));
    rp_av1_code_frame(&syntax, &headers->stream, &frame);
    rp_av1_code_alignment(&syntax);
    is_good &= rp_av1_syntax_status(&syntax) == RP_AV1_OK;
    const size_t header_B = rp_av1_syntax_position(&syntax) / 8;
    is_good &= rp_av1_obu_header_write(
                   &(struct rp_av1_obu_header){
                       .obu_type = RP_AV1_OBU_FRAME,
                       .obu_extension_flag = headers->has_extension,
                       .temporal_id = headers->stream.temporal_id,
                       .spatial_id = headers->stream.spatial_id,
                       .obu_has_size_field = true,
                       .payload_B = header_B + tile_group_B,
                   },
                   obu_header, sizeof(obu_header), &obu_header_B) == RP_AV1_OK;
    headers->result->has_failed = !is_good;
    if (!is_good)
        return;
    put_bytes(bits, obu_header, obu_header_B);
    put_bytes(bits, header, header_B);
    headers->result->has_overrides =
        !rp_av1_is_coded_as_asked(headers->asked, &headers->stream.sequence, &frame, coded);
    headers->result->tile_count = frame.tiles.tile_cols * frame.tiles.tile_rows;
    headers->result->tile_size_field_B = frame.tiles.tile_size_bytes_minus_1 + 1;
}

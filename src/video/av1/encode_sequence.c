/* SPDX-License-Identifier: MIT */
/* Field by field, then once through the syntax: what it implies, the codec has to know as well.
 */
#include "video/av1/encode_sequence.h"

#include "video/av1/obu.h"
#include "video/av1/std_structures.h"

#include <string.h>

#define MAX_LEVEL_IDX 31 /* the maximum parameters level: nothing is promised (A.3) */

/* Without a structure colours are unspecified. */
static struct rp_av1_color
color_of(const StdVideoAV1ColorConfig *std, uint32_t bit_depth)
{
    if (!std)
        return (struct rp_av1_color){
            .bit_depth = bit_depth,
            .color_primaries = STD_VIDEO_AV1_COLOR_PRIMARIES_UNSPECIFIED,
            .transfer_characteristics = STD_VIDEO_AV1_TRANSFER_CHARACTERISTICS_UNSPECIFIED,
            .matrix_coefficients = STD_VIDEO_AV1_MATRIX_COEFFICIENTS_UNSPECIFIED,
            .subsampling_x = true,
            .subsampling_y = true,
        };
    struct rp_av1_color color = rp_av1_color_from_std(std);
    color.color_description_present_flag = std->flags.color_description_present_flag;
    return color;
}

static void
timing_init(const struct rp_av1_encode_sequence_info *info, struct rp_av1_sequence *seq)
{
    const StdVideoAV1TimingInfo *std = info->header->pTimingInfo;
    const StdVideoEncodeAV1DecoderModelInfo *model = info->decoder_model;
    seq->timing_info_present_flag = info->header->flags.timing_info_present_flag && std;
    if (!seq->timing_info_present_flag)
        return;
    seq->timing = (struct rp_av1_timing){
        .num_units_in_display_tick = std->num_units_in_display_tick,
        .time_scale = std->time_scale,
        .equal_picture_interval = std->flags.equal_picture_interval,
        .num_ticks_per_picture_minus_1 = std->num_ticks_per_picture_minus_1,
        .decoder_model_info_present_flag = model != NULL,
    };
    if (!model)
        return;
    seq->timing.buffer_delay_length_minus_1 = model->buffer_delay_length_minus_1;
    seq->timing.num_units_in_decoding_tick = model->num_units_in_decoding_tick;
    seq->timing.buffer_removal_time_length_minus_1 = model->buffer_removal_time_length_minus_1;
    seq->timing.frame_presentation_time_length_minus_1 =
        model->frame_presentation_time_length_minus_1;
}

static void
operating_points_init(const struct rp_av1_encode_sequence_info *info, struct rp_av1_sequence *seq)
{
    seq->operating_points[0].seq_level_idx = MAX_LEVEL_IDX;
    if (!info->operating_points || info->operating_point_count == 0)
        return;
    seq->operating_points_cnt_minus_1 = info->operating_point_count - 1;
    for (uint32_t i = 0; i < info->operating_point_count; i++) {
        const StdVideoEncodeAV1OperatingPointInfo *std = &info->operating_points[i];
        seq->operating_points[i] = (struct rp_av1_operating_point){
            .operating_point_idc = std->operating_point_idc,
            .seq_level_idx = std->seq_level_idx,
            .seq_tier = std->seq_tier,
            .decoder_model_present_for_this_op = std->flags.decoder_model_present_for_this_op,
            .decoder_buffer_delay = std->decoder_buffer_delay,
            .encoder_buffer_delay = std->encoder_buffer_delay,
            .low_delay_mode_flag = std->flags.low_delay_mode_flag,
            .initial_display_delay_present_for_this_op =
                std->flags.initial_display_delay_present_for_this_op,
            .initial_display_delay_minus_1 = std->initial_display_delay_minus_1,
        };
    }
}

static struct rp_av1_sequence
sequence_of(const struct rp_av1_encode_sequence_info *info)
{
    const StdVideoAV1SequenceHeader *std = info->header;
    struct rp_av1_sequence seq = {
        .seq_profile = (uint32_t)std->seq_profile,
        .still_picture = std->flags.still_picture,
        .reduced_still_picture_header = std->flags.reduced_still_picture_header,
        .initial_display_delay_present_flag = std->flags.initial_display_delay_present_flag,
        .frame_width_bits_minus_1 = std->frame_width_bits_minus_1,
        .frame_height_bits_minus_1 = std->frame_height_bits_minus_1,
        .max_frame_width_minus_1 = std->max_frame_width_minus_1,
        .max_frame_height_minus_1 = std->max_frame_height_minus_1,
        .frame_id_numbers_present_flag = std->flags.frame_id_numbers_present_flag,
        .delta_frame_id_length_minus_2 = std->delta_frame_id_length_minus_2,
        .additional_frame_id_length_minus_1 = std->additional_frame_id_length_minus_1,
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
        .seq_force_screen_content_tools = std->seq_force_screen_content_tools,
        .seq_force_integer_mv = std->seq_force_integer_mv,
        .order_hint_bits = std->flags.enable_order_hint ? std->order_hint_bits_minus_1 + 1u : 0,
        .enable_superres = std->flags.enable_superres,
        .enable_cdef = std->flags.enable_cdef,
        .enable_restoration = std->flags.enable_restoration,
        .color = color_of(std->pColorConfig, info->bit_depth),
        .film_grain_params_present = std->flags.film_grain_params_present,
    };
    timing_init(info, &seq);
    operating_points_init(info, &seq);
    return seq;
}

/* What the session's profile says. It implies the subsampling, whatever the structure says. */
static bool
samples_are_valid(const struct rp_av1_encode_sequence_info *info, const struct rp_av1_color *color)
{
    return info->header->seq_profile == STD_VIDEO_AV1_PROFILE_MAIN &&
           color->bit_depth == info->bit_depth && !color->mono_chrome;
}

static bool
override(bool *flag)
{
    const bool was_set = *flag;
    *flag = false;
    return was_set;
}

/* Tools of blocks that our encoder does not write; and those of screen content and film grain,
 * which no picture of ours has. */
static bool
override_tools(struct rp_av1_sequence *seq)
{
    bool has_overrides = override(&seq->still_picture);
    has_overrides |= override(&seq->reduced_still_picture_header);
    has_overrides |= override(&seq->use_128x128_superblock);
    has_overrides |= override(&seq->enable_interintra_compound);
    has_overrides |= override(&seq->enable_dual_filter);
    has_overrides |= override(&seq->film_grain_params_present);
    has_overrides |= seq->enable_order_hint && seq->enable_jnt_comp;
    seq->enable_jnt_comp = false;
    if (seq->seq_force_screen_content_tools == 1) {
        seq->seq_force_screen_content_tools = RP_AV1_SELECT_SCREEN_CONTENT_TOOLS;
        has_overrides = true;
    }
    return has_overrides;
}

/* Sets what a reader of the header infers. */
static bool
take_implied(struct rp_av1_sequence *seq)
{
    uint8_t payload[RP_AV1_MAX_SEQUENCE_OBU_B];
    size_t size_B;
    return rp_av1_sequence_write(seq, payload, sizeof(payload), &size_B) == RP_AV1_OK &&
           rp_av1_sequence_read(payload, size_B, seq) == RP_AV1_OK;
}

bool
rp_av1_encode_sequence_init(const struct rp_av1_encode_sequence_info *info,
                            struct rp_av1_sequence *out, bool *has_overrides_out)
{
    if (info->operating_point_count > RP_AV1_MAX_OPERATING_POINTS)
        return false;
    struct rp_av1_sequence seq = sequence_of(info);
    if (!samples_are_valid(info, &seq.color))
        return false;
    const bool has_overrides = override_tools(&seq);
    if (!take_implied(&seq))
        return false;
    *out = seq;
    *has_overrides_out = has_overrides;
    return true;
}

void
rp_av1_encode_sequence_to_std(const struct rp_av1_sequence *seq, StdVideoAV1ColorConfig *color,
                              StdVideoAV1SequenceHeader *out)
{
    *color = (StdVideoAV1ColorConfig){
        .flags = {.color_range = seq->color.color_range,
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
    *out = (StdVideoAV1SequenceHeader){
        .flags = {.enable_filter_intra = seq->enable_filter_intra,
                  .enable_intra_edge_filter = seq->enable_intra_edge_filter,
                  .enable_masked_compound = seq->enable_masked_compound,
                  .enable_warped_motion = seq->enable_warped_motion,
                  .enable_order_hint = seq->enable_order_hint,
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
        .order_hint_bits_minus_1 = (uint8_t)(seq->enable_order_hint ? seq->order_hint_bits - 1 : 0),
        .seq_force_integer_mv = (uint8_t)seq->seq_force_integer_mv,
        .seq_force_screen_content_tools = (uint8_t)seq->seq_force_screen_content_tools,
        .pColorConfig = color,
    };
}

size_t
rp_av1_encode_sequence_write(const struct rp_av1_sequence *seq, uint8_t *dst, size_t capacity_B)
{
    uint8_t obu[RP_AV1_MAX_SEQUENCE_OBU_B];
    uint8_t payload[RP_AV1_MAX_SEQUENCE_OBU_B - RP_AV1_MAX_OBU_HEADER_B];
    size_t payload_B, header_B;
    if (rp_av1_sequence_write(seq, payload, sizeof(payload), &payload_B) != RP_AV1_OK ||
        rp_av1_obu_header_write(&(struct rp_av1_obu_header){.obu_type = RP_AV1_OBU_SEQUENCE_HEADER,
                                                            .obu_has_size_field = true,
                                                            .payload_B = payload_B},
                                obu, sizeof(obu), &header_B) != RP_AV1_OK)
        return 0; /* not with a sequence that was written before */
    memcpy(obu + header_B, payload, payload_B);
    const size_t size_B = header_B + payload_B;
    if (size_B <= capacity_B)
        memcpy(dst, obu, size_B);
    return size_B;
}

/* SPDX-License-Identifier: MIT */
/* sequence_header_obu() (5.5.1, 6.4.1).
 */
#include "video/av1/sequence.h"

static void
code_timing(struct rp_av1_syntax *syntax, struct rp_av1_sequence *seq)
{
    struct rp_av1_timing *timing = &seq->timing;
    rp_av1_code_flag(syntax, &seq->timing_info_present_flag);
    if (!seq->timing_info_present_flag) {
        *timing = (struct rp_av1_timing){0};
        return;
    }
    rp_av1_code_f(syntax, 32, &timing->num_units_in_display_tick);
    rp_av1_code_f(syntax, 32, &timing->time_scale);
    rp_av1_require(syntax, timing->num_units_in_display_tick > 0 && timing->time_scale > 0);
    rp_av1_code_flag(syntax, &timing->equal_picture_interval);
    if (timing->equal_picture_interval)
        rp_av1_code_uvlc(syntax, &timing->num_ticks_per_picture_minus_1);
    rp_av1_code_flag(syntax, &timing->decoder_model_info_present_flag);
    if (!timing->decoder_model_info_present_flag)
        return;
    rp_av1_code_f(syntax, 5, &timing->buffer_delay_length_minus_1);
    rp_av1_code_f(syntax, 32, &timing->num_units_in_decoding_tick);
    rp_av1_require(syntax, timing->num_units_in_decoding_tick > 0);
    rp_av1_code_f(syntax, 5, &timing->buffer_removal_time_length_minus_1);
    rp_av1_code_f(syntax, 5, &timing->frame_presentation_time_length_minus_1);
}

static void
code_operating_point(struct rp_av1_syntax *syntax, const struct rp_av1_sequence *seq,
                     struct rp_av1_operating_point *op)
{
    rp_av1_code_f(syntax, 12, &op->operating_point_idc);
    rp_av1_code_f(syntax, 5, &op->seq_level_idx);
    if (op->seq_level_idx > 7)
        rp_av1_code_f(syntax, 1, &op->seq_tier);
    else
        op->seq_tier = 0;
    if (seq->timing.decoder_model_info_present_flag)
        rp_av1_code_flag(syntax, &op->decoder_model_present_for_this_op);
    else
        op->decoder_model_present_for_this_op = false;
    if (op->decoder_model_present_for_this_op) {
        const uint32_t n = seq->timing.buffer_delay_length_minus_1 + 1;
        rp_av1_code_f(syntax, n, &op->decoder_buffer_delay);
        rp_av1_code_f(syntax, n, &op->encoder_buffer_delay);
        rp_av1_code_flag(syntax, &op->low_delay_mode_flag);
    }
    if (seq->initial_display_delay_present_flag)
        rp_av1_code_flag(syntax, &op->initial_display_delay_present_for_this_op);
    else
        op->initial_display_delay_present_for_this_op = false;
    if (op->initial_display_delay_present_for_this_op)
        rp_av1_code_f(syntax, 4, &op->initial_display_delay_minus_1);
}

static void
code_operating_points(struct rp_av1_syntax *syntax, struct rp_av1_sequence *seq)
{
    rp_av1_code_flag(syntax, &seq->initial_display_delay_present_flag);
    rp_av1_code_f(syntax, 5, &seq->operating_points_cnt_minus_1);
    for (uint32_t i = 0; i <= (seq->operating_points_cnt_minus_1 & 31); i++) {
        struct rp_av1_operating_point *op = &seq->operating_points[i];
        code_operating_point(syntax, seq, op);
        for (uint32_t j = 0; j < i; j++)
            rp_av1_require(syntax,
                           seq->operating_points[j].operating_point_idc != op->operating_point_idc);
    }
}

static void
code_reduced_operating_point(struct rp_av1_syntax *syntax, struct rp_av1_sequence *seq)
{
    const uint32_t level = seq->operating_points[0].seq_level_idx;
    seq->timing_info_present_flag = false;
    seq->timing = (struct rp_av1_timing){0};
    seq->initial_display_delay_present_flag = false;
    seq->operating_points_cnt_minus_1 = 0;
    seq->operating_points[0] = (struct rp_av1_operating_point){.seq_level_idx = level};
    rp_av1_code_f(syntax, 5, &seq->operating_points[0].seq_level_idx);
}

static void
code_size(struct rp_av1_syntax *syntax, struct rp_av1_sequence *seq)
{
    rp_av1_code_f(syntax, 4, &seq->frame_width_bits_minus_1);
    rp_av1_code_f(syntax, 4, &seq->frame_height_bits_minus_1);
    rp_av1_code_f(syntax, (seq->frame_width_bits_minus_1 & 15) + 1, &seq->max_frame_width_minus_1);
    rp_av1_code_f(syntax, (seq->frame_height_bits_minus_1 & 15) + 1,
                  &seq->max_frame_height_minus_1);
}

static void
code_frame_ids(struct rp_av1_syntax *syntax, struct rp_av1_sequence *seq)
{
    if (seq->reduced_still_picture_header)
        seq->frame_id_numbers_present_flag = false;
    else
        rp_av1_code_flag(syntax, &seq->frame_id_numbers_present_flag);
    if (!seq->frame_id_numbers_present_flag)
        return;
    rp_av1_code_f(syntax, 4, &seq->delta_frame_id_length_minus_2);
    rp_av1_code_f(syntax, 3, &seq->additional_frame_id_length_minus_1);
    rp_av1_require(syntax, rp_av1_frame_id_bits(seq) <= 16);
}

static void
code_order_hint_bits(struct rp_av1_syntax *syntax, struct rp_av1_sequence *seq)
{
    uint32_t order_hint_bits_minus_1 = seq->order_hint_bits - 1;
    if (!seq->enable_order_hint) {
        seq->order_hint_bits = 0;
        return;
    }
    rp_av1_code_f(syntax, 3, &order_hint_bits_minus_1);
    seq->order_hint_bits = (order_hint_bits_minus_1 & 7) + 1;
}

/* A value that is forced for the sequence, or chosen by each frame. */
static void
code_choice(struct rp_av1_syntax *syntax, uint32_t select, uint32_t *value)
{
    bool is_chosen = *value == select;
    rp_av1_code_flag(syntax, &is_chosen);
    if (is_chosen)
        *value = select;
    else
        rp_av1_code_f(syntax, 1, value);
}

static void
code_inter_tools(struct rp_av1_syntax *syntax, struct rp_av1_sequence *seq)
{
    rp_av1_code_flag(syntax, &seq->enable_interintra_compound);
    rp_av1_code_flag(syntax, &seq->enable_masked_compound);
    rp_av1_code_flag(syntax, &seq->enable_warped_motion);
    rp_av1_code_flag(syntax, &seq->enable_dual_filter);
    rp_av1_code_flag(syntax, &seq->enable_order_hint);
    if (seq->enable_order_hint) {
        rp_av1_code_flag(syntax, &seq->enable_jnt_comp);
        rp_av1_code_flag(syntax, &seq->enable_ref_frame_mvs);
    } else {
        seq->enable_jnt_comp = seq->enable_ref_frame_mvs = false;
    }
    code_choice(syntax, RP_AV1_SELECT_SCREEN_CONTENT_TOOLS, &seq->seq_force_screen_content_tools);
    if (seq->seq_force_screen_content_tools > 0)
        code_choice(syntax, RP_AV1_SELECT_INTEGER_MV, &seq->seq_force_integer_mv);
    else
        seq->seq_force_integer_mv = RP_AV1_SELECT_INTEGER_MV;
    code_order_hint_bits(syntax, seq);
}

static void
imply_no_inter_tools(struct rp_av1_sequence *seq)
{
    seq->enable_interintra_compound = seq->enable_masked_compound = false;
    seq->enable_warped_motion = seq->enable_dual_filter = false;
    seq->enable_order_hint = seq->enable_jnt_comp = seq->enable_ref_frame_mvs = false;
    seq->seq_force_screen_content_tools = RP_AV1_SELECT_SCREEN_CONTENT_TOOLS;
    seq->seq_force_integer_mv = RP_AV1_SELECT_INTEGER_MV;
    seq->order_hint_bits = 0;
}

void
rp_av1_code_sequence(struct rp_av1_syntax *syntax, struct rp_av1_sequence *seq)
{
    rp_av1_code_f(syntax, 3, &seq->seq_profile);
    rp_av1_require(syntax, seq->seq_profile <= 2);
    rp_av1_code_flag(syntax, &seq->still_picture);
    rp_av1_code_flag(syntax, &seq->reduced_still_picture_header);
    rp_av1_require(syntax, seq->still_picture || !seq->reduced_still_picture_header);
    if (seq->reduced_still_picture_header) {
        code_reduced_operating_point(syntax, seq);
    } else {
        code_timing(syntax, seq);
        code_operating_points(syntax, seq);
    }
    code_size(syntax, seq);
    code_frame_ids(syntax, seq);
    rp_av1_code_flag(syntax, &seq->use_128x128_superblock);
    rp_av1_code_flag(syntax, &seq->enable_filter_intra);
    rp_av1_code_flag(syntax, &seq->enable_intra_edge_filter);
    if (seq->reduced_still_picture_header)
        imply_no_inter_tools(seq);
    else
        code_inter_tools(syntax, seq);
    rp_av1_code_flag(syntax, &seq->enable_superres);
    rp_av1_code_flag(syntax, &seq->enable_cdef);
    rp_av1_code_flag(syntax, &seq->enable_restoration);
    rp_av1_code_color(syntax, seq->seq_profile, &seq->color);
    rp_av1_code_flag(syntax, &seq->film_grain_params_present);
}

enum rp_av1_status
rp_av1_sequence_read(const void *payload, size_t payload_B, struct rp_av1_sequence *out)
{
    struct rp_av1_syntax syntax;
    struct rp_av1_sequence seq = {0};
    rp_av1_syntax_init_read(&syntax, payload, payload_B);
    rp_av1_code_sequence(&syntax, &seq);
    rp_av1_code_trailing(&syntax);
    if (rp_av1_syntax_status(&syntax) == RP_AV1_OK)
        *out = seq;
    return rp_av1_syntax_status(&syntax);
}

enum rp_av1_status
rp_av1_sequence_write(const struct rp_av1_sequence *seq, void *payload, size_t capacity_B,
                      size_t *size_B_out)
{
    struct rp_av1_syntax syntax;
    struct rp_av1_sequence copy = *seq;
    rp_av1_syntax_init_write(&syntax, payload, capacity_B);
    rp_av1_code_sequence(&syntax, &copy);
    rp_av1_code_trailing(&syntax);
    *size_B_out = rp_av1_syntax_position(&syntax) / 8;
    return rp_av1_syntax_status(&syntax);
}

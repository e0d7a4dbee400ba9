/* SPDX-License-Identifier: MIT */
/* AV1's sequence header OBU (5.5, 6.4), by the names of its syntax elements.
 */
#ifndef RP_VIDEO_AV1_SEQUENCE_H
#define RP_VIDEO_AV1_SEQUENCE_H

#include "video/av1/syntax.h"

#define RP_AV1_MAX_OPERATING_POINTS 32
#define RP_AV1_SELECT_SCREEN_CONTENT_TOOLS 2u
#define RP_AV1_SELECT_INTEGER_MV 2u

/* color_config() (5.5.2) */
struct rp_av1_color {
    uint32_t bit_depth; /* 8, 10, 12 */
    bool mono_chrome;
    bool color_description_present_flag;
    uint32_t color_primaries;
    uint32_t transfer_characteristics;
    uint32_t matrix_coefficients;
    bool color_range;
    bool subsampling_x;
    bool subsampling_y;
    uint32_t chroma_sample_position;
    bool separate_uv_delta_q;
};

/* timing_info() and decoder_model_info() (5.5.3, 5.5.4) */
struct rp_av1_timing {
    uint32_t num_units_in_display_tick;
    uint32_t time_scale;
    bool equal_picture_interval;
    uint32_t num_ticks_per_picture_minus_1;
    bool decoder_model_info_present_flag;
    uint32_t buffer_delay_length_minus_1;
    uint32_t num_units_in_decoding_tick;
    uint32_t buffer_removal_time_length_minus_1;
    uint32_t frame_presentation_time_length_minus_1;
};

struct rp_av1_operating_point {
    uint32_t operating_point_idc;
    uint32_t seq_level_idx;
    uint32_t seq_tier;
    bool decoder_model_present_for_this_op;
    uint32_t decoder_buffer_delay;
    uint32_t encoder_buffer_delay;
    bool low_delay_mode_flag;
    bool initial_display_delay_present_for_this_op;
    uint32_t initial_display_delay_minus_1;
};

struct rp_av1_sequence {
    uint32_t seq_profile;
    bool still_picture;
    bool reduced_still_picture_header;
    bool timing_info_present_flag;
    struct rp_av1_timing timing; /* zero when it is not present */
    bool initial_display_delay_present_flag;
    uint32_t operating_points_cnt_minus_1;
    struct rp_av1_operating_point operating_points[RP_AV1_MAX_OPERATING_POINTS];
    uint32_t frame_width_bits_minus_1;
    uint32_t frame_height_bits_minus_1;
    uint32_t max_frame_width_minus_1;
    uint32_t max_frame_height_minus_1;
    bool frame_id_numbers_present_flag;
    uint32_t delta_frame_id_length_minus_2;
    uint32_t additional_frame_id_length_minus_1;
    bool use_128x128_superblock;
    bool enable_filter_intra;
    bool enable_intra_edge_filter;
    bool enable_interintra_compound;
    bool enable_masked_compound;
    bool enable_warped_motion;
    bool enable_dual_filter;
    bool enable_order_hint;
    bool enable_jnt_comp;
    bool enable_ref_frame_mvs;
    uint32_t seq_force_screen_content_tools; /* SELECT_SCREEN_CONTENT_TOOLS: the frames say */
    uint32_t seq_force_integer_mv;           /* likewise */
    uint32_t order_hint_bits;                /* OrderHintBits: 0 without order hints */
    bool enable_superres;
    bool enable_cdef;
    bool enable_restoration;
    struct rp_av1_color color;
    bool film_grain_params_present;
};

/* sequence_header_obu(), without the trailing bits. Sets what the syntax implies in both
 * directions. */
void rp_av1_code_sequence(struct rp_av1_syntax *syntax, struct rp_av1_sequence *seq);

/* color_config(), for rp_av1_code_sequence(). */
void rp_av1_code_color(struct rp_av1_syntax *syntax, uint32_t seq_profile,
                       struct rp_av1_color *color);

/* The payload of a sequence header OBU up to the byte that ends its syntax; zeros may follow. *out
 * is written on success alone. */
enum rp_av1_status rp_av1_sequence_read(const void *payload, size_t payload_B,
                                        struct rp_av1_sequence *out);

/* *size_B_out: what the payload takes, also when that is more than capacity_B. */
enum rp_av1_status rp_av1_sequence_write(const struct rp_av1_sequence *seq, void *payload,
                                         size_t capacity_B, size_t *size_B_out);

/* Bits of frame ids (idLen). */
static inline uint32_t
rp_av1_frame_id_bits(const struct rp_av1_sequence *seq)
{
    return seq->additional_frame_id_length_minus_1 + seq->delta_frame_id_length_minus_2 + 3;
}

/* get_relative_dist() (5.9.3): how much later a is than b. */
static inline int32_t
rp_av1_relative_distance(const struct rp_av1_sequence *seq, uint32_t a, uint32_t b)
{
    if (seq->order_hint_bits == 0)
        return 0;
    const int32_t sign = (int32_t)((uint32_t)1 << (seq->order_hint_bits - 1));
    const int32_t difference = (int32_t)(a - b);
    return (difference & (sign - 1)) - (difference & sign);
}

#endif

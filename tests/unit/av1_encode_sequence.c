/* SPDX-License-Identifier: MIT */
/* The sequence header of AV1 encode sessions.
 */
#include "av1_encode_fake.h"

static void
the_sequence_header_is_written_as_asked(void)
{
    static const StdVideoAV1TimingInfo timing = {.num_units_in_display_tick = 1001,
                                                 .time_scale = 30000};
    static const StdVideoEncodeAV1DecoderModelInfo model = {
        .buffer_delay_length_minus_1 = 23,
        .buffer_removal_time_length_minus_1 = 21,
        .frame_presentation_time_length_minus_1 = 9,
        .num_units_in_decoding_tick = 3,
    };
    static const StdVideoEncodeAV1OperatingPointInfo points[] = {
        {.flags = {.decoder_model_present_for_this_op = 1, .low_delay_mode_flag = 1},
         .operating_point_idc = 0x103,
         .seq_level_idx = 13,
         .seq_tier = 1,
         .decoder_buffer_delay = 5,
         .encoder_buffer_delay = 6},
        {.operating_point_idc = 0x101, .seq_level_idx = 5},
    };
    StdVideoAV1SequenceHeader std = plain_sequence;
    std.flags.timing_info_present_flag = 1;
    std.flags.enable_restoration = std.flags.enable_superres = 1;
    std.flags.enable_filter_intra = std.flags.enable_warped_motion = 1;
    std.flags.frame_id_numbers_present_flag = 1;
    std.delta_frame_id_length_minus_2 = 12;
    std.pTimingInfo = &timing;
    struct rp_video_parameters *params;
    REQUIRE_EQ(create_parameters(
                   &(VkVideoEncodeAV1SessionParametersCreateInfoKHR){
                       .pStdSequenceHeader = &std,
                       .pStdDecoderModelInfo = &model,
                       .stdOperatingPointCount = 2,
                       .pStdOperatingPoints = points,
                   },
                   &params),
               VK_SUCCESS);

    bool has_overrides;
    const struct rp_av1_sequence seq = read_sequence(params, &has_overrides);
    REQUIRE(!has_overrides);
    REQUIRE_EQ(seq.max_frame_width_minus_1, WIDTH_PX - 1);
    REQUIRE_EQ(seq.max_frame_height_minus_1, HEIGHT_PX - 1);
    REQUIRE(seq.enable_order_hint && seq.enable_cdef && seq.enable_ref_frame_mvs);
    REQUIRE(seq.enable_restoration && seq.enable_superres && seq.enable_filter_intra);
    REQUIRE(seq.enable_warped_motion && !seq.enable_intra_edge_filter);
    REQUIRE_EQ(seq.order_hint_bits, 7);
    REQUIRE(seq.frame_id_numbers_present_flag);
    REQUIRE_EQ(seq.delta_frame_id_length_minus_2, 12);
    REQUIRE_EQ(seq.timing.time_scale, 30000);
    REQUIRE_EQ(seq.timing.buffer_removal_time_length_minus_1, 21);
    REQUIRE_EQ(seq.operating_points_cnt_minus_1, 1);
    REQUIRE_EQ(seq.operating_points[0].operating_point_idc, 0x103);
    REQUIRE_EQ(seq.operating_points[0].seq_level_idx, 13);
    REQUIRE_EQ(seq.operating_points[0].seq_tier, 1);
    REQUIRE_EQ(seq.operating_points[0].encoder_buffer_delay, 6);
    REQUIRE(seq.operating_points[0].low_delay_mode_flag);
    REQUIRE_EQ(seq.operating_points[1].seq_level_idx, 5);
    rp_video_parameters_unref(params);
}

static void
tools_that_are_not_there_are_overridden(void)
{
    StdVideoAV1SequenceHeader std = plain_sequence;
    std.flags.use_128x128_superblock = std.flags.enable_dual_filter = 1;
    std.flags.enable_interintra_compound = std.flags.enable_jnt_comp = 1;
    std.flags.film_grain_params_present = 1;
    std.seq_force_screen_content_tools = 1;
    struct rp_video_parameters *params;
    REQUIRE_EQ(
        create_parameters(
            &(VkVideoEncodeAV1SessionParametersCreateInfoKHR){.pStdSequenceHeader = &std}, &params),
        VK_SUCCESS);
    bool has_overrides;
    const struct rp_av1_sequence seq = read_sequence(params, &has_overrides);
    REQUIRE(has_overrides);
    REQUIRE(!seq.use_128x128_superblock && !seq.enable_dual_filter);
    REQUIRE(!seq.enable_interintra_compound && !seq.enable_jnt_comp);
    REQUIRE(!seq.film_grain_params_present);
    REQUIRE_EQ(seq.seq_force_screen_content_tools, RP_AV1_SELECT_SCREEN_CONTENT_TOOLS);
    rp_video_parameters_unref(params);
}

static void
require_refused(const StdVideoAV1SequenceHeader *std, uint32_t operating_point_count)
{
    static const StdVideoEncodeAV1OperatingPointInfo points[33];
    struct rp_video_parameters *params;
    REQUIRE_EQ(create_parameters(
                   &(VkVideoEncodeAV1SessionParametersCreateInfoKHR){
                       .pStdSequenceHeader = std,
                       .stdOperatingPointCount = operating_point_count,
                       .pStdOperatingPoints = points,
                   },
                   &params),
               VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR);
}

static void
sequences_that_cannot_be_are_refused(void)
{
    StdVideoAV1SequenceHeader std = plain_sequence;
    require_refused(NULL, 0);
    require_refused(&std, 33);
    require_refused(&std, 2);         /* both of the same layers */
    std.frame_width_bits_minus_1 = 7; /* too few for the width */
    require_refused(&std, 0);
    std = plain_sequence;
    std.seq_profile = STD_VIDEO_AV1_PROFILE_HIGH;
    require_refused(&std, 0);
    std = plain_sequence;
    std.flags.frame_id_numbers_present_flag = 1;
    std.delta_frame_id_length_minus_2 = 15;
    require_refused(&std, 0);

    StdVideoAV1ColorConfig other = color;
    std = plain_sequence;
    std.pColorConfig = &other;
    other.BitDepth = 10;
    require_refused(&std, 0);
    other = color;
    other.flags.mono_chrome = 1;
    require_refused(&std, 0);
    other = color;
    other.chroma_sample_position = STD_VIDEO_AV1_CHROMA_SAMPLE_POSITION_RESERVED;
    require_refused(&std, 0);
}

int
main(void)
{
    RUN(the_sequence_header_is_written_as_asked);
    RUN(tools_that_are_not_there_are_overridden);
    RUN(sequences_that_cannot_be_are_refused);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* Parameter sets of H.265 encode sessions: what is written is what was given, but for what the
 * encoder cannot do, which is reported.
 */
#include "src/video/profile.h" /* tests/video/ has one of the same name */
#include "test.h"
#include "video/h265/encode_parameters.h"
#include "video/h265/nal_units.h"
#include "video/h265/parameter_sets.h"
#include "video/h265/standard.h"

struct sets {
    bool has_maps; /* the session parameters are for quantization maps, too */
    bool may_optimize;
    VkVideoEncodeTuningModeKHR tuning_mode;
    uint32_t max_height_px; /* of the session */
    StdVideoH265ProfileTierLevel profile;
    StdVideoH265DecPicBufMgr buffers;
    StdVideoH265ShortTermRefPicSet short_term[2];
    StdVideoH265SequenceParameterSetVui vui;
    StdVideoH265VideoParameterSet vps;
    StdVideoH265SequenceParameterSet sps;
    StdVideoH265PictureParameterSet pps;
};

/* As they are read back. */
struct written {
    struct rp_h265_vps vps;
    struct rp_h265_sps sps;
    StdVideoH265SequenceParameterSetVui vui;
    bool has_vui;
    struct rp_h265_pps pps;
    VkVideoEncodeH265SessionParametersFeedbackInfoKHR overrides;
};

static void
sets_init(struct sets *sets)
{
    *sets = (struct sets){
        .profile = {.flags = {.general_progressive_source_flag = 1},
                    .general_profile_idc = STD_VIDEO_H265_PROFILE_IDC_MAIN,
                    .general_level_idc = STD_VIDEO_H265_LEVEL_IDC_4_1},
        .buffers = {.max_dec_pic_buffering_minus1 = {4}, .max_num_reorder_pics = {2}},
        .vps = {.flags = {.vps_temporal_id_nesting_flag = 1,
                          .vps_timing_info_present_flag = 1,
                          .vps_poc_proportional_to_timing_flag = 1},
                .vps_video_parameter_set_id = 3,
                .vps_num_units_in_tick = 1001,
                .vps_time_scale = 60000,
                .vps_num_ticks_poc_diff_one_minus1 = 1},
        .sps = {.flags = {.conformance_window_flag = 1,
                          .amp_enabled_flag = 1,
                          .sample_adaptive_offset_enabled_flag = 1,
                          .sps_temporal_mvp_enabled_flag = 1,
                          .vui_parameters_present_flag = 1},
                .chroma_format_idc = STD_VIDEO_H265_CHROMA_FORMAT_IDC_420,
                .pic_width_in_luma_samples = 1920,
                .pic_height_in_luma_samples = 1088,
                .sps_video_parameter_set_id = 3,
                .sps_seq_parameter_set_id = 2,
                .log2_max_pic_order_cnt_lsb_minus4 = 4,
                .log2_diff_max_min_luma_coding_block_size = 3,
                .log2_diff_max_min_luma_transform_block_size = 3,
                .num_short_term_ref_pic_sets = 2,
                .conf_win_bottom_offset = 4},
        .pps = {.flags = {.transform_skip_enabled_flag = 1, .cu_qp_delta_enabled_flag = 1},
                .pps_pic_parameter_set_id = 5,
                .pps_seq_parameter_set_id = 2,
                .sps_video_parameter_set_id = 3,
                .init_qp_minus26 = 4},
        .vui = {.flags = {.aspect_ratio_info_present_flag = 1,
                          .video_signal_type_present_flag = 1,
                          .colour_description_present_flag = 1,
                          .vui_timing_info_present_flag = 1,
                          .bitstream_restriction_flag = 1},
                .aspect_ratio_idc = STD_VIDEO_H265_ASPECT_RATIO_IDC_EXTENDED_SAR,
                .sar_width = 4,
                .sar_height = 3,
                .video_format = 5,
                .colour_primaries = 9,
                .transfer_characteristics = 16,
                .matrix_coeffs = 9,
                .vui_num_units_in_tick = 1,
                .vui_time_scale = 50,
                .log2_max_mv_length_horizontal = 15},
        .short_term = {{.num_negative_pics = 1, .used_by_curr_pic_s0_flag = 1},
                       {.flags = {.inter_ref_pic_set_prediction_flag = 1},
                        .use_delta_flag = 3,
                        .used_by_curr_pic_flag = 3}},
    };
    sets->vps.pProfileTierLevel = sets->sps.pProfileTierLevel = &sets->profile;
    sets->vps.pDecPicBufMgr = sets->sps.pDecPicBufMgr = &sets->buffers;
    sets->sps.pShortTermRefPicSet = sets->short_term;
    sets->sps.pSequenceParameterSetVui = &sets->vui;
}

static VkResult
params_create(const struct sets *sets, struct rp_video_parameters **out)
{
    const struct rp_video_profile profile = {
        .standard = &rp_h265_encode_operation,
        .idc = STD_VIDEO_H265_PROFILE_IDC_MAIN,
        .bit_depth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR,
        .tuning_mode = sets->tuning_mode,
    };
    const VkVideoEncodeH265SessionParametersAddInfoKHR add = {
        .stdVPSCount = 1,
        .pStdVPSs = &sets->vps,
        .stdSPSCount = 1,
        .pStdSPSs = &sets->sps,
        .stdPPSCount = 1,
        .pStdPPSs = &sets->pps,
    };
    const VkVideoEncodeH265SessionParametersCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_SESSION_PARAMETERS_CREATE_INFO_KHR,
        .maxStdVPSCount = 1,
        .maxStdSPSCount = 1,
        .maxStdPPSCount = 1,
        .pParametersAddInfo = &add,
    };
    return rp_h265_encode_parameters_ops.create(
        NULL,
        &(struct rp_video_parameters_info){.profile = &profile,
                                           .has_quantization_maps = sets->has_maps,
                                           .may_optimize = sets->may_optimize,
                                           .max_coded_extent = {1920, sets->max_height_px},
                                           .chain = &info},
        out);
}

static void
read_set(const uint8_t *rbsp, size_t size_B, uint32_t nal_unit_type, struct written *out)
{
    struct rp_h265_syntax syntax;
    rp_h265_syntax_init_read(&syntax, rbsp, size_B);
    if (nal_unit_type == 32) {
        rp_h265_code_vps(&syntax, &out->vps);
    } else if (nal_unit_type == 33) {
        rp_h265_code_sps(&syntax, &out->sps);
        out->has_vui = rp_h265_flag(&syntax, false);
        if (out->has_vui)
            rp_h265_code_vui(&syntax, &out->vui);
    } else {
        rp_h265_code_pps(&syntax, &out->pps);
    }
    REQUIRE(rp_h265_syntax_is_ok(&syntax));
}

/* Writes all three and reads them back. */
static void
write_and_read(const struct sets *sets, struct written *out)
{
    struct rp_video_parameters *params;
    uint8_t bytes[1024];
    size_t size_B, at_B = 0;
    struct rp_h265_nal nal;
    *out = (struct written){
        .overrides.sType =
            VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_SESSION_PARAMETERS_FEEDBACK_INFO_KHR};
    VkVideoEncodeSessionParametersFeedbackInfoKHR feedback = {.pNext = &out->overrides};
    const VkVideoEncodeH265SessionParametersGetInfoKHR get = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_SESSION_PARAMETERS_GET_INFO_KHR,
        .writeStdVPS = VK_TRUE,
        .writeStdSPS = VK_TRUE,
        .writeStdPPS = VK_TRUE,
        .stdVPSId = 3,
        .stdSPSId = 2,
        .stdPPSId = 5,
    };
    REQUIRE_EQ(params_create(sets, &params), VK_SUCCESS);
    REQUIRE(params->ops->write(params, &get, bytes, sizeof(bytes), &feedback, &size_B));
    REQUIRE(size_B <= sizeof(bytes));
    uint32_t type = 32;
    while (rp_h265_nal_next(bytes, size_B, &at_B, &nal)) {
        REQUIRE_EQ(nal.nal_unit_type, type++);
        uint8_t rbsp[1024];
        read_set(rbsp, rp_h265_unescape(rbsp, bytes + nal.offset_B, nal.size_B), nal.nal_unit_type,
                 out);
    }
    REQUIRE_EQ(type, 35u);
    rp_video_parameters_unref(params);
}

static void
what_can_be_done_is_written_as_given(void)
{
    struct sets sets;
    struct written out;
    sets_init(&sets);
    write_and_read(&sets, &out);
    REQUIRE(!out.overrides.hasStdVPSOverrides && !out.overrides.hasStdSPSOverrides &&
            !out.overrides.hasStdPPSOverrides);
    REQUIRE_EQ(out.vps.std.vps_time_scale, 60000u);
    REQUIRE_EQ(out.vps.std.vps_num_ticks_poc_diff_one_minus1, 1u);
    REQUIRE_EQ(out.vps.dec_pic_buf_mgr.max_num_reorder_pics[0], 2);
    REQUIRE_EQ(out.vps.profile_tier_level.general_level_idc, STD_VIDEO_H265_LEVEL_IDC_4_1);
    REQUIRE_EQ(out.sps.std.pic_height_in_luma_samples, 1088u);
    REQUIRE_EQ(out.sps.std.conf_win_bottom_offset, 4u);
    REQUIRE(out.sps.std.flags.amp_enabled_flag &&
            out.sps.std.flags.sample_adaptive_offset_enabled_flag &&
            out.sps.std.flags.sps_temporal_mvp_enabled_flag);
    REQUIRE_EQ(out.sps.short_term_ref_pic_sets[1].num_negative_pics, 0);
    REQUIRE_EQ(out.sps.short_term_ref_pic_sets[1].num_positive_pics, 1);
    REQUIRE(out.has_vui);
    REQUIRE_EQ(out.vui.sar_width, 4);
    REQUIRE_EQ(out.vui.transfer_characteristics, 16);
    REQUIRE_EQ(out.vui.vui_time_scale, 50u);
    REQUIRE_EQ(out.vui.log2_max_mv_length_horizontal, 15);
    REQUIRE(out.pps.std.flags.transform_skip_enabled_flag &&
            out.pps.std.flags.cu_qp_delta_enabled_flag);
    REQUIRE_EQ(out.pps.std.init_qp_minus26, 4);
}

static void
what_cannot_be_done_is_overridden(void)
{
    struct sets sets;
    struct written out;
    sets_init(&sets);
    sets.profile.general_profile_idc = STD_VIDEO_H265_PROFILE_IDC_MAIN_10;
    sets.sps.pic_width_in_luma_samples = 1366; /* not whole coding blocks */
    sets.sps.log2_diff_max_min_luma_coding_block_size = 2;
    sets.sps.max_transform_hierarchy_depth_intra = 3;
    sets.sps.flags.strong_intra_smoothing_enabled_flag = 1;
    sets.pps.flags.weighted_pred_flag = 1;
    sets.pps.flags.tiles_enabled_flag = 1;
    sets.pps.diff_cu_qp_delta_depth = 1;
    sets.pps.pps_cb_qp_offset = 2;
    write_and_read(&sets, &out);
    REQUIRE(out.overrides.hasStdVPSOverrides && out.overrides.hasStdSPSOverrides &&
            out.overrides.hasStdPPSOverrides);
    REQUIRE_EQ(out.sps.profile_tier_level.general_profile_idc, STD_VIDEO_H265_PROFILE_IDC_MAIN);
    REQUIRE_EQ(out.sps.std.pic_width_in_luma_samples, 1368u);
    REQUIRE_EQ(out.sps.std.conf_win_right_offset, 1u);
    REQUIRE_EQ(rp_h265_ctb_px(&out.sps.std), 64u);
    REQUIRE_EQ(out.sps.std.max_transform_hierarchy_depth_intra, 0);
    REQUIRE(!out.sps.std.flags.strong_intra_smoothing_enabled_flag);
    REQUIRE(!out.pps.std.flags.weighted_pred_flag && !out.pps.std.flags.tiles_enabled_flag);
    REQUIRE_EQ(out.pps.std.diff_cu_qp_delta_depth, 0);
    REQUIRE_EQ(out.pps.std.pps_cb_qp_offset, 0);
}

static void
maps_want_quantisers_of_blocks(void)
{
    struct sets sets;
    struct written out;
    sets_init(&sets);
    sets.has_maps = true;
    write_and_read(&sets, &out);
    REQUIRE(!out.overrides.hasStdPPSOverrides);
    sets.pps.flags.cu_qp_delta_enabled_flag = 0;
    write_and_read(&sets, &out);
    REQUIRE(out.overrides.hasStdPPSOverrides && out.pps.std.flags.cu_qp_delta_enabled_flag);
    sets.has_maps = false;
    write_and_read(&sets, &out);
    REQUIRE(!out.overrides.hasStdPPSOverrides && !out.pps.std.flags.cu_qp_delta_enabled_flag);
}

/* What comes out has them. */
static bool
has_wavefronts(const struct sets *sets, bool is_override)
{
    struct written out;
    write_and_read(sets, &out);
    REQUIRE_EQ(out.overrides.hasStdPPSOverrides, is_override);
    return out.pps.std.flags.entropy_coding_sync_enabled_flag;
}

static void
wavefronts_are_for_low_latency_where_we_may_override(void)
{
    struct sets sets;
    sets_init(&sets);
    sets.max_height_px = 1080;
    REQUIRE(!has_wavefronts(&sets, false));
    sets.may_optimize = true;
    REQUIRE(!has_wavefronts(&sets, false));
    sets.tuning_mode = VK_VIDEO_ENCODE_TUNING_MODE_LOW_LATENCY_KHR;
    REQUIRE(has_wavefronts(&sets, true));
    sets.may_optimize = false;
    REQUIRE(!has_wavefronts(&sets, false));
    sets.may_optimize = true;
    sets.tuning_mode = VK_VIDEO_ENCODE_TUNING_MODE_ULTRA_LOW_LATENCY_KHR;
    REQUIRE(has_wavefronts(&sets, true));
    sets.max_height_px = 480;
    REQUIRE(!has_wavefronts(&sets, false));
    sets.pps.flags.entropy_coding_sync_enabled_flag = 1;
    REQUIRE(has_wavefronts(&sets, false));
    sets.max_height_px = 1080;
    REQUIRE(has_wavefronts(&sets, false));
}

static void
wavefronts_follow_the_environment(void)
{
    struct sets sets;
    sets_init(&sets);
    sets.max_height_px = 1080;
    REQUIRE_EQ(setenv("REELPIPE_WAVEFRONTS", "1", 1), 0);
    REQUIRE(has_wavefronts(&sets, true));
    REQUIRE_EQ(setenv("REELPIPE_WAVEFRONTS", "0", 1), 0);
    sets.may_optimize = true;
    sets.tuning_mode = VK_VIDEO_ENCODE_TUNING_MODE_LOW_LATENCY_KHR;
    REQUIRE(!has_wavefronts(&sets, false));
    sets.pps.flags.entropy_coding_sync_enabled_flag = 1;
    REQUIRE(has_wavefronts(&sets, false));
    REQUIRE_EQ(unsetenv("REELPIPE_WAVEFRONTS"), 0);
}

static void
what_no_stream_can_say_is_refused(void)
{
    struct rp_video_parameters *params;
    struct sets sets;
    sets_init(&sets);
    sets.sps.bit_depth_luma_minus8 = sets.sps.bit_depth_chroma_minus8 = 2;
    REQUIRE_EQ(params_create(&sets, &params), VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR);
    sets_init(&sets);
    sets.sps.chroma_format_idc = STD_VIDEO_H265_CHROMA_FORMAT_IDC_444;
    REQUIRE_EQ(params_create(&sets, &params), VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR);
    sets_init(&sets);
    sets.sps.conf_win_bottom_offset = 544;
    REQUIRE_EQ(params_create(&sets, &params), VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR);
    sets_init(&sets);
    sets.vui.video_format = 8;
    REQUIRE_EQ(params_create(&sets, &params), VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR);
    sets_init(&sets);
    sets.buffers.max_dec_pic_buffering_minus1[0] = 16;
    REQUIRE_EQ(params_create(&sets, &params), VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR);
    sets_init(&sets);
    sets.pps.init_qp_minus26 = 26;
    REQUIRE_EQ(params_create(&sets, &params), VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR);
    sets_init(&sets);
    sets.vps.vps_video_parameter_set_id = 16;
    REQUIRE_EQ(params_create(&sets, &params), VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR);
}

int
main(void)
{
    RUN(what_can_be_done_is_written_as_given);
    RUN(what_cannot_be_done_is_overridden);
    RUN(maps_want_quantisers_of_blocks);
    RUN(wavefronts_are_for_low_latency_where_we_may_override);
    RUN(wavefronts_follow_the_environment);
    RUN(what_no_stream_can_say_is_refused);
    return 0;
}

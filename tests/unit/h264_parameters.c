/* SPDX-License-Identifier: MIT */
/* Parameter sets that are stored: what an encoder refuses, infers and overrides.
 */
#include "video/h264/parameters.h"

#include "test.h"

struct given {
    StdVideoH264SequenceParameterSet sps;
    StdVideoH264SequenceParameterSetVui vui;
    StdVideoH264HrdParameters hrd;
    int32_t ref_offsets[2];
    StdVideoH264PictureParameterSet pps;
};

static void
given_init(struct given *g, StdVideoH264ProfileIdc profile_idc)
{
    *g = (struct given){
        .sps = {.profile_idc = profile_idc,
                .level_idc = STD_VIDEO_H264_LEVEL_IDC_4_0,
                .chroma_format_idc = STD_VIDEO_H264_CHROMA_FORMAT_IDC_420,
                .flags = {.frame_mbs_only_flag = 1,
                          .direct_8x8_inference_flag = 1,
                          .vui_parameters_present_flag = 1},
                .pic_order_cnt_type = STD_VIDEO_H264_POC_TYPE_1,
                .num_ref_frames_in_pic_order_cnt_cycle = 2,
                .pOffsetForRefFrame = g->ref_offsets,
                .pSequenceParameterSetVui = &g->vui},
        .vui = {.flags = {.aspect_ratio_info_present_flag = 1,
                          .video_signal_type_present_flag = 1,
                          .nal_hrd_parameters_present_flag = 1},
                .pHrdParameters = &g->hrd},
        .hrd = {.cpb_cnt_minus1 = 1},
    };
}

static VkResult
create_within(const struct given *g, bool is_encode, StdVideoH264LevelIdc max_level_idc,
              struct rp_h264_parameters **out)
{
    const struct rp_h264_parameters_info info = {
        .max_sps_count = 1,
        .max_pps_count = 1,
        .sets = {.sps = &g->sps, .sps_count = 1, .pps = &g->pps, .pps_count = 1},
        .is_encode = is_encode,
        .profile_idc = g->sps.profile_idc,
        .max_level_idc = max_level_idc,
    };
    return rp_h264_parameters_create(NULL, &info, out);
}

static VkResult
create(const struct given *g, bool is_encode, struct rp_h264_parameters **out)
{
    return create_within(g, is_encode, STD_VIDEO_H264_LEVEL_IDC_6_2, out);
}

static void
require_created(const struct given *g, bool is_encode)
{
    struct rp_h264_parameters *params;
    REQUIRE_EQ(create(g, is_encode, &params), VK_SUCCESS);
    rp_video_parameters_unref(rp_h264_parameters_common(params));
}

/* A decoder looks at none of it. */
static void
require_refused(struct given *g)
{
    struct rp_h264_parameters *params;
    REQUIRE_EQ(create(g, true, &params), VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR);
    require_created(g, false);
    given_init(g, STD_VIDEO_H264_PROFILE_IDC_MAIN);
}

static void
what_the_syntax_has_no_room_for_is_not_encoded(void)
{
    struct given g;
    given_init(&g, STD_VIDEO_H264_PROFILE_IDC_MAIN);
    require_created(&g, true);
    g.hrd.cpb_cnt_minus1 = 32;
    require_refused(&g);
    g.hrd.bit_rate_scale = 16;
    require_refused(&g);
    g.hrd.cpb_size_scale = 16;
    require_refused(&g);
    g.hrd.cpb_removal_delay_length_minus1 = 32;
    require_refused(&g);
    g.hrd.bit_rate_value_minus1[1] = UINT32_MAX;
    require_refused(&g);
    g.hrd.cpb_size_value_minus1[0] = UINT32_MAX;
    require_refused(&g);
    g.vui.video_format = 8;
    require_refused(&g);
    g.vui.aspect_ratio_idc = (StdVideoH264AspectRatioIdc)256;
    require_refused(&g);
    g.ref_offsets[1] = INT32_MIN;
    require_refused(&g);
    g.sps.offset_for_non_ref_pic = INT32_MIN;
    require_refused(&g);
}

static void
what_is_not_there_may_be_anything(void)
{
    struct given g;
    given_init(&g, STD_VIDEO_H264_PROFILE_IDC_MAIN);
    g.vui.flags = (StdVideoH264SpsVuiFlags){.timing_info_present_flag = 1};
    g.hrd.cpb_cnt_minus1 = 200;
    g.vui.video_format = 9;
    require_created(&g, true);
    g.sps.flags.vui_parameters_present_flag = 0;
    g.sps.pSequenceParameterSetVui = NULL;
    require_created(&g, true);
}

/* A.3.1 h): at 8192x4352 level 6.2 holds 5 pictures, 6.1 and 6.0 too, 5.2 one. */
static void
no_more_pictures_than_a_level_holds(void)
{
    struct given g;
    given_init(&g, STD_VIDEO_H264_PROFILE_IDC_MAIN);
    g.sps.pic_width_in_mbs_minus1 = 511;
    g.sps.pic_height_in_map_units_minus1 = 271;
    g.sps.max_num_ref_frames = 5;
    g.vui.max_dec_frame_buffering = 6; /* means nothing without its flag */
    require_created(&g, true);         /* though level 4, which the set claims, holds none */
    g.vui.max_dec_frame_buffering = 5;
    g.vui.flags.bitstream_restriction_flag = 1;
    require_created(&g, true);

    struct rp_h264_parameters *params;
    REQUIRE_EQ(create_within(&g, true, STD_VIDEO_H264_LEVEL_IDC_6_0, &params), VK_SUCCESS);
    rp_video_parameters_unref(rp_h264_parameters_common(params));
    REQUIRE_EQ(create_within(&g, true, STD_VIDEO_H264_LEVEL_IDC_5_2, &params),
               VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR);

    struct given more = g;
    more.vui.max_dec_frame_buffering = 6;
    more.sps.pSequenceParameterSetVui = &more.vui;
    require_refused(&more);
    more = g;
    more.sps.max_num_ref_frames = 6;
    require_refused(&more);
    more = g;
    more.sps.flags.frame_mbs_only_flag = 0; /* map units are of field pictures: twice the height */
    require_refused(&more);
}

static struct rp_h264_active
active_of(const struct given *g)
{
    static struct rp_h264_parameters *params;
    rp_video_parameters_unref(rp_h264_parameters_common(params)); /* the last one's */
    REQUIRE_EQ(create(g, true, &params), VK_SUCCESS);
    struct rp_h264_active active;
    REQUIRE(rp_h264_parameters_find(params, 0, 0, &active));
    return active;
}

/* The elements are not in the stream: to leave them 0, or to say 4:4:4, changes nothing. */
static void
below_high_the_format_is_inferred(void)
{
    struct given g;
    given_init(&g, STD_VIDEO_H264_PROFILE_IDC_MAIN);
    g.sps.chroma_format_idc = STD_VIDEO_H264_CHROMA_FORMAT_IDC_MONOCHROME;
    g.sps.bit_depth_luma_minus8 = 2;
    g.sps.flags.qpprime_y_zero_transform_bypass_flag = 1;
    struct rp_h264_active active = active_of(&g);
    REQUIRE_EQ(active.sps->chroma_format_idc, STD_VIDEO_H264_CHROMA_FORMAT_IDC_420);
    REQUIRE_EQ(active.sps->bit_depth_luma_minus8, 0);
    REQUIRE_EQ(active.sps->flags.qpprime_y_zero_transform_bypass_flag, 0);
    REQUIRE(!active.has_sps_overrides);

    g.sps.chroma_format_idc = STD_VIDEO_H264_CHROMA_FORMAT_IDC_420;
    g.sps.bit_depth_luma_minus8 = 0;
    g.sps.profile_idc = STD_VIDEO_H264_PROFILE_IDC_HIGH;
    active = active_of(&g);
    REQUIRE_EQ(active.sps->flags.qpprime_y_zero_transform_bypass_flag, 0);
    REQUIRE(active.has_sps_overrides);
}

/* The pictures would be coded as 4:2:0 of 8 bits all the same, which no decoder could know. */
static void
from_high_on_other_formats_are_refused(void)
{
    struct given g;
    given_init(&g, STD_VIDEO_H264_PROFILE_IDC_HIGH);
    require_created(&g, true);
    g.sps.chroma_format_idc = STD_VIDEO_H264_CHROMA_FORMAT_IDC_MONOCHROME;
    require_refused(&g);
    given_init(&g, STD_VIDEO_H264_PROFILE_IDC_HIGH_422);
    g.sps.chroma_format_idc = STD_VIDEO_H264_CHROMA_FORMAT_IDC_422;
    require_refused(&g);
    given_init(&g, STD_VIDEO_H264_PROFILE_IDC_HIGH_10);
    g.sps.bit_depth_luma_minus8 = 2;
    require_refused(&g);
    given_init(&g, STD_VIDEO_H264_PROFILE_IDC_HIGH_10);
    g.sps.bit_depth_chroma_minus8 = 2;
    require_refused(&g);
}

static void
baseline_has_no_weights(void)
{
    struct given g;
    given_init(&g, STD_VIDEO_H264_PROFILE_IDC_BASELINE);
    REQUIRE(!active_of(&g).has_pps_overrides);
    g.pps.flags.weighted_pred_flag = 1;
    struct rp_h264_active active = active_of(&g);
    REQUIRE_EQ(active.pps.flags.weighted_pred_flag, 0);
    REQUIRE(active.has_pps_overrides);
    g.pps.flags.weighted_pred_flag = 0;
    g.pps.weighted_bipred_idc = STD_VIDEO_H264_WEIGHTED_BIPRED_IDC_IMPLICIT;
    active = active_of(&g);
    REQUIRE_EQ(active.pps.weighted_bipred_idc, STD_VIDEO_H264_WEIGHTED_BIPRED_IDC_DEFAULT);
    REQUIRE(active.has_pps_overrides);

    g.sps.profile_idc = STD_VIDEO_H264_PROFILE_IDC_MAIN;
    g.pps.flags.weighted_pred_flag = 1;
    active = active_of(&g);
    REQUIRE_EQ(active.pps.flags.weighted_pred_flag, 1);
    REQUIRE(!active.has_pps_overrides);
}

int
main(void)
{
    RUN(what_the_syntax_has_no_room_for_is_not_encoded);
    RUN(what_is_not_there_may_be_anything);
    RUN(no_more_pictures_than_a_level_holds);
    RUN(below_high_the_format_is_inferred);
    RUN(from_high_on_other_formats_are_refused);
    RUN(baseline_has_no_weights);
    return 0;
}

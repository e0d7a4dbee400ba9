/* SPDX-License-Identifier: MIT */
/* Parameter sets as the H.264 specification wants them (7.4.2.1, A.3, E.2). */
#include "tools/encode/h264_sets.h"

struct level {
    StdVideoH264LevelIdc idc;
    uint32_t max_mbs_per_s;
    uint32_t max_frame_mbs;
    uint32_t max_dpb_mbs;
    uint32_t max_kbps; /* Baseline and Main; High may have a quarter more */
};

/* Table A-1. */
static const struct level levels[] = {
    {STD_VIDEO_H264_LEVEL_IDC_1_0, 1485, 99, 396, 64},
    {STD_VIDEO_H264_LEVEL_IDC_1_1, 3000, 396, 900, 192},
    {STD_VIDEO_H264_LEVEL_IDC_1_2, 6000, 396, 2376, 384},
    {STD_VIDEO_H264_LEVEL_IDC_1_3, 11880, 396, 2376, 768},
    {STD_VIDEO_H264_LEVEL_IDC_2_0, 11880, 396, 2376, 2000},
    {STD_VIDEO_H264_LEVEL_IDC_2_1, 19800, 792, 4752, 4000},
    {STD_VIDEO_H264_LEVEL_IDC_2_2, 20250, 1620, 8100, 4000},
    {STD_VIDEO_H264_LEVEL_IDC_3_0, 40500, 1620, 8100, 10000},
    {STD_VIDEO_H264_LEVEL_IDC_3_1, 108000, 3600, 18000, 14000},
    {STD_VIDEO_H264_LEVEL_IDC_3_2, 216000, 5120, 20480, 20000},
    {STD_VIDEO_H264_LEVEL_IDC_4_0, 245760, 8192, 32768, 20000},
    {STD_VIDEO_H264_LEVEL_IDC_4_1, 245760, 8192, 32768, 50000},
    {STD_VIDEO_H264_LEVEL_IDC_4_2, 522240, 8704, 34816, 50000},
    {STD_VIDEO_H264_LEVEL_IDC_5_0, 589824, 22080, 110400, 135000},
    {STD_VIDEO_H264_LEVEL_IDC_5_1, 983040, 36864, 184320, 240000},
    {STD_VIDEO_H264_LEVEL_IDC_5_2, 2073600, 36864, 184320, 240000},
    {STD_VIDEO_H264_LEVEL_IDC_6_0, 4177920, 139264, 696320, 240000},
    {STD_VIDEO_H264_LEVEL_IDC_6_1, 8355840, 139264, 696320, 480000},
    {STD_VIDEO_H264_LEVEL_IDC_6_2, 16711680, 139264, 696320, 800000},
};
#define LEVEL_COUNT (sizeof(levels) / sizeof(levels[0]))

static uint32_t
in_mbs(uint32_t px)
{
    return (px + 15) / 16;
}

/* The lowest level that holds the stream, or the highest there is. */
static StdVideoH264LevelIdc
level_choose(const struct h264_settings *settings)
{
    const uint64_t width_mb = in_mbs(settings->width_px);
    const uint64_t height_mb = in_mbs(settings->height_px);
    const uint64_t frame_mbs = width_mb * height_mb;
    const uint64_t mbs_per_s = frame_mbs * settings->fps_numerator / settings->fps_denominator;

    for (size_t i = 0; i < LEVEL_COUNT; i++) {
        const struct level *level = &levels[i];
        const uint64_t max_side_squared = 8 * (uint64_t)level->max_frame_mbs;

        if (frame_mbs <= level->max_frame_mbs && mbs_per_s <= level->max_mbs_per_s &&
            frame_mbs * settings->dpb_count <= level->max_dpb_mbs &&
            width_mb * width_mb <= max_side_squared && height_mb * height_mb <= max_side_squared &&
            settings->bitrate_bps <= 1000 * (uint64_t)level->max_kbps)
            return level->idc;
    }
    return levels[LEVEL_COUNT - 1].idc;
}

static void
vui_init(StdVideoH264SequenceParameterSetVui *vui, const struct h264_settings *settings)
{
    *vui = (StdVideoH264SequenceParameterSetVui){
        .flags =
            {
                .timing_info_present_flag = 1,
                .fixed_frame_rate_flag = 1,
                .bitstream_restriction_flag = 1, /* no more delay in decoding than must be */
            },
        .num_units_in_tick = settings->fps_denominator,
        .time_scale = 2 * settings->fps_numerator,
        .max_num_reorder_frames = (uint8_t)settings->reordered,
        .max_dec_frame_buffering = (uint8_t)settings->dpb_count,
    };
    if (settings->is_bt709) {
        vui->flags.video_signal_type_present_flag = 1;
        vui->flags.color_description_present_flag = 1;
        vui->video_format = 5;
        vui->colour_primaries = 1;
        vui->transfer_characteristics = 1;
        vui->matrix_coefficients = 1;
        vui->flags.chroma_loc_info_present_flag = 1; /* in the middle of four luma samples */
        vui->chroma_sample_loc_type_top_field = 1;
        vui->chroma_sample_loc_type_bottom_field = 1;
    }
}

static void
sps_init(StdVideoH264SequenceParameterSet *sps, const struct h264_settings *settings)
{
    const uint32_t width_mb = in_mbs(settings->width_px);
    const uint32_t height_mb = in_mbs(settings->height_px);
    const bool is_baseline = settings->profile == STD_VIDEO_H264_PROFILE_IDC_BASELINE;

    *sps = (StdVideoH264SequenceParameterSet){
        .flags =
            {
                .constraint_set0_flag = is_baseline, /* with set1: Constrained Baseline */
                .constraint_set1_flag =
                    is_baseline || settings->profile == STD_VIDEO_H264_PROFILE_IDC_MAIN,
                .direct_8x8_inference_flag = 1,
                .frame_mbs_only_flag = 1,
                .frame_cropping_flag =
                    settings->width_px % 16 != 0 || settings->height_px % 16 != 0,
                .vui_parameters_present_flag = 1,
            },
        .profile_idc = settings->profile,
        .level_idc = level_choose(settings),
        .chroma_format_idc = STD_VIDEO_H264_CHROMA_FORMAT_IDC_420,
        .log2_max_frame_num_minus4 = H264_LOG2_MAX_FRAME_NUM - 4,
        .pic_order_cnt_type = STD_VIDEO_H264_POC_TYPE_0,
        .log2_max_pic_order_cnt_lsb_minus4 = H264_LOG2_MAX_POC_LSB - 4,
        .max_num_ref_frames = (uint8_t)settings->dpb_count,
        .pic_width_in_mbs_minus1 = width_mb - 1,
        .pic_height_in_map_units_minus1 = height_mb - 1,
        .frame_crop_right_offset = (16 * width_mb - settings->width_px) / 2,
        .frame_crop_bottom_offset = (16 * height_mb - settings->height_px) / 2,
    };
}

static void
pps_init(StdVideoH264PictureParameterSet *pps, const struct h264_settings *settings)
{
    *pps = (StdVideoH264PictureParameterSet){
        .flags =
            {
                .transform_8x8_mode_flag = settings->uses_transform_8x8,
                .deblocking_filter_control_present_flag = 1,
                .entropy_coding_mode_flag = settings->uses_cabac,
            },
        .num_ref_idx_l0_default_active_minus1 = (uint8_t)(settings->ref_count - 1),
        .weighted_bipred_idc = STD_VIDEO_H264_WEIGHTED_BIPRED_IDC_DEFAULT,
    };
}

void
h264_sets_init(struct h264_sets *sets, const struct h264_settings *settings)
{
    vui_init(&sets->vui, settings);
    sps_init(&sets->sps, settings);
    sets->sps.pSequenceParameterSetVui = &sets->vui;
    pps_init(&sets->pps, settings);
}

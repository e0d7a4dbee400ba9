/* SPDX-License-Identifier: MIT */
/* Parameter sets as the H.265 specification wants them (7.4.3, A.4, E.3). */
#include "tools/encode/h265_sets.h"

#define LOG2_MIN_CODING_PX 3 /* pictures are whole coding blocks */
#define MIN_CODING_PX (1u << LOG2_MIN_CODING_PX)

struct level {
    StdVideoH265LevelIdc idc;
    uint32_t max_luma_ps;
    uint64_t max_luma_sr;
    uint32_t main_kbps; /* MaxBR, and the same in bits */
    uint32_t high_kbps; /* 0: there is no high tier */
    uint32_t max_slices;
};

/* Tables A.8 and A.9. */
static const struct level levels[] = {
    {STD_VIDEO_H265_LEVEL_IDC_1_0, 36864, 552960, 128, 0, 16},
    {STD_VIDEO_H265_LEVEL_IDC_2_0, 122880, 3686400, 1500, 0, 16},
    {STD_VIDEO_H265_LEVEL_IDC_2_1, 245760, 7372800, 3000, 0, 20},
    {STD_VIDEO_H265_LEVEL_IDC_3_0, 552960, 16588800, 6000, 0, 30},
    {STD_VIDEO_H265_LEVEL_IDC_3_1, 983040, 33177600, 10000, 0, 40},
    {STD_VIDEO_H265_LEVEL_IDC_4_0, 2228224, 66846720, 12000, 30000, 75},
    {STD_VIDEO_H265_LEVEL_IDC_4_1, 2228224, 133693440, 20000, 50000, 75},
    {STD_VIDEO_H265_LEVEL_IDC_5_0, 8912896, 267386880, 25000, 100000, 200},
    {STD_VIDEO_H265_LEVEL_IDC_5_1, 8912896, 534773760, 40000, 160000, 200},
    {STD_VIDEO_H265_LEVEL_IDC_5_2, 8912896, 1069547520, 60000, 240000, 200},
    {STD_VIDEO_H265_LEVEL_IDC_6_0, 35651584, 1069547520, 60000, 240000, 600},
    {STD_VIDEO_H265_LEVEL_IDC_6_1, 35651584, 2139095040, 120000, 480000, 600},
    {STD_VIDEO_H265_LEVEL_IDC_6_2, 35651584, 4278190080, 240000, 800000, 600},
};
#define LEVEL_COUNT (sizeof(levels) / sizeof(levels[0]))

static uint32_t
in_whole_blocks(uint32_t px)
{
    return (px + MIN_CODING_PX - 1) / MIN_CODING_PX * MIN_CODING_PX;
}

/* MaxDpbSize (A.4.2), the current picture included. */
static uint32_t
max_dpb_size(const struct level *level, uint64_t luma_ps)
{
    const uint32_t max_luma_ps = level->max_luma_ps;

    if (luma_ps <= max_luma_ps >> 2)
        return 16;
    if (luma_ps <= max_luma_ps >> 1)
        return 12;
    return luma_ps <= 3 * (uint64_t)max_luma_ps >> 2 ? 8 : 6;
}

static bool
level_holds(const struct level *level, const struct h265_settings *settings)
{
    const uint64_t width = in_whole_blocks(settings->width_px);
    const uint64_t height = in_whole_blocks(settings->height_px);
    const uint64_t luma_ps = width * height;
    const uint64_t max_side_squared = 8 * (uint64_t)level->max_luma_ps;
    const uint32_t kbps = level->high_kbps ? level->high_kbps : level->main_kbps;

    return luma_ps <= level->max_luma_ps && width * width <= max_side_squared &&
           height * height <= max_side_squared &&
           luma_ps * settings->fps_numerator / settings->fps_denominator <= level->max_luma_sr &&
           settings->bitrate_bps <= 1000 * (uint64_t)kbps &&
           settings->slice_count <= level->max_slices &&
           settings->ref_count + 1 <= max_dpb_size(level, luma_ps);
}

/* The lowest level that holds the stream, or the highest there is; of its tiers the lower one if it
 * can be. */
static void
profile_init(StdVideoH265ProfileTierLevel *out, const struct h265_settings *settings)
{
    const struct level *level = levels;

    while (level < &levels[LEVEL_COUNT - 1] && !level_holds(level, settings))
        level++;
    *out = (StdVideoH265ProfileTierLevel){
        .flags =
            {
                .general_tier_flag = level->high_kbps > 0 &&
                                     settings->bitrate_bps > 1000 * (uint64_t)level->main_kbps,
                .general_progressive_source_flag = 1,
                .general_frame_only_constraint_flag = 1,
            },
        .general_profile_idc = settings->bit_depth > 8 ? STD_VIDEO_H265_PROFILE_IDC_MAIN_10
                                                       : STD_VIDEO_H265_PROFILE_IDC_MAIN,
        .general_level_idc = level->idc,
    };
}

static void
ref_pic_sets_init(struct h265_sets *sets, uint32_t ref_count)
{
    for (uint32_t i = 0; i < ref_count; i++)
        sets->ref_pic_sets[i] = (StdVideoH265ShortTermRefPicSet){
            .num_negative_pics = (uint8_t)(i + 1),
            .used_by_curr_pic_s0_flag = (uint16_t)((1u << (i + 1)) - 1),
        };
}

static void
vui_init(StdVideoH265SequenceParameterSetVui *vui, const struct h265_settings *settings)
{
    *vui = (StdVideoH265SequenceParameterSetVui){
        .flags.vui_timing_info_present_flag = 1,
        .vui_num_units_in_tick = settings->fps_denominator,
        .vui_time_scale = settings->fps_numerator,
    };
    if (!settings->is_bt709)
        return;
    vui->flags.video_signal_type_present_flag = 1;
    vui->flags.colour_description_present_flag = 1;
    vui->video_format = 5;
    vui->colour_primaries = 1;
    vui->transfer_characteristics = 1;
    vui->matrix_coeffs = 1;
    vui->flags.chroma_loc_info_present_flag = 1; /* in the middle of four luma samples */
    vui->chroma_sample_loc_type_top_field = 1;
    vui->chroma_sample_loc_type_bottom_field = 1;
}

static void
vps_init(struct h265_sets *sets, const struct h265_settings *settings)
{
    sets->vps = (StdVideoH265VideoParameterSet){
        .flags =
            {
                .vps_temporal_id_nesting_flag = 1,
                .vps_sub_layer_ordering_info_present_flag = 1,
                .vps_timing_info_present_flag = 1,
            },
        .vps_num_units_in_tick = settings->fps_denominator,
        .vps_time_scale = settings->fps_numerator,
        .pDecPicBufMgr = &sets->dec_pic_buf_mgr,
        .pProfileTierLevel = &sets->profile_tier_level,
    };
}

static void
sps_init(struct h265_sets *sets, const struct h265_settings *settings)
{
    const uint32_t width_px = in_whole_blocks(settings->width_px);
    const uint32_t height_px = in_whole_blocks(settings->height_px);

    sets->sps = (StdVideoH265SequenceParameterSet){
        .flags =
            {
                .sps_temporal_id_nesting_flag = 1,
                .conformance_window_flag =
                    width_px != settings->width_px || height_px != settings->height_px,
                .sps_sub_layer_ordering_info_present_flag = 1,
                .sample_adaptive_offset_enabled_flag = settings->uses_sao,
                .sps_temporal_mvp_enabled_flag = settings->uses_temporal_mvp,
                .vui_parameters_present_flag = 1,
            },
        .chroma_format_idc = STD_VIDEO_H265_CHROMA_FORMAT_IDC_420,
        .pic_width_in_luma_samples = width_px,
        .pic_height_in_luma_samples = height_px,
        .bit_depth_luma_minus8 = (uint8_t)(settings->bit_depth - 8),
        .bit_depth_chroma_minus8 = (uint8_t)(settings->bit_depth - 8),
        .log2_max_pic_order_cnt_lsb_minus4 = H265_LOG2_MAX_POC_LSB - 4,
        .log2_min_luma_coding_block_size_minus3 = LOG2_MIN_CODING_PX - 3,
        .log2_diff_max_min_luma_coding_block_size =
            (uint8_t)(settings->log2_ctb_px - LOG2_MIN_CODING_PX),
        .log2_min_luma_transform_block_size_minus2 = (uint8_t)(settings->log2_min_transform_px - 2),
        .log2_diff_max_min_luma_transform_block_size =
            (uint8_t)(settings->log2_max_transform_px - settings->log2_min_transform_px),
        .num_short_term_ref_pic_sets = (uint8_t)settings->ref_count,
        .conf_win_right_offset = (width_px - settings->width_px) / 2,
        .conf_win_bottom_offset = (height_px - settings->height_px) / 2,
        .pProfileTierLevel = &sets->profile_tier_level,
        .pDecPicBufMgr = &sets->dec_pic_buf_mgr,
        .pShortTermRefPicSet = sets->ref_pic_sets,
        .pSequenceParameterSetVui = &sets->vui,
    };
}

void
h265_sets_init(struct h265_sets *sets, const struct h265_settings *settings)
{
    profile_init(&sets->profile_tier_level, settings);
    sets->dec_pic_buf_mgr = (StdVideoH265DecPicBufMgr){
        .max_dec_pic_buffering_minus1 = {(uint8_t)settings->ref_count},
    };
    ref_pic_sets_init(sets, settings->ref_count);
    vui_init(&sets->vui, settings);
    vps_init(sets, settings);
    sps_init(sets, settings);
    sets->pps = (StdVideoH265PictureParameterSet){
        .flags.sign_data_hiding_enabled_flag = settings->uses_sign_hiding,
        .num_ref_idx_l0_default_active_minus1 = (uint8_t)(settings->ref_count - 1),
    };
}

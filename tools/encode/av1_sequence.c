/* SPDX-License-Identifier: MIT */
/* The sequence header as the AV1 specification wants it (5.5, A.3). */
#include "tools/encode/av1_sequence.h"

#define LEVEL_ANY 31 /* maximum parameters: nothing is promised */

struct level {
    StdVideoAV1Level idx;
    uint32_t max_pic_size;
    uint32_t max_h_size;
    uint32_t max_v_size;
    uint64_t max_display_rate;
    uint32_t main_kbps;
    uint32_t high_kbps; /* 0: there is no high tier */
    uint32_t max_tiles;
    uint32_t max_tile_cols;
};

/* The tables of A.3. Each frame is shown once, so the decode rate, which is higher, needs no
 * look. */
static const struct level levels[] = {
    {STD_VIDEO_AV1_LEVEL_2_0, 147456, 2048, 1152, 4423680, 1500, 0, 8, 4},
    {STD_VIDEO_AV1_LEVEL_2_1, 278784, 2816, 1584, 8363520, 3000, 0, 8, 4},
    {STD_VIDEO_AV1_LEVEL_3_0, 665856, 4352, 2448, 19975680, 6000, 0, 16, 6},
    {STD_VIDEO_AV1_LEVEL_3_1, 1065024, 5504, 3096, 31950720, 10000, 0, 16, 6},
    {STD_VIDEO_AV1_LEVEL_4_0, 2359296, 6144, 3456, 70778880, 12000, 30000, 32, 8},
    {STD_VIDEO_AV1_LEVEL_4_1, 2359296, 6144, 3456, 141557760, 20000, 50000, 32, 8},
    {STD_VIDEO_AV1_LEVEL_5_0, 8912896, 8192, 4352, 267386880, 30000, 100000, 64, 8},
    {STD_VIDEO_AV1_LEVEL_5_1, 8912896, 8192, 4352, 534773760, 40000, 160000, 64, 8},
    {STD_VIDEO_AV1_LEVEL_5_2, 8912896, 8192, 4352, 1069547520, 60000, 240000, 64, 8},
    {STD_VIDEO_AV1_LEVEL_6_0, 35651584, 16384, 8704, 1069547520, 60000, 240000, 128, 16},
    {STD_VIDEO_AV1_LEVEL_6_1, 35651584, 16384, 8704, 2139095040, 100000, 480000, 128, 16},
    {STD_VIDEO_AV1_LEVEL_6_2, 35651584, 16384, 8704, 4278190080, 160000, 800000, 128, 16},
};

static bool
level_holds(const struct level *level, const struct av1_settings *settings)
{
    const uint64_t size = (uint64_t)settings->width_px * settings->height_px;
    const uint32_t kbps = level->high_kbps ? level->high_kbps : level->main_kbps;

    return size <= level->max_pic_size && settings->width_px <= level->max_h_size &&
           settings->height_px <= level->max_v_size &&
           size * settings->fps_numerator / settings->fps_denominator <= level->max_display_rate &&
           settings->bitrate_bps <= 1000 * (uint64_t)kbps &&
           settings->tile_count <= level->max_tiles &&
           settings->tile_columns <= level->max_tile_cols;
}

/* The lowest level that holds the stream, and of its tiers the lower one if it can be. */
static void
operating_point_init(StdVideoEncodeAV1OperatingPointInfo *point,
                     const struct av1_settings *settings)
{
    *point = (StdVideoEncodeAV1OperatingPointInfo){.seq_level_idx = LEVEL_ANY};
    for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
        const struct level *level = &levels[i];

        if (!level_holds(level, settings))
            continue;
        point->seq_level_idx = (uint8_t)level->idx;
        point->seq_tier = settings->bitrate_bps > 1000 * (uint64_t)level->main_kbps;
        return;
    }
}

static void
color_init(StdVideoAV1ColorConfig *color, const struct av1_settings *settings)
{
    *color = (StdVideoAV1ColorConfig){
        .BitDepth = (uint8_t)settings->bit_depth,
        .subsampling_x = 1,
        .subsampling_y = 1,
        .color_primaries = STD_VIDEO_AV1_COLOR_PRIMARIES_UNSPECIFIED,
        .transfer_characteristics = STD_VIDEO_AV1_TRANSFER_CHARACTERISTICS_UNSPECIFIED,
        .matrix_coefficients = STD_VIDEO_AV1_MATRIX_COEFFICIENTS_UNSPECIFIED,
        .chroma_sample_position = STD_VIDEO_AV1_CHROMA_SAMPLE_POSITION_UNKNOWN,
    };
    if (!settings->is_bt709)
        return;
    color->flags.color_description_present_flag = 1;
    color->color_primaries = STD_VIDEO_AV1_COLOR_PRIMARIES_BT_709;
    color->transfer_characteristics = STD_VIDEO_AV1_TRANSFER_CHARACTERISTICS_BT_709;
    color->matrix_coefficients = STD_VIDEO_AV1_MATRIX_COEFFICIENTS_BT_709;
}

/* How many bits value has, less one. */
static uint8_t
bits_minus_1(uint32_t value)
{
    uint8_t bits = 0;

    while (value >> 1 >> bits)
        bits++;
    return bits;
}

void
av1_sequence_init(struct av1_sequence *sequence, const struct av1_settings *settings)
{
    const uint32_t width_minus_1 = settings->width_px - 1;
    const uint32_t height_minus_1 = settings->height_px - 1;

    color_init(&sequence->color, settings);
    operating_point_init(&sequence->operating_point, settings);
    sequence->timing = (StdVideoAV1TimingInfo){
        .flags.equal_picture_interval = 1,
        .num_units_in_display_tick = settings->fps_denominator,
        .time_scale = settings->fps_numerator,
    };
    sequence->header = (StdVideoAV1SequenceHeader){
        .flags =
            {
                .use_128x128_superblock = settings->uses_superblocks_128,
                .enable_intra_edge_filter = 1,
                .enable_order_hint = 1,
                .enable_cdef = 1,
                .timing_info_present_flag = 1,
            },
        .seq_profile = STD_VIDEO_AV1_PROFILE_MAIN,
        .frame_width_bits_minus_1 = bits_minus_1(width_minus_1),
        .frame_height_bits_minus_1 = bits_minus_1(height_minus_1),
        .max_frame_width_minus_1 = (uint16_t)width_minus_1,
        .max_frame_height_minus_1 = (uint16_t)height_minus_1,
        .order_hint_bits_minus_1 = AV1_ORDER_HINT_BITS - 1,
        .seq_force_integer_mv = STD_VIDEO_AV1_SELECT_INTEGER_MV,
        .seq_force_screen_content_tools = STD_VIDEO_AV1_SELECT_SCREEN_CONTENT_TOOLS,
        .pColorConfig = &sequence->color,
        .pTimingInfo = &sequence->timing,
    };
}

/* SPDX-License-Identifier: MIT */
#include "av1_random.h"

#include "test.h"

#define PICTURES 40u
#define MAX_MAP_TEXELS ((65 + 200) * (65 + 140) / (8 * 8)) /* of the largest picture, and more */

static uint32_t
below(uint64_t *random, uint32_t limit)
{
    return (uint32_t)(test_random(random) % limit);
}

static int8_t
random_delta(uint64_t *random)
{
    return (int8_t)((int32_t)below(random, 41) - 20);
}

/* What the picture is coded with, by chance. */
struct parts {
    StdVideoAV1Quantization quantization;
    StdVideoAV1LoopFilter loop_filter;
    StdVideoAV1CDEF cdef;
    StdVideoAV1TileInfo tiles;
};

static void
choose_parts(uint64_t *random, struct av1_picture *pic, struct parts *parts)
{
    *parts = (struct parts){0};
    if (below(random, 2)) {
        parts->quantization.DeltaQYDc = random_delta(random);
        parts->quantization.DeltaQUDc = random_delta(random);
        parts->quantization.DeltaQUAc = random_delta(random);
        pic->std.pQuantization = &parts->quantization;
    }
    if (below(random, 2)) {
        StdVideoAV1LoopFilter *filter = &parts->loop_filter;
        for (uint32_t i = 0; i < 4; i++)
            filter->loop_filter_level[i] = (uint8_t)below(random, 64);
        filter->loop_filter_sharpness = (uint8_t)below(random, 8);
        filter->flags.loop_filter_delta_enabled = below(random, 2);
        filter->flags.loop_filter_delta_update = below(random, 2);
        filter->update_ref_delta = (uint8_t)below(random, 256);
        filter->update_mode_delta = (uint8_t)below(random, 4);
        for (uint32_t i = 0; i < 8; i++)
            filter->loop_filter_ref_deltas[i] = random_delta(random);
        for (uint32_t i = 0; i < 2; i++)
            filter->loop_filter_mode_deltas[i] = random_delta(random);
        pic->std.pLoopFilter = filter;
    }
    if (below(random, 2)) {
        parts->cdef.cdef_damping_minus_3 = (uint8_t)below(random, 4);
        parts->cdef.cdef_bits = (uint8_t)below(random, 4);
        for (uint32_t i = 0; i < 8; i++) {
            parts->cdef.cdef_y_pri_strength[i] = (uint8_t)below(random, 16);
            parts->cdef.cdef_uv_sec_strength[i] = (uint8_t)below(random, 4);
        }
        pic->std.pCDEF = &parts->cdef;
    }
    if (below(random, 3) == 0) {
        parts->tiles.flags.uniform_tile_spacing_flag = 1;
        parts->tiles.TileCols = (uint8_t)(1 + below(random, 2));
        parts->tiles.TileRows = (uint8_t)(1 + below(random, 2));
        pic->std.pTileInfo = &parts->tiles;
    }
    pic->std.flags.disable_cdf_update = below(random, 8) == 0;
    pic->std.flags.disable_frame_end_update_cdf = below(random, 6) == 0;
    pic->std.flags.allow_high_precision_mv = below(random, 2);
    pic->std.flags.reduced_tx_set = below(random, 4) == 0;
    pic->info.constantQIndex = 20 + below(random, 220);
}

static void
choose_names(uint64_t *random, const struct av1_application *app, struct av1_picture *pic)
{
    static const uint8_t principal[] = {0, 3, 6};
    const uint32_t first = principal[below(random, 3)];
    for (uint32_t i = 0; i < 7; i++) {
        const uint32_t index = below(random, 8);
        pic->std.ref_frame_idx[i] = (int8_t)index;
        if (i == first || below(random, 3) == 0)
            av1_picture_name(app, pic, i, index);
    }
    if (pic->std.frame_type == STD_VIDEO_AV1_FRAME_TYPE_INTER && below(random, 5) > 0)
        pic->std.primary_ref_frame = (uint8_t)first;
    pic->info.predictionMode =
        (VkVideoEncodeAV1PredictionModeKHR)(VK_VIDEO_ENCODE_AV1_PREDICTION_MODE_SINGLE_REFERENCE_KHR +
                                            below(random, 3));
}

static StdVideoAV1FrameType
choose_type(uint64_t *random, uint32_t number)
{
    const uint32_t draw = below(random, 100);
    if (number == 0 || draw < 4)
        return STD_VIDEO_AV1_FRAME_TYPE_KEY;
    return draw < 12   ? STD_VIDEO_AV1_FRAME_TYPE_INTRA_ONLY
           : draw < 16 ? STD_VIDEO_AV1_FRAME_TYPE_SWITCH
                       : STD_VIDEO_AV1_FRAME_TYPE_INTER;
}

/* A few values, or more than can be coded. */
static void
choose_map(uint64_t *random, VkFormat format, struct av1_picture *pic, void *map)
{
    const uint32_t value_count = 1 + below(random, 20);
    int32_t values[20];
    if (!format || below(random, 3) == 0)
        return;
    for (uint32_t i = 0; i < value_count; i++)
        values[i] = (int32_t)below(random, 511) - 255;
    for (uint32_t i = 0; i < MAX_MAP_TEXELS; i++) {
        const int32_t value = values[below(random, value_count)];
        if (format == VK_FORMAT_R8_SINT)
            ((int8_t *)map)[i] = (int8_t)(value / 2);
        else if (format == VK_FORMAT_R16_SINT)
            ((int16_t *)map)[i] = (int16_t)value;
        else
            ((int32_t *)map)[i] = value;
    }
    pic->map = map;
}

static void
encode_by_chance(const struct av1_random_options *options, uint64_t *random,
                 struct av1_application *app, uint32_t number, uint32_t *time)
{
    const StdVideoAV1FrameType type = choose_type(random, number);
    const bool is_shown = number == 0 || below(random, 4) > 0;
    *time += is_shown;
    const uint32_t order = is_shown ? *time : *time + 1 + below(random, 6);
    struct av1_picture pic;
    struct parts parts;
    int32_t map[MAX_MAP_TEXELS];
    av1_picture_init(&pic, type, order & 255, is_shown);
    pic.has_cdef = av1_has_cdef(app);
    if (pic.std.refresh_frame_flags == 0)
        pic.std.refresh_frame_flags = (uint8_t)(below(random, 255) & below(random, 256));
    if (type == STD_VIDEO_AV1_FRAME_TYPE_INTER || type == STD_VIDEO_AV1_FRAME_TYPE_SWITCH)
        choose_names(random, app, &pic);
    choose_parts(random, &pic, &parts);
    choose_map(random, options->map_format, &pic, map);
    const struct av1_result result =
        av1_encode_picture(app, &pic, av1_free_slot(app, pic.std.refresh_frame_flags), *time);
    REQUIRE_EQ(result.status, VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
    if (options->note)
        options->note(options->ctx, &pic, &result);
}

bool
av1_random_run(struct vk *vk, const struct av1_random_options *options)
{
    const uint64_t seed = options->seed;
    uint64_t random = seed;
    const struct av1_application_options stream = {
        .width_px = 65 + below(&random, 200),
        .height_px = 65 + below(&random, 140),
        .bit_depth = seed & 1 ? 10 : 8,
        .content = (uint32_t)seed,
        .quality_level = below(&random, 4),
        .tools = {.enable_order_hint = 1,
                  .enable_cdef = below(&random, 4) > 0,
                  .enable_filter_intra = below(&random, 2),
                  .enable_intra_edge_filter = below(&random, 2),
                  .enable_ref_frame_mvs = below(&random, 2),
                  .enable_restoration = below(&random, 2)},
        .average_bps = options->average_bps,
        .is_vbr = seed & 2,
        .map_format = options->map_format,
    };
    struct av1_application *app = av1_open(vk, &stream);
    if (!app)
        return false;
    uint32_t time = 0;
    for (uint32_t i = 0; i < PICTURES; i++) {
        const uint32_t index = below(&random, 8);
        if (i > 4 && below(&random, 5) == 0 && av1_is_showable(app, index))
            av1_show(app, index);
        encode_by_chance(options, &random, app, i, &time);
    }
    if (options->out) {
        size_t size_B;
        const uint8_t *data = av1_stream(app, &size_B);
        REQUIRE_EQ(fwrite(data, 1, size_B, options->out), size_B);
    }
    av1_close(app);
    return true;
}

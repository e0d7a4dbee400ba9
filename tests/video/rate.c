/* SPDX-License-Identifier: MIT */
/* Rate control: what is asked for is what comes.
 */
#include "pictures.h"
#include "stream.h"
#include "test.h"

#include "util/compiler.h"

#define FPS 25u
#define WIDTH 320u
#define HEIGHT 240u

/* Mean rate of count pictures from first on. */
static uint64_t
mean_bps(const struct stream *s, uint32_t first, uint32_t count)
{
    uint64_t bits = 0;
    for (uint32_t i = first; i < first + count; i++)
        bits += 8 * (uint64_t)stream_picture_size_B(s, i);
    return bits * FPS / count;
}

static void
require_within(uint64_t actual, uint64_t expected, uint32_t percent)
{
    const uint64_t slack = expected * percent / 100;
    if (actual < expected - slack || actual > expected + slack)
        (void)fprintf(stderr, "%llu bit/s, not %llu\n", (unsigned long long)actual,
                      (unsigned long long)expected);
    REQUIRE(actual >= expected - slack && actual <= expected + slack);
}

/* The leaky bucket of Vulkan's virtual buffer: it fills with the pictures, runs out at the rate,
 * and never holds more than its size. Returns the most that was in it, in percent. */
static uint32_t
bucket_peak(const struct stream *s, uint32_t count, uint64_t bps)
{
    double bits = 0;
    double peak = 0;
    for (uint32_t i = 0; i < count; i++) {
        bits += 8.0 * stream_picture_size_B(s, i);
        peak = RP_MAX(peak, bits);
        bits = RP_MAX(0.0, bits - (double)bps / FPS);
    }
    return (uint32_t)(100 * peak / (double)bps);
}

static void
cbr_holds_its_rate_over_any_five_seconds(struct vk *vk)
{
    static const uint64_t rates[] = {300000, 1000000};
    for (uint32_t r = 0; r < 2; r++) {
        const uint32_t count = 12 * FPS;
        struct stream *s = stream_open(vk, &(struct stream_options){.width_px = WIDTH,
                                                                    .height_px = HEIGHT,
                                                                    .poc_type = 2,
                                                                    .quality_level = 2,
                                                                    .average_bps = rates[r]});
        for (uint32_t i = 0; i < count; i++) {
            const struct stream_picture pic = picture_of_chain(s, i, 0);
            (void)stream_encode(s, &pic);
        }
        for (uint32_t i = FPS; i + 5 * FPS <= count; i++)
            require_within(mean_bps(s, i, 5 * FPS), rates[r], 3);
        REQUIRE(bucket_peak(s, count, rates[r]) <= 100);
        (void)stream_finish(s);
    }
}

/* FFmpeg writes delimiters and SEI in front of each picture and does not say so. */
static void
units_that_open_access_units_count(struct vk *vk)
{
    const uint64_t bps = 40000; /* a picture has 200 bytes */
    const uint32_t count = 12 * FPS;
    struct stream *s = stream_open(vk, &(struct stream_options){.width_px = WIDTH / 2,
                                                                .height_px = HEIGHT / 2,
                                                                .poc_type = 2,
                                                                .quality_level = 2,
                                                                .has_opening_units = true,
                                                                .average_bps = bps});
    for (uint32_t i = 0; i < count; i++) {
        const struct stream_picture pic = picture_of_chain(s, i, 0);
        (void)stream_encode(s, &pic);
    }
    require_within(mean_bps(s, FPS, 10 * FPS) + STREAM_OPENING_B * 8 * FPS, bps, 3);
    (void)stream_finish(s);
}

static void
a_constant_rate_is_filled_up(struct vk *vk)
{
    const uint64_t bps = 4000000; /* far more than this content takes */
    struct stream *s = stream_open(vk, &(struct stream_options){.width_px = 64,
                                                                .height_px = 64,
                                                                .poc_type = 2,
                                                                .has_cbr_hrd = true,
                                                                .average_bps = bps,
                                                                .buffer_slack_B = 1 << 20});
    for (uint32_t i = 0; i < 3 * FPS; i++) {
        const struct stream_picture pic = picture_of_chain(s, i, 0);
        (void)stream_encode(s, &pic);
    }
    require_within(mean_bps(s, FPS, 2 * FPS), bps, 3);
    (void)stream_finish(s);
}

static void
vbr_comes_near_its_mean(struct vk *vk)
{
    const uint64_t bps = 600000;
    const uint32_t count = 12 * FPS;
    struct stream *s = stream_open(vk, &(struct stream_options){.width_px = WIDTH,
                                                                .height_px = HEIGHT,
                                                                .poc_type = 2,
                                                                .is_vbr = true,
                                                                .average_bps = bps});
    for (uint32_t i = 0; i < count; i++) {
        const struct stream_picture pic = picture_of_chain(s, i, 0);
        (void)stream_encode(s, &pic);
    }
    require_within(mean_bps(s, 0, count), bps, 5);
    (void)stream_finish(s);
}

/* Up, down, and no IDR picture for it. */
static void
a_new_rate_takes_effect_within_ten_pictures(struct vk *vk)
{
    static const uint64_t rates[] = {400000, 1200000, 300000};
    struct stream *s = stream_open(
        vk, &(struct stream_options){
                .width_px = WIDTH, .height_px = HEIGHT, .poc_type = 2, .average_bps = rates[0]});
    for (uint32_t i = 0; i < 12 * FPS; i++) {
        struct stream_picture pic = picture_of_chain(s, i, 0);
        if (i == 4 * FPS || i == 8 * FPS)
            pic.new_average_bps = rates[i / FPS / 4];
        (void)stream_encode(s, &pic);
    }
    for (uint32_t r = 0; r < 3; r++)
        require_within(mean_bps(s, r * 4 * FPS + 10, 4 * FPS - 10), rates[r], 12);
    (void)stream_finish(s);
}

/* GStreamer never sets a new rate: from then on it says that it is set. What an application says
 * that has missed its own change is another matter. */
static void
a_rate_that_scopes_begin_to_speak_of_is_taken(struct vk *vk)
{
    static const uint64_t rates[] = {400000, 1200000, 300000};
    for (uint32_t is_stale = 0; is_stale < 2; is_stale++) {
        struct stream *s = stream_open(vk, &(struct stream_options){.width_px = WIDTH,
                                                                    .height_px = HEIGHT,
                                                                    .poc_type = 2,
                                                                    .average_bps = rates[0]});
        for (uint32_t i = 0; i < 12 * FPS; i++) {
            const uint64_t bps = rates[i / FPS / 4];
            struct stream_picture pic = picture_of_chain(s, i, 0);
            if (i > 0)
                pic.believed_bps = is_stale ? rates[0] : bps;
            if (is_stale && i % (4 * FPS) == 0 && i > 0)
                pic.new_average_bps = bps;
            (void)stream_encode(s, &pic);
        }
        for (uint32_t r = 0; r < 3; r++)
            require_within(mean_bps(s, r * 4 * FPS + 10, 4 * FPS - 10), rates[r], 12);
        (void)stream_finish(s);
    }
}

static void
switch_off(struct stream_control *control)
{
    control->rate->rateControlMode = VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR;
    control->rate->layerCount = 0;
}

static void
a_rate_can_be_switched_off_and_on(struct vk *vk)
{
    for (uint32_t level = 0; level < 3; level++) {
        struct stream *s = stream_open(vk, &(struct stream_options){.width_px = 96,
                                                                    .height_px = 64,
                                                                    .poc_type = 2,
                                                                    .quality_level = level,
                                                                    .average_bps = 300000});
        for (uint32_t i = 0; i < 9; i++) {
            struct stream_picture pic = picture_of_chain(s, i, 0);
            pic.new_average_bps = i % 3 == 0 ? 300000 : 0;
            pic.tamper_control = i == 3 ? switch_off : NULL;
            (void)stream_encode(s, &pic);
        }
        (void)stream_finish(s);
    }
}

#define LEAST_I_QP 30
#define LEAST_P_QP 33
#define QP_RANGE 2

static void
limit_qp(struct stream_control *control)
{
    static const VkVideoEncodeH264RateControlLayerInfoKHR limits = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_RATE_CONTROL_LAYER_INFO_KHR,
        .useMinQp = VK_TRUE,
        .minQp = {LEAST_I_QP, LEAST_P_QP, 51},
        .useMaxQp = VK_TRUE,
        .maxQp = {LEAST_I_QP + QP_RANGE, LEAST_P_QP + QP_RANGE, 51},
    };
    control->layers[0].pNext = &limits;
}

/* Rates that want far lower QPs, and far higher ones: all macroblocks keep to the picture type's
 * limits, and get there where no adaptive quantisation adds to it. */
static void
qp_limits_of_picture_types_hold(struct vk *vk)
{
    for (uint32_t k = 0; k < 8; k++) {
        const bool is_scarce = k & 1;
        const bool has_aq = k & 4;
        const uint64_t bps = is_scarce ? 8000 : 8000000;
        struct stream *s = stream_open(vk, &(struct stream_options){.width_px = 96,
                                                                    .height_px = 64,
                                                                    .poc_type = 2,
                                                                    .quality_level = has_aq ? 2 : 0,
                                                                    .is_vbr = k & 2,
                                                                    .average_bps = bps});
        int32_t last_qp = 0;
        for (uint32_t i = 0; i < 12; i++) {
            struct stream_picture pic = picture_of_chain(s, i, 0);
            pic.new_average_bps = i == 0 ? bps : 0;
            pic.tamper_control = limit_qp;
            const uint32_t number = stream_prepare(s, &pic);
            stream_record(s, number);
            stream_submit(s, number);
            const struct stream_result result = stream_collect(s, number);
            const int32_t least = i == 0 ? LEAST_I_QP : LEAST_P_QP;
            REQUIRE(result.min_qp >= least && result.max_qp <= least + QP_RANGE);
            last_qp = is_scarce ? result.max_qp : result.min_qp;
        }
        REQUIRE(has_aq || last_qp == (is_scarce ? LEAST_P_QP + QP_RANGE : LEAST_P_QP));
        (void)stream_finish(s);
    }
}

/* Two layers, each with half of the pictures and a rate of its own. */
static void
temporal_layers_have_their_rates(struct vk *vk)
{
    const uint64_t bps = 300000;
    struct stream *s = stream_open(vk, &(struct stream_options){.width_px = WIDTH,
                                                                .height_px = HEIGHT,
                                                                .slot_count = 3,
                                                                .max_refs = 1,
                                                                .poc_type = 2,
                                                                .layer_count = 2,
                                                                .average_bps = bps});
    for (uint32_t i = 0; i < 10 * FPS; i++) {
        struct stream_picture pic = picture_of_chain(s, i, 0);
        pic.temporal_id = i % 2;
        pic.is_reference = i % 2 == 0;
        (void)stream_encode(s, &pic);
    }
    uint64_t bits[2] = {0};
    for (uint32_t i = 2 * FPS; i < 10 * FPS; i++)
        bits[i % 2] += 8 * (uint64_t)stream_picture_size_B(s, i);
    require_within(bits[0] / 8, bps, 6);
    require_within(bits[1] / 8, bps, 6);
    (void)stream_finish(s);
}

/* Nonsense is put right, and never stops an encoder. */
static void
strange_rates_do_no_harm(struct vk *vk)
{
    static const uint64_t rates[] = {1, 64, UINT64_C(1) << 63, UINT64_MAX};
    for (uint32_t r = 0; r < 4; r++) {
        struct stream *s = stream_open(
            vk, &(struct stream_options){
                    .width_px = 64, .height_px = 48, .is_vbr = r & 1, .average_bps = rates[r]});
        for (uint32_t i = 0; i < 8; i++) {
            const struct stream_picture pic = picture_of_chain(s, i, 0);
            (void)stream_encode(s, &pic);
        }
        (void)stream_finish(s);
    }
}

static void
fill_flat_squares(uint8_t *texels, uint32_t width_px, uint32_t height_px)
{
    static const uint8_t colours[3][3] = {{0, 0, 255}, {255, 255, 0}, {255, 0, 0}};
    for (uint32_t i = 0; i < width_px * height_px; i++) {
        const uint32_t x = i % width_px;
        const uint32_t y = i / width_px;
        const uint32_t square = x / 16 + y / 16;
        for (uint32_t c = 0; c < 3; c++)
            texels[4 * i + c] = square % 4 == 3 ? (uint8_t)(x * y * 37) : colours[square % 4][c];
        texels[4 * i + 3] = 0;
    }
}

/* Flat squares are worth the finest quantizers, and far from each other: OpenH264, which has no
 * long codes for that, reads it nevertheless (stream_second.c). */
static void
cavlc_of_flat_squares_has_no_long_levels(struct vk *vk)
{
    const struct stream_rgb rgb = {
        .info = {.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_SESSION_RGB_CONVERSION_CREATE_INFO_VALVE,
                 .rgbModel = VK_VIDEO_ENCODE_RGB_MODEL_CONVERSION_YCBCR_601_BIT_VALVE,
                 .rgbRange = VK_VIDEO_ENCODE_RGB_RANGE_COMPRESSION_FULL_RANGE_BIT_VALVE,
                 .xChromaOffset = VK_VIDEO_ENCODE_RGB_CHROMA_OFFSET_MIDPOINT_BIT_VALVE,
                 .yChromaOffset = VK_VIDEO_ENCODE_RGB_CHROMA_OFFSET_MIDPOINT_BIT_VALVE},
        .fill = fill_flat_squares,
    };
    struct stream *s = stream_open(vk, &(struct stream_options){.width_px = 192,
                                                                .height_px = 128,
                                                                .poc_type = 2,
                                                                .is_cavlc = true,
                                                                .has_transform8x8 = true,
                                                                .quality_level = 3,
                                                                .is_rgb = true,
                                                                .rgb = &rgb,
                                                                .is_vbr = true,
                                                                .average_bps = 1000000});
    for (uint32_t i = 0; i < 4; i++) {
        const struct stream_picture pic = picture_of_chain(s, i, 0);
        (void)stream_encode(s, &pic);
    }
    (void)stream_finish(s);
}

int
main(void)
{
    struct vk vk;
    vk_open(&vk);
    RUN(cbr_holds_its_rate_over_any_five_seconds, &vk);
    RUN(units_that_open_access_units_count, &vk);
    RUN(a_constant_rate_is_filled_up, &vk);
    RUN(vbr_comes_near_its_mean, &vk);
    RUN(a_new_rate_takes_effect_within_ten_pictures, &vk);
    RUN(a_rate_that_scopes_begin_to_speak_of_is_taken, &vk);
    RUN(a_rate_can_be_switched_off_and_on, &vk);
    RUN(qp_limits_of_picture_types_hold, &vk);
    RUN(temporal_layers_have_their_rates, &vk);
    RUN(strange_rates_do_no_harm, &vk);
    RUN(cavlc_of_flat_squares_has_no_long_levels, &vk);
    vk_close(&vk);
    return 0;
}

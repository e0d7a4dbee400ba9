/* SPDX-License-Identifier: MIT */
/* Rate control gives more to what stays as it is than to what is gone soon, in I pictures too.
 */
#include "app.h"
#include "content.h"
#include "decoder.h"
#include "structures.h"

#include <stdio.h>

#define WIDTH 256
#define HEIGHT 128
#define PICTURES 60
#define PERIOD 5     /* of short-gops: pictures from I to I */
#define BEGINNING 24 /* pictures that it is learned from */
#define LEAST 1.2    /* times as good */
#define COARSE_QP 40 /* with a map of 51 */
#define STILL 0      /* bands of content.c, 32 samples wide */
#define FAST 2

static struct app *
code(uint32_t quality, bool has_rate, int32_t map_qp)
{
    static struct rp_rate_settings vbr = {
        .mode = RP_RATE_VBR,
        .layer_count = 1,
        .virtual_buffer_ms = 1000,
        .initial_virtual_buffer_ms = 750,
        .gop_frame_count = PERIOD,
        .idr_period = PERIOD,
        .layer[0] = {.average_bps = 500000,
                     .max_bps = 1000000,
                     .frame_rate_numerator = 25,
                     .frame_rate_denominator = 1},
    };
    const struct app_options options = {.width = WIDTH,
                                        .height = HEIGHT,
                                        .picture_count = PICTURES,
                                        .max_refs = 1,
                                        .quality = quality,
                                        .qp = 36,
                                        .has_map = map_qp != 0,
                                        .map_qp = map_qp,
                                        .rate = has_rate ? &vbr : NULL};
    return structure_code(structure_find("short-gops"), &options);
}

/* Sum of the squares of luma's errors in the bands of a kind. */
static double
band_error(const uint8_t *recon, const uint8_t *source, uint32_t kind)
{
    double sum = 0;

    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        const double error = recon[i] - source[i];
        sum += i % WIDTH / 32 % 4 == kind ? error * error : 0;
    }
    return sum;
}

/* How much worse the fast bands are, in pictures that are I or not. */
static double
fast_over_still(const struct app *app, bool is_intra)
{
    static uint8_t source[WIDTH * HEIGHT * 3 / 2];
    uint32_t count;
    const struct app_record *records = app_records(app, &count);
    double still = 0;
    double fast = 0;

    for (uint32_t i = BEGINNING; i < count; i++) {
        if ((records[i].slice_type == STD_VIDEO_H264_SLICE_TYPE_I) != is_intra)
            continue;
        uint8_t *chroma = source + WIDTH * HEIGHT;
        content_fill(source, chroma, chroma + 1, WIDTH, WIDTH, 2, WIDTH, HEIGHT, i);
        still += band_error(records[i].i420, source, STILL);
        fast += band_error(records[i].i420, source, FAST);
    }
    return fast / still;
}

/* Than at one QP for all. */
static bool
still_is_better(uint32_t quality)
{
    struct app *rated = code(quality, true, 0);
    struct app *constant = code(quality, false, 0);
    const bool is_exact = decoder_check(rated) == 0 && decoder_check(constant) == 0;
    const double intra = fast_over_still(rated, true) / fast_over_still(constant, true);
    const double inter = fast_over_still(rated, false) / fast_over_still(constant, false);

    app_destroy(rated);
    app_destroy(constant);
    if (is_exact && intra >= LEAST && inter >= LEAST)
        return true;
    fprintf(stderr, "FAILED: level %u: %sexact, fast over still is %.2f of I pictures, %.2f of P\n",
            quality, is_exact ? "" : "not ", intra, inter);
    return false;
}

/* Where x264's weights of all macroblocks come to 0. */
static bool
coarsest_map_holds(void)
{
    struct app *app = code(2, true, 51);
    const bool is_exact = decoder_check(app) == 0;
    uint32_t count;
    const struct app_record *records = app_records(app, &count);
    uint32_t least_qp = 51;

    for (uint32_t i = 0; i < count; i++)
        least_qp = records[i].result.min_qp < least_qp ? records[i].result.min_qp : least_qp;
    app_destroy(app);
    if (is_exact && least_qp >= COARSE_QP)
        return true;
    fprintf(stderr, "FAILED: a map of 51: %sexact, QP %u\n", is_exact ? "" : "not ", least_qp);
    return false;
}

int
main(void)
{
    bool holds = still_is_better(2);
    holds &= still_is_better(6);
    holds &= coarsest_map_holds();
    return !holds;
}

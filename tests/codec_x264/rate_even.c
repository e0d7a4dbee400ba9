/* SPDX-License-Identifier: MIT */
/* Even content at a constant rate has even quantisers, however often I pictures come. B pictures
 * that were announced are not finer than what they refer to, and five seconds have their rate. What
 * is too large for its limit has most of that.
 */
#include "app.h"
#include "decoder.h"
#include "structures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BEGINNING 10 /* pictures, in which the rate finds its quantisers */
#define MOST_SPREAD 6

static struct app *
code(const char *structure, uint32_t period, uint32_t b_pictures, uint64_t bps, uint32_t fps)
{
    struct rp_rate_settings cbr = {
        .mode = RP_RATE_CBR,
        .layer_count = 1,
        .virtual_buffer_ms = 1000,
        .initial_virtual_buffer_ms = 750,
        .gop_frame_count = period,
        .idr_period = period,
        .consecutive_b_frame_count = b_pictures,
    };
    cbr.layer[0] = (struct rp_rate_layer){
        .average_bps = bps,
        .max_bps = bps,
        .frame_rate_numerator = fps,
        .frame_rate_denominator = 1,
        .max_qp = {51, 51, 51},
    };
    const struct app_options options = {.width = 192,
                                        .height = 128,
                                        .picture_count = 150,
                                        .max_refs = 2,
                                        .quality = 2,
                                        .rate = &cbr};

    return structure_code(structure_find(structure), &options);
}

/* How far the quantisers of pictures of a type are from each other. */
static int32_t
qp_spread(const struct app *app, uint32_t first, uint32_t step)
{
    uint32_t count;
    const struct app_record *records = app_records(app, &count);
    int32_t low = 51;
    int32_t high = 0;

    for (uint32_t i = first; i < count; i += step) {
        const int32_t qp = (int32_t)records[i].result.average_qp;
        low = qp < low ? qp : low;
        high = qp > high ? qp : high;
    }
    return high - low;
}

static bool
quantisers_are_even(const char *structure, uint32_t period, uint32_t b_pictures, uint64_t bps,
                    uint32_t fps)
{
    struct app *app = code(structure, period, b_pictures, bps, fps);
    const bool is_exact = app_status(app) == RP_CODEC_OK && decoder_check(app) == 0;
    const int32_t intra = qp_spread(app, BEGINNING, period);
    const int32_t other = qp_spread(app, BEGINNING + 1, period);
    const bool is_even = intra <= MOST_SPREAD && other <= MOST_SPREAD;

    if (!is_exact || !is_even)
        fprintf(stderr, "FAILED: %s at %u bit/s: %sexact, QPs spread over %d and %d\n", structure,
                (unsigned)bps, is_exact ? "" : "not ", intra, other);
    app_destroy(app);
    return is_exact && is_even;
}

static int32_t
average_qp(const struct app_record *record)
{
    return (int32_t)record->result.average_qp;
}

/* The worst difference of five seconds from the rate, over the rate. */
static double
worst_window(const struct app_record *records, uint32_t count, uint64_t bps, uint32_t fps)
{
    double worst = 0;
    double bits = 0;

    for (uint32_t i = 0; i < count; i++) {
        bits += 8.0 * (double)records[i].size_B;
        if (i >= 5 * fps)
            bits -= 8.0 * (double)records[i - 5 * fps].size_B;
        if (i + 1 >= 5 * fps)
            worst = fmax(worst, fabs(bits / 5 / (double)bps - 1));
    }
    return worst;
}

/* Pictures come as I, then P B B: each B picture refers to that P and the one before. */
static bool
b_pictures_follow_references(uint64_t bps, uint32_t fps)
{
    struct app *app = code("ibbp", 0, 2, bps, fps);
    uint32_t count;
    const struct app_record *records = app_records(app, &count);
    const bool is_exact = app_status(app) == RP_CODEC_OK && decoder_check(app) == 0;
    const double worst = worst_window(records, count, bps, fps);
    uint32_t finer_count = 0;

    for (uint32_t i = BEGINNING; i + 2 < count; i += 3) {
        const int32_t before = average_qp(&records[i - 3]);
        const int32_t after = average_qp(&records[i]);
        const int32_t least = before < after ? before : after;
        finer_count += average_qp(&records[i + 1]) < least;
        finer_count += average_qp(&records[i + 2]) < least;
    }
    app_destroy(app);
    if (is_exact && finer_count == 0 && worst <= 0.03)
        return true;
    fprintf(stderr, "FAILED: ibbp at %u bit/s: %sexact, %u B pictures finer, windows %.4f\n",
            (unsigned)bps, is_exact ? "" : "not ", finer_count, worst);
    return false;
}

/* Nobody foresees what text takes; no quantiser is leapt at that leaves nothing of it. */
static bool
text_uses_its_limit(uint64_t limit_B)
{
    struct rp_rate_settings vbr = {
        .mode = RP_RATE_VBR,
        .layer_count = 1,
        .virtual_buffer_ms = 1000,
        .initial_virtual_buffer_ms = 750,
    };
    vbr.layer[0] = (struct rp_rate_layer){
        .average_bps = 4000000,
        .max_bps = 8000000,
        .frame_rate_numerator = 30,
        .frame_rate_denominator = 1,
        .max_frame_size_B = {[RP_RATE_I] = limit_B},
    };
    const struct app_options options = {
        .width = 640,
        .height = 352,
        .picture_count = 2,
        .max_refs = 1,
        .quality = 2,
        .is_text = true,
        .rate = &vbr,
    };
    struct app *app = structure_code(structure_find("ippp"), &options);
    uint32_t count;
    const size_t size_B = app_records(app, &count)[0].size_B;
    const bool is_exact = app_status(app) == RP_CODEC_OK && decoder_check(app) == 0;

    app_destroy(app);
    if (is_exact && size_B <= limit_B && 5 * size_B >= 2 * limit_B)
        return true;
    fprintf(stderr, "FAILED: text of %zu bytes, at most %u: %sexact\n", size_B, (unsigned)limit_B,
            is_exact ? "" : "not ");
    return false;
}

int
main(void)
{
    bool holds = quantisers_are_even("pairs", 2, 0, 250000, 30);
    holds &= quantisers_are_even("pairs", 2, 0, 600000, 30);
    holds &= quantisers_are_even("pairs", 2, 0, 800000, 90);
    /* FFmpeg announces B pictures that have no room. */
    holds &= quantisers_are_even("pairs", 2, 3, 600000, 30);
    holds &= quantisers_are_even("short-gops", 5, 0, 400000, 30);
    holds &= b_pictures_follow_references(200000, 15);
    holds &= b_pictures_follow_references(120000, 25);
    holds &= text_uses_its_limit(3750);
    holds &= text_uses_its_limit(5858);
    holds &= text_uses_its_limit(22343);
    return !holds;
}

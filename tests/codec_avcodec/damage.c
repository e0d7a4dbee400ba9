/* SPDX-License-Identifier: MIT */
/* Slices with flipped bits and missing ends, in a bitstream buffer that ends at a guard page, into
 * pictures between guard pages: nothing crashes, most pictures are still decoded, and in the same
 * way wherever they are.
 *
 * usage: damage SEED_COUNT STREAM...
 */
#include "app.h"
#include "codecs/avcodec/h264/decoder.h"
#include "generator.h"
#include "reelpipe/decode_h264.h"
#include "test.h"

#include <string.h>

struct outcome {
    struct hashes hashes; /* in the order of decoding */
    size_t damaged_count; /* pictures that were not OK */
    size_t good_count;    /* frames before the first of them */
};

static struct outcome
damaged_decode(const uint8_t *data, size_t data_B, const struct app_options *options,
               uint32_t thread_count)
{
    enum rp_codec_status status;
    struct rp_decoder *dec = rp_h264_decoder_create(thread_count, 16, &status);
    REQUIRE(dec);
    uint8_t *copy = malloc(data_B + 64);
    REQUIRE(copy);
    memcpy(copy, data, data_B);
    memset(copy + data_B, 0, 64);
    struct app app;
    app_init(&app, rp_codec_h264_decode(), dec, copy, data_B, 0, APP_MAX_SLOTS, options);
    struct outcome out = {.damaged_count = 0};
    bool has_more = true;
    while (has_more) {
        if (!app.damaged_count)
            out.good_count = app.hashes.count;
        has_more = app_step(&app);
    }
    REQUIRE(app.picture_count);
    out.damaged_count = app.damaged_count;
    out.hashes = app.hashes;
    app.hashes = (struct hashes){.at = NULL};
    app_finish(&app);
    rp_h264_decoder_destroy(dec);
    return out;
}

/* Whether luma is decoded in the application's memory does not show. In damaged pictures it may:
 * what was there before is filtered beside a macroblock that is missing, and seen where one of a
 * field is, which nothing conceals. */
static void
targets_compare(const uint8_t *data, size_t data_B, const struct app_options *options)
{
    struct app_options nv12 = *options;
    nv12.is_i420 = false;
    nv12.has_targets = true;
    struct outcome in_place = damaged_decode(data, data_B, &nv12, 1);
    nv12.has_targets = false;
    struct outcome copied = damaged_decode(data, data_B, &nv12, 1);
    REQUIRE_EQ(in_place.damaged_count, copied.damaged_count);
    REQUIRE_EQ(in_place.good_count, copied.good_count);
    REQUIRE_EQ(in_place.hashes.count, copied.hashes.count);
    for (size_t i = 0; i < copied.good_count; i++)
        REQUIRE(in_place.hashes.at[i] == copied.hashes.at[i]);
    hashes_finish(&in_place.hashes);
    hashes_finish(&copied.hashes);
}

/* FFmpeg lists the image of the picture before for one that is lost. It is what is seen then,
 * whether it says that the picture does not exist or not. */
static void
lost_pictures_compare(const uint8_t *data, size_t data_B, uint32_t seed)
{
    struct app_options options = {
        .seed = seed, .lists_gaps_with_images = true, .lost_period = 3 + seed % 5};
    struct outcome listed = damaged_decode(data, data_B, &options, 1);
    options.says_non_existing = true;
    struct outcome said = damaged_decode(data, data_B, &options, 1);
    REQUIRE_EQ(listed.damaged_count, said.damaged_count);
    REQUIRE_EQ(listed.hashes.count, said.hashes.count);
    for (size_t i = 0; i < said.hashes.count; i++)
        REQUIRE(listed.hashes.at[i] == said.hashes.at[i]);
    hashes_finish(&listed.hashes);
    hashes_finish(&said.hashes);
}

static size_t
stream_test(uint8_t *data, size_t data_B, uint32_t seed)
{
    const struct app_options options = {
        .seed = seed,
        .is_i420 = seed % 2,
        .has_targets = seed % 2 == 0,
        .crop_px = seed % 3 * 2,
        .damage_percent = 10 + seed % 60,
    };
    struct outcome out = damaged_decode(data, data_B, &options, 1 + seed / 2 % 2);
    hashes_finish(&out.hashes);
    targets_compare(data, data_B, &options);
    lost_pictures_compare(data, data_B, seed);
    free(data);
    return out.damaged_count;
}

int
main(int argc, char **argv)
{
    REQUIRE(argc >= 2);
    if (!rp_codec_h264_decode())
        return TEST_SKIPPED;

    const uint32_t seed_count = (uint32_t)strtoul(argv[1], NULL, 10);
    size_t damaged_count = 0;
    for (uint32_t seed = 1; seed <= seed_count; seed++) {
        size_t data_B;
        uint8_t *data = generator_make(seed, 20, &data_B);
        damaged_count += stream_test(data, data_B, seed);
        for (int i = 2; i < argc; i++) {
            data = file_read(argv[i], &data_B);
            damaged_count += stream_test(data, data_B, seed + (uint32_t)i);
        }
    }
    printf("%zu pictures were not OK\n", damaged_count);
    REQUIRE(damaged_count);
    return 0;
}

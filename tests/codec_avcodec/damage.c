/* SPDX-License-Identifier: MIT */
/* Slices with flipped bits and missing ends, in a bitstream buffer that ends at a guard page, into
 * pictures between guard pages: nothing crashes, and most pictures are still decoded.
 *
 * usage: damage SEED_COUNT STREAM...
 */
#include "app.h"
#include "codecs/avcodec/decoder.h"
#include "generator.h"
#include "reelpipe/codec.h"
#include "test.h"

static size_t
damaged_decode(uint8_t *data, size_t data_B, uint32_t seed)
{
    enum rp_codec_status status;
    struct rp_h264_decoder *dec = rp_h264_decoder_create(1 + seed / 2 % 2, 16, &status);
    REQUIRE(dec);
    const struct app_options options = {
        .seed = seed,
        .is_i420 = seed % 2,
        .has_homes = seed % 2 == 0,
        .crop_px = seed % 3 * 2,
        .damage_percent = 10 + seed % 60,
    };
    struct app app;
    app_init(&app, rp_codec_h264_decode(), dec, data, data_B, 0, APP_MAX_SLOTS, &options);
    while (app_step(&app))
        continue;
    const size_t damaged_count = app.damaged_count;
    REQUIRE(app.picture_count);
    app_finish(&app);
    rp_h264_decoder_destroy(dec);
    return damaged_count;
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
        damaged_count += damaged_decode(data, data_B, seed);
        for (int i = 2; i < argc; i++) {
            data = file_read(argv[i], &data_B);
            damaged_count += damaged_decode(data, data_B, seed + (uint32_t)i);
        }
    }
    printf("%zu pictures were not OK\n", damaged_count);
    REQUIRE(damaged_count);
    return 0;
}

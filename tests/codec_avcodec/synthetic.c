/* SPDX-License-Identifier: MIT */
/* Random streams decoded through the contract: every frame equals libavcodec's own. Where
 * libavcodec decodes differently with and without frame threads (its record of which pictures a
 * co-located picture referred to is one per picture, not per slice) it is no judge.
 *
 * usage: synthetic FIRST_SEED COUNT [FILE]   (FILE: where the last stream is written)
 */
#include "app.h"
#include "codecs/avcodec/h264/decoder.h"
#include "generator.h"
#include "judge.h"
#include "reelpipe/decode_h264.h"
#include "test.h"

#include <libavutil/log.h>

#define FRAME_COUNT 40

enum verdict { EXACT, WRONG, NOT_JUDGED };

static bool
libavcodec_is_sure(const struct app *app, struct hashes *reference)
{
    struct hashes other = {.at = NULL};
    judge_decode(app->data, app->data_B, &app->options, 3, &other);
    const bool is_sure = hashes_missing(reference, &other) == 0 && reference->count == other.count;
    hashes_finish(&other);
    return is_sure;
}

static enum verdict
app_compare(struct app *app, uint32_t seed)
{
    struct hashes reference = {.at = NULL};
    const size_t damaged = judge_decode(app->data, app->data_B, &app->options, 1, &reference);
    const size_t wrong = hashes_missing(&app->hashes, &reference);
    enum verdict verdict = EXACT;
    if (wrong || app->hashes.count != reference.count || app->damaged_count || damaged)
        verdict = libavcodec_is_sure(app, &reference) ? WRONG : NOT_JUDGED;
    if (verdict == WRONG)
        printf("WRONG: seed %u, %zu frames (reference: %zu, %zu damaged), %zu differ, %zu not OK\n",
               seed, app->hashes.count, reference.count, damaged, wrong, app->damaged_count);
    hashes_finish(&reference);
    return verdict;
}

static enum verdict
seed_test(uint32_t seed, const char *path)
{
    enum rp_codec_status status;
    size_t data_B;
    uint8_t *data = generator_make(seed, FRAME_COUNT, &data_B);
    if (path) {
        FILE *file = fopen(path, "wb");
        REQUIRE(file && fwrite(data, 1, data_B, file) == data_B && fclose(file) == 0);
    }

    /* The private numbers wrap with every second stream. */
    struct rp_decoder *dec =
        rp_h264_decoder_create(1 + seed % 2, seed % 2 ? 16 : 5 + seed % 4, &status);
    REQUIRE(dec);
    const struct app_options options = {
        .seed = seed,
        .is_i420 = seed % 3 == 0,
        .lists_frames_without_fields = seed % 5 == 0,
        .has_second_output = seed % 7 == 0,
        .lists_gaps_with_images = seed % 2 == 0,
    };
    struct app app;
    app_init(&app, rp_codec_h264_decode(), dec, data, data_B, 0, APP_MAX_SLOTS, &options);
    while (app_step(&app))
        continue;
    const enum verdict verdict = app_compare(&app, seed);
    app_finish(&app);
    rp_h264_decoder_destroy(dec);
    return verdict;
}

int
main(int argc, char **argv)
{
    REQUIRE(argc >= 3);
    if (!rp_codec_h264_decode())
        return TEST_SKIPPED;

    const uint32_t first = (uint32_t)strtoul(argv[1], NULL, 10);
    const uint32_t count = (uint32_t)strtoul(argv[2], NULL, 10);
    uint32_t counts[3] = {0};
    if (!argv[3])
        av_log_set_level(AV_LOG_QUIET);
    for (uint32_t seed = first; seed < first + count; seed++)
        counts[seed_test(seed, argv[3])]++;
    printf("%u streams exact, %u wrong, %u not judged\n", counts[EXACT], counts[WRONG],
           counts[NOT_JUDGED]);
    return counts[WRONG] != 0 || counts[NOT_JUDGED] * 50 > count;
}

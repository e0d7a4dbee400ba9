/* SPDX-License-Identifier: MIT */
/* Streams decoded through the contract: every frame equals libavcodec's own.
 *
 * usage: bit_exact [OPTION...] STREAM...
 *   Several streams share one decoder, picture by picture. Options:
 *   --threads N  --frame-num-bits N (private numbers wrap early)  --i420  --crop PX
 *   --cut ROWS (pictures end above the ends of their images)
 *   --skip (non-reference pictures)  --reset (at every IDR)  --keep (a slot for every picture)
 *   --targets (images may be decoded into, and lose their memory with the next frame)
 *   --two-outputs  --no-fields (frames are listed without field flags)
 *   --pause N (the first stream stops after N pictures until the others have ended)
 *   --overtake N (likewise, and the others begin then)
 */
#include "app.h"
#include "codecs/avcodec/h264/decoder.h"
#include "judge.h"
#include "reelpipe/decode_h264.h"
#include "test.h"
#include "util/compiler.h"

#include <string.h>

#define MAX_STREAMS 3

struct arguments {
    struct app_options options;
    uint32_t thread_count;
    uint32_t frame_num_bits;
    size_t pause_after;
    size_t begin_after; /* so many pictures of the first stream the others begin */
    const char *paths[MAX_STREAMS];
    uint32_t stream_count;
};

static uint32_t
number(const char *text)
{
    REQUIRE(text);
    return (uint32_t)strtoul(text, NULL, 10);
}

static void
arguments_parse(struct arguments *args, char **argv)
{
    *args = (struct arguments){.thread_count = 1, .frame_num_bits = 16, .pause_after = SIZE_MAX};
    for (argv++; *argv; argv++) {
        const char *arg = *argv;
        if (strcmp(arg, "--threads") == 0)
            args->thread_count = number(*++argv);
        else if (strcmp(arg, "--frame-num-bits") == 0)
            args->frame_num_bits = number(*++argv);
        else if (strcmp(arg, "--pause") == 0)
            args->pause_after = number(*++argv);
        else if (strcmp(arg, "--overtake") == 0)
            args->pause_after = args->begin_after = number(*++argv);
        else if (strcmp(arg, "--crop") == 0)
            args->options.crop_px = number(*++argv);
        else if (strcmp(arg, "--cut") == 0)
            args->options.cut_rows = number(*++argv);
        else if (strcmp(arg, "--i420") == 0)
            args->options.is_i420 = true;
        else if (strcmp(arg, "--skip") == 0)
            args->options.skips_non_reference = true;
        else if (strcmp(arg, "--reset") == 0)
            args->options.resets_at_idr = true;
        else if (strcmp(arg, "--keep") == 0)
            args->options.keeps_non_reference = true;
        else if (strcmp(arg, "--targets") == 0)
            args->options.has_targets = args->options.moves_targets = true;
        else if (strcmp(arg, "--two-outputs") == 0)
            args->options.has_second_output = true;
        else if (strcmp(arg, "--no-fields") == 0)
            args->options.lists_frames_without_fields = true;
        else {
            REQUIRE(args->stream_count < MAX_STREAMS);
            args->paths[args->stream_count++] = arg;
        }
    }
    REQUIRE(args->stream_count);
}

static void
apps_init(struct app *apps, const struct arguments *args, struct rp_decoder *dec)
{
    const uint32_t share = RP_MIN(APP_MAX_SLOTS / args->stream_count, RP_H264_DECODE_SLOTS);
    for (uint32_t i = 0; i < args->stream_count; i++) {
        struct app_options options = args->options;
        size_t data_B;
        uint8_t *data = file_read(args->paths[i], &data_B);
        options.seed = i;
        app_init(&apps[i], rp_codec_h264_decode(), dec, data, data_B, i * share, share, &options);
    }
}

static void
apps_run(struct app *apps, const struct arguments *args)
{
    bool is_over[MAX_STREAMS] = {false};
    uint32_t running = args->stream_count;
    while (running) {
        for (uint32_t i = 0; i < args->stream_count; i++) {
            const bool is_paused = i == 0
                                       ? running > 1 && apps[i].picture_count >= args->pause_after
                                       : !is_over[0] && apps[0].picture_count < args->begin_after;
            if (is_over[i] || is_paused)
                continue;
            bool has_more;
            do
                has_more = app_step(&apps[i]);
            while (has_more && args->stream_count > 1 && app_is_between_fields(&apps[i]));
            is_over[i] = !has_more;
            running -= !has_more;
        }
    }
}

int
main(int argc, char **argv)
{
    struct arguments args;
    arguments_parse(&args, argv);
    if (!rp_codec_h264_decode())
        return TEST_SKIPPED;

    enum rp_codec_status status;
    struct rp_decoder *dec =
        rp_h264_decoder_create(args.thread_count, args.frame_num_bits, &status);
    REQUIRE(dec);
    static struct app apps[MAX_STREAMS];
    apps_init(apps, &args, dec);
    apps_run(apps, &args);
    rp_h264_decoder_destroy(dec);

    int failed = 0;
    for (uint32_t i = 0; i < args.stream_count; i++) {
        failed |= judge_compare(&apps[i], args.paths[i]);
        app_finish(&apps[i]);
        /* All of these streams have frames, but a macroblock may not stand out of a picture. */
        REQUIRE_EQ(apps[i].targets_retained > 0,
                   args.options.has_targets && args.options.cut_rows < 16);
        REQUIRE_EQ(apps[i].targets_alive, 0);
    }
    return failed;
}

/* SPDX-License-Identifier: MIT */
/* VP9 streams decoded picture by picture, with slots of the application: every picture that is
 * shown is libavcodec's own.
 *
 * usage: codec_vp9_streams [--seed N] [--planar] [--moving] [--existing] [--sizes]
 *                          [--damage PERCENT | --lose PERCENT] FILE...
 *
 * --existing, --sizes: that there are such pictures, and several sizes. With damaged frames or lost
 * ones nothing is compared; lost ones are seen, damage need not be: VP9 can decode nearly anything.
 */
#include "engine_decoder.h"
#include "judge.h"
#include "tests/test.h"

#include "reelpipe/decode_vp9.h"
#include "video/decode/engine.h"
#include "video/vp9/standard.h"

#include <stdlib.h>
#include <string.h>

struct arguments {
    struct app_options app;
    bool is_moving;
    bool needs_existing;
    bool needs_sizes;
    char **names;
    uint32_t failed_count; /* pictures of all files */
};

static void
arguments_parse(struct arguments *args, char **argv)
{
    *args = (struct arguments){.app = {.seed = 1}};
    for (argv++; *argv && strncmp(*argv, "--", 2) == 0; argv++) {
        if (strcmp(*argv, "--planar") == 0)
            args->app.is_planar = true;
        else if (strcmp(*argv, "--moving") == 0)
            args->is_moving = true;
        else if (strcmp(*argv, "--existing") == 0)
            args->needs_existing = true;
        else if (strcmp(*argv, "--sizes") == 0)
            args->needs_sizes = true;
        else if (strcmp(*argv, "--seed") == 0 && argv[1])
            args->app.seed = strtoul(*++argv, NULL, 10);
        else if (strcmp(*argv, "--damage") == 0 && argv[1])
            args->app.damage_percent = (uint32_t)strtoul(*++argv, NULL, 10);
        else if (strcmp(*argv, "--lose") == 0 && argv[1])
            args->app.lost_percent = (uint32_t)strtoul(*++argv, NULL, 10);
        else
            REQUIRE(false);
    }
    args->names = argv;
    REQUIRE(*argv);
}

static void
show_nothing(void *context, const struct rp_picture *picture)
{
}

static bool
run(struct arguments *args, const char *name, const struct rp_decode_codec *codec)
{
    enum rp_codec_status status;
    struct engine_decoder engine = {.is_moving = args->is_moving};
    engine.dec = rp_video_decode_create(&rp_vp9_decode, codec, 1, &status);
    REQUIRE(engine.dec);
    const struct app_decoder decoder = {&engine, engine_decode};
    const bool is_compared = args->app.damage_percent == 0 && args->app.lost_percent == 0;
    struct app_result result;
    struct judge judge = {.count = 0};
    if (is_compared)
        judge_open(&judge, name);
    app_run(name, &args->app, &decoder, is_compared ? judge_compare : show_nothing, &judge,
            &result);
    rp_video_decode_destroy(engine.dec);
    judge_close(&judge);

    const bool is_good = !is_compared || (judge.wrong == 0 && judge.count == judge.compared &&
                                          judge.count > 0 && result.failed_count == 0);
    (void)printf("%s: %s: %u pictures, %u failed, %u shown (%u existing; reference: %u), %u wrong, "
                 "%u sizes\n",
                 is_good ? "good" : "WRONG", name, result.picture_count, result.failed_count,
                 result.shown_count, result.existing_count, judge.count, judge.wrong, result.sizes);
    REQUIRE(!args->needs_existing || result.existing_count > 0);
    REQUIRE(!args->needs_sizes || result.sizes > 1);
    args->failed_count += result.failed_count;
    return is_good;
}

int
main(int argc, char **argv)
{
    struct arguments args;
    arguments_parse(&args, argv);
    const struct rp_decode_codec *codec = rp_codec_vp9_decode();
    if (!codec)
        return TEST_SKIPPED;
    bool is_good = true;
    for (char **name = args.names; *name; name++)
        is_good &= run(&args, *name, codec);
    REQUIRE(args.failed_count > 0 || args.app.lost_percent == 0);
    return !is_good;
}

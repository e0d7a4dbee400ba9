/* SPDX-License-Identifier: MIT */
/* Streams of VP9 through the decoder's commands: every picture that is shown is libavcodec's own.
 *
 * usage: video_decode_vp9 [--distinct] [--planar] [--layered] [--queues] [--margin BYTES]
 *                         [--border PX] [--seed N] FILE...
 *
 * Files of one bit depth are decoded one after the other on one session.
 */
#include "tests/codec_vp9/judge.h"
#include "tests/test.h"
#include "vulkan_vp9.h"

#include <stdlib.h>
#include <string.h>

struct arguments {
    struct app_options app;
    struct vulkan_vp9_options options;
    char **names;
};

static bool
flag_parse(struct arguments *args, const char *arg)
{
    const struct {
        const char *name;
        bool *flag;
    } flags[] = {
        {"--distinct", &args->options.is_distinct},
        {"--planar", &args->options.is_planar},
        {"--layered", &args->options.is_layered},
        {"--queues", &args->options.has_queues},
    };
    for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
        if (strcmp(arg, flags[i].name) == 0)
            return *flags[i].flag = true;
    }
    return false;
}

static void
arguments_parse(struct arguments *args, char **argv)
{
    *args = (struct arguments){.app = {.seed = 1}};
    for (argv++; *argv && strncmp(*argv, "--", 2) == 0; argv++) {
        if (flag_parse(args, *argv))
            continue;
        REQUIRE(argv[1]);
        const uint32_t value = (uint32_t)strtoul(argv[1], NULL, 10);
        if (strcmp(*argv, "--margin") == 0)
            args->options.margin_B = value;
        else if (strcmp(*argv, "--border") == 0)
            args->options.border_px = value;
        else if (strcmp(*argv, "--seed") == 0)
            args->app.seed = value;
        else
            REQUIRE(false);
        argv++;
    }
    args->names = argv;
    args->app.is_planar = args->options.is_planar;
    REQUIRE(*argv);
}

static bool
run_file(const struct arguments *args, struct vulkan_vp9 *dec, const char *name)
{
    const struct app_decoder decoder = {dec, vulkan_vp9_decode};
    struct app_result result;
    struct judge judge;
    judge_open(&judge, name);
    app_run(name, &args->app, &decoder, judge_compare, &judge, &result);
    judge_close(&judge);
    const bool is_good = judge.wrong == 0 && judge.count == judge.compared && judge.count > 0 &&
                         result.failed_count == 0;
    (void)printf("%s: %s: %u pictures, %u failed, %u shown (reference: %u), %u wrong\n",
                 is_good ? "exact" : "WRONG", name, result.picture_count, result.failed_count,
                 result.shown_count, judge.count, judge.wrong);
    return is_good;
}

static bool
run_files(struct vk *vk, struct arguments *args, uint32_t bit_depth)
{
    struct vulkan_vp9 *dec = NULL;
    bool is_good = true;
    args->options.bit_depth = bit_depth;
    for (char **name = args->names; *name; name++) {
        if (app_bit_depth(*name) != bit_depth)
            continue;
        if (!dec)
            dec = vulkan_vp9_open(vk, &args->options);
        REQUIRE(dec);
        is_good &= run_file(args, dec, *name);
    }
    if (dec)
        vulkan_vp9_close(dec);
    return is_good;
}

int
main(int argc, char **argv)
{
    struct arguments args;
    struct vk vk;
    arguments_parse(&args, argv);
    vk_open_for(&vk, 0, VK_VIDEO_CODEC_OPERATION_DECODE_VP9_BIT_KHR);
    if (vk.decode_family == UINT32_MAX) {
        vk_close(&vk);
        return TEST_SKIPPED;
    }
    const bool is_good_8 = run_files(&vk, &args, 8);
    const bool is_good_10 = run_files(&vk, &args, 10);
    vk_close(&vk);
    return !is_good_8 || !is_good_10;
}

/* SPDX-License-Identifier: MIT */
/* Streams of H.265 through the decoder's commands: every picture is one of libavcodec's own, and
 * what is missing is reported.
 *
 * usage: video_decode_h265 [--distinct] [--layered] [--inline] [--main10]
 *                          [--drop PERCENT] FILE...
 *
 * Several files, of one bit depth, share one session, picture by picture. --main10: of that profile
 * even when they have 8 bits.
 */
#include "tests/codec_h265/judge.h"
#include "tests/test.h"
#include "vulkan_h265.h"

#include <string.h>

struct arguments {
    struct vulkan_h265_options options;
    const char *names[APP_MAX_STREAMS];
    uint32_t count;
};

static void
arguments_parse(struct arguments *args, struct session *session, char **argv)
{
    *args = (struct arguments){.count = 0};
    for (argv++; *argv; argv++) {
        if (strcmp(*argv, "--distinct") == 0) {
            args->options.is_distinct = true;
        } else if (strcmp(*argv, "--layered") == 0) {
            args->options.is_layered = true;
        } else if (strcmp(*argv, "--inline") == 0) {
            args->options.is_inlined = true;
        } else if (strcmp(*argv, "--main10") == 0) {
            args->options.is_main_10 = true;
        } else if (strcmp(*argv, "--drop") == 0) {
            REQUIRE(*++argv);
            session->dropped_percent = (uint32_t)atoi(*argv);
            session->may_fail = true;
        } else {
            REQUIRE(args->count < APP_MAX_STREAMS);
            args->names[args->count++] = *argv;
        }
    }
    REQUIRE(args->count > 0);
}

static void
run(struct stream *streams, uint32_t count)
{
    for (bool is_alive = true; is_alive;) {
        is_alive = false;
        for (uint32_t i = 0; i < count; i++)
            is_alive |= stream_step(&streams[i]);
    }
}

int
main(int argc, char **argv)
{
    static struct stream streams[APP_MAX_STREAMS];
    static struct session session;
    struct arguments args;
    struct vk vk;
    session.random = 1;
    arguments_parse(&args, &session, argv);
    session.codec = rp_codec_h265_decode();
    vk_open_for(&vk, 0, VK_VIDEO_CODEC_OPERATION_DECODE_H265_BIT_KHR);
    if (!session.codec || vk.decode_family == UINT32_MAX) {
        vk_close(&vk);
        return TEST_SKIPPED;
    }
    session.decode = vulkan_h265_decode;
    session.context = vulkan_h265_open(&vk, &args.options);
    for (uint32_t i = 0; i < args.count; i++)
        stream_open(&streams[i], &session, args.names[i]);
    run(streams, args.count);

    bool is_good = true;
    for (uint32_t i = 0; i < args.count; i++) {
        if (!session.may_fail)
            is_good &= judge_compare(&streams[i]);
        stream_close(&streams[i]);
    }
    vulkan_h265_close(session.context);
    vk_close(&vk);
    REQUIRE(session.dropped_percent == 0 || session.incomplete_count > 0);
    REQUIRE_EQ(session.damaged_count, session.incomplete_count);
    return !is_good;
}

/* SPDX-License-Identifier: MIT */
/* Streams decoded picture by picture, with slots of the application: every picture that is output
 * is one of libavcodec's own.
 *
 * usage: codec_h265_streams [--threads N] [--seed N] [--in-place] [--planar] [--pause N]
 *                           [--crowd] [--damage PERCENT | --lose PERCENT | --drop PERCENT] FILE...
 *
 * Pictures are in all slots that the engine has, where they stay until others take these: so the
 * decoder keeps as many as there may be. Several files share one decoder, picture by picture; with
 * --pause the first one stops after N pictures until the others have ended; with --crowd, pictures
 * come before that refer to more than there may be, for nothing. With damaged slices,
 * lost pictures or dropped slices nothing is compared, but what is missing must have been seen.
 */
#include "app.h"
#include "judge.h"
#include "tests/test.h"

#include <string.h>

struct arguments {
    uint32_t thread_count;
    uint32_t pause_after;
    const char *names[APP_MAX_STREAMS];
    uint32_t count;
};

static void
arguments_parse(struct arguments *args, struct session *session, char **argv)
{
    *args = (struct arguments){.thread_count = 1, .pause_after = UINT32_MAX};
    for (argv++; *argv; argv++) {
        if (strcmp(*argv, "--in-place") == 0) {
            session->is_in_place = true;
        } else if (strcmp(*argv, "--planar") == 0) {
            session->is_planar = true;
        } else if (strcmp(*argv, "--crowd") == 0) {
            session->has_crowds = true;
        } else if (strncmp(*argv, "--", 2) != 0) {
            REQUIRE(args->count < APP_MAX_STREAMS);
            args->names[args->count++] = *argv;
        } else {
            const char *name = *argv++;
            REQUIRE(*argv);
            const uint32_t value = (uint32_t)atoi(*argv);
            if (strcmp(name, "--threads") == 0)
                args->thread_count = value;
            else if (strcmp(name, "--seed") == 0)
                session->random = value;
            else if (strcmp(name, "--pause") == 0)
                args->pause_after = value;
            else if (strcmp(name, "--damage") == 0)
                session->damage_percent = value;
            else if (strcmp(name, "--lose") == 0)
                session->lost_percent = value;
            else if (strcmp(name, "--drop") == 0)
                session->dropped_percent = value;
            else
                REQUIRE(false);
        }
    }
    REQUIRE(args->count > 0);
    session->may_fail =
        session->damage_percent > 0 || session->lost_percent > 0 || session->dropped_percent > 0;
}

static void
run(struct stream *streams, const struct arguments *args)
{
    bool is_over[APP_MAX_STREAMS] = {false};
    uint32_t running = args->count;
    while (running > 0) {
        for (uint32_t i = 0; i < args->count; i++) {
            const bool is_paused =
                i == 0 && running > 1 && streams[i].picture_count >= args->pause_after;
            if (is_over[i] || is_paused)
                continue;
            is_over[i] = !stream_step(&streams[i]);
            running -= is_over[i];
        }
    }
}

int
main(int argc, char **argv)
{
    static struct stream streams[APP_MAX_STREAMS];
    static struct session session;
    struct arguments args;
    session.random = 1;
    session.slot_count = RP_H265_PRIVATE_SLOTS;
    arguments_parse(&args, &session, argv);
    session.codec = rp_codec_h265_decode();
    if (!session.codec)
        return TEST_SKIPPED;
    enum rp_codec_status status;
    session.dec = session.codec->create(args.thread_count, &status);
    REQUIRE(session.dec);
    rp_h265_private_streams_init(&session.streams);
    for (uint32_t i = 0; i < args.count; i++)
        stream_open(&streams[i], &session, args.names[i]);
    run(streams, &args);

    bool is_good = true;
    for (uint32_t i = 0; i < args.count; i++) {
        if (!session.may_fail)
            is_good &= judge_compare(&streams[i]);
        stream_close(&streams[i]);
    }
    session.codec->destroy(session.dec);
    rp_h265_private_picture_finish(&session.picture);
    (void)printf("%u pictures, %u damaged, %u in place\n", session.decoded_count,
                 session.damaged_count, session.retained_count);
    REQUIRE_EQ(session.out_of_memory_count, 0); /* there is room in libavcodec's DPB */
    REQUIRE_EQ(session.retained_count > 0, session.is_in_place && session.may_retain);
    REQUIRE(session.lost_percent == 0 || session.damaged_count > 0);
    REQUIRE(session.dropped_percent == 0 || session.incomplete_count > 0);
    if (session.damage_percent == 0 && session.lost_percent == 0)
        REQUIRE_EQ(session.damaged_count, session.incomplete_count);
    return !is_good;
}

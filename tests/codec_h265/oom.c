/* SPDX-License-Identifier: MIT */
/* Each allocation of the decoder, and of libavcodec inside of it, fails once: what cannot be made
 * says why, nothing is leaked, and the session goes on.
 *
 * usage: codec_h265_oom FILE
 *
 * Not with sanitizers, which have an allocator of their own.
 */
#include "app.h"
#include "failing_malloc.h"
#include "tests/test.h"

#define PICTURES 4

static void
count_allocations(bool is_entering)
{
    failing_malloc.is_counting = is_entering;
}

static struct rp_decoder *
create(const struct rp_decode_codec *codec, enum rp_codec_status *status_out)
{
    count_allocations(true);
    struct rp_decoder *dec = codec->create(1, status_out);
    count_allocations(false);
    return dec;
}

/* Libraries keep what they made once. */
static void
load_library(void)
{
    enum rp_codec_status status;
    struct rp_decoder *dec = rp_codec_h265_decode()->create(1, &status);
    REQUIRE(dec);
    rp_codec_h265_decode()->destroy(dec);
}

static void
decode_pictures(struct session *session, const char *name)
{
    static struct stream stream;
    stream_open(&stream, session, name);
    for (uint32_t i = 0; i < PICTURES; i++)
        REQUIRE(stream_step(&stream));
    stream_close(&stream);
}

/* Returns whether there was an n-th allocation. */
static bool
run_once(const char *name, long n)
{
    static struct session session;
    enum rp_codec_status status;
    session = (struct session){.random = 1, .enters = count_allocations, .may_fail = true};
    session.codec = rp_codec_h265_decode();
    failing_malloc.live_count = 0;
    failing_malloc.has_failed = false;
    failing_malloc.countdown = n;
    session.dec = create(session.codec, &status);
    if (!session.dec) {
        REQUIRE(failing_malloc.has_failed);
        REQUIRE_EQ(status, RP_CODEC_NO_MEMORY);
        REQUIRE_EQ(failing_malloc.live_count, 0);
        return true;
    }
    rp_h265_private_streams_init(&session.streams);
    decode_pictures(&session, name);
    REQUIRE(failing_malloc.has_failed || session.damaged_count == 0);

    failing_malloc.countdown = 0;
    session.may_fail = false; /* a stream that begins with an IDR picture is decoded now */
    decode_pictures(&session, name);
    count_allocations(true);
    session.codec->destroy(session.dec);
    rp_h265_private_picture_finish(&session.picture);
    count_allocations(false);
    if (failing_malloc.live_count != 0)
        (void)fprintf(stderr, "allocation %ld: %ld leaked\n", n, failing_malloc.live_count);
    REQUIRE_EQ(failing_malloc.live_count, 0);
    return failing_malloc.has_failed;
}

int
main(int argc, char **argv)
{
    REQUIRE_EQ(argc, 2);
    if (!rp_codec_h265_decode())
        return TEST_SKIPPED;
    load_library();
    long n = 1;
    while (run_once(argv[1], n))
        n++;
    (void)printf("%ld allocations\n", n);
    REQUIRE(n > 20);
    return 0;
}

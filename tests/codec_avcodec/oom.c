/* SPDX-License-Identifier: MIT */
/* Each allocation of the decoder, and of libavcodec inside of it, fails once: a decoder that cannot
 * be made says why, nothing is leaked, and after a reset the same decoder decodes the stream.
 * Pictures meanwhile may be wrong: libavcodec swallows some failures of its own.
 *
 * usage: oom STREAM (not with sanitizers, which have an allocator of their own)
 */
#include "app.h"
#include "failing_malloc.h"
#include "reelpipe/decode_h264.h"
#include "test.h"

static enum rp_codec_status
counted_decode(struct rp_decoder *dec, const struct rp_decode_job *job)
{
    failing_malloc.is_counting = true;
    const enum rp_codec_status status = rp_codec_h264_decode()->decode(dec, job);
    failing_malloc.is_counting = false;
    REQUIRE(status != RP_CODEC_UNSUPPORTED && status != RP_CODEC_NO_SPACE);
    return status;
}

static struct rp_decoder *
counted_create(enum rp_codec_status *status_out)
{
    failing_malloc.is_counting = true;
    struct rp_decoder *dec = rp_codec_h264_decode()->create(1, status_out);
    failing_malloc.is_counting = false;
    return dec;
}

static void
counted_destroy(struct rp_decoder *dec)
{
    failing_malloc.is_counting = true;
    rp_codec_h264_decode()->destroy(dec);
    failing_malloc.is_counting = false;
}

/* Returns how many pictures were not OK. */
static size_t
stream_decode(struct rp_decoder *dec, const char *path, struct hashes *hashes_out)
{
    struct rp_decode_codec codec = *rp_codec_h264_decode();
    const struct app_options options = {.seed = 1};
    size_t data_B;
    uint8_t *data = file_read(path, &data_B);
    struct app app;

    codec.decode = counted_decode;
    app_init(&app, &codec, dec, data, data_B, 0, APP_MAX_SLOTS, &options);
    while (app_step(&app))
        continue;
    const size_t damaged_count = app.damaged_count;
    for (size_t i = 0; i < app.hashes.count; i++)
        hashes_add(hashes_out, app.hashes.at[i]);
    app_finish(&app);
    return damaged_count;
}

static void
require_same(struct hashes *found, struct hashes *expected)
{
    REQUIRE_EQ(found->count, expected->count);
    REQUIRE_EQ(hashes_missing(expected, found), 0);
    hashes_finish(found);
    *found = (struct hashes){0};
}

/* Returns whether there was an n-th allocation. */
static bool
run_once(const char *path, struct hashes *expected, long n)
{
    struct hashes found = {0};
    enum rp_codec_status status;

    failing_malloc.live_count = 0;
    failing_malloc.has_failed = false;
    failing_malloc.countdown = n;
    struct rp_decoder *dec = counted_create(&status);
    if (!dec) {
        REQUIRE(failing_malloc.has_failed);
        REQUIRE_EQ(status, RP_CODEC_NO_MEMORY);
        REQUIRE_EQ(failing_malloc.live_count, 0);
        return true;
    }
    if (stream_decode(dec, path, &found) > 0)
        REQUIRE(failing_malloc.has_failed);
    else if (!failing_malloc.has_failed)
        require_same(&found, expected);
    failing_malloc.countdown = 0;
    hashes_finish(&found);
    found = (struct hashes){0};

    failing_malloc.is_counting = true;
    rp_codec_h264_decode()->reset(dec);
    failing_malloc.is_counting = false;
    REQUIRE_EQ(stream_decode(dec, path, &found), 0);
    require_same(&found, expected);
    counted_destroy(dec);
    if (failing_malloc.live_count != 0)
        fprintf(stderr, "allocation %ld: %ld leaked\n", n, failing_malloc.live_count);
    REQUIRE_EQ(failing_malloc.live_count, 0);
    return failing_malloc.has_failed;
}

int
main(int argc, char **argv)
{
    struct hashes expected = {0};
    enum rp_codec_status status;
    REQUIRE_EQ(argc, 2);
    if (!rp_codec_h264_decode())
        return TEST_SKIPPED;

    struct rp_decoder *dec = counted_create(&status); /* loads the library */
    REQUIRE(dec);
    REQUIRE_EQ(stream_decode(dec, argv[1], &expected), 0);
    counted_destroy(dec);

    long n = 1;
    while (run_once(argv[1], &expected, n))
        n += n < 300 ? 1 : 7;
    printf("%ld allocations\n", n);
    REQUIRE(n > 50);
    hashes_finish(&expected);
    return 0;
}

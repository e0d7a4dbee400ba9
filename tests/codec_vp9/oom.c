/* SPDX-License-Identifier: MIT */
/* Each allocation of decoding, of libavcodec's too, fails once: nothing is leaked, and the session
 * decodes the next key frame. Opening a decoder is left out: where libavcodec 59 splits the list of
 * VP9's bitstream filters (av_bsf_list_parse_str), it does not expect to be short of memory.
 *
 * usage: codec_vp9_oom FILE
 *
 * Not with sanitizers, which have an allocator of their own.
 */
#include "engine_decoder.h"
#include "failing_malloc.h"
#include "tests/test.h"

#include "reelpipe/decode_vp9.h"
#include "video/decode/engine.h"
#include "video/vp9/standard.h"

static const char *name;

static void
count_allocations(bool is_entering)
{
    failing_malloc.is_counting = is_entering;
}

static void
show_nothing(void *context, const struct rp_picture *picture)
{
}

static struct rp_video_decode *
create(enum rp_codec_status *status_out)
{
    count_allocations(true);
    struct rp_video_decode *dec =
        rp_video_decode_create(&rp_vp9_decode, rp_codec_vp9_decode(), 1, status_out);
    count_allocations(false);
    return dec;
}

static uint32_t
decode_file(struct engine_decoder *engine)
{
    const struct app_options options = {.seed = 2};
    struct app_result result;
    app_run(name, &options, &(struct app_decoder){engine, engine_decode}, show_nothing, NULL,
            &result);
    return result.failed_count;
}

/* Returns whether there was an n-th allocation. */
static bool
run_once(long n)
{
    enum rp_codec_status status;
    struct engine_decoder engine = {.is_moving = true, .enters = count_allocations};
    failing_malloc.live_count = 0;
    failing_malloc.has_failed = false;
    failing_malloc.countdown = 0;
    engine.dec = create(&status);
    REQUIRE(engine.dec);
    failing_malloc.countdown = n;
    const uint32_t failed_count = decode_file(&engine);
    REQUIRE(failing_malloc.has_failed || failed_count == 0);

    failing_malloc.countdown = 0;
    REQUIRE_EQ(decode_file(&engine), 0);
    count_allocations(true);
    rp_video_decode_destroy(engine.dec);
    count_allocations(false);
    if (failing_malloc.live_count != 0)
        (void)fprintf(stderr, "allocation %ld: %ld leaked\n", n, failing_malloc.live_count);
    REQUIRE_EQ(failing_malloc.live_count, 0);
    return failing_malloc.has_failed;
}

int
main(int argc, char **argv)
{
    enum rp_codec_status status;
    REQUIRE_EQ(argc, 2);
    name = argv[1];
    if (!rp_codec_vp9_decode())
        return TEST_SKIPPED;
    rp_video_decode_destroy(create(&status)); /* libraries keep what they made once */
    long n = 1;
    while (run_once(n))
        n++;
    (void)printf("%ld allocations\n", n);
    REQUIRE(n > 20);
    return 0;
}

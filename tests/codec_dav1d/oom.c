/* SPDX-License-Identifier: MIT */
/* Each allocation of the decoder, and of libdav1d inside of it, fails once: what cannot be made
 * says why, nothing is leaked, and after a reset the same decoder decodes.
 *
 * Not with sanitizers, which have an allocator of their own.
 */
#include "failing_malloc.h"
#include "grey.h"
#include "test.h"

static struct grey_image image;

static enum rp_codec_status
decode_grey(const struct rp_decode_codec *codec, struct rp_decoder *dec)
{
    const struct rp_av1_decode_job job = grey_job(&image);
    failing_malloc.is_counting = true;
    const enum rp_codec_status status = codec->decode(dec, &job.common);
    failing_malloc.is_counting = false;
    if (status == RP_CODEC_OK)
        REQUIRE_EQ(image.luma[0], GREY);
    return status;
}

static struct rp_decoder *
create(const struct rp_decode_codec *codec, enum rp_codec_status *status_out)
{
    failing_malloc.is_counting = true;
    struct rp_decoder *dec = codec->create(1, status_out);
    failing_malloc.is_counting = false;
    return dec;
}

static void
destroy(const struct rp_decode_codec *codec, struct rp_decoder *dec)
{
    failing_malloc.is_counting = true;
    codec->destroy(dec);
    failing_malloc.is_counting = false;
}

/* Returns whether there was an n-th allocation. */
static bool
run_once(const struct rp_decode_codec *codec, long n)
{
    enum rp_codec_status status;
    failing_malloc.live_count = 0;
    failing_malloc.has_failed = false;
    failing_malloc.countdown = n;
    struct rp_decoder *dec = create(codec, &status);
    if (!dec) {
        REQUIRE(failing_malloc.has_failed);
        REQUIRE_EQ(status, RP_CODEC_NO_MEMORY);
        REQUIRE_EQ(failing_malloc.live_count, 0);
        return true;
    }
    for (uint32_t i = 0; i < 3; i++) {
        status = decode_grey(codec, dec);
        REQUIRE(status == RP_CODEC_OK ||
                (failing_malloc.has_failed &&
                 (status == RP_CODEC_NO_MEMORY || status == RP_CODEC_FAILED)));
    }
    failing_malloc.countdown = 0;
    failing_malloc.is_counting = true;
    codec->reset(dec);
    failing_malloc.is_counting = false;
    REQUIRE_EQ(decode_grey(codec, dec), RP_CODEC_OK);
    destroy(codec, dec);
    if (failing_malloc.live_count != 0)
        (void)fprintf(stderr, "allocation %ld: %ld leaked\n", n, failing_malloc.live_count);
    REQUIRE_EQ(failing_malloc.live_count, 0);
    return failing_malloc.has_failed;
}

int
main(void)
{
    const struct rp_decode_codec *codec = rp_codec_av1_decode();
    if (!codec)
        return TEST_SKIPPED;
    enum rp_codec_status status;
    struct rp_decoder *dec = create(codec, &status); /* loads the library */
    REQUIRE(dec);
    REQUIRE_EQ(decode_grey(codec, dec), RP_CODEC_OK);
    destroy(codec, dec);

    long n = 1;
    while (run_once(codec, n))
        n++;
    (void)printf("%ld allocations\n", n);
    REQUIRE(n > 20);
    return 0;
}

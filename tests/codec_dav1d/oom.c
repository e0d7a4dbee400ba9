/* SPDX-License-Identifier: MIT */
/* Each allocation of the decoder, and of libdav1d inside of it, fails once: what cannot be made says
 * why, nothing is leaked, and after a reset the same decoder decodes.
 *
 * Not with sanitizers, which have an allocator of their own.
 */
#include "grey.h"
#include "test.h"

#include <errno.h>

/* glibc's own names. */
void *__libc_malloc(size_t size_B);
void *__libc_calloc(size_t count, size_t size_B);
void *__libc_realloc(void *memory, size_t size_B);
void *__libc_memalign(size_t align_B, size_t size_B);
void __libc_free(void *memory);

static bool is_counting; /* in a call of the decoder */
static long countdown;   /* 1: the next one fails; 0: none does */
static long live_count;
static bool has_failed;

static bool
fails(void)
{
    if (!is_counting || countdown == 0 || --countdown != 0)
        return false;
    has_failed = true;
    return true;
}

static void *
taken(void *memory)
{
    live_count += is_counting && memory;
    return memory;
}

void *
malloc(size_t size_B)
{
    return fails() ? NULL : taken(__libc_malloc(size_B));
}

void *
calloc(size_t count, size_t size_B)
{
    return fails() ? NULL : taken(__libc_calloc(count, size_B));
}

void *
realloc(void *memory, size_t size_B)
{
    if (fails())
        return NULL;
    live_count += is_counting && !memory;
    return __libc_realloc(memory, size_B);
}

void *
aligned_alloc(size_t align_B, size_t size_B)
{
    return fails() ? NULL : taken(__libc_memalign(align_B, size_B));
}

int
posix_memalign(void **out, size_t align_B, size_t size_B)
{
    void *memory = aligned_alloc(align_B, size_B);
    if (!memory)
        return ENOMEM;
    *out = memory;
    return 0;
}

void
free(void *memory)
{
    live_count -= is_counting && memory;
    __libc_free(memory);
}

static struct grey_image image;

static enum rp_codec_status
decode_grey(const struct rp_decode_codec *codec, struct rp_decoder *dec)
{
    const struct rp_av1_decode_job job = grey_job(&image);
    is_counting = true;
    const enum rp_codec_status status = codec->decode(dec, &job.common);
    is_counting = false;
    if (status == RP_CODEC_OK)
        REQUIRE_EQ(image.luma[0], GREY);
    return status;
}

static struct rp_decoder *
create(const struct rp_decode_codec *codec, enum rp_codec_status *status_out)
{
    is_counting = true;
    struct rp_decoder *dec = codec->create(1, status_out);
    is_counting = false;
    return dec;
}

static void
destroy(const struct rp_decode_codec *codec, struct rp_decoder *dec)
{
    is_counting = true;
    codec->destroy(dec);
    is_counting = false;
}

/* Returns whether there was an n-th allocation. */
static bool
run_once(const struct rp_decode_codec *codec, long n)
{
    enum rp_codec_status status;
    live_count = 0;
    has_failed = false;
    countdown = n;
    struct rp_decoder *dec = create(codec, &status);
    if (!dec) {
        REQUIRE(has_failed);
        REQUIRE_EQ(status, RP_CODEC_NO_MEMORY);
        REQUIRE_EQ(live_count, 0);
        return true;
    }
    for (uint32_t i = 0; i < 3; i++) {
        status = decode_grey(codec, dec);
        REQUIRE(status == RP_CODEC_OK ||
                (has_failed && (status == RP_CODEC_NO_MEMORY || status == RP_CODEC_FAILED)));
    }
    countdown = 0;
    is_counting = true;
    codec->reset(dec);
    is_counting = false;
    REQUIRE_EQ(decode_grey(codec, dec), RP_CODEC_OK);
    destroy(codec, dec);
    if (live_count != 0)
        (void)fprintf(stderr, "allocation %ld: %ld leaked\n", n, live_count);
    REQUIRE_EQ(live_count, 0);
    return has_failed;
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

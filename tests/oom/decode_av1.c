/* SPDX-License-Identifier: MIT */
/* Fails the n-th allocation of the driver while an AV1 session's first pictures are submitted and
 * decoded, for every n: the submission or the picture's status says so, the session decodes on, and
 * nothing is leaked. Needs the library that shim.c makes, preloaded.
 */
#include "av1_decoder.h"
#include "av1_grey.h"
#include "test.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define PICTURES 4u
#define NONE 1000000

static void (*shim_fail_at)(long n);
static long (*shim_live_count)(void);
static long (*shim_total_count)(void);

static struct {
    long left; /* allocations of submissions until the one that fails */
    long total_before;
} counter;

static void
find_shim(void)
{
    void *const found[] = {dlsym(RTLD_DEFAULT, "oom_shim_fail_at"),
                           dlsym(RTLD_DEFAULT, "oom_shim_live_count"),
                           dlsym(RTLD_DEFAULT, "oom_shim_total_count")};
    REQUIRE(found[0] && found[1] && found[2]);
    memcpy(&shim_fail_at, &found[0], sizeof(found[0]));
    memcpy(&shim_live_count, &found[1], sizeof(found[1]));
    memcpy(&shim_total_count, &found[2], sizeof(found[2]));
}

/* What is recorded and read back between submissions does not count. */
static void
count_submission(bool is_beginning)
{
    if (is_beginning) {
        counter.total_before = shim_total_count();
        shim_fail_at(counter.left > 0 ? counter.left : 0);
        return;
    }
    shim_fail_at(0);
    counter.left -= shim_total_count() - counter.total_before;
}

/* The key frame, then others that refer to the one before. */
static enum rp_codec_status
decode_picture(struct av1_decoder *dec, struct av1_grey *grey, uint32_t number)
{
    const int32_t slot = (int32_t)number % 3;
    struct app_job job = number == 0 ? av1_grey_job(grey, slot) : av1_grey_inter_job(grey, slot);
    for (uint32_t i = 0; i < RP_AV1_REFS_PER_FRAME && number > 0; i++)
        job.name_slots[i] = (int32_t)(number - 1) % 3;
    memset(grey->luma, 0, sizeof(grey->luma));
    const enum rp_codec_status status = av1_decoder_decode(dec, &job);
    if (status == RP_CODEC_OK && number == 0)
        REQUIRE_EQ(grey->luma[0], AV1_GREY_LUMA);
    return status;
}

/* Returns whether the n-th allocation was reached. kept_out: what the driver holds more than
 * before. */
static bool
run_once(struct vk *vk, const struct av1_decoder_options *options, long n, long *kept_out)
{
    static struct av1_grey grey;
    const long live_before = shim_live_count();
    struct av1_decoder *dec = av1_decoder_open(vk, options);
    if (!dec)
        exit(TEST_SKIPPED);
    av1_grey_init(&grey);
    counter.left = n;
    bool is_good = true;
    for (uint32_t i = 0; i < PICTURES; i++)
        is_good &= decode_picture(dec, &grey, i) == RP_CODEC_OK;
    const bool is_reached = counter.left <= 0;
    REQUIRE(is_good || is_reached);
    counter.left = NONE;
    av1_decoder_reset(dec);
    for (uint32_t i = 0; i < PICTURES; i++)
        REQUIRE_EQ(decode_picture(dec, &grey, i), RP_CODEC_OK);
    av1_decoder_close(dec);
    *kept_out = shim_live_count() - live_before;
    return is_reached;
}

static void
any_allocation_may_fail(struct vk *vk, const struct av1_decoder_options *options)
{
    long n = 1, kept, usually_kept;
    (void)run_once(vk, options, NONE, &kept); /* what is made once is there */
    (void)run_once(vk, options, NONE, &usually_kept);
    while (run_once(vk, options, n, &kept)) {
        if (kept != usually_kept)
            (void)fprintf(stderr, "allocation %ld: %ld kept, not %ld\n", n, kept, usually_kept);
        REQUIRE_EQ(kept, usually_kept);
        n++;
    }
    (void)printf("%ld allocations\n", n - 1);
    REQUIRE(n > 4);
}

int
main(void)
{
    struct vk vk;
    find_shim();
    vk_open(&vk);
    any_allocation_may_fail(
        &vk, &(struct av1_decoder_options){.bit_depth = 8, .submission = count_submission});
    any_allocation_may_fail(&vk, &(struct av1_decoder_options){.bit_depth = 8,
                                                               .is_distinct = true,
                                                               .is_inline = true,
                                                               .is_layered = true,
                                                               .submission = count_submission});
    vk_close(&vk);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* Fails the n-th allocation of the driver from the submission of a session's first pictures on, for
 * every n: their status says so, the pictures after them are exact, and nothing is leaked. Needs
 * the library that shim.c makes, preloaded.
 */
#include "pictures.h"
#include "stream.h"
#include "stream_state.h"
#include "test.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define PICTURES 4u
#define NONE 1000000

static void (*shim_fail_at)(long n);
static long (*shim_live_count)(void);
static long (*shim_total_count)(void);

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

/* True when the picture was submitted and is right. */
static bool
try_picture(struct stream *s, uint32_t number)
{
    struct shot *shot = shot_of(s, number);
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &shot->cb,
    };
    memset(shot->dst.data, GUARD, shot->dst.size_B);
    const VkResult result = vkQueueSubmit(s->vk->queue, 1, &submit, VK_NULL_HANDLE);
    REQUIRE(result == VK_SUCCESS || result == VK_ERROR_OUT_OF_HOST_MEMORY);
    if (result != VK_SUCCESS) {
        shot->is_busy = false;
        return false;
    }
    const int32_t status = stream_collect(s, number).status;
    REQUIRE(status == VK_QUERY_RESULT_STATUS_COMPLETE_KHR ||
            status == VK_QUERY_RESULT_STATUS_ERROR_KHR);
    return status == VK_QUERY_RESULT_STATUS_COMPLETE_KHR;
}

static void
record_pictures(struct stream *s)
{
    for (uint32_t i = 0; i < PICTURES; i++) {
        struct stream_picture pic =
            i ? picture_p(s, (int32_t)(2 * i), (int32_t)(i - 1) % 3) : picture_idr(s);
        pic.setup_slot = (int32_t)i % 3;
        pic.slice_count = 1 + i % 3;
        pic.is_noise = true;
        stream_record(s, stream_prepare(s, &pic));
    }
}

/* Returns whether the n-th allocation was reached. kept_out: what the driver holds more than
 * before: the command buffers, which go with their pool. */
static bool
run_once(struct vk *vk, const struct stream_options *options, long n, long *kept_out)
{
    const long live_before = shim_live_count();
    struct stream *s = stream_open(vk, options);
    record_pictures(s);
    const long total_before = shim_total_count();
    shim_fail_at(n);
    bool is_good = true;
    for (uint32_t i = 0; i < PICTURES; i++)
        is_good &= try_picture(s, i);
    shim_fail_at(0);
    const bool is_reached = shim_total_count() - total_before >= n;
    REQUIRE(is_good || is_reached);
    /* The commands that asked for constant QP may be among those that were not submitted. */
    static const int32_t any_qp = 28;
    for (uint32_t i = 0; i < 3; i++) {
        struct stream_picture pic =
            i ? picture_p(s, (int32_t)(2 * i), (int32_t)(i - 1)) : picture_idr(s);
        pic.setup_slot = (int32_t)i;
        pic.slice_qps = &any_qp;
        (void)stream_encode(s, &pic);
    }
    stream_flush(s);
    (void)stream_finish(s);
    *kept_out = shim_live_count() - live_before;
    return is_reached;
}

/* Every one of the first, then one in a few. */
static void
any_allocation_may_fail(struct vk *vk, const struct stream_options *options)
{
    long n = 1, kept, usually_kept;
    (void)run_once(vk, options, NONE, &kept); /* what is made once is there */
    (void)run_once(vk, options, NONE, &usually_kept);
    while (run_once(vk, options, n, &kept)) {
        if (kept != usually_kept)
            (void)fprintf(stderr, "allocation %ld: %ld kept, not %ld\n", n, kept, usually_kept);
        REQUIRE_EQ(kept, usually_kept);
        n += 1 + n / 40;
    }
    REQUIRE(n > 40);
}

int
main(void)
{
    struct vk vk;
    find_shim();
    vk_open(&vk);
    any_allocation_may_fail(&vk, &(struct stream_options){.width_px = 48,
                                                          .height_px = 48,
                                                          .slot_count = 3,
                                                          .shot_count = PICTURES,
                                                          .quality_level = 1});
    any_allocation_may_fail(&vk, &(struct stream_options){.width_px = 48,
                                                          .height_px = 48,
                                                          .slot_count = 3,
                                                          .shot_count = PICTURES,
                                                          .is_layered = true,
                                                          .average_bps = 200000});
    vk_close(&vk);
    return 0;
}

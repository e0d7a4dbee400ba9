/* SPDX-License-Identifier: MIT */
/* Each allocation fails once: the picture gets a status, nothing crashes or leaks, and the session
 * goes on.
 *
 * The linker sends the codec's allocations here (--wrap).
 */
#include "app.h"
#include "judge.h"

#include "tests/test.h"
#include "util/alloc.h"

static unsigned allocation_count;
static unsigned failing_allocation; /* 0: none */

void *__real_rp_alloc(const VkAllocationCallbacks *callbacks, size_t size_B, size_t align_B,
                      VkSystemAllocationScope scope);
void *__real_rp_zalloc(const VkAllocationCallbacks *callbacks, size_t size_B, size_t align_B,
                       VkSystemAllocationScope scope);
void *__wrap_rp_alloc(const VkAllocationCallbacks *callbacks, size_t size_B, size_t align_B,
                      VkSystemAllocationScope scope);
void *__wrap_rp_zalloc(const VkAllocationCallbacks *callbacks, size_t size_B, size_t align_B,
                       VkSystemAllocationScope scope);

static bool
allocation_fails(void)
{
    return ++allocation_count == failing_allocation;
}

void *
__wrap_rp_alloc(const VkAllocationCallbacks *callbacks, size_t size_B, size_t align_B,
                VkSystemAllocationScope scope)
{
    return allocation_fails() ? NULL : __real_rp_alloc(callbacks, size_B, align_B, scope);
}

void *
__wrap_rp_zalloc(const VkAllocationCallbacks *callbacks, size_t size_B, size_t align_B,
                 VkSystemAllocationScope scope)
{
    return allocation_fails() ? NULL : __real_rp_zalloc(callbacks, size_B, align_B, scope);
}

static void
encode(struct app *app, int32_t poc, unsigned failing)
{
    app_draw(app, (uint32_t)poc);
    app_picture_init(app, poc == 0, poc);
    app_spread_slices(app, 2);
    if (poc > 0) {
        uint32_t initial[2][APP_SLOTS];
        app->header.nal_unit_type = RP_H265_NAL_TRAIL_R;
        app_set_references(app, 1, initial);
        app->job.slice_type = STD_VIDEO_H265_SLICE_TYPE_P;
        app_refer(app, 0, 0, 0, initial[0][0]);
    }
    const int32_t slot = poc & 1;
    allocation_count = 0;
    failing_allocation = failing;
    const enum rp_codec_status status = app_encode(app, slot);
    failing_allocation = 0;
    REQUIRE(status == RP_CODEC_OK || (failing > 0 && status == RP_CODEC_NO_MEMORY));
    if (status != RP_CODEC_OK)
        REQUIRE(app_encode(app, slot) == RP_CODEC_OK);
    app->slots[slot].poc = poc;
    app->slots[slot].is_reference = poc == 0;
}

/* Pictures 0 and 1; allocation n of picture failing fails. Returns how many that picture took. */
static unsigned
run(int32_t failing, unsigned n)
{
    unsigned count = 0;
    struct app *app = calloc(1, sizeof(*app));
    REQUIRE(app);
    app_init(app, 64, 128, 8);
    app->pps.std.flags.entropy_coding_sync_enabled_flag = 1;
    app_write_sets(app);
    for (int32_t poc = 0; poc < 2; poc++) {
        encode(app, poc, poc == failing ? n : 0);
        if (poc == failing)
            count = allocation_count;
    }
    judge_stream(app);
    app_finish(app);
    free(app);
    return count;
}

static void
each_allocation_may_fail(int32_t picture)
{
    const unsigned count = run(picture, 0);
    REQUIRE(count > 5);
    for (unsigned n = 1; n <= count; n++)
        (void)run(picture, n);
}

int
main(void)
{
    RUN(each_allocation_may_fail, 0);
    RUN(each_allocation_may_fail, 1);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* Each allocation of ours fails once, with rate control and without: the picture gets a status,
 * nothing crashes or leaks, and the session goes on.
 *
 * The linker sends the codec's allocations to tests/failing_alloc.c (--wrap); libaom's own are
 * seen to by tests/oom.
 */
#include "app.h"

#include "reelpipe/rate.h"

#include "tests/failing_alloc.h"
#include "tests/test.h"

#define PICTURES 5

/* A picture that failed is tried again as a key frame, which works. */
static void
encode(struct app *app, struct rp_encoder_rate *rate, uint32_t number, uint32_t *failed_count)
{
    for (uint32_t attempt = 0; attempt < 2; attempt++) {
        const bool is_key = number == 0 || attempt > 0;
        app_picture_init(app,
                         is_key ? STD_VIDEO_AV1_FRAME_TYPE_KEY : STD_VIDEO_AV1_FRAME_TYPE_INTER,
                         number, true);
        if (!is_key) {
            app->std.refresh_frame_flags = 1;
            app_name(app, 0, 0);
        }
        if (rate) {
            app->job.common.rate = rate;
            app->job.q_index = -1;
        }
        app_draw(app, number);
        const enum rp_codec_status status =
            app_try_encode(app, app_free_slot(app, app->std.refresh_frame_flags));
        if (status == RP_CODEC_OK)
            return;
        REQUIRE(status == RP_CODEC_NO_MEMORY && attempt == 0);
        ++*failed_count;
    }
}

/* Codes with the allocation n failing, after the session was made; returns how many were asked
 * for. */
static uint32_t
code(bool has_rate, uint32_t n)
{
    struct app *app = calloc(1, sizeof(*app));
    struct rp_encoder_rate *rate = NULL;
    struct rp_rate_settings settings = {.mode = RP_RATE_CBR, .layer_count = 1};
    uint32_t failed_count = 0;
    REQUIRE(app);
    settings.layer[0] = (struct rp_rate_layer){
        .average_bps = 100000,
        .max_bps = 100000,
        .frame_rate_numerator = 30,
        .frame_rate_denominator = 1,
    };
    failing_alloc.wanted = 0;
    app->color.BitDepth = 10; /* sources are copied */
    app_init(app, 64, 48, 1);
    failing_alloc.count = 0;
    failing_alloc.wanted = n;
    if (has_rate) {
        rate = app->codec->rate_create(app->enc);
        failed_count += rate == NULL;
        if (rate)
            app->codec->rate_set(rate, &settings);
    }
    for (uint32_t i = 0; i < PICTURES; i++)
        encode(app, rate, i, &failed_count);
    REQUIRE(failed_count == (n > 0));
    const uint32_t count = failing_alloc.count;
    app->codec->rate_destroy(app->enc, rate);
    app_finish(app);
    free(app);
    return count;
}

static void
each_allocation_may_fail(bool has_rate)
{
    const uint32_t count = code(has_rate, 0);
    REQUIRE(count > 3);
    for (uint32_t n = 1; n <= count; n++)
        (void)code(has_rate, n);
}

int
main(void)
{
    RUN(each_allocation_may_fail, false);
    RUN(each_allocation_may_fail, true);
    return 0;
}

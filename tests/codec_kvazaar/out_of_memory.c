/* SPDX-License-Identifier: MIT */
/* Each allocation fails once, with rate control and without, on one thread and on several, and some
 * of several pictures under way: the picture gets a status, nothing crashes, hangs or leaks, and
 * the session goes on.
 *
 * usage: codec_kvazaar_out_of_memory [--long]
 *   --long  with pictures under way each allocation, not some of them
 *
 * The linker sends the codec's allocations to tests/failing_alloc.c (--wrap).
 */
#include "app.h"
#include "judge.h"
#include "replay.h"

#include "tests/failing_alloc.h"
#include "tests/test.h"

#define MOST_OF_ROWS 24u /* allocations, or more than rows of blocks take */

/* The second picture does not fit at once, and is coded again. */
static struct rp_encoder_rate *
make_rate(struct app *app)
{
    struct rp_rate_settings settings = {.mode = RP_RATE_CBR, .layer_count = 1};
    settings.layer[0] = (struct rp_rate_layer){
        .average_bps = 200000,
        .max_bps = 200000,
        .frame_rate_numerator = 30,
        .frame_rate_denominator = 1,
        .max_frame_size_B = {[RP_RATE_P] = 150},
    };
    failing_alloc.wanted = 1;
    failing_alloc.count = 0;
    REQUIRE(!app->codec->rate_create(app->enc));
    failing_alloc.wanted = 0;
    struct rp_encoder_rate *rate = app->codec->rate_create(app->enc);
    REQUIRE(rate);
    app->codec->rate_set(rate, &settings);
    return rate;
}

static void
encode(struct app *app, struct rp_encoder_rate *rate, int32_t poc, unsigned failing)
{
    app_draw(app, (uint32_t)poc);
    app_picture_init(app, poc == 0, poc);
    app->job.common.rate = rate;
    app_spread_slices(app, 2);
    if (poc > 0) {
        uint32_t initial[2][APP_SLOTS];
        app->header.nal_unit_type = RP_H265_NAL_TRAIL_R;
        app_set_references(app, 1, initial);
        app->job.slice_type = STD_VIDEO_H265_SLICE_TYPE_P;
        app_refer(app, 0, 0, 0, initial[0][0]);
    }
    const int32_t slot = poc & 1;
    failing_alloc.count = 0;
    failing_alloc.wanted = failing;
    const enum rp_codec_status status = app_encode(app, slot);
    failing_alloc.wanted = 0;
    REQUIRE(status == RP_CODEC_OK || (failing > 0 && status == RP_CODEC_NO_MEMORY));
    if (status != RP_CODEC_OK)
        REQUIRE(app_encode(app, slot) == RP_CODEC_OK);
    app->slots[slot].poc = poc;
    app->slots[slot].is_reference = poc == 0;
}

/* Pictures 0 and 1; allocation n of picture failing fails. Returns how many that picture took. */
static unsigned
run(int32_t failing, unsigned n, bool has_rate, struct rp_workers *workers)
{
    unsigned count = 0;
    struct app *app = calloc(1, sizeof(*app));
    REQUIRE(app);
    app->workers = workers;
    app_init(app, workers ? 128 : 64, workers ? 256 : 128, 8);
    app->pps.std.flags.entropy_coding_sync_enabled_flag = 1;
    app_write_sets(app);
    struct rp_encoder_rate *rate = has_rate ? make_rate(app) : NULL;
    for (int32_t poc = 0; poc < 2; poc++) {
        encode(app, rate, poc, poc == failing ? n : 0);
        if (poc == failing)
            count = failing_alloc.count;
    }
    judge_stream(app);
    app->codec->rate_destroy(app->enc, rate);
    app_finish(app);
    free(app);
    return count;
}

static void
each_allocation_may_fail(int32_t picture, bool has_rate, uint32_t thread_count)
{
    struct rp_workers *workers = thread_count > 1 ? rp_workers_create(thread_count) : NULL;
    REQUIRE(workers || thread_count == 1);
    const unsigned count = run(picture, 0, has_rate, workers);
    REQUIRE(count > 5);
    /* Several threads are at work behind all that opens the encoder. */
    const unsigned first = workers && count > MOST_OF_ROWS ? count - MOST_OF_ROWS : 1;
    for (unsigned n = first; n <= count; n++)
        (void)run(picture, n, has_rate, workers);
    rp_workers_destroy(workers);
}

static unsigned next_failing;
static bool is_long; /* each allocation, not some of them */

static void
fail_next(void)
{
    failing_alloc.count = 0;
    failing_alloc.wanted = next_failing;
}

/* Until there are fewer. Steps grow: most allocations open encoders. */
static bool
fail_none(void)
{
    const bool has_passed_all = failing_alloc.count < failing_alloc.wanted;
    failing_alloc.wanted = 0;
    next_failing += is_long ? 1 : 1 + next_failing / 5;
    return !has_passed_all;
}

/* From the picture before, in the place of the one before that. */
static void
encode_next(struct app *app, int32_t poc)
{
    struct app_slot *slot = &app->slots[poc & 1];
    app_draw(app, (uint32_t)poc);
    app_picture_init(app, poc == 0, poc);
    slot->is_reference = false;
    if (poc > 0) {
        uint32_t initial[2][APP_SLOTS];
        app->header.nal_unit_type = RP_H265_NAL_TRAIL_R;
        app_set_references(app, 1u << (~poc & 1), initial);
        app->job.slice_type = STD_VIDEO_H265_SLICE_TYPE_P;
        app_refer(app, 0, 0, 0, initial[0][0]);
    }
    REQUIRE(app_encode(app, poc & 1) == RP_CODEC_OK);
    slot->poc = poc;
    slot->is_reference = true;
}

static void
allocations_of_pictures_in_flight_may_fail(void)
{
    static const struct replay_round round = {
        .thread_count = 3, .in_flight = 4, .begin = fail_next, .end = fail_none, .may_fail = true};
    struct app *app = calloc(1, sizeof(*app));
    REQUIRE(app);
    replay_set_rounds(&round, 1);
    next_failing = 1;
    app->route = &replay_route;
    app_init(app, 128, 256, 8);
    app->pps.std.flags.entropy_coding_sync_enabled_flag = 1;
    app_write_sets(app);
    for (int32_t poc = 0; poc < 6; poc++)
        encode_next(app, poc);
    app_finish(app);
    free(app);
}

int
main(int argc, char **argv)
{
    is_long = argc > 1 && strcmp(argv[1], "--long") == 0;
    RUN(each_allocation_may_fail, 0, true, 1);
    RUN(each_allocation_may_fail, 1, false, 1);
    RUN(each_allocation_may_fail, 1, true, 1);
    RUN(each_allocation_may_fail, 0, false, 3);
    RUN(each_allocation_may_fail, 1, false, 3);
    RUN(allocations_of_pictures_in_flight_may_fail);
    return 0;
}

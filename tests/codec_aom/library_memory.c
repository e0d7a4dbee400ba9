/* SPDX-License-Identifier: MIT */
/* Each allocation fails once, libaom's own too, which it leaves by longjmp: the picture gets a
 * status, nothing crashes or leaks, and the encoder goes on with the next key frame.
 */
#include "app.h"

#include "reelpipe/workers.h"
#include "tests/failing_malloc.h"
#include "tests/test.h"

#include <pthread.h>

#define WIDTH_PX 136
#define HEIGHT_PX 72
#define COLS ((WIDTH_PX + 15) / 16)
#define ROWS ((HEIGHT_PX + 15) / 16)
#define PICTURES 4u
#define MOST_THREADS 4u

static struct rp_encoder *
create(struct rp_workers *workers)
{
    failing_malloc.is_counting = true;
    struct rp_encoder *enc = rp_codec_av1_encode()->create(workers);
    failing_malloc.is_counting = false;
    return enc;
}

static void
destroy(struct rp_encoder *enc)
{
    failing_malloc.is_counting = true;
    rp_codec_av1_encode()->destroy(enc);
    failing_malloc.is_counting = false;
}

static struct rp_encoder_slot *
slot_create(struct rp_encoder *enc)
{
    failing_malloc.is_counting = true;
    struct rp_encoder_slot *slot = rp_codec_av1_encode()->slot_create(enc);
    failing_malloc.is_counting = false;
    return slot;
}

static void
slot_destroy(struct rp_encoder *enc, struct rp_encoder_slot *slot)
{
    failing_malloc.is_counting = true;
    rp_codec_av1_encode()->slot_destroy(enc, slot);
    failing_malloc.is_counting = false;
}

static enum rp_codec_status
begin(struct rp_encoder *enc, struct rp_encode_job *job, bool may_wait)
{
    failing_malloc.is_counting = true;
    const enum rp_codec_status status = rp_codec_av1_encode()->begin(enc, job, may_wait);
    failing_malloc.is_counting = false;
    return status;
}

static void
encode(struct rp_encoder *enc, struct rp_encode_job *job)
{
    failing_malloc.is_counting = true;
    rp_codec_av1_encode()->encode(enc, job);
    failing_malloc.is_counting = false;
}

static const struct rp_encode_codec counting_codec = {
    .create = create,
    .destroy = destroy,
    .slot_create = slot_create,
    .slot_destroy = slot_destroy,
    .begin = begin,
    .encode = encode,
};

struct kind {
    uint32_t bit_depth;
    uint32_t quality_level;
    bool has_map;
    bool has_refresh;
    bool has_tiles;
    bool has_strengths; /* of blocks: what is written waits for them */
    uint32_t thread_count;
};

static enum rp_codec_status
code_next(struct app *app, const struct kind *kind, uint32_t number)
{
    static int16_t map[COLS * ROWS];
    static const StdVideoAV1CDEF strengths = {.cdef_bits = 1, .cdef_y_pri_strength = {1, 3}};
    static uint8_t force_intra[16] = {1}, intra_clean[16];
    const bool is_key = app->references[0].slot < 0;
    app_picture_init(app, is_key ? STD_VIDEO_AV1_FRAME_TYPE_KEY : STD_VIDEO_AV1_FRAME_TYPE_INTER,
                     number, true);
    if (!is_key) {
        app_name(app, 0, 0);
        app->std.refresh_frame_flags = 1;
        app->std.primary_ref_frame = 0;
    }
    app->job.common.quality_level = kind->quality_level;
    for (uint32_t i = 0; i < COLS * ROWS; i++)
        map[i] = (int16_t)(i % 12 * 5);
    if (kind->has_map)
        app->job.common.qp_delta = map;
    if (kind->has_refresh && !is_key) {
        app->job.common.force_intra = force_intra;
        app->job.common.intra_clean = intra_clean;
    }
    if (kind->has_tiles) {
        app->tiles = (StdVideoAV1TileInfo){
            .flags.uniform_tile_spacing_flag = 1, .TileCols = 2, .TileRows = 1};
        app->std.pTileInfo = &app->tiles;
    }
    if (kind->has_strengths)
        app->std.pCDEF = &strengths;
    app_draw(app, number);
    return app_try_encode(app, app_free_slot(app, 0));
}

static struct app *
open_app(const struct kind *kind, struct rp_workers *workers)
{
    struct app *app = calloc(1, sizeof(*app));
    REQUIRE(app);
    app->codec = &counting_codec;
    app->workers = workers;
    app->seq.flags.enable_order_hint = app->seq.flags.enable_cdef = 1;
    app->seq.order_hint_bits_minus_1 = 6;
    app->color.BitDepth = (uint8_t)kind->bit_depth;
    app_init(app, WIDTH_PX, HEIGHT_PX, 1);
    return app;
}

/* Returns whether there was an n-th allocation. */
static bool
run_once(const struct kind *kind, struct rp_workers *workers, long n)
{
    const long live_before = failing_malloc.live_count;
    struct app *app = open_app(kind, workers);
    bool has_failed = false;
    failing_malloc.has_failed = false;
    failing_malloc.countdown = n;
    for (uint32_t i = 0; i < PICTURES; i++) {
        const enum rp_codec_status status = code_next(app, kind, i);
        if (!(status == RP_CODEC_OK || status == RP_CODEC_NO_MEMORY || has_failed))
            (void)fprintf(stderr, "allocation %ld: status %d\n", n, status);
        /* What the picture was to refer to is lost with it. */
        REQUIRE(status == RP_CODEC_OK || status == RP_CODEC_NO_MEMORY ||
                (has_failed && status == RP_CODEC_FAILED));
        REQUIRE(status == RP_CODEC_OK || failing_malloc.has_failed);
        has_failed |= status != RP_CODEC_OK;
    }
    failing_malloc.countdown = 0;
    for (uint32_t i = 0; i < STD_VIDEO_AV1_NUM_REF_FRAMES; i++)
        app->references[i].slot = -1;
    for (uint32_t i = 0; i < 2; i++)
        REQUIRE_EQ(code_next(app, kind, i), RP_CODEC_OK);
    app_finish(app);
    free(app);
    if (failing_malloc.live_count != live_before)
        (void)fprintf(stderr, "allocation %ld\n", n);
    REQUIRE_EQ(failing_malloc.live_count, live_before);
    return failing_malloc.has_failed;
}

struct meeting {
    struct rp_task task;
    pthread_barrier_t *barrier;
};

static void
meet(struct rp_task *task)
{
    (void)pthread_barrier_wait(((struct meeting *)task)->barrier);
}

/* All of its threads have begun: what they are made of does not count. */
static struct rp_workers *
start_workers(uint32_t count)
{
    struct rp_workers *workers = rp_workers_create(count);
    struct meeting meetings[MOST_THREADS];
    pthread_barrier_t barrier;

    REQUIRE(workers && pthread_barrier_init(&barrier, NULL, count + 1) == 0);
    for (uint32_t i = 0; i < count; i++) {
        meetings[i] = (struct meeting){.task.run = meet, .barrier = &barrier};
        rp_workers_submit(workers, &meetings[i].task);
    }
    (void)pthread_barrier_wait(&barrier);
    pthread_barrier_destroy(&barrier);
    return workers;
}

/* Each of the first, then one in a few. */
static void
any_allocation_may_fail(void)
{
    static const struct kind kinds[] = {
        {.bit_depth = 8, .quality_level = 0, .has_map = true},
        {.bit_depth = 10, .quality_level = 3, .has_refresh = true},
        {.bit_depth = 8, .quality_level = 2, .has_tiles = true},
        {.bit_depth = 8, .thread_count = 2, .has_strengths = true},
        {.bit_depth = 8, .thread_count = MOST_THREADS},
    };
    for (uint32_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        const struct kind *kind = &kinds[i];
        struct rp_workers *workers = kind->thread_count ? start_workers(kind->thread_count) : NULL;
        long n = 1;
        REQUIRE(!run_once(kind, workers, 0)); /* what is made once is there */
        while (run_once(kind, workers, n))
            n += 1 + n / 15;
        REQUIRE(n > 40);
        rp_workers_destroy(workers);
    }
}

static void
encoders_and_slots_may_not_be_had(void)
{
    failing_malloc.countdown = 1;
    REQUIRE(!create(NULL));
    failing_malloc.countdown = 0;
    struct rp_encoder *enc = create(NULL);
    REQUIRE(enc);
    failing_malloc.countdown = 1;
    REQUIRE(!slot_create(enc));
    failing_malloc.countdown = 0;
    destroy(enc);
    REQUIRE_EQ(failing_malloc.live_count, 0);
}

int
main(void)
{
    RUN(encoders_and_slots_may_not_be_had);
    RUN(any_allocation_may_fail);
    return 0;
}

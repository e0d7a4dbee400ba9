/* SPDX-License-Identifier: MIT */
/* Bytes are the same whatever the number of threads that code rows and tiles of a picture and
 * filter it, and however fast each of them is. All parts of a picture that are coded at a time
 * begin before one of them goes on, so that each has a thread of its own; rows are delayed at
 * random.
 *
 * usage: codec_aom_threads [FIRST_SEED COUNT [brief]] (brief: small pictures, on two threads)
 */
#include "app.h"
#include "random_structure.h"

#include "reelpipe/workers.h"
#include "tests/test.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#define DELAY_PERIOD 16 /* one of so many superblocks is delayed ... */
#define MOST_DELAY_NS 100000
#define MOST_WAITS 20000

typedef void part_fn(void *ctx, uint32_t i, uint32_t thread);

void __real_rp_workers_run_on(struct rp_workers *workers, uint32_t thread_limit, uint32_t count,
                              part_fn *fn, void *ctx);
void __wrap_rp_workers_run_on(struct rp_workers *workers, uint32_t thread_limit, uint32_t count,
                              part_fn *fn, void *ctx);

/* Parts that are about to begin together. */
struct start {
    part_fn *fn;
    void *ctx;
    pthread_barrier_t barrier;
    uint32_t together_count; /* as many as there are threads */
};

static void
part_run(void *ctx, uint32_t i, uint32_t thread)
{
    struct start *start = ctx;

    if (i < start->together_count)
        (void)pthread_barrier_wait(&start->barrier);
    start->fn(start->ctx, i, thread);
}

void
__wrap_rp_workers_run_on(struct rp_workers *workers, uint32_t thread_limit, uint32_t count,
                         part_fn *fn, void *ctx)
{
    const uint32_t threads = rp_workers_thread_count(workers);
    struct start start = {
        .fn = fn, .ctx = ctx, .together_count = count < threads ? count : threads};

    REQUIRE(count <= thread_limit && count <= threads + 1);
    REQUIRE(pthread_barrier_init(&start.barrier, NULL, start.together_count) == 0);
    __real_rp_workers_run_on(workers, thread_limit, count, part_run, &start);
    pthread_barrier_destroy(&start.barrier);
}

static atomic_uint picture_superblocks;
static atomic_uint superblock_count; /* that others were told of */
static atomic_uint pack_count;       /* pictures whose coder has begun */
static atomic_uint early_count;      /* of them begun before all superblocks were coded */
static atomic_bool rows_wait;        /* for the coder to begin */

static void
wait_for_coder(void)
{
    const uint32_t number = atomic_load(&superblock_count) / atomic_load(&picture_superblocks);
    for (uint32_t i = 0; i < MOST_WAITS && atomic_load(&pack_count) <= number; i++)
        nanosleep(&(struct timespec){.tv_nsec = MOST_DELAY_NS}, NULL);
}

/* libaom's: the superblock in column col of the row has been coded. */
void __real_av1_row_mt_sync_write(void *sync, int row, int col, int cols);
void __wrap_av1_row_mt_sync_write(void *sync, int row, int col, int cols);

void
__wrap_av1_row_mt_sync_write(void *sync, int row, int col, int cols)
{
    static _Thread_local uint32_t random;

    if (random == 0)
        random = (uint32_t)((uintptr_t)&random >> 4) | 1;
    random = random * 1664525u + 1013904223u;
    if ((random >> 8) % DELAY_PERIOD == 0)
        nanosleep(&(struct timespec){.tv_nsec = (random >> 12) % MOST_DELAY_NS}, NULL);
    if (atomic_load(&rows_wait))
        wait_for_coder();
    atomic_fetch_add(&superblock_count, 1);
    __real_av1_row_mt_sync_write(sync, row, col, cols);
}

/* Ours: what writes a picture beside others. */
struct rp_aom_picture;
void __real_rp_aom_pack_run(struct rp_aom_picture *picture);
void __wrap_rp_aom_pack_run(struct rp_aom_picture *picture);

void
__wrap_rp_aom_pack_run(struct rp_aom_picture *picture)
{
    const uint32_t number = atomic_load(&pack_count);
    if (atomic_load(&superblock_count) < (number + 1) * atomic_load(&picture_superblocks))
        atomic_fetch_add(&early_count, 1);
    atomic_fetch_add(&pack_count, 1);
    if (number % 2 == 1)
        nanosleep(&(struct timespec){.tv_nsec = MOST_DELAY_NS}, NULL);
    __real_rp_aom_pack_run(picture);
}

/* How much is coded. */
struct extent {
    uint32_t random_pictures;
    uint32_t thread_counts[6];
    uint32_t thread_count_count;
    uint32_t uniform_threads; /* for pictures of one size and kind, which follow */
    uint32_t width_px;
    uint32_t height_px;
    uint32_t pictures;
    uint32_t quality_step; /* between the quality levels that are tried */
};

/* Large enough that libaom searches for strengths and levels. */
static const struct extent full_extent = {12, {1, 2, 3, 5, 8, 16}, 6, 3, 1024, 576, 3, 1};
static const struct extent brief_extent = {4, {2, 4}, 2, 2, 256, 128, 2, 3};

static void
bytes_do_not_depend_on_threads(uint64_t seed, const struct extent *extent)
{
    const uint64_t expected = random_structure_run(seed, extent->random_pictures, NULL);
    for (uint32_t i = 0; i < extent->thread_count_count; i++) {
        struct rp_workers *workers = rp_workers_create(extent->thread_counts[i]);
        REQUIRE(workers);
        REQUIRE(random_structure_run(seed, extent->random_pictures, workers) == expected);
        rp_workers_destroy(workers);
    }
}

/* A key frame and its successors. */
static uint64_t
uniform_hash(const struct extent *extent, uint32_t thread_count, uint32_t tile_cols,
             uint32_t quality_level, const StdVideoAV1CDEF *cdef)
{
    struct app *app = calloc(1, sizeof(*app));
    REQUIRE(app);
    app->workers = rp_workers_create(thread_count);
    app->seq.flags.enable_order_hint = app->seq.flags.enable_cdef = 1;
    app->seq.order_hint_bits_minus_1 = 6;
    app_init(app, extent->width_px, extent->height_px, 1);
    for (uint32_t i = 0; i < extent->pictures; i++) {
        app_picture_init(app, i ? STD_VIDEO_AV1_FRAME_TYPE_INTER : STD_VIDEO_AV1_FRAME_TYPE_KEY, i,
                         true);
        if (i) {
            app_name(app, 0, 0);
            app->std.refresh_frame_flags = 1;
        }
        app->job.common.quality_level = quality_level;
        app->tiles = (StdVideoAV1TileInfo){
            .flags.uniform_tile_spacing_flag = 1, .TileCols = (uint8_t)tile_cols, .TileRows = 1};
        app->std.pTileInfo = &app->tiles;
        app->std.pCDEF = cdef;
        app_draw(app, i);
        app_encode(app, app_free_slot(app, 0));
    }
    const uint64_t hash = app->stream_hash;
    app_finish(app);
    rp_workers_destroy(app->workers);
    free(app);
    return hash;
}

static void
uniform_pictures_are_the_same(const struct extent *extent)
{
    const uint32_t superblocks = (extent->width_px + 63) / 64 * ((extent->height_px + 63) / 64);

    for (uint32_t tile_cols = 1; tile_cols <= 4; tile_cols += 3) {
        for (uint32_t level = 0; level < 4; level += extent->quality_step)
            REQUIRE(uniform_hash(extent, 1, tile_cols, level, NULL) ==
                    uniform_hash(extent, extent->uniform_threads, tile_cols, level, NULL));
    }
    /* A picture of one tile is coded by rows, with one thread, too. */
    atomic_store(&superblock_count, 0);
    (void)uniform_hash(extent, 1, 1, 0, NULL);
    REQUIRE(atomic_load(&superblock_count) == extent->pictures * superblocks);
}

/* The coder follows rows where threads are many, and blocks have no strengths of their own. */
static void
pictures_are_written_by_the_way(const struct extent *extent)
{
    static const StdVideoAV1CDEF two = {.cdef_bits = 1, .cdef_y_pri_strength = {1, 3}};
    static const StdVideoAV1CDEF one = {.cdef_y_pri_strength = {1}};
    static const struct {
        const StdVideoAV1CDEF *cdef;
        uint32_t threads;
        bool is_early;
    } cases[] = {
        {&two, 2, false}, {&two, 8, false}, {&one, 2, false}, {&one, 8, true}, {NULL, 4, true}};

    atomic_store(&picture_superblocks,
                 (extent->width_px + 63) / 64 * ((extent->height_px + 63) / 64));
    for (uint32_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const uint64_t expected = uniform_hash(extent, 1, 1, 0, cases[i].cdef);
        atomic_store(&superblock_count, 0);
        atomic_store(&pack_count, 0);
        atomic_store(&early_count, 0);
        atomic_store(&rows_wait, cases[i].is_early);
        REQUIRE(uniform_hash(extent, cases[i].threads, 1, 0, cases[i].cdef) == expected);
        REQUIRE(atomic_load(&pack_count) == extent->pictures);
        REQUIRE_EQ(atomic_load(&early_count), cases[i].is_early ? extent->pictures : 0);
        atomic_store(&rows_wait, false);
    }
}

int
main(int argc, char **argv)
{
    const uint64_t first = argc > 2 ? strtoull(argv[1], NULL, 10) : 1;
    const uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 6;
    const bool is_brief = argc > 3 && strcmp(argv[3], "brief") == 0;
    const struct extent *extent = is_brief ? &brief_extent : &full_extent;
    for (uint64_t seed = first; seed < first + count; seed++) {
        (void)fprintf(stderr, "seed %" PRIu64 "\n", seed);
        RUN(bytes_do_not_depend_on_threads, seed, extent);
    }
    RUN(uniform_pictures_are_the_same, extent);
    RUN(pictures_are_written_by_the_way, extent);
    return 0;
}

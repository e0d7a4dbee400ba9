/* SPDX-License-Identifier: MIT */
/* Bytes are the same whatever the number of threads that code the tiles of a picture and filter it.
 *
 * usage: codec_aom_threads [FIRST_SEED COUNT]
 */
#include "app.h"
#include "random_structure.h"

#include "reelpipe/workers.h"
#include "tests/test.h"

#define PICTURES 12u

static void
bytes_do_not_depend_on_threads(uint64_t seed)
{
    static const uint32_t thread_counts[] = {1, 2, 3, 8};
    const uint64_t expected = random_structure_run(seed, PICTURES, NULL);
    for (uint32_t i = 0; i < sizeof(thread_counts) / sizeof(thread_counts[0]); i++) {
        struct rp_workers *workers = rp_workers_create(thread_counts[i]);
        REQUIRE(workers);
        REQUIRE(random_structure_run(seed, PICTURES, workers) == expected);
        rp_workers_destroy(workers);
    }
}

/* A key frame and its successors, large enough that libaom searches for strengths and levels. */
static uint64_t
large_hash(uint32_t thread_count, uint32_t tile_cols, uint32_t quality_level)
{
    struct app *app = calloc(1, sizeof(*app));
    REQUIRE(app);
    app->workers = rp_workers_create(thread_count);
    app->seq.flags.enable_order_hint = app->seq.flags.enable_cdef = 1;
    app->seq.order_hint_bits_minus_1 = 6;
    app_init(app, 1024, 576, 1);
    for (uint32_t i = 0; i < 3; i++) {
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
large_pictures_are_the_same(void)
{
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t tile_cols = 1 + i / 4 * 3;
        REQUIRE(large_hash(1, tile_cols, i % 4) == large_hash(3, tile_cols, i % 4));
    }
}

int
main(int argc, char **argv)
{
    const uint64_t first = argc > 2 ? strtoull(argv[1], NULL, 10) : 1;
    const uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 6;
    for (uint64_t seed = first; seed < first + count; seed++) {
        (void)fprintf(stderr, "seed %" PRIu64 "\n", seed);
        RUN(bytes_do_not_depend_on_threads, seed);
    }
    RUN(large_pictures_are_the_same);
    return 0;
}

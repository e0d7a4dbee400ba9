/* SPDX-License-Identifier: MIT */
/* Intra refresh: a decoder that began with another picture has, from the picture on in which a
 * region is refreshed, all of its samples, but for those beside the rest that filters have mixed.
 */
#include "app.h"

#include "tests/test.h"
#include "video/encode/intra_refresh.h"

#define WIDTH_PX 424
#define HEIGHT_PX 270
#define COLS ((WIDTH_PX + 63) / 64)
#define ROWS ((HEIGHT_PX + 63) / 64)
#define FILTERED_PX 8 /* by deblocking and CDEF, on each side of a border */

static uint8_t force_intra[COLS * ROWS];
static uint8_t intra_clean[COLS * ROWS];

struct run {
    VkVideoEncodeIntraRefreshModeFlagBitsKHR mode;
    uint32_t cycle;
    uint32_t quality_level;
    uint32_t bit_depth;
    bool has_older_reference; /* GOLDEN_FRAME, and compound prediction of both */
    bool has_strong_filters;
};

static struct app *
open_app(const struct run *run)
{
    struct app *app = calloc(1, sizeof(*app));
    REQUIRE(app);
    app->seq.flags.enable_order_hint = app->seq.flags.enable_cdef = 1;
    app->seq.order_hint_bits_minus_1 = 6;
    app->color.BitDepth = (uint8_t)run->bit_depth;
    app_init(app, WIDTH_PX, HEIGHT_PX, 1);
    return app;
}

static void
close_app(struct app *app)
{
    app_finish(app);
    free(app);
}

static void
set_filters(struct app *app)
{
    app->loop_filter = (StdVideoAV1LoopFilter){.loop_filter_level = {63, 63, 63, 63}};
    app->cdef = (StdVideoAV1CDEF){.cdef_damping_minus_3 = 3,
                                  .cdef_y_pri_strength = {15},
                                  .cdef_y_sec_strength = {3},
                                  .cdef_uv_pri_strength = {15},
                                  .cdef_uv_sec_strength = {3}};
    app->std.pLoopFilter = &app->loop_filter;
    app->std.pCDEF = &app->cdef;
}

/* A key frame of another time that refreshes all references of the decoder. */
static void
send_foreign_key(const struct run *run, struct judge *late, uint8_t *planes)
{
    struct app *app = open_app(run);
    app_picture_init(app, STD_VIDEO_AV1_FRAME_TYPE_KEY, 0, true);
    app_draw(app, 70);
    app_encode(app, 0);
    judge_show(late, app->unit, app->shown_B, planes, WIDTH_PX, HEIGHT_PX, run->bit_depth);
    close_app(app);
}

/* Tiles as the partitions of a cycle: one row of them, or a grid. */
static void
set_tiles(struct app *app, const struct run *run, struct rp_intra_refresh_tiles *tiles)
{
    static const uint32_t first_cols[] = {0, 2, 4}, first_rows[] = {0, 3};
    app->tiles = (StdVideoAV1TileInfo){.TileCols = 3, .TileRows = run->cycle > 3 ? 2 : 1};
    *tiles = (struct rp_intra_refresh_tiles){first_cols, 3, first_rows, app->tiles.TileRows};
    app->tile_widths[0] = app->tile_widths[1] = 1;
    app->tile_widths[2] = COLS - 4 - 1;
    app->tile_heights[0] = run->cycle > 3 ? 2 : ROWS - 1;
    app->tile_heights[1] = ROWS - 3 - 1;
    app->tiles.pWidthInSbsMinus1 = app->tile_widths;
    app->tiles.pHeightInSbsMinus1 = app->tile_heights;
    app->std.pTileInfo = &app->tiles;
}

/* The picture of the cycle, or with index cycle the one behind it. */
static void
encode_next(struct app *app, const struct run *run, uint32_t index)
{
    static const uint32_t first_block;
    struct rp_intra_refresh_tiles tiles;
    struct rp_intra_refresh_blocks blocks = {COLS, ROWS, &first_block, 1, NULL};
    const bool has_older = run->has_older_reference && index > 1 && index < run->cycle;
    app_picture_init(app, STD_VIDEO_AV1_FRAME_TYPE_INTER, index + 1, true);
    app_name(app, 0, index & 1);
    for (uint32_t i = 1; i < RP_AV1_NAMES; i++)
        app->std.ref_frame_idx[i] = (int8_t)(index & 1);
    if (has_older) { /* of the cycle */
        app_name(app, 3, ~index & 1);
        app->job.prediction = RP_AV1_PREDICTION_UNIDIRECTIONAL;
    }
    app->std.primary_ref_frame = index > 0 ? 0 : STD_VIDEO_AV1_PRIMARY_REF_NONE;
    app->std.refresh_frame_flags = (uint8_t)(1u << (~index & 1));
    app->job.common.quality_level = run->quality_level;
    if (run->has_strong_filters)
        set_filters(app);
    if (run->mode == VK_VIDEO_ENCODE_INTRA_REFRESH_MODE_PER_PICTURE_PARTITION_BIT_KHR) {
        set_tiles(app, run, &tiles);
        blocks.tiles = &tiles;
    }
    if (index < run->cycle) {
        const struct rp_intra_refresh refresh = {run->mode, run->cycle, index};
        REQUIRE(rp_intra_refresh_fill(&refresh, &blocks, has_older ? index - 1 : index, force_intra,
                                      intra_clean));
        app->job.common.force_intra = force_intra;
        app->job.common.intra_clean = intra_clean;
    }
    app_draw(app, index + 1);
    app_encode(app, app_free_slot(app, 0));
}

static bool
is_refreshed(int32_t x, int32_t y)
{
    x = x < 0 ? 0 : x >= WIDTH_PX ? WIDTH_PX - 1 : x;
    y = y < 0 ? 0 : y >= HEIGHT_PX ? HEIGHT_PX - 1 : y;
    const int32_t block = y / 64 * COLS + x / 64;
    return force_intra[block] || intra_clean[block];
}

static bool
is_right(int32_t x, int32_t y)
{
    bool is_right = true;
    for (int32_t i = 0; i < 9; i++)
        is_right &= is_refreshed(x + (i % 3 - 1) * FILTERED_PX, y + (i / 3 - 1) * FILTERED_PX);
    return is_right;
}

/* Samples of one plane that have to be right, and are not; and those that are not at all. */
static void
compare_plane(const uint8_t *a, const uint8_t *b, uint32_t sample_B, int32_t shift,
              uint32_t *different_out)
{
    const int32_t width = (WIDTH_PX + shift) >> shift, height = (HEIGHT_PX + shift) >> shift;
    for (int32_t y = 0; y < height; y++) {
        for (int32_t x = 0; x < width; x++) {
            const size_t at = sample_B * (size_t)(y * width + x);
            const bool is_equal = memcmp(a + at, b + at, sample_B) == 0;
            if (!is_equal && is_right(x << shift, y << shift)) {
                (void)fprintf(stderr, "differs at %d, %d of the plane of shift %d\n", x, y, shift);
                test_fail();
            }
            *different_out += !is_equal;
        }
    }
}

static void
compare_refreshed(const struct app *app, const uint8_t *planes, uint32_t *different_out)
{
    const size_t luma_B = (size_t)app->sample_B * WIDTH_PX * HEIGHT_PX;
    const size_t chroma_B = (size_t)app->sample_B * (WIDTH_PX / 2) * (HEIGHT_PX / 2);
    *different_out = 0;
    compare_plane(app->picture, planes, app->sample_B, 0, different_out);
    for (uint32_t i = 0; i < 2; i++)
        compare_plane(app->picture + luma_B + i * chroma_B, planes + luma_B + i * chroma_B,
                      app->sample_B, 1, different_out);
}

static void
run_cycle(const struct run *run)
{
    struct app *app = open_app(run);
    struct judge *late = judge_create();
    uint8_t *planes = malloc(app_picture_B(app));
    uint32_t different = 0;
    REQUIRE(planes);
    send_foreign_key(run, late, planes);
    app_picture_init(app, STD_VIDEO_AV1_FRAME_TYPE_KEY, 0, true);
    app_draw(app, 0);
    app_encode(app, 0); /* the late decoder never sees it */
    for (uint32_t i = 0; i <= run->cycle; i++) {
        encode_next(app, run, i);
        judge_show(late, app->unit, app->shown_B, planes, WIDTH_PX, HEIGHT_PX, run->bit_depth);
        compare_refreshed(app, planes, &different);
        REQUIRE(i > 0 || run->cycle == 1 || different > WIDTH_PX); /* there is something to do */
    }
    REQUIRE_EQ(different, 0);
    judge_destroy(late);
    free(planes);
    close_app(app);
}

static const VkVideoEncodeIntraRefreshModeFlagBitsKHR modes[] = {
    VK_VIDEO_ENCODE_INTRA_REFRESH_MODE_BLOCK_ROW_BASED_BIT_KHR,
    VK_VIDEO_ENCODE_INTRA_REFRESH_MODE_BLOCK_COLUMN_BASED_BIT_KHR,
    VK_VIDEO_ENCODE_INTRA_REFRESH_MODE_BLOCK_BASED_BIT_KHR,
    VK_VIDEO_ENCODE_INTRA_REFRESH_MODE_PER_PICTURE_PARTITION_BIT_KHR,
};

static void
a_cycle_brings_a_late_decoder_back(void)
{
    static const uint32_t cycles[] = {3, 6};
    for (uint32_t i = 0; i < 8; i++)
        run_cycle(&(struct run){.mode = modes[i % 4],
                                .cycle = cycles[i / 4],
                                .quality_level = (i + i / 4) % 4,
                                .bit_depth = i & 2 ? 10 : 8});
}

static void
the_shortest_and_long_cycles_work(void)
{
    static const uint32_t cycles[] = {1, 11};
    for (uint32_t i = 0; i < 6; i++)
        run_cycle(&(struct run){
            .mode = modes[i % 3], .cycle = cycles[i / 3], .quality_level = i % 4, .bit_depth = 8});
}

static void
filters_reach_no_further(void)
{
    for (uint32_t i = 0; i < 4; i++)
        run_cycle(&(struct run){.mode = modes[i],
                                .cycle = 6,
                                .quality_level = 3 - i,
                                .bit_depth = 8,
                                .has_strong_filters = true});
}

static void
older_references_keep_what_is_refreshed(void)
{
    for (uint32_t i = 0; i < 4; i++)
        run_cycle(&(struct run){.mode = modes[i],
                                .cycle = 6,
                                .quality_level = i,
                                .bit_depth = 8,
                                .has_older_reference = true});
}

int
main(void)
{
    RUN(a_cycle_brings_a_late_decoder_back);
    RUN(the_shortest_and_long_cycles_work);
    RUN(filters_reach_no_further);
    RUN(older_references_keep_what_is_refreshed);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* What libaom keeps for the rows of tiles, where pictures of a stream differ in what it takes to
 * stay as it is: tiles of other numbers come and go, and pictures whose probabilities do not
 * change.
 */
#include "app.h"

#include "reelpipe/workers.h"

#include "tests/test.h"

#define WIDTH_SB 5u
#define HEIGHT_PX 192u
#define MOST_TILES 4u

struct kind {
    uint8_t tile_cols;
    uint16_t widths_sb_minus_1[MOST_TILES];
    bool disables_cdf_update;
};

/* The widest tile of each has the same width. */
static const struct kind four = {4, {1, 0, 0, 0}, false};
static const struct kind three = {3, {1, 1, 0}, false};
static const struct kind fixed_four = {4, {1, 0, 0, 0}, true};
static const struct kind fixed_three = {3, {1, 1, 0}, true};
static const struct kind one = {1, {4}, false};
static const struct kind fixed_one = {1, {4}, true};

static void
encode(struct app *app, const struct kind *kind, uint32_t number)
{
    static const uint16_t heights_sb_minus_1[] = {HEIGHT_PX / 64 - 1};
    app_picture_init(app, number ? STD_VIDEO_AV1_FRAME_TYPE_INTER : STD_VIDEO_AV1_FRAME_TYPE_KEY,
                     number, true);
    if (number) {
        app_name(app, 0, 0);
        app->std.refresh_frame_flags = 1;
    }
    app->std.flags.disable_cdf_update = kind->disables_cdf_update;
    app->std.flags.disable_frame_end_update_cdf = kind->disables_cdf_update;
    app->tiles = (StdVideoAV1TileInfo){
        .TileCols = kind->tile_cols,
        .TileRows = 1,
        .pWidthInSbsMinus1 = kind->widths_sb_minus_1,
        .pHeightInSbsMinus1 = heights_sb_minus_1,
    };
    app->std.pTileInfo = &app->tiles;
    app_draw(app, number);
    app_encode(app, app_free_slot(app, app->std.refresh_frame_flags));
}

/* The judge decodes what was coded; LeakSanitizer finds what was left. */
static void
code(const struct kind *const *kinds, uint32_t count)
{
    struct app *app = calloc(1, sizeof(*app));
    REQUIRE(app);
    app->workers = rp_workers_create(MOST_TILES);
    REQUIRE(app->workers);
    app_init(app, WIDTH_SB * 64, HEIGHT_PX, 1);
    for (uint32_t i = 0; i < count; i++)
        encode(app, kinds[i], i);
    app_finish(app);
    rp_workers_destroy(app->workers);
    free(app);
}

static void
tiles_come_and_go(void)
{
    code((const struct kind *[]){&four, &three, &four, &one, &three, &four}, 6);
}

static void
pictures_with_fixed_probabilities_come_and_go(void)
{
    code((const struct kind *[]){&fixed_one, &one, &fixed_one, &one, &fixed_one}, 5);
    code((const struct kind *[]){&fixed_four, &three, &fixed_four, &four, &fixed_three, &one}, 6);
    code((const struct kind *[]){&one, &fixed_four}, 2);
}

int
main(void)
{
    RUN(tiles_come_and_go);
    RUN(pictures_with_fixed_probabilities_come_and_go);
    return 0;
}

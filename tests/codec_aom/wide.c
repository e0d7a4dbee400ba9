/* SPDX-License-Identifier: MIT */
/* Pictures wider than a tile may be, whose uniform tiles libaom lays out by other limits than those
 * of sizes that are listed; dav1d judges what is coded.
 */
#include "app.h"

#include "tests/test.h"

static void
wide_pictures_have_the_tiles_that_they_must_have(uint32_t width_px, uint32_t columns)
{
    struct app *app = calloc(1, sizeof(*app));
    REQUIRE(app);
    app->color.BitDepth = 8;
    app_init(app, width_px, 128, 1);
    app_picture_init(app, STD_VIDEO_AV1_FRAME_TYPE_KEY, 0, true);
    app->job.q_index = 160;
    if (columns > 0) {
        app->tiles = (StdVideoAV1TileInfo){
            .flags.uniform_tile_spacing_flag = 1,
            .TileCols = (uint8_t)columns,
            .TileRows = 1,
        };
        app->std.pTileInfo = &app->tiles;
    }
    app_draw(app, 0);
    app_encode(app, 0);
    app_finish(app);
    free(app);
}

int
main(void)
{
    static const uint32_t widths_px[] = {4096, 4160, 4608, 8192};
    for (uint32_t i = 0; i < sizeof(widths_px) / sizeof(widths_px[0]); i++)
        for (uint32_t columns = 0; columns < 4; columns += 2)
            RUN(wide_pictures_have_the_tiles_that_they_must_have, widths_px[i], columns);
    return 0;
}

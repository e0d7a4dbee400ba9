/* SPDX-License-Identifier: MIT */
/* A key frame begins anew: what follows has the bytes that it has in a stream of its own, whatever
 * was coded before.
 */
#include "app.h"

#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

#define WIDTH_PX 64
#define HEIGHT_PX 48
#define MOST_B 65536

struct units {
    uint8_t bytes[MOST_B];
    size_t size_B;
};

static void
take_unit(void *ctx, const uint8_t *unit, size_t unit_B)
{
    struct units *units = ctx;
    REQUIRE(unit_B <= MOST_B - units->size_B);
    memcpy(units->bytes + units->size_B, unit, unit_B);
    units->size_B += unit_B;
}

/* Noise of so many levels in some of the pieces of the picture, out of 16. */
struct content {
    uint32_t noisy_pieces;
    uint32_t levels;
};

static void
draw(struct app *app, const struct content *content)
{
    const size_t size_B = app_picture_B(app);
    memset(app->source, 128, size_B);
    for (size_t piece = 0; piece < size_B / 256; piece++) {
        if (app_random(app, 16) >= content->noisy_pieces)
            continue;
        for (uint32_t i = 0; i < 256; i++)
            app->source[256 * piece + i] = (uint8_t)app_random(app, content->levels);
    }
}

/* A key frame and those that refer to the one before. */
static void
code_group(struct app *app, uint32_t quality_level, const struct content *content)
{
    for (uint32_t i = 0; i < 3; i++) {
        app_picture_init(
            app, i == 0 ? STD_VIDEO_AV1_FRAME_TYPE_KEY : STD_VIDEO_AV1_FRAME_TYPE_INTER, i, true);
        if (i > 0) {
            app_name(app, 0, 0);
            app->std.primary_ref_frame = 0;
            app->std.refresh_frame_flags = 1;
        }
        app->job.q_index = 120;
        app->job.common.quality_level = quality_level;
        draw(app, content);
        app_encode(app, app_free_slot(app, 0));
    }
}

static struct app *
app_create(uint64_t seed)
{
    struct app *app = calloc(1, sizeof(*app));
    REQUIRE(app);
    app->color.BitDepth = 8;
    app_init(app, WIDTH_PX, HEIGHT_PX, seed);
    return app;
}

static void
groups_have_the_bytes_of_streams(uint32_t quality_level, const struct content *content)
{
    static const struct content before = {16, 256};
    struct units *units = calloc(2, sizeof(*units));
    REQUIRE(units);
    for (uint32_t k = 0; k < 2; k++) {
        struct app *app = app_create(1);
        if (k > 0)
            code_group(app, quality_level, &before);
        app->random = 7;
        app->has_sequence = false;
        app->take = take_unit;
        app->take_ctx = &units[k];
        code_group(app, quality_level, content);
        app_finish(app);
        free(app);
    }
    REQUIRE_EQ(units[0].size_B, units[1].size_B);
    REQUIRE(memcmp(units[0].bytes, units[1].bytes, units[0].size_B) == 0);
    free(units);
}

int
main(void)
{
    static const struct content contents[] = {{16, 256}, {16, 64}, {16, 40}, {16, 32},
                                              {4, 128},  {3, 160}, {6, 96},  {8, 64}};
    for (uint32_t quality_level = 0; quality_level < 4; quality_level++)
        for (uint32_t i = 0; i < sizeof(contents) / sizeof(contents[0]); i++)
            RUN(groups_have_the_bytes_of_streams, quality_level, &contents[i]);
    return 0;
}

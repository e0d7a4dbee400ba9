/* SPDX-License-Identifier: MIT */
/* Quantization maps: what a map says is what the blocks are coded with, and libdav1d agrees.
 */
#include "app.h"

#include "tests/test.h"

#define WIDTH_PX 360
#define HEIGHT_PX 200
#define COLS ((WIDTH_PX + 15) / 16)
#define ROWS ((HEIGHT_PX + 15) / 16)
#define Q_INDEX 100
#define PICTURES 4u

static int16_t map[COLS * ROWS];

/* Sums of squares of differences of luma in the left and in the right half of the last picture. */
struct errors {
    uint64_t left;
    uint64_t right;
};

static struct errors
errors_of(const struct app *app)
{
    struct errors errors = {0};
    for (uint32_t y = 0; y < HEIGHT_PX; y++) {
        for (uint32_t x = 0; x < WIDTH_PX; x++) {
            const int32_t difference = app->source[y * app->job.common.src.plane[0].stride_B + x] -
                                       app->picture[y * WIDTH_PX + x];
            *(x < WIDTH_PX / 2 ? &errors.left : &errors.right) +=
                (uint64_t)(difference * difference);
        }
    }
    return errors;
}

static void
encode_next(struct app *app, uint32_t number, int32_t q_index, const int16_t *deltas)
{
    const bool is_key = number == 0;
    app_picture_init(app, is_key ? STD_VIDEO_AV1_FRAME_TYPE_KEY : STD_VIDEO_AV1_FRAME_TYPE_INTER,
                     number, true);
    if (!is_key) {
        app_name(app, 0, 0);
        app->std.primary_ref_frame = 0;
        app->std.refresh_frame_flags = 1;
    }
    app->job.q_index = q_index;
    app->job.common.quality_level = number % 4;
    app->job.common.qp_delta = deltas;
    app_draw(app, number);
    app_encode(app, app_free_slot(app, 0));
}

static struct app *
open_app(void)
{
    struct app *app = calloc(1, sizeof(*app));
    REQUIRE(app);
    app->seq.flags.enable_order_hint = app->seq.flags.enable_cdef = 1;
    app->seq.order_hint_bits_minus_1 = 6;
    app_init(app, WIDTH_PX, HEIGHT_PX, 1);
    return app;
}

static void
close_app(struct app *app)
{
    app_finish(app);
    free(app);
}

static struct errors
encode_with(const int16_t *deltas)
{
    struct app *app = open_app();
    struct errors sum = {0};
    for (uint32_t i = 0; i < PICTURES; i++) {
        encode_next(app, i, Q_INDEX, deltas);
        const struct errors errors = errors_of(app);
        sum.left += errors.left;
        sum.right += errors.right;
    }
    close_app(app);
    return sum;
}

static void
fill_right(int16_t delta)
{
    for (uint32_t i = 0; i < COLS * ROWS; i++)
        map[i] = i % COLS < (COLS + 1) / 2 ? 0 : delta;
}

static void
quality_moves_where_the_map_says(void)
{
    const struct errors plain = encode_with(NULL);
    fill_right(90);
    const struct errors worse = encode_with(map);
    fill_right(-90);
    const struct errors better = encode_with(map);
    REQUIRE(worse.right > 2 * plain.right);
    REQUIRE(better.right < plain.right * 2 / 3);
    REQUIRE(worse.left < plain.left * 5 / 4 && worse.left > plain.left * 3 / 4);
    REQUIRE(better.left < plain.left * 5 / 4 && better.left > plain.left * 3 / 4);
}

/* Texels of two values in turn: no block has both, whatever libaom would have made of it. */
static void
each_texel_counts(void)
{
    struct app *app = open_app();
    for (uint32_t i = 0; i < COLS * ROWS; i++)
        map[i] = (i % COLS + i / COLS) & 1 ? 40 : -40;
    for (uint32_t i = 0; i < PICTURES; i++) {
        encode_next(app, i, Q_INDEX, map);
        const struct rp_encode_result *result = &app->job.common.result;
        REQUIRE_EQ(result->min_qp, Q_INDEX - 40);
        REQUIRE_EQ(result->max_qp, Q_INDEX + 40);
        /* Of blocks without residual the decoder takes what their neighbours have. */
        if (i == 0)
            REQUIRE(result->average_qp >= Q_INDEX - 4 && result->average_qp <= Q_INDEX + 4);
    }
    close_app(app);
}

/* Indices stay within 1 to 255, and in a picture without loss nothing is lost. */
static void
indices_have_their_bounds(void)
{
    static const struct {
        int32_t q_index;
        int16_t delta;
        uint32_t min_qp, max_qp;
    } cases[] = {
        {Q_INDEX, 255, Q_INDEX, 255},
        {Q_INDEX, -255, 1, Q_INDEX},
        {1, -255, 1, 1},
        {255, 255, 255, 255},
        {1, 255, 1, 255},
        {0, 100, 0, 0},
        {0, -100, 0, 0},
    };
    struct app *app = open_app();
    for (uint32_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        fill_right(cases[i].delta);
        encode_next(app, i, cases[i].q_index, map);
        const struct rp_encode_result *result = &app->job.common.result;
        REQUIRE_EQ(result->min_qp, cases[i].min_qp);
        REQUIRE_EQ(result->max_qp, cases[i].max_qp);
        const struct errors errors = errors_of(app);
        REQUIRE(cases[i].q_index > 0 || errors.left + errors.right == 0);
    }
    close_app(app);
}

/* More values than a frame has segments: the picture is decoded as it is reconstructed. */
static void
ramps_are_exact(void)
{
    struct app *app = open_app();
    for (uint32_t i = 0; i < 8; i++) {
        const int32_t step = 1 + (int32_t)i;
        for (int32_t k = 0; k < COLS * ROWS; k++)
            map[k] = (int16_t)((k % COLS + k / COLS * 2) * step % 300 - 150);
        encode_next(app, i, Q_INDEX, map);
    }
    close_app(app);
}

int
main(void)
{
    RUN(quality_moves_where_the_map_says);
    RUN(each_texel_counts);
    RUN(indices_have_their_bounds);
    RUN(ramps_are_exact);
    return 0;
}

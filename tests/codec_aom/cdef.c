/* SPDX-License-Identifier: MIT */
/* Several pairs of CDEF strengths: each block gets the one that suits it.
 */
#include "app.h"

#include "tests/test.h"

#define WIDTH_PX 392u
#define HEIGHT_PX 200u

/* The sum of squares of differences from the source of a key frame with these strengths. */
static uint64_t
error_with(uint32_t bit_depth, const StdVideoAV1CDEF *cdef)
{
    struct app *app = calloc(1, sizeof(*app));
    REQUIRE(app);
    app->seq.flags.enable_cdef = 1;
    app->color.BitDepth = (uint8_t)bit_depth;
    app_init(app, WIDTH_PX, HEIGHT_PX, 1);
    app_picture_init(app, STD_VIDEO_AV1_FRAME_TYPE_KEY, 0, true);
    app->job.q_index = 200;
    app->std.pCDEF = cdef;
    app_draw(app, 0);
    app_encode(app, 0);

    const struct rp_picture *src = &app->job.common.src;
    const uint8_t *coded = app->picture;
    uint64_t error = 0;
    for (uint32_t plane = 0; plane < 3; plane++) {
        const uint32_t shift = plane > 0;
        for (uint32_t y = 0; y < HEIGHT_PX >> shift; y++) {
            const uint8_t *row = src->plane[shift].data + y * src->plane[shift].stride_B;
            for (uint32_t x = 0; x < WIDTH_PX >> shift; x++, coded += app->sample_B) {
                const uint32_t at = plane ? 2 * x + plane - 1 : x;
                const int64_t difference = app->sample_B == 2 ? (((const uint16_t *)row)[at] >> 6) -
                                                                    *(const uint16_t *)coded
                                                              : row[at] - *coded;
                error += (uint64_t)(difference * difference);
            }
        }
    }
    app_finish(app);
    free(app);
    return error;
}

/* CDEF comes last: with a choice for each block the sum is no more than with either for all. */
static void
a_choice_is_better_than_either(uint32_t bit_depth)
{
    const StdVideoAV1CDEF none = {0};
    const StdVideoAV1CDEF strong = {.cdef_y_pri_strength = {6},
                                    .cdef_y_sec_strength = {2},
                                    .cdef_uv_pri_strength = {6},
                                    .cdef_uv_sec_strength = {2}};
    const StdVideoAV1CDEF both = {.cdef_bits = 1,
                                  .cdef_y_pri_strength = {0, 6},
                                  .cdef_y_sec_strength = {0, 2},
                                  .cdef_uv_pri_strength = {0, 6},
                                  .cdef_uv_sec_strength = {0, 2}};
    const uint64_t errors[] = {error_with(bit_depth, &none), error_with(bit_depth, &strong),
                               error_with(bit_depth, &both)};
    REQUIRE(errors[0] != errors[1]);
    REQUIRE(errors[2] <= errors[0] && errors[2] <= errors[1]);
}

int
main(void)
{
    RUN(a_choice_is_better_than_either, 8);
    RUN(a_choice_is_better_than_either, 10);
    return 0;
}

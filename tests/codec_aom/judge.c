/* SPDX-License-Identifier: MIT */
#include "judge.h"

#include "tests/test.h"

#include <dav1d/dav1d.h>

struct judge {
    Dav1dContext *ctx;
};

struct judge *
judge_create(void)
{
    struct judge *judge = calloc(1, sizeof(*judge));
    Dav1dSettings settings;
    dav1d_default_settings(&settings);
    settings.n_threads = 1;
    settings.max_frame_delay = 1;
    settings.logger.callback = NULL;
    REQUIRE(judge && dav1d_open(&judge->ctx, &settings) == 0);
    return judge;
}

void
judge_destroy(struct judge *judge)
{
    dav1d_close(&judge->ctx);
    free(judge);
}

/* The one picture that a temporal unit shows. */
static void
decode_unit(struct judge *judge, const uint8_t *unit, size_t unit_B, uint32_t width_px,
            uint32_t height_px, uint32_t bit_depth, Dav1dPicture *out)
{
    Dav1dData data;
    Dav1dPicture other = {0};
    uint8_t *copy = dav1d_data_create(&data, unit_B);
    REQUIRE(copy);
    memcpy(copy, unit, unit_B);
    while (data.sz > 0)
        REQUIRE(dav1d_send_data(judge->ctx, &data) == 0);
    *out = (Dav1dPicture){0};
    REQUIRE(dav1d_get_picture(judge->ctx, out) == 0);
    REQUIRE((uint32_t)out->p.w == width_px && (uint32_t)out->p.h == height_px &&
            (uint32_t)out->p.bpc == bit_depth);
    REQUIRE(dav1d_get_picture(judge->ctx, &other) != 0);
}

void
judge_show(struct judge *judge, const uint8_t *unit, size_t unit_B, uint8_t *out, uint32_t width_px,
           uint32_t height_px, uint32_t bit_depth)
{
    const size_t sample_B = bit_depth > 8 ? 2 : 1;
    Dav1dPicture picture;
    decode_unit(judge, unit, unit_B, width_px, height_px, bit_depth, &picture);
    for (int i = 0; i < 3; i++) {
        const size_t row_B = sample_B * (i ? (width_px + 1) / 2 : width_px);
        const uint32_t rows = i ? (height_px + 1) / 2 : height_px;
        for (uint32_t y = 0; y < rows; y++, out += row_B)
            memcpy(out, (const uint8_t *)picture.data[i] + (ptrdiff_t)y * picture.stride[i != 0],
                   row_B);
    }
    dav1d_picture_unref(&picture);
}

static void
compare_plane(const uint8_t *data, ptrdiff_t stride_B, const uint8_t *expected, size_t row_B,
              uint32_t rows, int plane)
{
    for (uint32_t y = 0; y < rows; y++) {
        if (memcmp(data + (ptrdiff_t)y * stride_B, expected + y * row_B, row_B) != 0) {
            (void)fprintf(stderr, "plane %d differs in row %u\n", plane, y);
            test_fail();
        }
    }
}

void
judge_unit(struct judge *judge, const uint8_t *unit, size_t unit_B, const uint8_t *expected,
           uint32_t width_px, uint32_t height_px, uint32_t bit_depth)
{
    const size_t sample_B = bit_depth > 8 ? 2 : 1;
    Dav1dPicture picture;
    decode_unit(judge, unit, unit_B, width_px, height_px, bit_depth, &picture);
    for (int i = 0; i < 3; i++) {
        const size_t row_B = sample_B * (i ? (width_px + 1) / 2 : width_px);
        const uint32_t rows = i ? (height_px + 1) / 2 : height_px;
        compare_plane(picture.data[i], picture.stride[i != 0], expected, row_B, rows, i);
        expected += row_B * rows;
    }
    dav1d_picture_unref(&picture);
}

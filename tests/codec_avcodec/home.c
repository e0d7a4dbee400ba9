/* SPDX-License-Identifier: MIT */
/* A count in front of guarded memory.
 */
#include "home.h"

#include "guarded.h"
#include "reelpipe/codec.h"
#include "test.h"

#include <string.h>

#define UNTOUCHED 0x55

struct home {
    struct guarded memory;
    struct rp_h264_decode_layout layout;
    uint32_t kept_from_row;
    uint32_t count;
    uint32_t *alive;
    uint32_t *retained;
};

struct home *
home_create(uint32_t width_px, uint32_t height_px, uint32_t *alive, uint32_t *retained)
{
    struct home *home = calloc(1, sizeof(*home));
    REQUIRE(home);
    rp_codec_h264_decode()->layout(width_px, height_px, &home->layout);
    REQUIRE(home->layout.stride_B >= width_px && home->layout.rows > height_px);
    guarded_init(&home->memory, home->layout.stride_B * home->layout.rows);
    memset(home_plane(home).data, UNTOUCHED, home->layout.stride_B * home->layout.rows);
    home->kept_from_row = (uint32_t)home->layout.rows;
    home->count = 1;
    home->alive = alive;
    home->retained = retained;
    ++*alive;
    return home;
}

static void
home_retain(void *memory)
{
    struct home *home = memory;
    REQUIRE(home->count > 0);
    home->count++;
    ++*home->retained;
}

static void
home_release(void *memory)
{
    struct home *home = memory;
    REQUIRE(home->count > 0);
    if (--home->count)
        return;
    --*home->alive;
    guarded_finish(&home->memory);
    free(home);
}

void
home_keep_from(struct home *home, uint32_t row)
{
    home->kept_from_row = row;
}

void
home_leave(struct home *home)
{
    if (!home)
        return;
    const uint8_t *samples = home_plane(home).data;
    for (size_t i = home->kept_from_row * home->layout.stride_B;
         i < home->layout.rows * home->layout.stride_B; i++)
        REQUIRE_EQ(samples[i], UNTOUCHED);
    memset(home_plane(home).data, 0xaa, home->layout.stride_B * home->layout.rows);
    home_release(home);
}

struct rp_plane
home_plane(const struct home *home)
{
    const size_t stride_B = home->layout.stride_B;
    return (struct rp_plane){home->memory.end - stride_B * home->layout.rows, stride_B};
}

struct rp_h264_decode_home
home_offer(struct home *home)
{
    return (struct rp_h264_decode_home){
        .memory = home,
        .retain = home_retain,
        .release = home_release,
        .rows = home->layout.rows,
    };
}

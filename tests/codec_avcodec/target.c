/* SPDX-License-Identifier: MIT */
/* A count in front of guarded memory.
 */
#include "target.h"

#include "guarded.h"
#include "reelpipe/decode_h264.h"
#include "test.h"

#include <string.h>

#define UNTOUCHED 0x55

struct target {
    struct guarded memory;
    struct rp_decode_layout layout;
    uint32_t kept_from_row;
    uint32_t count;
    uint32_t *alive;
    uint32_t *retained;
};

struct target *
target_create(uint32_t width_px, uint32_t height_px, uint32_t *alive, uint32_t *retained)
{
    struct target *target = calloc(1, sizeof(*target));
    REQUIRE(target);
    rp_codec_h264_decode()->layout(width_px, height_px, &target->layout);
    REQUIRE(target->layout.stride_B >= width_px && target->layout.rows > height_px);
    guarded_init(&target->memory, target->layout.stride_B * target->layout.rows);
    memset(target_plane(target).data, UNTOUCHED, target->layout.stride_B * target->layout.rows);
    target->kept_from_row = (uint32_t)target->layout.rows;
    target->count = 1;
    target->alive = alive;
    target->retained = retained;
    ++*alive;
    return target;
}

static void
target_retain(void *memory)
{
    struct target *target = memory;
    REQUIRE(target->count > 0);
    target->count++;
    ++*target->retained;
}

static void
target_release(void *memory)
{
    struct target *target = memory;
    REQUIRE(target->count > 0);
    if (--target->count)
        return;
    --*target->alive;
    guarded_finish(&target->memory);
    free(target);
}

void
target_keep_from(struct target *target, uint32_t row)
{
    target->kept_from_row = row;
}

void
target_leave(struct target *target)
{
    if (!target)
        return;
    const uint8_t *samples = target_plane(target).data;
    for (size_t i = target->kept_from_row * target->layout.stride_B;
         i < target->layout.rows * target->layout.stride_B; i++)
        REQUIRE_EQ(samples[i], UNTOUCHED);
    memset(target_plane(target).data, 0xaa, target->layout.stride_B * target->layout.rows);
    target_release(target);
}

struct rp_plane
target_plane(const struct target *target)
{
    const size_t stride_B = target->layout.stride_B;
    return (struct rp_plane){target->memory.end - stride_B * target->layout.rows, stride_B};
}

struct rp_decode_target
target_offer(struct target *target)
{
    return (struct rp_decode_target){
        .memory = target,
        .retain = target_retain,
        .release = target_release,
        .rows = target->layout.rows,
    };
}

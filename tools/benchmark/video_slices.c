/* SPDX-License-Identifier: MIT */
/* The slices of a picture side by side, one picture in flight.
 */
#include "video.h"

#include "measure.h"

#include <stdio.h>

#define SLICES 4

struct slicing {
    struct encoder *four;
    struct encoder *one;
    uint32_t frame_count;
};

static void
encode_frames(struct encoder *enc, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        encoder_encode(enc, i);
    encoder_drain(enc);
}

static void
encode_four(void *ctx)
{
    const struct slicing *slicing = ctx;

    encode_frames(slicing->four, slicing->frame_count);
}

static void
encode_one(void *ctx)
{
    const struct slicing *slicing = ctx;

    encode_frames(slicing->one, slicing->frame_count);
}

static void
bench_slices_at(struct video *video, uint32_t rounds, double capacity, uint32_t level,
                const char *what)
{
    struct encoder_settings settings = video_settings(video, level, 1);
    struct slicing slicing = {.frame_count = video->frame_count};
    struct bench_times four;
    struct bench_times one;
    char name[64];

    slicing.one = encoder_create(&video->gpu, &settings);
    settings.slice_count = SLICES;
    slicing.four = encoder_create(&video->gpu, &settings);
    video_fill_sources(video, slicing.one, video->frame_count);
    video_fill_sources(video, slicing.four, video->frame_count);
    bench_compare(encode_four, encode_one, &slicing, rounds, bench_wall_s, &four, &one);
    video_row_name(video, what, name);
    bench_row(name, "ms", &four, &one, 1 / (0.85 * capacity));
    encoder_destroy(slicing.one);
    encoder_destroy(slicing.four);
}

void
bench_slices(struct video *video, uint32_t rounds, double capacity)
{
    bench_slices_at(video, rounds, capacity, 0, "ultrafast, 4 slices, 1");
    bench_slices_at(video, rounds, capacity, 2, "veryfast, 4 slices, 1");
}

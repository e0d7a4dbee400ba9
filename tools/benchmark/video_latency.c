/* SPDX-License-Identifier: MIT */
/* The time from the submission of a picture until it can be collected, with one picture in flight
 * and with four, which are submitted as fast as they are collected.
 */
#include "video.h"

#include "measure.h"

#include <stdio.h>
#include <stdlib.h>

#define GOP 60u
#define SOURCES 4u
#define PICTURES 16u /* of a round */
#define MAX_PICTURES (PICTURES * (BENCH_MAX_ROUNDS + 1))

struct latency {
    double begin_s[MAX_PICTURES];
    double taken_s[MAX_PICTURES];
    uint32_t begun_count;
    uint32_t ended_count;
    bool is_submitting; /* the newest one, as soon as the oldest is collected */
};

/* Pictures are collected in the order in which they were submitted. */
static void
picture_ends(void *ctx, size_t size_B)
{
    struct latency *l = ctx;
    const uint32_t i = l->ended_count++;

    (void)size_B;
    const double now_s = bench_wall_s();
    l->taken_s[i] = now_s - l->begin_s[i];
    if (l->is_submitting)
        l->begin_s[l->begun_count - 1] = now_s;
}

static void
drop_bytes(void *ctx, const void *data, size_t size_B)
{
    (void)ctx;
    (void)data;
    (void)size_B;
}

static void
encode(struct encoder *enc, struct latency *l, uint32_t in_flight)
{
    for (uint32_t i = 0; i < PICTURES; i++) {
        const uint32_t number = l->begun_count++;
        const uint32_t source = number % (2 * SOURCES - 2);
        l->begin_s[number] = bench_wall_s();
        l->is_submitting = true;
        encoder_encode(enc, source < SOURCES ? source : 2 * SOURCES - 2 - source);
        l->is_submitting = false;
        if (in_flight == 1)
            encoder_drain(enc);
    }
    encoder_drain(enc);
}

static void
latency_row(struct video *video, uint32_t rounds, uint32_t level, bool is_cavlc, uint32_t in_flight)
{
    struct latency *l = calloc(1, sizeof(*l));
    struct encoder_settings settings = video_settings(video, level, in_flight);
    char what[64];
    char name[80];

    if (!l)
        die("no memory");
    settings.gop = GOP;
    settings.source_count = SOURCES;
    settings.h264.wants_cavlc = is_cavlc;
    settings.begin_picture = picture_ends;
    settings.write = drop_bytes;
    settings.ctx = l;
    struct encoder *enc = encoder_create(&video->gpu, &settings);
    video_fill_sources(video, enc, SOURCES);
    for (uint32_t i = 0; i <= rounds; i++)
        encode(enc, l, in_flight);
    /* The first round warms up. */
    const struct bench_times times = bench_times_of(l->taken_s + PICTURES, PICTURES * rounds);
    (void)snprintf(what, sizeof(what), "%s, %s, %u in flight", level ? "veryfast" : "ultrafast",
                   is_cavlc ? "CAVLC" : "CABAC", in_flight);
    (void)snprintf(name, sizeof(name), "latency %ux%u, %s", video->width_px, video->height_px,
                   what);
    bench_row(name, "ms", &times, NULL, 0);
    encoder_destroy(enc);
    free(l);
}

void
bench_video_latency(struct video *video, uint32_t rounds, bool is_ultrafast_only)
{
    if (video->frame_count < SOURCES)
        die("fewer than %u frames", SOURCES);
    gpu_open(&video->gpu, NULL, &encode_h264.work);
    for (uint32_t i = 0; i < (is_ultrafast_only ? 4u : 8u); i++)
        latency_row(video, rounds, i & 4 ? 2 : 0, !(i & 2), i & 1 ? 4 : 1);
    gpu_close(&video->gpu);
}

/* SPDX-License-Identifier: MIT */
/* One stream of pictures on all cores: several in flight beside libx264 with its own frame threads.
 */
#include "video.h"

#include "measure.h"
#include "x264_peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SOURCES 4u
#define PICTURES 120u /* of a round */

static const struct {
    const char *name;
    uint32_t quality_level;
} presets[] = {{"ultrafast", 0}, {"veryfast", 2}, {"medium", 5}};

static const uint32_t in_flight_counts[] = {1, 2, 4, 8};

struct sample {
    double wall_s[BENCH_MAX_ROUNDS];
    double cores[BENCH_MAX_ROUNDS]; /* CPU time by wall time */
};

/* There and back, so that no picture differs from the one before by more than motion. */
static uint32_t
source_of(uint32_t picture)
{
    const uint32_t i = picture % (2 * SOURCES - 2);
    return i < SOURCES ? i : 2 * SOURCES - 2 - i;
}

static void
sample_take(struct sample *sample, uint32_t round, double begin_wall_s, double begin_cpu_s)
{
    sample->wall_s[round] = bench_wall_s() - begin_wall_s;
    sample->cores[round] = (bench_cpu_s() - begin_cpu_s) / sample->wall_s[round];
}

static void
encode(struct video *video, uint32_t round, struct sample *sample)
{
    const double wall_s = bench_wall_s();
    const double cpu_s = bench_cpu_s();

    video->stream_B = 0;
    for (uint32_t i = 0; i < PICTURES; i++)
        encoder_encode(video->enc, source_of(i));
    encoder_drain(video->enc);
    sample_take(sample, round, wall_s, cpu_s);
}

/* Its threads are made and ended outside of the time. */
static void
encode_x264(struct video *video, const char *preset, uint32_t round, struct sample *sample)
{
    struct x264_peer *peer =
        x264_peer_create_threaded(preset, video->width_px, video->height_px, VIDEO_QP);
    if (!peer)
        die("libx264 does not open");
    const size_t frame_B = (size_t)video->width_px * video->height_px * 3 / 2;
    const double wall_s = bench_wall_s();
    const double cpu_s = bench_cpu_s();

    video->peer_stream_B = 0;
    for (uint32_t i = 0; i < PICTURES; i++)
        video->peer_stream_B += x264_peer_put(peer, video->frames + source_of(i) * frame_B, i == 0);
    video->peer_stream_B += x264_peer_flush(peer);
    sample_take(sample, round, wall_s, cpu_s);
    x264_peer_destroy(peer);
}

static void
flight_row(struct video *video, uint32_t rounds, uint32_t preset, uint32_t in_flight)
{
    struct encoder_settings settings =
        video_settings(video, presets[preset].quality_level, in_flight);
    struct sample *samples = calloc(2, sizeof(*samples));
    char name[96];

    if (!samples)
        die("no memory");
    settings.gop = PICTURES;
    settings.source_count = SOURCES;
    video->enc = encoder_create(&video->gpu, &settings);
    video_fill_sources(video, video->enc, SOURCES);
    for (uint32_t round = 0; round <= rounds; round++) { /* the first one warms up */
        encode(video, round ? round - 1 : 0, &samples[0]);
        encode_x264(video, presets[preset].name, round ? round - 1 : 0, &samples[1]);
    }
    const struct bench_times ours = bench_times_of(samples[0].wall_s, rounds);
    const struct bench_times peer = bench_times_of(samples[1].wall_s, rounds);
    (void)snprintf(name, sizeof(name), "%ux%u, %s, %u in flight", video->width_px, video->height_px,
                   presets[preset].name, in_flight);
    bench_row(name, "ms", &ours, &peer, in_flight == 4 ? 1 : 0);
    (void)fprintf(stderr, "  bytes: %zu, libx264 %zu; cores in use: %.1f, libx264 %.1f\n",
                  video->stream_B, video->peer_stream_B,
                  bench_times_of(samples[0].cores, rounds).median,
                  bench_times_of(samples[1].cores, rounds).median);
    encoder_destroy(video->enc);
    free(samples);
}

void
bench_video_flight(struct video *video, uint32_t rounds, const char *preset)
{
    if (video->frame_count < SOURCES)
        die("fewer than %u frames", SOURCES);
    gpu_open(&video->gpu, NULL, &encode_h264.work);
    for (uint32_t i = 0; i < sizeof(presets) / sizeof(presets[0]); i++) {
        if (preset && strcmp(preset, presets[i].name) != 0)
            continue;
        for (uint32_t k = 0; k < sizeof(in_flight_counts) / sizeof(in_flight_counts[0]); k++)
            flight_row(video, rounds, i, in_flight_counts[k]);
    }
    gpu_close(&video->gpu);
}

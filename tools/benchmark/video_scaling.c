/* SPDX-License-Identifier: MIT */
/* Pictures per second over cores and over sessions, beside as many encoders of libx264.
 */
#include "video.h"

#include "measure.h"
#include "scaling.h"
#include "x264_peer.h"

#include <pthread.h>
#include <stdio.h>

#define VERYFAST 2
#define MAX_SESSIONS 16u
#define SOURCES 4u

/* Encoders of one kind or the other, side by side. */
struct crowd {
    struct video *video;
    uint32_t count;
    uint32_t picture_count; /* of each */
    struct encoder *enc[MAX_SESSIONS];
    struct x264_peer *peer[MAX_SESSIONS];
};

static void
crowd_open(struct crowd *crowd, uint32_t count, uint32_t in_flight)
{
    struct video *video = crowd->video;
    struct encoder_settings settings = video_settings(video, VERYFAST, in_flight);

    crowd->count = count;
    crowd->picture_count = 2 * SOURCES;
    settings.source_count = SOURCES;
    settings.gop = crowd->picture_count;
    for (uint32_t i = 0; i < count; i++) {
        crowd->enc[i] = encoder_create(&video->gpu, &settings);
        video_fill_sources(video, crowd->enc[i], SOURCES);
    }
}

static void
crowd_close(struct crowd *crowd)
{
    for (uint32_t i = 0; i < crowd->count; i++)
        encoder_destroy(crowd->enc[i]);
}

static void
crowd_encode(void *ctx)
{
    struct crowd *crowd = ctx;

    for (uint32_t i = 0; i < crowd->picture_count; i++) {
        for (uint32_t k = 0; k < crowd->count; k++)
            encoder_encode(crowd->enc[k], i % SOURCES);
    }
    for (uint32_t k = 0; k < crowd->count; k++)
        encoder_drain(crowd->enc[k]);
}

struct peer_thread {
    pthread_t thread;
    struct crowd *crowd;
    uint32_t index;
};

static void *
peer_run(void *arg)
{
    const struct peer_thread *t = arg;
    const struct crowd *crowd = t->crowd;

    for (uint32_t i = 0; i < crowd->picture_count; i += SOURCES)
        (void)x264_peer_encode(crowd->peer[t->index], crowd->video->frames, SOURCES);
    return NULL;
}

/* A thread for each encoder. */
static void
peers_encode(void *ctx)
{
    struct peer_thread threads[MAX_SESSIONS];
    struct crowd *crowd = ctx;

    for (uint32_t i = 0; i < crowd->count; i++) {
        threads[i] = (struct peer_thread){.crowd = crowd, .index = i};
        if (pthread_create(&threads[i].thread, NULL, peer_run, &threads[i]) != 0)
            die("no thread");
    }
    for (uint32_t i = 0; i < crowd->count; i++)
        pthread_join(threads[i].thread, NULL);
}

static double
per_second(const struct crowd *crowd, const struct bench_times *times)
{
    return crowd->count * crowd->picture_count / times->median;
}

/* count sessions beside count encoders of libx264. */
static void
compare(struct crowd *crowd, uint32_t count, uint32_t rounds, double *ours, double *peer)
{
    const struct video *video = crowd->video;
    struct bench_times times[2];

    crowd_open(crowd, count, 1);
    for (uint32_t i = 0; i < count; i++) {
        crowd->peer[i] = x264_peer_create("veryfast", video->width_px, video->height_px, VIDEO_QP);
        if (!crowd->peer[i])
            die("libx264 does not open");
    }
    bench_compare(crowd_encode, peers_encode, crowd, rounds, bench_wall_s, &times[0], &times[1]);
    *ours = per_second(crowd, &times[0]);
    *peer = per_second(crowd, &times[1]);
    for (uint32_t i = 0; i < count; i++)
        x264_peer_destroy(crowd->peer[i]);
    crowd_close(crowd);
}

static double
one_session(struct crowd *crowd, uint32_t in_flight, uint32_t rounds)
{
    struct bench_times times;

    crowd_open(crowd, 1, in_flight);
    bench_compare(crowd_encode, NULL, crowd, rounds, bench_wall_s, &times, NULL);
    crowd_close(crowd);
    return per_second(crowd, &times);
}

static void
scale_over_cores(struct video *video, uint32_t rounds, const char *title)
{
    struct crowd crowd = {.video = video};
    struct scaling s = {.title = title,
                        .unit = "pictures/s",
                        .line_count = 4,
                        .lines = {{.name = "a session for each core"},
                                  {.name = "libx264, an encoder for each core"},
                                  {.name = "one session, 4 pictures in flight"},
                                  {.name = "one session, one picture"}}};

    scaling_cores(&s);
    for (uint32_t i = 0; i < s.count; i++) {
        scaling_use_cores(s.x[i]);
        gpu_open(&video->gpu, NULL, &gpu_encodes_h264);
        compare(&crowd, s.x[i] < MAX_SESSIONS ? s.x[i] : MAX_SESSIONS, rounds, &s.lines[0].y[i],
                &s.lines[1].y[i]);
        s.lines[2].y[i] = one_session(&crowd, 4, rounds);
        s.lines[3].y[i] = one_session(&crowd, 1, rounds);
        gpu_close(&video->gpu);
    }
    scaling_print(&s);
}

static void
scale_over_sessions(struct video *video, uint32_t rounds, const char *title)
{
    struct crowd crowd = {.video = video};
    struct scaling s = {.title = title,
                        .x_name = "sessions",
                        .unit = "pictures/s",
                        .line_count = 2,
                        .lines = {{.name = "sessions"}, {.name = "encoders of libx264"}}};

    scaling_doublings(&s, MAX_SESSIONS);
    gpu_open(&video->gpu, NULL, &gpu_encodes_h264);
    for (uint32_t i = 0; i < s.count; i++)
        compare(&crowd, s.x[i], rounds, &s.lines[0].y[i], &s.lines[1].y[i]);
    gpu_close(&video->gpu);
    scaling_print(&s);
}

void
bench_video_scaling(struct video *video, uint32_t rounds)
{
    char title[64];

    if (video->frame_count < SOURCES)
        die("fewer than %u frames", SOURCES);
    (void)snprintf(title, sizeof(title), "encode %ux%u, veryfast", video->width_px,
                   video->height_px);
    scale_over_sessions(video, rounds, title);
    scale_over_cores(video, rounds, title);
}

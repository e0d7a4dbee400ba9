/* SPDX-License-Identifier: MIT */
/* Pictures in flight, slices and sessions side by side, in wall-clock time; memory of a session.
 */
#include "video.h"

#include "measure.h"
#include "scaling.h"
#include "x264_peer.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#define VERYFAST 2
#define SLICES 4
#define SESSIONS 8
#define SESSION_SOURCES 4
#define SPIN_COUNT 30000000

static const struct {
    const char *name;
    uint32_t quality_level;
} presets[] = {{"ultrafast", 0}, {"veryfast", VERYFAST}, {"medium", 5}};

struct sessions {
    struct encoder *enc[SESSIONS];
    struct encoder *one_core; /* of a device that has one: codes as many pictures as all of them */
    uint32_t picture_count;   /* of each */
};

struct overlap {
    struct encoder *all_cores;
    struct encoder *one_core; /* of a device that has one */
    uint32_t frame_count;
};

static void *
spin(void *arg)
{
    volatile uint64_t x = 1;

    (void)arg;
    for (uint32_t i = 0; i < SPIN_COUNT; i++)
        x = x * UINT64_C(6364136223846793005) + 1;
    return NULL;
}

static void
spin_once(void *ctx)
{
    spin(ctx);
}

static void
spin_twice(void *ctx)
{
    pthread_t other;

    if (pthread_create(&other, NULL, spin, NULL) != 0)
        die("no thread");
    spin(ctx);
    pthread_join(other, NULL);
}

/* How many times the work of one thread two threads do in the same time: 1 to 2. */
static double
measure_capacity(uint32_t rounds)
{
    struct bench_times two;
    struct bench_times one;

    bench_compare(spin_twice, spin_once, NULL, rounds, bench_wall_s, &two, &one);
    bench_row("two spinning threads beside one", "ms", &two, &one, 0);
    return 2 * one.median / two.median;
}

static void
encode_frames(struct encoder *enc, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        encoder_encode(enc, i);
    encoder_drain(enc);
}

static void
encode_on_all_cores(void *ctx)
{
    const struct overlap *overlap = ctx;

    encode_frames(overlap->all_cores, overlap->frame_count);
}

static void
encode_on_one_core(void *ctx)
{
    const struct overlap *overlap = ctx;

    scaling_use_cores(1);
    encode_frames(overlap->one_core, overlap->frame_count);
    scaling_use_cores(UINT32_MAX);
}

/* As settings say, beside one picture in flight, of one slice, on one core. wanted: the ratio that
 * is asked for, or 0. */
static void
bench_overlap(struct video *video, uint32_t rounds, double wanted,
              const struct encoder_settings *settings, const char *preset, const char *what)
{
    struct overlap overlap = {.frame_count = video->frame_count};
    struct encoder_settings alone = *settings;
    struct gpu one_core;
    struct bench_times ours;
    struct bench_times peer;
    char label[64];
    char name[64];

    alone.in_flight = 1;
    alone.slice_count = 1;
    scaling_use_cores(1);
    gpu_open(&one_core, NULL, &encode_h264.work);
    overlap.one_core = encoder_create(&one_core, &alone);
    video_fill_sources(video, overlap.one_core, video->frame_count);
    scaling_use_cores(UINT32_MAX);
    overlap.all_cores = encoder_create(&video->gpu, settings);
    video_fill_sources(video, overlap.all_cores, video->frame_count);
    bench_compare(encode_on_all_cores, encode_on_one_core, &overlap, rounds, bench_wall_s, &ours,
                  &peer);
    snprintf(label, sizeof(label), "%s, %s", preset, what);
    video_row_name(video, label, name);
    bench_row(name, "ms", &ours, &peer, wanted);
    encoder_destroy(overlap.all_cores);
    encoder_destroy(overlap.one_core);
    gpu_close(&one_core);
}

/* Rate control codes two P or B pictures side by side, others one after the other. */
static void
bench_preset(struct video *video, uint32_t rounds, double capacity, uint32_t preset)
{
    const char *name = presets[preset].name;
    const uint32_t level = presets[preset].quality_level;
    struct encoder_settings one = video_settings(video, level, 1);
    struct encoder_settings four = video_settings(video, level, 4);
    struct encoder_settings slices = one;

    slices.slice_count = SLICES;
    bench_overlap(video, rounds, 1 / (0.83 * capacity), &one, name, "1 in flight");
    bench_overlap(video, rounds, 1 / (0.9 * capacity), &four, name, "4 in flight");
    bench_overlap(video, rounds, 1 / (0.85 * capacity), &slices, name, "4 slices");
    video_set_cbr(video, &four);
    video_set_cbr(video, &slices);
    bench_overlap(video, rounds, 0, &slices, name, "CBR, 4 slices");
    bench_overlap(video, rounds, 0, &four, name, "CBR, 4 in flight");
}

/* One picture of each session in flight. */
static void
encode_side_by_side(void *ctx)
{
    struct sessions *sessions = ctx;

    for (uint32_t i = 0; i < sessions->picture_count; i++) {
        for (uint32_t k = 0; k < SESSIONS; k++)
            encoder_encode(sessions->enc[k], i % SESSION_SOURCES);
    }
    for (uint32_t k = 0; k < SESSIONS; k++)
        encoder_drain(sessions->enc[k]);
}

static void
encode_in_turn(void *ctx)
{
    const struct sessions *sessions = ctx;

    scaling_use_cores(1);
    for (uint32_t i = 0; i < SESSIONS * sessions->picture_count; i++)
        encoder_encode(sessions->one_core, i % SESSION_SOURCES);
    encoder_drain(sessions->one_core);
    scaling_use_cores(UINT32_MAX);
}

static void
bench_sessions(struct video *video, uint32_t rounds, double capacity)
{
    struct encoder_settings settings = video_settings(video, VERYFAST, 1);
    struct sessions sessions = {.picture_count = 2 * SESSION_SOURCES};
    struct bench_times ours;
    struct bench_times alone;
    struct gpu one_core;
    char name[64];

    settings.source_count = SESSION_SOURCES;
    settings.gop = sessions.picture_count;
    scaling_use_cores(1);
    gpu_open(&one_core, NULL, &encode_h264.work);
    sessions.one_core = encoder_create(&one_core, &settings);
    video_fill_sources(video, sessions.one_core, SESSION_SOURCES);
    scaling_use_cores(UINT32_MAX);
    for (uint32_t k = 0; k < SESSIONS; k++) {
        sessions.enc[k] = encoder_create(&video->gpu, &settings);
        video_fill_sources(video, sessions.enc[k], SESSION_SOURCES);
    }
    bench_compare(encode_side_by_side, encode_in_turn, &sessions, rounds, bench_wall_s, &ours,
                  &alone);
    snprintf(name, sizeof(name), "wall, 8 sessions, one core %ux%u", video->width_px,
             video->height_px);
    bench_row(name, "ms", &ours, &alone, 1 / (0.95 * capacity));
    for (uint32_t k = 0; k < SESSIONS; k++)
        encoder_destroy(sessions.enc[k]);
    encoder_destroy(sessions.one_core);
    gpu_close(&one_core);
}

static void
encode_ours(void *ctx)
{
    struct video *video = ctx;

    encode_frames(video->enc, video->frame_count);
}

static void
encode_x264(void *ctx)
{
    struct video *video = ctx;

    video->peer_stream_B = x264_peer_encode(video->peer, video->frames, video->frame_count);
}

/* From submission to bitstream, one picture at a time, against libx264's CPU time. */
static void
bench_latency(struct video *video, uint32_t rounds)
{
    const struct encoder_settings settings = video_settings(video, 0, 1);
    struct bench_times ours;
    struct bench_times peer;
    char name[64];

    video->enc = encoder_create(&video->gpu, &settings);
    video->peer = x264_peer_create("ultrafast", video->width_px, video->height_px, VIDEO_QP);
    if (!video->peer)
        die("libx264 does not open");
    video_fill_sources(video, video->enc, video->frame_count);
    bench_compare_clocks(encode_ours, bench_wall_s, encode_x264, bench_cpu_s, video, rounds, &ours,
                         &peer);
    video_row_name(video, "latency, ultrafast", name);
    bench_row(name, "ms", &ours, &peer, 1.1);
    x264_peer_destroy(video->peer);
    encoder_destroy(video->enc);
}

void
bench_parallel(struct video *video, uint32_t rounds)
{
    const double capacity = measure_capacity(rounds);

    bench_latency(video, rounds);
    for (uint32_t i = 0; i < sizeof(presets) / sizeof(presets[0]); i++)
        bench_preset(video, rounds, capacity, i);
    bench_sessions(video, rounds, capacity);
}

static double
resident_MiB(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long total = 0;
    unsigned long resident = 0;

    if (!file || fscanf(file, "%lu %lu", &total, &resident) != 2)
        die("/proc/self/statm cannot be read");
    fclose(file);
    return (double)resident * (double)sysconf(_SC_PAGESIZE) / (1 << 20);
}

static void
bench_session_memory(struct video *video, bool is_largest, const char *what)
{
    struct encoder_settings settings = video_settings(video, VERYFAST, 1);
    char name[64];

    settings.source_count = 1;
    settings.has_largest_session = is_largest;
    gpu_open(&video->gpu, NULL, &encode_h264.work);
    const double before_MiB = resident_MiB();
    video->enc = encoder_create(&video->gpu, &settings);
    video_fill_sources(video, video->enc, 1);
    for (uint32_t i = 0; i < 4; i++)
        encoder_encode(video->enc, 0);
    encoder_drain(video->enc);
    const double used_MiB = resident_MiB() - before_MiB;
    const struct bench_times memory = {used_MiB, used_MiB, used_MiB};
    encoder_destroy(video->enc);
    gpu_close(&video->gpu);
    snprintf(name, sizeof(name), "%s %ux%u", what, video->width_px, video->height_px);
    bench_row(name, "MiB", &memory, NULL, 80);
}

void
bench_memory(struct video *video)
{
    bench_session_memory(video, false, "session, 2 slots");
    bench_session_memory(video, true, "session of the largest size, 17 slots");
}

/* SPDX-License-Identifier: MIT */
/* Pictures in flight, slices and sessions side by side, in wall-clock time; memory of a session.
 */
#include "video.h"

#include "measure.h"
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
    uint32_t picture_count; /* of each */
};

struct overlap {
    struct encoder *one;  /* picture in flight, or slice */
    struct encoder *four; /* of them */
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
encode_four(void *ctx)
{
    const struct overlap *overlap = ctx;

    encode_frames(overlap->four, overlap->frame_count);
}

static void
encode_one(void *ctx)
{
    const struct overlap *overlap = ctx;

    encode_frames(overlap->one, overlap->frame_count);
}

/* capacity 0: nothing is asked for. */
static void
bench_overlap(struct video *video, uint32_t rounds, double capacity,
              const struct encoder_settings *one, const struct encoder_settings *four,
              const char *what)
{
    struct overlap overlap = {.frame_count = video->frame_count};
    struct bench_times ours;
    struct bench_times alone;
    char name[64];

    overlap.one = encoder_create(&video->gpu, one);
    overlap.four = encoder_create(&video->gpu, four);
    video_fill_sources(video, overlap.one, video->frame_count);
    video_fill_sources(video, overlap.four, video->frame_count);
    bench_compare(encode_four, encode_one, &overlap, rounds, bench_wall_s, &ours, &alone);
    video_row_name(video, what, name);
    bench_row(name, "ms", &ours, &alone, capacity > 0 ? 1 / (0.85 * capacity) : 0);
    encoder_destroy(overlap.one);
    encoder_destroy(overlap.four);
}

static void
bench_pictures(struct video *video, uint32_t rounds, double capacity, const char *preset,
               uint32_t quality_level)
{
    const struct encoder_settings one = video_settings(video, quality_level, 1);
    const struct encoder_settings four = video_settings(video, quality_level, 4);
    char what[32];

    snprintf(what, sizeof(what), "%s, 4 in flight, 1", preset);
    bench_overlap(video, rounds, capacity, &one, &four, what);
}

/* Rate control codes two P or B pictures side by side, others one after the other. */
static void
bench_pictures_cbr(struct video *video, uint32_t rounds, const char *preset, uint32_t quality_level)
{
    struct encoder_settings one = video_settings(video, quality_level, 1);
    struct encoder_settings four = video_settings(video, quality_level, 4);
    char what[32];

    video_set_cbr(video, &one);
    video_set_cbr(video, &four);
    snprintf(what, sizeof(what), "%s, CBR, 4 in flight, 1", preset);
    bench_overlap(video, rounds, 0, &one, &four, what);
}

static void
bench_slices(struct video *video, uint32_t rounds, double capacity, const char *preset,
             uint32_t quality_level)
{
    const struct encoder_settings one = video_settings(video, quality_level, 1);
    struct encoder_settings four = one;
    char what[32];

    four.h264.slice_count = SLICES;
    snprintf(what, sizeof(what), "%s, 4 slices, 1", preset);
    bench_overlap(video, rounds, capacity, &one, &four, what);
}

/* Each slice has its share of the picture's bits. */
static void
bench_slices_cbr(struct video *video, uint32_t rounds, const char *preset, uint32_t quality_level)
{
    struct encoder_settings one = video_settings(video, quality_level, 1);
    char what[32];

    video_set_cbr(video, &one);
    struct encoder_settings four = one;
    four.h264.slice_count = SLICES;
    snprintf(what, sizeof(what), "%s, CBR, 4 slices, 1", preset);
    bench_overlap(video, rounds, 0, &one, &four, what);
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
    struct sessions *sessions = ctx;

    for (uint32_t k = 0; k < SESSIONS; k++) {
        for (uint32_t i = 0; i < sessions->picture_count; i++)
            encoder_encode(sessions->enc[k], i % SESSION_SOURCES);
        encoder_drain(sessions->enc[k]);
    }
}

static void
bench_sessions(struct video *video, uint32_t rounds, double capacity)
{
    struct encoder_settings settings = video_settings(video, VERYFAST, 1);
    struct sessions sessions = {.picture_count = 2 * SESSION_SOURCES};
    struct bench_times ours;
    struct bench_times alone;
    char name[64];

    settings.source_count = SESSION_SOURCES;
    settings.gop = sessions.picture_count;
    for (uint32_t k = 0; k < SESSIONS; k++) {
        sessions.enc[k] = encoder_create(&video->gpu, &settings);
        video_fill_sources(video, sessions.enc[k], SESSION_SOURCES);
    }
    bench_compare(encode_side_by_side, encode_in_turn, &sessions, rounds, bench_wall_s, &ours,
                  &alone);
    snprintf(name, sizeof(name), "wall, 8 sessions, in turn %ux%u", video->width_px,
             video->height_px);
    bench_row(name, "ms", &ours, &alone, 1 / (0.95 * capacity));
    for (uint32_t k = 0; k < SESSIONS; k++)
        encoder_destroy(sessions.enc[k]);
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
    for (size_t i = 0; i < sizeof(presets) / sizeof(presets[0]); i++) {
        bench_pictures(video, rounds, capacity, presets[i].name, presets[i].quality_level);
        bench_slices(video, rounds, capacity, presets[i].name, presets[i].quality_level);
        bench_slices_cbr(video, rounds, presets[i].name, presets[i].quality_level);
        bench_pictures_cbr(video, rounds, presets[i].name, presets[i].quality_level);
    }
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

/* SPDX-License-Identifier: MIT */
/* Encodes the same frames with the same settings through Vulkan and with libx264's own API.
 *
 * usage: bench_video FRAMES.nv12 WxH
 *        [ROUNDS [parallel | latency [ultrafast] | flight [PRESET] | scaling [SESSIONS]]]
 *
 * The frames lie in NV12 images before the clock starts: their upload is a row of its own. Times
 * are user + system time of all threads, for all frames. The stream's sizes are printed, so that
 * one sees that both did the same work.
 */
#include "video.h"

#include "measure.h"
#include "x264_peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* By quality level; those that are measured at every size, the others at the smallest one. */
static const struct {
    const char *name;
    bool is_at_every_size;
} presets[] = {
    {"ultrafast", true}, {"superfast", false}, {"veryfast", true}, {"faster", false},
    {"fast", false},     {"medium", true},     {"slow", false},    {"slower", false},
};
#define PRESET_COUNT (sizeof(presets) / sizeof(presets[0]))
#define SMALL_WIDTH_PX 640
#define MOST_SESSIONS 16

static void
upload(void *ctx)
{
    struct video *video = ctx;

    for (uint32_t i = 0; i < video->frame_count; i++)
        encoder_source_upload(video->enc, i);
    for (uint32_t i = 0; i < video->frame_count; i++)
        encoder_source_map(video->enc, i); /* waits */
}

static void
encode_x264(void *ctx)
{
    struct video *video = ctx;

    video->peer_stream_B = x264_peer_encode(video->peer, video->frames, video->frame_count);
}

static void
bench_preset(struct video *video, uint32_t preset, bool is_cbr, uint32_t rounds)
{
    struct encoder_settings settings = video_settings(video, preset, 1);
    const double speed_wanted = video->width_px >= 1280 ? 0.97 : 0.95;
    struct bench_times ours;
    struct bench_times peer;
    char what[32];
    char name[64];

    if (is_cbr)
        video_set_cbr(video, &settings);
    video->enc = encoder_create(&video->gpu, &settings);
    video->peer = is_cbr ? x264_peer_create_cbr(presets[preset].name, video->width_px,
                                                video->height_px, video_cbr_kbit(video))
                         : x264_peer_create(presets[preset].name, video->width_px, video->height_px,
                                            VIDEO_QP);
    if (!video->peer)
        die("libx264 does not open");
    video_fill_sources(video, video->enc, video->frame_count);
    if (preset == 0 && !is_cbr) {
        bench_compare(upload, NULL, video, rounds, bench_cpu_s, &ours, NULL);
        video_row_name(video, "upload", name);
        bench_row(name, "ms", &ours, NULL, 0);
    }
    bench_compare(video_encode, encode_x264, video, rounds, bench_cpu_s, &ours, &peer);
    snprintf(what, sizeof(what), "%s%s", presets[preset].name, is_cbr ? ", CBR" : "");
    video_row_name(video, what, name);
    bench_row(name, "ms", &ours, &peer, 1 / speed_wanted);
    fprintf(stderr, "  bytes: %zu, libx264 %zu\n", video->stream_B, video->peer_stream_B);
    x264_peer_destroy(video->peer);
    encoder_destroy(video->enc);
}

static void
start_and_stop(void *ctx)
{
    struct gpu *gpu = ctx;

    gpu_open(gpu, NULL, &encode_h264.work);
    gpu_close(gpu);
}

static void
bench_presets(struct video *video, uint32_t rounds)
{
    for (uint32_t preset = 0; preset < PRESET_COUNT; preset++) {
        if (presets[preset].is_at_every_size) {
            bench_preset(video, preset, false, rounds);
            bench_preset(video, preset, true, rounds);
        } else if (video->width_px <= SMALL_WIDTH_PX) {
            bench_preset(video, preset, false, rounds);
        }
    }
}

static void
bench_rows(struct video *video, uint32_t rounds, bool is_parallel_only)
{
    struct bench_times start;

    if (!is_parallel_only) {
        bench_memory(video);
        bench_compare(start_and_stop, NULL, &video->gpu, rounds, bench_wall_s, &start, NULL);
        bench_row("instance and device, made and unmade", "ms", &start, NULL, 5);
    }
    gpu_open(&video->gpu, NULL, &encode_h264.work);
    if (!is_parallel_only)
        bench_presets(video, rounds);
    bench_parallel(video, rounds);
    gpu_close(&video->gpu);
}

int
main(int argc, char **argv)
{
    struct video video = {0};
    uint32_t rounds;

    if (argc < 3 || sscanf(argv[2], "%ux%u", &video.width_px, &video.height_px) != 2)
        die("usage: bench_video FRAMES.nv12 WxH [ROUNDS [parallel | latency | flight | "
            "scaling [SESSIONS]]]");
    rounds = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 15;
    if (rounds == 0 || rounds > BENCH_MAX_ROUNDS)
        die("rounds: 1 to %d", BENCH_MAX_ROUNDS);
    video_read_frames(&video, argv[1]);
    if (argc > 4 && strcmp(argv[4], "scaling") == 0)
        bench_video_scaling(&video, rounds,
                            argc > 5 ? (uint32_t)strtoul(argv[5], NULL, 10) : MOST_SESSIONS);
    else if (argc > 4 && strcmp(argv[4], "latency") == 0)
        bench_video_latency(&video, rounds, argc > 5 && strcmp(argv[5], "ultrafast") == 0);
    else if (argc > 4 && strcmp(argv[4], "flight") == 0)
        bench_video_flight(&video, rounds, argc > 5 ? argv[5] : NULL);
    else
        bench_rows(&video, rounds, argc > 4 && strcmp(argv[4], "parallel") == 0);
    free(video.frames);
    return 0;
}

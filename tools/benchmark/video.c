/* SPDX-License-Identifier: MIT */
/* Encodes the same frames with the same settings through Vulkan and with libx264's own API.
 *
 * usage: bench_video FRAMES.nv12 WxH [ROUNDS [parallel | scaling [SESSIONS]]]
 *
 * The frames lie in NV12 images before the clock starts: their upload is a row of its own. Times
 * are user + system time of all threads, for all frames. The stream's sizes are printed, so that
 * one sees that both did the same work.
 */
#include "video.h"

#include "measure.h"
#include "x264_peer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FRAMES 64

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

static size_t
frame_size(const struct video *video)
{
    return (size_t)video->width_px * video->height_px * 3 / 2;
}

static void
frames_read(struct video *video, const char *path)
{
    const size_t frame_B = frame_size(video);
    FILE *file = fopen(path, "rb");

    video->frames = malloc(MAX_FRAMES * frame_B);
    if (!file || !video->frames)
        die("%s: %s", path, strerror(errno));
    video->frame_count = (uint32_t)fread(video->frames, frame_B, MAX_FRAMES, file);
    if (video->frame_count == 0)
        die("%s: no frame", path);
    fclose(file);
}

static void
count_bytes(void *ctx, const void *data, size_t size_B)
{
    struct video *video = ctx;

    (void)data;
    video->stream_B += size_B;
}

struct encoder_settings
video_settings(struct video *video, uint32_t quality_level, uint32_t in_flight)
{
    return (struct encoder_settings){
        .codec = &encode_h264,
        .width_px = video->width_px,
        .height_px = video->height_px,
        .fps_numerator = 25,
        .fps_denominator = 1,
        .bit_depth = 8,
        .format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
        .h264.profile = STD_VIDEO_H264_PROFILE_IDC_HIGH,
        .gop = video->frame_count, /* each run is one group of pictures */
        .refs = 1,
        .quality_level = quality_level,
        .in_flight = in_flight,
        .source_count = video->frame_count,
        .rate_mode = VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR,
        .q_key = VIDEO_QP,
        .q_p = VIDEO_QP,
        .write = count_bytes,
        .ctx = video,
    };
}

void
video_fill_sources(const struct video *video, struct encoder *enc, uint32_t count)
{
    const size_t luma_B = (size_t)video->width_px * video->height_px;

    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *frame = video->frames + i * frame_size(video);
        const struct planes planes = encoder_source_map(enc, i);

        memcpy(planes.y, frame, luma_B); /* the encoder's planes have no padding */
        memcpy(planes.u, frame + luma_B, luma_B / 2);
    }
    for (uint32_t i = 0; i < count; i++)
        encoder_source_upload(enc, i);
    for (uint32_t i = 0; i < count; i++)
        encoder_source_map(enc, i); /* waits */
}

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
encode(void *ctx)
{
    struct video *video = ctx;

    video->stream_B = 0;
    for (uint32_t i = 0; i < video->frame_count; i++)
        encoder_encode(video->enc, i);
    encoder_drain(video->enc);
}

static void
encode_x264(void *ctx)
{
    struct video *video = ctx;

    video->peer_stream_B = x264_peer_encode(video->peer, video->frames, video->frame_count);
}

void
video_row_name(const struct video *video, const char *what, char out[64])
{
    snprintf(out, 64, "%s %ux%u, %u frames", what, video->width_px, video->height_px,
             video->frame_count);
}

/* 4 bits for 100 pixels of a picture: 1.2 Mbit/s at 640x480 and 25 pictures a second. */
static int
cbr_kbit(const struct video *video)
{
    return (int)(video->width_px * video->height_px / 1000 * 4);
}

void
video_set_cbr(const struct video *video, struct encoder_settings *settings)
{
    settings->rate_mode = VK_VIDEO_ENCODE_RATE_CONTROL_MODE_CBR_BIT_KHR;
    settings->bitrate_bps = (uint64_t)cbr_kbit(video) * 1000;
    settings->virtual_buffer_ms = 1000;
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
                                                video->height_px, cbr_kbit(video))
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
    bench_compare(encode, encode_x264, video, rounds, bench_cpu_s, &ours, &peer);
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
        die("usage: bench_video FRAMES.nv12 WxH [ROUNDS [parallel | scaling [SESSIONS]]]");
    rounds = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 15;
    if (rounds == 0 || rounds > BENCH_MAX_ROUNDS)
        die("rounds: 1 to %d", BENCH_MAX_ROUNDS);
    frames_read(&video, argv[1]);
    if (argc > 4 && strcmp(argv[4], "scaling") == 0)
        bench_video_scaling(&video, rounds,
                            argc > 5 ? (uint32_t)strtoul(argv[5], NULL, 10) : MOST_SESSIONS);
    else
        bench_rows(&video, rounds, argc > 4 && strcmp(argv[4], "parallel") == 0);
    free(video.frames);
    return 0;
}

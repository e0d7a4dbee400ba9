/* SPDX-License-Identifier: MIT */
/* Encodes the same frames to H.265 with the same settings through Vulkan and with kvazaar's own API,
 * of the same version.
 *
 * usage: bench_video_h265 FRAMES.nv12 WxH [ROUNDS [cores]]
 *
 * The frames lie in NV12 images before the clock starts, and for the peer in I420. Times are user +
 * system time of all threads for all frames. The streams' sizes are printed, so that one sees that
 * both did the same work.
 *
 * cores: instead, one picture after the other with rows side by side (REELPIPE_WAVEFRONTS) on several
 * cores, beside one core and pictures without that, in wall-clock time.
 */
#include "video.h"

#include "kvazaar_peer.h"
#include "measure.h"
#include "scaling.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GOAL 0.91 /* 1.10 times as fast */
#define GOAL_CORES 8
#define GOAL_ON_CORES 0.25
#define SMALL_WIDTH_PX 640

/* Of the quality levels (codecs/kvazaar/context.c). */
static const char *const presets[] = {"superfast", "veryfast", "faster", "fast", "medium"};
#define LEVELS (sizeof(presets) / sizeof(presets[0]))

static void
encode_kvazaar(void *ctx)
{
    struct video *video = ctx;

    video->peer_stream_B = kvazaar_peer_encode(video->kvazaar_peer);
    if (video->peer_stream_B == 0)
        die("kvazaar does not encode");
}

static void
bench_level(struct video *video, uint32_t level, uint32_t rounds)
{
    struct encoder_settings settings = video_settings(video, level, 1);
    const struct kvazaar_peer_settings peer = {
        .preset = presets[level],
        .width_px = video->width_px,
        .height_px = video->height_px,
        .qp = VIDEO_QP,
    };
    struct bench_times ours_s;
    struct bench_times peer_s;
    char what[48];
    char name[64];

    settings.codec = &encode_h265;
    video->enc = encoder_create(&video->gpu, &settings);
    video->kvazaar_peer = kvazaar_peer_create(&peer, video->frames, video->frame_count);
    if (!video->kvazaar_peer)
        die("kvazaar does not open");
    video_fill_sources(video, video->enc, video->frame_count);
    bench_compare(video_encode, encode_kvazaar, video, rounds, bench_cpu_s, &ours_s, &peer_s);
    (void)snprintf(what, sizeof(what), "H.265, %s", peer.preset);
    video_row_name(video, what, name);
    bench_row(name, "ms", &ours_s, &peer_s, GOAL);
    fprintf(stderr, "  bytes: %zu, kvazaar %zu\n", video->stream_B, video->peer_stream_B);
    kvazaar_peer_destroy(video->kvazaar_peer);
    encoder_destroy(video->enc);
}

/* Encoders of devices that have so many cores. */
struct on_cores {
    struct video *video;
    uint32_t core_count;
    struct gpu gpu;
    struct gpu one_gpu;
    struct encoder *many;
    struct encoder *one;
};

static void
encode_with(const struct on_cores *on, struct encoder *enc, uint32_t core_count)
{
    scaling_use_cores(core_count);
    on->video->enc = enc;
    video_encode(on->video);
    scaling_use_cores(UINT32_MAX);
}

static void
encode_on_many(void *ctx)
{
    const struct on_cores *on = ctx;
    encode_with(on, on->many, on->core_count);
}

static void
encode_on_one(void *ctx)
{
    const struct on_cores *on = ctx;
    encode_with(on, on->one, 1);
    on->video->peer_stream_B = on->video->stream_B;
}

static struct encoder *
open_on_cores(struct video *video, uint32_t level, uint32_t core_count, bool has_wavefronts,
              struct gpu *gpu)
{
    struct encoder_settings settings = video_settings(video, level, 1);
    settings.codec = &encode_h265;
    if (setenv("REELPIPE_WAVEFRONTS", has_wavefronts ? "1" : "0", 1) != 0)
        die("the environment cannot be set");
    scaling_use_cores(core_count);
    gpu_open(gpu, NULL, &encode_h265.work);
    struct encoder *enc = encoder_create(gpu, &settings);
    video_fill_sources(video, enc, video->frame_count);
    scaling_use_cores(UINT32_MAX);
    return enc;
}

static void
bench_cores(struct video *video, uint32_t level, uint32_t core_count, uint32_t rounds)
{
    struct on_cores on = {.video = video, .core_count = core_count};
    struct bench_times many;
    struct bench_times one;
    char what[48];
    char name[64];

    on.many = open_on_cores(video, level, core_count, true, &on.gpu);
    on.one = open_on_cores(video, level, 1, false, &on.one_gpu);
    bench_compare(encode_on_many, encode_on_one, &on, rounds, bench_wall_s, &many, &one);
    encode_on_many(&on);
    (void)snprintf(what, sizeof(what), "H.265, %s, %u cores / 1", presets[level], core_count);
    video_row_name(video, what, name);
    bench_row(name, "ms", &many, &one, core_count == GOAL_CORES ? GOAL_ON_CORES : 0);
    fprintf(stderr, "  bytes: %zu, on one core %zu\n", video->stream_B, video->peer_stream_B);
    encoder_destroy(on.many);
    encoder_destroy(on.one);
    gpu_close(&on.gpu);
    gpu_close(&on.one_gpu);
}

static void
bench_all_cores(struct video *video, uint32_t rounds)
{
    struct scaling cores = {0};
    scaling_cores(&cores);
    for (uint32_t level = 0; level < 2; level++) {
        for (uint32_t i = 1; i < cores.count; i++)
            bench_cores(video, level, cores.x[i], rounds);
    }
}

int
main(int argc, char **argv)
{
    struct video video = {0};
    uint32_t rounds;

    if (argc < 3 || sscanf(argv[2], "%ux%u", &video.width_px, &video.height_px) != 2)
        die("usage: bench_video_h265 FRAMES.nv12 WxH [ROUNDS [cores]]");
    rounds = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 15;
    if (rounds == 0 || rounds > BENCH_MAX_ROUNDS)
        die("rounds: 1 to %d", BENCH_MAX_ROUNDS);
    video_read_frames(&video, argv[1]);
    if (argc > 4 && strcmp(argv[4], "cores") == 0) {
        bench_all_cores(&video, rounds);
        free(video.frames);
        return 0;
    }
    gpu_open(&video.gpu, NULL, &encode_h265.work);
    for (uint32_t level = 0; level < LEVELS; level++) {
        if (level < 2 || level == LEVELS - 1 || video.width_px <= SMALL_WIDTH_PX)
            bench_level(&video, level, rounds);
    }
    gpu_close(&video.gpu);
    free(video.frames);
    return 0;
}

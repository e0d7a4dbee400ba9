/* SPDX-License-Identifier: MIT */
/* Encodes the same frames to H.265 with the same settings through Vulkan and with kvazaar's own
 * API, of the same version.
 *
 * usage: bench_video_h265 FRAMES.nv12 WxH [ROUNDS [cores]]
 *
 * The frames lie in NV12 images before the clock starts, and for the peer in I420. Times are user +
 * system time of all threads for all frames. The streams' sizes are printed, so that one sees that
 * both did the same work.
 *
 * cores: instead, in wall-clock time, one picture after the other with rows side by side
 * (REELPIPE_WAVEFRONTS) on several cores, beside one core and pictures without that; and several
 * pictures on their way at once beside one after the other.
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

/* The presets of the quality levels (codecs/kvazaar/context.c). */
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

/* A device that has so many cores, and what its encoder is asked for. */
struct setup {
    uint32_t core_count;
    bool has_wavefronts;
    uint32_t in_flight; /* pictures on their way at once */
    struct gpu gpu;
    struct encoder *enc;
};

struct setups {
    struct video *video;
    struct setup *ours;
    struct setup *peer;
};

static void
setup_open(struct setup *setup, struct video *video, uint32_t level)
{
    struct encoder_settings settings = video_settings(video, level, setup->in_flight);
    settings.codec = &encode_h265;
    if (setenv("REELPIPE_WAVEFRONTS", setup->has_wavefronts ? "1" : "0", 1) != 0)
        die("the environment cannot be set");
    scaling_use_cores(setup->core_count);
    gpu_open(&setup->gpu, NULL, &encode_h265.work);
    setup->enc = encoder_create(&setup->gpu, &settings);
    video_fill_sources(video, setup->enc, video->frame_count);
    scaling_use_cores(UINT32_MAX);
}

static void
setup_close(struct setup *setup)
{
    encoder_destroy(setup->enc);
    gpu_close(&setup->gpu);
}

static void
setup_encode(struct video *video, const struct setup *setup)
{
    scaling_use_cores(setup->core_count);
    video->enc = setup->enc;
    video_encode(video);
    scaling_use_cores(UINT32_MAX);
}

static void
encode_ours(void *ctx)
{
    const struct setups *setups = ctx;
    setup_encode(setups->video, setups->ours);
}

static void
encode_peer(void *ctx)
{
    const struct setups *setups = ctx;
    setup_encode(setups->video, setups->peer);
    setups->video->peer_stream_B = setups->video->stream_B;
}

static void
bench_setups(struct setups *setups, uint32_t level, const char *what, double goal, uint32_t rounds)
{
    struct video *video = setups->video;
    struct bench_times ours;
    struct bench_times peer;
    char name[64];

    setup_open(setups->ours, video, level);
    setup_open(setups->peer, video, level);
    bench_compare(encode_ours, encode_peer, setups, rounds, bench_wall_s, &ours, &peer);
    encode_ours(setups);
    video_row_name(video, what, name);
    bench_row(name, "ms", &ours, &peer, goal);
    fprintf(stderr, "  bytes: %zu, peer %zu\n", video->stream_B, video->peer_stream_B);
    setup_close(setups->ours);
    setup_close(setups->peer);
}

static void
bench_cores(struct video *video, uint32_t level, uint32_t core_count, uint32_t rounds)
{
    struct setup many = {.core_count = core_count, .has_wavefronts = true, .in_flight = 1};
    struct setup one = {.core_count = 1, .in_flight = 1};
    struct setups setups = {video, &many, &one};
    char what[48];

    (void)snprintf(what, sizeof(what), "H.265, %s, %u cores / 1", presets[level], core_count);
    bench_setups(&setups, level, what, core_count == GOAL_CORES ? GOAL_ON_CORES : 0, rounds);
}

/* Pictures on their way at once, beside one after the other on the same cores. */
static void
bench_in_flight(struct video *video, uint32_t level, uint32_t core_count, bool has_wavefronts,
                uint32_t rounds)
{
    for (uint32_t in_flight = 2; in_flight <= 4; in_flight += 2) {
        struct setup many = {core_count, has_wavefronts, .in_flight = in_flight};
        struct setup one = {core_count, has_wavefronts, .in_flight = 1};
        struct setups setups = {video, &many, &one};
        char what[48];

        (void)snprintf(what, sizeof(what), "%s%s, %u cores, %u in flight / 1", presets[level],
                       has_wavefronts ? ", rows" : "", core_count, in_flight);
        bench_setups(&setups, level, what, 0, rounds);
    }
}

static void
bench_all_cores(struct video *video, uint32_t rounds)
{
    struct scaling cores = {0};
    scaling_cores(&cores);
    for (uint32_t level = 0; level < 2; level++) {
        for (uint32_t i = 1; i < cores.count; i++) {
            bench_cores(video, level, cores.x[i], rounds);
            bench_in_flight(video, level, cores.x[i], false, rounds);
            bench_in_flight(video, level, cores.x[i], true, rounds);
        }
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

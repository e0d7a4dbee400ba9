/* SPDX-License-Identifier: MIT */
/* Encodes the same frames to H.265 with the same settings through Vulkan and with kvazaar's own API,
 * of the same version.
 *
 * usage: bench_video_h265 FRAMES.nv12 WxH [ROUNDS]
 *
 * The frames lie in NV12 images before the clock starts, and for the peer in I420. Times are user +
 * system time of all threads for all frames. The streams' sizes are printed, so that one sees that
 * both did the same work.
 */
#include "video.h"

#include "kvazaar_peer.h"
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>

#define GOAL 1.03
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

int
main(int argc, char **argv)
{
    struct video video = {0};
    uint32_t rounds;

    if (argc < 3 || sscanf(argv[2], "%ux%u", &video.width_px, &video.height_px) != 2)
        die("usage: bench_video_h265 FRAMES.nv12 WxH [ROUNDS]");
    rounds = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 15;
    if (rounds == 0 || rounds > BENCH_MAX_ROUNDS)
        die("rounds: 1 to %d", BENCH_MAX_ROUNDS);
    video_read_frames(&video, argv[1]);
    gpu_open(&video.gpu, NULL, &encode_h265.work);
    for (uint32_t level = 0; level < LEVELS; level++) {
        if (level < 2 || level == LEVELS - 1 || video.width_px <= SMALL_WIDTH_PX)
            bench_level(&video, level, rounds);
    }
    gpu_close(&video.gpu);
    free(video.frames);
    return 0;
}

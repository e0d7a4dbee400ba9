/* SPDX-License-Identifier: MIT */
/* Encodes the same frames to AV1 with the same settings through Vulkan and with libaom's own API,
 * of the same version.
 *
 * usage: bench_video_av1 FRAMES.nv12 WxH [ROUNDS [flight [LEVEL]]]
 *
 * The frames lie in NV12 images before the clock starts, and for the peer in I420. Times are user +
 * system time of all threads for all frames, or seconds of the clock where the row says so. The
 * streams' sizes are printed, so that one sees that both did the same work.
 */
#include "video.h"

#include "aom_peer.h"
#include "measure.h"
#include "scaling.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define Q_INDEX 120
#define QUANTIZER 30 /* stands for it */
#define FASTEST_SPEED 10
#define LEVELS 4 /* one speed each */
#define GOAL 1.05
#define SMALL_WIDTH_PX 640
#define LARGE_WIDTH_PX 1920
#define MOST_IN_FLIGHT 8

static void
encode_aom(void *ctx)
{
    struct video *video = ctx;

    video->peer_stream_B = aom_peer_encode(video->aom_peer);
}

/* The name of the clock is in front of the row's. */
struct clock {
    const char *name;
    double (*now_s)(void);
    double goal;
};
static const struct clock cpu_time = {"", bench_cpu_s, GOAL};
static const struct clock wall_time = {"wall time, ", bench_wall_s, 1};

struct run {
    const char *name; /* behind the speed */
    bool is_cbr;
    uint32_t in_flight;
    uint32_t peer_thread_count;
    const struct clock *clock;
};

static void
bench_level(struct video *video, uint32_t level, const struct run *run, uint32_t rounds)
{
    struct encoder_settings settings = video_settings(video, level, run->in_flight);
    const struct aom_peer_settings peer = {
        .speed = FASTEST_SPEED - (int)level,
        .width_px = video->width_px,
        .height_px = video->height_px,
        .quantizer = QUANTIZER,
        .bitrate_kbit = run->is_cbr ? video_cbr_kbit(video) : 0,
        .thread_count = run->peer_thread_count,
    };
    struct bench_times ours_s;
    struct bench_times peer_s;
    char name[96];

    settings.codec = &encode_av1;
    settings.q_key = settings.q_p = Q_INDEX;
    if (run->is_cbr)
        video_set_cbr(video, &settings);
    video->enc = encoder_create(&video->gpu, &settings);
    video->aom_peer = aom_peer_create(&peer, video->frames, video->frame_count);
    if (!video->aom_peer)
        die("libaom does not open");
    video_fill_sources(video, video->enc, video->frame_count);
    bench_compare(video_encode, encode_aom, video, rounds, run->clock->now_s, &ours_s, &peer_s);
    (void)snprintf(name, sizeof(name), "AV1, %sspeed %d%s %ux%u, %u frames", run->clock->name,
                   peer.speed, run->name, video->width_px, video->height_px, video->frame_count);
    bench_row(name, "ms", &ours_s, &peer_s, run->clock->goal);
    fprintf(stderr, "  bytes: %zu, libaom %zu\n", video->stream_B, video->peer_stream_B);
    aom_peer_destroy(video->aom_peer);
    encoder_destroy(video->enc);
}

/* Whether a session with the codec has CBR. */
static bool
has_cbr(const struct video *video)
{
    const VkVideoEncodeAV1ProfileInfoKHR av1 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_PROFILE_INFO_KHR,
        .stdProfile = STD_VIDEO_AV1_PROFILE_MAIN,
    };
    const VkVideoProfileInfoKHR profile =
        video_profile(VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR, &av1);
    VkVideoEncodeAV1CapabilitiesKHR av1_caps = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_CAPABILITIES_KHR};
    VkVideoEncodeCapabilitiesKHR encode = {.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_CAPABILITIES_KHR,
                                           .pNext = &av1_caps};
    VkVideoCapabilitiesKHR caps = {.sType = VK_STRUCTURE_TYPE_VIDEO_CAPABILITIES_KHR,
                                   .pNext = &encode};

    vk_check(video->gpu.vk.GetPhysicalDeviceVideoCapabilitiesKHR(video->gpu.physical_device,
                                                                 &profile, &caps),
             "vkGetPhysicalDeviceVideoCapabilitiesKHR");
    return encode.rateControlModes & VK_VIDEO_ENCODE_RATE_CONTROL_MODE_CBR_BIT_KHR;
}

static void
bench_levels(struct video *video, uint32_t rounds)
{
    const struct run cpu = {"", false, 1, 1, &cpu_time};
    const struct run cbr = {", CBR", true, 1, 1, &cpu_time};
    const struct run cbr_wall = {", CBR", true, 1, 1, &wall_time};
    const bool is_with_rate = has_cbr(video);

    for (uint32_t level = 0; level < LEVELS; level++) {
        if (level == 0 || level == LEVELS - 1 || video->width_px <= SMALL_WIDTH_PX)
            bench_level(video, level, &cpu, rounds);
    }
    if (is_with_rate)
        bench_level(video, 0, &cbr, rounds);
    if (is_with_rate && video->width_px >= LARGE_WIDTH_PX)
        bench_level(video, 0, &cbr_wall, rounds);
}

/* Pictures on their way at once, beside libaom with a thread for each core. */
static void
bench_flight(struct video *video, uint32_t level, uint32_t rounds)
{
    struct scaling cores = {0};
    scaling_cores(&cores);
    for (uint32_t in_flight = 1; in_flight <= MOST_IN_FLIGHT; in_flight *= 2) {
        char name[32];
        (void)snprintf(name, sizeof(name), ", %u in flight", in_flight);
        const struct run run = {name, false, in_flight, cores.x[cores.count - 1], &wall_time};
        bench_level(video, level, &run, rounds);
    }
}

int
main(int argc, char **argv)
{
    struct video video = {0};
    uint32_t rounds;

    if (argc < 3 || sscanf(argv[2], "%ux%u", &video.width_px, &video.height_px) != 2)
        die("usage: bench_video_av1 FRAMES.nv12 WxH [ROUNDS [flight [LEVEL]]]");
    rounds = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 15;
    if (rounds == 0 || rounds > BENCH_MAX_ROUNDS)
        die("rounds: 1 to %d", BENCH_MAX_ROUNDS);
    video_read_frames(&video, argv[1]);
    gpu_open(&video.gpu, NULL, &encode_av1.work);
    if (argc > 4 && strcmp(argv[4], "flight") == 0)
        bench_flight(&video, argc > 5 ? (uint32_t)strtoul(argv[5], NULL, 10) : 0, rounds);
    else
        bench_levels(&video, rounds);
    gpu_close(&video.gpu);
    free(video.frames);
    return 0;
}

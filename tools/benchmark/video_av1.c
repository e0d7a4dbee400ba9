/* SPDX-License-Identifier: MIT */
/* Encodes the same frames to AV1 with the same settings through Vulkan and with libaom's own API,
 * of the same version.
 *
 * usage: bench_video_av1 FRAMES.nv12 WxH [ROUNDS]
 *
 * The frames lie in NV12 images before the clock starts, and for the peer in I420. Times are user +
 * system time of all threads for all frames, or seconds of the clock where the row says so. The
 * streams' sizes are printed, so that one sees that both did the same work.
 */
#include "video.h"

#include "aom_peer.h"
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>

#define Q_INDEX 120
#define QUANTIZER 30 /* stands for it */
#define FASTEST_SPEED 10
#define LEVELS 4 /* one speed each */
#define GOAL 1.05
#define SMALL_WIDTH_PX 640
#define LARGE_WIDTH_PX 1920

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

static void
bench_level(struct video *video, uint32_t level, bool is_cbr, const struct clock *clock,
            uint32_t rounds)
{
    struct encoder_settings settings = video_settings(video, level, 1);
    const struct aom_peer_settings peer = {
        .speed = FASTEST_SPEED - (int)level,
        .width_px = video->width_px,
        .height_px = video->height_px,
        .quantizer = QUANTIZER,
        .bitrate_kbit = is_cbr ? video_cbr_kbit(video) : 0,
    };
    struct bench_times ours_s;
    struct bench_times peer_s;
    char what[48];
    char name[64];

    settings.codec = &encode_av1;
    settings.q_key = settings.q_p = Q_INDEX;
    if (is_cbr)
        video_set_cbr(video, &settings);
    video->enc = encoder_create(&video->gpu, &settings);
    video->aom_peer = aom_peer_create(&peer, video->frames, video->frame_count);
    if (!video->aom_peer)
        die("libaom does not open");
    video_fill_sources(video, video->enc, video->frame_count);
    bench_compare(video_encode, encode_aom, video, rounds, clock->now_s, &ours_s, &peer_s);
    (void)snprintf(what, sizeof(what), "AV1, %sspeed %d%s", clock->name, peer.speed,
                   is_cbr ? ", CBR" : "");
    video_row_name(video, what, name);
    bench_row(name, "ms", &ours_s, &peer_s, clock->goal);
    fprintf(stderr, "  bytes: %zu, libaom %zu\n", video->stream_B, video->peer_stream_B);
    aom_peer_destroy(video->aom_peer);
    encoder_destroy(video->enc);
}

/* Of a session with the codec. */
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
    const bool is_with_rate = has_cbr(video);

    for (uint32_t level = 0; level < LEVELS; level++) {
        if (level == 0 || level == LEVELS - 1 || video->width_px <= SMALL_WIDTH_PX)
            bench_level(video, level, false, &cpu_time, rounds);
    }
    if (is_with_rate)
        bench_level(video, 0, true, &cpu_time, rounds);
    if (is_with_rate && video->width_px >= LARGE_WIDTH_PX)
        bench_level(video, 0, true, &wall_time, rounds);
}

int
main(int argc, char **argv)
{
    struct video video = {0};
    uint32_t rounds;

    if (argc < 3 || sscanf(argv[2], "%ux%u", &video.width_px, &video.height_px) != 2)
        die("usage: bench_video_av1 FRAMES.nv12 WxH [ROUNDS]");
    rounds = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 15;
    if (rounds == 0 || rounds > BENCH_MAX_ROUNDS)
        die("rounds: 1 to %d", BENCH_MAX_ROUNDS);
    video_read_frames(&video, argv[1]);
    gpu_open(&video.gpu, NULL, &encode_av1.work);
    bench_levels(&video, rounds);
    gpu_close(&video.gpu);
    free(video.frames);
    return 0;
}

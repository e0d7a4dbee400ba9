/* SPDX-License-Identifier: MIT */
/* The encoder as a whole: pictures in flight around a session. */
#include "tools/encode/encoder.h"

#include "tools/encode/dpb.h"
#include "tools/encode/encoder_state.h"
#include "tools/encode/picture.h"
#include "tools/encode/session.h"
#include "tools/encode/source.h"

#include <stdlib.h>

static void
queries_create(struct encoder *enc)
{
    const VkQueryPoolVideoEncodeFeedbackCreateInfoKHR feedback = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_VIDEO_ENCODE_FEEDBACK_CREATE_INFO_KHR,
        .pNext = &enc->profile.info,
        .encodeFeedbackFlags = VK_VIDEO_ENCODE_FEEDBACK_BITSTREAM_BUFFER_OFFSET_BIT_KHR |
                               VK_VIDEO_ENCODE_FEEDBACK_BITSTREAM_BYTES_WRITTEN_BIT_KHR,
    };
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .pNext = &feedback,
        .queryType = VK_QUERY_TYPE_VIDEO_ENCODE_FEEDBACK_KHR,
        .queryCount = enc->settings.in_flight,
    };

    vk_check(enc->gpu->vk.CreateQueryPool(enc->gpu->device, &info, NULL, &enc->queries),
             "vkCreateQueryPool");
}

/* The worst there can be are 5/3 of the samples in H.265 (A.3.2), which is 2.5 bytes a pixel of 8
 * bits, and headers. Raw macroblocks of H.264 have 400 bytes for 256 pixels (A.3.1), lossless
 * pictures of AV1 not more. */
static VkDeviceSize
bitstream_size(const struct encoder *enc)
{
    const VkExtent2D mb = {16, 16};
    const VkExtent2D extent = extent_round_up(encoder_extent(enc), mb);
    const VkDeviceSize align_B = enc->caps.video.minBitstreamBufferSizeAlignment;
    const uint32_t sample_B = enc->settings.bit_depth > 8 ? 2 : 1;
    const VkDeviceSize size_B =
        (VkDeviceSize)extent.width * extent.height * 5 / 2 * sample_B + (64 << 10);

    return (size_B + align_B - 1) / align_B * align_B;
}

static void
flights_create(struct encoder *enc)
{
    const uint32_t count = enc->settings.in_flight;

    enc->flights = calloc(count, sizeof(*enc->flights));
    if (!enc->flights)
        die("out of memory");
    for (uint32_t i = 0; i < count; i++) {
        struct flight *flight = &enc->flights[i];

        flight->query = i;
        flight->cb = gpu_command_buffer_create(enc->gpu, enc->encode_pool);
        gpu_buffer_create(enc->gpu, bitstream_size(enc), VK_BUFFER_USAGE_VIDEO_ENCODE_DST_BIT_KHR,
                          &enc->profile.list, &flight->bitstream);
    }
}

struct encoder *
encoder_create(struct gpu *gpu, const struct encoder_settings *settings)
{
    struct encoder *enc = calloc(1, sizeof(*enc));

    if (!enc)
        die("out of memory");
    enc->gpu = gpu;
    enc->settings = *settings;
    enc->copied = gpu_timeline_create(gpu);
    enc->encoded = gpu_timeline_create(gpu);
    enc->copy_pool = gpu_command_pool_create(gpu, gpu->copy_family);
    enc->encode_pool = gpu_command_pool_create(gpu, gpu->family);
    session_create(enc);
    gop_init(&enc->gop, enc->settings.gop, enc->settings.refs, enc->settings.b_frames);
    if (enc->settings.gop > 0)
        enc->gop.group_count = (uint32_t)(enc->settings.first_picture / enc->settings.gop);
    dpb_create(enc);
    sources_create(enc);
    queries_create(enc);
    flights_create(enc);
    session_initialize(enc, enc->flights[0].cb);
    return enc;
}

void
encoder_destroy(struct encoder *enc)
{
    struct gpu *gpu = enc->gpu;

    vk_check(gpu->vk.DeviceWaitIdle(gpu->device), "vkDeviceWaitIdle");
    for (uint32_t i = 0; i < enc->settings.in_flight; i++)
        gpu_buffer_destroy(gpu, &enc->flights[i].bitstream);
    free(enc->flights);
    free(enc->early);
    gpu->vk.DestroyQueryPool(gpu->device, enc->queries, NULL);
    sources_destroy(enc);
    dpb_destroy(enc);
    session_destroy(enc);
    gpu->vk.DestroyCommandPool(gpu->device, enc->encode_pool, NULL);
    gpu->vk.DestroyCommandPool(gpu->device, enc->copy_pool, NULL);
    gpu->vk.DestroySemaphore(gpu->device, enc->encoded, NULL);
    gpu->vk.DestroySemaphore(gpu->device, enc->copied, NULL);
    free(enc);
}

/* is_end: those that wait for later ones, too. */
static void
pictures_submit(struct encoder *enc, bool is_end)
{
    struct gop_picture picture;

    while (gop_next(&enc->gop, is_end, &picture)) {
        struct flight *flight = &enc->flights[enc->picture_count % enc->settings.in_flight];
        const uint32_t source = enc->held[picture.display % ENCODER_MAX_HELD];

        if (flight->done > 0)
            picture_collect(enc, flight);
        flight->picture = picture;
        picture_submit(enc, flight, &enc->sources[source]);
    }
}

void
encoder_encode(struct encoder *enc, uint32_t source)
{
    enc->held[enc->held_count++ % ENCODER_MAX_HELD] = source;
    gop_come(&enc->gop);
    pictures_submit(enc, false);
}

void
encoder_drain(struct encoder *enc)
{
    const uint32_t count = enc->settings.in_flight;

    pictures_submit(enc, true);
    /* The next one to be reused is the oldest. */
    for (uint64_t i = enc->picture_count; i < enc->picture_count + count; i++) {
        struct flight *flight = &enc->flights[i % count];

        if (flight->done > 0)
            picture_collect(enc, flight);
    }
}

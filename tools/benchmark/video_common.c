/* SPDX-License-Identifier: MIT */
/* Frames, settings and runs that the measurements of all encoders have in common.
 */
#include "video.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FRAMES 64

static size_t
frame_size(const struct video *video)
{
    return (size_t)video->width_px * video->height_px * 3 / 2;
}

void
video_read_frames(struct video *video, const char *path)
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

void
video_encode(void *ctx)
{
    struct video *video = ctx;

    video->stream_B = 0;
    for (uint32_t i = 0; i < video->frame_count; i++)
        encoder_encode(video->enc, i);
    encoder_drain(video->enc);
}

void
video_row_name(const struct video *video, const char *what, char out[64])
{
    snprintf(out, 64, "%s %ux%u, %u frames", what, video->width_px, video->height_px,
             video->frame_count);
}

/* 4 bits for 100 pixels of a picture: 1.2 Mbit/s at 640x480 and 25 pictures a second. */
int
video_cbr_kbit(const struct video *video)
{
    return (int)(video->width_px * video->height_px / 1000 * 4);
}

void
video_set_cbr(const struct video *video, struct encoder_settings *settings)
{
    settings->rate_mode = VK_VIDEO_ENCODE_RATE_CONTROL_MODE_CBR_BIT_KHR;
    settings->bitrate_bps = (uint64_t)video_cbr_kbit(video) * 1000;
    settings->virtual_buffer_ms = 1000;
}

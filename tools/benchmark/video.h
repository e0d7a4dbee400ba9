/* SPDX-License-Identifier: MIT */
/* What the measurements of the encoder share.
 */
#ifndef RP_BENCHMARK_VIDEO_H
#define RP_BENCHMARK_VIDEO_H

#include "tools/encode/encoder.h"

#include <stddef.h>
#include <stdint.h>

#define VIDEO_QP 26

struct aom_peer;
struct kvazaar_peer;
struct x264_peer;

struct video {
    uint32_t width_px;
    uint32_t height_px;
    uint32_t frame_count;
    uint8_t *frames; /* owned: NV12, one behind the other */
    struct gpu gpu;
    struct encoder *enc;
    union {
        struct x264_peer *peer;
        struct aom_peer *aom_peer;
        struct kvazaar_peer *kvazaar_peer;
    };
    size_t stream_B; /* of the last run */
    size_t peer_stream_B;
};

/* Reads the pictures of a file of NV12 of that size; ends the program without any. */
void video_read_frames(struct video *video, const char *path);

/* As many sources as frames, constant QP, one reference: the settings of every row. */
struct encoder_settings video_settings(struct video *video, uint32_t quality_level,
                                       uint32_t in_flight);

/* A constant rate in place of the constant QP: 4 bits for 100 pixels. */
int video_cbr_kbit(const struct video *video);
void video_set_cbr(const struct video *video, struct encoder_settings *settings);

/* Puts the first count frames into the encoder's sources. */
void video_fill_sources(const struct video *video, struct encoder *enc, uint32_t count);

/* One run: all frames through video->enc. ctx is the video. */
void video_encode(void *ctx);

void video_row_name(const struct video *video, const char *what, char out[64]);

/* Rows of memory; run first: what the process gave back does not count. */
void bench_memory(struct video *video);

/* Rows of wall-clock time: latency, pictures in flight, slices and sessions side by side, each
 * against what two spinning threads get done beside one in the same run. */
void bench_parallel(struct video *video, uint32_t rounds);

/* Rows of the time from a picture's submission until it can be collected; opens the device. */
void bench_video_latency(struct video *video, uint32_t rounds, bool is_ultrafast_only);

/* Rows of the time of 120 pictures with 1, 2, 4 and 8 in flight beside libx264 with its own frame
 * threads: of ultrafast, veryfast and medium, or of the one that is named; opens the device. */
void bench_video_flight(struct video *video, uint32_t rounds, const char *preset);

/* Plots over sessions (1 to most_sessions) and cores; opens devices of its own. */
void bench_video_scaling(struct video *video, uint32_t rounds, uint32_t most_sessions);

#endif

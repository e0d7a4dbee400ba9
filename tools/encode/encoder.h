/* SPDX-License-Identifier: MIT */
/* An encoder made of Vulkan Video calls: source images, a video session with its reference
 * pictures, and several pictures in flight.
 */
#ifndef RP_TOOLS_ENCODE_ENCODER_H
#define RP_TOOLS_ENCODE_ENCODER_H

#include "tools/encode/codec.h"
#include "tools/encode/gpu.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Planes of 4:2:0. Samples have 8 bits, or 10 in the high bits of 16 (P010). Chroma samples of a
 * row are chroma_step_B apart: 2 in NV12, 1 in I420, 4 in P010. */
struct planes {
    uint8_t *y;
    uint8_t *u;
    uint8_t *v;
    size_t y_stride_B;
    size_t chroma_stride_B;
    uint32_t chroma_step_B;
    uint32_t sample_B; /* 1 or 2 */
};

/* What H.264 alone has. */
struct h264_options {
    StdVideoH264ProfileIdc profile;
    bool wants_cavlc;
};

/* What AV1 alone has. */
struct av1_options {
    uint32_t tile_columns; /* 0: the device chooses the tiles */
    uint32_t tile_rows;
    bool wants_compound; /* predictions from two references at once */
};

struct encoder_settings {
    const struct encode_codec *codec;
    struct h264_options h264;
    struct av1_options av1;
    uint32_t width_px; /* even */
    uint32_t height_px;
    uint32_t fps_numerator;
    uint32_t fps_denominator;
    bool is_bt709;          /* says so in the stream */
    uint32_t bit_depth;     /* 8, or 10 */
    VkFormat format;        /* of the source images: NV12 or I420, or P010 for 10 bits */
    uint32_t gop;           /* pictures from IDR to IDR; 0: one IDR picture, at the start */
    uint64_t first_picture; /* number of the first one in the whole clip */
    uint32_t refs;          /* per P picture; lowered to what the device can do */
    uint32_t slice_count;   /* of each picture, in whole rows of blocks; 0: 1. Not of AV1 */
    uint32_t quality_level; /* 0: the fastest */
    uint32_t in_flight;     /* pictures submitted and not yet collected, at least 1 */
    uint32_t source_count;  /* source images, at least 1 */
    VkVideoEncodeRateControlModeFlagBitsKHR rate_mode; /* DISABLED: the quantizers below */
    int32_t q_key; /* in the steps of the codec: QP, or Q index in AV1 */
    int32_t q_p;
    uint64_t bitrate_bps;     /* CBR, VBR */
    uint64_t max_bitrate_bps; /* VBR */
    uint32_t virtual_buffer_ms;
    bool has_largest_session; /* made for the largest pictures and all slots, whatever is used */

    /* B pictures between two others, 0..GOP_MAX_B; fewer in a group that is too short for them.
     * There are more sources than that, which are used in turn. */
    uint32_t b_frames;
    int32_t q_b; /* as q_p */

    /* Called before the parts of each picture, in AV1 of each temporal unit, which have size_B
     * bytes together. May be NULL. */
    void (*begin_picture)(void *ctx, size_t size_B);

    /* Called with each part of the stream, in order; data is valid during the call. */
    void (*write)(void *ctx, const void *data, size_t size_B);
    void *ctx;

    /* Called with each picture's reconstruction as it is coded, whose number in the order of
     * display is given; the planes are valid during the call. May be NULL; if not, in_flight is
     * 1. */
    void (*reconstructed)(void *ctx, uint64_t number, const struct planes *planes);
    void *reconstructed_ctx;
};

struct encoder;

struct encoder *encoder_create(struct gpu *gpu, const struct encoder_settings *settings);

/* Waits for everything and frees it. */
void encoder_destroy(struct encoder *enc);

/* The memory from which source image number source is filled; waits until nothing reads it. */
struct planes encoder_source_map(struct encoder *enc, uint32_t source);

/* What was written there goes to the image; the pictures encoded from it next will see it. */
void encoder_source_upload(struct encoder *enc, uint32_t source);

/* source has the next picture in the order of display. Submits what can be coded now, and collects
 * older pictures when in_flight are under way. */
void encoder_encode(struct encoder *enc, uint32_t source);

/* Submits the pictures that wait for later ones, too, and collects all. */
void encoder_drain(struct encoder *enc);

#endif

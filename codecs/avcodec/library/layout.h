/* SPDX-License-Identifier: MIT */
/* Where libavcodec's public structs have the few fields that no function or option reaches.
 *
 * Settings go by name, as options. What is left are three fields of the decoder, the buffer of a
 * packet and the picture in a frame. Most have had one place in every version that is known here;
 * two fields of a frame move with the major version, and within one they may not.
 */
#ifndef RP_CODECS_AVCODEC_LIBRARY_LAYOUT_H
#define RP_CODECS_AVCODEC_LIBRARY_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

struct AVBufferRef;
struct AVCodecContext;
struct AVFrame;
struct AVPacket;

#define RP_AV_PLANES 8

/* The beginning of AVFrame and of AVPacket. */
struct rp_av_frame {
    uint8_t *data[RP_AV_PLANES];
    int stride_B[RP_AV_PLANES];
    uint8_t **extended_data;
    int width_px;
    int height_px;
    int sample_count;
    int format; /* enum AVPixelFormat */
};

struct rp_av_packet {
    struct AVBufferRef *buf;
    int64_t unused[2]; /* time stamps */
    uint8_t *data;
    int size_B;
};

/* In AVCodecContext. */
#define RP_AV_LOG_LEVEL_OFFSET_B 8 /* log_level_offset */
#define RP_AV_OPAQUE_OFFSET_B 48
#define RP_AV_GET_BUFFER2_OFFSET_B 408

/* A field at an offset of one of libavcodec's structs. */
static inline void *
rp_av_field(void *base, size_t offset_B)
{
    return (char *)base + offset_B;
}

typedef int rp_av_get_buffer2(struct AVCodecContext *avctx, struct AVFrame *frame, int flags);
typedef void rp_av_draw_horiz_band(struct AVCodecContext *avctx, const struct AVFrame *frame,
                                   int offset_B[RP_AV_PLANES], int y_px, int type, int height_px);

struct rp_avcodec_layout {
    unsigned major;                    /* of libavcodec */
    const char *soname;                /* "libavcodec.so.59" */
    size_t band_offset_B;              /* AVCodecContext.draw_horiz_band; get_format follows */
    size_t frame_buf_offset_B;         /* AVFrame.buf[0] */
    size_t frame_error_flags_offset_B; /* AVFrame.decode_error_flags */
};

/* All that are known, newest first. */
#define RP_AVCODEC_LAYOUTS 5
extern const struct rp_avcodec_layout rp_avcodec_layouts[RP_AVCODEC_LAYOUTS];

#endif

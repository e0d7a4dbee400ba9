/* SPDX-License-Identifier: MIT */
/* The system's libavcodec, opened at run time.
 *
 * Every major version that layout.h knows will do (codecs/library/load.h says how).
 */
#ifndef RP_CODECS_AVCODEC_LIBRARY_LIBRARY_H
#define RP_CODECS_AVCODEC_LIBRARY_LIBRARY_H

#include "codecs/avcodec/library/layout.h"

#include <stdbool.h>

struct AVCodec;
struct AVDictionary;

/* Padding behind the bytes of a packet. */
#define RP_AV_PADDING_B 64

#define RP_AV_PIX_FMT_YUV420P 0

/* What is called of libavcodec and, below, of the libavutil in its closure. Errors are negative
 * errno values, or other negative ones. */
struct rp_avcodec_library {
    unsigned (*avcodec_version)(void);
    const struct AVCodec *(*avcodec_find_decoder_by_name)(const char *name);
    struct AVCodecContext *(*avcodec_alloc_context3)(const struct AVCodec *codec);
    void (*avcodec_free_context)(struct AVCodecContext **avctx);
    int (*avcodec_open2)(struct AVCodecContext *avctx, const struct AVCodec *codec,
                         struct AVDictionary **options);
    rp_av_get_buffer2 *avcodec_default_get_buffer2;
    int (*avcodec_default_get_format)(struct AVCodecContext *avctx, const int *formats);
    void (*avcodec_flush_buffers)(struct AVCodecContext *avctx);
    int (*avcodec_send_packet)(struct AVCodecContext *avctx, const struct AVPacket *packet);
    int (*avcodec_receive_frame)(struct AVCodecContext *avctx, struct AVFrame *frame);
    struct AVPacket *(*av_packet_alloc)(void);
    void (*av_packet_free)(struct AVPacket **packet);
    void (*av_packet_unref)(struct AVPacket *packet);

    struct AVFrame *(*av_frame_alloc)(void);
    void (*av_frame_free)(struct AVFrame **frame);
    void (*av_frame_unref)(struct AVFrame *frame);
    struct AVBufferRef *(*av_buffer_create)(uint8_t *data, size_t size,
                                            void (*free)(void *opaque, uint8_t *data), void *opaque,
                                            int flags);
    int (*av_dict_set)(struct AVDictionary **dict, const char *key, const char *value, int flags);
    int (*av_dict_set_int)(struct AVDictionary **dict, const char *key, int64_t value, int flags);
    int (*av_dict_count)(const struct AVDictionary *dict);
    void (*av_dict_free)(struct AVDictionary **dict);
    int (*av_get_pix_fmt)(const char *name);

    const struct rp_avcodec_layout *layout;
    int format_420_10; /* enum AVPixelFormat of 4:2:0 with 10 bits in the low bits of words */
};

/* Whether a version that we know is installed; cached, opens nothing. Any thread. */
bool rp_avcodec_library_is_present(void);

/* Opens the newest one the first time. NULL when it, or anything that it needs, cannot be had. Any
 * thread. */
const struct rp_avcodec_library *rp_avcodec_library_open(void);

#endif

/* SPDX-License-Identifier: MIT */
/* The system's libavcodec, opened at run time.
 *
 * It is the shared library of exactly the SONAME that the build's headers belong to, because its
 * public structs change with the major version. It is opened RTLD_LOCAL, so that it never serves
 * or shadows the application's own copy, and stays open until the process ends.
 */
#ifndef RP_CODECS_AVCODEC_LIBRARY_H
#define RP_CODECS_AVCODEC_LIBRARY_H

#include <libavcodec/avcodec.h>

#include <stdbool.h>

/* What is called of libavcodec and, below, of the libavutil in its closure. */
struct rp_avcodec_library {
    unsigned (*avcodec_version)(void);
    const AVCodec *(*avcodec_find_decoder_by_name)(const char *name);
    AVCodecContext *(*avcodec_alloc_context3)(const AVCodec *codec);
    void (*avcodec_free_context)(AVCodecContext **avctx);
    int (*avcodec_open2)(AVCodecContext *avctx, const AVCodec *codec, AVDictionary **options);
    void (*avcodec_flush_buffers)(AVCodecContext *avctx);
    int (*avcodec_send_packet)(AVCodecContext *avctx, const AVPacket *packet);
    int (*avcodec_receive_frame)(AVCodecContext *avctx, AVFrame *frame);
    AVPacket *(*av_packet_alloc)(void);
    void (*av_packet_free)(AVPacket **packet);
    void (*av_packet_unref)(AVPacket *packet);

    AVFrame *(*av_frame_alloc)(void);
    void (*av_frame_free)(AVFrame **frame);
    void (*av_frame_unref)(AVFrame *frame);
    AVBufferRef *(*av_buffer_create)(uint8_t *data, size_t size,
                                     void (*free)(void *opaque, uint8_t *data), void *opaque,
                                     int flags);
    int (*av_dict_set)(AVDictionary **dict, const char *key, const char *value, int flags);
    void (*av_dict_free)(AVDictionary **dict);
};

/* "libavcodec.so.59" */
extern const char rp_avcodec_soname[];

/* Whether the library is installed; cached, opens nothing. Any thread. */
bool rp_avcodec_library_is_present(void);

/* Opens it the first time. NULL when it, or anything that it needs, cannot be had. Any thread. */
const struct rp_avcodec_library *rp_avcodec_library_open(void);

#endif

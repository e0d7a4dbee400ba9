/* SPDX-License-Identifier: MIT */
/* libavcodec's H.264 decoder with all its error detection on.
 */
#include "decoder.h"

#include "test.h"

#include <libavcodec/avcodec.h>
#include <libavutil/log.h>

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

struct decoded {
    uint32_t number;
    uint32_t width_px;
    uint32_t height_px;
    uint8_t *pixels; /* owned */
};

struct decoder {
    AVCodecContext *ctx;
    AVPacket *packet;
    AVFrame *frame;
    struct decoded *frames;
    uint32_t frame_count;
    uint32_t frame_capacity;
};

static uint32_t message_count;

static void
on_message(void *ctx, int level, const char *format, va_list args)
{
    if (level > AV_LOG_WARNING)
        return;
    message_count++;
    (void)vfprintf(stderr, format, args);
}

struct decoder *
decoder_open(void)
{
    struct decoder *dec = calloc(1, sizeof(*dec));
    REQUIRE(dec);
    message_count = 0;
    av_log_set_callback(on_message);
    const AVCodec *codec = avcodec_find_decoder(AV_CODEC_ID_H264);
    REQUIRE(codec);
    dec->ctx = avcodec_alloc_context3(codec);
    dec->packet = av_packet_alloc();
    dec->frame = av_frame_alloc();
    REQUIRE(dec->ctx && dec->packet && dec->frame);
    dec->ctx->thread_count = 1;
    dec->ctx->err_recognition =
        AV_EF_EXPLODE | AV_EF_CRCCHECK | AV_EF_BITSTREAM | AV_EF_BUFFER | AV_EF_CAREFUL;
    dec->ctx->strict_std_compliance = FF_COMPLIANCE_STRICT;
    REQUIRE_EQ(avcodec_open2(dec->ctx, codec, NULL), 0);
    return dec;
}

static void
copy_plane(uint8_t *to, const uint8_t *from, int stride_B, uint32_t width_px, uint32_t height_px)
{
    for (uint32_t y = 0; y < height_px; y++)
        memcpy(to + (size_t)y * width_px, from + (ptrdiff_t)y * stride_B, width_px);
}

static void
keep_frame(struct decoder *dec)
{
    const AVFrame *frame = dec->frame;
    REQUIRE(frame->format == AV_PIX_FMT_YUV420P || frame->format == AV_PIX_FMT_YUVJ420P);
    REQUIRE_EQ(frame->decode_error_flags, 0);
    REQUIRE_EQ(frame->flags & AV_FRAME_FLAG_CORRUPT, 0);
    if (dec->frame_count == dec->frame_capacity) {
        dec->frame_capacity = dec->frame_capacity * 2 + 64;
        dec->frames = realloc(dec->frames, dec->frame_capacity * sizeof(*dec->frames));
        REQUIRE(dec->frames);
    }
    struct decoded *out = &dec->frames[dec->frame_count++];
    out->number = (uint32_t)frame->pts;
    out->width_px = (uint32_t)frame->width;
    out->height_px = (uint32_t)frame->height;
    const size_t luma_B = (size_t)out->width_px * out->height_px;
    const uint32_t width2 = out->width_px / 2;
    const uint32_t height2 = out->height_px / 2;
    out->pixels = malloc(luma_B * 3 / 2);
    REQUIRE(out->pixels);
    copy_plane(out->pixels, frame->data[0], frame->linesize[0], out->width_px, out->height_px);
    copy_plane(out->pixels + luma_B, frame->data[1], frame->linesize[1], width2, height2);
    copy_plane(out->pixels + luma_B * 5 / 4, frame->data[2], frame->linesize[2], width2, height2);
}

static void
drain(struct decoder *dec)
{
    for (;;) {
        const int result = avcodec_receive_frame(dec->ctx, dec->frame);
        if (result == AVERROR(EAGAIN) || result == AVERROR_EOF)
            return;
        REQUIRE_EQ(result, 0);
        keep_frame(dec);
        av_frame_unref(dec->frame);
    }
}

void
decoder_send(struct decoder *dec, const uint8_t *data, size_t size_B, uint32_t number)
{
    REQUIRE_EQ(av_new_packet(dec->packet, (int)size_B), 0);
    memcpy(dec->packet->data, data, size_B);
    dec->packet->pts = number;
    REQUIRE_EQ(avcodec_send_packet(dec->ctx, dec->packet), 0);
    av_packet_unref(dec->packet);
    drain(dec);
}

uint32_t
decoder_finish(struct decoder *dec,
               void (*frame)(void *ctx, uint32_t number, uint32_t width_px, uint32_t height_px,
                             const uint8_t *pixels),
               void *ctx)
{
    REQUIRE_EQ(avcodec_send_packet(dec->ctx, NULL), 0);
    drain(dec);
    REQUIRE_EQ(message_count, 0);

    const uint32_t count = dec->frame_count;
    for (uint32_t i = 0; i < count; i++) {
        struct decoded *d = &dec->frames[i];
        frame(ctx, d->number, d->width_px, d->height_px, d->pixels);
        free(d->pixels);
    }
    free(dec->frames);
    av_frame_free(&dec->frame);
    av_packet_free(&dec->packet);
    avcodec_free_context(&dec->ctx);
    free(dec);
    return count;
}

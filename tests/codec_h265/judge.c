/* SPDX-License-Identifier: MIT */
/* The reference decoder.
 */
#include "judge.h"

#include "tests/test.h"

#include <libavcodec/avcodec.h>

static uint64_t
hash_frame(const AVFrame *frame)
{
    const bool has_words = frame->format == AV_PIX_FMT_YUV420P10;
    uint16_t words[RP_H265_DECODE_MAX_WIDTH_PX];
    uint64_t hash = 0;
    REQUIRE(has_words || frame->format == AV_PIX_FMT_YUV420P ||
            frame->format == AV_PIX_FMT_YUVJ420P);
    for (int i = 0; i < 3; i++) {
        const int width = i ? frame->width / 2 : frame->width;
        for (int y = 0; y < (i ? frame->height / 2 : frame->height); y++) {
            const uint8_t *row = frame->data[i] + (ptrdiff_t)y * frame->linesize[i];
            for (int x = 0; x < width && has_words; x++)
                words[x] = (uint16_t)(((const uint16_t *)row)[x] << 6);
            hash = hash_row(hash, has_words ? (const uint8_t *)words : row,
                            (size_t)width * (has_words ? 2 : 1));
        }
    }
    return hash;
}

static void
take_frames(AVCodecContext *avctx, AVFrame *frame, struct hashes *out)
{
    while (avcodec_receive_frame(avctx, frame) >= 0) {
        hashes_add(out, hash_frame(frame));
        av_frame_unref(frame);
    }
}

void
judge_decode(const uint8_t *data, size_t data_B, struct hashes *out)
{
    AVCodecContext *avctx = avcodec_alloc_context3(avcodec_find_decoder_by_name("hevc"));
    AVCodecParserContext *parser = av_parser_init(AV_CODEC_ID_HEVC);
    AVPacket *packet = av_packet_alloc();
    AVFrame *frame = av_frame_alloc();
    REQUIRE(avctx && parser && packet && frame);
    avctx->apply_cropping = 0;
    avctx->thread_count = 1;
    avctx->err_recognition = AV_EF_EXPLODE;
    REQUIRE(avcodec_open2(avctx, NULL, NULL) >= 0);
    for (size_t at_B = 0;;) {
        const bool is_last = at_B == data_B; /* the parser gives its last packet */
        at_B += (size_t)av_parser_parse2(parser, avctx, &packet->data, &packet->size, data + at_B,
                                         (int)(data_B - at_B), AV_NOPTS_VALUE, AV_NOPTS_VALUE, 0);
        if (packet->size > 0) {
            REQUIRE(avcodec_send_packet(avctx, packet) >= 0);
            take_frames(avctx, frame, out);
        } else if (is_last) {
            break;
        }
    }
    REQUIRE(avcodec_send_packet(avctx, NULL) >= 0);
    take_frames(avctx, frame, out);
    av_frame_free(&frame);
    av_packet_free(&packet);
    av_parser_close(parser);
    avcodec_free_context(&avctx);
}

bool
judge_compare(struct stream *stream)
{
    struct hashes reference = {.at = NULL};
    judge_decode(stream->file, stream->file_B, &reference);
    const size_t wrong = hashes_missing(&stream->hashes, &reference);
    const bool is_good =
        wrong == 0 && stream->hashes.count == reference.count && reference.count > 0;
    (void)printf("%s: %s, %u pictures, %zu are output (reference: %zu), %zu differ\n",
                 is_good ? "exact" : "WRONG", stream->name, stream->picture_count,
                 stream->hashes.count, reference.count, wrong);
    free(reference.at);
    return is_good;
}

/* SPDX-License-Identifier: MIT */
/* The reference decoder.
 */
#include "judge.h"

#include "test.h"

#include <libavcodec/avcodec.h>

struct judge {
    AVCodecContext *avctx;
    AVCodecParserContext *parser;
    AVPacket *packet;
    AVFrame *frame;
    const struct app_options *options;
    struct hashes *hashes;
    size_t damaged_count;
};

static void
frames_take(struct judge *judge)
{
    AVFrame *frame = judge->frame;
    while (avcodec_receive_frame(judge->avctx, frame) >= 0) {
        const struct app_options *options = judge->options;
        const uint32_t width_px = (uint32_t)frame->width - options->crop_px;
        const uint32_t height_px = (uint32_t)frame->height - options->crop_px - options->cut_rows;
        uint64_t hash = 0;
        REQUIRE(frame->format == AV_PIX_FMT_YUV420P || frame->format == AV_PIX_FMT_YUVJ420P);
        for (uint32_t i = 0; i < 3; i++) {
            const uint32_t rows = i ? (height_px + 1) / 2 : height_px;
            for (uint32_t y = 0; y < rows; y++)
                hash = hash_row(hash, frame->data[i] + (ptrdiff_t)y * frame->linesize[i],
                                i ? (width_px + 1) / 2 : width_px);
        }
        hashes_add(judge->hashes, hash);
        judge->damaged_count += frame->decode_error_flags != 0;
        av_frame_unref(frame);
    }
}

static void
packet_decode(struct judge *judge, AVPacket *packet)
{
    (void)avcodec_send_packet(judge->avctx, packet);
    frames_take(judge);
}

size_t
judge_decode(const uint8_t *data, size_t data_B, const struct app_options *options,
             uint32_t thread_count, struct hashes *out)
{
    const AVCodec *codec = avcodec_find_decoder_by_name("h264");
    struct judge judge = {
        .avctx = avcodec_alloc_context3(codec),
        .parser = av_parser_init(AV_CODEC_ID_H264),
        .packet = av_packet_alloc(),
        .frame = av_frame_alloc(),
        .options = options,
        .hashes = out,
    };
    REQUIRE(judge.avctx && judge.parser && judge.packet && judge.frame);
    judge.avctx->apply_cropping = 0;
    judge.avctx->thread_count = (int)thread_count;
    judge.avctx->thread_type = FF_THREAD_FRAME;
    judge.avctx->flags |= AV_CODEC_FLAG_OUTPUT_CORRUPT;
    judge.avctx->has_b_frames = 16; /* no picture comes too late to be shown */
    REQUIRE(avcodec_open2(judge.avctx, codec, NULL) >= 0);

    size_t position_B = 0;
    for (;;) {
        const bool is_last = position_B == data_B; /* the parser gives its last packet */
        uint8_t *packet_data;
        int packet_B;
        position_B += (size_t)av_parser_parse2(judge.parser, judge.avctx, &packet_data, &packet_B,
                                               data + position_B, (int)(data_B - position_B),
                                               AV_NOPTS_VALUE, AV_NOPTS_VALUE, 0);
        if (packet_B) {
            judge.packet->data = packet_data;
            judge.packet->size = packet_B;
            packet_decode(&judge, judge.packet);
        } else if (is_last) {
            break;
        }
    }
    packet_decode(&judge, NULL);

    av_frame_free(&judge.frame);
    av_packet_free(&judge.packet);
    av_parser_close(judge.parser);
    avcodec_free_context(&judge.avctx);
    return judge.damaged_count;
}

int
judge_compare(struct app *app, const char *path)
{
    struct hashes reference = {.at = NULL};
    judge_decode(app->data, app->data_B, &app->options, 1, &reference);
    const size_t wrong = hashes_missing(&app->hashes, &reference);
    const bool is_complete =
        app->options.skips_non_reference || app->hashes.count == reference.count;
    const bool is_exact = wrong == 0 && is_complete && app->damaged_count == 0 && app->hashes.count;
    printf("%s: %s, %zu pictures, %zu frames (reference: %zu), %zu differ, %zu not complete\n",
           is_exact ? "exact" : "WRONG", path, app->picture_count, app->hashes.count,
           reference.count, wrong, app->damaged_count);
    hashes_finish(&reference);
    return !is_exact;
}

/* SPDX-License-Identifier: MIT */
/* The reference decoder.
 */
#include "judge.h"

#include "tests/test.h"

#include <libavcodec/avcodec.h>
#include <stdlib.h>

static uint64_t
hash_frame(const AVFrame *frame)
{
    const bool has_words = frame->format == AV_PIX_FMT_YUV420P10;
    uint64_t hash = 0;
    REQUIRE(has_words || frame->format == AV_PIX_FMT_YUV420P);
    uint16_t *words = malloc(2 * (size_t)frame->width);
    REQUIRE(words);
    for (int i = 0; i < 3; i++) {
        const int shift = i > 0;
        const int width = (frame->width + shift) >> shift;
        for (int y = 0; y < (frame->height + shift) >> shift; y++) {
            const uint8_t *row = frame->data[i] + (ptrdiff_t)y * frame->linesize[i];
            for (int x = 0; x < width && has_words; x++)
                words[x] = (uint16_t)(((const uint16_t *)row)[x] << 6);
            hash = app_hash_row(hash, has_words ? (const void *)words : row,
                                (size_t)width * (has_words ? 2 : 1));
        }
    }
    free(words);
    return hash;
}

static void
take_frames(struct judge *judge, AVCodecContext *avctx, AVFrame *frame)
{
    while (avcodec_receive_frame(avctx, frame) >= 0) {
        judge->hashes = realloc(judge->hashes, (judge->count + 1) * sizeof(*judge->hashes));
        REQUIRE(judge->hashes);
        judge->hashes[judge->count++] = hash_frame(frame);
        av_frame_unref(frame);
    }
}

static uint32_t
read_u32(FILE *file)
{
    uint8_t bytes[4] = {0};
    (void)!fread(bytes, 1, 4, file);
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

void
judge_open(struct judge *judge, const char *name)
{
    *judge = (struct judge){.count = 0};
    FILE *file = fopen(name, "rb");
    AVCodecContext *avctx = avcodec_alloc_context3(avcodec_find_decoder_by_name("vp9"));
    AVPacket *packet = av_packet_alloc();
    AVFrame *frame = av_frame_alloc();
    REQUIRE(file && avctx && packet && frame && fseek(file, 32, SEEK_SET) == 0);
    avctx->thread_count = 1;
    REQUIRE(avcodec_open2(avctx, NULL, NULL) >= 0);
    for (uint32_t size_B; (size_B = read_u32(file)) > 0;) {
        REQUIRE(fseek(file, 8, SEEK_CUR) == 0 && av_new_packet(packet, (int)size_B) == 0);
        REQUIRE(fread(packet->data, 1, size_B, file) == size_B);
        REQUIRE(avcodec_send_packet(avctx, packet) >= 0);
        av_packet_unref(packet);
        take_frames(judge, avctx, frame);
    }
    REQUIRE(avcodec_send_packet(avctx, NULL) >= 0);
    take_frames(judge, avctx, frame);
    av_frame_free(&frame);
    av_packet_free(&packet);
    avcodec_free_context(&avctx);
    REQUIRE(fclose(file) == 0);
}

void
judge_close(struct judge *judge)
{
    free(judge->hashes);
}

void
judge_compare(void *context, const struct rp_picture *picture)
{
    struct judge *judge = context;
    const bool is_right =
        judge->compared < judge->count && judge->hashes[judge->compared] == app_hash(picture);
    judge->wrong += !is_right;
    judge->compared++;
}

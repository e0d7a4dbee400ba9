/* SPDX-License-Identifier: MIT */
/* Decodes streams of H.265 with our codec behind its contract, into NV12 or P010, and with
 * libavcodec called directly, into its planes; with one thread.
 *
 * usage: bench_decode_h265 ROUNDS STREAM.265...
 *
 * Ours is measured while private streams are written and decoded: the application that owns the
 * slots does not count.
 */
#include "measure.h"

#include "tests/codec_h265/app.h"
#include "tests/test.h"

#include <libavcodec/avcodec.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PICTURES 1024

/* At 8 bits luma is decoded in place. */
#define GOAL_8_BITS 1.03
#define GOAL_10_BITS 1.12

struct bench {
    const char *name;
    double ours_s; /* CPU time spent in our code */
    double entered_s;

    /* The peer's packets: it gets whole pictures, too. */
    AVPacket *packets[MAX_PICTURES];
    uint32_t packet_count;
    uint32_t picture_count; /* of its last run */
    uint32_t bit_depth;
};

/* bench_compare_clocks() and enters() know no context. */
static struct bench bench;

static void
count_time(bool is_entering)
{
    const double now_s = bench_cpu_s();
    if (is_entering)
        bench.entered_s = now_s;
    else
        bench.ours_s += now_s - bench.entered_s;
}

static void
decode_ours(void *ctx)
{
    static struct stream stream;
    static struct session session;
    enum rp_codec_status status;
    session = (struct session){.random = 1, .is_in_place = true, .enters = count_time};
    session.codec = rp_codec_h265_decode();
    count_time(true);
    session.dec = session.codec->create(1, &status);
    count_time(false);
    REQUIRE(session.dec);
    rp_h265_private_streams_init(&session.streams);
    stream_open(&stream, &session, bench.name);
    while (stream_step(&stream)) {
    }
    bench.bit_depth = session.may_retain ? 8 : 10;
    stream_close(&stream);
    count_time(true);
    session.codec->destroy(session.dec);
    count_time(false);
    rp_h265_private_picture_finish(&session.picture);
}

static double
ours_clock(void)
{
    return bench.ours_s;
}

static void
take_pictures(AVCodecContext *avctx, AVFrame *frame)
{
    while (avcodec_receive_frame(avctx, frame) >= 0) {
        bench.picture_count++;
        av_frame_unref(frame);
    }
}

static void
decode_peer(void *ctx)
{
    AVCodecContext *avctx = avcodec_alloc_context3(avcodec_find_decoder_by_name("hevc"));
    AVFrame *frame = av_frame_alloc();
    REQUIRE(avctx && frame);
    avctx->thread_count = 1;
    REQUIRE(avcodec_open2(avctx, NULL, NULL) >= 0);
    bench.picture_count = 0;
    for (uint32_t i = 0; i < bench.packet_count; i++) {
        REQUIRE(avcodec_send_packet(avctx, bench.packets[i]) >= 0);
        take_pictures(avctx, frame);
    }
    REQUIRE(avcodec_send_packet(avctx, NULL) >= 0);
    take_pictures(avctx, frame);
    av_frame_free(&frame);
    avcodec_free_context(&avctx);
}

static void
packets_make(const uint8_t *data, size_t data_B)
{
    AVCodecContext *avctx = avcodec_alloc_context3(avcodec_find_decoder_by_name("hevc"));
    AVCodecParserContext *parser = av_parser_init(AV_CODEC_ID_HEVC);
    REQUIRE(avctx && parser);
    bench.packet_count = 0;
    for (size_t at_B = 0;;) {
        const bool is_last = at_B == data_B; /* the parser gives its last packet */
        uint8_t *unit;
        int unit_B;
        at_B += (size_t)av_parser_parse2(parser, avctx, &unit, &unit_B, data + at_B,
                                         (int)(data_B - at_B), AV_NOPTS_VALUE, AV_NOPTS_VALUE, 0);
        if (unit_B > 0) {
            AVPacket *packet = av_packet_alloc();
            REQUIRE(packet && av_new_packet(packet, unit_B) == 0);
            REQUIRE(bench.packet_count < MAX_PICTURES);
            memcpy(packet->data, unit, (size_t)unit_B);
            bench.packets[bench.packet_count++] = packet;
        } else if (is_last) {
            break;
        }
    }
    av_parser_close(parser);
    avcodec_free_context(&avctx);
}

static void
bench_stream(const char *name, uint32_t rounds)
{
    static struct session session;
    static struct stream stream;
    struct bench_times ours;
    struct bench_times peer;
    char row[64];
    bench.name = name;
    stream_open(&stream, &session, name);
    packets_make(stream.file, stream.file_B);
    stream_close(&stream);
    bench_compare_clocks(decode_ours, ours_clock, decode_peer, bench_cpu_s, NULL, rounds, &ours,
                         &peer);
    (void)snprintf(row, sizeof(row), "decode H.265, %u bits, %u frames", bench.bit_depth,
                   bench.picture_count);
    bench_row(row, "ms", &ours, &peer, bench.bit_depth > 8 ? GOAL_10_BITS : GOAL_8_BITS);
    for (uint32_t i = 0; i < bench.packet_count; i++)
        av_packet_free(&bench.packets[i]);
}

int
main(int argc, char **argv)
{
    const uint32_t rounds = argc > 2 ? (uint32_t)strtoul(argv[1], NULL, 10) : 0;
    if (rounds == 0 || rounds > BENCH_MAX_ROUNDS) {
        (void)fprintf(stderr, "usage: bench_decode_h265 ROUNDS STREAM.265...\n");
        return 2;
    }
    /* The application's images: giving them back to the system would count as decoding. */
    REQUIRE(mallopt(M_MMAP_THRESHOLD, INT32_MAX) && mallopt(M_TRIM_THRESHOLD, INT32_MAX));
    if (!rp_codec_h265_decode()) {
        printf("decode of H.265: there is no libavcodec that the driver knows\n");
        return 0;
    }
    for (int i = 2; i < argc; i++)
        bench_stream(argv[i], rounds);
    return 0;
}

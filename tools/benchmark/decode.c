/* SPDX-License-Identifier: MIT */
/* Decodes the same streams through Vulkan and with libavcodec's own API, with the same number of
 * slice threads.
 *
 * usage: bench_decode ROUNDS STREAM.264...
 *
 * Command buffers and packets are made before the clock starts. Both end with the pixels of every
 * picture in memory: ours in NV12 images, libavcodec's in its own planes.
 */
#include "measure.h"
#include "metered.h"

#include "reelpipe/decode_h264.h"
#include "tests/codec_avcodec/app.h"
#include "tests/test.h"
#include "tests/video/job_decoder.h"

#include <libavcodec/avcodec.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MAX_PACKETS 512
#define MAX_THREADS 8 /* src/video/decode/engine.c */
#define STREAMS 8     /* side by side */

struct bench {
    struct vk vk;
    uint8_t *data;
    size_t data_B;
    struct rp_decoder *ours;
    struct rp_decoder *metered[2]; /* without and with images for its pictures */
    struct rp_decoder *side[STREAMS];

    AVCodecContext *avctx;
    AVFrame *frame;
    AVPacket *packets[MAX_PACKETS];
    uint32_t packet_count;
    uint32_t frame_count; /* of libavcodec's last run */
};

static void
packets_make(struct bench *bench)
{
    AVCodecParserContext *parser = av_parser_init(AV_CODEC_ID_H264);
    REQUIRE(parser);
    size_t position_B = 0;
    for (bool is_last = false; !is_last;) {
        uint8_t *data;
        int size_B;
        is_last = position_B == bench->data_B;
        position_B +=
            (size_t)av_parser_parse2(parser, bench->avctx, &data, &size_B, bench->data + position_B,
                                     (int)(bench->data_B - position_B), 0, 0, 0);
        if (size_B == 0)
            continue;
        REQUIRE(bench->packet_count < MAX_PACKETS);
        AVPacket *packet = av_packet_alloc();
        REQUIRE(packet && av_new_packet(packet, size_B) == 0);
        memcpy(packet->data, data, (size_t)size_B);
        bench->packets[bench->packet_count++] = packet;
    }
    av_parser_close(parser);
}

static void
peer_open(struct bench *bench)
{
    const AVCodec *codec = avcodec_find_decoder_by_name("h264");
    const long cpu_count = sysconf(_SC_NPROCESSORS_ONLN);
    bench->avctx = avcodec_alloc_context3(codec);
    bench->frame = av_frame_alloc();
    REQUIRE(bench->avctx && bench->frame);
    bench->avctx->thread_type = FF_THREAD_SLICE;
    bench->avctx->thread_count = (int)(cpu_count < MAX_THREADS ? cpu_count : MAX_THREADS);
    REQUIRE(avcodec_open2(bench->avctx, codec, NULL) == 0);
    packets_make(bench);
}

static void
peer_close(struct bench *bench)
{
    for (uint32_t i = 0; i < bench->packet_count; i++)
        av_packet_free(&bench->packets[i]);
    bench->packet_count = 0;
    av_frame_free(&bench->frame);
    avcodec_free_context(&bench->avctx);
}

static void
decode_peer(void *ctx)
{
    struct bench *bench = ctx;

    bench->frame_count = 0;
    for (uint32_t i = 0; i <= bench->packet_count; i++) {
        REQUIRE(avcodec_send_packet(bench->avctx,
                                    i < bench->packet_count ? bench->packets[i] : NULL) == 0);
        while (avcodec_receive_frame(bench->avctx, bench->frame) == 0)
            bench->frame_count++;
    }
    avcodec_flush_buffers(bench->avctx);
}

/* The stream's command buffers, on one of the queues. */
static struct rp_decoder *
decoder_make(struct bench *bench, struct job_decoder_options options)
{
    static const struct app_options app_options = {.is_i420 = true};
    static struct app app;
    uint8_t *data = malloc(bench->data_B);
    REQUIRE(data);
    memcpy(data, bench->data, bench->data_B);

    options.dst_format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
    options.is_only_recorded = true;
    struct rp_decoder *dec = job_decoder_open(&bench->vk, &options);
    app_init(&app, &job_decoder_codec, dec, data, bench->data_B, 0, APP_MAX_SLOTS, &app_options);
    while (app_step(&app))
        continue;
    app_finish(&app);
    return dec;
}

static void
decoder_run(struct bench *bench, struct rp_decoder *dec)
{
    for (uint32_t i = 0; i < job_decoder_count(dec); i++)
        job_decoder_submit(dec, i);
    REQUIRE_EQ(vkDeviceWaitIdle(bench->vk.dev), VK_SUCCESS);
}

static void
decode_ours(void *ctx)
{
    struct bench *bench = ctx;

    decoder_run(bench, bench->ours);
}

static void
metered_run(struct bench *bench, bool has_output)
{
    static const struct app_options options = {.has_targets = true};
    static struct app app;
    uint8_t *data = malloc(bench->data_B);
    REQUIRE(data);
    memcpy(data, bench->data, bench->data_B);
    app_init(&app, &metered_codec, bench->metered[has_output], data, bench->data_B, 0,
             APP_MAX_SLOTS, &options);
    while (app_step(&app))
        continue;
    REQUIRE_EQ(app.targets_retained > 0, has_output);
    app_finish(&app);
}

static void
decode_with_output(void *ctx)
{
    metered_run(ctx, true);
}

static void
decode_without_output(void *ctx)
{
    metered_run(ctx, false);
}

static void
decode_side_by_side(void *ctx)
{
    struct bench *bench = ctx;

    for (uint32_t i = 0; i < job_decoder_count(bench->side[0]); i++) {
        for (uint32_t k = 0; k < STREAMS; k++)
            job_decoder_submit(bench->side[k], i);
    }
    REQUIRE_EQ(vkDeviceWaitIdle(bench->vk.dev), VK_SUCCESS);
}

static void
decode_in_turn(void *ctx)
{
    struct bench *bench = ctx;

    for (uint32_t k = 0; k < STREAMS; k++)
        decoder_run(bench, bench->side[k]);
}

/* "medium_slices.264" of a path. */
static void
row_name(const struct bench *bench, const char *what, const char *path, char out[64])
{
    const char *base = strrchr(path, '/');
    base = base ? base + 1 : path;
    const int base_B = (int)strcspn(base, ".");
    (void)snprintf(out, 64, "%s %.*s %dx%d, %u frames", what, base_B, base, bench->avctx->width,
                   bench->avctx->height, bench->packet_count);
}

static void
bench_stream(struct bench *bench, const char *path, uint32_t rounds)
{
    struct bench_times ours;
    struct bench_times peer;
    char name[64];

    bench->data = file_read(path, &bench->data_B);
    peer_open(bench);
    bench->ours =
        decoder_make(bench, (struct job_decoder_options){.queue = bench->vk.decode_queue});
    bench_compare(decode_ours, decode_peer, bench, rounds, bench_cpu_s, &ours, &peer);
    row_name(bench, "decode", path, name);
    bench_row(name, "ms", &ours, &peer, 1 / 0.95);
    bench_compare(decode_ours, decode_peer, bench, rounds, bench_wall_s, &ours, &peer);
    row_name(bench, "decode, wall", path, name);
    bench_row(name, "ms", &ours, &peer, 1 / 0.95);
    REQUIRE_EQ(bench->frame_count, bench->packet_count);
    REQUIRE_EQ(job_decoder_count(bench->ours), bench->packet_count);
    REQUIRE_EQ(job_decoder_error_count(bench->ours), 0);

    job_decoder_close(bench->ours);
}

/* What it costs that pictures come into NV12 images. */
static void
bench_copy(struct bench *bench, const char *path, uint32_t rounds)
{
    struct bench_times with;
    struct bench_times without;
    char name[64];

    for (uint32_t i = 0; i < 2; i++)
        bench->metered[i] = metered_open((uint32_t)bench->avctx->thread_count, i);
    bench_compare_clocks(decode_with_output, metered_s, decode_without_output, metered_s, bench,
                         rounds, &with, &without);
    row_name(bench, "into NV12, nowhere", path, name);
    bench_row(name, "ms", &with, &without, 1.03);
    for (uint32_t i = 0; i < 2; i++)
        metered_close(bench->metered[i]);
}

static void
bench_streams_side_by_side(struct bench *bench, const char *path, uint32_t rounds)
{
    struct bench_times ours;
    struct bench_times alone;
    char name[64];

    for (uint32_t k = 0; k < STREAMS; k++)
        bench->side[k] = decoder_make(
            bench,
            (struct job_decoder_options){.queue = bench->vk.decode_queues[k % VK_DECODE_QUEUES]});
    bench_compare(decode_side_by_side, decode_in_turn, bench, rounds, bench_wall_s, &ours, &alone);
    row_name(bench, "wall, 8 streams, in turn", path, name);
    bench_row(name, "ms", &ours, &alone, 0);
    for (uint32_t k = 0; k < STREAMS; k++)
        job_decoder_close(bench->side[k]);
}

int
main(int argc, char **argv)
{
    static struct bench bench;
    const uint32_t rounds = argc > 2 ? (uint32_t)strtoul(argv[1], NULL, 10) : 0;
    if (rounds == 0 || rounds > BENCH_MAX_ROUNDS) {
        (void)fprintf(stderr, "usage: bench_decode ROUNDS STREAM.264...\n");
        return 2;
    }

    vk_open(&bench.vk);
    if (bench.vk.decode_family == UINT32_MAX) {
        printf("decode: the device does not decode (no libavcodec that it knows)\n");
        return 0;
    }
    for (int i = 2; i < argc; i++) {
        bench_stream(&bench, argv[i], rounds);
        bench_copy(&bench, argv[i], rounds);
        if (i == 2)
            bench_streams_side_by_side(&bench, argv[i], (rounds + 2) / 3);
        peer_close(&bench);
        free(bench.data);
    }
    vk_close(&bench.vk);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* What the layer adds: the same pictures encoded by our device, and by another one to which the
 * layer lends our queues, which copies each picture to where the encoder reads it.
 *
 * usage: bench_layer DEVICE [ROUNDS]
 * environment: REELPIPE_VIDEO_LAYER=1
 *
 * Both wait for the picture on the host, in wall-clock time: one in flight is latency.
 */
#include "measure.h"

#include "tools/encode/codec.h"
#include "tools/encode/encoder.h"

#include <stdio.h>
#include <stdlib.h>

#define QP 26

struct side {
    struct gpu gpu;
    struct encoder *enc;
};

struct layer {
    struct side lent;
    struct side alone;
    uint32_t picture_count;
    uint32_t source_count;
};

static void
drop(void *ctx, const void *data, size_t size_B)
{
    (void)ctx;
    (void)data;
    (void)size_B;
}

/* Stripes that move, which are neither free nor noise. */
static void
fill(struct encoder *enc, uint32_t source, uint32_t width_px, uint32_t height_px)
{
    const struct planes planes = encoder_source_map(enc, source);

    for (uint32_t y = 0; y < height_px; y++) {
        for (uint32_t x = 0; x < width_px; x++)
            planes.y[y * planes.y_stride_B + x] = (uint8_t)(((x + 3 * source) ^ y) * 5 / 2);
    }
    for (uint32_t y = 0; y < height_px / 2; y++) {
        for (uint32_t x = 0; x < width_px / 2; x++) {
            const size_t at = y * planes.chroma_stride_B + (size_t)x * planes.chroma_step_B;
            planes.u[at] = (uint8_t)(x + source);
            planes.v[at] = (uint8_t)(y + source);
        }
    }
    encoder_source_upload(enc, source);
    encoder_source_map(enc, source); /* waits */
}

static void
side_start(struct side *side, const struct layer *layer, uint32_t width_px, uint32_t height_px,
           uint32_t in_flight)
{
    const struct encoder_settings settings = {
        .codec = &encode_h264,
        .h264 = {.profile = STD_VIDEO_H264_PROFILE_IDC_HIGH},
        .bit_depth = 8,
        .width_px = width_px,
        .height_px = height_px,
        .fps_numerator = 25,
        .fps_denominator = 1,
        .format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
        .gop = layer->picture_count,
        .refs = 1,
        .in_flight = in_flight,
        .source_count = layer->source_count,
        .rate_mode = VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR,
        .q_key = QP,
        .q_p = QP,
        .write = drop,
    };
    side->enc = encoder_create(&side->gpu, &settings);
    for (uint32_t i = 0; i < layer->source_count; i++)
        fill(side->enc, i, width_px, height_px);
}

static void
encode(struct side *side, const struct layer *layer)
{
    for (uint32_t i = 0; i < layer->picture_count; i++)
        encoder_encode(side->enc, i % layer->source_count);
    encoder_drain(side->enc);
}

static void
encode_lent(void *ctx)
{
    struct layer *layer = ctx;
    encode(&layer->lent, layer);
}

static void
encode_alone(void *ctx)
{
    struct layer *layer = ctx;
    encode(&layer->alone, layer);
}

static struct bench_times
of_one(const struct bench_times *all, uint32_t count)
{
    return (struct bench_times){all->median / count, all->low / count, all->high / count};
}

static void
row(struct layer *layer, uint32_t width_px, uint32_t height_px, uint32_t in_flight, uint32_t rounds,
    double goal)
{
    struct bench_times lent;
    struct bench_times alone;
    char name[64];

    side_start(&layer->lent, layer, width_px, height_px, in_flight);
    side_start(&layer->alone, layer, width_px, height_px, in_flight);
    bench_compare(encode_lent, encode_alone, layer, rounds, bench_wall_s, &lent, &alone);
    encoder_destroy(layer->lent.enc);
    encoder_destroy(layer->alone.enc);
    lent = of_one(&lent, layer->picture_count);
    alone = of_one(&alone, layer->picture_count);
    (void)snprintf(name, sizeof(name), "layer, a picture of %ux%u, %u in flight", width_px,
                   height_px, in_flight);
    bench_row(name, "us", &lent, &alone, goal);
}

int
main(int argc, char **argv)
{
    static struct layer layer;
    const uint32_t rounds = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 15;

    if (argc < 2 || rounds == 0 || rounds > BENCH_MAX_ROUNDS) {
        (void)fprintf(stderr, "usage: bench_layer DEVICE [ROUNDS]\n");
        return 2;
    }
    gpu_open(&layer.lent.gpu, argv[1], &encode_h264.work);
    gpu_open(&layer.alone.gpu, "Reelpipe", &encode_h264.work);
    layer.picture_count = 60;
    layer.source_count = 4;
    row(&layer, 64, 64, 1, rounds, 0);
    layer.picture_count = 20;
    row(&layer, 1920, 1080, 1, rounds, 0);
    row(&layer, 1920, 1080, 4, rounds, 1 / 0.95);
    gpu_close(&layer.alone.gpu);
    gpu_close(&layer.lent.gpu);
    return 0;
}

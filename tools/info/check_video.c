/* SPDX-License-Identifier: MIT */
/* The video parts of --check: a moving pattern is encoded, and decoded again.
 */
#include "check.h"
#include "check_decoder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH_PX 320u
#define HEIGHT_PX 176u
#define GOP 8u
#define PICTURES 20u
#define QP 24
#define Q_INDEX 100      /* of AV1 */
#define MIN_PSNR_DB 34.0 /* this pattern has 38 and more */

/* The stream of the last picture, and its reconstruction. */
struct stream {
    uint8_t *data; /* owned */
    size_t size_B;
    struct planes recon; /* borrowed */
};

static void
stream_write(void *ctx, const void *data, size_t size_B)
{
    struct stream *stream = ctx;
    uint8_t *grown = realloc(stream->data, stream->size_B + size_B);

    if (!grown)
        die("out of memory");
    memcpy(grown + stream->size_B, data, size_B);
    stream->data = grown;
    stream->size_B += size_B;
}

static void
stream_reconstructed(void *ctx, uint64_t number, const struct planes *planes)
{
    struct stream *stream = ctx;

    (void)number;
    stream->recon = *planes;
}

/* Waves that move by a few pixels a picture, with a hard edge. */
static uint8_t
luma(uint32_t x, uint32_t y, uint32_t number)
{
    const double wave = sin((x + 3.0 * number) * 0.11) + cos((y + 2.0 * number) * 0.17);
    const bool is_in_box = (x + 5 * number) % WIDTH_PX < 48 && y % 88 < 40;
    return (uint8_t)(128 + 40 * wave + (is_in_box ? 40 : 0));
}

static void
source_draw(const struct planes *to, uint32_t number)
{
    for (uint32_t y = 0; y < HEIGHT_PX; y++)
        for (uint32_t x = 0; x < WIDTH_PX; x++)
            to->y[y * to->y_stride_B + x] = luma(x, y, number);
    for (uint32_t y = 0; y < HEIGHT_PX / 2; y++) {
        for (uint32_t x = 0; x < WIDTH_PX / 2; x++) {
            to->u[y * to->chroma_stride_B + x * to->chroma_step_B] = (uint8_t)(96 + y / 2);
            to->v[y * to->chroma_stride_B + x * to->chroma_step_B] = (uint8_t)(96 + x / 4);
        }
    }
}

static double
psnr_db(const struct planes *recon, uint32_t number)
{
    double sum = 0;

    for (uint32_t y = 0; y < HEIGHT_PX; y++) {
        for (uint32_t x = 0; x < WIDTH_PX; x++) {
            const double error = recon->y[y * recon->y_stride_B + x] - luma(x, y, number);
            sum += error * error;
        }
    }
    return 10 * log10(255.0 * 255.0 * WIDTH_PX * HEIGHT_PX / fmax(sum, 1));
}

static struct encoder *
encoder_open(struct gpu *gpu, const struct encode_codec *codec, int32_t q, struct stream *stream)
{
    const struct encoder_settings settings = {
        .codec = codec,
        .width_px = WIDTH_PX,
        .height_px = HEIGHT_PX,
        .fps_numerator = 30,
        .fps_denominator = 1,
        .bit_depth = 8,
        .format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
        .h264.profile = STD_VIDEO_H264_PROFILE_IDC_HIGH,
        .gop = GOP,
        .refs = 1,
        .in_flight = 1,
        .source_count = 1,
        .rate_mode = VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR,
        .q_key = q,
        .q_p = q,
        .write = stream_write,
        .reconstructed = stream_reconstructed,
        .reconstructed_ctx = stream,
        .ctx = stream,
    };

    return encoder_create(gpu, &settings);
}

static struct planes
picture_encode(struct encoder *enc, struct stream *stream, uint32_t number)
{
    const struct planes source = encoder_source_map(enc, 0);

    stream->size_B = 0;
    source_draw(&source, number);
    encoder_source_upload(enc, 0);
    encoder_encode(enc, 0);
    encoder_drain(enc);
    if (stream->size_B == 0)
        die("picture %u has no bytes", number);
    const double psnr = psnr_db(&stream->recon, number);
    if (psnr < MIN_PSNR_DB)
        die("picture %u is not like its source: %.1f dB", number, psnr);
    return stream->recon;
}

static void
pictures_compare(const struct planes *recon, const uint8_t *decoded, uint32_t number)
{
    for (uint32_t y = 0; y < HEIGHT_PX; y++)
        if (memcmp(recon->y + y * recon->y_stride_B, decoded + (size_t)y * WIDTH_PX, WIDTH_PX) != 0)
            die("picture %u differs from the encoder's in luma row %u", number, y);
    decoded += (size_t)WIDTH_PX * HEIGHT_PX;
    for (uint32_t y = 0; y < HEIGHT_PX / 2; y++)
        if (memcmp(recon->u + y * recon->chroma_stride_B, decoded + (size_t)y * WIDTH_PX,
                   WIDTH_PX) != 0)
            die("picture %u differs from the encoder's in chroma row %u", number, y);
}

static void
codec_check(const struct encode_codec *codec, int32_t q)
{
    struct stream stream = {0};
    struct gpu gpu;

    gpu_open(&gpu, CHECK_DEVICE, &codec->work);
    struct encoder *enc = encoder_open(&gpu, codec, q, &stream);
    for (uint32_t i = 0; i < PICTURES; i++)
        (void)picture_encode(enc, &stream, i);
    encoder_destroy(enc);
    gpu_close(&gpu);
    free(stream.data);
}

void
check_encode(void)
{
    codec_check(&encode_h264, QP);
}

void
check_encode_h265(void)
{
    codec_check(&encode_h265, QP);
}

void
check_encode_av1(void)
{
    codec_check(&encode_av1, Q_INDEX);
}

static void
both_check(const struct check_codec *codec)
{
    struct stream stream = {0};
    struct gpu encode_gpu;
    struct gpu decode_gpu;

    gpu_open(&encode_gpu, CHECK_DEVICE, &codec->encode->work);
    gpu_open(&decode_gpu, CHECK_DEVICE, &codec->work);
    struct encoder *enc = encoder_open(&encode_gpu, codec->encode, QP, &stream);
    struct check_decoder *decoder = check_decoder_create(&decode_gpu, codec, enc);
    for (uint32_t i = 0; i < PICTURES; i++) {
        const struct planes recon = picture_encode(enc, &stream, i);
        const uint8_t *decoded = check_decoder_decode(decoder, stream.data, stream.size_B, i % GOP);
        pictures_compare(&recon, decoded, i);
    }
    check_decoder_destroy(decoder);
    encoder_destroy(enc);
    gpu_close(&decode_gpu);
    gpu_close(&encode_gpu);
    free(stream.data);
}

void
check_both_h264(void)
{
    both_check(&check_codec_h264);
}

void
check_both_h265(void)
{
    both_check(&check_codec_h265);
}

/* SPDX-License-Identifier: MIT */
/* One picture through the contract: where it goes, what is refused, and what stays usable.
 */
#include "reelpipe/decode_av1.h"
#include "test.h"

#define WIDTH_PX 32
#define HEIGHT_PX 16
#define STRIDE_B 192
#define ROWS 129
#define GREY 126
#define UNTOUCHED 0xaa

/* Of a grey key frame, 4:2:0, 8 bit; made by libaom. The tile is the end of the frame OBU. */
static const uint8_t sequence_header[] = {0x00, 0x00, 0x00, 0x02, 0x1f,
                                          0xfc, 0xff, 0xf9, 0x80, 0x40};
static const uint8_t frame_header[] = {0x10, 0x00, 0xe4, 0x00, 0x00, 0x02, 0xc0, 0x00};
static const uint8_t source[] = {0xff, 0x00, 0x01, 0x40};
static const uint32_t tile_offset_B = 1;
static const uint32_t tile_size_B = 3;

struct image {
    _Alignas(64) uint8_t luma[STRIDE_B * ROWS];
    _Alignas(64) uint8_t chroma[STRIDE_B * ROWS];
    int retained; /* as often as that more than it was released */
};
static struct image image;

static void
retain(void *memory)
{
    ((struct image *)memory)->retained++;
}

static void
release(void *memory)
{
    ((struct image *)memory)->retained--;
}

static struct rp_av1_decode_job
job_into_image(void)
{
    memset(&image, UNTOUCHED, sizeof(image));
    image.retained = 0;
    return (struct rp_av1_decode_job){
        .common = {.data = source,
                   .data_B = sizeof(source),
                   .dst = {.layout = RP_PICTURE_NV12,
                           .width_px = WIDTH_PX,
                           .height_px = HEIGHT_PX,
                           .plane = {{image.luma, STRIDE_B}, {image.chroma, STRIDE_B}}}},
        .sequence_header = sequence_header,
        .sequence_header_B = sizeof(sequence_header),
        .frame_header = frame_header,
        .frame_header_B = sizeof(frame_header),
        .tile_offsets_B = &tile_offset_B,
        .tile_sizes_B = &tile_size_B,
        .tile_count = 1,
    };
}

static struct rp_decoder *
decoder_create(const struct rp_decode_codec *codec)
{
    enum rp_codec_status status;
    struct rp_decoder *dec = codec->create(1, &status);
    REQUIRE(dec);
    return dec;
}

static void
require_grey(const uint8_t *plane, uint32_t width_B, uint32_t rows, uint8_t value)
{
    for (uint32_t y = 0; y < rows; y++) {
        for (uint32_t x = 0; x < width_B; x++)
            REQUIRE_EQ(plane[y * STRIDE_B + x], value);
    }
    REQUIRE_EQ(plane[width_B], UNTOUCHED);
    REQUIRE_EQ(plane[rows * STRIDE_B], UNTOUCHED);
}

static void
pictures_are_written_to_their_extent(const struct rp_decode_codec *codec)
{
    struct rp_decoder *dec = decoder_create(codec);
    struct rp_av1_decode_job job = job_into_image();
    REQUIRE_EQ(codec->decode(dec, &job.common), RP_CODEC_OK);
    require_grey(image.luma, WIDTH_PX, HEIGHT_PX, GREY);
    require_grey(image.chroma, WIDTH_PX, HEIGHT_PX / 2, 128);

    job = job_into_image();
    job.common.dst.width_px = 18;
    job.common.dst.height_px = 6;
    codec->reset(dec);
    REQUIRE_EQ(codec->decode(dec, &job.common), RP_CODEC_OK);
    require_grey(image.luma, 18, 6, GREY);
    require_grey(image.chroma, 18, 3, 128);

    job = job_into_image();
    job.common.dst.plane[0].data = NULL;
    REQUIRE_EQ(codec->decode(dec, &job.common), RP_CODEC_OK);
    REQUIRE_EQ(image.luma[0], UNTOUCHED);
    codec->destroy(dec);
}

static void
luma_stays_in_an_image_that_has_the_layout(const struct rp_decode_codec *codec)
{
    struct rp_decode_layout layout;
    codec->layout(WIDTH_PX, HEIGHT_PX, &layout);
    REQUIRE(layout.stride_B <= STRIDE_B && layout.rows <= ROWS);

    struct rp_decoder *dec = decoder_create(codec);
    struct rp_av1_decode_job job = job_into_image();
    job.common.target = (struct rp_decode_target){&image, retain, release, ROWS};
    REQUIRE_EQ(codec->decode(dec, &job.common), RP_CODEC_OK);
    REQUIRE(image.retained > 0);
    REQUIRE_EQ(image.luma[0], GREY);
    require_grey(image.chroma, WIDTH_PX, HEIGHT_PX / 2, 128);
    codec->destroy(dec);
    REQUIRE_EQ(image.retained, 0);

    /* Too few rows. */
    dec = decoder_create(codec);
    job = job_into_image();
    job.common.target = (struct rp_decode_target){&image, retain, release, HEIGHT_PX};
    REQUIRE_EQ(codec->decode(dec, &job.common), RP_CODEC_OK);
    REQUIRE_EQ(image.retained, 0);
    require_grey(image.luma, WIDTH_PX, HEIGHT_PX, GREY);
    codec->destroy(dec);
}

static void
tiles_outside_of_the_source_are_refused(const struct rp_decode_codec *codec)
{
    static const uint32_t bad[][2] = {{1, 4},          {4, 1},          {5, 1},
                                      {UINT32_MAX, 2}, {1, UINT32_MAX}, {0, 0}};
    static const uint32_t same_offsets_B[] = {0, 0};
    static const uint32_t same_sizes_B[] = {3, 3};
    struct rp_decoder *dec = decoder_create(codec);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct rp_av1_decode_job job = job_into_image();
        job.tile_offsets_B = &bad[i][0];
        job.tile_sizes_B = &bad[i][1];
        REQUIRE_EQ(codec->decode(dec, &job.common), RP_CODEC_FAILED);
        REQUIRE_EQ(image.luma[0], UNTOUCHED);
    }
    struct rp_av1_decode_job job = job_into_image();
    job.tile_count = 0;
    REQUIRE_EQ(codec->decode(dec, &job.common), RP_CODEC_FAILED);
    job.tile_count = 2;
    job.tile_offsets_B = same_offsets_B;
    job.tile_sizes_B = same_sizes_B;
    REQUIRE_EQ(codec->decode(dec, &job.common), RP_CODEC_FAILED);

    job = job_into_image();
    REQUIRE_EQ(codec->decode(dec, &job.common), RP_CODEC_OK);
    codec->destroy(dec);
}

/* Each byte of the headers in turn is another one; whatever comes of it, the decoder goes on. */
static void
damaged_headers_harm_nothing(const struct rp_decode_codec *codec)
{
    struct rp_decoder *dec = decoder_create(codec);
    uint32_t failed_count = 0;
    for (size_t i = 0; i < sizeof(sequence_header) + sizeof(frame_header); i++) {
        for (uint32_t bit = 0; bit < 8; bit++) {
            uint8_t sequence[sizeof(sequence_header)];
            uint8_t frame[sizeof(frame_header)];
            memcpy(sequence, sequence_header, sizeof(sequence));
            memcpy(frame, frame_header, sizeof(frame));
            uint8_t *byte = i < sizeof(sequence) ? &sequence[i] : &frame[i - sizeof(sequence)];
            *byte ^= (uint8_t)(1u << bit);
            struct rp_av1_decode_job job = job_into_image();
            job.sequence_header = sequence;
            job.frame_header = frame;
            job.starts_stream = true;
            failed_count += codec->decode(dec, &job.common) != RP_CODEC_OK;

            job = job_into_image();
            job.starts_stream = true;
            REQUIRE_EQ(codec->decode(dec, &job.common), RP_CODEC_OK);
            require_grey(image.luma, WIDTH_PX, HEIGHT_PX, GREY);
        }
    }
    REQUIRE(failed_count > 0);
    codec->destroy(dec);
}

int
main(void)
{
    const struct rp_decode_codec *codec = rp_codec_av1_decode();
    if (!codec)
        return TEST_SKIPPED;
    RUN(pictures_are_written_to_their_extent, codec);
    RUN(luma_stays_in_an_image_that_has_the_layout, codec);
    RUN(tiles_outside_of_the_source_are_refused, codec);
    RUN(damaged_headers_harm_nothing, codec);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* One picture through the contract: where it goes, what is refused, and what stays usable.
 */
#include "grey.h"
#include "test.h"

static struct grey_image image;

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
    struct rp_av1_decode_job job = grey_job(&image);
    REQUIRE_EQ(codec->decode(dec, &job.common), RP_CODEC_OK);
    require_grey(image.luma, WIDTH_PX, HEIGHT_PX, GREY);
    require_grey(image.chroma, WIDTH_PX, HEIGHT_PX / 2, 128);

    job = grey_job(&image);
    job.common.dst.width_px = 18;
    job.common.dst.height_px = 6;
    codec->reset(dec);
    REQUIRE_EQ(codec->decode(dec, &job.common), RP_CODEC_OK);
    require_grey(image.luma, 18, 6, GREY);
    require_grey(image.chroma, 18, 3, 128);

    job = grey_job(&image);
    job.common.dst.plane[0].data = NULL;
    REQUIRE_EQ(codec->decode(dec, &job.common), RP_CODEC_OK);
    REQUIRE_EQ(image.luma[0], UNTOUCHED);
    codec->destroy(dec);
}

static void
require_grey_words(const uint8_t *plane, uint32_t width, uint32_t rows, uint16_t value)
{
    for (uint32_t y = 0; y < rows; y++) {
        const uint16_t *row = (const uint16_t *)(plane + y * STRIDE_B);
        for (uint32_t x = 0; x < width; x++)
            REQUIRE_EQ(row[x], value);
        REQUIRE_EQ(plane[y * STRIDE_B + 2 * width], UNTOUCHED);
    }
    REQUIRE_EQ(plane[rows * STRIDE_B], UNTOUCHED);
}

static void
samples_of_10_bits_are_written_to_the_high_bits(const struct rp_decode_codec *codec)
{
    struct rp_decoder *dec = decoder_create(codec);
    struct rp_av1_decode_job job = grey_job_10(&image);
    REQUIRE_EQ(codec->decode(dec, &job.common), RP_CODEC_OK);
    require_grey_words(image.luma, WIDTH_PX, HEIGHT_PX, GREY_10 << 6);
    require_grey_words(image.chroma, WIDTH_PX, HEIGHT_PX / 2, 512 << 6);

    job = grey_job_10(&image);
    job.common.dst.width_px = 18;
    job.common.dst.height_px = 6;
    codec->reset(dec);
    REQUIRE_EQ(codec->decode(dec, &job.common), RP_CODEC_OK);
    require_grey_words(image.luma, 18, 6, GREY_10 << 6);
    require_grey_words(image.chroma, 18, 3, 512 << 6);

    /* Images never hold them as the decoder does. */
    job = grey_job_10(&image);
    job.common.target =
        (struct rp_decode_target){&image, grey_image_retain, grey_image_release, ROWS};
    codec->reset(dec);
    REQUIRE_EQ(codec->decode(dec, &job.common), RP_CODEC_OK);
    require_grey_words(image.luma, WIDTH_PX, HEIGHT_PX, GREY_10 << 6);
    REQUIRE_EQ(image.retained, 0);
    codec->destroy(dec);
}

static void
luma_stays_in_an_image_that_has_the_layout(const struct rp_decode_codec *codec)
{
    struct rp_decode_layout layout;
    codec->layout(WIDTH_PX, HEIGHT_PX, &layout);
    REQUIRE(layout.stride_B <= STRIDE_B && layout.rows <= ROWS);

    struct rp_decoder *dec = decoder_create(codec);
    struct rp_av1_decode_job job = grey_job(&image);
    job.common.target =
        (struct rp_decode_target){&image, grey_image_retain, grey_image_release, ROWS};
    REQUIRE_EQ(codec->decode(dec, &job.common), RP_CODEC_OK);
    REQUIRE(image.retained > 0);
    REQUIRE_EQ(image.luma[0], GREY);
    require_grey(image.chroma, WIDTH_PX, HEIGHT_PX / 2, 128);
    codec->destroy(dec);
    REQUIRE_EQ(image.retained, 0);

    /* Too few rows. */
    dec = decoder_create(codec);
    job = grey_job(&image);
    job.common.target =
        (struct rp_decode_target){&image, grey_image_retain, grey_image_release, HEIGHT_PX};
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
        struct rp_av1_decode_job job = grey_job(&image);
        job.tile_offsets_B = &bad[i][0];
        job.tile_sizes_B = &bad[i][1];
        REQUIRE_EQ(codec->decode(dec, &job.common), RP_CODEC_FAILED);
        REQUIRE_EQ(image.luma[0], UNTOUCHED);
    }
    struct rp_av1_decode_job job = grey_job(&image);
    job.tile_count = 0;
    REQUIRE_EQ(codec->decode(dec, &job.common), RP_CODEC_FAILED);
    job.tile_count = 2;
    job.tile_offsets_B = same_offsets_B;
    job.tile_sizes_B = same_sizes_B;
    REQUIRE_EQ(codec->decode(dec, &job.common), RP_CODEC_FAILED);

    job = grey_job(&image);
    REQUIRE_EQ(codec->decode(dec, &job.common), RP_CODEC_OK);
    codec->destroy(dec);
}

/* job: with an image whose bytes are all UNTOUCHED. */
static void
require_refused(const struct rp_decode_codec *codec, struct rp_decoder *dec,
                const struct rp_av1_decode_job *job)
{
    REQUIRE_EQ(codec->decode(dec, &job->common), RP_CODEC_UNSUPPORTED);
    for (size_t i = 0; i < sizeof(image.luma); i++) {
        REQUIRE_EQ(image.luma[i], UNTOUCHED);
        REQUIRE_EQ(image.chroma[i], UNTOUCHED);
    }
}

static void
outputs_of_another_format_are_refused(const struct rp_decode_codec *codec)
{
    struct rp_decoder *dec = decoder_create(codec);
    struct rp_av1_decode_job job = grey_job(&image);
    job.common.dst.bit_depth = 10; /* the stream has 8 */
    require_refused(codec, dec, &job);

    job = grey_job_10(&image);
    job.common.dst.bit_depth = 8;
    job.starts_stream = true;
    require_refused(codec, dec, &job);

    job = grey_job_10(&image);
    job.common.dst.layout = RP_PICTURE_I420;
    require_refused(codec, dec, &job);

    job = grey_job_10(&image);
    job.common.dst_setup = job.common.dst;
    job.common.dst_setup.bit_depth = 8;
    require_refused(codec, dec, &job);

    job = grey_job(&image);
    job.common.dst_setup = job.common.dst;
    job.common.dst_setup.chroma = RP_CHROMA_444;
    require_refused(codec, dec, &job);

    job = grey_job(&image);
    job.starts_stream = true;
    REQUIRE_EQ(codec->decode(dec, &job.common), RP_CODEC_OK);
    codec->destroy(dec);
}

/* Each bit of the headers in turn is wrong; whatever comes of it, the decoder goes on. */
static void
damaged_headers_harm_nothing(const struct rp_decode_codec *codec)
{
    struct rp_decoder *dec = decoder_create(codec);
    uint32_t failed_count = 0;
    const struct rp_av1_decode_job good = grey_job(&image);
    const size_t headers_B = good.sequence_header_B + good.frame_header_B;
    for (size_t i = 0; i < headers_B * 8; i++) {
        uint8_t headers[64];
        memcpy(headers, good.sequence_header, good.sequence_header_B);
        memcpy(headers + good.sequence_header_B, good.frame_header, good.frame_header_B);
        headers[i / 8] ^= (uint8_t)(1u << i % 8);
        struct rp_av1_decode_job job = grey_job(&image);
        job.sequence_header = headers;
        job.frame_header = headers + good.sequence_header_B;
        job.starts_stream = true;
        failed_count += codec->decode(dec, &job.common) != RP_CODEC_OK;

        job = grey_job(&image);
        job.starts_stream = true;
        REQUIRE_EQ(codec->decode(dec, &job.common), RP_CODEC_OK);
        require_grey(image.luma, WIDTH_PX, HEIGHT_PX, GREY);
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
    RUN(samples_of_10_bits_are_written_to_the_high_bits, codec);
    RUN(luma_stays_in_an_image_that_has_the_layout, codec);
    RUN(tiles_outside_of_the_source_are_refused, codec);
    RUN(outputs_of_another_format_are_refused, codec);
    RUN(damaged_headers_harm_nothing, codec);
    return 0;
}

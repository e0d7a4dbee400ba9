/* SPDX-License-Identifier: MIT */
/* Inputs beside plain pictures: quantization maps and RGB images.
 */
#include "content.h"
#include "guarded_image.h"
#include "pictures.h"
#include "stream.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

#define WIDTH 160u
#define HEIGHT 96u
#define WIDTH_MB (WIDTH / 16)
#define HEIGHT_MB (HEIGHT / 16)

/* A map that is left in its left half and right in the other, in texels of any format. */
static void
fill_map(VkFormat format, int32_t left, int32_t right, void *out)
{
    for (uint32_t i = 0; i < WIDTH_MB * HEIGHT_MB; i++) {
        const int32_t value = i % WIDTH_MB < WIDTH_MB / 2 ? left : right;
        if (format == VK_FORMAT_R32_SINT)
            ((int32_t *)out)[i] = value;
        else if (format == VK_FORMAT_R16_SINT)
            ((int16_t *)out)[i] = (int16_t)value;
        else
            ((uint8_t *)out)[i] = (uint8_t)value;
    }
}

static struct stream_halves
encode_with_map(struct vk *vk, VkFormat format, int32_t left, int32_t right, uint64_t average_bps)
{
    int32_t map[WIDTH_MB * HEIGHT_MB];
    struct stream_halves halves;
    struct stream *s = stream_open(vk, &(struct stream_options){.width_px = WIDTH,
                                                                .height_px = HEIGHT,
                                                                .map_format = format,
                                                                .average_bps = average_bps,
                                                                .has_transform8x8 = true});
    fill_map(format, left, right, map);
    for (uint32_t i = 0; i < 5; i++) {
        struct stream_picture pic = picture_of_chain(s, i, 28);
        pic.map = map;
        pic.slice_count = 1 + i % 2;
        (void)stream_encode(s, &pic);
    }
    (void)stream_finish_halves(s, &halves);
    return halves;
}

static void
delta_maps_move_quality_where_they_say(struct vk *vk)
{
    static const VkFormat formats[] = {VK_FORMAT_R8_SINT, VK_FORMAT_R16_SINT, VK_FORMAT_R32_SINT};
    for (uint32_t i = 0; i < 3; i++) {
        struct stream_halves halves = encode_with_map(vk, formats[i], -12, 12, 0);
        REQUIRE(halves.left > halves.right + 500);
        halves = encode_with_map(vk, formats[i], 12, -12, 0);
        REQUIRE(halves.right > halves.left + 500);
    }
    /* From one end of the scale to the other: the difference wraps around in the stream. */
    (void)encode_with_map(vk, VK_FORMAT_R8_SINT, -51, 51, 0);
}

static bool
has_rate_control(struct vk *vk)
{
    const VkVideoEncodeH264ProfileInfoKHR h264 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_PROFILE_INFO_KHR,
        .stdProfileIdc = STD_VIDEO_H264_PROFILE_IDC_HIGH,
    };
    const VkVideoProfileInfoKHR profile =
        video_profile(VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR, &h264);
    VkVideoEncodeH264CapabilitiesKHR h264_caps = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_CAPABILITIES_KHR};
    VkVideoEncodeCapabilitiesKHR encode = {.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_CAPABILITIES_KHR,
                                           .pNext = &h264_caps};
    VkVideoCapabilitiesKHR caps = {.sType = VK_STRUCTURE_TYPE_VIDEO_CAPABILITIES_KHR,
                                   .pNext = &encode};
    REQUIRE_EQ(vkGetPhysicalDeviceVideoCapabilitiesKHR(vk->pdev, &profile, &caps), VK_SUCCESS);
    return encode.rateControlModes & VK_VIDEO_ENCODE_RATE_CONTROL_MODE_CBR_BIT_KHR;
}

static void
emphasis_maps_move_quality_under_rate_control(struct vk *vk)
{
    if (!has_rate_control(vk))
        return;
    const struct stream_halves halves = encode_with_map(vk, VK_FORMAT_R8_UNORM, 255, 0, 1000000);
    REQUIRE(halves.left > halves.right + 200);
}

static void
lose_the_map(struct stream_call *call)
{
    call->info->pNext = call->h264;
}

static void
a_map_that_is_not_there_fails(struct vk *vk)
{
    int32_t map[WIDTH_MB * HEIGHT_MB];
    struct stream *s = stream_open(vk, &(struct stream_options){.width_px = WIDTH,
                                                                .height_px = HEIGHT,
                                                                .map_format = VK_FORMAT_R8_SINT});
    fill_map(VK_FORMAT_R8_SINT, 0, 0, map);
    struct stream_picture pic = picture_idr(s);
    pic.map = map;
    pic.tamper = lose_the_map;
    const uint32_t number = stream_prepare(s, &pic);
    stream_record(s, number);
    stream_submit(s, number);
    REQUIRE_EQ(stream_collect(s, number).status, VK_QUERY_RESULT_STATUS_ERROR_KHR);
    (void)stream_finish(s);
}

static void
rgb_input_is_converted(struct vk *vk)
{
    for (uint32_t i = 0; i < 4; i++) {
        struct stream *s = stream_open(vk, &(struct stream_options){.width_px = 178,
                                                                    .height_px = 98,
                                                                    .is_rgb = true,
                                                                    .is_linear = i & 1,
                                                                    .quality_level = i,
                                                                    .shot_count = 1 + i});
        for (uint32_t j = 0; j < 6; j++) {
            const struct stream_picture pic = picture_of_chain(s, j, 16);
            (void)stream_encode(s, &pic);
        }
        /* Grey in full range: its luma is the source's as it was. */
        REQUIRE(stream_finish(s) > 4200);
    }
}

#define BLOCK_PX 16u

/* Red, green and blue of a block of one colour: the corners of the cube, and points inside. */
static uint32_t
colour_of(uint32_t block_x, uint32_t block_y, uint32_t component)
{
    const uint32_t number = block_y * (WIDTH / BLOCK_PX) + block_x;
    return number < 8 ? (number >> component & 1) * 255 : (number * 37 + component * 101) & 255;
}

static void
fill_blocks(uint8_t *texels, uint32_t width_px, uint32_t height_px)
{
    for (uint32_t y = 0; y < height_px; y++) {
        for (uint32_t x = 0; x < width_px; x++) {
            uint8_t *texel = texels + 4 * (size_t)(y * width_px + x);
            for (uint32_t i = 0; i < 3; i++)
                texel[i] = (uint8_t)colour_of(x / BLOCK_PX, y / BLOCK_PX, i);
            texel[3] = (uint8_t)x;
        }
    }
}

static void
require_near(const struct stream_rgb *rgb, uint8_t actual, double expected)
{
    if (actual < expected - 2 || actual > expected + 2)
        (void)fprintf(stderr, "model %u, range %u, RGBA %d: %u, not %f\n", rgb->info.rgbModel,
                      rgb->info.rgbRange, rgb->is_rgba, actual, expected);
    REQUIRE(actual >= expected - 2 && actual <= expected + 2);
}

/* In the middle of each block, where no filter reaches. */
static void
check_blocks(const struct stream_rgb *rgb, const uint8_t *planes)
{
    const bool is_601 =
        rgb->info.rgbModel == VK_VIDEO_ENCODE_RGB_MODEL_CONVERSION_YCBCR_601_BIT_VALVE;
    const bool is_709 =
        rgb->info.rgbModel == VK_VIDEO_ENCODE_RGB_MODEL_CONVERSION_YCBCR_709_BIT_VALVE;
    const bool is_narrow =
        rgb->info.rgbRange == VK_VIDEO_ENCODE_RGB_RANGE_COMPRESSION_NARROW_RANGE_BIT_VALVE;
    const double kr = is_601 ? 0.299 : is_709 ? 0.2126 : 0.2627;
    const double kb = is_601 ? 0.114 : is_709 ? 0.0722 : 0.0593;
    const double chroma_scale = (is_narrow ? 224 : 255) / 255.0;
    for (uint32_t i = 0; i < (WIDTH / BLOCK_PX) * (HEIGHT / BLOCK_PX); i++) {
        const uint32_t x = i % (WIDTH / BLOCK_PX);
        const uint32_t y = i / (WIDTH / BLOCK_PX);
        const double red = colour_of(x, y, 0);
        const double blue = colour_of(x, y, 2);
        const double luma = kr * red + (1 - kr - kb) * colour_of(x, y, 1) + kb * blue;
        const uint32_t middle_x = x * BLOCK_PX + BLOCK_PX / 2;
        const uint32_t middle_y = y * BLOCK_PX + BLOCK_PX / 2;
        const uint8_t *chroma = planes + WIDTH * HEIGHT + middle_y / 2 * (WIDTH / 2) + middle_x / 2;
        require_near(rgb, planes[middle_y * WIDTH + middle_x],
                     is_narrow ? 16 + luma * 219 / 255 : luma);
        require_near(rgb, chroma[0], 128 + chroma_scale * (blue - luma) / (2 * (1 - kb)));
        require_near(rgb, chroma[WIDTH * HEIGHT / 4],
                     128 + chroma_scale * (red - luma) / (2 * (1 - kr)));
    }
}

static void
colours_are_those_of_the_session(struct vk *vk)
{
    for (uint32_t i = 0; i < 3 * 2 * 2; i++) {
        const struct stream_rgb rgb = {
            .info = {.sType =
                         VK_STRUCTURE_TYPE_VIDEO_ENCODE_SESSION_RGB_CONVERSION_CREATE_INFO_VALVE,
                     .rgbModel = (VkVideoEncodeRgbModelConversionFlagBitsVALVE)(4u << i % 3),
                     .rgbRange = (VkVideoEncodeRgbRangeCompressionFlagBitsVALVE)(1u << i / 3 % 2),
                     .xChromaOffset = VK_VIDEO_ENCODE_RGB_CHROMA_OFFSET_COSITED_EVEN_BIT_VALVE,
                     .yChromaOffset = VK_VIDEO_ENCODE_RGB_CHROMA_OFFSET_MIDPOINT_BIT_VALVE},
            .is_rgba = i / 6,
            .fill = fill_blocks,
        };
        struct stream *s = stream_open(vk, &(struct stream_options){.width_px = WIDTH,
                                                                    .height_px = HEIGHT,
                                                                    .is_rgb = true,
                                                                    .rgb = &rgb,
                                                                    .is_linear = i & 1});
        const struct stream_picture pic = picture_of_chain(s, 0, 4);
        check_blocks(&rgb, stream_recon(s, stream_encode(s, &pic)));
        (void)stream_finish(s);
    }
}

/* Where the pictures come from instead of the stream's own image. */
struct place {
    struct guarded_image img;
    VkOffset2D offset_px;
};

static const struct place *place; /* that say_place() names */

static void
say_place(struct stream_call *call)
{
    call->info->srcPictureResource.imageViewBinding = place->img.image.view;
    call->info->srcPictureResource.codedOffset = place->offset_px;
}

/* Writes a picture at its place, and other pixels around it. */
static void
place_picture(struct vk *vk, const struct stream_options *o, uint32_t number)
{
    const struct vk_image *img = &place->img.image;
    const size_t luma_B = (size_t)img->width_px * img->height_px;
    uint8_t *pixels = malloc(luma_B * 3 / 2);
    uint8_t *picture = malloc((size_t)o->width_px * o->height_px * 3 / 2);
    REQUIRE(pixels && picture);
    for (size_t i = 0; i < luma_B * 3 / 2; i++)
        pixels[i] = (uint8_t)(i * 151 + number);
    content_fill(picture, o->width_px, o->height_px, o->content, number);

    const uint8_t *from = picture;
    uint8_t *plane = pixels;
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t shift = i > 0;
        const uint32_t stride_B = img->width_px >> shift;
        for (uint32_t y = 0; y < o->height_px >> shift; y++, from += o->width_px >> shift)
            memcpy(plane + (y + ((uint32_t)place->offset_px.y >> shift)) * stride_B +
                       ((uint32_t)place->offset_px.x >> shift),
                   from, o->width_px >> shift);
        plane += luma_B >> 2 * shift;
    }
    vk_image_write_i420(vk, img, 0, pixels);
    free(picture);
    free(pixels);
}

static uint64_t
hash_of_chain(struct vk *vk, const struct stream_options *o)
{
    struct stream *s = stream_open(vk, o);
    for (uint32_t i = 0; i < 4; i++) {
        struct stream_picture pic = picture_of_chain(s, i, 24);
        pic.tamper = place ? say_place : NULL;
        if (place)
            place_picture(vk, o, i);
        (void)stream_encode(s, &pic);
    }
    const uint64_t hash = stream_hash(s);
    (void)stream_finish(s);
    return hash;
}

/* In memory of every kind, at the image's edges or inside: no pixel of the surroundings is seen,
 * and the application's pages end where the image does. */
static void
sources_may_be_anywhere(struct vk *vk)
{
    static const VkOffset2D offsets_px[] = {{0, 0}, {2, 6}, {18, 32}, {64, 2}};
    static const uint32_t borders_px[][2] = {{0, 0}, {0, 0}, {14, 40}, {30, 0}};
    for (uint32_t i = 0; i < 4 * 4 * 4; i++) {
        const enum guarded_memory kind = (enum guarded_memory)(i % 4);
        const uint32_t where = i / 4 % 4;
        const struct stream_options o = {.width_px = 34 + 16 * kind,
                                         .height_px = 50 + 14 * where,
                                         .is_linear = i / 16 & 1,
                                         .is_i420 = i / 32 & 1,
                                         .quality_level = i % 3,
                                         .content = i};
        struct place other = {.offset_px = offsets_px[where]};
        const uint64_t hash = hash_of_chain(vk, &o);
        other.img = guarded_image_create(
            vk,
            &(struct vk_image_info){
                .format = o.is_i420 ? VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM
                                    : VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
                .width_px = o.width_px + (uint32_t)other.offset_px.x + borders_px[where][0],
                .height_px = o.height_px + (uint32_t)other.offset_px.y + borders_px[where][1],
                .layer_count = 1,
                .tiling = o.is_linear ? VK_IMAGE_TILING_LINEAR : VK_IMAGE_TILING_OPTIMAL,
                .usage = VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                .flags = VK_IMAGE_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR,
            },
            kind, false);
        place = &other;
        REQUIRE(hash_of_chain(vk, &o) == hash);
        place = NULL;
        guarded_image_destroy(vk, &other.img);
    }
}

int
main(void)
{
    struct vk vk;
    vk_open(&vk);
    RUN(delta_maps_move_quality_where_they_say, &vk);
    RUN(emphasis_maps_move_quality_under_rate_control, &vk);
    RUN(a_map_that_is_not_there_fails, &vk);
    RUN(rgb_input_is_converted, &vk);
    RUN(colours_are_those_of_the_session, &vk);
    RUN(sources_may_be_anywhere, &vk);
    vk_close(&vk);
    return 0;
}

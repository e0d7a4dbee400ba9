/* SPDX-License-Identifier: MIT */
/* The images of video: which formats go with which profiles, and where their pictures lie.
 */
#include "test.h"

#include "cmd/video_picture.h"
#include "format/format.h"
#include "src/video/profile.h" /* tests/video/ has one, too */
#include "video/formats.h"

#define P010 VK_FORMAT_G10X6_B10X6R10X6_2PLANE_420_UNORM_3PACK16
#define NV12 VK_FORMAT_G8_B8R8_2PLANE_420_UNORM

#define SRC VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR
#define DPB VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR
#define DST VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR
#define DECODE_DPB VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR

#define BITS_8 VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR
#define BITS_10 VK_VIDEO_COMPONENT_BIT_DEPTH_10_BIT_KHR

/* What optimal images of the format are for, with a profile of an operation that encodes or not. */
static VkImageUsageFlags
usages_of(VkFormat format, bool is_encode, VkVideoComponentBitDepthFlagBitsKHR bit_depth)
{
    const struct rp_encode_standard *const some_encoder = (const void *)"";
    const struct rp_video_standard standard = {.encode = is_encode ? some_encoder : NULL};
    const struct rp_video_profile profile = {.standard = &standard, .bit_depth = bit_depth};
    uint32_t count;
    const struct rp_video_format *formats = rp_video_formats(&count);
    VkImageUsageFlags usages = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (formats[i].format == format && formats[i].tiling == VK_IMAGE_TILING_OPTIMAL)
            usages |= rp_video_format_usages(&formats[i], &profile);
    }
    return usages;
}

/* Whether images of RGB have the format, with a profile that converts it. */
static bool
is_rgb_source(VkFormat format, VkVideoComponentBitDepthFlagBitsKHR bit_depth)
{
    const struct rp_encode_standard *const some_encoder = (const void *)"";
    const struct rp_video_standard standard = {.encode = some_encoder};
    const struct rp_video_profile profile = {
        .standard = &standard, .bit_depth = bit_depth, .has_rgb_conversion = true};
    uint32_t count, found = 0;
    const struct rp_video_format *formats = rp_video_formats(&count);
    for (uint32_t i = 0; i < count; i++)
        found +=
            formats[i].format == format && rp_video_format_usages(&formats[i], &profile) == SRC;
    REQUIRE(found == 0 || found == 2); /* both tilings */
    return found;
}

static void
rgb_has_as_many_bits_as_the_pictures_or_fewer(void)
{
    REQUIRE(is_rgb_source(VK_FORMAT_B8G8R8A8_UNORM, BITS_8));
    REQUIRE(is_rgb_source(VK_FORMAT_R8G8B8A8_UNORM, BITS_8));
    REQUIRE(!is_rgb_source(VK_FORMAT_A2R10G10B10_UNORM_PACK32, BITS_8));
    REQUIRE(!is_rgb_source(VK_FORMAT_A2B10G10R10_UNORM_PACK32, BITS_8));
    REQUIRE(is_rgb_source(VK_FORMAT_B8G8R8A8_UNORM, BITS_10));
    REQUIRE(is_rgb_source(VK_FORMAT_R8G8B8A8_UNORM, BITS_10));
    REQUIRE(is_rgb_source(VK_FORMAT_A2R10G10B10_UNORM_PACK32, BITS_10));
    REQUIRE(is_rgb_source(VK_FORMAT_A2B10G10R10_UNORM_PACK32, BITS_10));
}

static void
formats_are_for_the_bit_depth_of_a_profile(void)
{
    REQUIRE_EQ(usages_of(NV12, true, BITS_8), SRC | DPB);
    REQUIRE_EQ(usages_of(NV12, true, BITS_10), 0);
    REQUIRE_EQ(usages_of(P010, true, BITS_8), 0);
    REQUIRE_EQ(usages_of(P010, true, BITS_10), SRC | DPB);
    REQUIRE_EQ(usages_of(NV12, false, BITS_8), DST | DECODE_DPB);
    REQUIRE_EQ(usages_of(P010, false, BITS_8), 0);
    REQUIRE_EQ(usages_of(P010, false, BITS_10), DST | DECODE_DPB);
    REQUIRE_EQ(usages_of(VK_FORMAT_R8_SINT, true, BITS_10),
               VK_IMAGE_USAGE_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR);
}

static void
formats_can_do_what_a_codec_that_is_there_can(void)
{
    const VkFormatFeatureFlags2 encode = VK_FORMAT_FEATURE_2_VIDEO_ENCODE_INPUT_BIT_KHR |
                                         VK_FORMAT_FEATURE_2_VIDEO_ENCODE_DPB_BIT_KHR;
    const VkFormatFeatureFlags2 decode = VK_FORMAT_FEATURE_2_VIDEO_DECODE_OUTPUT_BIT_KHR |
                                         VK_FORMAT_FEATURE_2_VIDEO_DECODE_DPB_BIT_KHR;
    struct rp_video_codecs codecs = {.encode_bit_depths = BITS_8, .decode_bit_depths = BITS_8};
    REQUIRE_EQ(rp_video_format_features(&codecs, NV12), encode | decode);
    REQUIRE_EQ(rp_video_format_features(&codecs, P010), 0);

    codecs.decode_bit_depths |= BITS_10;
    REQUIRE_EQ(rp_video_format_features(&codecs, NV12), encode | decode);
    REQUIRE_EQ(rp_video_format_features(&codecs, P010), decode);

    codecs = (struct rp_video_codecs){.encode_bit_depths = BITS_10};
    REQUIRE_EQ(rp_video_format_features(&codecs, NV12), 0);
    REQUIRE_EQ(rp_video_format_features(&codecs, P010), encode);
    REQUIRE_EQ(rp_video_format_features(&codecs, VK_FORMAT_R16_SINT),
               VK_FORMAT_FEATURE_2_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR);
}

/* Of an image of two layers, its planes behind each other in memory. */
static struct rp_image
image_of(VkFormat format, uint8_t *memory, uint32_t width_px, uint32_t height_px)
{
    struct rp_image img = {
        .vk_format = format,
        .format = rp_format_get(format),
        .extent_px = {width_px, height_px, 1},
        .layer_count = 2,
        .plane_count = 2,
    };
    uint64_t end_B = 0;
    for (uint32_t i = 0; i < 2; i++) {
        struct rp_image_level *level = &img.plane[i].level[0];
        level->row_stride_B = (uint64_t)(width_px >> i) * img.format->planes[i].block_B;
        level->layer_stride_B = level->row_stride_B * (height_px >> i);
        level->offset_B = end_B;
        end_B += 2 * level->layer_stride_B;
        img.plane[i].host = memory;
    }
    return img;
}

static void
pictures_begin_at_their_offset(VkFormat format, uint32_t bit_depth)
{
    uint8_t *const memory = malloc(64 * 32 * 2 * 3);
    const struct rp_image img = image_of(format, memory, 64, 32);
    const uint32_t sample_B = bit_depth > 8 ? 2 : 1;
    struct rp_picture picture;
    REQUIRE(rp_video_picture_planes(&img, 1, (VkOffset2D){16, 8}, &picture));
    REQUIRE_EQ(picture.layout, RP_PICTURE_NV12);
    REQUIRE_EQ(picture.bit_depth, bit_depth);
    REQUIRE_EQ(rp_picture_is_p010(&picture), bit_depth == 10);
    REQUIRE_EQ(rp_picture_is_8_bit_420(&picture), bit_depth == 8);
    REQUIRE_EQ(picture.plane[0].stride_B, 64 * sample_B);
    REQUIRE_EQ(picture.plane[1].stride_B, 64 * sample_B);
    REQUIRE(picture.plane[0].data == memory + (64 * 32 + 8 * 64 + 16) * sample_B);
    REQUIRE(picture.plane[1].data == memory + (2 * 64 * 32 + 64 * 16 + 4 * 64 + 16) * sample_B);
    free(memory);
}

static void
other_formats_hold_no_pictures(void)
{
    uint8_t memory[64];
    const struct rp_image img =
        image_of(VK_FORMAT_G12X4_B12X4R12X4_2PLANE_420_UNORM_3PACK16, memory, 2, 2);
    struct rp_picture picture;
    REQUIRE(!rp_video_picture_planes(&img, 0, (VkOffset2D){0, 0}, &picture));
}

int
main(void)
{
    RUN(formats_are_for_the_bit_depth_of_a_profile);
    RUN(rgb_has_as_many_bits_as_the_pictures_or_fewer);
    RUN(formats_can_do_what_a_codec_that_is_there_can);
    RUN(pictures_begin_at_their_offset, NV12, 8);
    RUN(pictures_begin_at_their_offset, P010, 10);
    RUN(other_formats_hold_no_pictures);
    return 0;
}

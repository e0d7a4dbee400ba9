/* SPDX-License-Identifier: MIT */
/* The format table against what the specification says of some formats, and against itself.
 */
#include "format/format.h"

#include "format/features.h"

#include "test.h"

#include <string.h>

static void
every_core_format_is_known(void)
{
    REQUIRE(!rp_format_get(VK_FORMAT_UNDEFINED));
    for (int i = 1; i <= VK_FORMAT_ASTC_12x12_SRGB_BLOCK; i++)
        REQUIRE_EQ(rp_format_get((VkFormat)i)->vk, i);
    REQUIRE(!rp_format_get((VkFormat)(VK_FORMAT_ASTC_12x12_SRGB_BLOCK + 1)));
    REQUIRE(!rp_format_get(VK_FORMAT_MAX_ENUM));
}

static void
lookup_finds_each_row(void)
{
    uint32_t count;
    const struct rp_format *all = rp_format_all(&count);
    for (uint32_t i = 0; i < count; i++) {
        REQUIRE(rp_format_get(all[i].vk) == &all[i]);
        REQUIRE(i == 0 || all[i - 1].vk < all[i].vk);
    }
}

static void
channels_fit_their_block(void)
{
    uint32_t count;
    const struct rp_format *all = rp_format_all(&count);
    for (uint32_t i = 0; i < count; i++) {
        const struct rp_format *fmt = &all[i];
        uint64_t seen[4] = {0};
        REQUIRE(fmt->plane_count >= 1 && fmt->plane_count <= 3);
        for (uint32_t c = 0; c < fmt->channel_count && fmt->plane_count == 1; c++) {
            const struct rp_format_channel *channel = &fmt->channels[c];
            REQUIRE(channel->first_bit + channel->bits <= 8 * fmt->planes[0].block_B);
            for (uint32_t b = channel->first_bit; b < channel->first_bit + channel->bits; b++) {
                REQUIRE(!(seen[b / 64] >> b % 64 & 1));
                seen[b / 64] |= UINT64_C(1) << b % 64;
            }
        }
    }
}

static void
planes_of_nv12_are_r8_and_rg8(void)
{
    const struct rp_format *fmt = rp_format_get(VK_FORMAT_G8_B8R8_2PLANE_420_UNORM);

    REQUIRE_EQ(fmt->plane_count, 2);
    REQUIRE_EQ(fmt->planes[0].format, VK_FORMAT_R8_UNORM);
    REQUIRE_EQ(fmt->planes[1].format, VK_FORMAT_R8G8_UNORM);
    REQUIRE_EQ(fmt->planes[1].block_B, 2);
    REQUIRE_EQ(rp_format_plane_width(fmt, 1, 321), 161);
    REQUIRE_EQ(rp_format_plane_height(fmt, 1, 1), 1);
    REQUIRE_EQ(rp_format_plane_index(fmt, VK_IMAGE_ASPECT_PLANE_1_BIT), 1);
    REQUIRE_EQ(rp_format_plane_index(fmt, VK_IMAGE_ASPECT_MEMORY_PLANE_1_BIT_EXT), 1);
    REQUIRE_EQ(rp_format_plane_mask(fmt, VK_IMAGE_ASPECT_COLOR_BIT), 3);
    REQUIRE_EQ(rp_format_plane_mask(fmt, VK_IMAGE_ASPECT_PLANE_1_BIT), 2);
}

static void
planes_of_p010_are_words(void)
{
    const struct rp_format *fmt =
        rp_format_get(VK_FORMAT_G10X6_B10X6R10X6_2PLANE_420_UNORM_3PACK16);

    REQUIRE_EQ(fmt->plane_count, 2);
    REQUIRE_EQ(fmt->chroma, 420);
    REQUIRE_EQ(fmt->planes[0].format, VK_FORMAT_R10X6_UNORM_PACK16);
    REQUIRE_EQ(fmt->planes[0].block_B, 2);
    REQUIRE_EQ(fmt->planes[1].format, VK_FORMAT_R10X6G10X6_UNORM_2PACK16);
    REQUIRE_EQ(fmt->planes[1].block_B, 4);
    REQUIRE_EQ(rp_format_plane_width(fmt, 1, 321), 161);
    REQUIRE_EQ(rp_format_image_features(fmt),
               rp_format_image_features(rp_format_get(VK_FORMAT_G8_B8R8_2PLANE_420_UNORM)));
}

/* Views of a plane may have the formats of whole words. */
static void
planes_of_p010_are_compatible_with_words(void)
{
    static const VkFormat pairs[][2] = {
        {VK_FORMAT_R10X6_UNORM_PACK16, VK_FORMAT_R16_UNORM},
        {VK_FORMAT_R10X6_UNORM_PACK16, VK_FORMAT_R16_UINT},
        {VK_FORMAT_R10X6_UNORM_PACK16, VK_FORMAT_R8G8_UNORM},
        {VK_FORMAT_R10X6G10X6_UNORM_2PACK16, VK_FORMAT_R16G16_UNORM},
        {VK_FORMAT_R10X6G10X6_UNORM_2PACK16, VK_FORMAT_R16G16_UINT},
        {VK_FORMAT_R10X6G10X6_UNORM_2PACK16, VK_FORMAT_R32_UINT},
    };
    for (uint32_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        const struct rp_format *plane = rp_format_get(pairs[i][0]);
        const struct rp_format *words = rp_format_get(pairs[i][1]);
        REQUIRE_EQ(plane->compat_class, words->compat_class);
        /* What can be done with words of 16 bits can be done with what lies in their high ones. */
        if (words->channels[0].numeric == RP_NUMERIC_UNORM)
            REQUIRE_EQ(rp_format_image_features(plane), rp_format_image_features(words));
    }
}

static void
depth_and_stencil_are_two_planes(void)
{
    const struct rp_format *fmt = rp_format_get(VK_FORMAT_D32_SFLOAT_S8_UINT);

    REQUIRE_EQ(fmt->plane_count, 2);
    REQUIRE_EQ(fmt->planes[0].block_B, 4);
    REQUIRE_EQ(fmt->planes[1].block_B, 1);
    REQUIRE_EQ(rp_format_plane_index(fmt, VK_IMAGE_ASPECT_STENCIL_BIT), 1);
    REQUIRE_EQ(rp_format_plane_index(rp_format_get(VK_FORMAT_S8_UINT), VK_IMAGE_ASPECT_STENCIL_BIT),
               0);
}

static void
packed_channels_count_from_the_low_bit(void)
{
    const struct rp_format *rgb = rp_format_get(VK_FORMAT_R5G6B5_UNORM_PACK16);
    const struct rp_format *ten = rp_format_get(VK_FORMAT_R10X6G10X6_UNORM_2PACK16);

    REQUIRE_EQ(rgb->channels[0].component, 'B');
    REQUIRE_EQ(rgb->channels[2].component, 'R');
    REQUIRE_EQ(rgb->channels[2].first_bit, 11);
    REQUIRE_EQ(ten->channels[1].component, 'G');
    REQUIRE_EQ(ten->channels[1].first_bit, 22);
    REQUIRE(rp_format_get(VK_FORMAT_E5B9G9R9_UFLOAT_PACK32)->has_shared_exponent);
}

static void
compatibility_follows_the_classes(void)
{
    const uint16_t rgba8 = rp_format_get(VK_FORMAT_R8G8B8A8_UNORM)->compat_class;

    REQUIRE_EQ(rp_format_get(VK_FORMAT_R32_UINT)->compat_class, rgba8);
    REQUIRE(rp_format_get(VK_FORMAT_R16_UINT)->compat_class != rgba8);
    REQUIRE_EQ(rp_format_get(VK_FORMAT_BC1_RGB_UNORM_BLOCK)->planes[0].block_w_px, 4);
}

static void
no_format_does_what_needs_graphics(void)
{
    const VkFormatFeatureFlags2 graphics =
        VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_2_BLIT_SRC_BIT |
        VK_FORMAT_FEATURE_2_BLIT_DST_BIT | VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT |
        VK_FORMAT_FEATURE_2_VERTEX_BUFFER_BIT;
    uint32_t count;
    const struct rp_format *all = rp_format_all(&count);
    for (uint32_t i = 0; i < count; i++) {
        REQUIRE(!(rp_format_image_features(&all[i]) & graphics));
        REQUIRE(!(rp_format_buffer_features(&all[i]) & graphics));
    }
}

int
main(void)
{
    RUN(every_core_format_is_known);
    RUN(lookup_finds_each_row);
    RUN(channels_fit_their_block);
    RUN(planes_of_nv12_are_r8_and_rg8);
    RUN(planes_of_p010_are_words);
    RUN(planes_of_p010_are_compatible_with_words);
    RUN(depth_and_stencil_are_two_planes);
    RUN(packed_channels_count_from_the_low_bit);
    RUN(compatibility_follows_the_classes);
    RUN(no_format_does_what_needs_graphics);
    return 0;
}

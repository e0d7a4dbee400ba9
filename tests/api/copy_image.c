/* SPDX-License-Identifier: MIT */
/* Copies between buffers and images, and between images.
 */
#include "fixture.h"

#define MAX_B 65536u

static VkImageSubresourceLayers
layers_of(VkImageAspectFlags aspect, uint32_t level, uint32_t first, uint32_t count)
{
    return (VkImageSubresourceLayers){aspect, level, first, count};
}

static void
fill_random(struct test_buffer *buf, uint64_t seed)
{
    for (VkDeviceSize i = 0; i < buf->size_B; i++)
        buf->bytes[i] = (uint8_t)test_random(&seed);
}

static void
to_image(struct fixture *f, struct test_buffer *buf, struct test_image *img,
         const VkBufferImageCopy *region)
{
    vkCmdCopyBufferToImage(f->cb, buf->handle, img->handle, VK_IMAGE_LAYOUT_GENERAL, 1, region);
}

static void
to_buffer(struct fixture *f, struct test_image *img, struct test_buffer *buf,
          const VkBufferImageCopy *region)
{
    vkCmdCopyImageToBuffer(f->cb, img->handle, VK_IMAGE_LAYOUT_GENERAL, buf->handle, 1, region);
}

/* Bytes go into an image and come back. */
static void
round_trip(struct fixture *f, const VkImageCreateInfo *info, VkImageAspectFlags aspect,
           VkExtent3D extent, VkDeviceSize size_B)
{
    struct test_buffer src = test_buffer_create(f, size_B, 0);
    struct test_buffer dst = test_buffer_create(f, size_B, 0);
    struct test_image img = test_image_create_with(f, info);
    const VkBufferImageCopy region = {
        .imageSubresource = layers_of(aspect, 0, 0, info->arrayLayers),
        .imageExtent = extent,
    };
    fill_random(&src, size_B);

    test_begin(f);
    to_image(f, &src, &img, &region);
    to_buffer(f, &img, &dst, &region);
    test_submit_and_wait(f);

    REQUIRE_BYTES(dst.bytes, src.bytes, size_B);
    test_image_destroy(f, &img);
    test_buffer_destroy(f, &src);
    test_buffer_destroy(f, &dst);
}

struct format_row {
    VkFormat format;
    uint32_t block_B;
    uint32_t block_px;
    VkImageAspectFlags aspect;
};

static const struct format_row format_rows[] = {
    {VK_FORMAT_R8_UNORM, 1, 1, VK_IMAGE_ASPECT_COLOR_BIT},
    {VK_FORMAT_R8G8_UINT, 2, 1, VK_IMAGE_ASPECT_COLOR_BIT},
    {VK_FORMAT_R5G6B5_UNORM_PACK16, 2, 1, VK_IMAGE_ASPECT_COLOR_BIT},
    {VK_FORMAT_R8G8B8A8_UNORM, 4, 1, VK_IMAGE_ASPECT_COLOR_BIT},
    {VK_FORMAT_B8G8R8A8_SRGB, 4, 1, VK_IMAGE_ASPECT_COLOR_BIT},
    {VK_FORMAT_R10X6_UNORM_PACK16, 2, 1, VK_IMAGE_ASPECT_COLOR_BIT},
    {VK_FORMAT_R10X6G10X6_UNORM_2PACK16, 4, 1, VK_IMAGE_ASPECT_COLOR_BIT},
    {VK_FORMAT_R16G16B16A16_SFLOAT, 8, 1, VK_IMAGE_ASPECT_COLOR_BIT},
    {VK_FORMAT_R32G32B32A32_SFLOAT, 16, 1, VK_IMAGE_ASPECT_COLOR_BIT},
    {VK_FORMAT_D16_UNORM, 2, 1, VK_IMAGE_ASPECT_DEPTH_BIT},
    {VK_FORMAT_D32_SFLOAT, 4, 1, VK_IMAGE_ASPECT_DEPTH_BIT},
    {VK_FORMAT_D32_SFLOAT_S8_UINT, 4, 1, VK_IMAGE_ASPECT_DEPTH_BIT},
    {VK_FORMAT_D32_SFLOAT_S8_UINT, 1, 1, VK_IMAGE_ASPECT_STENCIL_BIT},
    {VK_FORMAT_D24_UNORM_S8_UINT, 1, 1, VK_IMAGE_ASPECT_STENCIL_BIT},
    {VK_FORMAT_S8_UINT, 1, 1, VK_IMAGE_ASPECT_STENCIL_BIT},
    {VK_FORMAT_BC1_RGB_UNORM_BLOCK, 8, 4, VK_IMAGE_ASPECT_COLOR_BIT},
    {VK_FORMAT_BC7_UNORM_BLOCK, 16, 4, VK_IMAGE_ASPECT_COLOR_BIT},
    {VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK, 8, 4, VK_IMAGE_ASPECT_COLOR_BIT},
    {VK_FORMAT_ASTC_4x4_UNORM_BLOCK, 16, 4, VK_IMAGE_ASPECT_COLOR_BIT},
};

static bool
format_is_copyable(struct fixture *f, VkFormat format)
{
    const VkFormatFeatureFlags wanted =
        VK_FORMAT_FEATURE_TRANSFER_SRC_BIT | VK_FORMAT_FEATURE_TRANSFER_DST_BIT;
    VkFormatProperties properties;
    vkGetPhysicalDeviceFormatProperties(f->pdev, format, &properties);
    return (properties.optimalTilingFeatures & wanted) == wanted;
}

static void
every_kind_of_format_survives_a_round_trip(struct fixture *f)
{
    for (size_t i = 0; i < sizeof(format_rows) / sizeof(format_rows[0]); i++) {
        const struct format_row *row = &format_rows[i];
        if (!format_is_copyable(f, row->format))
            continue;
        for (uint32_t width_px = 1; width_px < 70; width_px += 17) {
            const VkImageCreateInfo info = test_image_info(row->format, width_px, 13);
            const uint32_t columns = (width_px + row->block_px - 1) / row->block_px;
            const uint32_t rows = (13 + row->block_px - 1) / row->block_px;
            round_trip(f, &info, row->aspect, info.extent,
                       (VkDeviceSize)columns * rows * row->block_B);
        }
    }
}

static void
volumes_and_arrays_survive_a_round_trip(struct fixture *f)
{
    VkImageCreateInfo info = test_image_info(VK_FORMAT_R8G8B8A8_UNORM, 11, 7);
    info.imageType = VK_IMAGE_TYPE_3D;
    info.extent.depth = 5;
    round_trip(f, &info, VK_IMAGE_ASPECT_COLOR_BIT, info.extent, 11 * 7 * 5 * 4);

    info = test_image_info(VK_FORMAT_R8G8B8A8_UNORM, 11, 7);
    info.arrayLayers = 6;
    round_trip(f, &info, VK_IMAGE_ASPECT_COLOR_BIT, info.extent, 11 * 7 * 6 * 4);

    info = test_image_info(VK_FORMAT_R8_UNORM, 33, 1);
    info.imageType = VK_IMAGE_TYPE_1D;
    info.arrayLayers = 3;
    round_trip(f, &info, VK_IMAGE_ASPECT_COLOR_BIT, info.extent, 33 * 3);
}

static void
large_pictures_survive_a_round_trip(struct fixture *f)
{
    const VkImageCreateInfo info = test_image_info(VK_FORMAT_R8G8B8A8_UNORM, 1922, 1080);
    round_trip(f, &info, VK_IMAGE_ASPECT_COLOR_BIT, info.extent, 1922 * 1080 * 4);
}

/* Chroma of odd pictures is rounded up. */
static void
planes_have_their_own_sizes(struct fixture *f)
{
    const VkImageCreateInfo info = test_image_info(VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, 322, 182);
    round_trip(f, &info, VK_IMAGE_ASPECT_PLANE_0_BIT, (VkExtent3D){322, 182, 1}, 322 * 182);
    round_trip(f, &info, VK_IMAGE_ASPECT_PLANE_1_BIT, (VkExtent3D){161, 91, 1}, 161 * 91 * 2);

    const VkImageCreateInfo p010 =
        test_image_info(VK_FORMAT_G10X6_B10X6R10X6_2PLANE_420_UNORM_3PACK16, 322, 182);
    round_trip(f, &p010, VK_IMAGE_ASPECT_PLANE_0_BIT, (VkExtent3D){322, 182, 1}, 322 * 182 * 2);
    round_trip(f, &p010, VK_IMAGE_ASPECT_PLANE_1_BIT, (VkExtent3D){161, 91, 1}, 161 * 91 * 4);

    const VkImageCreateInfo i420 = test_image_info(VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM, 64, 34);
    round_trip(f, &i420, VK_IMAGE_ASPECT_PLANE_1_BIT, (VkExtent3D){32, 17, 1}, 32 * 17);
    round_trip(f, &i420, VK_IMAGE_ASPECT_PLANE_2_BIT, (VkExtent3D){32, 17, 1}, 32 * 17);
}

/* The planes of an image of 64x64, whose samples have sample_B bytes, hold what was written to
 * each. */
static void
planes_do_not_touch_each_other(struct fixture *f, VkFormat format, uint32_t sample_B)
{
    const uint32_t luma_B = 64 * 64 * sample_B, chroma_B = 64 * 32 * sample_B;
    struct test_buffer luma = test_buffer_create(f, luma_B, 0x11);
    struct test_buffer chroma = test_buffer_create(f, chroma_B, 0x22);
    struct test_buffer back = test_buffer_create(f, luma_B, 0);
    struct test_image img = test_image_create(f, format, 64, 64);
    const VkBufferImageCopy y = {
        .imageSubresource = layers_of(VK_IMAGE_ASPECT_PLANE_0_BIT, 0, 0, 1),
        .imageExtent = {64, 64, 1},
    };
    const VkBufferImageCopy uv = {
        .imageSubresource = layers_of(VK_IMAGE_ASPECT_PLANE_1_BIT, 0, 0, 1),
        .imageExtent = {32, 32, 1},
    };

    test_begin(f);
    to_image(f, &luma, &img, &y);
    to_image(f, &chroma, &img, &uv);
    to_buffer(f, &img, &back, &y);
    test_submit_and_wait(f);
    REQUIRE_BYTES(back.bytes, luma.bytes, luma_B);

    test_begin(f);
    to_buffer(f, &img, &back, &uv);
    test_submit_and_wait(f);
    REQUIRE_BYTES(back.bytes, chroma.bytes, chroma_B);

    test_image_destroy(f, &img);
    test_buffer_destroy(f, &luma);
    test_buffer_destroy(f, &chroma);
    test_buffer_destroy(f, &back);
}

static void
planes_of_images_do_not_touch_each_other(struct fixture *f)
{
    planes_do_not_touch_each_other(f, VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, 1);
    planes_do_not_touch_each_other(f, VK_FORMAT_G10X6_B10X6R10X6_2PLANE_420_UNORM_3PACK16, 2);
}

static void
pitches_and_offsets_are_honoured(struct fixture *f)
{
    struct test_buffer src = test_buffer_create(f, MAX_B, 0);
    struct test_buffer dst = test_buffer_create(f, MAX_B, 0xee);
    struct test_image img = test_image_create(f, VK_FORMAT_R8G8_UNORM, 20, 20);
    const VkBufferImageCopy in = {
        .bufferOffset = 10,
        .bufferRowLength = 30,
        .bufferImageHeight = 40,
        .imageSubresource = layers_of(VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1),
        .imageOffset = {3, 5, 0},
        .imageExtent = {8, 6, 1},
    };
    VkBufferImageCopy out = in;
    out.bufferOffset = 2;
    out.bufferRowLength = 9;
    fill_random(&src, 4);

    test_begin(f);
    to_image(f, &src, &img, &in);
    to_buffer(f, &img, &dst, &out);
    test_submit_and_wait(f);

    uint8_t expected[MAX_B];
    memset(expected, 0xee, sizeof(expected));
    for (uint32_t y = 0; y < 6; y++)
        memcpy(expected + 2 + y * 9 * 2, src.bytes + 10 + y * 30 * 2, 8 * 2);
    REQUIRE_BYTES(dst.bytes, expected, MAX_B);
    test_image_destroy(f, &img);
    test_buffer_destroy(f, &src);
    test_buffer_destroy(f, &dst);
}

static void
mip_levels_lie_apart(struct fixture *f)
{
    VkImageCreateInfo info = test_image_info(VK_FORMAT_R8_UNORM, 32, 16);
    info.mipLevels = 6;
    info.arrayLayers = 2;
    struct test_image img = test_image_create_with(f, &info);
    struct test_buffer src = test_buffer_create(f, MAX_B, 0);
    struct test_buffer dst = test_buffer_create(f, MAX_B, 0);
    fill_random(&src, 5);

    test_begin(f);
    for (int back = 0; back < 2; back++) {
        for (uint32_t level = 0; level < 6; level++) {
            for (uint32_t layer = 0; layer < 2; layer++) {
                const uint32_t width_px = 32 >> level, height_px = level < 5 ? 16 >> level : 1;
                const VkBufferImageCopy region = {
                    .bufferOffset = (level * 2 + layer) * 1024,
                    .imageSubresource = layers_of(VK_IMAGE_ASPECT_COLOR_BIT, level, layer, 1),
                    .imageExtent = {width_px, height_px, 1},
                };
                if (back)
                    to_buffer(f, &img, &dst, &region);
                else
                    to_image(f, &src, &img, &region);
            }
        }
    }
    test_submit_and_wait(f);

    for (uint32_t level = 0; level < 6; level++) {
        const uint32_t texels = (32 >> level) * (level < 5 ? 16 >> level : 1);
        for (uint32_t layer = 0; layer < 2; layer++) {
            const uint32_t offset_B = (level * 2 + layer) * 1024;
            REQUIRE_BYTES(dst.bytes + offset_B, src.bytes + offset_B, texels);
        }
    }
    test_image_destroy(f, &img);
    test_buffer_destroy(f, &src);
    test_buffer_destroy(f, &dst);
}

/* Writes src's bytes into one image, copies image to image, and gives back what arrived. */
static void
through_two_images(struct fixture *f, struct test_buffer *src, const VkBufferImageCopy *in,
                   struct test_image *a, struct test_image *b, const VkImageCopy *copy,
                   const VkBufferImageCopy *out, struct test_buffer *dst)
{
    test_begin(f);
    to_image(f, src, a, in);
    vkCmdCopyImage(f->cb, a->handle, VK_IMAGE_LAYOUT_GENERAL, b->handle, VK_IMAGE_LAYOUT_GENERAL, 1,
                   copy);
    to_buffer(f, b, dst, out);
    test_submit_and_wait(f);
}

/* Into the chroma of an image of 64x64 from one of `single` with texels of the same size. */
static void
single_plane_is_copied(struct fixture *f, VkFormat single, VkFormat planar, uint32_t texel_B)
{
    const uint32_t size_B = 32 * 32 * texel_B;
    struct test_buffer src = test_buffer_create(f, size_B, 0);
    struct test_buffer dst = test_buffer_create(f, size_B, 0);
    struct test_image from = test_image_create(f, single, 32, 32);
    struct test_image to = test_image_create(f, planar, 64, 64);
    const VkImageCopy copy = {
        .srcSubresource = layers_of(VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1),
        .dstSubresource = layers_of(VK_IMAGE_ASPECT_PLANE_1_BIT, 0, 0, 1),
        .extent = {32, 32, 1},
    };
    const VkBufferImageCopy in = {.imageSubresource = copy.srcSubresource,
                                  .imageExtent = copy.extent};
    const VkBufferImageCopy out = {.imageSubresource = copy.dstSubresource,
                                   .imageExtent = copy.extent};
    fill_random(&src, 6);

    through_two_images(f, &src, &in, &from, &to, &copy, &out, &dst);

    REQUIRE_BYTES(dst.bytes, src.bytes, size_B);
    test_image_destroy(f, &from);
    test_image_destroy(f, &to);
    test_buffer_destroy(f, &src);
    test_buffer_destroy(f, &dst);
}

static void
single_planes_are_copied_into_multiplanar_images(struct fixture *f)
{
    const VkFormat p010 = VK_FORMAT_G10X6_B10X6R10X6_2PLANE_420_UNORM_3PACK16;
    single_plane_is_copied(f, VK_FORMAT_R8G8_UNORM, VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, 2);
    single_plane_is_copied(f, VK_FORMAT_R10X6G10X6_UNORM_2PACK16, p010, 4);
    single_plane_is_copied(f, VK_FORMAT_R16G16_UNORM, p010, 4);
}

static void
planes_are_copied_between_multiplanar_images(struct fixture *f)
{
    const VkFormat p010 = VK_FORMAT_G10X6_B10X6R10X6_2PLANE_420_UNORM_3PACK16;
    struct test_buffer src = test_buffer_create(f, 64 * 64 * 2, 0);
    struct test_buffer dst = test_buffer_create(f, 64 * 64 * 2, 0);
    struct test_image from = test_image_create(f, p010, 64, 64);
    struct test_image to = test_image_create(f, p010, 64, 64);
    const VkExtent3D extents[2] = {{64, 64, 1}, {32, 32, 1}};
    fill_random(&src, 7);

    for (uint32_t i = 0; i < 2; i++) {
        const VkImageSubresourceLayers plane = layers_of(VK_IMAGE_ASPECT_PLANE_0_BIT << i, 0, 0, 1);
        const VkImageCopy copy = {
            .srcSubresource = plane, .dstSubresource = plane, .extent = extents[i]};
        const VkBufferImageCopy whole = {.imageSubresource = plane, .imageExtent = extents[i]};
        through_two_images(f, &src, &whole, &from, &to, &copy, &whole, &dst);
        REQUIRE_BYTES(dst.bytes, src.bytes, extents[i].width * extents[i].height * (2u << i));
    }
    test_image_destroy(f, &from);
    test_image_destroy(f, &to);
    test_buffer_destroy(f, &src);
    test_buffer_destroy(f, &dst);
}

static void
slices_become_layers(struct fixture *f)
{
    VkImageCreateInfo info = test_image_info(VK_FORMAT_R8_UNORM, 8, 8);
    info.arrayLayers = 6;
    struct test_image array = test_image_create_with(f, &info);
    info.arrayLayers = 1;
    info.imageType = VK_IMAGE_TYPE_3D;
    info.extent.depth = 6;
    struct test_image volume = test_image_create_with(f, &info);
    struct test_buffer src = test_buffer_create(f, 8 * 8 * 6, 0);
    struct test_buffer dst = test_buffer_create(f, 8 * 8 * 4, 0);
    const VkImageCopy copy = {
        .srcSubresource = layers_of(VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1),
        .srcOffset = {0, 0, 1},
        .dstSubresource = layers_of(VK_IMAGE_ASPECT_COLOR_BIT, 0, 2, 4),
        .extent = {8, 8, 4},
    };
    const VkBufferImageCopy in = {.imageSubresource = copy.srcSubresource,
                                  .imageExtent = {8, 8, 6}};
    const VkBufferImageCopy out = {.imageSubresource = copy.dstSubresource,
                                   .imageExtent = {8, 8, 1}};
    fill_random(&src, 7);

    through_two_images(f, &src, &in, &volume, &array, &copy, &out, &dst);

    REQUIRE_BYTES(dst.bytes, src.bytes + 64, 64 * 4);
    test_image_destroy(f, &array);
    test_image_destroy(f, &volume);
    test_buffer_destroy(f, &src);
    test_buffer_destroy(f, &dst);
}

static void
compressed_blocks_become_wide_texels(struct fixture *f)
{
    if (!format_is_copyable(f, VK_FORMAT_BC1_RGB_UNORM_BLOCK))
        return;
    struct test_image bc1 = test_image_create(f, VK_FORMAT_BC1_RGB_UNORM_BLOCK, 16, 8);
    struct test_image rg32 = test_image_create(f, VK_FORMAT_R32G32_UINT, 8, 8);
    struct test_buffer src = test_buffer_create(f, 4 * 2 * 8, 0);
    struct test_buffer dst = test_buffer_create(f, 4 * 2 * 8, 0);
    const VkImageCopy copy = {
        .srcSubresource = layers_of(VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1),
        .dstSubresource = layers_of(VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1),
        .dstOffset = {3, 4, 0},
        .extent = {16, 8, 1},
    };
    const VkBufferImageCopy in = {.imageSubresource = copy.srcSubresource,
                                  .imageExtent = {16, 8, 1}};
    const VkBufferImageCopy out = {.imageSubresource = copy.dstSubresource,
                                   .imageOffset = copy.dstOffset,
                                   .imageExtent = {4, 2, 1}};
    fill_random(&src, 8);

    through_two_images(f, &src, &in, &bc1, &rg32, &copy, &out, &dst);

    REQUIRE_BYTES(dst.bytes, src.bytes, 4 * 2 * 8);
    test_image_destroy(f, &bc1);
    test_image_destroy(f, &rg32);
    test_buffer_destroy(f, &src);
    test_buffer_destroy(f, &dst);
}

/* What vkGetImageSubresourceLayout says of a LINEAR image is where its texels are. */
static void
linear_images_lie_as_they_say(struct fixture *f)
{
    VkImageCreateInfo info = test_image_info(VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, 50, 20);
    info.tiling = VK_IMAGE_TILING_LINEAR;
    struct test_image img = test_image_create_with(f, &info);
    struct test_buffer src = test_buffer_create(f, 25 * 10 * 2, 0);
    const VkImageSubresource subresource = {.aspectMask = VK_IMAGE_ASPECT_PLANE_1_BIT};
    const VkBufferImageCopy in = {
        .imageSubresource = layers_of(VK_IMAGE_ASPECT_PLANE_1_BIT, 0, 0, 1),
        .imageExtent = {25, 10, 1},
    };
    VkSubresourceLayout layout;
    fill_random(&src, 9);

    test_begin(f);
    to_image(f, &src, &img, &in);
    test_submit_and_wait(f);

    vkGetImageSubresourceLayout(f->dev, img.handle, &subresource, &layout);
    for (uint32_t y = 0; y < 10; y++)
        REQUIRE_BYTES(img.bytes + layout.offset + y * layout.rowPitch, src.bytes + y * 50, 50);
    test_image_destroy(f, &img);
    test_buffer_destroy(f, &src);
}

static void
bits_that_mean_nothing_become_zero(struct fixture *f)
{
    struct test_buffer src = test_buffer_create(f, 4 * 4 * 4, 0xff);
    struct test_image img = test_image_create(f, VK_FORMAT_D24_UNORM_S8_UINT, 4, 4);
    const VkBufferImageCopy region = {
        .imageSubresource = layers_of(VK_IMAGE_ASPECT_DEPTH_BIT, 0, 0, 1),
        .imageExtent = {4, 4, 1},
    };

    test_begin(f);
    to_image(f, &src, &img, &region);
    to_buffer(f, &img, &src, &region);
    test_submit_and_wait(f);

    for (uint32_t i = 0; i < 16; i++)
        REQUIRE_EQ(src.words[i], 0x00ffffffu);
    test_image_destroy(f, &img);
    test_buffer_destroy(f, &src);
}

/* Not allowed, but nothing outside of the buffer or image may be touched. */
static void
what_does_not_fit_is_left_alone(struct fixture *f)
{
    struct test_buffer buf = test_buffer_create(f, 64, 0x77);
    struct test_image img = test_image_create(f, VK_FORMAT_R8_UNORM, 16, 16);
    const VkImageSubresourceLayers all = layers_of(VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1);
    const VkBufferImageCopy regions[] = {
        {.imageSubresource = all, .imageExtent = {16, 16, 1}},
        {.bufferOffset = 1u << 30, .imageSubresource = all, .imageExtent = {1, 1, 1}},
        {.bufferRowLength = UINT32_MAX,
         .bufferImageHeight = UINT32_MAX,
         .imageSubresource = all,
         .imageExtent = {2, 2, 1}},
        {.imageSubresource = layers_of(VK_IMAGE_ASPECT_COLOR_BIT, 9, 0, 1),
         .imageExtent = {1, 1, 1}},
        {.imageSubresource = layers_of(VK_IMAGE_ASPECT_COLOR_BIT, 0, 5, 1),
         .imageExtent = {1, 1, 1}},
        {.imageSubresource = all, .imageOffset = {16, 0, 0}, .imageExtent = {4, 4, 1}},
    };

    test_begin(f);
    for (size_t i = 0; i < sizeof(regions) / sizeof(regions[0]); i++) {
        to_buffer(f, &img, &buf, &regions[i]);
        to_image(f, &buf, &img, &regions[i]);
    }
    test_submit_and_wait(f);

    for (uint32_t i = 0; i < 64; i++)
        REQUIRE_EQ(buf.bytes[i], 0x77);
    for (uint32_t i = 0; i < 256; i++)
        REQUIRE_EQ(img.bytes[i], 0);
    test_image_destroy(f, &img);
    test_buffer_destroy(f, &buf);
}

static const struct test_case cases[] = {
    TEST_CASE(every_kind_of_format_survives_a_round_trip),
    TEST_CASE(volumes_and_arrays_survive_a_round_trip),
    TEST_CASE(large_pictures_survive_a_round_trip),
    TEST_CASE(planes_have_their_own_sizes),
    TEST_CASE(planes_of_images_do_not_touch_each_other),
    TEST_CASE(pitches_and_offsets_are_honoured),
    TEST_CASE(mip_levels_lie_apart),
    TEST_CASE(single_planes_are_copied_into_multiplanar_images),
    TEST_CASE(planes_are_copied_between_multiplanar_images),
    TEST_CASE(slices_become_layers),
    TEST_CASE(compressed_blocks_become_wide_texels),
    TEST_CASE(linear_images_lie_as_they_say),
    TEST_CASE(what_does_not_fit_is_left_alone),
    TEST_CASE(bits_that_mean_nothing_become_zero),
};
TEST_MAIN(cases)

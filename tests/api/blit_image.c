/* SPDX-License-Identifier: MIT */
/* vkCmdBlitImage and vkCmdResolveImage: no queue reports them, a call does what it says.
 */
#include "fixture.h"

static const VkImageSubresourceLayers color = {
    .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT,
    .layerCount = 1,
};

/* Optimal images are linear inside: without padding for rows as short as these. */
static uint8_t *
texel(struct test_image *img, uint32_t index, uint32_t texel_B)
{
    return img->bytes + (size_t)index * texel_B;
}

static void
blit(struct fixture *f, struct test_image *src, struct test_image *dst, const VkImageBlit *region,
     VkFilter filter)
{
    test_begin(f);
    vkCmdBlitImage(f->cb, src->handle, VK_IMAGE_LAYOUT_GENERAL, dst->handle,
                   VK_IMAGE_LAYOUT_GENERAL, 1, region, filter);
    test_submit_and_wait(f);
}

static void
nearest_scales_and_mirrors(struct fixture *f)
{
    struct test_image src = test_image_create(f, VK_FORMAT_R32_UINT, 4, 1);
    struct test_image dst = test_image_create(f, VK_FORMAT_R32_UINT, 8, 1);
    const VkImageBlit region = {
        .srcSubresource = color,
        .srcOffsets = {{0, 0, 0}, {4, 1, 1}},
        .dstSubresource = color,
        .dstOffsets = {{8, 0, 0}, {0, 1, 1}},
    };
    const uint32_t in[4] = {10, 11, 12, 0xffffffff};
    memcpy(src.bytes, in, sizeof(in));

    blit(f, &src, &dst, &region, VK_FILTER_NEAREST);

    for (uint32_t x = 0; x < 8; x++)
        REQUIRE(memcmp(texel(&dst, x, 4), &in[3 - x / 2], 4) == 0);
    test_image_destroy(f, &src);
    test_image_destroy(f, &dst);
}

static void
linear_mixes_and_converts(struct fixture *f)
{
    struct test_image src = test_image_create(f, VK_FORMAT_R32_SFLOAT, 2, 1);
    struct test_image dst = test_image_create(f, VK_FORMAT_R8_UNORM, 4, 1);
    const VkImageBlit region = {
        .srcSubresource = color,
        .srcOffsets = {{0, 0, 0}, {2, 1, 1}},
        .dstSubresource = color,
        .dstOffsets = {{0, 0, 0}, {4, 1, 1}},
    };
    const float in[2] = {0.0f, 0.8f}; /* 204 of 255 */
    memcpy(src.bytes, in, sizeof(in));

    blit(f, &src, &dst, &region, VK_FILTER_LINEAR);

    REQUIRE_EQ(dst.bytes[0], 0);
    REQUIRE_EQ(dst.bytes[1], 51);
    REQUIRE_EQ(dst.bytes[2], 153);
    REQUIRE_EQ(dst.bytes[3], 204);
    test_image_destroy(f, &src);
    test_image_destroy(f, &dst);
}

static uint32_t
resolved_clear(struct fixture *f, VkFormat format, const VkClearColorValue *value)
{
    VkImageCreateInfo info = test_image_info(format, 3, 3);
    struct test_image dst = test_image_create_with(f, &info);
    info.samples = VK_SAMPLE_COUNT_4_BIT;
    struct test_image src = test_image_create_with(f, &info);
    const VkImageSubresourceRange range = {
        .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT,
        .levelCount = 1,
        .layerCount = 1,
    };
    const VkImageResolve region = {
        .srcSubresource = color,
        .dstSubresource = color,
        .extent = {3, 3, 1},
    };
    uint32_t last;

    test_begin(f);
    vkCmdClearColorImage(f->cb, src.handle, VK_IMAGE_LAYOUT_GENERAL, value, 1, &range);
    vkCmdResolveImage(f->cb, src.handle, VK_IMAGE_LAYOUT_GENERAL, dst.handle,
                      VK_IMAGE_LAYOUT_GENERAL, 1, &region);
    test_submit_and_wait(f);

    memcpy(&last, texel(&dst, 0, 4), sizeof(last));
    test_image_destroy(f, &src);
    test_image_destroy(f, &dst);
    return last;
}

static void
samples_are_resolved(struct fixture *f)
{
    const VkClearColorValue floats = {.float32 = {1.0f, 0.2f, 0.4f, 0.6f}};
    const VkClearColorValue ints = {.uint32 = {1, 2, 3, 4}};

    REQUIRE_EQ(resolved_clear(f, VK_FORMAT_R8G8B8A8_UNORM, &floats), 0x996633ff);
    REQUIRE_EQ(resolved_clear(f, VK_FORMAT_R8G8B8A8_UINT, &ints), 0x04030201);
}

static const struct test_case cases[] = {
    TEST_CASE(nearest_scales_and_mirrors),
    TEST_CASE(linear_mixes_and_converts),
    TEST_CASE(samples_are_resolved),
};
TEST_MAIN(cases)

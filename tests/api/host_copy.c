/* SPDX-License-Identifier: MIT */
/* Host image copies.
 */
#include "fixture.h"

static struct test_image
host_image(struct fixture *f, VkFormat format, uint32_t width_px, uint32_t height_px)
{
    VkImageCreateInfo info = test_image_info(format, width_px, height_px);
    info.usage |= VK_IMAGE_USAGE_HOST_TRANSFER_BIT;
    return test_image_create_with(f, &info);
}

static void
write_image(struct fixture *f, struct test_image *img, VkHostImageCopyFlags flags,
            const VkMemoryToImageCopy *region)
{
    const VkCopyMemoryToImageInfo info = {
        .sType = VK_STRUCTURE_TYPE_COPY_MEMORY_TO_IMAGE_INFO,
        .flags = flags,
        .dstImage = img->handle,
        .dstImageLayout = VK_IMAGE_LAYOUT_GENERAL,
        .regionCount = 1,
        .pRegions = region,
    };
    REQUIRE_EQ(vkCopyMemoryToImage(f->dev, &info), VK_SUCCESS);
}

static void
read_image(struct fixture *f, struct test_image *img, VkHostImageCopyFlags flags,
           const VkImageToMemoryCopy *region)
{
    const VkCopyImageToMemoryInfo info = {
        .sType = VK_STRUCTURE_TYPE_COPY_IMAGE_TO_MEMORY_INFO,
        .flags = flags,
        .srcImage = img->handle,
        .srcImageLayout = VK_IMAGE_LAYOUT_GENERAL,
        .regionCount = 1,
        .pRegions = region,
    };
    REQUIRE_EQ(vkCopyImageToMemory(f->dev, &info), VK_SUCCESS);
}

static void
transition(struct fixture *f, struct test_image *img)
{
    const VkHostImageLayoutTransitionInfo info = {
        .sType = VK_STRUCTURE_TYPE_HOST_IMAGE_LAYOUT_TRANSITION_INFO,
        .image = img->handle,
        .newLayout = VK_IMAGE_LAYOUT_GENERAL,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    REQUIRE_EQ(vkTransitionImageLayout(f->dev, 1, &info), VK_SUCCESS);
}

static void
fill_random(uint8_t *bytes, size_t size_B, uint64_t seed)
{
    for (size_t i = 0; i < size_B; i++)
        bytes[i] = (uint8_t)test_random(&seed);
}

static void
memory_goes_in_and_out_with_pitches(struct fixture *f)
{
    struct test_image img = host_image(f, VK_FORMAT_R8G8B8A8_UNORM, 37, 19);
    uint8_t src[50 * 19 * 4], dst[40 * 19 * 4];
    const VkMemoryToImageCopy in = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_TO_IMAGE_COPY,
        .pHostPointer = src,
        .memoryRowLength = 50,
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .imageExtent = {37, 19, 1},
    };
    const VkImageToMemoryCopy out = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_TO_MEMORY_COPY,
        .pHostPointer = dst,
        .memoryRowLength = 40,
        .imageSubresource = in.imageSubresource,
        .imageExtent = in.imageExtent,
    };
    fill_random(src, sizeof(src), 1);
    memset(dst, 0xee, sizeof(dst));

    transition(f, &img);
    write_image(f, &img, 0, &in);
    read_image(f, &img, 0, &out);

    for (uint32_t y = 0; y < 19; y++) {
        REQUIRE_BYTES(dst + y * 160, src + y * 200, 37 * 4);
        REQUIRE_EQ(dst[y * 160 + 37 * 4], 0xee);
    }
    test_image_destroy(f, &img);
}

static void
planes_of_words_go_in_and_out(struct fixture *f)
{
    struct test_image img =
        host_image(f, VK_FORMAT_G10X6_B10X6R10X6_2PLANE_420_UNORM_3PACK16, 38, 18);
    uint16_t src[38 * 18], dst[38 * 18];
    for (uint32_t i = 0; i < 2; i++) {
        const VkMemoryToImageCopy in = {
            .sType = VK_STRUCTURE_TYPE_MEMORY_TO_IMAGE_COPY,
            .pHostPointer = src,
            .imageSubresource = {VK_IMAGE_ASPECT_PLANE_0_BIT << i, 0, 0, 1},
            .imageExtent = {38 >> i, 18 >> i, 1},
        };
        const VkImageToMemoryCopy out = {
            .sType = VK_STRUCTURE_TYPE_IMAGE_TO_MEMORY_COPY,
            .pHostPointer = dst,
            .imageSubresource = in.imageSubresource,
            .imageExtent = in.imageExtent,
        };
        fill_random((uint8_t *)src, sizeof(src), 3 + i);
        memset(dst, 0xee, sizeof(dst));

        write_image(f, &img, 0, &in);
        read_image(f, &img, 0, &out);

        const size_t size_B = in.imageExtent.width * in.imageExtent.height * (2u << i);
        REQUIRE_BYTES(dst, src, size_B);
    }
    test_image_destroy(f, &img);
}

/* The bytes of a memcpy mean something to the driver alone, but they restore the image. */
static void
a_memcpy_restores_the_image(struct fixture *f)
{
    struct test_image from = host_image(f, VK_FORMAT_R8G8_UNORM, 45, 9);
    struct test_image to = host_image(f, VK_FORMAT_R8G8_UNORM, 45, 9);
    VkSubresourceHostMemcpySize size = {.sType = VK_STRUCTURE_TYPE_SUBRESOURCE_HOST_MEMCPY_SIZE};
    VkSubresourceLayout2 layout = {.sType = VK_STRUCTURE_TYPE_SUBRESOURCE_LAYOUT_2, .pNext = &size};
    const VkImageSubresource2 subresource = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_SUBRESOURCE_2,
        .imageSubresource = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT},
    };
    vkGetImageSubresourceLayout2(f->dev, from.handle, &subresource, &layout);
    uint8_t *bytes = malloc(size.size);
    uint8_t src[45 * 9 * 2], dst[45 * 9 * 2];
    VkMemoryToImageCopy in = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_TO_IMAGE_COPY,
        .pHostPointer = src,
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .imageExtent = {45, 9, 1},
    };
    VkImageToMemoryCopy out = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_TO_MEMORY_COPY,
        .pHostPointer = bytes,
        .imageSubresource = in.imageSubresource,
        .imageExtent = in.imageExtent,
    };
    fill_random(src, sizeof(src), 2);

    write_image(f, &from, 0, &in);
    read_image(f, &from, VK_HOST_IMAGE_COPY_MEMCPY_BIT, &out);
    in.pHostPointer = bytes;
    write_image(f, &to, VK_HOST_IMAGE_COPY_MEMCPY_BIT, &in);
    out.pHostPointer = dst;
    read_image(f, &to, 0, &out);

    REQUIRE_BYTES(dst, src, sizeof(src));
    free(bytes);
    test_image_destroy(f, &from);
    test_image_destroy(f, &to);
}

static void
images_are_copied_without_a_queue(struct fixture *f)
{
    struct test_image from = host_image(f, VK_FORMAT_R32_UINT, 16, 16);
    struct test_image to = host_image(f, VK_FORMAT_R32_UINT, 16, 16);
    uint32_t src[256], dst[256] = {0};
    const VkMemoryToImageCopy in = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_TO_IMAGE_COPY,
        .pHostPointer = src,
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .imageExtent = {16, 16, 1},
    };
    const VkImageCopy2 copy = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_COPY_2,
        .srcSubresource = in.imageSubresource,
        .srcOffset = {4, 4, 0},
        .dstSubresource = in.imageSubresource,
        .dstOffset = {8, 8, 0},
        .extent = {8, 8, 1},
    };
    const VkCopyImageToImageInfo info = {
        .sType = VK_STRUCTURE_TYPE_COPY_IMAGE_TO_IMAGE_INFO,
        .srcImage = from.handle,
        .srcImageLayout = VK_IMAGE_LAYOUT_GENERAL,
        .dstImage = to.handle,
        .dstImageLayout = VK_IMAGE_LAYOUT_GENERAL,
        .regionCount = 1,
        .pRegions = &copy,
    };
    const VkImageToMemoryCopy out = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_TO_MEMORY_COPY,
        .pHostPointer = dst,
        .imageSubresource = in.imageSubresource,
        .imageExtent = in.imageExtent,
    };
    for (uint32_t i = 0; i < 256; i++)
        src[i] = i + 1000;

    write_image(f, &from, 0, &in);
    REQUIRE_EQ(vkCopyImageToImage(f->dev, &info), VK_SUCCESS);
    read_image(f, &to, 0, &out);

    for (uint32_t y = 0; y < 16; y++) {
        for (uint32_t x = 0; x < 16; x++)
            REQUIRE_EQ(dst[y * 16 + x], x >= 8 && y >= 8 ? src[(y - 4) * 16 + x - 4] : 0);
    }
    test_image_destroy(f, &from);
    test_image_destroy(f, &to);
}

static const struct test_case cases[] = {
    TEST_CASE(memory_goes_in_and_out_with_pitches),
    TEST_CASE(planes_of_words_go_in_and_out),
    TEST_CASE(a_memcpy_restores_the_image),
    TEST_CASE(images_are_copied_without_a_queue),
};
TEST_MAIN(cases)

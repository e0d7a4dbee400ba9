/* SPDX-License-Identifier: MIT */
/* What the layer says of formats and of images for them. */
#include "coder.h"

#define CHECK(call) REQUIRE_EQ((call), VK_SUCCESS)

/* What a lent queue encoded from is not the lower device's to read. */
static void
references_are_for_nobody_else(struct fixture *f)
{
    struct coder coder;
    coder_init(f, &coder, NULL);
    VkPhysicalDeviceImageFormatInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
        .pNext = &coder.profiles,
        .format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
        .type = VK_IMAGE_TYPE_2D,
        .tiling = VK_IMAGE_TILING_OPTIMAL,
        .usage = VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR,
    };
    VkImageFormatProperties2 out = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2};

    CHECK(vkGetPhysicalDeviceImageFormatProperties2(f->pdev, &info, &out));
    REQUIRE(out.imageFormatProperties.maxArrayLayers > 0);
    info.usage |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    REQUIRE_EQ(vkGetPhysicalDeviceImageFormatProperties2(f->pdev, &info, &out),
               VK_ERROR_FORMAT_NOT_SUPPORTED);
    coder_finish(&coder);
}

static VkVideoFormatPropertiesKHR
first_listed(struct fixture *f, const struct coder *coder, VkImageUsageFlags usage)
{
    const VkPhysicalDeviceVideoFormatInfoKHR wanted = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_FORMAT_INFO_KHR,
        .pNext = &coder->profiles,
        .imageUsage = usage,
    };
    VkVideoFormatPropertiesKHR out = {.sType = VK_STRUCTURE_TYPE_VIDEO_FORMAT_PROPERTIES_KHR};
    uint32_t count = 1;

    REQUIRE(vkGetPhysicalDeviceVideoFormatPropertiesKHR(f->pdev, &wanted, &count, &out) >= 0);
    REQUIRE_EQ(count, 1);
    REQUIRE_EQ(out.imageUsageFlags & usage, usage);
    return out;
}

/* Images with all usages and flags that a listed format has can be made. */
static void
listed_formats_have_their_usages_at_once(struct fixture *f)
{
    const VkImageUsageFlags usages[] = {
        VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR,
        VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR,
    };
    struct coder coder;

    coder_init(f, &coder, NULL);
    for (size_t i = 0; i < 2; i++) {
        const VkVideoFormatPropertiesKHR format = first_listed(f, &coder, usages[i]);
        const VkPhysicalDeviceImageFormatInfo2 image = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
            .pNext = &coder.profiles,
            .format = format.format,
            .type = format.imageType,
            .tiling = format.imageTiling,
            .usage = format.imageUsageFlags,
            .flags = format.imageCreateFlags,
        };
        VkImageFormatProperties2 out = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2};
        CHECK(vkGetPhysicalDeviceImageFormatProperties2(f->pdev, &image, &out));
    }
    (void)first_listed(f, &coder, usages[0] | usages[1]); /* FFmpeg 7.1 asks so */
    coder_finish(&coder);
}

/* The older query knows of no profiles: it is asked of images that are independent of them. */
static void
both_forms_of_image_queries_know_sources(struct fixture *f)
{
    VkImageFormatProperties out;

    REQUIRE_EQ(vkGetPhysicalDeviceImageFormatProperties(
                   f->pdev, VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, VK_IMAGE_TYPE_2D,
                   VK_IMAGE_TILING_OPTIMAL, VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR,
                   VK_IMAGE_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR, &out),
               VK_SUCCESS);
    REQUIRE(out.maxExtent.width >= 4096);
    REQUIRE_EQ(vkGetPhysicalDeviceImageFormatProperties(
                   f->pdev, VK_FORMAT_R32G32_SFLOAT, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL,
                   VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR,
                   VK_IMAGE_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR, &out),
               VK_ERROR_FORMAT_NOT_SUPPORTED);
}

static const struct test_case cases[] = {
    TEST_CASE(references_are_for_nobody_else),
    TEST_CASE(listed_formats_have_their_usages_at_once),
    TEST_CASE(both_forms_of_image_queries_know_sources),
};
TEST_MAIN(cases)

/* SPDX-License-Identifier: MIT */
/* What formats and images can do: complete, and the same whichever way it is asked. Images that
 * the answers allow can be made.
 */
#include "fixture.h"

#include <string.h>

/* All ranges in which formats are numbered, and what lies around them. */
static const uint32_t format_ranges[][2] = {
    {0, 190},
    {1000054000, 1000054010},
    {1000066000, 1000066014},
    {1000156000, 1000156036},
    {1000288000, 1000288032},
    {1000330000, 1000330004},
    {1000340000, 1000340002},
    {1000460000, 1000460010},
    {1000464000, 1000464002},
    {1000470000, 1000470002},
    {1000609000, 1000609020},
    {0x7ffffff0, 0x7fffffff},
};

static uint64_t
random_next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

static VkFormat
random_format(uint64_t *state)
{
    const size_t count = sizeof(format_ranges) / sizeof(format_ranges[0]);
    const uint32_t *range = format_ranges[random_next(state) % count];
    return (VkFormat)(range[0] + random_next(state) % (range[1] - range[0] + 1));
}

static void
three_ways_to_ask_a_format_agree(struct fixture *f)
{
    for (size_t r = 0; r < sizeof(format_ranges) / sizeof(format_ranges[0]); r++) {
        for (uint32_t i = format_ranges[r][0]; i <= format_ranges[r][1]; i++) {
            VkFormatProperties3 three = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3};
            VkFormatProperties2 two = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2,
                                       .pNext = &three};
            VkFormatProperties one;
            vkGetPhysicalDeviceFormatProperties(f->pdev, (VkFormat)i, &one);
            vkGetPhysicalDeviceFormatProperties2(f->pdev, (VkFormat)i, &two);
            REQUIRE(memcmp(&one, &two.formatProperties, sizeof(one)) == 0);
            REQUIRE_EQ(one.optimalTilingFeatures, three.optimalTilingFeatures & 0x7fffffff);
            REQUIRE_EQ(one.linearTilingFeatures, three.linearTilingFeatures & 0x7fffffff);
            REQUIRE_EQ(one.bufferFeatures, three.bufferFeatures & 0x7fffffff);
        }
    }
}

static VkFormatFeatureFlags
features_of(struct fixture *f, VkFormat format)
{
    VkFormatProperties properties;
    vkGetPhysicalDeviceFormatProperties(f->pdev, format, &properties);
    return properties.optimalTilingFeatures;
}

static void
what_clients_need_is_there(struct fixture *f)
{
    static const VkFormat storage[] = {
        VK_FORMAT_R8_UNORM,
        VK_FORMAT_R8G8_UNORM,
        VK_FORMAT_R8_UINT,
        VK_FORMAT_R8G8_UINT,
        VK_FORMAT_R16_UNORM,
        VK_FORMAT_R16G16_UNORM,
        VK_FORMAT_R8G8B8A8_UNORM,
        VK_FORMAT_R32_UINT,
        VK_FORMAT_R32G32B32A32_SFLOAT,
        VK_FORMAT_R10X6_UNORM_PACK16,
        VK_FORMAT_R10X6G10X6_UNORM_2PACK16,
    };
    const VkFormatFeatureFlags plane = VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT |
                                       VK_FORMAT_FEATURE_TRANSFER_SRC_BIT |
                                       VK_FORMAT_FEATURE_TRANSFER_DST_BIT;
    for (size_t i = 0; i < sizeof(storage) / sizeof(storage[0]); i++)
        REQUIRE((features_of(f, storage[i]) & (plane | VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT)) ==
                (plane | VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT));
    const VkFormatFeatureFlags nv12 =
        plane | VK_FORMAT_FEATURE_DISJOINT_BIT | VK_FORMAT_FEATURE_COSITED_CHROMA_SAMPLES_BIT;
    REQUIRE((features_of(f, VK_FORMAT_G8_B8R8_2PLANE_420_UNORM) & nv12) == nv12);
    REQUIRE((features_of(f, VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM) & nv12) == nv12);
    REQUIRE((features_of(f, VK_FORMAT_G10X6_B10X6R10X6_2PLANE_420_UNORM_3PACK16) & nv12) == nv12);
}

/* FFmpeg's frame pool: no profile list, usages that only the planes have. */
static void
frame_pool_is_possible(struct fixture *f, VkFormat format)
{
    const VkImageCreateFlags flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT |
                                     VK_IMAGE_CREATE_EXTENDED_USAGE_BIT | VK_IMAGE_CREATE_ALIAS_BIT;
    const VkImageUsageFlags usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                    VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT |
                                    VK_IMAGE_USAGE_STORAGE_BIT;
    VkImageFormatProperties properties;
    for (int tiling = VK_IMAGE_TILING_OPTIMAL; tiling <= VK_IMAGE_TILING_LINEAR; tiling++) {
        REQUIRE_EQ(vkGetPhysicalDeviceImageFormatProperties(f->pdev, format, VK_IMAGE_TYPE_2D,
                                                            (VkImageTiling)tiling, usage, flags,
                                                            &properties),
                   VK_SUCCESS);
        REQUIRE(properties.maxExtent.width >= 8192 && properties.maxArrayLayers >= 28);
        REQUIRE_EQ(properties.maxMipLevels, 1);
    }
    /* Without EXTENDED_USAGE the format itself has to have the feature. */
    REQUIRE_EQ(vkGetPhysicalDeviceImageFormatProperties(
                   f->pdev, format, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL, usage,
                   VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT, &properties),
               VK_ERROR_FORMAT_NOT_SUPPORTED);
}

static void
frame_pools_of_clients_are_possible(struct fixture *f)
{
    frame_pool_is_possible(f, VK_FORMAT_G8_B8R8_2PLANE_420_UNORM);
    frame_pool_is_possible(f, VK_FORMAT_G10X6_B10X6R10X6_2PLANE_420_UNORM_3PACK16);
}

struct image_question {
    VkPhysicalDeviceImageFormatInfo2 info;
    VkPhysicalDeviceExternalImageFormatInfo external;
    VkPhysicalDeviceImageDrmFormatModifierInfoEXT modifier;
};

static void
image_question_init(struct image_question *q, uint64_t *state)
{
    static const VkImageTiling tilings[] = {VK_IMAGE_TILING_OPTIMAL, VK_IMAGE_TILING_LINEAR,
                                            VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT};
    *q = (struct image_question){
        .info =
            {
                .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
                .format = random_format(state),
                .type = (VkImageType)(random_next(state) % 4),
                .tiling = tilings[random_next(state) % 3],
                .usage = (VkImageUsageFlags)(random_next(state) & random_next(state)),
                .flags = (VkImageCreateFlags)(random_next(state) & random_next(state) &
                                              random_next(state)),
            },
        .external = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_IMAGE_FORMAT_INFO,
                     .handleType =
                         (VkExternalMemoryHandleTypeFlagBits)(1u << random_next(state) % 12)},
        .modifier = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_DRM_FORMAT_MODIFIER_INFO_EXT,
                     .drmFormatModifier = random_next(state) % 2},
    };
    if (random_next(state) % 2) /* often something that can be */
        q->info.usage &= 0xf;
    if (random_next(state) % 2)
        q->info.flags &= VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT |
                         VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT;
    if (random_next(state) % 4 == 0)
        q->info.pNext = &q->external;
    q->external.pNext = &q->modifier;
    if (q->info.tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT && !q->info.pNext)
        q->info.pNext = &q->modifier;
}

/* A small image of what was allowed. */
static void
require_creatable(struct fixture *f, const struct image_question *q)
{
    const VkImageDrmFormatModifierListCreateInfoEXT modifiers = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_LIST_CREATE_INFO_EXT,
        .drmFormatModifierCount = 1,
        .pDrmFormatModifiers = &q->modifier.drmFormatModifier,
    };
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .pNext = q->info.tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT ? &modifiers : NULL,
        .flags = q->info.flags,
        .imageType = q->info.type,
        .format = q->info.format,
        .extent = {12, q->info.type == VK_IMAGE_TYPE_1D ? 1 : 12,
                   q->info.type == VK_IMAGE_TYPE_3D ? 3 : 1},
        .mipLevels = 1,
        .arrayLayers = q->info.flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT ? 6 : 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .tiling = q->info.tiling,
        .usage = q->info.usage,
    };
    VkImage img;
    REQUIRE_EQ(vkCreateImage(f->dev, &info, NULL, &img), VK_SUCCESS);
    vkDestroyImage(f->dev, img, NULL);
}

static void
random_images_are_refused_or_can_be_made(struct fixture *f)
{
    uint64_t state = 7;
    uint32_t allowed = 0;
    for (uint32_t i = 0; i < 200000; i++) {
        struct image_question q;
        image_question_init(&q, &state);
        VkImageFormatProperties2 answer = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2};
        memset(&answer.imageFormatProperties, 0xee, sizeof(answer.imageFormatProperties));
        const VkResult result =
            vkGetPhysicalDeviceImageFormatProperties2(f->pdev, &q.info, &answer);

        const VkImageFormatProperties *p = &answer.imageFormatProperties;
        if (result != VK_SUCCESS) {
            REQUIRE_EQ(result, VK_ERROR_FORMAT_NOT_SUPPORTED);
            REQUIRE_EQ(p->maxExtent.width, 0);
            REQUIRE_EQ(p->maxResourceSize, 0);
            continue;
        }
        REQUIRE(p->maxExtent.width && p->maxMipLevels && p->maxArrayLayers);
        REQUIRE(p->sampleCounts & VK_SAMPLE_COUNT_1_BIT);
        REQUIRE(p->maxResourceSize >= UINT64_C(1) << 31);
        if (q.info.usage && allowed++ % 8 == 0)
            require_creatable(f, &q);
    }
    REQUIRE(allowed > 1000);
}

static VkResult
ask_extended(struct fixture *f, VkFormat format, VkImageUsageFlags usage)
{
    VkImageFormatProperties answer;
    return vkGetPhysicalDeviceImageFormatProperties(
        f->pdev, format, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL, usage,
        VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | VK_IMAGE_CREATE_EXTENDED_USAGE_BIT, &answer);
}

static void
extended_usage_needs_one_format_that_has_it(struct fixture *f)
{
    REQUIRE_EQ(ask_extended(f, VK_FORMAT_R8G8B8A8_SRGB, VK_IMAGE_USAGE_STORAGE_BIT), VK_SUCCESS);
    REQUIRE_EQ(ask_extended(f, VK_FORMAT_S8_UINT, VK_IMAGE_USAGE_STORAGE_BIT),
               VK_ERROR_FORMAT_NOT_SUPPORTED);
}

static void
sparse_images_do_not_exist(struct fixture *f)
{
    VkSparseImageFormatProperties properties;
    uint32_t count = 1;
    vkGetPhysicalDeviceSparseImageFormatProperties(
        f->pdev, VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_TYPE_2D, VK_SAMPLE_COUNT_1_BIT,
        VK_IMAGE_USAGE_SAMPLED_BIT, VK_IMAGE_TILING_OPTIMAL, &count, &properties);
    REQUIRE_EQ(count, 0);
}

static void
unknown_handles_share_nothing(struct fixture *f)
{
    const bool has_fds = fixture_has_extension(f, VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME);
    for (uint32_t bit = 0; bit < 31; bit++) {
        const VkPhysicalDeviceExternalBufferInfo buffer = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO,
            .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
            .handleType = (VkExternalMemoryHandleTypeFlagBits)(1u << bit),
        };
        VkExternalBufferProperties answer = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES};
        memset(&answer.externalMemoryProperties, 0xee, sizeof(answer.externalMemoryProperties));
        vkGetPhysicalDeviceExternalBufferProperties(f->pdev, &buffer, &answer);
        const VkExternalMemoryProperties *p = &answer.externalMemoryProperties;
        REQUIRE(!p->externalMemoryFeatures || p->compatibleHandleTypes & buffer.handleType);
        if (buffer.handleType == VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT)
            REQUIRE_EQ(p->externalMemoryFeatures,
                       has_fds ? VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT |
                                     VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT
                               : 0);
        if (buffer.handleType == VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_BIT)
            REQUIRE_EQ(p->externalMemoryFeatures, 0);
    }
}

static const struct test_case cases[] = {
    TEST_CASE(three_ways_to_ask_a_format_agree),
    TEST_CASE(what_clients_need_is_there),
    TEST_CASE(frame_pools_of_clients_are_possible),
    TEST_CASE(random_images_are_refused_or_can_be_made),
    TEST_CASE(extended_usage_needs_one_format_that_has_it),
    TEST_CASE(sparse_images_do_not_exist),
    TEST_CASE(unknown_handles_share_nothing),
};
TEST_MAIN(cases)

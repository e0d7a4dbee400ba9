/* SPDX-License-Identifier: MIT */
/* The formats of the transfer target: one of each size and arrangement of blocks.
 */
#ifndef RP_TESTS_FUZZ_TRANSFER_FORMATS_H
#define RP_TESTS_FUZZ_TRANSFER_FORMATS_H

#include "fixture.h"

#define MAX_PLANES 3u

struct plane_kind {
    VkImageAspectFlags aspect;
    uint32_t block_B;
    uint32_t block_px;         /* squares */
    uint32_t shift_x, shift_y; /* subsampling */
};

struct format_kind {
    VkFormat format;
    uint32_t plane_count;
    struct plane_kind planes[MAX_PLANES];
};

/* clang-format off */
#define COLOR(format, block_B, block_px) \
    {VK_FORMAT_##format, 1, {{VK_IMAGE_ASPECT_COLOR_BIT, block_B, block_px, 0, 0}}}

static const struct format_kind format_kinds[] = {
    COLOR(R8_UINT, 1, 1),
    COLOR(R8G8_UNORM, 2, 1),
    COLOR(R5G6B5_UNORM_PACK16, 2, 1),
    COLOR(R8G8B8A8_UINT, 4, 1),
    COLOR(A2B10G10R10_UNORM_PACK32, 4, 1),
    COLOR(R32_SFLOAT, 4, 1),
    COLOR(R16G16B16A16_SFLOAT, 8, 1),
    COLOR(R32G32_UINT, 8, 1),
    COLOR(R32G32B32A32_UINT, 16, 1),
    COLOR(BC1_RGB_UNORM_BLOCK, 8, 4),
    COLOR(BC3_UNORM_BLOCK, 16, 4),
    COLOR(ETC2_R8G8B8_UNORM_BLOCK, 8, 4),
    {VK_FORMAT_D16_UNORM, 1, {{VK_IMAGE_ASPECT_DEPTH_BIT, 2, 1, 0, 0}}},
    {VK_FORMAT_D32_SFLOAT, 1, {{VK_IMAGE_ASPECT_DEPTH_BIT, 4, 1, 0, 0}}},
    {VK_FORMAT_S8_UINT, 1, {{VK_IMAGE_ASPECT_STENCIL_BIT, 1, 1, 0, 0}}},
    {VK_FORMAT_D32_SFLOAT_S8_UINT, 2, {{VK_IMAGE_ASPECT_DEPTH_BIT, 4, 1, 0, 0},
                                       {VK_IMAGE_ASPECT_STENCIL_BIT, 1, 1, 0, 0}}},
    {VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, 2, {{VK_IMAGE_ASPECT_PLANE_0_BIT, 1, 1, 0, 0},
                                             {VK_IMAGE_ASPECT_PLANE_1_BIT, 2, 1, 1, 1}}},
    {VK_FORMAT_G8_B8_R8_3PLANE_422_UNORM, 3, {{VK_IMAGE_ASPECT_PLANE_0_BIT, 1, 1, 0, 0},
                                              {VK_IMAGE_ASPECT_PLANE_1_BIT, 1, 1, 1, 0},
                                              {VK_IMAGE_ASPECT_PLANE_2_BIT, 1, 1, 1, 0}}},
    {VK_FORMAT_G16_B16R16_2PLANE_420_UNORM, 2, {{VK_IMAGE_ASPECT_PLANE_0_BIT, 2, 1, 0, 0},
                                                {VK_IMAGE_ASPECT_PLANE_1_BIT, 4, 1, 1, 1}}},
};
/* clang-format on */
#define FORMAT_COUNT (sizeof(format_kinds) / sizeof(format_kinds[0]))

#endif

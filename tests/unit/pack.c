/* SPDX-License-Identifier: MIT */
/* Single texels against numbers worked out by hand, and against decoding.
 */
#include "test.h"

#include "format/pack.h"

#include <math.h>
#include <string.h>

static double
decode_small_float(uint32_t bits, uint32_t mantissa_bits)
{
    const uint32_t exponent = bits >> mantissa_bits & 31;
    const uint32_t mantissa = bits & ((1u << mantissa_bits) - 1);
    if (exponent == 0)
        return ldexp(mantissa, -14 - (int)mantissa_bits);
    return ldexp(mantissa + (1u << mantissa_bits), (int)exponent - 15 - (int)mantissa_bits);
}

static void
every_finite_half_survives(void)
{
    for (uint32_t bits = 0; bits < 0x7c00; bits++) {
        const float value = (float)decode_small_float(bits, 10);
        REQUIRE_EQ(rp_float_to_half(value), bits);
        REQUIRE_EQ(rp_float_to_half(-value), bits | 0x8000);
    }
}

static void
floats_round_to_the_nearest_half(void)
{
    for (uint32_t bits = 0; bits < 0x7bff; bits++) {
        const double low = decode_small_float(bits, 10);
        const double high = decode_small_float(bits + 1, 10);
        const float middle = (float)((low + high) / 2); /* exact: one more bit of mantissa */
        REQUIRE_EQ(rp_float_to_half(middle), bits + (bits & 1)); /* ties to even */
        REQUIRE_EQ(rp_float_to_half(nextafterf(middle, 0.0f)), bits);
        REQUIRE_EQ(rp_float_to_half(nextafterf(middle, 1e9f)), bits + 1);
    }
    REQUIRE_EQ(rp_float_to_half(65519.996f), 0x7bff);
    REQUIRE_EQ(rp_float_to_half(65520.0f), 0x7c00);
    REQUIRE_EQ(rp_float_to_half(INFINITY), 0x7c00);
    REQUIRE((rp_float_to_half(NAN) & 0x7fff) > 0x7c00);
}

static uint64_t
packed(VkFormat format, VkClearColorValue color)
{
    uint8_t texel[RP_MAX_TEXEL_B];
    uint64_t low;
    rp_format_pack_color(rp_format_get(format), &color, texel);
    memcpy(&low, texel, sizeof(low));
    return low;
}

static void
colours_pack_as_the_formats_say(void)
{
    const VkClearColorValue c = {.float32 = {1.0f, 0.5f, 0.25f, 0.0f}};
    const VkClearColorValue wild = {.float32 = {-2.0f, 3.0f, NAN, 1.0f}};
    const VkClearColorValue uints = {.uint32 = {1, 0x12345, 3, 4}};
    const VkClearColorValue ints = {.int32 = {-1, -200, 200, 5}};

    REQUIRE_EQ(packed(VK_FORMAT_R8G8B8A8_UNORM, c), 0x004080ff);
    REQUIRE_EQ(packed(VK_FORMAT_B8G8R8A8_UNORM, c), 0x00ff8040);
    REQUIRE_EQ(packed(VK_FORMAT_R8G8B8A8_UNORM, wild), 0xff00ff00);
    REQUIRE_EQ(packed(VK_FORMAT_R8G8B8A8_SNORM, c), 0x0020407f);
    REQUIRE_EQ(packed(VK_FORMAT_R5G6B5_UNORM_PACK16, c), 0xfc08);
    REQUIRE_EQ(packed(VK_FORMAT_R10X6_UNORM_PACK16, c), 0xffc0);
    REQUIRE_EQ(packed(VK_FORMAT_R10X6G10X6_UNORM_2PACK16, c), 0x8000ffc0);
    REQUIRE_EQ(packed(VK_FORMAT_A2B10G10R10_UNORM_PACK32, c), 0x100803ff);
    REQUIRE_EQ(packed(VK_FORMAT_R16G16B16A16_SFLOAT, c), 0x0000340038003c00);
    REQUIRE_EQ(packed(VK_FORMAT_B10G11R11_UFLOAT_PACK32, c), 0x681c03c0);
    REQUIRE_EQ(packed(VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, c), 0x81010100);
    REQUIRE_EQ(packed(VK_FORMAT_R8G8B8A8_SRGB, c), 0x0089bcff);
    REQUIRE_EQ(packed(VK_FORMAT_R8G8B8A8_UINT, uints), 0x0403ff01);
    REQUIRE_EQ(packed(VK_FORMAT_R8G8B8A8_SINT, ints), 0x057f80ff);
    REQUIRE_EQ(packed(VK_FORMAT_R64_UINT, uints), 0x0001234500000001);
    REQUIRE_EQ(packed(VK_FORMAT_R64_SINT, ints), 0xffffff38ffffffff);
    REQUIRE_EQ(packed(VK_FORMAT_R64_SFLOAT, c), 0x3f0000003f800000);
}

static void
depth_and_stencil_pack_by_plane(void)
{
    const VkClearDepthStencilValue value = {.depth = 1.0f, .stencil = 0x1ab};
    uint8_t texel[RP_MAX_TEXEL_B];

    rp_format_pack_depth_stencil(VK_FORMAT_D16_UNORM, &value, texel);
    REQUIRE(memcmp(texel, "\xff\xff\0\0", 4) == 0);
    rp_format_pack_depth_stencil(VK_FORMAT_X8_D24_UNORM_PACK32, &value, texel);
    REQUIRE(memcmp(texel, "\xff\xff\xff\0", 4) == 0);
    rp_format_pack_depth_stencil(VK_FORMAT_D32_SFLOAT, &value, texel);
    REQUIRE(memcmp(texel, "\0\0\x80\x3f", 4) == 0);
    rp_format_pack_depth_stencil(VK_FORMAT_S8_UINT, &value, texel);
    REQUIRE_EQ(texel[0], 0xab);
}

int
main(void)
{
    RUN(every_finite_half_survives);
    RUN(floats_round_to_the_nearest_half);
    RUN(colours_pack_as_the_formats_say);
    RUN(depth_and_stencil_pack_by_plane);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* Quantization maps: formats, limits, sizes.
 */
#include "video/encode/quantization_map.h"

#include "test.h"

#include <string.h>

static void
deltas_of_every_format_are_read_and_limited(void)
{
    static const int8_t texels8[] = {-128, -51, 0, 7, 51, 127};
    static const int16_t texels16[] = {-32768, -51, 0, 7, 51, 32767};
    static const int32_t texels32[] = {INT32_MIN, -51, 0, 7, 51, INT32_MAX};
    static const int16_t expected[] = {-51, -51, 0, 7, 51, 51};
    const struct rp_quantization_map maps[] = {
        {(const uint8_t *)texels8, 3, VK_FORMAT_R8_SINT, 3, 2},
        {(const uint8_t *)texels16, 6, VK_FORMAT_R16_SINT, 3, 2},
        {(const uint8_t *)texels32, 12, VK_FORMAT_R32_SINT, 3, 2},
    };
    for (uint32_t i = 0; i < 3; i++) {
        int16_t out[6];
        REQUIRE(rp_quantization_map_read(&maps[i], 3, 2, 51, out));
        REQUIRE(memcmp(out, expected, sizeof(out)) == 0);
    }
}

static void
emphasis_becomes_importance(void)
{
    static const uint8_t texels[] = {0, 255, 51, 9, 102, 0, 0, 9};
    const struct rp_quantization_map map = {texels, 4, VK_FORMAT_R8_UNORM, 3, 2};
    static const float expected[] = {0, 1, 0.2f, 0.4f, 0, 0};
    float out[6];
    REQUIRE(rp_emphasis_map_read(&map, 3, 2, out));
    REQUIRE(memcmp(out, expected, sizeof(out)) == 0);
    REQUIRE(!rp_emphasis_map_read(&map, 4, 2, out));
}

static void
small_and_strange_maps_are_refused(void)
{
    static const uint8_t texels[64];
    int16_t out[64];
    struct rp_quantization_map map = {texels, 4, VK_FORMAT_R8_SINT, 4, 4};
    REQUIRE(!rp_quantization_map_read(&map, 5, 4, 51, out));
    REQUIRE(!rp_quantization_map_read(&map, 4, 5, 51, out));
    map.format = VK_FORMAT_R8G8B8A8_UNORM;
    REQUIRE(!rp_quantization_map_read(&map, 4, 4, 51, out));
}

int
main(void)
{
    RUN(deltas_of_every_format_are_read_and_limited);
    RUN(emphasis_becomes_importance);
    RUN(small_and_strange_maps_are_refused);
    return 0;
}

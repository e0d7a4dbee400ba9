/* SPDX-License-Identifier: MIT */
/* Reading quantization maps. The application may write them while we read: every value is checked.
 */
#include "video/quantization_map.h"

#include "util/compiler.h"

#include <string.h>

/* QP difference between no emphasis and all of it: a bit less than four times the bits. */
#define EMPHASIS_QP_RANGE 12

static int8_t
clamp_delta(int32_t delta)
{
    return (int8_t)RP_MAX(-RP_QUANTIZATION_MAP_MAX_DELTA,
                          RP_MIN(delta, RP_QUANTIZATION_MAP_MAX_DELTA));
}

static void
read_deltas(const uint8_t *row, VkFormat format, uint32_t count, int8_t *out)
{
    for (uint32_t i = 0; i < count; i++) {
        int8_t value8;
        int16_t value16;
        int32_t value = 0;
        if (format == VK_FORMAT_R8_SINT) {
            memcpy(&value8, row + i, sizeof(value8));
            value = value8;
        } else if (format == VK_FORMAT_R16_SINT) {
            memcpy(&value16, row + 2 * (size_t)i, sizeof(value16));
            value = value16;
        } else {
            memcpy(&value, row + 4 * (size_t)i, sizeof(value));
        }
        out[i] = clamp_delta(value);
    }
}

/* What is emphasised gets its bits from the rest: offsets from the map's mean, so that the picture
 * as a whole keeps its size. */
static void
read_emphasis(const struct rp_quantization_map *map, uint32_t width_mb, uint32_t height_mb,
              int8_t *out)
{
    uint64_t sum = 0;
    for (uint32_t y = 0; y < height_mb; y++) {
        for (uint32_t x = 0; x < width_mb; x++)
            sum += map->texels[y * map->stride_B + x];
    }
    const int32_t mean = (int32_t)(sum / ((uint64_t)width_mb * height_mb));
    for (uint32_t y = 0; y < height_mb; y++) {
        for (uint32_t x = 0; x < width_mb; x++) {
            const int32_t above = map->texels[y * map->stride_B + x] - mean;
            const int32_t rounding = above < 0 ? -127 : 127;
            *out++ = clamp_delta(-(above * EMPHASIS_QP_RANGE + rounding) / 255);
        }
    }
}

bool
rp_quantization_map_read(const struct rp_quantization_map *map, uint32_t width_mb,
                         uint32_t height_mb, int8_t *out)
{
    if (map->width_tx < width_mb || map->height_tx < height_mb)
        return false;
    if (map->format == VK_FORMAT_R8_UNORM) {
        read_emphasis(map, width_mb, height_mb, out);
        return true;
    }
    if (map->format != VK_FORMAT_R8_SINT && map->format != VK_FORMAT_R16_SINT &&
        map->format != VK_FORMAT_R32_SINT)
        return false;
    for (uint32_t y = 0; y < height_mb; y++)
        read_deltas(map->texels + y * map->stride_B, map->format, width_mb, out + y * width_mb);
    return true;
}

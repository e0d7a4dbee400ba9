/* SPDX-License-Identifier: MIT */
/* Reading quantization maps. The application may write them while we read: every value is checked.
 */
#include "video/encode/quantization_map.h"

#include "util/compiler.h"

#include <string.h>

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

bool
rp_quantization_map_read(const struct rp_quantization_map *map, uint32_t width_mb,
                         uint32_t height_mb, int8_t *out)
{
    if (map->width_tx < width_mb || map->height_tx < height_mb)
        return false;
    if (map->format != VK_FORMAT_R8_SINT && map->format != VK_FORMAT_R16_SINT &&
        map->format != VK_FORMAT_R32_SINT)
        return false;
    for (uint32_t y = 0; y < height_mb; y++)
        read_deltas(map->texels + y * map->stride_B, map->format, width_mb, out + y * width_mb);
    return true;
}

bool
rp_emphasis_map_read(const struct rp_quantization_map *map, uint32_t width_mb, uint32_t height_mb,
                     float *out)
{
    if (map->width_tx < width_mb || map->height_tx < height_mb ||
        !rp_quantization_map_is_emphasis(map))
        return false;
    for (uint32_t y = 0; y < height_mb; y++) {
        for (uint32_t x = 0; x < width_mb; x++)
            *out++ = (float)map->texels[y * map->stride_B + x] / 255.0f;
    }
    return true;
}

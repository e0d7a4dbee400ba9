/* SPDX-License-Identifier: MIT */
/* Reading quantization maps. The application may write them while we read: every value is checked.
 */
#include "video/encode/quantization_map.h"

#include "util/compiler.h"

#include <string.h>

static void
read_deltas(const uint8_t *row, VkFormat format, uint32_t count, int32_t max_delta, int16_t *out)
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
        out[i] = (int16_t)RP_MAX(-max_delta, RP_MIN(value, max_delta));
    }
}

bool
rp_quantization_map_read(const struct rp_quantization_map *map, uint32_t width, uint32_t height,
                         int32_t max_delta, int16_t *out)
{
    if (map->width_tx < width || map->height_tx < height)
        return false;
    if (map->format != VK_FORMAT_R8_SINT && map->format != VK_FORMAT_R16_SINT &&
        map->format != VK_FORMAT_R32_SINT)
        return false;
    for (uint32_t y = 0; y < height; y++)
        read_deltas(map->texels + y * map->stride_B, map->format, width, max_delta,
                    out + y * width);
    return true;
}

bool
rp_emphasis_map_read(const struct rp_quantization_map *map, uint32_t width, uint32_t height,
                     float *out)
{
    if (map->width_tx < width || map->height_tx < height || !rp_quantization_map_is_emphasis(map))
        return false;
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++)
            *out++ = (float)map->texels[y * map->stride_B + x] / 255.0f;
    }
    return true;
}

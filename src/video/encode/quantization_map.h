/* SPDX-License-Identifier: MIT */
/* Quantization maps: texels of 16x16 pixels become numbers of macroblocks.
 */
#ifndef RP_VIDEO_ENCODE_QUANTIZATION_MAP_H
#define RP_VIDEO_ENCODE_QUANTIZATION_MAP_H

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RP_QUANTIZATION_MAP_MAX_DELTA 51

struct rp_quantization_map {
    const uint8_t *texels; /* NULL: there is no map */
    size_t stride_B;
    VkFormat format;   /* R8, R16 or R32_SINT: QP deltas; R8_UNORM: emphasis */
    uint32_t width_tx; /* texels that may be read */
    uint32_t height_tx;
};

static inline bool
rp_quantization_map_is_emphasis(const struct rp_quantization_map *map)
{
    return map->format == VK_FORMAT_R8_UNORM;
}

/* Write one value per macroblock, in raster order: a QP offset, an importance from 0 to 1. False
 * when the map is too small or of another format. */
bool rp_quantization_map_read(const struct rp_quantization_map *map, uint32_t width_mb,
                              uint32_t height_mb, int8_t *out);
bool rp_emphasis_map_read(const struct rp_quantization_map *map, uint32_t width_mb,
                          uint32_t height_mb, float *out);

#endif

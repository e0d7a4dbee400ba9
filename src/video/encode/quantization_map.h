/* SPDX-License-Identifier: MIT */
/* Quantization maps: texels become numbers of blocks, one for each.
 */
#ifndef RP_VIDEO_ENCODE_QUANTIZATION_MAP_H
#define RP_VIDEO_ENCODE_QUANTIZATION_MAP_H

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* Write one value per block of the standard's map_texel_px, in raster order: an offset of the
 * quantiser from -max_delta to max_delta, an importance from 0 to 1. False when the map is too
 * small or of another format. */
bool rp_quantization_map_read(const struct rp_quantization_map *map, uint32_t width,
                              uint32_t height, int32_t max_delta, int16_t *out);
bool rp_emphasis_map_read(const struct rp_quantization_map *map, uint32_t width, uint32_t height,
                          float *out);

#endif

/* SPDX-License-Identifier: MIT */
/* A colour, or depth and stencil, as the bytes of one texel.
 */
#ifndef RP_FORMAT_PACK_H
#define RP_FORMAT_PACK_H

#include "format/format.h"

#include <vulkan/vulkan_core.h>

#include <stdint.h>

#define RP_MAX_TEXEL_B 32

/* Writes fmt->planes[0].block_B bytes. fmt is a colour format of one plane that is not compressed.
 * Values that the format cannot hold are clamped to what it can (3.9, "Fixed-Point Data
 * Conversion"; NaN gives 0). Which member of color is read depends on the format's numeric type.
 */
void rp_format_pack_color(const struct rp_format *fmt, const VkClearColorValue *color,
                          uint8_t out[RP_MAX_TEXEL_B]);

/* One texel of a depth or stencil plane (D16, X8_D24, D32, S8). */
void rp_format_pack_depth_stencil(VkFormat plane, const VkClearDepthStencilValue *value,
                                  uint8_t out[RP_MAX_TEXEL_B]);

/* Round to nearest, ties to even; the largest finite number stays below what rounds to infinity.
 * NaN stays NaN. */
uint16_t rp_float_to_half(float value);
float rp_half_to_float(uint16_t half);

#endif

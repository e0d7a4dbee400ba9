/* SPDX-License-Identifier: MIT */
/* Single texels: memory to four components and back, for every uncompressed format of one plane.
 *
 * Components are 32 bits: floats for normalized, scaled and float formats, else integers. What a
 * format does not have is 0, and 1 for alpha.
 */
#ifndef RP_COMPUTE_IMAGE_TEXEL_H
#define RP_COMPUTE_IMAGE_TEXEL_H

#include "format/format.h"

#include <stdbool.h>
#include <stdint.h>

typedef void rp_texel_decode_fn(const struct rp_format *fmt, const uint8_t *texel, uint32_t out[4]);
typedef void rp_texel_encode_fn(const struct rp_format *fmt, uint8_t *texel, const uint32_t in[4]);

/* A plane's format with the functions that fit it best. */
struct rp_texel_codec {
    const struct rp_format *fmt;
    uint32_t texel_B;
    bool is_int;
    bool has_alpha;
    rp_texel_decode_fn *decode;
    rp_texel_encode_fn *encode;
};

/* Formats that are unknown or compressed give a codec of 0 bytes that reads zeros. */
struct rp_texel_codec rp_texel_codec_get(VkFormat format);

/* A block of two texels of a packed 4:2:2 format (G8B8G8R8 and its kin): Cb, Y of texel index,
 * Cr. */
void rp_texel_decode_422(const struct rp_format *fmt, const uint8_t *block, uint32_t index,
                         uint32_t out[3]);

/* sRGB to linear of 0..255. */
extern const float rp_srgb_to_linear[256];

#endif

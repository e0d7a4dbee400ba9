/* SPDX-License-Identifier: MIT */
/* Small helpers of the texture unit: lanes, positions in an image.
 */
#ifndef RP_COMPUTE_IMAGE_LANES_H
#define RP_COMPUTE_IMAGE_LANES_H

#include "compute/bindings.h"
#include "compute/float_bits.h"
#include "compute/image/image.h"
#include "compute/image/texel.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

static inline bool
rp_lane_is_active(const uint16_t *mask, uint32_t lane)
{
    return !mask || (mask[lane / 16] >> lane % 16 & 1);
}

static inline float
rp_lane_float(const uint32_t *array, uint32_t lane)
{
    return rp_bits_float(array[lane]);
}

/* A texel by integer coordinates; layer counts cube faces too. NULL outside of the image. */
static inline uint8_t *
rp_texel_at(const struct rp_texture_level *level, uint32_t texel_B, int32_t x, int32_t y, int32_t z)
{
    if ((uint32_t)x >= level->width_px || (uint32_t)y >= level->height_px ||
        (uint32_t)z >= level->depth_px || !level->data)
        return NULL;
    return level->data + (uint32_t)z * level->slice_B + (uint32_t)y * level->row_B +
           (size_t)(uint32_t)x * texel_B;
}

/* What an access outside of the image reads. */
static inline void
rp_texel_outside(const struct rp_texel_codec *codec, uint32_t out[4])
{
    out[0] = out[1] = out[2] = out[3] = 0;
    if (codec->fmt && !codec->has_alpha)
        out[3] = codec->is_int ? 1 : rp_float_bits(1.0f);
}

static inline uint32_t
rp_swizzle_pick(VkComponentSwizzle swizzle, uint32_t identity, const uint32_t texel[4], bool is_int)
{
    switch (swizzle) {
    case VK_COMPONENT_SWIZZLE_ZERO:
        return 0;
    case VK_COMPONENT_SWIZZLE_ONE:
        return is_int ? 1 : rp_float_bits(1.0f);
    case VK_COMPONENT_SWIZZLE_R:
    case VK_COMPONENT_SWIZZLE_G:
    case VK_COMPONENT_SWIZZLE_B:
    case VK_COMPONENT_SWIZZLE_A:
        return texel[swizzle - VK_COMPONENT_SWIZZLE_R];
    default:
        return texel[identity];
    }
}

static inline void
rp_swizzle_apply(const VkComponentMapping *swizzle, const uint32_t texel[4], bool is_int,
                 uint32_t out[4])
{
    out[0] = rp_swizzle_pick(swizzle->r, 0, texel, is_int);
    out[1] = rp_swizzle_pick(swizzle->g, 1, texel, is_int);
    out[2] = rp_swizzle_pick(swizzle->b, 2, texel, is_int);
    out[3] = rp_swizzle_pick(swizzle->a, 3, texel, is_int);
}

/* The layer of a sample: rounded to the nearest, ties to even, then inside of the array. */
static inline uint32_t
rp_layer_of(float coord, uint32_t layer_count)
{
    if (!(coord > 0.0f) || layer_count == 0)
        return 0;
    const float rounded = rintf(coord);
    return rounded >= (float)layer_count ? layer_count - 1 : (uint32_t)rounded;
}

#endif

/* SPDX-License-Identifier: MIT */
/* Short cuts of one instruction set for the image accesses that pictures are made of: 2D (samples:
 * and 3D), one level, components of up to 32 bits. They give the texture unit's results bit for
 * bit.
 *
 * Each returns false, having done nothing, when the access is of another kind. Arrays are aligned
 * to 64 bytes. A NULL in out: nobody wants that component.
 */
#ifndef RP_COMPUTE_EXEC_TEXELS_H
#define RP_COMPUTE_EXEC_TEXELS_H

#include "compute/image/image.h"

#include <stdbool.h>
#include <stdint.h>

struct rp_exec;
struct rp_geometry;
struct rp_op;

/* A coordinate: lanes[i], or where that is NULL base + stride * the lane's position. */
struct rp_texel_coord {
    const uint32_t *lanes;
    uint32_t base;
    uint32_t stride[3];
};

struct rp_texel_call {
    struct rp_exec *exec;
    const struct rp_op *op;
    const struct rp_texture *view;
    const struct rp_geometry *geometry;
    uint32_t first_block; /* of 16 lanes, in the geometry; all arrays begin there */
    uint32_t block_count;
    const uint16_t *mask;           /* NULL: all lanes; reads and samples may ignore it */
    struct rp_texel_coord coord[3]; /* integers; of samples floats */
    bool is_volume;                 /* a sample of one, with the third coordinate */
};

struct rp_texel_cuts {
    bool (*read)(const struct rp_texel_call *call, bool is_fetch, uint32_t *const out[4]);
    bool (*write)(const struct rp_texel_call *call, const uint32_t *const value[4]);
    bool (*sample)(const struct rp_texel_call *call, const struct rp_sampler_state *sampler,
                   uint32_t *const out[4]);
    bool (*gather)(const struct rp_texel_call *call, const struct rp_sampler_state *sampler,
                   uint32_t component, uint32_t *const out[4]);
};

static inline bool
rp_swizzle_is_identity(const VkComponentMapping *s)
{
    return (s->r == VK_COMPONENT_SWIZZLE_R || s->r == VK_COMPONENT_SWIZZLE_IDENTITY) &&
           (s->g == VK_COMPONENT_SWIZZLE_G || s->g == VK_COMPONENT_SWIZZLE_IDENTITY) &&
           (s->b == VK_COMPONENT_SWIZZLE_B || s->b == VK_COMPONENT_SWIZZLE_IDENTITY) &&
           (s->a == VK_COMPONENT_SWIZZLE_A || s->a == VK_COMPONENT_SWIZZLE_IDENTITY);
}

/* The one level of a plain view, or NULL. */
static inline const struct rp_texture_level *
rp_texel_level(const struct rp_texture *view)
{
    const struct rp_texture_level *level = &view->levels[0];
    if (view->plane_count != 1 || view->layer_count == 0 || view->min_lod >= 1.0f || !level->data ||
        level->depth_px == 0 || (uint64_t)level->row_B * level->height_px > INT32_MAX)
        return NULL;
    return level;
}

/* The IMAGE instruction (image.c), with the short cuts of the handler's instruction set; NULL: it
 * is of scalars. */
const struct rp_op *rp_exec_image(const struct rp_op *o, char *R, struct rp_exec *x,
                                  const struct rp_texel_cuts *cuts);

#endif

/* SPDX-License-Identifier: MIT */
/* Short cuts of one instruction set for image accesses. They give the texture unit's results bit
 * for bit: read, write and sample for what pictures are made of (2D, one level), the others for
 * nearly all there is.
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
    struct rp_texel_coord coord[4]; /* integers; of samples floats */
    /* Of read() and write(): not 0 where coord[2] says in which layer or slice a lane is. */
    uint32_t slice_count;
    uint32_t slice_B;          /* all of them have at most INT32_MAX */
    const uint32_t *dref;      /* of sample(): NULL, or what texels are compared with */
    const uint32_t *offset[2]; /* of sample(): NULL, or how many texels are added */
    /* Of read_any() and those behind it, which have the layer as the last coordinate: */
    const struct rp_image_shape *shape;
    const struct rp_image_args
        *args;            /* what there is beside the coordinates; of cubes these, too */
    uint32_t coord_count; /* without the layer */
    bool has_layer;       /* or a cube's face, of reads and writes */
    bool is_lod_even;     /* args->lod is the same for all lanes */
    uint32_t component;   /* of a gather */
    uint32_t *const *all; /* what out would be if all components were wanted */
};

struct rp_texel_cuts {
    bool (*read)(const struct rp_texel_call *call, bool is_fetch, uint32_t *const out[4]);
    bool (*write)(const struct rp_texel_call *call, const uint32_t *const value[4]);
    bool (*sample)(const struct rp_texel_call *call, const struct rp_sampler_state *sampler,
                   uint32_t *const out[4]);
    bool (*read_any)(const struct rp_texel_call *call, bool is_fetch, uint32_t *const out[4]);
    bool (*write_any)(const struct rp_texel_call *call, const uint32_t *const value[4]);
    bool (*sample_any)(const struct rp_texel_call *call, const struct rp_sampler_state *sampler,
                       uint32_t *const out[4]);
    bool (*gather_any)(const struct rp_texel_call *call, const struct rp_sampler_state *sampler,
                       uint32_t *const out[4]);
};

#define RP_TEXEL_LEVELS 16 /* of an image, at most */

/* A level of a view in words, as lanes look it up. */
struct rp_texel_place {
    int32_t size_px[3];
    int32_t step_B[3]; /* from one to the next along each axis */
    int32_t base_B;    /* of the first layer */
    int32_t layer_B;
};

/* A view whose levels are near each other. */
struct rp_texel_places {
    uint8_t *data;
    size_t size_B; /* of all there is from data on */
    uint32_t level_count;
    struct rp_texel_place level[RP_TEXEL_LEVELS];
};

/* Returns false when offsets do not fit into words, or there is nothing of some level. */
bool rp_texel_places_of(const struct rp_texture *view, uint32_t texel_B,
                        struct rp_texel_places *out);

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

/* SPDX-License-Identifier: MIT */
/* An image instruction of many lanes: its operands and where its results go.
 */
#ifndef RP_COMPUTE_EXEC_IMAGE_CALL_H
#define RP_COMPUTE_EXEC_IMAGE_CALL_H

#include "compute/exec/common.h"
#include "compute/exec/texels.h"
#include "compute/image/image.h"
#include "compute/image_op.h"

#include <string.h>

struct image_call {
    const struct rp_op *o;
    const struct ir_image *image;
    char *R;
    struct rp_exec *x;
    const struct rp_texel_cuts *cuts;
    struct rp_image_shape shape;
    int32_t first_lane;
    uint32_t count;
    const uint16_t *mask;                     /* NULL: all lanes */
    uint64_t (*apart)[RP_MAX_WORKGROUP_SIZE]; /* NULL, or where results go instead of registers */
    const VkComponentMapping *swizzle;        /* of results of short cuts; NULL: none */
};

static inline char *
operand(const struct image_call *c, int position)
{
    const struct rp_op_more *more = (const struct rp_op_more *)(c->o + 2) + position / 8;
    return c->R + more->r[position % 8];
}

/* The lanes of operand `position`, or NULL when it is IR_NONE. */
static inline const uint32_t *
lanes(const struct image_call *c, int first, uint32_t i)
{
    if (first < 0)
        return NULL;
    return (const uint32_t *)operand(c, first + (int)i) + c->first_lane;
}

/* Operands that are not kept by lanes, written out: coordinates, then the level. */
struct image_lanes {
    _Alignas(64) uint32_t v[5][RP_MAX_WORKGROUP_SIZE];
};

/* Nothing is copied: words that were just stored one by one would be waited for. */
static inline void
set_coordinate(const struct image_call *c, uint32_t i, struct rp_texel_coord *out)
{
    const uint32_t line = c->image->line[i];
    *out = (struct rp_texel_coord){.lanes = NULL};
    if (!line) {
        out->lanes = lanes(c, c->image->coord, i);
        return;
    }
    out->base = *(const uint32_t *)operand(c, c->image->coord + (int)i);
    for (uint32_t x = 0; x < 3; x++)
        out->stride[x] = *(const uint32_t *)operand(c, (int)(line + x));
}

static inline const uint32_t *
coordinate_lanes(const struct image_call *c, uint32_t i, uint32_t out[])
{
    struct rp_texel_coord coord;
    set_coordinate(c, i, &coord);
    const struct rp_geometry *g = c->x->geometry;
    const uint32_t *stride = coord.stride;
    if (coord.lanes)
        return coord.lanes;
    for (uint32_t lane = 0; lane < c->count; lane++) {
        const uint32_t at = (uint32_t)c->first_lane + lane;
        out[lane] = coord.base +
                    (g->is_line ? at * stride[0]
                                : (uint32_t)g->x[at] * stride[0] + (uint32_t)g->y[at] * stride[1] +
                                      (uint32_t)g->z[at] * stride[2]);
    }
    return out;
}

static inline const uint32_t *
lod_lanes(const struct image_call *c, uint32_t out[])
{
    if (!c->image->is_lod_uniform)
        return lanes(c, c->image->lod, 0);
    for (uint32_t lane = 0; lane < 16; lane++)
        out[lane] = *(const uint32_t *)operand(c, c->image->lod);
    for (uint32_t lane = 16; lane < c->count; lane += 16)
        memcpy(out + lane, out, 64);
    return out;
}

/* All but the coordinates. */
static inline void
fill_operands(const struct image_call *c, struct rp_image_args *args, struct image_lanes *written)
{
    const struct ir_image *image = c->image;
    *args = (struct rp_image_args){
        .lod = lod_lanes(c, written->v[4]),
        .sample = lanes(c, image->sample, 0),
        .bias = lanes(c, image->bias, 0),
        .min_lod = lanes(c, image->min_lod, 0),
        .dref = lanes(c, image->dref, 0),
    };
    for (uint32_t i = 0; i < image->grad_count; i++) {
        args->grad_x[i] = lanes(c, image->grad_x, i);
        args->grad_y[i] = lanes(c, image->grad_y, i);
    }
    for (uint32_t i = 0; i < image->offset_count; i++)
        args->offset[i] = lanes(c, image->offset, i);
    for (uint32_t i = 0; i < 8 && image->offsets >= 0; i++)
        args->offsets[i / 2][i % 2] = lanes(c, image->offsets, i);
}

static inline uint32_t *
result(const struct image_call *c, uint32_t i)
{
    const struct rp_op_more *more = (const struct rp_op_more *)(c->o + 1);
    return c->apart ? (uint32_t *)c->apart[i] : (uint32_t *)(c->R + more->r[i]) + c->first_lane;
}

/* The instruction by the short cuts of the handler's instruction set; false, with nothing done,
 * where there is none. All lanes have the image of desc and the sampler, which may be NULL. */
bool rp_image_cut(const struct image_call *c, const struct rp_descriptor *desc,
                  const struct rp_sampler_state *sampler);

#endif

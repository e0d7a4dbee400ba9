/* SPDX-License-Identifier: MIT */
/* Tells a recorder which texels the IMAGE behind it touches (compute/record.h).
 */
#include "compute/exec/common.h"
#include "compute/exec/record_lanes.h"
#include "compute/image/image.h"
#include "compute/image/texel.h"
#include "compute/image_op.h"

#include <string.h>

struct image_record {
    const struct rp_op *o; /* the IMAGE */
    const struct ir_image *image;
    const char *R;
    const struct rp_exec *x;
    struct rp_image_shape shape;
    struct rp_image_args args;
    uint32_t written[5][RP_MAX_WORKGROUP_SIZE]; /* operands that are not kept by lanes */
};

static const uint32_t *
operand(const struct image_record *r, int position)
{
    const struct rp_op_more *more = (const struct rp_op_more *)(r->o + 2) + position / 8;
    return (const uint32_t *)(r->R + more->r[position % 8]);
}

static const uint32_t *
lanes_of(const struct image_record *r, int first, uint32_t i)
{
    return first < 0 ? NULL : operand(r, first + (int)i);
}

static const uint32_t *
coordinate(struct image_record *r, uint32_t i)
{
    const struct rp_geometry *g = r->x->geometry;
    const uint32_t line = r->image->line[i];
    const uint32_t *base = operand(r, r->image->coord + (int)i);
    if (!line)
        return base;
    const uint32_t stride[3] = {*operand(r, (int)line), *operand(r, (int)line + 1),
                                *operand(r, (int)line + 2)};
    for (uint32_t lane = 0; lane < (uint32_t)r->x->k1 * 16; lane++)
        r->written[i][lane] = *base + (uint32_t)g->x[lane] * stride[0] +
                              (uint32_t)g->y[lane] * stride[1] + (uint32_t)g->z[lane] * stride[2];
    return r->written[i];
}

static void
args_fill(struct image_record *r)
{
    const struct ir_image *image = r->image;
    r->args.lod = lanes_of(r, image->lod, 0);
    if (image->is_lod_uniform) {
        for (uint32_t lane = 0; lane < RP_MAX_WORKGROUP_SIZE; lane++)
            r->written[4][lane] = *operand(r, image->lod);
        r->args.lod = r->written[4];
    }
    r->args.sample = lanes_of(r, image->sample, 0);
    for (uint32_t i = 0; i < image->coord_count; i++)
        r->args.coord[i] = coordinate(r, i);
    for (uint32_t i = 0; i < image->offset_count; i++)
        r->args.offset[i] = lanes_of(r, image->offset, i);
}

/* False: nothing is bound there, or what is not kept by texels. */
static bool
lane_place(const struct image_record *r, const struct rp_descriptor *desc, struct rp_access_lane *l,
           uint32_t *texel_B_out)
{
    const bool is_buffer = r->shape.dim == RP_DIM_BUFFER;
    if (!desc || (is_buffer ? !desc->ptr : !desc->view))
        return false;
    const uint32_t texel_B =
        rp_texel_codec_get(is_buffer ? desc->format : desc->view->format).texel_B;
    if (!texel_B)
        return false;

    struct rp_image_args one = r->args;
    uint8_t *at[1];
    for (uint32_t i = 0; i < 4; i++)
        one.coord[i] = one.coord[i] ? one.coord[i] + l->lane : NULL;
    for (uint32_t i = 0; i < 3; i++)
        one.offset[i] = one.offset[i] ? one.offset[i] + l->lane : NULL;
    one.lod = one.lod ? one.lod + l->lane : NULL;
    one.sample = one.sample ? one.sample + l->lane : NULL;
    rp_image_address(&r->shape, desc, &one, texel_B, 1, NULL, at);
    l->at = at[0];
    l->base = is_buffer ? desc->ptr : desc->view->levels[0].data;
    l->size_B = is_buffer ? desc->size_B : rp_image_view_size_B(desc->view);
    l->offset_B = at[0] ? (uint32_t)(at[0] - l->base) : one.coord[0][0];
    *texel_B_out = texel_B;
    return true;
}

const struct rp_op *
rp_common_RECORD_IMAGE(const struct rp_op *o, char *R, struct rp_exec *x)
{
    uint16_t lanes[RP_MAX_WORKGROUP_SIZE];
    struct rp_access_lane places[RP_MAX_WORKGROUP_SIZE];
    if (!x->recorder)
        return o + 1;
    const struct ir_image *image = &x->images[o[1].i];
    struct image_record r = {
        .o = o + 1,
        .image = image,
        .R = R,
        .x = x,
        .shape = {(enum rp_image_dim)image->dim, image->is_arrayed, image->is_multisampled},
    };
    args_fill(&r);
    const uint32_t *handles = (const uint32_t *)(R + r.o->a);
    const bool is_varying = r.o->n & RP_IMAGE_VARYING_VIEW;
    struct rp_access access = {
        .site = o->c,
        .binding = is_varying ? RP_NO_BINDING : rp_record_binding(x, handles[0]),
        .lanes = places,
    };
    const uint32_t count = rp_record_lanes(o, x, lanes);
    for (uint32_t i = 0; i < count; i++) {
        struct rp_access_lane *l = &places[access.count];
        *l = (struct rp_access_lane){.lane = lanes[i]};
        const struct rp_descriptor *desc =
            rp_exec_descriptor(x, handles[is_varying ? lanes[i] : 0]);
        access.count += lane_place(&r, desc, l, &access.size_B);
    }
    if (access.count)
        x->recorder->access(x->recorder, &access);
    return o + 1;
}

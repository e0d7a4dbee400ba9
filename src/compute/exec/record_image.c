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
    const uint16_t *mask;  /* NULL: all lanes are active */
    const struct ir_image *image;
    const char *R;
    const struct rp_exec *x;
    struct rp_image_shape shape;
    struct rp_image_args args;
    uint32_t written[5][RP_MAX_WORKGROUP_SIZE]; /* operands that are not kept by lanes */
    /* What is stored, as it will be in memory: as struct rp_access has values. */
    uint64_t texels[2][RP_MAX_WORKGROUP_SIZE];
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

/* The lane's texel: up to 4 bytes stand side by side, up to 8, or two halves. */
static void
texel_fill(struct image_record *r, const struct rp_descriptor *desc, uint32_t lane)
{
    const struct ir_image *image = r->image;
    const struct rp_texel_codec codec =
        rp_texel_codec_get(r->shape.dim == RP_DIM_BUFFER ? desc->format : desc->view->format);
    uint8_t texel[16] = {0};
    if (image->op != IR_IMAGE_WRITE || codec.texel_B > sizeof(texel))
        return;
    if (image->is_64) {
        memcpy(texel, (const uint64_t *)operand(r, image->value) + lane, sizeof(uint64_t));
    } else {
        uint32_t value[4];
        for (uint32_t i = 0; i < 4; i++)
            value[i] = lanes_of(r, image->value, i < image->value_count ? i : 0)[lane];
        codec.encode(codec.fmt, texel, value);
    }
    if (codec.texel_B <= sizeof(uint32_t)) {
        memcpy((uint32_t *)r->texels[0] + lane, texel, sizeof(uint32_t));
        return;
    }
    memcpy(&r->texels[0][lane], texel, sizeof(uint64_t));
    memcpy(&r->texels[1][lane], texel + sizeof(uint64_t), sizeof(uint64_t));
}

/* Where the lanes go, as struct rp_access has it. */
struct places {
    uint32_t count;
    uint32_t texel_B;
    bool is_mixed; /* texels of several sizes */
    uint16_t lanes[RP_MAX_WORKGROUP_SIZE];
    uint8_t *at[RP_MAX_WORKGROUP_SIZE];
    uint32_t offsets_B[RP_MAX_WORKGROUP_SIZE];
    struct rp_access_span spans[RP_MAX_WORKGROUP_SIZE];
};

/* False: nothing is bound there, or what is not kept by texels. */
static bool
view_look(const struct image_record *r, const struct rp_descriptor *desc,
          struct rp_access_span *span_out, uint32_t *texel_B_out)
{
    const bool is_buffer = r->shape.dim == RP_DIM_BUFFER;
    if (!desc || (is_buffer ? !desc->ptr : !desc->view))
        return false;
    const uint32_t texel_B =
        rp_texel_codec_get(is_buffer ? desc->format : desc->view->format).texel_B;
    if (!texel_B)
        return false;
    *texel_B_out = texel_B;
    *span_out = is_buffer ? (struct rp_access_span){desc->ptr, desc->size_B}
                          : (struct rp_access_span){desc->view->levels[0].data,
                                                    rp_image_view_size_B(desc->view)};
    return true;
}

static uint32_t
offset_of(const struct image_record *r, const struct rp_access_span *span, const uint8_t *at,
          uint32_t lane)
{
    return at ? (uint32_t)(at - span->base) : r->args.coord[0][lane];
}

/* All into one view. */
static void
places_in_view(struct image_record *r, const struct rp_descriptor *desc, struct places *p)
{
    uint8_t *at[RP_MAX_WORKGROUP_SIZE]; /* by lane */
    if (!view_look(r, desc, &p->spans[0], &p->texel_B)) {
        p->count = 0;
        return;
    }
    rp_image_address(&r->shape, desc, &r->args, p->texel_B, (uint32_t)r->x->k1 * 16, r->mask, at);
    for (uint32_t i = 0; i < p->count; i++) {
        const uint32_t lane = p->lanes[i];
        p->at[i] = at[lane];
        p->offsets_B[i] = offset_of(r, &p->spans[0], at[lane], lane);
        texel_fill(r, desc, lane);
    }
}

static uint8_t *
texel_of(const struct image_record *r, const struct rp_descriptor *desc, uint32_t texel_B,
         uint32_t lane)
{
    struct rp_image_args one = r->args;
    uint8_t *at;
    for (uint32_t i = 0; i < 4; i++)
        one.coord[i] = one.coord[i] ? one.coord[i] + lane : NULL;
    for (uint32_t i = 0; i < 3; i++)
        one.offset[i] = one.offset[i] ? one.offset[i] + lane : NULL;
    one.lod = one.lod ? one.lod + lane : NULL;
    one.sample = one.sample ? one.sample + lane : NULL;
    rp_image_address(&r->shape, desc, &one, texel_B, 1, NULL, &at);
    return at;
}

/* Each into a view of its own; lanes to which nothing is bound are left out. */
static void
places_varying(struct image_record *r, const uint32_t *handles, struct places *p)
{
    const uint32_t count = p->count;
    uint32_t texel_B = 0;
    p->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t lane = p->lanes[i], k = p->count;
        struct rp_descriptor room;
        const struct rp_descriptor *desc = rp_exec_descriptor(r->x, handles[lane], &room);
        if (!view_look(r, desc, &p->spans[k], &p->texel_B))
            continue;
        p->lanes[k] = (uint16_t)lane;
        p->at[k] = texel_of(r, desc, p->texel_B, lane);
        p->offsets_B[k] = offset_of(r, &p->spans[k], p->at[k], lane);
        p->is_mixed |= k && p->texel_B != texel_B;
        texel_B = p->texel_B;
        texel_fill(r, desc, lane);
        p->count++;
    }
}

/* Sizes that are none of a storage image's are left without. */
static void
values_fill(const struct image_record *r, struct rp_access *access)
{
    const uint32_t size_B = access->size_B;
    if (size_B != 1 && size_B != 2 && size_B != 4 && size_B != 8 && size_B != 16)
        return;
    access->value_count = size_B == 16 ? 2 : 1;
    access->value_B = size_B == 16 ? 8 : size_B;
    for (uint32_t i = 0; i < access->value_count; i++)
        access->values[i] = r->texels[i];
}

const struct rp_op *
rp_common_RECORD_IMAGE(const struct rp_op *o, char *R, struct rp_exec *x)
{
    struct places places;
    if (!x->recorder)
        return o + 1;
    const struct ir_image *image = &x->images[o[1].i];
    struct image_record r;
    r.o = o + 1;
    r.mask = x->is_full ? NULL : x->levels[o->level].bits;
    r.image = image;
    r.R = R;
    r.x = x;
    r.shape = (struct rp_image_shape){(enum rp_image_dim)image->dim, image->is_arrayed,
                                      image->is_multisampled};
    r.args = (struct rp_image_args){0};
    args_fill(&r);
    const uint32_t *handles = (const uint32_t *)(R + r.o->a);
    const bool is_varying = r.o->n & RP_IMAGE_VARYING_VIEW;
    struct rp_descriptor room;
    places.count = rp_record_lanes(o, x, places.lanes);
    places.texel_B = 0;
    places.is_mixed = false;
    if (is_varying)
        places_varying(&r, handles, &places);
    else
        places_in_view(&r, rp_exec_descriptor(x, handles[0], &room), &places);
    struct rp_access access = {
        .site = o->c,
        .size_B = places.texel_B,
        .binding = is_varying ? RP_NO_BINDING : rp_record_binding(x, handles[0]),
        .count = places.count,
        .has_spans = is_varying,
        .lanes = places.lanes,
        .at = places.at,
        .offsets_B = places.offsets_B,
        .spans = places.spans,
    };
    if (image->op == IR_IMAGE_WRITE && !places.is_mixed)
        values_fill(&r, &access);
    if (access.count)
        x->recorder->access(x->recorder, &access);
    return o + 1;
}

/* SPDX-License-Identifier: MIT */
/* Hands the active lanes of an image instruction to the texture unit.
 */
#include "compute/exec/atomic.h"
#include "compute/exec/image_call.h"
#include "compute/lane_ops.h"

#include <string.h>

static void
fill_args(const struct image_call *c, struct rp_image_args *args, struct image_lanes *written)
{
    fill_operands(c, args, written);
    for (uint32_t i = 0; i < c->image->coord_count; i++)
        args->coord[i] = coordinate_lanes(c, i, written->v[i]);
}

static uint64_t *
result64(const struct image_call *c, uint32_t i)
{
    const struct rp_op_more *more = (const struct rp_op_more *)(c->o + 1);
    return c->apart ? c->apart[i] : (uint64_t *)(c->R + more->r[i]) + c->first_lane;
}

static bool
is_active(const struct image_call *c, uint32_t lane)
{
    return !c->mask || (c->mask[lane / 16] >> lane % 16 & 1);
}

static void
image_atomic(const struct image_call *c, const struct rp_descriptor *desc,
             const struct rp_image_args *args)
{
    const struct ir_image *image = c->image;
    uint8_t *address[RP_MAX_WORKGROUP_SIZE];

    rp_image_address(&c->shape, desc, args, image->is_64 ? 8 : 4, c->count, c->mask, address);
    for (uint32_t lane = 0; lane < c->count; lane++) {
        if (!is_active(c, lane))
            continue;
        uint64_t old = 0;
        if (image->is_64) {
            const uint64_t *value = (const uint64_t *)operand(c, image->value) + c->first_lane;
            const uint64_t *other = (const uint64_t *)operand(c, image->value + 1) + c->first_lane;
            if (address[lane])
                old = rp_atomic64(address[lane], image->atomic, value[lane], other[lane], false);
            result64(c, 0)[lane] = old;
        } else {
            if (address[lane])
                old = rp_atomic32(address[lane], image->atomic, lanes(c, image->value, 0)[lane],
                                  lanes(c, image->value, 1)[lane], false);
            result(c, 0)[lane] = (uint32_t)old;
        }
    }
}

static void
image_write(const struct image_call *c, const struct rp_descriptor *desc,
            const struct rp_image_args *args)
{
    const struct ir_image *image = c->image;
    const uint32_t *value[4];
    const uint64_t *value64 = NULL;
    for (uint32_t i = 0; i < 4; i++) /* components that are missing may hold anything */
        value[i] = lanes(c, image->value, i < image->value_count ? i : 0);
    if (image->is_64)
        value64 = (const uint64_t *)operand(c, image->value) + c->first_lane;
    rp_image_write(&c->shape, desc, args, c->count, c->mask, value, value64);
}

static const struct rp_sampler_state *
sampler_of(const struct image_call *c, uint32_t lane)
{
    const uint32_t *handle = (const uint32_t *)(c->R + c->o->b);
    const bool is_varying = c->o->n & RP_IMAGE_VARYING_SAMPLER;
    struct rp_descriptor room;
    const struct rp_descriptor *d = rp_exec_descriptor(c->x, handle[is_varying ? lane : 0], &room);
    return d ? d->sampler : NULL;
}

static void
image_sample(const struct image_call *c, const struct rp_descriptor *desc,
             const struct rp_sampler_state *sampler, const struct rp_image_args *args)
{
    uint32_t *const out[4] = {result(c, 0), result(c, 1), result(c, 2), result(c, 3)};
    if (!desc->view || !sampler) {
        for (uint32_t i = 0; i < 4; i++)
            memset(out[i], 0, c->count * sizeof(out[i][0]));
    } else if (c->image->op == IR_IMAGE_LOD) {
        rp_image_lod(&c->shape, desc->view, sampler, args, c->count, c->mask, out);
    } else if (c->image->op == IR_IMAGE_GATHER) {
        rp_image_gather(&c->shape, desc->view, sampler, args, c->image->component, c->count,
                        c->mask, out);
    } else {
        rp_image_sample(&c->shape, desc->view, sampler, args, c->count, c->mask, out);
    }
}

static void
image_query(const struct image_call *c, const struct rp_descriptor *desc)
{
    const struct ir_image *image = c->image;
    const bool is_scalar = c->o->n & RP_IMAGE_SCALAR;
    struct image_lanes written;
    const uint32_t *lod = is_scalar ? lanes(c, image->lod, 0) : lod_lanes(c, written.v[4]);
    const struct rp_op_more *more = (const struct rp_op_more *)(c->o + 1);

    for (uint32_t lane = 0; lane < (is_scalar ? 1 : c->count); lane++) {
        uint32_t out[4] = {0};
        if (image->component == IR_QUERY_LEVELS)
            out[0] = rp_image_level_count(desc);
        else if (image->component == IR_QUERY_SAMPLES)
            out[0] = rp_image_sample_count(desc);
        else
            rp_image_size(&c->shape, desc, lod ? lod[lane] : 0, out);
        for (uint32_t i = 0; i < 4; i++) {
            if (is_scalar)
                *(uint32_t *)(c->R + more->r[i]) = out[i];
            else
                result(c, i)[lane] = out[i];
        }
    }
}

/* All operands are scalars: one texel for all lanes. */
static struct rp_image_args
scalar_args(const struct image_call *c)
{
    const struct ir_image *image = c->image;
    struct rp_image_args args = {0};

    if (image->lod >= 0)
        args.lod = (const uint32_t *)operand(c, image->lod);
    if (image->sample >= 0)
        args.sample = (const uint32_t *)operand(c, image->sample);
    for (uint32_t i = 0; i < image->coord_count; i++)
        args.coord[i] = (const uint32_t *)operand(c, image->coord + (int)i);
    for (uint32_t i = 0; i < image->offset_count; i++)
        args.offset[i] = (const uint32_t *)operand(c, image->offset + (int)i);
    return args;
}

static void
image_read_scalar(const struct image_call *c, const struct rp_descriptor *desc)
{
    const struct rp_op_more *more = (const struct rp_op_more *)(c->o + 1);
    const struct rp_image_args args = scalar_args(c);
    uint32_t *out[4];
    for (uint32_t i = 0; i < 4; i++)
        out[i] = (uint32_t *)(c->R + more->r[i]);
    rp_image_read(&c->shape, desc, &args, c->image->is_fetch, 1, NULL, out);
}

static void
image_write_scalar(const struct image_call *c, const struct rp_descriptor *desc)
{
    const struct ir_image *image = c->image;
    const struct rp_image_args args = scalar_args(c);
    const uint32_t *value[4];
    for (uint32_t i = 0; i < 4; i++) /* components that are missing may hold anything */
        value[i] =
            (const uint32_t *)operand(c, image->value + (int)(i < image->value_count ? i : 0));
    rp_image_write(&c->shape, desc, &args, 1, NULL, value, NULL);
}

static void
image_general(const struct image_call *c, const struct rp_descriptor *desc,
              const struct rp_sampler_state *sampler)
{
    uint32_t *const out[4] = {result(c, 0), result(c, 1), result(c, 2), result(c, 3)};
    struct rp_image_args args;
    struct image_lanes written;

    fill_args(c, &args, &written);
    switch ((enum ir_image_op)c->image->op) {
    case IR_IMAGE_READ:
        if (c->image->is_64)
            rp_image_read64(&c->shape, desc, &args, c->count, c->mask, result64(c, 0),
                            result64(c, 3));
        else
            rp_image_read(&c->shape, desc, &args, c->image->is_fetch, c->count, c->mask, out);
        break;
    case IR_IMAGE_WRITE:
        image_write(c, desc, &args);
        break;
    case IR_IMAGE_ATOMIC:
        image_atomic(c, desc, &args);
        break;
    case IR_IMAGE_SAMPLE:
    case IR_IMAGE_GATHER:
    case IR_IMAGE_LOD:
        image_sample(c, desc, sampler, &args);
        break;
    case IR_IMAGE_SIZE:
        image_query(c, desc);
        break;
    }
}

/* All lanes of the call have one image and one sampler. */
static void
image_call(const struct image_call *c, uint32_t handle, const struct rp_sampler_state *sampler)
{
    static const struct rp_descriptor empty;
    struct rp_descriptor room;
    const struct rp_descriptor *desc = rp_exec_descriptor(c->x, handle, &room);

    if (!desc)
        desc = &empty;
    if (c->o->n & RP_IMAGE_SCALAR && c->image->op == IR_IMAGE_READ)
        image_read_scalar(c, desc);
    else if (c->o->n & RP_IMAGE_SCALAR && c->image->op == IR_IMAGE_WRITE)
        image_write_scalar(c, desc);
    else if (!rp_image_cut(c, desc, sampler))
        image_general(c, desc, sampler);
}

/* Active lanes of other groups lie between those of the call: their results must stay. */
static void
image_call_apart(struct image_call *c, uint32_t handle, const struct rp_sampler_state *sampler)
{
    _Alignas(64) uint64_t apart[4][RP_MAX_WORKGROUP_SIZE];
    struct image_call to = *c;
    c->apart = apart;
    image_call(c, handle, sampler);

    const bool is_wide = c->image->is_64 && c->image->op != IR_IMAGE_SIZE;
    for (uint32_t lane = 0; lane < c->count; lane++) {
        if (!is_active(c, lane))
            continue;
        for (uint32_t i = 0; i < 4; i++) {
            if (is_wide)
                result64(&to, i)[lane] = apart[i][lane];
            else
                result(&to, i)[lane] = ((const uint32_t *)apart[i])[lane];
        }
    }
}

/* The lanes of a group, which have one image and one sampler; others of c may be active, too. */
static void
image_group(const struct image_call *c, const uint16_t *group, uint32_t handle,
            const struct rp_sampler_state *sampler)
{
    uint32_t first = 0, last = c->count / 16;
    while (!group[first])
        first++;
    while (!group[last - 1])
        last--;
    bool is_alone = true, is_full = true;
    for (uint32_t b = first; b < last; b++) {
        is_alone &= group[b] == (c->mask ? c->mask[b] : 0xffff);
        is_full &= group[b] == 0xffff;
    }

    struct image_call part = *c;
    part.first_lane += (int32_t)first * 16;
    part.count = (last - first) * 16;
    part.mask = is_full ? NULL : group + first;
    if (is_alone)
        image_call(&part, handle, sampler);
    else
        image_call_apart(&part, handle, sampler);
}

/* Lanes that differ in image or sampler: group by group of equal ones. */
static void
image_by_handle(const struct image_call *c)
{
    uint16_t left[RP_MAX_BLOCKS], group[RP_MAX_BLOCKS];
    const uint32_t *handles = (const uint32_t *)(c->R + c->o->a);
    const bool is_varying = c->o->n & RP_IMAGE_VARYING_VIEW;
    const uint32_t first = (uint32_t)c->first_lane;

    for (uint32_t b = 0; b < c->count / 16; b++)
        left[b] = c->mask ? c->mask[b] : 0xffff;
    for (uint32_t lane = 0; lane < c->count; lane++) {
        if (!(left[lane / 16] >> lane % 16 & 1))
            continue;
        const uint32_t handle = handles[is_varying ? first + lane : 0];
        const struct rp_sampler_state *sampler =
            c->image->sampler >= 0 ? sampler_of(c, first + lane) : NULL;
        memset(group, 0, sizeof(group));
        for (uint32_t l = lane; l < c->count; l++) {
            const bool is_same = handles[is_varying ? first + l : 0] == handle &&
                                 (c->image->sampler < 0 || sampler_of(c, first + l) == sampler);
            if (is_same && (left[l / 16] >> l % 16 & 1)) {
                group[l / 16] |= (uint16_t)(1u << l % 16);
                left[l / 16] &= (uint16_t) ~(1u << l % 16);
            }
        }
        image_group(c, group, handle, sampler);
    }
}

const struct rp_op *
rp_exec_image(const struct rp_op *o, char *R, struct rp_exec *x, const struct rp_texel_cuts *cuts)
{
    const struct ir_image *image = &x->images[o->i];
    struct image_call c = {
        .o = o,
        .image = image,
        .R = R,
        .x = x,
        .cuts = cuts,
        .shape = {(enum rp_image_dim)image->dim, image->is_arrayed, image->is_multisampled},
        .first_lane = o->n & RP_IMAGE_SCALAR ? 0 : x->k0 * 16,
        .count = (uint32_t)(x->k1 - x->k0) * 16,
        .mask = x->is_full ? NULL : x->levels[o->level].bits + x->k0,
    };

    if (o->n & (RP_IMAGE_VARYING_VIEW | RP_IMAGE_VARYING_SAMPLER))
        image_by_handle(&c);
    else
        image_call(&c, *(const uint32_t *)(R + o->a),
                   image->sampler >= 0 ? sampler_of(&c, 0) : NULL);
    return o + 2 + (image->arg_count + 7) / 8;
}

/* SPDX-License-Identifier: MIT */
/* The taps of a filter: which texels of a level the lanes of a sample see, and what these are.
 */
#ifndef RP_COMPUTE_EXEC_TEXEL_TAPS_H
#define RP_COMPUTE_EXEC_TEXEL_TAPS_H

#include "compute/exec/texel_axis.h"
#include "compute/exec/texel_lod.h"
#include "compute/exec/texel_unit.h"

/* What is the same for all lanes of a call. */
struct unit {
    const struct rp_texel_call *call;
    const struct rp_sampler_state *sampler;
    struct rp_texel_places places;
    struct texel_span span;
    struct kind kind;
    uint32_t texel_B;
    struct picks picks;
    bool has_picks;
    uint32_t axis_count;
    uint32_t components; /* bits: those that the format has */
    uint32_t mixed;      /* bits: those that are filtered */
    uint32_t mixed_end;  /* one more than the last of them */
    uint32_t border[4];
    bool is_int;
    bool is_average; /* neither compared nor reduced */
    bool is_cube;
    bool is_seamless; /* a cube whose faces join */
    bool clamps_dref; /* fixed-point depth */
};

/* One point of each lane, in texels or normalized; layers count cube faces. */
struct point {
    vf coord[3];
    vi layer;
    vi offset[3];
    vf dref;
    struct cube_lanes cube;
};

/* Where a vector lies in a level; without a filter there are no second texels and no weights. */
struct taps {
    vi base;
    vi offset[3][2];
    vi outside[3][2]; /* of the border's colour */
    vf weight[3][2];
    bool has_border;
};

/* The texel that stands for one that may lie outside, as of a border. */
static inline vi
lanes_wrap(vi at, vi size_px, VkSamplerAddressMode mode, vi *outside)
{
    const vi is_out = VI(VU(at) >= VU(size_px));
    *outside = mode == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER ? is_out : (vi){0};
    return vi_bits(is_out) == 0 ? at : axis_wrap(at, size_px, mode);
}

/* Sets the texels along an axis, unwrapped ones `at` and `at` + 1 (of count). Returns lanes that
 * leave their face of a cube. */
static inline vi
taps_set(const struct unit *u, uint32_t axis, vi at, uint32_t count, const struct level_lanes *l,
         struct taps *taps)
{
    const VkSamplerAddressMode mode =
        u->is_seamless ? VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE : u->sampler->address_mode[axis];
    const vi size_px = l->size_px[axis];
    vi astray = {0};
    for (uint32_t k = 0; k < count; k++) {
        const vi texel = at + (int32_t)k;
        const vi wrapped = lanes_wrap(texel, size_px, mode, &taps->outside[axis][k]);
        if (u->is_seamless)
            astray |= VI(VU(texel) >= VU(size_px));
        else if (mode == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER)
            taps->has_border |= vi_bits(taps->outside[axis][k]) != 0;
        taps->offset[axis][k] = wrapped * l->step_B[axis];
    }
    return astray;
}

static inline vf
coordinate_in(const struct unit *u, const struct point *p, uint32_t axis,
              const struct level_lanes *l)
{
    vf at = p->coord[axis];
    if (!u->sampler->is_unnormalized)
        at *= __builtin_convertvector(l->size_px[axis], vf);
    return texel_reach(at);
}

static inline vi
taps_linear(const struct unit *u, const struct point *p, const struct level_lanes *l,
            struct taps *taps)
{
    vi astray = {0};
    taps->has_border = false;
    taps->base = l->base_B + p->layer * l->layer_B;
    for (uint32_t i = 0; i < u->axis_count; i++) {
        const vf at = coordinate_in(u, p, i, l) - 0.5f;
        const vf low = axis_floor(at);
        const vf fraction = at - low;
        taps->weight[i][0] = 1.0f - fraction;
        taps->weight[i][1] = fraction;
        astray |= taps_set(u, i, __builtin_convertvector(low, vi) + p->offset[i], 2, l, taps);
    }
    return astray;
}

static inline void
taps_nearest(const struct unit *u, const struct point *p, const struct level_lanes *l,
             struct taps *taps)
{
    taps->has_border = false;
    taps->base = l->base_B + p->layer * l->layer_B;
    for (uint32_t i = 0; i < u->axis_count; i++) {
        const vf low = axis_floor(coordinate_in(u, p, i, l));
        (void)taps_set(u, i, __builtin_convertvector(low, vi) + p->offset[i], 1, l, taps);
    }
}

RP_ALWAYS_INLINE vf
tap_weight(uint32_t axis_count, const struct taps *taps, uint32_t tap)
{
    vf weight = taps->weight[0][tap & 1];
    for (uint32_t i = 1; i < axis_count; i++)
        weight *= taps->weight[i][tap >> i & 1];
    return weight;
}

/* 1 where the comparison holds. */
static inline vi
compared(const struct unit *u, vf ref, vf value)
{
    const uint32_t op = (uint32_t)u->sampler->compare_op; /* bits: less, equal, greater */
    vi passes = {0};
    if (op & VK_COMPARE_OP_LESS)
        passes |= VI(ref < value);
    if (op & VK_COMPARE_OP_EQUAL)
        passes |= VI(ref == value);
    if (op & VK_COMPARE_OP_GREATER)
        passes |= VI(ref > value);
    if (op == VK_COMPARE_OP_NOT_EQUAL)
        passes = VI(ref != value);
    if (op == VK_COMPARE_OP_ALWAYS)
        passes = ~(vi){0};
    return passes & VI(vf_splat(1.0f));
}

/* The components of one tap: bit i says which of the two texels along axis i. */
RP_ALWAYS_INLINE void
tap_decode(uint32_t axis_count, const struct unit *u, const struct taps *taps, uint32_t tap,
           vi value[4])
{
    vi offset = taps->base, outside = {0};
    vu texel[4];
    for (uint32_t i = 0; i < axis_count; i++)
        offset += taps->offset[i][tap >> i & 1];
    RP_FN(load)(u->texel_B, &u->span, offset, texel);
    RP_FN(decode)(&u->kind, texel, value);
    if (!taps->has_border)
        return;
    for (uint32_t i = 0; i < axis_count; i++)
        outside |= taps->outside[i][tap >> i & 1];
    for (uint32_t c = 0; c < 4 && vi_bits(outside) != 0; c++)
        if (u->components >> c & 1)
            value[c] = vi_select(outside, vi_splat((int32_t)u->border[c]), value[c]);
}

static inline void
tap_read(const struct unit *u, const struct point *p, const struct taps *taps, uint32_t tap,
         vi value[4])
{
    tap_decode(u->axis_count, u, taps, tap, value);
    if (u->call->args->dref)
        value[0] = compared(u, p->dref, VF(value[0]));
}

#endif

/* SPDX-License-Identifier: MIT */
/* The taps of a filter: which texels of a level the lanes of a sample see, and what these are.
 */
#ifndef RP_COMPUTE_EXEC_TEXEL_TAPS_H
#define RP_COMPUTE_EXEC_TEXEL_TAPS_H

#include "compute/exec/texel_axis.h"
#include "compute/exec/texel_lod.h"
#include "compute/exec/texel_unit.h"

struct unit;
struct point;
struct taps;

/* What a linear filter makes of taps inside of the image. */
typedef void mean_fn(const struct unit *u, const struct point *p, const struct taps *taps,
                     vi out[4]);

/* For averages of a format, or of comparisons with it; NULL: there is none. */
mean_fn *RP_FN(mean_of)(const struct kind *kind, bool is_compared);

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
    mean_fn *mean;                   /* NULL, or of filters whose taps are all inside */
    struct level_kept *kept;         /* two: levels of even and of odd number */
    const struct lod_choice *choice; /* NULL, or of all lanes */
    bool has_layer;                  /* or a face */
    bool has_offset;
    bool has_border; /* along some axis */
    bool is_int;
    bool is_average; /* neither compared nor reduced */
    bool is_cube;
    bool is_seamless; /* a cube whose faces join */
    bool clamps_dref; /* fixed-point depth */
};

/* What the last uniform level of a kind was, written out. */
struct level_kept {
    int32_t level; /* -1: none yet */
    struct level_lanes lanes;
};

/* The levels that lanes see, and what of each. */
struct lod_choice {
    vi is_linear;
    vi level;
    vf fraction; /* of the level behind it */
    vi is_mixed; /* where that is not 0 */
    bool is_any_mixed;
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
    bool has_seam; /* of a cube: each tap lies where `seam` says, in the order of tap_weight() */
    vi seam[4];
};

/* Sets the k-th texel along an axis, which may be outside. Returns lanes that leave their face of a
 * cube. */
static inline vi
taps_wrap(const struct unit *u, uint32_t axis, vi texel, uint32_t k, const struct level_lanes *l,
          struct taps *taps)
{
    const VkSamplerAddressMode mode =
        u->is_seamless ? VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE : u->sampler->address_mode[axis];
    const vi is_out = VI(VU(texel) >= VU(l->size_px[axis]));
    taps->offset[axis][k] = axis_wrap(texel, l->size_px[axis], mode) * l->step_B[axis];
    if (mode == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER) {
        taps->outside[axis][k] = is_out;
        taps->has_border |= vi_bits(is_out) != 0;
    }
    return is_out & vi_splat(u->is_seamless ? -1 : 0);
}

/* Sets the texels along an axis, unwrapped ones `at` and `at` + 1 (of count). Returns lanes that
 * leave their face of a cube. */
static inline vi
taps_set(const struct unit *u, uint32_t axis, vi at, uint32_t count, const struct level_lanes *l,
         struct taps *taps)
{
    const vi last = at + (int32_t)(count - 1), size_px = l->size_px[axis];
    vi astray = {0};
    if (u->has_border)
        taps->outside[axis][0] = taps->outside[axis][1] = (vi){0};
    if (vi_bits(VI(VU(at) >= VU(size_px)) | VI(VU(last) >= VU(size_px))) == 0) {
        taps->offset[axis][0] = at * l->step_B[axis];
        taps->offset[axis][1] = taps->offset[axis][0] + l->step_B[axis];
        return astray;
    }
    for (uint32_t k = 0; k < count; k++)
        astray |= taps_wrap(u, axis, at + (int32_t)k, k, l, taps);
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
texel_of_floor(const struct unit *u, const struct point *p, uint32_t axis, vf low)
{
    vi at = __builtin_convertvector(low, vi);
    if (u->has_offset)
        at += p->offset[axis];
    return at;
}

static inline void
taps_begin(const struct unit *u, const struct point *p, const struct level_lanes *l,
           struct taps *taps)
{
    taps->has_border = taps->has_seam = false;
    taps->base = l->base_B;
    if (u->has_layer)
        taps->base += p->layer * l->layer_B;
}

/* first: where the first tap is, unwrapped. Returns lanes that leave their face of a cube. */
static inline vi
taps_linear(const struct unit *u, const struct point *p, const struct level_lanes *l, vi first[3],
            struct taps *taps)
{
    vi astray = {0};
    taps_begin(u, p, l, taps);
    for (uint32_t i = 0; i < u->axis_count; i++) {
        const vf at = coordinate_in(u, p, i, l) - 0.5f;
        const vf low = axis_floor(at);
        const vf fraction = at - low;
        taps->weight[i][0] = 1.0f - fraction;
        taps->weight[i][1] = fraction;
        first[i] = texel_of_floor(u, p, i, low);
        astray |= taps_set(u, i, first[i], 2, l, taps);
    }
    for (uint32_t i = u->axis_count; i < 3; i++) { /* axes that there are not change nothing */
        taps->weight[i][0] = vf_splat(1.0f);
        taps->offset[i][0] = (vi){0};
    }
    return astray;
}

static inline void
taps_nearest(const struct unit *u, const struct point *p, const struct level_lanes *l,
             struct taps *taps)
{
    taps_begin(u, p, l, taps);
    for (uint32_t i = 0; i < u->axis_count; i++) {
        const vf low = axis_floor(coordinate_in(u, p, i, l));
        (void)taps_set(u, i, texel_of_floor(u, p, i, low), 1, l, taps);
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

/* Where a tap of a square lies. */
static inline vi
tap_place(const struct taps *taps, uint32_t tap)
{
    if (taps->has_seam)
        return taps->seam[tap];
    return taps->base + taps->offset[0][tap & 1] + taps->offset[1][tap >> 1];
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
    if (axis_count == 2 && taps->has_seam)
        offset = taps->seam[tap];
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
        value[0] = compared(u->sampler->compare_op, p->dref, VF(value[0]));
}

#endif

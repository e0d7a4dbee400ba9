/* SPDX-License-Identifier: MIT */
/* Where the lanes of a sample lie: texels and weights along an axis, with edges that clamp,
 * repeat or mirror.
 */
#ifndef RP_COMPUTE_EXEC_TEXEL_AXIS_H
#define RP_COMPUTE_EXEC_TEXEL_AXIS_H

#include "compute/exec/texel_vec.h"

#define COORD_LIMIT 1.0e9f /* as in image/filter.c */

static inline vf
axis_floor(vf value)
{
#if RP_VW == 16
    return (vf)_mm512_roundscale_ps((__m512)value, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
#elif RP_VW == 8
    return (vf)_mm256_floor_ps((__m256)value);
#elif defined(RP_NEON)
    return (vf)vrndmq_f32((float32x4_t)value);
#else
    const vf whole = __builtin_convertvector(__builtin_convertvector(value, vi), vf);
    return vf_select(whole > value, whole - 1.0f, whole);
#endif
}

/* Between 0 and last. */
static inline vi
axis_clamp(vi value, vi last)
{
#if RP_VW == 16
    return (vi)_mm512_min_epi32(_mm512_max_epi32((__m512i)value, _mm512_setzero_si512()),
                                (__m512i)last);
#elif RP_VW == 8
    return (vi)_mm256_min_epi32(_mm256_max_epi32((__m256i)value, _mm256_setzero_si256()),
                                (__m256i)last);
#elif defined(RP_NEON)
    return (vi)vminq_s32(vmaxq_s32((int32x4_t)value, vdupq_n_s32(0)), (int32x4_t)last);
#else
    const vi low = vi_select(value < 0, (vi){0}, value);
    return vi_select(low > last, last, low);
#endif
}

/* A coordinate in texels, kept in reach of integers; NaN goes to the low end. */
static inline vf
texel_reach(vf u)
{
#if RP_VW == 16
    const __m512 low = _mm512_max_ps((__m512)u, _mm512_set1_ps(-COORD_LIMIT));
    return (vf)_mm512_min_ps(low, _mm512_set1_ps(COORD_LIMIT));
#elif RP_VW == 8
    const __m256 low = _mm256_max_ps((__m256)u, _mm256_set1_ps(-COORD_LIMIT));
    return (vf)_mm256_min_ps(low, _mm256_set1_ps(COORD_LIMIT));
#elif defined(RP_NEON)
    const float32x4_t low = vmaxnmq_f32((float32x4_t)u, vdupq_n_f32(-COORD_LIMIT));
    return (vf)vminnmq_f32(low, vdupq_n_f32(COORD_LIMIT));
#else
    const vf low = vf_select(u > -COORD_LIMIT, u, vf_splat(-COORD_LIMIT));
    return vf_select(low < COORD_LIMIT, low, vf_splat(COORD_LIMIT));
#endif
}

/* The coordinate in texels. scale: of what the shader gives, the size or 1. */
static inline vf
texel_place(vi coordinate, float scale)
{
    return texel_reach(VF(coordinate) * scale);
}

/* One axis of a linear filter: the two texels and how far the point lies from the first. */
struct linear_axis {
    vi at[2];
    vf weight[2];
    bool has_second; /* which has no weight in any lane else */
};

/* at modulo size_px. */
static inline vi
axis_modulo(vi at, vi size_px)
{
    vi whole = {0};
    if (vi_bits(VI(VU(at) >= VU(size_px))) == 0)
        return at;
    if (vi_bits((size_px & (size_px - 1)) != 0) == 0)
        return at & (size_px - 1);
    for (int32_t i = 0; i < RP_VW; i += RP_VW / 2) {
        vih half, divisor;
        memcpy(&half, (const char *)&at + 4 * i, sizeof(half));
        memcpy(&divisor, (const char *)&size_px + 4 * i, sizeof(divisor));
        /* Exact enough: both have fewer bits than the quotient. */
        half = __builtin_convertvector(
            __builtin_convertvector(half, vd) / __builtin_convertvector(divisor, vd), vih);
        memcpy((char *)&whole + 4 * i, &half, sizeof(half));
    }
    const vi rest = at - whole * size_px;
    return vi_select(rest < 0, rest + size_px, rest);
}

/* The texel that stands for one that may lie outside; of a border the nearest. */
static __attribute__((noinline, unused)) vi
axis_wrap(vi at, vi size_px, VkSamplerAddressMode mode)
{
    switch ((int)mode) {
    case VK_SAMPLER_ADDRESS_MODE_REPEAT:
        return axis_modulo(at, size_px);
    case VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT: {
        const vi m = axis_modulo(at, 2 * size_px);
        return vi_select(m < size_px, m, 2 * size_px - 1 - m);
    }
    case VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE:
        return axis_clamp(vi_select(at < 0, ~at, at), size_px - 1);
    default:
        return axis_clamp(at, size_px - 1);
    }
}

static __attribute__((noinline, unused)) void
axis_wrap_both(uint32_t size_px, VkSamplerAddressMode mode, vi at[2])
{
    for (uint32_t i = 0; i < 2; i++)
        at[i] = axis_wrap(at[i], vi_splat((int32_t)size_px), mode);
}

/* offset: texels that are added, of the lanes at hand, or NULL. */
RP_ALWAYS_INLINE struct linear_axis
linear_axis_of(vi coordinate, const vi *offset, uint32_t size_px, float scale,
               VkSamplerAddressMode mode)
{
    const vf u = texel_place(coordinate, scale) - 0.5f;
    const vf low = axis_floor(u);
    vi first = __builtin_convertvector(low, vi);
    if (offset)
        first += *offset;
    const vf fraction = u - low;
    struct linear_axis axis = {
        .at = {first, first + 1},
        .weight = {1.0f - fraction, fraction},
        .has_second = !vi_equal(VI(fraction), (vi){0}),
    };
    if (vi_bits(VI(VU(first) >= size_px - 1)) != 0)
        axis_wrap_both(size_px, mode, axis.at);
    return axis;
}

/* Where the comparison holds. */
RP_ALWAYS_INLINE vi
passes_of(VkCompareOp compare_op, vf ref, vf value)
{
    const uint32_t op = (uint32_t)compare_op; /* bits: less, equal, greater */
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
    return passes;
}

/* 1 where the comparison holds. */
static inline vi
compared(VkCompareOp compare_op, vf ref, vf value)
{
    return passes_of(compare_op, ref, value) & VI(vf_splat(1.0f));
}

/* A sample of many lanes: what is the same for all. */
struct sampling {
    const struct rp_texel_call *call;
    const struct rp_texture_level *level;
    float scale[2];
    VkSamplerAddressMode mode[2];
    VkCompareOp compare_op;
    bool has_one_row; /* all lanes have y */
    bool is_gather;   /* all four texels are wanted, whatever their weights */
    struct linear_axis y;
};

static __attribute__((noinline, unused)) vi
uniform_coordinates(const struct rp_texel_call *call, uint32_t axis, uint32_t s)
{
    return texel_coordinates(call, axis, s);
}

/* Of a sample, which nearly always has lanes. */
RP_ALWAYS_INLINE vi
sample_coordinates(const struct rp_texel_call *call, uint32_t axis, uint32_t s)
{
    const uint32_t *lanes = call->coord[axis].lanes;
    return lanes ? ((const vi *)lanes)[s] : uniform_coordinates(call, axis, s);
}

/* The level's axis 0 or 1 of the s-th vector. */
RP_ALWAYS_INLINE struct linear_axis
linear_axis_at(const struct sampling *sampling, uint32_t axis, uint32_t s)
{
    const struct rp_texture_level *level = sampling->level;
    const vi *offset = (const vi *)sampling->call->offset[axis];
    return linear_axis_of(sample_coordinates(sampling->call, axis, s), offset ? offset + s : NULL,
                          axis ? level->height_px : level->width_px, sampling->scale[axis],
                          sampling->mode[axis]);
}

/* Member by member, as they are read: vectors that were stored in other pieces would be waited
 * for. */
RP_ALWAYS_INLINE void
linear_axis_copy(const struct linear_axis *axis, struct linear_axis *out)
{
    out->at[0] = axis->at[0];
    out->at[1] = axis->at[1];
    out->weight[0] = axis->weight[0];
    out->weight[1] = axis->weight[1];
    out->has_second = axis->has_second;
}

RP_ALWAYS_INLINE void
linear_axis_to(const struct sampling *sampling, uint32_t axis, uint32_t s, struct linear_axis *out)
{
    const struct linear_axis found = linear_axis_at(sampling, axis, s);
    linear_axis_copy(&found, out);
}

/* Offsets of the s-th vector's nearest texels, all inside of a 2D image. */
RP_ALWAYS_INLINE vi
nearest_offsets(const struct sampling *sampling, uint32_t s, uint32_t texel_B)
{
    const struct rp_texture_level *level = sampling->level;
    vi at[2];
    for (uint32_t axis = 0; axis < 2; axis++) {
        const vf u = axis_floor(
            texel_place(sample_coordinates(sampling->call, axis, s), sampling->scale[axis]));
        const uint32_t size_px = axis ? level->height_px : level->width_px;
        const vi *offset = (const vi *)sampling->call->offset[axis];
        vi texel = __builtin_convertvector(u, vi);
        if (offset)
            texel += offset[s];
        at[axis] = axis_wrap(texel, vi_splat((int32_t)size_px), sampling->mode[axis]);
    }
    return at[1] * (int32_t)level->row_B + at[0] * (int32_t)texel_B;
}

#endif

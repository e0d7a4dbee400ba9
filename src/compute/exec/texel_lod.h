/* SPDX-License-Identifier: MIT */
/* Which level, layer and face of a cube the lanes of a sample see (16.5 and 16.8), as
 * compute/image/sample.c and cube.c have it for one lane.
 */
#ifndef RP_COMPUTE_EXEC_TEXEL_LOD_H
#define RP_COMPUTE_EXEC_TEXEL_LOD_H

#include "compute/exec/math.h"
#include "compute/exec/texel_axis.h"

#include <math.h>

/* As fmaxf() and fminf(): of a NaN and a number the number. */
static inline vf
lod_most(vf a, vf b)
{
    return vf_select(VI(a > b) | VI(b != b), a, b);
}

static inline vf
lod_least(vf a, vf b)
{
    return vf_select(VI(a < b) | VI(b != b), a, b);
}

/* Between 0 and last. */
static inline vf
lod_within(vf lod, uint32_t last)
{
    return lod_least(lod_most(lod, (vf){0}), vf_splat((float)last));
}

static inline vf
lod_log2(vf value)
{
    float each[RP_VW];
    memcpy(each, &value, sizeof(each));
    for (uint32_t i = 0; i < RP_VW; i++)
        each[i] = log2f(each[i]);
    memcpy(&value, each, sizeof(each));
    return value;
}

/* The level nearest to d, which is between 0 and last; of two the lower one. */
static inline vi
nearest_level(vf d, uint32_t last)
{
    const vf up = -axis_floor(-(d + 0.5f)) - 1.0f;
    return __builtin_convertvector(lod_within(up, last), vi);
}

/* The layer of a sample: rounded to the nearest, ties to even, then inside of the array. */
static inline vi
nearest_layer(vf coord, uint32_t layer_count)
{
    const float last = layer_count ? (float)(layer_count - 1) : 0.0f;
    const vf inside = lod_least(lod_most(coord, (vf){0}), vf_splat(last));
    /* Adding 2^23 leaves the rounded number in the low bits. */
    return VI(inside + 0x1p23f) & 0x7fffff;
}

/* Which component of a direction is the longest, and what the face sees of vectors. */
struct cube_lanes {
    vi is_z;
    vi is_y; /* neither: x */
    vi is_negative;
    vf length; /* of the longest component */
    vf s, t;
    vi face; /* of what is seen */
};

static inline vf
negated_where(vi mask, vf value)
{
    return VF(VI(value) ^ (mask & INT32_MIN));
}

/* The s and t of a vector, and what it is along the major axis. */
static inline void
cube_turn(const struct cube_lanes *c, const vf r[3], vf *s, vf *t, vf *major)
{
    const vi is_x = ~(c->is_z | c->is_y);
    const vf s_axis = vf_select(is_x, r[2], r[0]);
    const vf t_axis = vf_select(c->is_y, r[2], r[1]);
    *s = negated_where((is_x & ~c->is_negative) | (c->is_z & c->is_negative), s_axis);
    *t = negated_where(~c->is_y | c->is_negative, t_axis);
    *major =
        negated_where(c->is_negative, vf_select(c->is_z, r[2], vf_select(c->is_y, r[1], r[0])));
}

/* Directions become coordinates in a face. Returns which face. */
static inline vi
cube_project(vf r[3], struct cube_lanes *c)
{
    const vf x = VF(VI(r[0]) & INT32_MAX), y = VF(VI(r[1]) & INT32_MAX);
    const vf z = VF(VI(r[2]) & INT32_MAX);
    c->is_z = VI(z >= x) & VI(z >= y);
    c->is_y = ~c->is_z & VI(y >= x);
    const vf longest = vf_select(c->is_z, r[2], vf_select(c->is_y, r[1], r[0]));
    c->is_negative = VI(longest < 0.0f);
    c->length = VF(VI(longest) & INT32_MAX);

    vf major;
    cube_turn(c, r, &c->s, &c->t, &major);
    const vf scale = vf_select(c->length > 0.0f, 0.5f / c->length, (vf){0});
    r[0] = c->s * scale + 0.5f;
    r[1] = c->t * scale + 0.5f;
    return (c->is_z & 4) + (c->is_y & 2) + (c->is_negative & 1);
}

/* Derivatives of a direction become those of coordinates in the face. */
static inline void
cube_derivative(const struct cube_lanes *c, vf dr[3])
{
    const vf scale = vf_select(c->length > 0.0f, 0.5f / (c->length * c->length), (vf){0});
    vf ds, dt, dmajor;
    cube_turn(c, dr, &ds, &dt, &dmajor);
    dr[0] = (c->length * ds - c->s * dmajor) * scale;
    dr[1] = (c->length * dt - c->t * dmajor) * scale;
}

#endif

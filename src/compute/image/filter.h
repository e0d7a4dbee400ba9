/* SPDX-License-Identifier: MIT */
/* One mip level sampled at one point: footprint, address modes, taps, weights.
 */
#ifndef RP_COMPUTE_IMAGE_FILTER_H
#define RP_COMPUTE_IMAGE_FILTER_H

#include "compute/bindings.h"
#include "compute/image/texel.h"

#include <stdbool.h>
#include <stdint.h>

/* Where a plane's components go in the colour. */
struct rp_filter_plane {
    const struct rp_texture_level *levels;
    struct rp_texel_codec codec;
    int8_t target[4]; /* component of the colour that takes the codec's i-th; -1: none */
    bool has_alpha;
    bool is_chroma;     /* half the width (and height) of the picture, with chroma's filter */
    float scale[2];     /* of luma coordinates in texels to this plane's */
    float shift[2];     /* added after that, with a linear filter: chroma siting */
    bool is_packed_422; /* luma and chroma in one block of two texels */
};

/* A view and a sampler, prepared once for many lanes. */
struct rp_filter {
    const struct rp_texture *view;
    const struct rp_sampler_state *sampler;
    uint32_t plane_count;
    struct rp_filter_plane plane[3];
    uint32_t dim_count; /* 1 to 3 wrapped coordinates */
    bool is_cube;       /* 2 of them, in faces */
    bool is_seamless;   /* a cube whose faces join */
    bool is_int;
    bool clamps_dref;   /* fixed-point depth */
    uint32_t border[4]; /* a texel outside, with CLAMP_TO_BORDER */
};

/* One point. coord: normalized or, with is_unnormalized, in texels of level 0. layer counts cube
 * faces. */
struct rp_filter_point {
    float coord[3];
    uint32_t layer;
    int32_t offset[3];
    bool has_dref;
    float dref;
};

struct rp_filter rp_filter_init(const struct rp_texture *view,
                                const struct rp_sampler_state *sampler, uint32_t dim_count,
                                bool is_cube);

/* Four components before the view's swizzle (Y'CbCr: before conversion). With has_dref the first is
 * the result of the comparison. */
void rp_filter_level(const struct rp_filter *filter, const struct rp_filter_point *point,
                     uint32_t level, VkFilter mode, uint32_t out[4]);

/* The four texels that a bilinear filter would read of level: (i0, j1), (i1, j1), (i1, j0),
 * (i0, j0), each before the swizzle, compared with has_dref. */
void rp_filter_gather(const struct rp_filter *filter, const struct rp_filter_point *point,
                      uint32_t level, uint32_t out[4][4]);

/* The i0, j0 texel alone, of point's own offset. */
void rp_filter_gather_one(const struct rp_filter *filter, const struct rp_filter_point *point,
                          uint32_t level, uint32_t out[4]);

/* Cube maps (16.5.4). r: the direction. Face 0..5 and coordinates in the face in [0, 1]. */
uint32_t rp_cube_project(const float r[3], float out[2]);

/* Derivatives of a cube direction become those of face coordinates (16.5.6). */
void rp_cube_derivative(const float r[3], uint32_t face, const float dr[3], float out[2]);

/* A texel that may lie one step outside of its face, size_px wide, is one of the face next to it.
 * Returns false at a corner, where there is none. */
bool rp_cube_wrap(uint32_t size_px, uint32_t *face, int32_t *x, int32_t *y);

#endif

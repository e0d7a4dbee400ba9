/* SPDX-License-Identifier: MIT */
/* The texture unit: images read, written and sampled for many lanes at once.
 *
 * Lanes are columns of arrays: element i of each array is lane i's. mask has a bit per lane (bit
 * i % 16 of mask[i / 16]); NULL is all lanes. Results of lanes outside the mask are undefined.
 * Numbers are 32 bits: float bits or integers, as the format and the instruction say. Every access
 * is checked against the image; what lies outside reads as zero (with alpha 1 where the format has
 * none) and is not written. An empty descriptor reads as zero in all components.
 *
 * read.c is access by integer coordinates; sample.c goes from operands to level of detail, and asks
 * filter.c for each level and cube.c for the faces of cube maps. texel.c decodes and encodes one
 * texel, with srgb_tables.c; ycbcr.c is the conversion of Y'CbCr samplers; lanes.h has the helpers
 * of all.
 */
#ifndef RP_COMPUTE_IMAGE_IMAGE_H
#define RP_COMPUTE_IMAGE_IMAGE_H

#include "compute/bindings.h"

#include <stdbool.h>
#include <stdint.h>

/* SPIR-V's Dim, by its numbers. */
enum rp_image_dim {
    RP_DIM_1D = 0,
    RP_DIM_2D = 1,
    RP_DIM_3D = 2,
    RP_DIM_CUBE = 3,
    RP_DIM_BUFFER = 5,
};

/* What OpTypeImage says. The view decides where the two differ in layers. */
struct rp_image_shape {
    enum rp_image_dim dim;
    bool is_arrayed;
    bool is_multisampled;
};

/* The operands of one instruction; each array has an element per lane, NULL: absent. */
struct rp_image_args {
    const uint32_t *coord[4]; /* in SPIR-V's order, the array layer last; read and write: integers,
                                 else floats */
    const uint32_t *lod;      /* read: integer; sample: float, explicit level */
    const uint32_t *sample;   /* index of a sample */
    const uint32_t *bias;     /* float */
    const uint32_t *min_lod;  /* float */
    const uint32_t *dref;     /* float; compares when present */
    const uint32_t *grad_x[3];
    const uint32_t *grad_y[3];
    const uint32_t *offset[3];     /* integers */
    const uint32_t *offsets[4][2]; /* of a gather's four texels */
};

/* Number of spatial coordinates: 1, 2 or 3 (cube: 3). */
uint32_t rp_image_dim_count(enum rp_image_dim dim);

/* Texels at integer coordinates (storage images, fetches, texel buffers). is_fetch: the view's
 * swizzle counts. out: four components. */
void rp_image_read(const struct rp_image_shape *shape, const struct rp_descriptor *desc,
                   const struct rp_image_args *args, bool is_fetch, uint32_t count,
                   const uint16_t *mask, uint32_t *const out[4]);

/* The first component of R64 formats, and alpha, which they do not have. */
void rp_image_read64(const struct rp_image_shape *shape, const struct rp_descriptor *desc,
                     const struct rp_image_args *args, uint32_t count, const uint16_t *mask,
                     uint64_t *out, uint64_t *alpha);

/* value: four components, those the format does not have are not read. value64: of R64 formats,
 * else NULL. */
void rp_image_write(const struct rp_image_shape *shape, const struct rp_descriptor *desc,
                    const struct rp_image_args *args, uint32_t count, const uint16_t *mask,
                    const uint32_t *const value[4], const uint64_t *value64);

/* Addresses of texels, for atomics; NULL for lanes outside the mask or the image, and for all when
 * the image's texels have another size. */
void rp_image_address(const struct rp_image_shape *shape, const struct rp_descriptor *desc,
                      const struct rp_image_args *args, uint32_t texel_B, uint32_t count,
                      const uint16_t *mask, uint8_t **out);

/* Width, height, depth (as the dim has them), then layers; cube arrays count cubes. Returns how
 * many values that are. lod: of all lanes; ignored by storage images (0). */
uint32_t rp_image_size(const struct rp_image_shape *shape, const struct rp_descriptor *desc,
                       uint32_t lod, uint32_t out[4]);
uint32_t rp_image_level_count(const struct rp_descriptor *desc);
uint32_t rp_image_sample_count(const struct rp_descriptor *desc);

/* From the first level's first texel to behind the last texel of all; 0: of formats that have no
 * texels of their own. */
uint64_t rp_image_view_size_B(const struct rp_texture *view);

/* desc->view and sampler: both of the descriptor (a combined one), or view of one and sampler of
 * another. Without an explicit level or gradients the level is 0 plus bias. With args->dref one
 * component is written. */
void rp_image_sample(const struct rp_image_shape *shape, const struct rp_texture *view,
                     const struct rp_sampler_state *sampler, const struct rp_image_args *args,
                     uint32_t count, const uint16_t *mask, uint32_t *const out[4]);

/* The one level, and its filter, of a sample with this level of detail and no bias. Returns false
 * when it mixes two. */
bool rp_image_sample_level(const struct rp_texture *view, const struct rp_sampler_state *sampler,
                           float lod, uint32_t *level_out, VkFilter *filter_out);

/* Two floats: the level that a sample with these gradients would access, its level of detail. */
void rp_image_lod(const struct rp_image_shape *shape, const struct rp_texture *view,
                  const struct rp_sampler_state *sampler, const struct rp_image_args *args,
                  uint32_t count, const uint16_t *mask, uint32_t *const out[4]);

/* component: 0..3, ignored with args->dref. */
void rp_image_gather(const struct rp_image_shape *shape, const struct rp_texture *view,
                     const struct rp_sampler_state *sampler, const struct rp_image_args *args,
                     uint32_t component, uint32_t count, const uint16_t *mask,
                     uint32_t *const out[4]);

#endif

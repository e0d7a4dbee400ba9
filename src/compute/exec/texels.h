/* SPDX-License-Identifier: MIT */
/* Short cuts of one instruction set for the image accesses that pictures are made of: 2D, one
 * level, 8-bit and 32-bit formats. They give the texture unit's results bit for bit.
 *
 * Each returns false, having done nothing, when the access is of another kind. Arrays are aligned
 * to 64 bytes; count is a multiple of 16. A NULL in out: nobody wants that component.
 */
#ifndef RP_COMPUTE_EXEC_TEXELS_H
#define RP_COMPUTE_EXEC_TEXELS_H

#include "compute/image/image.h"

#include <stdbool.h>
#include <stdint.h>

struct rp_texel_cuts {
    bool (*read)(const struct rp_image_shape *shape, const struct rp_descriptor *desc,
                 const struct rp_image_args *args, bool is_fetch, uint32_t count,
                 uint32_t *const out[4]);
    bool (*write)(const struct rp_image_shape *shape, const struct rp_descriptor *desc,
                  const struct rp_image_args *args, uint32_t count, const uint16_t *mask,
                  const uint32_t *const value[4]);
    bool (*sample)(const struct rp_image_shape *shape, const struct rp_texture *view,
                   const struct rp_sampler_state *sampler, const struct rp_image_args *args,
                   uint32_t count, uint32_t *const out[4]);
};

struct rp_exec;
struct rp_op;

/* The IMAGE instruction (image.c), with the short cuts of the handler's instruction set. */
const struct rp_op *rp_exec_image(const struct rp_op *o, char *R, struct rp_exec *x,
                                  const struct rp_texel_cuts *cuts);

#endif

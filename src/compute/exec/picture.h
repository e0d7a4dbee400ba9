/* SPDX-License-Identifier: MIT */
/* What short cuts take for a 2D image of one layer: a layer of an array, a slice of a volume, or
 * all texels of a buffer as one row.
 */
#ifndef RP_COMPUTE_EXEC_PICTURE_H
#define RP_COMPUTE_EXEC_PICTURE_H

#include "compute/bindings.h"

#include <stdbool.h>
#include <stdint.h>

struct rp_picture {
    struct rp_texture view;
    struct rp_texture_level level; /* the only one that the view shows */
};

/* `at`: which layer, or slice; one that the image does not have is a picture that is all outside.
 * out's view keeps a pointer into out. */
void rp_picture_of_image(const struct rp_texture *view, bool is_slice, uint32_t at,
                         struct rp_picture *out);
/* All layers of a level, without the view's swizzle. */
void rp_picture_of_level(const struct rp_texture *view, uint32_t level, struct rp_picture *out);
void rp_picture_of_buffer(const struct rp_descriptor *desc, struct rp_picture *out);

#endif

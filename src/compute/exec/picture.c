/* SPDX-License-Identifier: MIT */
/* Layers, slices and texel buffers as 2D images.
 */
#include "compute/exec/picture.h"

#include "compute/image/image.h"

void
rp_picture_of_image(const struct rp_texture *view, bool is_slice, uint32_t at,
                    struct rp_picture *out)
{
    out->view = *view;
    out->level = view->levels[0];
    out->view.levels = &out->level;
    if (at < (is_slice ? out->level.depth_px : view->layer_count))
        out->level.data += at * (is_slice ? out->level.slice_B : out->level.layer_B);
    else
        out->level.width_px = 0;
}

void
rp_picture_of_buffer(const struct rp_descriptor *desc, struct rp_picture *out)
{
    const struct rp_image_shape shape = {.dim = RP_DIM_BUFFER};
    uint32_t size[4];
    (void)rp_image_size(&shape, desc, 0, size);
    out->level = (struct rp_texture_level){
        .data = desc->ptr,
        .width_px = size[0],
        .height_px = 1,
        .depth_px = 1,
        .row_B = desc->size_B,
    };
    out->view = (struct rp_texture){
        .type = VK_IMAGE_VIEW_TYPE_1D,
        .format = desc->format,
        .plane_count = 1,
        .level_count = 1,
        .layer_count = 1,
        .sample_count = 1,
        .levels = &out->level,
    };
}

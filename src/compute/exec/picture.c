/* SPDX-License-Identifier: MIT */
/* Layers, slices and texel buffers as 2D images, and the levels of an image side by side.
 */
#include "compute/exec/picture.h"

#include "compute/exec/texels.h"
#include "compute/image/image.h"

#include <string.h>

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
rp_picture_of_level(const struct rp_texture *view, uint32_t level, struct rp_picture *out)
{
    out->view = *view;
    out->level = view->levels[level];
    out->view.levels = &out->level;
    out->view.level_count = 1;
    out->view.min_lod = 0.0f;
    memset(&out->view.swizzle, 0, sizeof(out->view.swizzle)); /* IDENTITY is 0 */
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

bool
rp_texel_places_of(const struct rp_texture *view, uint32_t texel_B, struct rp_texel_places *out)
{
    if (view->plane_count != 1 || view->level_count == 0 || view->level_count > RP_TEXEL_LEVELS ||
        view->layer_count == 0 || view->min_lod >= 1.0f)
        return false;
    out->data = view->levels[0].data;
    out->level_count = view->level_count;
    for (uint32_t i = 0; i < view->level_count; i++)
        if (!view->levels[i].data || view->levels[i].data < out->data)
            return false;
    const uint64_t size_B = rp_image_view_size_B(view);
    if (size_B == 0 || size_B > INT32_MAX)
        return false;
    out->size_B = (size_t)size_B;
    for (uint32_t i = 0; i < view->level_count; i++) {
        const struct rp_texture_level *l = &view->levels[i];
        out->level[i] = (struct rp_texel_place){
            .size_px = {(int32_t)l->width_px, (int32_t)l->height_px, (int32_t)l->depth_px},
            .step_B = {(int32_t)texel_B, (int32_t)l->row_B, (int32_t)l->slice_B},
            .base_B = (int32_t)(l->data - out->data),
            .layer_B = (int32_t)l->layer_B,
        };
    }
    return true;
}

/* SPDX-License-Identifier: MIT */
/* Texels by integer coordinates: storage images, fetches, texel buffers, image sizes.
 */
#include "compute/image/image.h"

#include "compute/image/lanes.h"
#include "util/compiler.h"

uint32_t
rp_image_dim_count(enum rp_image_dim dim)
{
    switch (dim) {
    case RP_DIM_1D:
    case RP_DIM_BUFFER:
        return 1;
    case RP_DIM_2D:
        return 2;
    case RP_DIM_3D:
    case RP_DIM_CUBE:
        return 3;
    }
    return 1;
}

/* One descriptor prepared for texel accesses. */
struct access {
    const struct rp_image_shape *shape;
    const struct rp_descriptor *desc;
    const struct rp_image_args *args;
    struct rp_texel_codec codec;
    uint32_t dim_count; /* spatial coordinates */
    bool has_layer;     /* a layer (or cube face) follows them */
};

static struct access
access_init(const struct rp_image_shape *shape, const struct rp_descriptor *desc,
            const struct rp_image_args *args)
{
    const VkFormat format = shape->dim == RP_DIM_BUFFER ? desc->format
                            : desc->view                ? desc->view->format
                                                        : VK_FORMAT_UNDEFINED;
    struct access a = {
        .shape = shape,
        .desc = desc,
        .args = args,
        .codec = rp_texel_codec_get(format),
        .dim_count = shape->dim == RP_DIM_CUBE ? 2 : rp_image_dim_count(shape->dim),
        .has_layer = shape->is_arrayed || shape->dim == RP_DIM_CUBE,
    };
    return a;
}

static uint8_t *
buffer_texel(const struct access *a, uint32_t index)
{
    const uint64_t offset_B = (uint64_t)index * a->codec.texel_B;
    if (!a->desc->ptr || !a->codec.texel_B || offset_B + a->codec.texel_B > a->desc->size_B)
        return NULL;
    return a->desc->ptr + offset_B;
}

/* The texel of a lane, or NULL when it lies outside. */
static uint8_t *
access_texel(const struct access *a, uint32_t lane)
{
    const struct rp_image_args *args = a->args;
    if (a->shape->dim == RP_DIM_BUFFER)
        return buffer_texel(a, args->coord[0][lane]);

    const struct rp_texture *view = a->desc->view;
    if (!view || !a->codec.texel_B)
        return NULL;
    const uint32_t level = args->lod ? args->lod[lane] : 0;
    const uint32_t layer = a->has_layer ? args->coord[a->dim_count][lane] : 0;
    const uint32_t sample = args->sample ? args->sample[lane] : 0;
    if (level >= view->level_count || (float)(level + 1) <= view->min_lod ||
        layer >= view->layer_count || sample >= view->sample_count)
        return NULL;

    int32_t at[3] = {0};
    for (uint32_t i = 0; i < a->dim_count; i++)
        at[i] = (int32_t)(args->coord[i][lane] + (args->offset[i] ? args->offset[i][lane] : 0));
    uint8_t *texel = rp_texel_at(&view->levels[level], a->codec.texel_B, at[0], at[1], at[2]);
    if (!texel)
        return NULL;
    return texel + layer * view->levels[level].layer_B + sample * view->sample_B;
}

static bool
access_is_null(const struct access *a)
{
    return a->shape->dim == RP_DIM_BUFFER ? !a->desc->ptr : !a->desc->view;
}

void
rp_image_read(const struct rp_image_shape *shape, const struct rp_descriptor *desc,
              const struct rp_image_args *args, bool is_fetch, uint32_t count, const uint16_t *mask,
              uint32_t *const out[4])
{
    const struct access a = access_init(shape, desc, args);
    const bool is_swizzled = is_fetch && shape->dim != RP_DIM_BUFFER && desc->view;
    uint32_t outside[4] = {0};
    if (!access_is_null(&a))
        rp_texel_outside(&a.codec, outside);

    for (uint32_t i = 0; i < count; i++) {
        if (!rp_lane_is_active(mask, i))
            continue;
        uint32_t texel[4];
        const uint8_t *from = access_texel(&a, i);
        if (from)
            a.codec.decode(a.codec.fmt, from, texel);
        else
            memcpy(texel, outside, sizeof(texel));
        if (is_swizzled) {
            uint32_t swizzled[4];
            rp_swizzle_apply(&desc->view->swizzle, texel, a.codec.is_int, swizzled);
            memcpy(texel, swizzled, sizeof(texel));
        }
        for (uint32_t c = 0; c < 4; c++)
            out[c][i] = texel[c];
    }
}

void
rp_image_read64(const struct rp_image_shape *shape, const struct rp_descriptor *desc,
                const struct rp_image_args *args, uint32_t count, const uint16_t *mask,
                uint64_t *out, uint64_t *alpha)
{
    const struct access a = access_init(shape, desc, args);

    for (uint32_t i = 0; i < count; i++) {
        if (!rp_lane_is_active(mask, i))
            continue;
        const uint8_t *from = access_texel(&a, i);
        out[i] = 0;
        alpha[i] = !access_is_null(&a);
        if (from)
            memcpy(&out[i], from, RP_MIN(a.codec.texel_B, sizeof(out[i])));
    }
}

void
rp_image_write(const struct rp_image_shape *shape, const struct rp_descriptor *desc,
               const struct rp_image_args *args, uint32_t count, const uint16_t *mask,
               const uint32_t *const value[4], const uint64_t *value64)
{
    const struct access a = access_init(shape, desc, args);

    for (uint32_t i = 0; i < count; i++) {
        if (!rp_lane_is_active(mask, i))
            continue;
        uint8_t *to = access_texel(&a, i);
        if (!to)
            continue;
        if (value64) {
            memcpy(to, &value64[i], RP_MIN(a.codec.texel_B, sizeof(value64[i])));
            continue;
        }
        uint32_t texel[4];
        for (uint32_t c = 0; c < 4; c++)
            texel[c] = value[c] ? value[c][i] : 0;
        a.codec.encode(a.codec.fmt, to, texel);
    }
}

void
rp_image_address(const struct rp_image_shape *shape, const struct rp_descriptor *desc,
                 const struct rp_image_args *args, uint32_t texel_B, uint32_t count,
                 const uint16_t *mask, uint8_t **out)
{
    const struct access a = access_init(shape, desc, args);
    const bool has_size = a.codec.texel_B == texel_B;

    for (uint32_t i = 0; i < count; i++)
        out[i] = has_size && rp_lane_is_active(mask, i) ? access_texel(&a, i) : NULL;
}

uint32_t
rp_image_size(const struct rp_image_shape *shape, const struct rp_descriptor *desc, uint32_t lod,
              uint32_t out[4])
{
    const struct rp_texture *view = desc->view;
    const uint32_t dim_count = shape->dim == RP_DIM_CUBE ? 2 : rp_image_dim_count(shape->dim);
    const uint32_t count = dim_count + shape->is_arrayed;

    memset(out, 0, 4 * sizeof(out[0]));
    if (shape->dim == RP_DIM_BUFFER) {
        const struct rp_texel_codec codec = rp_texel_codec_get(desc->format);
        out[0] = codec.texel_B ? (uint32_t)(desc->size_B / codec.texel_B) : 0;
        return 1;
    }
    if (!view || lod >= view->level_count)
        return count;

    const struct rp_texture_level *level = &view->levels[lod];
    const uint32_t extent[3] = {level->width_px, level->height_px, level->depth_px};
    memcpy(out, extent, dim_count * sizeof(out[0]));
    if (shape->is_arrayed)
        out[dim_count] = shape->dim == RP_DIM_CUBE ? view->layer_count / 6 : view->layer_count;
    return count;
}

uint64_t
rp_image_view_size_B(const struct rp_texture *view)
{
    const uint32_t texel_B = rp_texel_codec_get(view->format).texel_B;
    const uint8_t *base = view->levels[0].data;
    uint64_t size_B = 0;
    for (uint32_t i = 0; texel_B && i < view->level_count; i++) {
        const struct rp_texture_level *l = &view->levels[i];
        const uint64_t end_B = (uint64_t)(l->data - base) + (view->layer_count - 1) * l->layer_B +
                               (view->sample_count - 1) * view->sample_B +
                               (l->depth_px - 1) * l->slice_B + (l->height_px - 1) * l->row_B +
                               (uint64_t)l->width_px * texel_B;
        size_B = RP_MAX(size_B, end_B);
    }
    return size_B;
}

uint32_t
rp_image_level_count(const struct rp_descriptor *desc)
{
    return desc->view ? desc->view->level_count : 0;
}

uint32_t
rp_image_sample_count(const struct rp_descriptor *desc)
{
    return desc->view ? desc->view->sample_count : 0;
}

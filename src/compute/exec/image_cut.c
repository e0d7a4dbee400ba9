/* SPDX-License-Identifier: MIT */
/* Which short cut an image instruction can take: level by level and layer by layer that for
 * pictures, else that for whatever there is.
 */
#include "compute/exec/image_call.h"
#include "compute/exec/picture.h"
#include "compute/image/lanes.h"
#include "compute/image/texel.h"

#include <string.h>

static bool
is_wanted(const struct image_call *c, uint32_t i)
{
    return c->o->n & (RP_IMAGE_WANTS_0 << i);
}

/* Which component of a texel result i is; 4: none, a constant. */
static uint32_t
source_of(const struct image_call *c, uint32_t i)
{
    const VkComponentSwizzle from =
        c->swizzle ? (&c->swizzle->r)[i] : VK_COMPONENT_SWIZZLE_IDENTITY;
    if (from == VK_COMPONENT_SWIZZLE_IDENTITY)
        return i;
    return from == VK_COMPONENT_SWIZZLE_ZERO || from == VK_COMPONENT_SWIZZLE_ONE
               ? 4
               : (uint32_t)(from - VK_COMPONENT_SWIZZLE_R);
}

/* The components of a texel that somebody wants, as the first result that each is. */
static void
wanted_results(const struct image_call *c, uint32_t *out[4])
{
    for (uint32_t i = 0; i < 4; i++)
        out[i] = !c->swizzle && is_wanted(c, i) ? result(c, i) : NULL;
    for (uint32_t i = 0; c->swizzle && i < 4; i++) {
        const uint32_t from = source_of(c, i);
        if (is_wanted(c, i) && from < 4 && !out[from])
            out[from] = result(c, i);
    }
}

/* Level 0, as far as a storage image or a fetch says. */
static bool
has_level_0(const struct image_call *c)
{
    if (c->image->lod < 0)
        return true;
    const bool is_uniform = c->image->is_lod_uniform;
    const uint32_t *lod =
        is_uniform ? (const uint32_t *)operand(c, c->image->lod) : lanes(c, c->image->lod, 0);
    uint32_t any = 0;
    for (uint32_t lane = 0; lane < (is_uniform ? 1 : c->count); lane++)
        any |= lod[lane];
    return any == 0;
}

/* Layers or slices that the third coordinate tells; a count of 0: there is one picture. */
struct slices {
    uint32_t count;
    uint32_t size_B;
};

/* The instruction on one picture, or on one of the slices in each lane, by the short cuts; false,
 * with nothing done, where there is none: then there is none for any other picture of the image. */
static bool
picture_cut(const struct image_call *c, const struct rp_texture *picture, struct slices slices,
            const struct rp_sampler_state *sampler)
{
    const struct ir_image *image = c->image;
    struct rp_texel_call call; /* what these short cuts do not read is not cleared: it takes time */
    call.exec = c->x;
    call.op = c->o;
    call.view = picture;
    call.geometry = c->x->geometry;
    call.first_block = (uint32_t)c->first_lane / 16;
    call.block_count = c->count / 16;
    call.mask = c->mask;
    call.dref = lanes(c, image->dref, 0);
    call.offset[0] = call.offset[1] = NULL;
    uint32_t *out[4];
    set_coordinate(c, 0, &call.coord[0]);
    if (c->shape.dim == RP_DIM_BUFFER)
        call.coord[1] = (struct rp_texel_coord){.lanes = NULL};
    else
        set_coordinate(c, 1, &call.coord[1]);
    call.slice_count = slices.count;
    call.slice_B = slices.size_B;
    if (slices.count > 0)
        set_coordinate(c, 2, &call.coord[2]);

    if (image->op == IR_IMAGE_WRITE) {
        const uint32_t *value[4];
        for (uint32_t i = 0; i < 4; i++)
            value[i] = lanes(c, image->value, i < image->value_count ? i : 0);
        return c->cuts->write(&call, value);
    }
    wanted_results(c, out);
    if (image->op == IR_IMAGE_READ)
        return c->cuts->read(&call, image->is_fetch, out);
    return sampler && c->cuts->sample(&call, sampler, out);
}

/* The picture that each block's lanes are in; false: lanes of one block are in several. */
static bool
pictures_of_blocks(const struct image_call *c, const struct rp_texture *view,
                   uint32_t picture[RP_MAX_BLOCKS])
{
    uint32_t written[RP_MAX_WORKGROUP_SIZE];
    const uint32_t *third = coordinate_lanes(c, 2, written);
    uint32_t word = 0;
    for (uint32_t b = 0; b < c->count / 16; b++) {
        uint32_t bits = c->mask ? c->mask[b] : 0xffff, differing = 0;
        if (bits)
            word = third[b * 16 + (uint32_t)__builtin_ctz(bits)];
        for (; bits; bits &= bits - 1)
            differing |= third[b * 16 + (uint32_t)__builtin_ctz(bits)] ^ word;
        if (differing)
            return false;
        picture[b] = c->image->op == IR_IMAGE_SAMPLE
                         ? rp_layer_of(rp_bits_float(word), view->layer_count)
                         : word;
    }
    return true;
}

/* The instruction, picture by picture. */
static bool
pictures_cut(const struct image_call *c, const struct rp_texture *view,
             const struct rp_sampler_state *sampler)
{
    uint32_t at[RP_MAX_BLOCKS];
    if (c->apart || view->layer_count == 0 ||
        !pictures_of_blocks(c, view, at)) /* `apart` is of the whole call */
        return false;
    for (uint32_t b = 0, end; b < c->count / 16; b = end) {
        struct image_call part = *c;
        struct rp_picture picture;
        for (end = b + 1; end < c->count / 16 && at[end] == at[b];)
            end++;
        part.first_lane += (int32_t)b * 16;
        part.count = (end - b) * 16;
        part.mask = c->mask ? c->mask + b : NULL;
        rp_picture_of_image(view, c->shape.dim == RP_DIM_3D, at[b], &picture);
        if (!picture_cut(&part, &picture.view, (struct slices){0}, sampler))
            return false;
    }
    return true;
}

/* The instruction, each lane in a layer or slice of its own; false, with nothing done, where the
 * short cuts for the format take picture by picture. */
static bool
slices_cut(const struct image_call *c, const struct rp_texture *view)
{
    const struct rp_texture_level *level = &view->levels[0];
    const bool is_volume = c->shape.dim == RP_DIM_3D;
    const size_t size_B = is_volume ? level->slice_B : level->layer_B;
    const struct slices slices = {is_volume ? level->depth_px : view->layer_count,
                                  (uint32_t)size_B};
    return c->image->op != IR_IMAGE_SAMPLE && slices.count > 0 &&
           (uint64_t)size_B * slices.count <= INT32_MAX && picture_cut(c, view, slices, NULL);
}

/* Results of a short cut beside those that wanted_results() named: constants, and components that
 * several show. */
static void
swizzle_results(const struct image_call *c, const struct rp_texture *view)
{
    uint32_t *out[4];
    wanted_results(c, out);
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t from = source_of(c, i);
        if (!is_wanted(c, i) || (from < 4 && out[from] == result(c, i)))
            continue;
        uint32_t *to = result(c, i);
        if (from < 4) {
            memcpy(to, out[from], c->count * sizeof(to[0]));
            continue;
        }
        const bool is_one = (&c->swizzle->r)[i] == VK_COMPONENT_SWIZZLE_ONE;
        const uint32_t one = rp_texel_codec_get(view->format).is_int ? 1 : rp_float_bits(1.0f);
        for (uint32_t lane = 0; lane < c->count; lane++)
            to[lane] = is_one ? one : 0;
    }
}

/* The level that all lanes see, and its filter in a sample; false: lanes may differ, or two levels
 * are mixed. */
static bool
level_of_call(const struct image_call *c, const struct rp_texture *view,
              const struct rp_sampler_state *sampler, uint32_t *level_out, VkFilter *filter_out)
{
    const struct ir_image *image = c->image;
    const uint32_t *lod = image->is_lod_uniform ? (const uint32_t *)operand(c, image->lod) : NULL;
    *level_out = 0;
    *filter_out = VK_FILTER_NEAREST;
    if (image->op == IR_IMAGE_WRITE)
        return true;
    if (image->op == IR_IMAGE_READ) {
        if (image->lod >= 0 && !lod)
            return view->min_lod < 1.0f && has_level_0(c);
        *level_out = lod ? *lod : 0;
        return *level_out < view->level_count && (float)(*level_out + 1) > view->min_lod;
    }
    *filter_out = sampler->mag_filter;
    if (view->level_count == 1 && sampler->mag_filter == sampler->min_filter)
        return true;
    if ((image->lod >= 0 && !lod) || image->bias >= 0 || image->min_lod >= 0)
        return false;
    return rp_image_sample_level(view, sampler, lod ? rp_bits_float(*lod) : 0.0f, level_out,
                                 filter_out);
}

/* The instruction by the short cuts; false, with nothing done, where there is none. */
static bool
plain_cut(const struct image_call *c, const struct rp_descriptor *desc,
          const struct rp_sampler_state *sampler)
{
    struct rp_picture picture;
    if (c->shape.dim == RP_DIM_BUFFER) {
        if (!desc->ptr)
            return false;
        rp_picture_of_buffer(desc, &picture);
        return picture_cut(c, &picture.view, (struct slices){0}, sampler);
    }
    const struct rp_texture *view = desc->view;
    const bool is_sample = c->image->op == IR_IMAGE_SAMPLE;
    uint32_t level;
    VkFilter filter;
    if (!view || view->plane_count != 1 || view->level_count == 0 || (is_sample && !sampler) ||
        !level_of_call(c, view, sampler, &level, &filter))
        return false;

    if (c->image->dref >= 0 && !rp_swizzle_is_identity(&view->swizzle))
        return false;
    struct image_call swizzled;    /* what is not needed is not copied: it takes time */
    struct rp_sampler_state alike; /* with one filter for all lanes */
    if ((is_sample || c->image->is_fetch) && !rp_swizzle_is_identity(&view->swizzle)) {
        swizzled = *c;
        swizzled.swizzle = &view->swizzle;
        c = &swizzled;
    }
    if (is_sample && sampler->mag_filter != sampler->min_filter) {
        alike = *sampler;
        alike.mag_filter = alike.min_filter = filter;
        sampler = &alike;
    }
    if (level > 0 || view->level_count > 1 || c->swizzle) {
        rp_picture_of_level(view, level, &picture);
        view = &picture.view;
    }
    const bool is_many = c->shape.is_arrayed || c->shape.dim == RP_DIM_3D;
    if (!(is_many ? slices_cut(c, view) || pictures_cut(c, view, sampler)
                  : picture_cut(c, view, (struct slices){0}, sampler)))
        return false;
    if (c->swizzle)
        swizzle_results(c, view);
    return true;
}

/* Operands that the short cuts for pictures can have. */
static bool
is_plain(const struct image_call *c)
{
    const struct ir_image *image = c->image;
    const bool is_access = image->op == IR_IMAGE_READ || image->op == IR_IMAGE_WRITE;
    if (image->is_multisampled || image->is_64 || image->offset >= 0 || image->sample >= 0 ||
        image->grad_x >= 0 || (!is_access && image->op != IR_IMAGE_SAMPLE))
        return false;
    return image->dim == RP_DIM_2D || (image->dim == RP_DIM_3D && is_access) ||
           (image->dim == RP_DIM_BUFFER && is_access);
}

/* The instruction a vector of lanes at a time, whatever the image is like; false, with nothing
 * done, where that is not possible. */
static bool
any_cut(const struct image_call *c, const struct rp_descriptor *desc,
        const struct rp_sampler_state *sampler)
{
    const struct ir_image *image = c->image;
    const bool is_sample = image->op == IR_IMAGE_SAMPLE || image->op == IR_IMAGE_GATHER;
    const bool is_access = image->op == IR_IMAGE_READ || image->op == IR_IMAGE_WRITE;
    if (!desc->view || image->is_64 || image->is_multisampled || image->dim == RP_DIM_BUFFER ||
        !(is_access || (is_sample && sampler)))
        return false;

    struct image_lanes written;
    struct rp_image_args args;
    fill_operands(c, &args, &written);
    uint32_t *const all[4] = {result(c, 0), result(c, 1), result(c, 2), result(c, 3)};
    struct rp_texel_call call = {
        .exec = c->x,
        .op = c->o,
        .view = desc->view,
        .geometry = c->x->geometry,
        .first_block = (uint32_t)c->first_lane / 16,
        .block_count = c->count / 16,
        .mask = c->mask,
        .dref = args.dref,
        .offset = {args.offset[0], args.offset[1]},
        .shape = &c->shape,
        .args = &args,
        .coord_count = rp_image_dim_count(c->shape.dim),
        .has_layer = c->shape.is_arrayed || c->shape.dim == RP_DIM_CUBE,
        .is_lod_even = image->is_lod_uniform,
        .component = image->component & 3u,
        .all = all,
    };
    for (uint32_t i = 0; i < image->coord_count; i++) {
        set_coordinate(c, i, &call.coord[i]);
        if (c->shape.dim == RP_DIM_CUBE)
            args.coord[i] = coordinate_lanes(c, i, written.v[i]);
    }

    uint32_t *out[4];
    if (image->op == IR_IMAGE_WRITE) {
        const uint32_t *value[4];
        for (uint32_t i = 0; i < 4; i++)
            value[i] = lanes(c, image->value, i < image->value_count ? i : 0);
        return c->cuts->write_any(&call, value);
    }
    wanted_results(c, out);
    if (image->op == IR_IMAGE_READ)
        return c->cuts->read_any(&call, image->is_fetch, out);
    if (image->op == IR_IMAGE_GATHER)
        return c->cuts->gather_any(&call, sampler, out);
    return c->cuts->sample_any(&call, sampler, out);
}

bool
rp_image_cut(const struct image_call *c, const struct rp_descriptor *desc,
             const struct rp_sampler_state *sampler)
{
    return (is_plain(c) && plain_cut(c, desc, sampler)) || any_cut(c, desc, sampler);
}

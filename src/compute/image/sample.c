/* SPDX-License-Identifier: MIT */
/* Sampling: from operands to level of detail, filters and the view's swizzle (16.5 to 16.9).
 */
#include "compute/image/image.h"

#include "compute/image/filter.h"
#include "compute/image/lanes.h"
#include "compute/image/ycbcr.h"
#include "util/compiler.h"

#include <math.h>

#define MAX_ANISOTROPY 16

struct sampling {
    const struct rp_image_shape *shape;
    const struct rp_image_args *args;
    struct rp_filter filter;
    uint32_t coord_count; /* in the operands, without the layer */
};

static struct sampling
sampling_init(const struct rp_image_shape *shape, const struct rp_texture *view,
              const struct rp_sampler_state *sampler, const struct rp_image_args *args)
{
    const bool is_cube = shape->dim == RP_DIM_CUBE;
    const uint32_t coord_count = rp_image_dim_count(shape->dim);
    return (struct sampling){
        .shape = shape,
        .args = args,
        .filter = rp_filter_init(view, sampler, is_cube ? 2 : coord_count, is_cube),
        .coord_count = coord_count,
    };
}

/* direction: of a cube lookup, else unused. */
static struct rp_filter_point
point_of(const struct sampling *s, uint32_t lane, float direction[3])
{
    const struct rp_image_args *args = s->args;
    const struct rp_texture *view = s->filter.view;
    struct rp_filter_point point = {0};
    float coord[3] = {0};

    for (uint32_t i = 0; i < s->coord_count; i++)
        coord[i] = rp_lane_float(args->coord[i], lane);
    const uint32_t element =
        s->shape->is_arrayed
            ? rp_layer_of(rp_lane_float(args->coord[s->coord_count], lane),
                          s->filter.is_cube ? view->layer_count / 6 : view->layer_count)
            : 0;
    point.layer = element;
    if (s->filter.is_cube) {
        memcpy(direction, coord, 3 * sizeof(coord[0]));
        point.layer = element * 6 + rp_cube_project(direction, point.coord);
        if (point.layer >= view->layer_count)
            point.layer = 0;
    } else {
        memcpy(point.coord, coord, sizeof(coord));
    }
    for (uint32_t i = 0; i < 3; i++)
        point.offset[i] = args->offset[i] ? (int32_t)args->offset[i][lane] : 0;
    point.has_dref = args->dref != NULL;
    point.dref = args->dref ? rp_lane_float(args->dref, lane) : 0.0f;
    return point;
}

/* Lengths of the footprint along x and y of the screen, in texels of level 0. */
struct footprint {
    float length[2];
    float step[2][3]; /* normalized coordinates */
};

static struct footprint
footprint_of(const struct sampling *s, uint32_t lane, const struct rp_filter_point *point,
             const float direction[3])
{
    const struct rp_texture_level *l = &s->filter.view->levels[0];
    const float size[3] = {(float)l->width_px, (float)l->height_px, (float)l->depth_px};
    struct footprint f = {0};

    for (uint32_t axis = 0; axis < 2; axis++) {
        const uint32_t *const *grad = axis ? s->args->grad_y : s->args->grad_x;
        float d[3] = {0};
        for (uint32_t i = 0; i < s->coord_count; i++)
            d[i] = rp_lane_float(grad[i], lane);
        if (s->filter.is_cube)
            rp_cube_derivative(direction, point->layer % 6, d, f.step[axis]);
        else
            memcpy(f.step[axis], d, sizeof(d));
        float sum = 0.0f;
        for (uint32_t i = 0; i < s->filter.dim_count; i++)
            sum += f.step[axis][i] * size[i] * f.step[axis][i] * size[i];
        f.length[axis] = sqrtf(sum);
    }
    return f;
}

static float
clamp_lod(const struct sampling *s, uint32_t lane, float lod)
{
    const struct rp_sampler_state *sampler = s->filter.sampler;
    const float shader_bias = s->args->bias ? rp_lane_float(s->args->bias, lane) : 0.0f;
    const float shader_min = s->args->min_lod ? rp_lane_float(s->args->min_lod, lane) : 0.0f;
    const float low = fmaxf(sampler->min_lod, shader_min);

    if (sampler->is_unnormalized)
        return 0.0f;
    const float bias = sampler->mip_lod_bias + shader_bias; /* Vulkan 16.5.6 */
    lod += fminf(fmaxf(bias, -RP_MAX_SAMPLER_LOD_BIAS), RP_MAX_SAMPLER_LOD_BIAS);
    lod = fmaxf(lod, low); /* NaN becomes the minimum */
    return fminf(lod, fmaxf(sampler->max_lod, low));
}

static void
mix(const uint32_t low[4], const uint32_t high[4], float fraction, uint32_t out[4])
{
    for (uint32_t c = 0; c < 4; c++)
        out[c] = rp_float_bits(rp_bits_float(low[c]) * (1.0f - fraction) +
                               rp_bits_float(high[c]) * fraction);
}

/* What a level of detail makes of a view and a sampler. */
struct levels {
    uint32_t first;
    float fraction; /* of the next one; 0: no part */
    VkFilter filter;
};

/* lod: clamped by the sampler, not yet to the levels there are. */
static struct levels
levels_of(const struct rp_texture *view, const struct rp_sampler_state *sampler, float lod)
{
    const uint32_t last = view->level_count - 1;
    const VkFilter filter = lod <= 0.0f ? sampler->mag_filter : sampler->min_filter;
    const float d = fminf(fmaxf(fminf(fmaxf(lod, 0.0f), (float)last), view->min_lod), (float)last);

    if (sampler->mipmap_mode == VK_SAMPLER_MIPMAP_MODE_NEAREST) {
        const uint32_t level = (uint32_t)fmaxf(ceilf(d + 0.5f) - 1.0f, 0.0f);
        return (struct levels){RP_MIN(level, last), 0.0f, filter};
    }
    const uint32_t level = (uint32_t)d;
    return (struct levels){level, level == last ? 0.0f : d - (float)level, filter};
}

/* lod: as levels_of() has it. */
static void
sample_at_lod(const struct sampling *s, const struct rp_filter_point *point, float lod,
              uint32_t out[4])
{
    const struct levels levels = levels_of(s->filter.view, s->filter.sampler, lod);
    rp_filter_level(&s->filter, point, levels.first, levels.filter, out);
    if (levels.fraction == 0.0f || s->filter.is_int)
        return;
    uint32_t next[4], first[4];
    memcpy(first, out, sizeof(first));
    rp_filter_level(&s->filter, point, levels.first + 1, levels.filter, next);
    mix(first, next, levels.fraction, out);
}

bool
rp_image_sample_level(const struct rp_texture *view, const struct rp_sampler_state *sampler,
                      float lod, uint32_t *level_out, VkFilter *filter_out)
{
    const struct rp_image_args args = {.lod = NULL};
    const struct sampling s = {.args = &args, .filter = {.view = view, .sampler = sampler}};
    const struct levels levels = levels_of(view, sampler, clamp_lod(&s, 0, lod));
    if (levels.fraction != 0.0f)
        return false;
    *level_out = levels.first;
    *filter_out = levels.filter;
    return true;
}

/* How many probes along the longer axis make the footprint as sharp as the shorter one allows. */
static uint32_t
probe_count_of(const struct sampling *s, const struct footprint *f)
{
    const float longest = fmaxf(f->length[0], f->length[1]);
    const float shortest = fminf(f->length[0], f->length[1]);
    const float limit = fminf(s->filter.sampler->max_anisotropy, MAX_ANISOTROPY);
    const float ratio = shortest > 0.0f ? fminf(longest / shortest, limit) : limit;

    if (!(s->filter.sampler->max_anisotropy > 1.0f) || s->filter.is_int)
        return 1;
    return longest > 0.0f ? (uint32_t)fmaxf(ceilf(ratio), 1.0f) : 1;
}

static float
footprint_lod(const struct sampling *s, const struct footprint *f)
{
    return log2f(fmaxf(f->length[0], f->length[1]) / (float)probe_count_of(s, f));
}

/* Probes along the longer axis of the footprint. */
static void
sample_anisotropic(const struct sampling *s, uint32_t lane, const struct rp_filter_point *point,
                   const struct footprint *f, uint32_t out[4])
{
    const uint32_t major = f->length[1] > f->length[0];
    const uint32_t probe_count = probe_count_of(s, f);
    const float lod = clamp_lod(s, lane, footprint_lod(s, f));
    float sum[4] = {0};

    for (uint32_t i = 0; i < probe_count; i++) {
        struct rp_filter_point probe = *point;
        const float at = ((float)i + 0.5f) / (float)probe_count - 0.5f;
        uint32_t texel[4];
        for (uint32_t c = 0; c < s->filter.dim_count; c++)
            probe.coord[c] += at * f->step[major][c];
        sample_at_lod(s, &probe, lod, texel);
        for (uint32_t c = 0; c < 4; c++)
            sum[c] += rp_bits_float(texel[c]);
    }
    for (uint32_t c = 0; c < 4; c++)
        out[c] = rp_float_bits(sum[c] / (float)probe_count);
}

static void
sample_lane(const struct sampling *s, uint32_t lane, uint32_t out[4])
{
    float direction[3] = {0};
    const struct rp_filter_point point = point_of(s, lane, direction);
    float lod = s->args->lod ? rp_lane_float(s->args->lod, lane) : 0.0f;

    if (s->args->grad_x[0]) {
        const struct footprint f = footprint_of(s, lane, &point, direction);
        if (s->filter.sampler->max_anisotropy > 1.0f && !s->filter.is_int) {
            sample_anisotropic(s, lane, &point, &f, out);
            return;
        }
        lod = footprint_lod(s, &f);
    }
    sample_at_lod(s, &point, clamp_lod(s, lane, lod), out);
}

static bool
is_samplable(const struct rp_texture *view, const struct rp_sampler_state *sampler)
{
    return view && sampler && view->level_count && view->layer_count && view->levels[0].data;
}

static void
lane_put(const struct sampling *s, const uint32_t texel[4], uint32_t lane, uint32_t *const out[4])
{
    if (s->args->dref) {
        out[0][lane] = texel[0];
        return;
    }
    for (uint32_t c = 0; c < 4; c++)
        out[c][lane] = texel[c];
}

/* An empty descriptor. */
static void
put_zeros(const struct rp_image_args *args, uint32_t count, uint32_t *const out[4])
{
    for (uint32_t c = 0; c < (args->dref ? 1 : 4); c++)
        memset(out[c], 0, count * sizeof(out[c][0]));
}

void
rp_image_sample(const struct rp_image_shape *shape, const struct rp_texture *view,
                const struct rp_sampler_state *sampler, const struct rp_image_args *args,
                uint32_t count, const uint16_t *mask, uint32_t *const out[4])
{
    if (!is_samplable(view, sampler)) {
        put_zeros(args, count, out);
        return;
    }

    const struct sampling s = sampling_init(shape, view, sampler, args);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t texel[4];
        if (!rp_lane_is_active(mask, i))
            continue;
        sample_lane(&s, i, texel);
        if (sampler->ycbcr) {
            rp_ycbcr_convert(sampler->ycbcr, texel);
        } else if (!args->dref) {
            uint32_t swizzled[4];
            rp_swizzle_apply(&view->swizzle, texel, s.filter.is_int, swizzled);
            memcpy(texel, swizzled, sizeof(texel));
        }
        lane_put(&s, texel, i, out);
    }
}

/* 16.5.6 and 16.5.7: the level that is accessed, and the level of detail before its clamps. */
static void
lod_lane(const struct sampling *s, uint32_t lane, uint32_t *const out[4])
{
    const struct rp_sampler_state *sampler = s->filter.sampler;
    const float last = (float)(s->filter.view->level_count - 1);
    float direction[3] = {0};
    const struct rp_filter_point point = point_of(s, lane, direction);
    const struct footprint f = footprint_of(s, lane, &point, direction);
    const float lod = footprint_lod(s, &f);
    float level = fminf(fmaxf(clamp_lod(s, lane, lod), 0.0f), last);

    if (sampler->mipmap_mode == VK_SAMPLER_MIPMAP_MODE_NEAREST)
        level = fminf(fmaxf(ceilf(level + 0.5f) - 1.0f, 0.0f), last);
    out[0][lane] = rp_float_bits(level);
    out[1][lane] = rp_float_bits(lod + sampler->mip_lod_bias);
}

void
rp_image_lod(const struct rp_image_shape *shape, const struct rp_texture *view,
             const struct rp_sampler_state *sampler, const struct rp_image_args *args,
             uint32_t count, const uint16_t *mask, uint32_t *const out[4])
{
    if (!is_samplable(view, sampler)) {
        for (uint32_t c = 0; c < 2; c++)
            memset(out[c], 0, count * sizeof(out[c][0]));
        return;
    }

    const struct sampling s = sampling_init(shape, view, sampler, args);
    for (uint32_t i = 0; i < count; i++)
        if (rp_lane_is_active(mask, i))
            lod_lane(&s, i, out);
}

/* One component of a texel as the view's swizzle (or conversion) shows it. */
static uint32_t
gathered(const struct sampling *s, uint32_t texel[4], uint32_t component)
{
    uint32_t swizzled[4];
    if (s->args->dref)
        return texel[0];
    if (s->filter.sampler->ycbcr) {
        rp_ycbcr_convert(s->filter.sampler->ycbcr, texel);
        return texel[component];
    }
    rp_swizzle_apply(&s->filter.view->swizzle, texel, s->filter.is_int, swizzled);
    return swizzled[component];
}

static void
gather_lane(const struct sampling *s, uint32_t lane, uint32_t component, uint32_t *const out[4])
{
    float direction[3] = {0};
    struct rp_filter_point point = point_of(s, lane, direction);
    const float lod = s->args->lod ? rp_lane_float(s->args->lod, lane) : 0.0f;
    const uint32_t last = s->filter.view->level_count - 1;
    const float d = fminf(fmaxf(lod, 0.0f), (float)last);
    const uint32_t level = (uint32_t)fmaxf(ceilf(d + 0.5f) - 1.0f, 0.0f);
    uint32_t texels[4][4];

    if (s->args->offsets[0][0]) {
        for (uint32_t i = 0; i < 4; i++) {
            point.offset[0] = (int32_t)s->args->offsets[i][0][lane];
            point.offset[1] = (int32_t)s->args->offsets[i][1][lane];
            rp_filter_gather_one(&s->filter, &point, RP_MIN(level, last), texels[i]);
        }
    } else {
        rp_filter_gather(&s->filter, &point, RP_MIN(level, last), texels);
    }
    for (uint32_t i = 0; i < 4; i++)
        out[i][lane] = gathered(s, texels[i], component & 3);
}

void
rp_image_gather(const struct rp_image_shape *shape, const struct rp_texture *view,
                const struct rp_sampler_state *sampler, const struct rp_image_args *args,
                uint32_t component, uint32_t count, const uint16_t *mask, uint32_t *const out[4])
{
    /* A view's lowest level beyond the first reads as zero (16.8, "Texel Gathering"). */
    if (!is_samplable(view, sampler) || view->min_lod >= 1.0f) {
        for (uint32_t c = 0; c < 4; c++)
            memset(out[c], 0, count * sizeof(out[c][0]));
        return;
    }

    const struct sampling s = sampling_init(shape, view, sampler, args);
    for (uint32_t i = 0; i < count; i++)
        if (rp_lane_is_active(mask, i))
            gather_lane(&s, i, component, out);
}

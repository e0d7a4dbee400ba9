/* SPDX-License-Identifier: MIT */
/* Texel filtering of one level (16.8, "Texel Filtering"), with the taps of every plane.
 */
#include "compute/image/filter.h"

#include "compute/image/lanes.h"
#include "util/compiler.h"

#include <math.h>

/* Far enough outside of any image that wrapping is the same, near enough for 32-bit arithmetic. */
#define COORD_LIMIT 1.0e9f

static bool
format_is_fixed_point(const struct rp_format *fmt)
{
    return fmt->channels[0].numeric == RP_NUMERIC_UNORM ||
           fmt->channels[0].numeric == RP_NUMERIC_SNORM;
}

/* Colour components by plane: G is luma, B and R are Cb and Cr. */
static void
filter_init_planes(struct rp_filter *filter, const struct rp_format *fmt)
{
    const struct rp_ycbcr *ycbcr = filter->sampler->ycbcr;
    static const int8_t whole[4] = {0, 1, 2, 3};
    static const int8_t luma[4] = {1, -1, -1, -1};
    static const int8_t cb[4] = {2, -1, -1, -1};
    static const int8_t cr[4] = {0, -1, -1, -1};
    static const int8_t cb_cr[4] = {2, 0, -1, -1};
    const bool is_packed = fmt->planes[0].block_w_px == 2 && fmt->chroma;

    filter->plane_count = is_packed ? 2 : filter->view->plane_count;
    for (uint32_t i = 0; i < filter->plane_count; i++) {
        struct rp_filter_plane *p = &filter->plane[i];
        const struct rp_format_plane *fp = &fmt->planes[is_packed ? 0 : i];
        const int8_t *target = filter->plane_count == 1   ? whole
                               : i == 0                   ? luma
                               : filter->plane_count == 2 ? cb_cr
                               : i == 1                   ? cb
                                                          : cr;
        *p = (struct rp_filter_plane){
            .levels = filter->view->levels + (is_packed ? 0 : i * filter->view->level_count),
            .is_chroma = i > 0,
            .is_packed_422 = is_packed,
            .scale = {1.0f, 1.0f},
        };
        memcpy(p->target, target, sizeof(p->target));
        p->codec = filter->plane_count == 1 ? rp_texel_codec_get(filter->view->format)
                                            : rp_texel_codec_get(fp->format);
        if (is_packed)
            p->codec.fmt = fmt;
        for (uint32_t c = 0; p->codec.fmt && c < p->codec.fmt->channel_count; c++)
            p->has_alpha |= p->codec.fmt->channels[c].component == 'A';
        if (!p->is_chroma)
            continue;
        const uint32_t log2_w = is_packed ? 1 : fp->log2_div_w;
        const uint32_t log2_h = is_packed ? 0 : fp->log2_div_h;
        p->scale[0] = log2_w ? 0.5f : 1.0f;
        p->scale[1] = log2_h ? 0.5f : 1.0f;
        if (ycbcr && ycbcr->chroma_filter == VK_FILTER_LINEAR) {
            p->shift[0] = log2_w && ycbcr->x_offset == VK_CHROMA_LOCATION_COSITED_EVEN ? 0.25f : 0;
            p->shift[1] = log2_h && ycbcr->y_offset == VK_CHROMA_LOCATION_COSITED_EVEN ? 0.25f : 0;
        }
    }
}

/* The sampler's border, with what the format does not have substituted as in texels (16.3.5). */
static void
filter_init_border(struct rp_filter *filter, const struct rp_format *fmt)
{
    uint32_t border[4];
    memcpy(border, &filter->sampler->border_color, sizeof(border));
    memset(filter->border, 0, sizeof(filter->border));
    filter->border[3] = filter->is_int ? 1 : rp_float_bits(1.0f);
    for (uint32_t i = 0; i < fmt->channel_count; i++) {
        const char component = fmt->channels[i].component;
        const uint32_t c = component == 'G' ? 1 : component == 'B' ? 2 : component == 'A' ? 3 : 0;
        filter->border[c] = border[c];
    }
}

struct rp_filter
rp_filter_init(const struct rp_texture *view, const struct rp_sampler_state *sampler,
               uint32_t dim_count, bool is_cube)
{
    struct rp_filter filter = {
        .view = view,
        .sampler = sampler,
        .dim_count = dim_count,
        .is_cube = is_cube,
        .is_seamless = is_cube && !sampler->is_non_seamless,
    };
    const struct rp_format *fmt = rp_format_get(view->format);
    if (!fmt)
        return filter;

    filter_init_planes(&filter, fmt);
    filter.is_int = filter.plane[0].codec.is_int;
    filter.clamps_dref = filter.plane[0].codec.fmt && format_is_fixed_point(fmt);
    filter_init_border(&filter, fmt);
    return filter;
}

static int32_t
euclidean_mod(int32_t value, int32_t by)
{
    const int32_t rest = value % by;
    return rest < 0 ? rest + by : rest;
}

/* -1: the border. */
static int32_t
wrap(int32_t i, uint32_t size_px, VkSamplerAddressMode mode)
{
    const int32_t size = (int32_t)size_px;

    switch ((int)mode) {
    case VK_SAMPLER_ADDRESS_MODE_REPEAT:
        return euclidean_mod(i, size);
    case VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT: {
        const int32_t m = euclidean_mod(i, 2 * size);
        return m < size ? m : 2 * size - 1 - m;
    }
    case VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER:
        return i < 0 || i >= size ? -1 : i;
    case VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE: {
        const int32_t m = i < 0 ? -1 - i : i;
        return RP_MIN(m, size - 1);
    }
    default: /* CLAMP_TO_EDGE */
        return i < 0 ? 0 : RP_MIN(i, size - 1);
    }
}

static bool
compare(VkCompareOp op, float ref, float value)
{
    switch ((int)op) {
    case VK_COMPARE_OP_LESS:
        return ref < value;
    case VK_COMPARE_OP_EQUAL:
        return ref == value;
    case VK_COMPARE_OP_LESS_OR_EQUAL:
        return ref <= value;
    case VK_COMPARE_OP_GREATER:
        return ref > value;
    case VK_COMPARE_OP_NOT_EQUAL:
        return ref != value;
    case VK_COMPARE_OP_GREATER_OR_EQUAL:
        return ref >= value;
    case VK_COMPARE_OP_ALWAYS:
        return true;
    default:
        return false;
    }
}

static void
tap_compare(const struct rp_filter *filter, const struct rp_filter_point *point, uint32_t texel[4])
{
    float ref = point->dref;
    if (filter->clamps_dref)
        ref = ref > 1.0f ? 1.0f : ref > 0.0f ? ref : 0.0f;
    const bool passes = compare(filter->sampler->compare_op, ref, rp_bits_float(texel[0]));
    texel[0] = rp_float_bits(passes ? 1.0f : 0.0f);
}

/* The layer's part of a level, as a level of its own. */
static struct rp_texture_level
level_of_layer(const struct rp_filter_plane *p, uint32_t level, uint32_t layer)
{
    struct rp_texture_level l = p->levels[level];
    if (l.data)
        l.data += layer * l.layer_B;
    if (p->is_packed_422 && p->is_chroma)
        l.width_px = (l.width_px + 1) / 2;
    return l;
}

/* A texel of a cube face; corners, which belong to no face, average their three neighbours. */
static bool
cube_texel(const struct rp_filter_plane *p, uint32_t level, const struct rp_filter_point *point,
           int32_t x, int32_t y, uint32_t out[4])
{
    const uint32_t size_px = p->levels[level].width_px;
    uint32_t face = point->layer % 6;
    if (!rp_cube_wrap(size_px, &face, &x, &y))
        return false;
    const struct rp_texture_level l = level_of_layer(p, level, point->layer / 6 * 6 + face);
    const uint8_t *texel = rp_texel_at(&l, p->codec.texel_B, x, y, 0);
    if (texel)
        p->codec.decode(p->codec.fmt, texel, out);
    return texel != NULL;
}

static void
cube_corner(const struct rp_filter_plane *p, uint32_t level, const struct rp_filter_point *point,
            int32_t x, int32_t y, uint32_t out[4])
{
    const int32_t size = (int32_t)p->levels[level].width_px;
    const int32_t inside_x = x < 0 ? 0 : size - 1;
    const int32_t inside_y = y < 0 ? 0 : size - 1;
    uint32_t texels[3][4] = {{0}};

    (void)cube_texel(p, level, point, inside_x, inside_y, texels[0]);
    (void)cube_texel(p, level, point, x, inside_y, texels[1]);
    (void)cube_texel(p, level, point, inside_x, y, texels[2]);
    for (uint32_t c = 0; c < 4; c++)
        out[c] = p->codec.is_int
                     ? texels[0][c]
                     : rp_float_bits((rp_bits_float(texels[0][c]) + rp_bits_float(texels[1][c]) +
                                      rp_bits_float(texels[2][c])) /
                                     3.0f);
}

/* Two texels of a block share their chroma. */
static void
packed_422_texel(const struct rp_filter_plane *p, const struct rp_texture_level *l, int32_t x,
                 int32_t y, uint32_t out[4])
{
    const uint32_t block = p->is_chroma ? (uint32_t)x : (uint32_t)x / 2;
    const uint8_t *texel =
        l->data + (uint32_t)y * l->row_B + (size_t)block * p->codec.fmt->planes[0].block_B;
    uint32_t cb_y_cr[3];
    rp_texel_decode_422(p->codec.fmt, texel, x & 1, cb_y_cr);
    out[0] = p->is_chroma ? cb_y_cr[0] : cb_y_cr[1];
    out[1] = cb_y_cr[2];
}

/* One tap of one plane; at: unwrapped. */
static void
tap(const struct rp_filter *filter, const struct rp_filter_plane *p, uint32_t level,
    const struct rp_filter_point *point, const int32_t at[3], uint32_t out[4])
{
    if (filter->is_seamless) {
        if (!cube_texel(p, level, point, at[0], at[1], out))
            cube_corner(p, level, point, at[0], at[1], out);
    } else {
        const struct rp_texture_level l = level_of_layer(p, level, point->layer);
        const uint32_t size_px[3] = {l.width_px, l.height_px, l.depth_px};
        int32_t wrapped[3] = {0};
        bool is_border = false;
        for (uint32_t i = 0; i < filter->dim_count; i++) {
            wrapped[i] = wrap(at[i], size_px[i], filter->sampler->address_mode[i]);
            is_border |= wrapped[i] < 0;
        }
        const uint8_t *texel =
            is_border || p->is_packed_422
                ? NULL
                : rp_texel_at(&l, p->codec.texel_B, wrapped[0], wrapped[1], wrapped[2]);
        if (p->is_packed_422 && l.data && !is_border)
            packed_422_texel(p, &l, wrapped[0], wrapped[1], out);
        else if (texel)
            p->codec.decode(p->codec.fmt, texel, out);
        else if (is_border)
            memcpy(out, filter->border, 4 * sizeof(out[0]));
        else
            rp_texel_outside(&p->codec, out);
    }
    if (point->has_dref)
        tap_compare(filter, point, out);
}

/* The coordinate along one axis in texels of a plane's level. */
static float
texel_coordinate(const struct rp_filter *filter, const struct rp_filter_plane *p, uint32_t level,
                 const struct rp_filter_point *point, uint32_t axis)
{
    const struct rp_texture_level *l = &filter->plane[0].levels[level];
    const uint32_t size_px[3] = {l->width_px, l->height_px, l->depth_px};
    float u = point->coord[axis];

    if (!filter->sampler->is_unnormalized)
        u *= (float)size_px[axis];
    if (p->is_chroma && axis < 2)
        u = u * p->scale[axis] + p->shift[axis];
    if (!(u > -COORD_LIMIT)) /* NaN too */
        return -COORD_LIMIT;
    return u < COORD_LIMIT ? u : COORD_LIMIT;
}

/* What a linear filter mixes, by the sampler's reduction mode. Of a number and a NaN of whichever
 * kind the least or greatest is the number, which fminf() does not say of signalling ones.
 */
static float
reduce(VkSamplerReductionMode mode, float sum, float weight, float value, bool is_first)
{
    if (weight == 0.0f)
        return sum;
    if (mode == VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE)
        return sum + weight * value;
    if (is_first)
        return value;
    const bool is_kept = mode == VK_SAMPLER_REDUCTION_MODE_MIN ? sum < value : sum > value;
    return is_kept || isnan(value) ? sum : value;
}

static void
plane_linear(const struct rp_filter *filter, const struct rp_filter_plane *p, uint32_t level,
             const struct rp_filter_point *point, uint32_t out[4])
{
    const uint32_t tap_count = 1u << filter->dim_count;
    float sum[4] = {0};
    float fraction[3] = {0};
    int32_t first[3] = {0};
    uint32_t texel[4] = {0};
    bool is_first = true;

    for (uint32_t i = 0; i < filter->dim_count; i++) {
        const float u = texel_coordinate(filter, p, level, point, i) - 0.5f;
        const float low = floorf(u);
        fraction[i] = u - low;
        first[i] = (int32_t)low + point->offset[i];
    }
    for (uint32_t t = 0; t < tap_count; t++) {
        int32_t at[3] = {0};
        float weight = 1.0f;
        for (uint32_t i = 0; i < filter->dim_count; i++) {
            const bool is_high = t >> i & 1;
            at[i] = first[i] + is_high;
            weight *= is_high ? fraction[i] : 1.0f - fraction[i];
        }
        tap(filter, p, level, point, at, texel);
        for (uint32_t c = 0; c < 4; c++)
            sum[c] = reduce(filter->sampler->reduction, sum[c], weight, rp_bits_float(texel[c]),
                            is_first);
        is_first = is_first && weight == 0.0f;
    }
    for (uint32_t c = 0; c < 4; c++)
        out[c] = rp_float_bits(sum[c]);
    if (!p->has_alpha) /* 1, whatever the weights sum up to */
        out[3] = texel[3];
}

static void
plane_nearest(const struct rp_filter *filter, const struct rp_filter_plane *p, uint32_t level,
              const struct rp_filter_point *point, uint32_t out[4])
{
    int32_t at[3] = {0};
    for (uint32_t i = 0; i < filter->dim_count; i++)
        at[i] = (int32_t)floorf(texel_coordinate(filter, p, level, point, i)) + point->offset[i];
    /* A point on the edge of a face belongs to the face. */
    for (uint32_t i = 0; filter->is_seamless && i < 2; i++)
        at[i] = RP_MAX(0, RP_MIN(at[i], (int32_t)p->levels[level].width_px - 1));
    tap(filter, p, level, point, at, out);
}

void
rp_filter_level(const struct rp_filter *filter, const struct rp_filter_point *point, uint32_t level,
                VkFilter mode, uint32_t out[4])
{
    out[0] = out[1] = out[2] = 0;
    out[3] = filter->is_int ? 1 : rp_float_bits(1.0f);
    for (uint32_t i = 0; i < filter->plane_count; i++) {
        const struct rp_filter_plane *p = &filter->plane[i];
        const VkFilter plane_mode =
            p->is_chroma && filter->sampler->ycbcr ? filter->sampler->ycbcr->chroma_filter : mode;
        uint32_t texel[4] = {0};
        if (plane_mode == VK_FILTER_LINEAR && !filter->is_int)
            plane_linear(filter, p, level, point, texel);
        else
            plane_nearest(filter, p, level, point, texel);
        for (uint32_t c = 0; c < 4; c++)
            if (p->target[c] >= 0)
                out[p->target[c]] = texel[c];
    }
}

static void
gather_at(const struct rp_filter *filter, const struct rp_filter_point *point, uint32_t level,
          int32_t step_x, int32_t step_y, uint32_t out[4])
{
    out[0] = out[1] = out[2] = out[3] = 0;
    for (uint32_t i = 0; i < filter->plane_count; i++) {
        const struct rp_filter_plane *p = &filter->plane[i];
        const float u = texel_coordinate(filter, p, level, point, 0) - 0.5f;
        const float v = texel_coordinate(filter, p, level, point, 1) - 0.5f;
        const int32_t at[3] = {(int32_t)floorf(u) + point->offset[0] + step_x,
                               (int32_t)floorf(v) + point->offset[1] + step_y, 0};
        uint32_t texel[4];
        tap(filter, p, level, point, at, texel);
        for (uint32_t c = 0; c < 4; c++)
            if (p->target[c] >= 0)
                out[p->target[c]] = texel[c];
    }
}

void
rp_filter_gather(const struct rp_filter *filter, const struct rp_filter_point *point,
                 uint32_t level, uint32_t out[4][4])
{
    gather_at(filter, point, level, 0, 1, out[0]);
    gather_at(filter, point, level, 1, 1, out[1]);
    gather_at(filter, point, level, 1, 0, out[2]);
    gather_at(filter, point, level, 0, 0, out[3]);
}

void
rp_filter_gather_one(const struct rp_filter *filter, const struct rp_filter_point *point,
                     uint32_t level, uint32_t out[4])
{
    gather_at(filter, point, level, 0, 0, out);
}

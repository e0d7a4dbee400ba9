/* SPDX-License-Identifier: MIT */
/* Image accesses a vector at a time: addresses, loads (whole rows where lanes are neighbours),
 * conversion. Compiled once for each instruction set.
 */
#include "compute/exec/texels.h"

#include "compute/exec/op_list.h"
#include "compute/exec/vec.h"

#define COORD_LIMIT 1.0e9f /* as in image/filter.c */

typedef uint8_t vb __attribute__((vector_size(RP_VW)));
typedef uint16_t vs __attribute__((vector_size(2 * RP_VW)));

/* What a format is made of, as far as it is cut short. */
struct texel_kind {
    uint32_t texel_B;
    uint32_t unorm_count; /* 8-bit UNORM components; 0: 32 bits as they are */
    bool is_bgra;
    bool is_int;
};

static bool
kind_of(VkFormat format, struct texel_kind *out)
{
    switch ((int)format) {
    case VK_FORMAT_R8_UNORM:
        *out = (struct texel_kind){.texel_B = 1, .unorm_count = 1};
        return true;
    case VK_FORMAT_R8G8_UNORM:
        *out = (struct texel_kind){.texel_B = 2, .unorm_count = 2};
        return true;
    case VK_FORMAT_R8G8B8A8_UNORM:
    case VK_FORMAT_A8B8G8R8_UNORM_PACK32:
        *out = (struct texel_kind){.texel_B = 4, .unorm_count = 4};
        return true;
    case VK_FORMAT_B8G8R8A8_UNORM:
        *out = (struct texel_kind){.texel_B = 4, .unorm_count = 4, .is_bgra = true};
        return true;
    case VK_FORMAT_R32_SFLOAT:
        *out = (struct texel_kind){.texel_B = 4};
        return true;
    case VK_FORMAT_R32_UINT:
    case VK_FORMAT_R32_SINT:
        *out = (struct texel_kind){.texel_B = 4, .is_int = true};
        return true;
    default:
        return false;
    }
}

static bool
swizzle_is_identity(const VkComponentMapping *s)
{
    return (s->r == VK_COMPONENT_SWIZZLE_R || s->r == VK_COMPONENT_SWIZZLE_IDENTITY) &&
           (s->g == VK_COMPONENT_SWIZZLE_G || s->g == VK_COMPONENT_SWIZZLE_IDENTITY) &&
           (s->b == VK_COMPONENT_SWIZZLE_B || s->b == VK_COMPONENT_SWIZZLE_IDENTITY) &&
           (s->a == VK_COMPONENT_SWIZZLE_A || s->a == VK_COMPONENT_SWIZZLE_IDENTITY);
}

static bool
is_all_zero(const uint32_t *lanes, uint32_t count)
{
    vi any = {0};
    for (uint32_t i = 0; i < count; i += RP_VW)
        any |= *(const vi *)(lanes + i);
    return vi_bits(any != 0) == 0;
}

/* The one level of a plain 2D picture, or NULL. */
static const struct rp_texture_level *
plain_level(const struct rp_image_shape *shape, const struct rp_texture *view,
            const struct rp_image_args *args)
{
    if (!view || shape->dim != RP_DIM_2D || shape->is_arrayed || shape->is_multisampled ||
        view->plane_count != 1 || view->layer_count == 0 || args->offset[0] || args->sample ||
        view->min_lod >= 1.0f)
        return NULL;
    const struct rp_texture_level *level = &view->levels[0];
    if (!level->data || level->depth_px == 0 ||
        (uint64_t)level->row_B * level->height_px > INT32_MAX)
        return NULL;
    return level;
}

static vi
texel_offsets(const struct rp_texture_level *level, uint32_t texel_B, vi x, vi y)
{
    const vu w = (vu)vi_splat((int32_t)level->width_px);
    const vu h = (vu)vi_splat((int32_t)level->height_px);
    const vi inside = (vi)(VU(x) < w) & (vi)(VU(y) < h);
    const vu offset = VU(y) * (uint32_t)level->row_B + VU(x) * texel_B;
    return vi_select(inside, VI(offset), vi_splat(-1));
}

/* Bytes from lane to lane when that is the same everywhere and all lanes are inside; else 0. */
static uint32_t
even_stride(vi offset)
{
    const int32_t first = offset[0], stride = offset[1] - first;
    if (first < 0 || stride <= 0 || stride > 64)
        return 0;
    return vi_bits(offset != first + lane_numbers(0) * stride) == 0 ? (uint32_t)stride : 0;
}

/* Four bytes from each offset that is not negative, else 0. */
#if RP_VW == 16
static vu
gather_words(const uint8_t *data, vi offset)
{
    const __mmask16 inside = (__mmask16)~vi_bits(offset);
    return (vu)_mm512_mask_i32gather_epi32(_mm512_setzero_si512(), inside, (__m512i)offset, data,
                                           1);
}
#elif RP_VW == 8
static vu
gather_words(const uint8_t *data, vi offset)
{
    const __m256i inside = (__m256i)(offset >= 0);
    return (vu)_mm256_mask_i32gather_epi32(_mm256_setzero_si256(), (const int *)(const void *)data,
                                           (__m256i)offset, inside, 1);
}
#endif

/* Words, halves or bytes that are `stride` apart, as numbers of all that lies between them. */
static bool
load_even(const uint8_t *data, uint32_t stride, size_t left_B, vu *out)
{
    if (stride == 4 && left_B >= 4 * RP_VW) {
        *out = VU(*(const vi_u *)(const void *)data);
        return true;
    }
    if (stride == 2 && left_B >= 2 * RP_VW) {
        vs halves;
        memcpy(&halves, data, sizeof(halves));
        *out = __builtin_convertvector(halves, vu);
        return true;
    }
    if (stride == 1 && left_B >= RP_VW) {
        vb bytes;
        memcpy(&bytes, data, sizeof(bytes));
        *out = __builtin_convertvector(bytes, vu);
        return true;
    }
#if RP_VW == 16
    if (stride == 8 && left_B >= 8 * RP_VW) {
        const __m512i even = (__m512i)(2 * lane_numbers(0));
        *out = (vu)_mm512_permutex2var_epi32(_mm512_loadu_si512(data), even,
                                             _mm512_loadu_si512(data + 64));
        return true;
    }
#elif RP_VW == 8
    if (stride == 8 && left_B >= 8 * RP_VW) {
        const __m256 low = _mm256_loadu_ps((const float *)(const void *)data);
        const __m256 high = _mm256_loadu_ps((const float *)(const void *)(data + 32));
        const __m256d even = (__m256d)_mm256_shuffle_ps(low, high, 0x88);
        *out = (vu)_mm256_permute4x64_pd(even, 0xd8);
        return true;
    }
#endif
    return false;
}

/* Texels as numbers; what lies outside (offset -1) is 0. */
static vu
load_texels(const struct rp_texture_level *level, uint32_t texel_B, vi offset)
{
    const uint8_t *data = level->data;
    const size_t size_B = (size_t)level->row_B * level->height_px;
    const uint32_t used = texel_B == 4 ? UINT32_MAX : (1u << 8 * texel_B) - 1;
    const uint32_t stride = even_stride(offset);
    vu out = {0};
    if (stride >= texel_B &&
        load_even(data + offset[0], stride, size_B - (uint32_t)offset[0], &out))
        return out & used;

#if RP_VW >= 8
    /* A gather reads four bytes of each texel: not those at the very end. */
    const int32_t last = (int32_t)size_B - 4;
    if (last >= 0 && vi_bits(offset > last) == 0)
        return gather_words(data, offset) & used;
#endif
    for (int32_t i = 0; i < RP_VW; i++) {
        uint32_t texel = 0;
        if (offset[i] < 0)
            continue;
        if (texel_B == 4)
            memcpy(&texel, data + offset[i], 4);
        else if (texel_B == 2)
            memcpy(&texel, data + offset[i], 2);
        else
            texel = data[offset[i]];
        out[i] = texel;
    }
    return out;
}

/* The nearest float to n / 255 for n from 0 to 255: 1 / 255 in two parts, of which n times the
 * first is exact. */
static vf
unorm_of(vu texel, uint32_t shift)
{
    const vf n = __builtin_convertvector((vi)(texel >> shift & 255), vf);
    return n * 0x1.01p-8f + n * 0x1.010102p-24f;
}

/* Where component c of a texel lies. */
static uint32_t
shift_of(const struct texel_kind *kind, uint32_t c)
{
    return 8 * (kind->is_bgra && c < 3 ? 2 - c : c);
}

static bool
texels_read(const struct rp_image_shape *shape, const struct rp_descriptor *desc,
            const struct rp_image_args *args, bool is_fetch, uint32_t count,
            uint32_t *const out[4])
{
    struct texel_kind kind;
    if (shape->dim == RP_DIM_BUFFER || !desc->view || !kind_of(desc->view->format, &kind))
        return false;
    const struct rp_texture_level *level = plain_level(shape, desc->view, args);
    if (!level || (is_fetch && !swizzle_is_identity(&desc->view->swizzle)) ||
        (args->lod && !is_all_zero(args->lod, count)))
        return false;

    const vi one = kind.is_int ? vi_splat(1) : VI(vf_splat(1.0f));
    for (uint32_t i = 0; i < count; i += RP_VW) {
        const vi offset =
            texel_offsets(level, kind.texel_B, *(const vi *)(args->coord[0] + i),
                          *(const vi *)(args->coord[1] + i));
        const vu texel = load_texels(level, kind.texel_B, offset);
        for (uint32_t c = 0; c < 4; c++) {
            vi value = c == 3 ? one : (vi){0};
            if (!out[c])
                continue;
            if (c < kind.unorm_count)
                value = VI(unorm_of(texel, shift_of(&kind, c)));
            else if (kind.unorm_count == 0 && c == 0)
                value = VI(texel);
            *(vi *)(out[c] + i) = value;
        }
    }
    return true;
}

/* 0 to 255, ties to even; NaN gives 0. Adding 2^23 leaves the rounded number in the low bits. */
static vu
unorm_from(vi bits)
{
    const vf value = VF(bits);
    const vf low = vf_select(value > 0.0f, value, (vf){0});
    const vf clamped = vf_select(low < 1.0f, low, vf_splat(1.0f));
    return VU(clamped * 255.0f + 8388608.0f) & 255;
}

/* Texels that are `stride` bytes apart; what lies between them stays. */
static bool
store_even(uint8_t *to, uint32_t texel_B, uint32_t stride, vu texel)
{
    if (stride == 4 && texel_B == 4) {
        memcpy(to, &texel, sizeof(texel));
        return true;
    }
    if (stride == 2 && texel_B == 2) {
        const vs texels = __builtin_convertvector(texel, vs);
        memcpy(to, &texels, sizeof(texels));
        return true;
    }
    if (stride == 1 && texel_B == 1) {
        const vb texels = __builtin_convertvector(texel, vb);
        memcpy(to, &texels, sizeof(texels));
        return true;
    }
#if RP_VW == 16
    if (stride == 2 && texel_B == 1) {
        _mm256_mask_storeu_epi8(to, 0x55555555, _mm512_cvtepi32_epi16((__m512i)texel));
        return true;
    }
    if (stride == 4 && texel_B == 2) {
        _mm512_mask_storeu_epi8(to, UINT64_C(0x3333333333333333), (__m512i)texel);
        return true;
    }
#endif
    return false;
}

static void
store_texels(uint8_t *data, uint32_t texel_B, vi offset, vu texel)
{
    const uint32_t stride = even_stride(offset);
    if (stride && store_even(data + offset[0], texel_B, stride, texel))
        return;

    for (int32_t i = 0; i < RP_VW; i++) {
        const uint32_t word = texel[i];
        if (offset[i] < 0)
            continue;
        if (texel_B == 4)
            memcpy(data + offset[i], &word, 4);
        else if (texel_B == 2)
            memcpy(data + offset[i], &word, 2);
        else
            data[offset[i]] = (uint8_t)word;
    }
}

static bool
texels_write(const struct rp_image_shape *shape, const struct rp_descriptor *desc,
             const struct rp_image_args *args, uint32_t count, const uint16_t *mask,
             const uint32_t *const value[4])
{
    struct texel_kind kind;
    if (shape->dim == RP_DIM_BUFFER || !desc->view || !kind_of(desc->view->format, &kind))
        return false;
    const struct rp_texture_level *level = plain_level(shape, desc->view, args);
    if (!level || args->lod)
        return false;

    for (uint32_t i = 0; i < count; i += RP_VW) {
        vi offset = texel_offsets(level, kind.texel_B, *(const vi *)(args->coord[0] + i),
                                  *(const vi *)(args->coord[1] + i));
        if (mask)
            offset = vi_select(mask_vec(mask, (int32_t)(i / RP_VW)), offset, vi_splat(-1));
        vu texel = {0};
        for (uint32_t c = 0; c < kind.unorm_count; c++)
            texel |= unorm_from(*(const vi *)(value[c] + i)) << shift_of(&kind, c);
        if (kind.unorm_count == 0)
            texel = *(const vu *)(value[0] + i);
        store_texels(level->data, kind.texel_B, offset, texel);
    }
    return true;
}

static vi
vi_clamp(vi value, int32_t high)
{
    const vi low = vi_select(value < 0, (vi){0}, value);
    return vi_select(low > high, vi_splat(high), low);
}

/* The coordinate in texels, kept in reach of integers; NaN goes to the low end. scale: of what the
 * shader gives, the size or 1. */
static inline vf
texel_coordinate(const uint32_t *lanes, uint32_t i, float scale)
{
    const vf u = *(const vf *)(lanes + i) * scale;
    const vf low = vf_select(u > -COORD_LIMIT, u, vf_splat(-COORD_LIMIT));
    return vf_select(low < COORD_LIMIT, low, vf_splat(COORD_LIMIT));
}

static vf
vf_floor(vf value)
{
    const vf whole = __builtin_convertvector(__builtin_convertvector(value, vi), vf);
    return vf_select(whole > value, whole - 1.0f, whole);
}

/* One axis of a linear filter: the two texels and how far the point lies from the first. */
struct linear_axis {
    vi at[2];
    vf weight[2];
};

static inline struct linear_axis
linear_axis_of(const uint32_t *lanes, uint32_t i, uint32_t size_px, float scale)
{
    const vf u = texel_coordinate(lanes, i, scale) - 0.5f;
    const vf low = vf_floor(u);
    const vi first = __builtin_convertvector(low, vi);
    const vf fraction = u - low;
    return (struct linear_axis){
        .at = {vi_clamp(first, (int32_t)size_px - 1), vi_clamp(first + 1, (int32_t)size_px - 1)},
        .weight = {1.0f - fraction, fraction},
    };
}

/* The left and right texels of a row. Two small ones are read at once where both are there. */
static void
load_pair(const struct rp_texture_level *level, uint32_t texel_B, vi row, const vi at[2],
          vu out[2])
{
    const vi left = row + at[0] * (int32_t)texel_B, right = row + at[1] * (int32_t)texel_B;
#if RP_VW >= 8
    const int32_t last = (int32_t)(level->row_B * level->height_px) - 4;
    if (texel_B <= 2 && vi_bits(left > last) == 0) {
        const uint32_t used = (1u << 8 * texel_B) - 1;
        const vu words = gather_words(level->data, left);
        out[0] = words & used;
        out[1] = words >> (VU(right - left) * 8) & used;
        return;
    }
#endif
    out[0] = load_texels(level, texel_B, left);
    out[1] = load_texels(level, texel_B, right);
}

static inline void
sample_linear(const struct rp_texture_level *level, const struct texel_kind *kind,
              const struct rp_image_args *args, const float scale[2], uint32_t i,
              uint32_t *const out[4])
{
    const struct linear_axis x =
        linear_axis_of(args->coord[0], i, level->width_px, scale[0]);
    const struct linear_axis y =
        linear_axis_of(args->coord[1], i, level->height_px, scale[1]);
    vf sum[4] = {{0}, {0}, {0}, {0}};

    for (uint32_t row = 0; row < 2; row++) {
        vu texel[2];
        load_pair(level, kind->texel_B, y.at[row] * (int32_t)level->row_B, x.at, texel);
        for (uint32_t t = 0; t < 2; t++) {
            const vf weight = x.weight[t] * y.weight[row];
            for (uint32_t c = 0; c < kind->unorm_count; c++)
                sum[c] += weight * unorm_of(texel[t], shift_of(kind, c));
        }
    }
    for (uint32_t c = 0; c < kind->unorm_count; c++)
        if (out[c])
            *(vf *)(out[c] + i) = sum[c];
}

static void
sample_nearest(const struct rp_texture_level *level, const struct texel_kind *kind,
               const struct rp_image_args *args, const float scale[2], uint32_t i,
               uint32_t *const out[4])
{
    const vi x = __builtin_convertvector(
        vf_floor(texel_coordinate(args->coord[0], i, scale[0])), vi);
    const vi y = __builtin_convertvector(
        vf_floor(texel_coordinate(args->coord[1], i, scale[1])), vi);
    const vi offset = vi_clamp(y, (int32_t)level->height_px - 1) * (int32_t)level->row_B +
                      vi_clamp(x, (int32_t)level->width_px - 1) * (int32_t)kind->texel_B;
    const vu texel = load_texels(level, kind->texel_B, offset);

    for (uint32_t c = 0; c < kind->unorm_count; c++)
        if (out[c])
            *(vf *)(out[c] + i) = unorm_of(texel, shift_of(kind, c));
}

/* No level of detail to find, edges that clamp, one filter whatever the level. */
static bool
sampler_is_plain(const struct rp_sampler_state *s)
{
    return !s->has_compare && !s->ycbcr && s->mag_filter == s->min_filter &&
           s->reduction == VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE &&
           s->address_mode[0] == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE &&
           s->address_mode[1] == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
}

static bool
texels_sample(const struct rp_image_shape *shape, const struct rp_texture *view,
              const struct rp_sampler_state *sampler, const struct rp_image_args *args,
              uint32_t count, uint32_t *const out[4])
{
    struct texel_kind kind;
    const struct rp_texture_level *level = plain_level(shape, view, args);
    if (!level || view->level_count != 1 || args->dref || args->grad_x[0] ||
        !sampler_is_plain(sampler) || !swizzle_is_identity(&view->swizzle) ||
        !kind_of(view->format, &kind) || kind.unorm_count == 0)
        return false;

    const bool is_scaled = !sampler->is_unnormalized;
    const float scale[2] = {is_scaled ? (float)level->width_px : 1.0f,
                            is_scaled ? (float)level->height_px : 1.0f};
    for (uint32_t i = 0; i < count; i += RP_VW) {
        if (sampler->mag_filter == VK_FILTER_LINEAR)
            sample_linear(level, &kind, args, scale, i, out);
        else
            sample_nearest(level, &kind, args, scale, i, out);
        for (uint32_t c = kind.unorm_count; c < 4; c++)
            if (out[c])
                *(vf *)(out[c] + i) = vf_splat(c == 3 ? 1.0f : 0.0f);
    }
    return true;
}

static const struct rp_texel_cuts cuts = {
    .read = texels_read,
    .write = texels_write,
    .sample = texels_sample,
};

RP_OP(IMAGE)
{
    return rp_exec_image(o, R, x, &cuts);
}

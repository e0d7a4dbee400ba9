/* SPDX-License-Identifier: MIT */
/* The texels that a linear sample takes: left and right ones of a row, and squares of four, of
 * all lanes of a vector.
 */
#ifndef RP_COMPUTE_EXEC_TEXEL_SQUARE_H
#define RP_COMPUTE_EXEC_TEXEL_SQUARE_H

#include "compute/exec/texel_axis.h"
#include "compute/exec/texel_load.h"

/* The left and right texels of all lanes. Small ones lie in the low and the high half of words, as
 * if they were one texel of two. */
struct texel_pair {
    vu left;
    vu right; /* of 32 bits */
};

/* What a component's numbers are multiples of. */
RP_ALWAYS_INLINE float
pair_unit(enum texel_form form, uint32_t c)
{
    return texel_bits(form) == 8 && !(form == TEXEL_SRGB && c < 3) ? BYTE_UNIT : 1.0f;
}

/* Texel t of a pair: a component, over its unit. */
RP_ALWAYS_INLINE vf
pair_component(enum texel_form form, const struct texel_pair *pair, uint32_t t, uint32_t c)
{
    const uint32_t shift = texel_shift(form, c) + (texel_size(form) == 4 ? 0 : 16 * t);
    const vu word = texel_size(form) == 4 && t ? pair->right : pair->left;
    if (texel_bits(form) == 0)
        return VF(word);
    if (form == TEXEL_SRGB && c < 3)
        return VF(linear_of(word >> shift & 0xff));
    if (texel_bits(form) == 8)
        return byte_number(word, shift / 8);
    return unorm_of(word, texel_bits(form), shift);
}

/* How the lanes' texels lie in a window of a row: in reach of permutations, or not. */
struct window {
    bool is_near;
    bool is_dense;   /* of texels of 32 bits: they lie side by side */
    bool has_halves; /* of texels of 32 bits: four each, with the right ones behind the left ones */
    vi index;        /* of left texels; small ones: and the right in the upper half */
    vi right;        /* of texels of 32 bits */
    int32_t at[2];   /* where the windows begin, in texels */
};

#if RP_VW == 16
/* 32 texels from the first lane's on. */
#define WINDOW_TEXELS(texel_B) 32

RP_ALWAYS_INLINE struct window
window_of(uint32_t texel_B, const vi at[2], const struct rp_texture_level *level, size_t row_B)
{
    const int32_t first = at[0][0];
    const vi left = at[0] - first, right = at[1] - first;
    struct window w = {
        .is_near =
            vi_bits(VI(VU(left | right) > WINDOW_TEXELS(texel_B) - 1)) == 0 &&
            row_B + ((uint32_t)first + WINDOW_TEXELS(texel_B)) * texel_B <= level_size(level),
        .index = left,
        .right = right,
        .at = {first},
    };
    if (texel_B < 4)
        w.index |= right << 16;
    else
        w.is_dense = vi_equal(left, lane_numbers(0)) && vi_equal(right, lane_numbers(0) + 1);
    return w;
}

RP_ALWAYS_INLINE struct texel_pair
window_load(uint32_t texel_B, const struct window *w, const uint8_t *row)
{
    const uint8_t *p = row + (uint32_t)w->at[0] * texel_B;
    struct texel_pair pair;
    if (texel_B == 4 && w->is_dense) {
        pair.left = (vu)_mm512_loadu_si512(p);
        pair.right = (vu)_mm512_loadu_si512(p + 4);
    } else if (texel_B == 4) {
        const __m512i low = _mm512_loadu_si512(p), high = _mm512_loadu_si512(p + 64);
        pair.left = (vu)_mm512_permutex2var_epi32(low, (__m512i)w->index, high);
        pair.right = (vu)_mm512_permutex2var_epi32(low, (__m512i)w->right, high);
    } else {
        const __m512i texels = texel_B == 2
                                   ? _mm512_loadu_si512(p)
                                   : _mm512_cvtepu8_epi16(_mm256_loadu_si256((const void *)p));
        pair.left = (vu)_mm512_permutexvar_epi16((__m512i)w->index, texels);
        pair.right = pair.left;
    }
    return pair;
}
#elif RP_VW == 8
/* 16 bytes for each half of the vector, or 16 texels of 32 bits for the whole. */
#define WINDOW_TEXELS(texel_B) ((texel_B) == 2 ? 8 : 16)

/* Texels of 32 bits of which each half of the vector has four in a row, and the right ones beside
 * them; false: they lie otherwise. */
RP_ALWAYS_INLINE bool
halves_of(const vi at[2], const struct rp_texture_level *level, size_t row_B, struct window *w)
{
    const vi first = (vi)_mm256_shuffle_epi32((__m256i)at[0], 0);
    const vi left = at[0] - first;
    const uint32_t last = (uint32_t)(first[0] > first[4] ? first[0] : first[4]);
    if (!_mm256_testz_si256((__m256i)left, _mm256_set1_epi32(~3)) || !vi_equal(at[1], at[0] + 1) ||
        row_B + (last + 5) * 4 > level_size(level))
        return false;
    w->is_near = w->has_halves = true;
    w->is_dense = first[4] == first[0] + 4 && vi_equal(left, lane_numbers(0) & 3);
    w->index = left;
    w->at[0] = first[0];
    w->at[1] = first[4];
    return true;
}

/* Four texels each, and which of them. */
RP_ALWAYS_INLINE vu
pick_of_halves(const uint8_t *p, const uint8_t *q, vi index)
{
    const __m256 both =
        _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps((const float *)(const void *)p)),
                             _mm_loadu_ps((const float *)(const void *)q), 1);
    return (vu)_mm256_permutevar_ps(both, (__m256i)index);
}

RP_ALWAYS_INLINE struct window
window_of(uint32_t texel_B, const vi at[2], const struct rp_texture_level *level, size_t row_B)
{
    struct window w;
    vi first = vi_splat(at[0][0]);
    if (texel_B < 4)
        first = (vi)_mm256_shuffle_epi32((__m256i)at[0], 0);
    const vi left = at[0] - first, right = at[1] - first;
    const uint32_t last = (uint32_t)(first[0] > first[4] ? first[0] : first[4]);
    if (texel_B == 4 && halves_of(at, level, row_B, &w))
        return w;
    w = (struct window){
        .is_near = vi_bits(VI(VU(left | right) > WINDOW_TEXELS(texel_B) - 1)) == 0 &&
                   row_B + (last + WINDOW_TEXELS(texel_B)) * texel_B <= level_size(level),
        .index = left,
        .right = right,
        .at = {first[0], first[4]},
    };
    if (texel_B == 1) {
        w.index = left | right << 16 | vi_splat((int32_t)0x80008000);
    } else if (texel_B == 2) {
        const vi bytes = (left | right << 16) * 2;
        w.index = bytes | bytes << 8 | vi_splat(0x01000100);
    }
    return w;
}

static inline vu
pick_of_16(__m256i low, __m256i high, vi index)
{
    const __m256i a = _mm256_permutevar8x32_epi32(low, (__m256i)index);
    const __m256i b = _mm256_permutevar8x32_epi32(high, (__m256i)index);
    return (vu)_mm256_blendv_ps((__m256)a, (__m256)b, (__m256)(index << 28));
}

RP_ALWAYS_INLINE struct texel_pair
window_load(uint32_t texel_B, const struct window *w, const uint8_t *row)
{
    const uint8_t *p = row + (uint32_t)w->at[0] * texel_B;
    const uint8_t *q = row + (uint32_t)w->at[1] * texel_B;
    struct texel_pair pair;
    if (texel_B == 4 && w->is_dense) {
        pair.left = (vu)_mm256_loadu_si256((const void *)p);
        pair.right = (vu)_mm256_loadu_si256((const void *)(p + 4));
    } else if (texel_B == 4 && w->has_halves) {
        pair.left = pick_of_halves(p, q, w->index);
        pair.right = pick_of_halves(p + 4, q + 4, w->index);
    } else if (texel_B == 4) {
        const __m256i low = _mm256_loadu_si256((const void *)p);
        const __m256i high = _mm256_loadu_si256((const void *)(p + 32));
        pair.left = pick_of_16(low, high, w->index);
        pair.right = pick_of_16(low, high, w->right);
    } else {
        const __m256i texels =
            _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const void *)p)),
                                    _mm_loadu_si128((const void *)q), 1);
        pair.left = (vu)_mm256_shuffle_epi8(texels, (__m256i)w->index);
        pair.right = pair.left;
    }
    return pair;
}
#else
RP_ALWAYS_INLINE struct window
window_of(uint32_t texel_B, const vi at[2], const struct rp_texture_level *level, size_t row_B)
{
    return (struct window){.is_near = false};
}

RP_ALWAYS_INLINE struct texel_pair
window_load(uint32_t texel_B, const struct window *w, const uint8_t *row)
{
    return (struct texel_pair){{0}, {0}};
}
#endif

/* Words that are beside each other in every lane are loaded as one of 64 bits. */
static __attribute__((noinline)) struct texel_pair
load_pair_4(const struct rp_texture_level *level, vi left, vi right)
{
#if RP_VW >= 8
    const int32_t last = (int32_t)level_size(level) - 8;
    if (vi_equal(right, left + 4) && vi_bits(left > last) == 0) {
        _Alignas(64) int32_t offset[RP_VW];
        vu texel[4];
        *(vi *)offset = left;
        load_long(level->data, offset, texel);
        return (struct texel_pair){texel[0], texel[1]};
    }
#endif
    return (struct texel_pair){load_texels(level, 4, left), load_texels(level, 4, right)};
}

/* The left and right texels of rows that may differ from lane to lane. Two small ones are read at
 * once where both are there. */
static inline struct texel_pair
load_pair(const struct rp_texture_level *level, uint32_t texel_B, vi row, const vi at[2])
{
    const vi left = row + at[0] * (int32_t)texel_B, right = row + at[1] * (int32_t)texel_B;
    if (texel_B == 4)
        return load_pair_4(level, left, right);
    vu joined;
#if RP_VW >= 8
    const uint32_t used = texel_used(texel_B);
    const int32_t last = (int32_t)level_size(level) - 4;
    const bool is_beside = vi_bits(VI(VU(right - left) > texel_B)) == 0;
    if (is_beside && vi_bits(left > last) == 0) {
        const vu words = gather_words(level->data, left);
        joined = (words & used) | (words >> (VU(right - left) * 8) & used) << 16;
        return (struct texel_pair){joined, joined};
    }
#endif
    joined = load_texels(level, texel_B, left) | load_texels(level, texel_B, right) << 16;
    return (struct texel_pair){joined, joined};
}

/* The four texels of all lanes, with their weights. */
struct square {
    struct texel_pair pair[2];
    vf weight[4];
    bool has_right; /* whose weights are 0 in all lanes else, as those of the lower texels */
    bool has_low;
};

RP_ALWAYS_INLINE void
square_as(uint32_t texel_B, const struct sampling *sampling, uint32_t s, struct square *q)
{
    const struct rp_texture_level *level = sampling->level;
    const struct linear_axis x = linear_axis_at(sampling, 0, s);
    struct linear_axis y;
    bool is_row = true;
    if (sampling->has_one_row) {
        linear_axis_copy(&sampling->y, &y);
    } else {
        y = linear_axis_at(sampling, 1, s);
        is_row = vi_equal(y.at[0], vi_splat(y.at[0][0])) && vi_equal(y.at[1], vi_splat(y.at[1][0]));
    }
    const size_t row_B[2] = {(uint32_t)y.at[0][0] * level->row_B,
                             (uint32_t)y.at[1][0] * level->row_B};
    struct window window = {.is_near = false};
    if (is_row)
        window = window_of(texel_B, x.at, level, RP_MAX(row_B[0], row_B[1]));

    q->weight[0] = x.weight[0] * y.weight[0];
    q->weight[1] = x.weight[1] * y.weight[0];
    q->weight[2] = x.weight[0] * y.weight[1];
    q->weight[3] = x.weight[1] * y.weight[1];
    q->has_right = x.has_second || sampling->is_gather;
    q->has_low = y.has_second || sampling->is_gather;
    q->pair[1] = (struct texel_pair){{0}, {0}};
    if (window.is_near) {
        q->pair[0] = window_load(texel_B, &window, level->data + row_B[0]);
        if (q->has_low)
            q->pair[1] = window_load(texel_B, &window, level->data + row_B[1]);
    } else {
        q->pair[0] = load_pair(level, texel_B, y.at[0] * (int32_t)level->row_B, x.at);
        if (q->has_low)
            q->pair[1] = load_pair(level, texel_B, y.at[1] * (int32_t)level->row_B, x.at);
    }
}

static __attribute__((noinline)) void
square_1(const struct sampling *sampling, uint32_t s, struct square *q)
{
    square_as(1, sampling, s, q);
}

static __attribute__((noinline)) void
square_2(const struct sampling *sampling, uint32_t s, struct square *q)
{
    square_as(2, sampling, s, q);
}

static __attribute__((noinline)) void
square_4(const struct sampling *sampling, uint32_t s, struct square *q)
{
    square_as(4, sampling, s, q);
}

/* Forms of which there are many textures have code of their own. */
RP_ALWAYS_INLINE void
square_of(enum texel_form form, const struct sampling *sampling, uint32_t s, struct square *q)
{
    if (RP_VW >= 8 && form != TEXEL_RG8 && form != TEXEL_R16 && form != TEXEL_RG16)
        square_as(texel_size(form), sampling, s, q);
    else if (texel_size(form) == 4)
        square_4(sampling, s, q);
    else if (texel_size(form) == 2)
        square_2(sampling, s, q);
    else
        square_1(sampling, s, q);
}

#endif

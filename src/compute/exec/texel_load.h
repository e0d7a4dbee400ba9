/* SPDX-License-Identifier: MIT */
/* Texels of a nature that is known: loaded from the offsets of a vector of lanes, and their
 * components as numbers.
 */
#ifndef RP_COMPUTE_EXEC_TEXEL_LOAD_H
#define RP_COMPUTE_EXEC_TEXEL_LOAD_H

#include "compute/exec/texel_long.h"
#include "compute/exec/texel_packed.h"
#include "compute/exec/texel_unit.h"

RP_ALWAYS_INLINE vi
component_of(enum nature nature, const vu texel[4], uint32_t c)
{
    const struct field field = field_of(nature, c);
    const vu word = texel[field.word];
    if (is_word(nature))
        return VI(word);
    const bool is_alpha = (nature == BYTE_SRGB || nature == BYTE_SRGB_BGR) && c == 3;
    if (nature == UNORM16 || nature == TEN_RGB || nature == TEN_BGR || nature == BYTE_UNORM ||
        nature == BYTE_BGR || is_alpha)
        return VI(unorm_of(word, field.bits, field.shift));
    if (nature == BYTE_SNORM) {
        const vi number = VI(word << (24 - field.shift)) >> 24;
        const vf value = __builtin_convertvector(number, vf) / 127.0f;
        return VI(vf_select(number == -128, vf_splat(-1.0f), value));
    }
    if (nature == SINT16)
        return VI(word << (16 - field.shift)) >> 16;
    const vu bits = word >> field.shift & ((1u << field.bits) - 1);
    if (nature == BYTE_SRGB || nature == BYTE_SRGB_BGR)
        return linear_of(bits);
    if (nature == SMALL_FLOAT) /* a half's exponent, fewer bits behind it */
        return VI(half_to_float(VI(bits << (15 - field.bits))));
    if (nature == HALF)
        return VI(half_to_float(VI(bits)));
    return VI(bits);
}

RP_ALWAYS_INLINE vi
missing(enum nature nature, uint32_t c)
{
    if (c != 3)
        return (vi){0};
    return is_float(nature) ? VI(vf_splat(1.0f)) : vi_splat(1);
}

/* Words of texels at offsets, of which a negative one is none: zeros. */
RP_ALWAYS_INLINE void
load_lanes(uint32_t texel_B, const struct texel_span *span, vi offsets, vu texel[4])
{
    uint32_t at[4][RP_VW] = {{0}};
    int32_t offset[RP_VW];
    memcpy(offset, &offsets, sizeof(offset));
    for (uint32_t i = 0; i < RP_VW; i++) {
        uint32_t word[4] = {0};
        if (offset[i] < 0)
            continue;
        memcpy(word, span->data + offset[i], texel_B);
        for (uint32_t w = 0; w < (texel_B + 3) / 4; w++)
            at[w][i] = word[w];
    }
    memcpy(texel, at, sizeof(at));
}

/* Texels of 64 bits side by side: their low and their high words. */
static inline void
load_long_row(const uint8_t *from, vu texel[4])
{
#if RP_VW == 16
    const __m512i low = _mm512_loadu_si512(from), high = _mm512_loadu_si512(from + 64);
    const __m512i even = (__m512i)(2 * lane_numbers(0)), odd = (__m512i)(2 * lane_numbers(0) + 1);
    texel[0] = (vu)_mm512_permutex2var_epi32(low, even, high);
    texel[1] = (vu)_mm512_permutex2var_epi32(low, odd, high);
#elif RP_VW == 8
    const __m256 low = _mm256_loadu_ps((const float *)(const void *)from);
    const __m256 high = _mm256_loadu_ps((const float *)(const void *)(from + 32));
    texel[0] = (vu)_mm256_permute4x64_pd((__m256d)_mm256_shuffle_ps(low, high, 0x88), 0xd8);
    texel[1] = (vu)_mm256_permute4x64_pd((__m256d)_mm256_shuffle_ps(low, high, 0xdd), 0xd8);
#else
    uint32_t words[2 * RP_VW];
    memcpy(words, from, sizeof(words));
    for (uint32_t i = 0; i < RP_VW; i++) {
        texel[0][i] = words[2 * i];
        texel[1][i] = words[2 * i + 1];
    }
#endif
}

#if RP_VW == 16
/* Words w, w + 4, w + 8 and so on of four vectors. */
static inline vu
every_fourth(__m512i a, __m512i b, __m512i c, __m512i d, int32_t w)
{
    const __m512i each = (__m512i)(lane_numbers(0) * 4 + w); /* of the 32 words of two */
    const __m512i low = _mm512_permutex2var_epi32(a, each, b);
    const __m512i high = _mm512_permutex2var_epi32(c, each, d);
    return (vu)_mm512_inserti64x4(low, _mm512_castsi512_si256(high), 1);
}

/* Texels of 128 bits side by side. */
static inline void
load_longest_row(const uint8_t *from, vu texel[4])
{
    const __m512i a = _mm512_loadu_si512(from), b = _mm512_loadu_si512(from + 64);
    const __m512i c = _mm512_loadu_si512(from + 128), d = _mm512_loadu_si512(from + 192);
#pragma GCC unroll 4
    for (int32_t w = 0; w < 4; w++)
        texel[w] = every_fourth(a, b, c, d, w);
}
#endif

RP_ALWAYS_INLINE void
load_as(uint32_t texel_B, const struct texel_span *span, vi offsets, vu texel[4])
{
    if (texel_B >= 8 && offsets[0] >= 0 && vi_equal(offsets, vi_splat(offsets[0]))) {
        load_same_long(texel_B, span->data + offsets[0], texel);
        return;
    }
    const bool is_row = is_row_of(offsets, texel_B);
    if (is_row && texel_B == 8) {
        load_long_row(span->data + offsets[0], texel);
        return;
    }
    if (is_row && texel_B <= 4) {
        (void)load_even(span->data + offsets[0], texel_B, &texel[0]);
        return;
    }
#if RP_VW == 16
    if (is_row && texel_B == 16) {
        load_longest_row(span->data + offsets[0], texel);
        return;
    }
#endif
    if (HAS_LONG_LOADS && texel_B >= 8 && span->size_B >= texel_B) {
        load_each_long(texel_B, span->data, offsets, texel);
        return;
    }
#if RP_VW >= 8
    if (texel_B == 4) {
        texel[0] = gather_words(span->data, offsets);
        return;
    }
    if (texel_B < 4 && span->size_B >= 4) { /* four bytes, of the last ones those that end there */
        const vi last = vi_splat((int32_t)(span->size_B - 4));
        const vi from = vi_select(offsets > last, last, offsets);
        const vu word = gather_words(span->data, from) >> VU((offsets - from) * 8);
        texel[0] = word & texel_used(texel_B);
        return;
    }
#endif
    load_lanes(texel_B, span, offsets, texel);
}

/* A texel of weight 0 has no part in the sum: it may be infinite. */
RP_ALWAYS_INLINE vf
add_part(bool is_finite, vf sum, vf weight, vf value)
{
    if (is_finite)
        return sum + weight * value;
#if RP_VW == 16
    const __mmask16 has_part = _mm512_cmp_ps_mask((__m512)weight, _mm512_setzero_ps(), _CMP_NEQ_UQ);
    return (vf)_mm512_mask_add_ps((__m512)sum, has_part, (__m512)sum, (__m512)(weight * value));
#else
    return sum + VF(VI(weight * value) & VI(weight != 0.0f)); /* no sum is -0 */
#endif
}

#if RP_VW >= 8
/* A quarter of the vector's texels, whole ones of four floats or halves. */
RP_ALWAYS_INLINE vf
load_whole(enum nature nature, const uint8_t *data, const int32_t *at)
{
    const uint8_t *p = data + at[0], *q = data + at[1];
    if (nature == HALF) {
        const __m128i first = _mm_loadl_epi64((const void *)p);
        const __m128i two = _mm_unpacklo_epi64(first, _mm_loadl_epi64((const void *)q));
#if RP_VW == 16
        const __m128i third = _mm_loadl_epi64((const void *)(data + at[2]));
        const __m128i more =
            _mm_unpacklo_epi64(third, _mm_loadl_epi64((const void *)(data + at[3])));
        return (vf)_mm512_cvtph_ps(_mm256_inserti128_si256(_mm256_castsi128_si256(two), more, 1));
#else
        return (vf)_mm256_cvtph_ps(two);
#endif
    }
    const __m256 two = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps((const void *)p)),
                                            _mm_loadu_ps((const void *)q), 1);
#if RP_VW == 16
    const __m256 more =
        _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps((const void *)(data + at[2]))),
                             _mm_loadu_ps((const void *)(data + at[3])), 1);
    return (vf)_mm512_insertf32x8(_mm512_castps256_ps512(two), more, 1);
#else
    return (vf)two;
#endif
}

/* Where whole texels lie, none outside. */
struct whole_places {
    bool is_row; /* side by side from at[0] on */
    int32_t at[RP_VW];
};

RP_ALWAYS_INLINE void
whole_places_of(enum nature nature, vi offset, struct whole_places *out)
{
    out->is_row = is_row_of(offset, nature == HALF ? 8 : 16);
    memcpy(out->at, &offset, sizeof(out->at));
}

/* The four quarters of a vector's texels. */
RP_ALWAYS_INLINE void
load_quarters_at(enum nature nature, const uint8_t *data, const struct whole_places *places,
                 vf quarter[4])
{
    const uint32_t texel_B = nature == HALF ? 8 : 16;
    if (places->is_row) {
        const uint8_t *p = data + places->at[0];
#pragma GCC unroll 4
        for (int32_t i = 0; i < 4; i++, p += texel_B * (RP_VW / 4)) {
#if RP_VW == 16
            quarter[i] = nature == HALF ? (vf)_mm512_cvtph_ps(_mm256_loadu_si256((const void *)p))
                                        : (vf)_mm512_loadu_ps(p);
#else
            quarter[i] = nature == HALF ? (vf)_mm256_cvtph_ps(_mm_loadu_si128((const void *)p))
                                        : (vf)_mm256_loadu_ps((const float *)(const void *)p);
#endif
        }
        return;
    }
#pragma GCC unroll 4
    for (int32_t i = 0; i < 4; i++)
        quarter[i] = load_whole(nature, data, places->at + i * (RP_VW / 4));
}

RP_ALWAYS_INLINE void
load_quarters(enum nature nature, const uint8_t *data, vi offset, vf quarter[4])
{
    struct whole_places places;
    whole_places_of(nature, offset, &places);
    load_quarters_at(nature, data, &places, quarter);
}

/* Each of the lanes of load_whole() four times. */
RP_ALWAYS_INLINE vf
spread(vf each, int32_t quarter)
{
    const vi from = (lane_numbers(0) >> 2) + quarter * (RP_VW / 4);
#if RP_VW == 16
    return (vf)_mm512_permutexvar_ps((__m512i)from, (__m512)each);
#else
    return (vf)_mm256_permutevar8x32_ps((__m256)each, (__m256i)from);
#endif
}

/* Weighted texels to sums of quarters. A texel of weight 0 has no part in them. */
RP_ALWAYS_INLINE void
add_quarters(vf sum[4], vf weight, vf quarter[4])
{
    if (RP_UNLIKELY(vi_bits(VI(weight == 0.0f)) != 0))
        for (int32_t i = 0; i < 4; i++)
            quarter[i] = VF(VI(quarter[i]) & VI(spread(weight, i) != 0.0f));
#pragma GCC unroll 4
    for (int32_t i = 0; i < 4; i++)
        sum[i] += spread(weight, i) * quarter[i];
}

/* The left and, where there are, the right ones of two, weighted, to sums of quarters. */
RP_ALWAYS_INLINE void
add_whole_pair(enum nature nature, const uint8_t *data, vi left, vi right, const vf weight[2],
               bool has_right, vf sum[4])
{
    const uint32_t texel_B = nature == HALF ? 8 : 16;
    struct whole_places places;
    vf quarter[4];
    whole_places_of(nature, left, &places);
    for (uint32_t side = 0; side < 1u + has_right; side++) {
        load_quarters_at(nature, data, &places, quarter);
        add_quarters(sum, weight[side], quarter);
        if (side)
            break;
        if (vi_equal(right, left + (int32_t)texel_B))
            data += texel_B; /* as far from each other, so that nothing changes else */
        else
            whole_places_of(nature, right, &places);
    }
}

/* Whole texels become components. */
RP_ALWAYS_INLINE void
turn(const vf quarter[4], vi out[4])
{
#if RP_VW == 16
#pragma GCC unroll 4
    for (int32_t c = 0; c < 4; c++)
        out[c] = VI(every_fourth((__m512i)quarter[0], (__m512i)quarter[1], (__m512i)quarter[2],
                                 (__m512i)quarter[3], c));
#else
    const __m256i in_order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    const __m256 *q = (const __m256 *)quarter;
    const __m256d rg[2] = {(__m256d)_mm256_unpacklo_ps(q[0], q[1]),
                           (__m256d)_mm256_unpacklo_ps(q[2], q[3])};
    const __m256d ba[2] = {(__m256d)_mm256_unpackhi_ps(q[0], q[1]),
                           (__m256d)_mm256_unpackhi_ps(q[2], q[3])};
    const __m256d apart[4] = {_mm256_unpacklo_pd(rg[0], rg[1]), _mm256_unpackhi_pd(rg[0], rg[1]),
                              _mm256_unpacklo_pd(ba[0], ba[1]), _mm256_unpackhi_pd(ba[0], ba[1])};
    for (uint32_t c = 0; c < 4; c++)
        out[c] = (vi)_mm256_permutevar8x32_epi32((__m256i)apart[c], in_order);
#endif
}
#endif

#endif

/* SPDX-License-Identifier: MIT */
/* 16 lanes of three words, stride bytes apart, to three registers and back.
 */
#ifndef RP_COMPUTE_EXEC_TRIPLES_H
#define RP_COMPUTE_EXEC_TRIPLES_H

#include "compute/exec/strided.h"

#if RP_VW >= 8
/* Three vectors hold the words of as many lanes as a vector has, in order. Those of one component
 * are at other places in each of the three, so that they fit into one vector. */
#define TRIPLE_BITS(first) ((0x9249u << (first)) & ((1u << RP_VW) - 1))
/* The first place of component c in the k-th vector. */
#define TRIPLE_FIRST(c, k) (((c) + 2 * RP_VW * (k)) % 3)

/* v1 at every third place from one on, v2 from another, v0 at the rest. */
#if RP_VW == 16
#define TRIPLE_BLEND(v0, v1, first1, v2, first2) \
    ((vi)_mm512_mask_mov_epi32( \
        _mm512_mask_mov_epi32((__m512i)(v0), TRIPLE_BITS(first1), (__m512i)(v1)), \
        TRIPLE_BITS(first2), (__m512i)(v2)))
#else
#define TRIPLE_BLEND(v0, v1, first1, v2, first2) \
    ((vi)_mm256_blend_epi32( \
        _mm256_blend_epi32((__m256i)(v0), (__m256i)(v1), (int)TRIPLE_BITS(first1)), (__m256i)(v2), \
        (int)TRIPLE_BITS(first2)))
#endif
/* Component c of three vectors that follow each other, and the k-th vector of three components. */
#define TRIPLE_OF(v0, v1, v2, c) TRIPLE_BLEND(v0, v1, TRIPLE_FIRST(c, 1), v2, TRIPLE_FIRST(c, 2))
#define TRIPLE_AT(a0, a1, a2, k) TRIPLE_BLEND(a0, a1, TRIPLE_FIRST(1, k), a2, TRIPLE_FIRST(2, k))

static inline vi
permuted(vi a, vi places)
{
#if RP_VW == 16
    return (vi)_mm512_permutexvar_epi32((__m512i)places, (__m512i)a);
#else
    return (vi)_mm256_permutevar8x32_epi32((__m256i)a, (__m256i)places);
#endif
}

/* Where component c of each lane is in its vector. */
static inline vi
triple_places(int32_t c)
{
    return (3 * lane_numbers(0) + c) & (RP_VW - 1);
}

/* Which lane's component c is at each place of the vector that has it there. */
static inline vi
triple_lanes(int32_t c)
{
#if RP_VW == 16
    static const int8_t lanes[3][16] = {{0, 11, 6, 1, 12, 7, 2, 13, 8, 3, 14, 9, 4, 15, 10, 5},
                                        {5, 0, 11, 6, 1, 12, 7, 2, 13, 8, 3, 14, 9, 4, 15, 10},
                                        {10, 5, 0, 11, 6, 1, 12, 7, 2, 13, 8, 3, 14, 9, 4, 15}};
    return (vi)_mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)lanes[c]));
#else
    static const int8_t lanes[3][8] = {
        {0, 3, 6, 1, 4, 7, 2, 5}, {5, 0, 3, 6, 1, 4, 7, 2}, {2, 5, 0, 3, 6, 1, 4, 7}};
    return (vi)_mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)lanes[c]));
#endif
}

static inline void
load_dense3(int32_t *const d[3], int32_t lane, const uint8_t *from)
{
    const vi_u *v = (const vi_u *)from;
    for (int32_t l = lane; l < lane + 16; l += RP_VW, v += 3) {
        const vi v0 = v[0], v1 = v[1], v2 = v[2];
        *(vi *)(d[0] + l) = permuted(TRIPLE_OF(v0, v1, v2, 0), triple_places(0));
        *(vi *)(d[1] + l) = permuted(TRIPLE_OF(v0, v1, v2, 1), triple_places(1));
        *(vi *)(d[2] + l) = permuted(TRIPLE_OF(v0, v1, v2, 2), triple_places(2));
    }
}

static inline void
store_dense3(uint8_t *to, int32_t *const a[3], int32_t lane)
{
    vi_u *v = (vi_u *)to;
    for (int32_t l = lane; l < lane + 16; l += RP_VW, v += 3) {
        const vi a0 = permuted(*(const vi *)(a[0] + l), triple_lanes(0));
        const vi a1 = permuted(*(const vi *)(a[1] + l), triple_lanes(1));
        const vi a2 = permuted(*(const vi *)(a[2] + l), triple_lanes(2));
        v[0] = TRIPLE_AT(a0, a1, a2, 0);
        v[1] = TRIPLE_AT(a0, a1, a2, 1);
        v[2] = TRIPLE_AT(a0, a1, a2, 2);
    }
}
#endif

static inline void
load_rows3(int32_t *const d[3], int32_t lane, const uint8_t *from, size_t stride)
{
#if RP_VW >= 8
    if (stride == 12) {
        load_dense3(d, lane, from);
        return;
    }
#endif
#if RP_VW == 16
    if (stride == 16) {
        load_dense_rows(d, 3, lane, from);
        return;
    }
#endif
#if defined(__SSE4_1__)
    if (stride >= 4) {
        for (int32_t l = 0; l < 16; l += RP_VW, from += RP_VW * stride) {
            /* What is behind the last lane need not be there. */
            const __m128i top = row(from + (RP_VW - 1) * stride - 4);
            const struct four_vectors r = columns_of(from, stride, _mm_srli_si128(top, 4));
#pragma GCC unroll 3
            for (int32_t c = 0; c < 3; c++)
                *(vi *)(d[c] + lane + l) = r.v[c];
        }
        return;
    }
#endif
    load_strided_pairs(d[0] + lane, d[1] + lane, from, stride);
    load_strided32(d[2] + lane, from + 8, stride);
}

static inline void
store_rows3(uint8_t *to, size_t stride, int32_t *const a[3], int32_t lane)
{
#if RP_VW >= 8
    if (stride == 12) {
        store_dense3(to, a, lane);
        return;
    }
#endif
    if (stride < 12) { /* lanes overlap: in their order */
        for (int32_t l = 0; l < 16; l++)
            for (int32_t c = 0; c < 3; c++)
                memcpy(to + (size_t)l * stride + 4 * c, a[c] + lane + l, 4);
        return;
    }
    store_strided_pairs(to, stride, a[0] + lane, a[1] + lane);
    for (int32_t l = 0; l < 16; l++)
        memcpy(to + (size_t)l * stride + 8, a[2] + lane + l, 4);
}

#endif

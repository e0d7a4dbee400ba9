/* SPDX-License-Identifier: MIT */
/* Words, and pairs of words, of a vector of lanes that follow each other in memory or lie near each
 * other: a few loads or stores of whole vectors, and a shuffle.
 */
#ifndef RP_COMPUTE_EXEC_WORD_RUNS_H
#define RP_COMPUTE_EXEC_WORD_RUNS_H

#include "compute/exec/access.h"

/* Words that follow each other, with one break at most: two runs of them. */
struct runs {
    int32_t first; /* offsets of lane 0, had it been in the run */
    int32_t second;
    vi is_first;
};

/* False: they are not, or a whole vector of a run and `behind_B` bytes behind it are not inside. */
static inline bool
find_runs(const struct access_memory *m, vi offset, uint32_t behind_B, struct runs *out)
{
    const vi numbers = 4 * lane_numbers(0);
    const int32_t first = offset[0], second = offset[RP_VW - 1] - 4 * (RP_VW - 1);
    const vi is_first = offset == first + numbers;
    const uint32_t last = (uint32_t)(first > second ? first : second);
    *out = (struct runs){first, second, is_first};
    return vi_bits(is_first | (offset == second + numbers)) == (1u << RP_VW) - 1 &&
           (first | second) >= 0 && last + RP_VB + behind_B <= m->size_B;
}

/* Do the pairs of words of each four lanes follow each other? *inside_out: of all lanes both words
 * are inside. */
static inline bool
are_pairs_by_four(const struct access_memory *m, vi offset, bool *inside_out)
{
    const vu last = VU(vi_splat((int32_t)(m->size_B - 8)));
    const vi numbers = 8 * (lane_numbers(0) & 3);
#if RP_VW == 16
    const vi first = (vi)_mm512_shuffle_epi32((__m512i)offset, 0);
#elif RP_VW == 8
    const vi first = (vi)_mm256_shuffle_epi32((__m256i)offset, 0);
#else
    const vi first = vi_splat(offset[0]);
#endif
    *inside_out = m->size_B >= 8 && vu_bits_le(VU(offset), last) == (1u << RP_VW) - 1;
    return vi_bits_eq(offset, first + numbers) == (1u << RP_VW) - 1;
}

/* Four lanes of a vector. */
static inline void
store_four_pairs(uint8_t *to, const int32_t *even, const int32_t *odd)
{
#if defined(__SSE4_1__)
    const __m128i a = _mm_loadu_si128((const __m128i *)even);
    const __m128i b = _mm_loadu_si128((const __m128i *)odd);
    _mm_storeu_si128((__m128i *)to, _mm_unpacklo_epi32(a, b));
    _mm_storeu_si128((__m128i *)(to + 16), _mm_unpackhi_epi32(a, b));
#else
    for (int32_t l = 0; l < 4; l++) {
        memcpy(to + 8 * l, even + l, 4);
        memcpy(to + 8 * l + 4, odd + l, 4);
    }
#endif
}

static inline void
load_four_pairs(int32_t *even, int32_t *odd, const uint8_t *from)
{
#if defined(__SSE4_1__)
    const __m128 low = _mm_loadu_ps((const float *)(const void *)from);
    const __m128 high = _mm_loadu_ps((const float *)(const void *)(from + 16));
    _mm_storeu_ps((float *)(void *)even, _mm_shuffle_ps(low, high, 0x88));
    _mm_storeu_ps((float *)(void *)odd, _mm_shuffle_ps(low, high, 0xdd));
#else
    for (int32_t l = 0; l < 4; l++) {
        memcpy(even + l, from + 8 * l, 4);
        memcpy(odd + l, from + 8 * l + 4, 4);
    }
#endif
}

/* The pairs of one vector of lanes; false: not all are inside, and nothing was done. */
static inline bool
gather_pairs(const struct access_memory *m, vi offset, vi *even, vi *odd)
{
    bool is_inside;
    const bool are_by_four = are_pairs_by_four(m, offset, &is_inside);
    if (!is_inside)
        return false;
    if (are_by_four) {
        for (int32_t l = 0; l < RP_VW; l += 4)
            load_four_pairs((int32_t *)even + l, (int32_t *)odd + l, m->ptr + offset[l]);
        return true;
    }
#if RP_VW == 16
    const __m256i at0 = _mm512_castsi512_si256((__m512i)offset);
    const __m256i at1 = _mm512_extracti64x4_epi64((__m512i)offset, 1);
    const __m512i low = _mm512_i32gather_epi64(at0, m->ptr, 1);
    const __m512i high = _mm512_i32gather_epi64(at1, m->ptr, 1);
    const __m512i first = (__m512i)(2 * lane_numbers(0));
    *even = (vi)_mm512_permutex2var_epi32(low, first, high);
    *odd = (vi)_mm512_permutex2var_epi32(low, (__m512i)(2 * lane_numbers(0) + 1), high);
    return true;
#else
    return false;
#endif
}

/* The same to memory, in the order of lanes. */
static inline bool
scatter_pairs(const struct access_memory *m, vi offset, const vi *even, const vi *odd)
{
    bool is_inside;
    const bool are_by_four = are_pairs_by_four(m, offset, &is_inside);
    if (!is_inside)
        return false;
    if (are_by_four) {
        for (int32_t l = 0; l < RP_VW; l += 4)
            store_four_pairs(m->ptr + offset[l], (const int32_t *)even + l,
                             (const int32_t *)odd + l);
        return true;
    }
#if RP_VW == 16
    const __m512i first = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const __m512i second = _mm512_add_epi32(first, _mm512_set1_epi32(8));
    const __m512i a = (__m512i)*even, b = (__m512i)*odd;
    _mm512_i32scatter_epi64(m->ptr, _mm512_castsi512_si256((__m512i)offset),
                            _mm512_permutex2var_epi32(a, first, b), 1);
    _mm512_i32scatter_epi64(m->ptr, _mm512_extracti64x4_epi64((__m512i)offset, 1),
                            _mm512_permutex2var_epi32(a, second, b), 1);
    return true;
#else
    return false;
#endif
}

#if RP_VW == 16

/* Words that are among 32 that follow each other, from where the first lane's cache line begins. */
struct near_words {
    int32_t base;
    vi number; /* of each lane's */
};

/* False: they are not, or not all 32 are inside. */
static inline bool
find_near(const struct access_memory *m, vi offset, struct near_words *out)
{
    const int32_t base = offset[0] & -64;
    const __m512i number = _mm512_ror_epi32((__m512i)(offset - base), 2);
    *out = (struct near_words){base, (vi)number};
    return base >= 0 && (uint32_t)base + 128 <= m->size_B &&
           _mm512_cmplt_epu32_mask(number, _mm512_set1_epi32(32)) == 0xffff;
}

static inline bool
load_near(const struct access_memory *m, vi offset, vi *value)
{
    struct near_words near;
    if (!find_near(m, offset, &near))
        return false;
    const __m512i low = _mm512_loadu_si512(m->ptr + near.base);
    const __m512i high = _mm512_loadu_si512(m->ptr + near.base + 64);
    *value = (vi)_mm512_permutex2var_epi32(low, (__m512i)near.number, high);
    return true;
}

/* Where each lane's word is behind that of the lane before: they are packed, and spread to their
 * places again. */
static inline bool
store_near(const struct access_memory *m, vi offset, vi value, uint32_t active)
{
    struct near_words near;
    if (!find_near(m, offset, &near))
        return false;
    const __m512i number = (__m512i)near.number;
    const __m512i before = _mm512_alignr_epi32(number, _mm512_set1_epi32(-1), 15);
    if (_mm512_cmpgt_epi32_mask(number, before) != 0xffff)
        return false;
    const __m512i places = _mm512_sllv_epi32(_mm512_set1_epi32(1), number);
    const uint32_t written = _pdep_u32(active, (uint32_t)_mm512_reduce_or_epi32(places));
    const __m512i packed = _mm512_maskz_compress_epi32((__mmask16)active, (__m512i)value);
    const vi behind = lane_numbers(0) + __builtin_popcount(written & 0xffff);
    const __m512i rest = _mm512_permutexvar_epi32((__m512i)behind, packed);
    const __mmask16 low = (__mmask16)written, high = (__mmask16)(written >> 16);
    uint8_t *to = m->ptr + near.base;
    _mm512_mask_storeu_epi32(to, low, _mm512_maskz_expand_epi32(low, packed));
    _mm512_mask_storeu_epi32(to + 64, high, _mm512_maskz_expand_epi32(high, rest));
    return true;
}

#else

static inline bool
load_near(const struct access_memory *m, vi offset, vi *value)
{
    (void)m, (void)offset, (void)value;
    return false;
}

static inline bool
store_near(const struct access_memory *m, vi offset, vi value, uint32_t active)
{
    (void)m, (void)offset, (void)value, (void)active;
    return false;
}

#endif

#endif

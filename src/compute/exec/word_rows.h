/* SPDX-License-Identifier: MIT */
/* Words of each lane that follow each other, at an offset of its own: what a lane wants is one
 * load, and as many as a vector has lanes are turned into vectors of the first words, the second
 * ones...
 */
#ifndef RP_COMPUTE_EXEC_WORD_ROWS_H
#define RP_COMPUTE_EXEC_WORD_ROWS_H

#include "compute/exec/access.h"

#if defined(__SSE4_1__)

static inline __m128i
row_at(const uint8_t *from, int32_t offset)
{
    return _mm_loadu_si128((const __m128i *)(from + offset));
}

/* Rows of the lanes l, l + 4... */
static inline vi
rows_at(const uint8_t *from, const int32_t *at, int32_t l)
{
#if RP_VW == 16
    const __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(row_at(from, at[l])),
                                                row_at(from, at[l + 4]), 1);
    const __m256i high = _mm256_inserti128_si256(_mm256_castsi128_si256(row_at(from, at[l + 8])),
                                                 row_at(from, at[l + 12]), 1);
    return (vi)_mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
#elif RP_VW == 8
    return (vi)_mm256_inserti128_si256(_mm256_castsi128_si256(row_at(from, at[l])),
                                       row_at(from, at[l + 4]), 1);
#else
    return (vi)row_at(from, at[l]);
#endif
}

#if RP_VW == 16
#define ROWS_OP(name, a, b) (vi) _mm512_##name((__m512i)(a), (__m512i)(b))
#elif RP_VW == 8
#define ROWS_OP(name, a, b) (vi) _mm256_##name((__m256i)(a), (__m256i)(b))
#else
#define ROWS_OP(name, a, b) (vi) _mm_##name((__m128i)(a), (__m128i)(b))
#endif

/* 3 or 4 words behind signed offsets, all inside. */
static inline void
load_rows_of_four(const uint8_t *from, const int32_t *at, uint32_t count, char *to,
                  const uint32_t *places)
{
    const vi r0 = rows_at(from, at, 0), r1 = rows_at(from, at, 1);
    const vi r2 = rows_at(from, at, 2), r3 = rows_at(from, at, 3);
    const vi low0 = ROWS_OP(unpacklo_epi32, r0, r1), low1 = ROWS_OP(unpacklo_epi32, r2, r3);
    const vi high0 = ROWS_OP(unpackhi_epi32, r0, r1), high1 = ROWS_OP(unpackhi_epi32, r2, r3);
    *(vi *)(to + places[0]) = ROWS_OP(unpacklo_epi64, low0, low1);
    *(vi *)(to + places[1]) = ROWS_OP(unpackhi_epi64, low0, low1);
    *(vi *)(to + places[2]) = ROWS_OP(unpacklo_epi64, high0, high1);
    if (count == 4)
        *(vi *)(to + places[3]) = ROWS_OP(unpackhi_epi64, high0, high1);
}

#undef ROWS_OP

#if RP_VW != 16

/* The pairs of four lanes. */
static inline void
load_pairs_of_four(const uint8_t *from, const int32_t *at, __m128 *low, __m128 *high)
{
#define PAIR(l) ((const __m64 *)(const void *)(from + at[l]))
    const __m128 none = _mm_setzero_ps();
    *low = _mm_loadh_pi(_mm_loadl_pi(none, PAIR(0)), PAIR(1));
    *high = _mm_loadh_pi(_mm_loadl_pi(none, PAIR(2)), PAIR(3));
#undef PAIR
}

/* Pairs behind signed offsets, all inside. */
static inline void
load_row_pairs(const uint8_t *from, const int32_t *at, vi *even, vi *odd)
{
    __m128 a, b;
    load_pairs_of_four(from, at, &a, &b);
#if RP_VW == 8
    __m128 c, d;
    load_pairs_of_four(from, at + 4, &c, &d);
    const __m256 ac = _mm256_insertf128_ps(_mm256_castps128_ps256(a), c, 1);
    const __m256 bd = _mm256_insertf128_ps(_mm256_castps128_ps256(b), d, 1);
    *even = (vi)_mm256_shuffle_ps(ac, bd, 0x88);
    *odd = (vi)_mm256_shuffle_ps(ac, bd, 0xdd);
#else
    *even = (vi)_mm_shuffle_ps(a, b, 0x88);
    *odd = (vi)_mm_shuffle_ps(a, b, 0xdd);
#endif
}

#endif

/* count words behind the offsets at `at` and `by`, of one vector, to places behind `to`; false: of
 * some lane not all 16 bytes (of pairs: 8) are inside, or pairs are not done here, and nothing was
 * done. */
RP_ALWAYS_INLINE bool
load_rows(const struct access_memory *m, const vi *at, int32_t by, uint32_t count, char *to,
          const uint32_t *places)
{
    const uint32_t size_B = count == 2 ? 8 : 16;
    if (m->size_B < size_B || !has_signed_offsets(m, by) || (RP_VW == 16 && count == 2))
        return false;
    const vu last = VU(vi_splat((int32_t)(m->size_B - size_B)));
    if (vu_bits_le(VU(*at + by), last) != (1u << RP_VW) - 1)
        return false;
#if RP_VW != 16
    if (count == 2) {
        load_row_pairs(m->ptr + by, (const int32_t *)at, (vi *)(to + places[0]),
                       (vi *)(to + places[1]));
        return true;
    }
#endif
    load_rows_of_four(m->ptr + by, (const int32_t *)at, count, to, places);
    return true;
}

#else

RP_ALWAYS_INLINE bool
load_rows(const struct access_memory *m, const vi *at, int32_t by, uint32_t count, char *to,
          const uint32_t *places)
{
    (void)m, (void)at, (void)by, (void)count, (void)to, (void)places;
    return false;
}

#endif

#endif

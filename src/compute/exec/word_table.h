/* SPDX-License-Identifier: MIT */
/* Tables of a few words, which stay in registers: what lanes look up there is permuted, not loaded.
 */
#ifndef RP_COMPUTE_EXEC_WORD_TABLE_H
#define RP_COMPUTE_EXEC_WORD_TABLE_H

#include "compute/exec/access.h"

#if RP_VW == 16
#define TABLE_PARTS 4u
#elif RP_VW == 8
#define TABLE_PARTS 2u
#else
#define TABLE_PARTS 0u /* nothing permutes words by a vector */
#endif
#define TABLE_B (TABLE_PARTS * RP_VB)

#if TABLE_PARTS

struct table {
    vi parts[TABLE_PARTS];
    int32_t last; /* offset at which all words of a lane are in them */
};

/* From by_B on; false: there are not even `count` words. */
static inline bool
load_table(const struct access_memory *m, uint32_t by_B, uint32_t count, struct table *out)
{
    if ((uint64_t)by_B + 4 * count > m->size_B)
        return false;
    const uint32_t rest = ((uint32_t)m->size_B - by_B) / 4;
    const uint32_t words = rest < TABLE_B / 4 ? rest : TABLE_B / 4;
    const uint8_t *from = m->ptr + by_B;
    for (uint32_t p = 0; p < TABLE_PARTS; p++, from += RP_VB) {
        const vi is_inside = lane_numbers((int32_t)p) < (int32_t)words;
#if RP_VW == 16
        out->parts[p] = (vi)_mm512_maskz_loadu_epi32((__mmask16)vi_bits(is_inside), from);
#else
        out->parts[p] =
            (vi)_mm256_maskload_epi32((const int *)(const void *)from, (__m256i)is_inside);
#endif
    }
    out->last = (int32_t)(4 * (words - count));
    return true;
}

/* Are the offsets of a block's active lanes those of whole words in the table? */
static inline bool
is_in_table(const struct table *table, const vi *offset, uint32_t active)
{
#if RP_VW == 16
    const __m512i number = _mm512_ror_epi32((__m512i)*offset, 2);
    return !_mm512_mask_cmpgt_epu32_mask((__mmask16)active, number,
                                         _mm512_set1_epi32(table->last >> 2));
#else
    uint32_t inside = 0;
    for (int32_t j = 0; j < RP_NS; j++) {
        const vi is_word = (offset[j] & ~(int32_t)(TABLE_B - 4)) == 0;
        inside |= vi_bits(is_word & (offset[j] <= table->last)) << j * RP_VW;
    }
    return !(active & ~inside);
#endif
}

/* The words at such offsets. */
RP_ALWAYS_INLINE vi
table_words(const struct table *table, vi offset)
{
    const vi number = offset >> 2;
#if RP_VW == 16
    const __m512i *p = (const __m512i *)table->parts;
    const __m512i n = (__m512i)number;
    const __m512i low = _mm512_permutex2var_epi32(p[0], n, p[1]);
    const __m512i high = _mm512_permutex2var_epi32(p[2], n, p[3]);
    const __mmask16 is_high = _mm512_test_epi32_mask(n, _mm512_set1_epi32(32));
    return (vi)_mm512_mask_mov_epi32(low, is_high, high);
#else
    const __m256i n = (__m256i)number;
    const __m256 low = (__m256)_mm256_permutevar8x32_epi32((__m256i)table->parts[0], n);
    const __m256 high = (__m256)_mm256_permutevar8x32_epi32((__m256i)table->parts[1], n);
    return (vi)_mm256_blendv_ps(low, high, (__m256)(number << 28));
#endif
}

#endif

#endif

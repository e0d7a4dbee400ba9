/* SPDX-License-Identifier: MIT */
/* A vector of words from and to memory, each lane at an offset of its own, or blocks of them in a
 * row.
 */
#ifndef RP_COMPUTE_EXEC_WORDS_H
#define RP_COMPUTE_EXEC_WORDS_H

#include "compute/exec/vec.h"

/* Words at signed byte offsets where bits are set; elsewhere 0. */
static inline vi
gather_vector(const uint8_t *from, vi offsets, uint32_t bits)
{
#if RP_VW == 16
    return (vi)_mm512_mask_i32gather_epi32(_mm512_setzero_si512(), (__mmask16)bits,
                                           (__m512i)offsets, from, 1);
#elif RP_VW == 8
    return (vi)_mm256_mask_i32gather_epi32(_mm256_setzero_si256(), (const int *)from,
                                           (__m256i)offsets, (__m256i)vi_mask(bits), 1);
#else
    vi r = {0};
    for (int32_t l = 0; l < RP_VW; l++)
        if (bits >> l & 1)
            memcpy((int32_t *)&r + l, from + offsets[l], 4);
    return r;
#endif
}

#if RP_VW != 16

#if defined(__SSE4_1__)
static inline __m128i
word_at(const uint8_t *from)
{
    int32_t word;
    memcpy(&word, from, sizeof(word));
    return _mm_cvtsi32_si128(word);
}
#endif

/* Words of all lanes at signed offsets in memory: where loads are cheap an instruction that gathers
 * takes twice the time. */
static inline vi
gather_all(const uint8_t *from, const int32_t *at)
{
#if defined(__SSE4_1__)
#define WORD(l) word_at(from + at[l])
#define TWO(l) _mm_unpacklo_epi32(WORD(l), WORD((l) + 1))
#define FOUR(l) _mm_unpacklo_epi64(TWO(l), TWO((l) + 2))
#if RP_VW == 8
    return (vi)_mm256_inserti128_si256(_mm256_castsi128_si256(FOUR(0)), FOUR(4), 1);
#else
    return (vi)FOUR(0);
#endif
#undef WORD
#undef TWO
#undef FOUR
#else
    vi r;
    for (int32_t l = 0; l < RP_VW; l++)
        memcpy((int32_t *)&r + l, from + at[l], 4);
    return r;
#endif
}

#endif

/* Words to signed byte offsets where bits are set, in the order of lanes. */
static inline void
scatter_vector(uint8_t *to, vi offsets, uint32_t bits, vi value)
{
#if RP_VW == 16
    if (__builtin_popcount(bits) > 4) {
        _mm512_mask_i32scatter_epi32(to, (__mmask16)bits, (__m512i)offsets, (__m512i)value, 1);
        return;
    }
#endif
    for (; bits; bits &= bits - 1) {
        const int l = __builtin_ctz(bits);
        const int32_t word = value[l];
        memcpy(to + offsets[l], &word, 4);
    }
}

/* Words of some blocks, one component: they lie `step` bytes apart. */
static inline void
load_words(char *R, uint32_t to, const uint8_t *from, size_t step, int32_t k, int32_t end)
{
    vi *d = (vi *)(R + to);
    for (; k < end; k++, from += step)
        for (int32_t j = 0; j < RP_NS; j++)
            d[k * RP_NS + j] = ((const vi_u *)from)[j];
}

/* One word for all lanes of a block. */
static inline void
load_spread(char *R, uint32_t to, const uint8_t *from, size_t step, int32_t k, int32_t end)
{
    vi *d = (vi *)(R + to);
    for (; k < end; k++, from += step) {
        int32_t value;
        memcpy(&value, from, sizeof(value));
        for (int32_t j = 0; j < RP_NS; j++)
            d[k * RP_NS + j] = vi_splat(value);
    }
}

static inline void
store_words(const char *R, uint32_t from, uint8_t *to, size_t step, int32_t k, int32_t end)
{
    const vi *a = (const vi *)(R + from);
    for (; k < end; k++, to += step)
        for (int32_t j = 0; j < RP_NS; j++)
            ((vi_u *)to)[j] = a[k * RP_NS + j];
}

#endif

/* SPDX-License-Identifier: MIT */
/* Blocks of elements that are not words: bytes and halves, which lanes hold in words of their own,
 * and elements of 64 bits.
 */
#ifndef RP_COMPUTE_EXEC_PARTS_H
#define RP_COMPUTE_EXEC_PARTS_H

#include "compute/exec/access.h"

typedef uint8_t v16b __attribute__((vector_size(16), aligned(1), may_alias));
typedef uint16_t v16h __attribute__((vector_size(32), aligned(1), may_alias));
typedef uint32_t v16w __attribute__((vector_size(64), aligned(4), may_alias));

/* 16 bytes that follow each other, to words. The compiler takes vectors apart that are wider than
 * the machine's. */
static inline void
widen8(vi *d, const uint8_t *from)
{
#if RP_VW == 8
    for (int32_t j = 0; j < 2; j++)
        d[j] = (vi)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(from + 8 * j)));
#elif RP_VW == 4 && defined(__SSE4_1__)
    const __m128i bytes = _mm_loadu_si128((const __m128i *)from);
    d[0] = (vi)_mm_cvtepu8_epi32(bytes);
    d[1] = (vi)_mm_cvtepu8_epi32(_mm_srli_si128(bytes, 4));
    d[2] = (vi)_mm_cvtepu8_epi32(_mm_srli_si128(bytes, 8));
    d[3] = (vi)_mm_cvtepu8_epi32(_mm_srli_si128(bytes, 12));
#else
    *(v16w *)d = __builtin_convertvector(*(const v16b *)from, v16w);
#endif
}

static inline void
widen16(vi *d, const uint8_t *from)
{
#if RP_VW == 8
    for (int32_t j = 0; j < 2; j++)
        d[j] = (vi)_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(from + 16 * j)));
#elif RP_VW == 4 && defined(__SSE4_1__)
    for (int32_t j = 0; j < 4; j++)
        d[j] = (vi)_mm_cvtepu16_epi32(_mm_loadl_epi64((const __m128i *)(from + 8 * j)));
#else
    *(v16w *)d = __builtin_convertvector(*(const v16h *)from, v16w);
#endif
}

/* The low halves of 16 words. */
static inline void
narrow16(uint8_t *to, const vi *a)
{
#if RP_VW == 8
    const __m256i low = (__m256i)(a[0] & 0xffff), high = (__m256i)(a[1] & 0xffff);
    const __m256i halves = _mm256_packus_epi32(low, high);
    _mm256_storeu_si256((__m256i *)to, _mm256_permute4x64_epi64(halves, 0xd8));
#elif RP_VW == 4 && defined(__SSE4_1__)
    for (int32_t j = 0; j < 2; j++)
        _mm_storeu_si128(
            (__m128i *)(to + 16 * j),
            _mm_packus_epi32((__m128i)(a[2 * j] & 0xffff), (__m128i)(a[2 * j + 1] & 0xffff)));
#else
    *(v16h *)to = __builtin_convertvector(*(const v16w *)a, v16h);
#endif
}

static inline void
narrow8(uint8_t *to, const vi *a)
{
#if RP_VW == 8
    const __m256i low = (__m256i)(a[0] & 0xff), high = (__m256i)(a[1] & 0xff);
    const __m256i halves = _mm256_permute4x64_epi64(_mm256_packus_epi32(low, high), 0xd8);
    _mm_storeu_si128((__m128i *)to, _mm_packus_epi16(_mm256_castsi256_si128(halves),
                                                     _mm256_extracti128_si256(halves, 1)));
#elif RP_VW == 4 && defined(__SSE4_1__)
    const __m128i low = _mm_packus_epi32((__m128i)(a[0] & 0xff), (__m128i)(a[1] & 0xff));
    const __m128i high = _mm_packus_epi32((__m128i)(a[2] & 0xff), (__m128i)(a[3] & 0xff));
    _mm_storeu_si128((__m128i *)to, _mm_packus_epi16(low, high));
#else
    *(v16b *)to = __builtin_convertvector(*(const v16w *)a, v16b);
#endif
}

/* Registers of n elements, of `bits` each, that make up a word. */
RP_ALWAYS_INLINE void
split_words(char *R, const uint32_t *registers, uint32_t n, uint32_t bits, const vi *words,
            int32_t k)
{
    for (uint32_t c = 0; c < n; c++)
        for (int32_t j = 0; j < RP_NS; j++)
            ((vi *)(R + registers[c] + k * 64))[j] =
                VI(VU(words[j]) >> bits * c & ((1u << bits) - 1));
}

RP_ALWAYS_INLINE void
join_words(const char *R, const uint32_t *registers, uint32_t n, uint32_t bits, vi *words,
           int32_t k)
{
    for (int32_t j = 0; j < RP_NS; j++) {
        vu word = VU(vi_splat(0));
        for (uint32_t c = 0; c < n; c++)
            word |= (((const vu *)(R + registers[c] + k * 64))[j] & ((1u << bits) - 1)) << bits * c;
        words[j] = VI(word);
    }
}

static inline void
store_strided32(uint8_t *to, size_t stride, const vi *words)
{
    if (stride == 4)
        memcpy(to, words, 64);
    else
        for (int32_t l = 0; l < 16; l++)
            memcpy(to + (size_t)l * stride, (const int32_t *)words + l, 4);
}

/* n elements of each lane that make up a word, or two. false, with nothing done: they do not. */
RP_ALWAYS_INLINE bool
load_joined(char *R, const uint32_t *registers, uint32_t n, uint32_t bits, const uint8_t *from,
            size_t stride, int32_t k)
{
    vi words[2 * RP_NS];
    if (n * bits == 32)
        load_strided32((int32_t *)words, from, stride);
    else if (n * bits == 64)
        load_strided_pairs((int32_t *)words, (int32_t *)(words + RP_NS), from, stride);
    else
        return false;
    split_words(R, registers, 32 / bits, bits, words, k);
    if (n * bits == 64)
        split_words(R, registers + 32 / bits, 32 / bits, bits, words + RP_NS, k);
    return true;
}

RP_ALWAYS_INLINE bool
store_joined(const char *R, const uint32_t *registers, uint32_t n, uint32_t bits, uint8_t *to,
             size_t stride, int32_t k)
{
    vi words[2 * RP_NS];
    if (n * bits != 32 && n * bits != 64)
        return false;
    join_words(R, registers, 32 / bits, bits, words, k);
    if (n * bits == 32) {
        store_strided32(to, stride, words);
        return true;
    }
    join_words(R, registers + 32 / bits, 32 / bits, bits, words + RP_NS, k);
    store_strided_pairs(to, stride, (const int32_t *)words, (const int32_t *)(words + RP_NS));
    return true;
}

#endif

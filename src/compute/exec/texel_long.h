/* SPDX-License-Identifier: MIT */
/* Texels of 64 and 128 bits that lie anywhere: loaded and stored as what they are, a word of all
 * lanes to a vector. For files that are compiled once for each instruction set.
 */
#ifndef RP_COMPUTE_EXEC_TEXEL_LONG_H
#define RP_COMPUTE_EXEC_TEXEL_LONG_H

#include "compute/exec/texel_vec.h"

#include <string.h>

#if RP_VW >= 8
#define HAS_LONG_LOADS 1

static inline __m128i
load_texel_128(const uint8_t *from)
{
    return _mm_loadu_si128((const __m128i *)(const void *)from);
}

/* In each 128 bits: word j of vector i becomes word i of vector j. */
static inline void
transpose_words(vu t[4])
{
#if RP_VW == 16
#define UNPACK(half, width, a, b) (vu) _mm512_unpack##half##_epi##width((__m512i)(a), (__m512i)(b))
#else
#define UNPACK(half, width, a, b) (vu) _mm256_unpack##half##_epi##width((__m256i)(a), (__m256i)(b))
#endif
    const vu low_01 = UNPACK(lo, 32, t[0], t[1]), high_01 = UNPACK(hi, 32, t[0], t[1]);
    const vu low_23 = UNPACK(lo, 32, t[2], t[3]), high_23 = UNPACK(hi, 32, t[2], t[3]);
    t[0] = UNPACK(lo, 64, low_01, low_23);
    t[1] = UNPACK(hi, 64, low_01, low_23);
    t[2] = UNPACK(lo, 64, high_01, high_23);
    t[3] = UNPACK(hi, 64, high_01, high_23);
#undef UNPACK
}

/* 128 bits at each offset, none of which is negative. */
static inline void
load_longest(const uint8_t *data, const int32_t offset[RP_VW], vu texel[4])
{
    for (int32_t j = 0; j < 4; j++) { /* lanes j, 4 + j, ... */
#if RP_VW == 16
        __m512i t = _mm512_broadcast_i32x4(load_texel_128(data + offset[j]));
        t = _mm512_mask_broadcast_i32x4(t, 0x00f0, load_texel_128(data + offset[4 + j]));
        t = _mm512_mask_broadcast_i32x4(t, 0x0f00, load_texel_128(data + offset[8 + j]));
        t = _mm512_mask_broadcast_i32x4(t, 0xf000, load_texel_128(data + offset[12 + j]));
#else
        const __m256i t =
            _mm256_inserti128_si256(_mm256_castsi128_si256(load_texel_128(data + offset[j])),
                                    load_texel_128(data + offset[4 + j]), 1);
#endif
        texel[j] = (vu)t;
    }
    transpose_words(texel);
}

/* 64 bits at each offset, none of which is negative. */
static inline void
load_long(const uint8_t *data, const int32_t offset[RP_VW], vu texel[4])
{
#if RP_VW == 16
    const __m256i *at = (const __m256i *)(const void *)offset;
    const __m512i low = _mm512_i32gather_epi64(_mm256_loadu_si256(at), data, 1);
    const __m512i high = _mm512_i32gather_epi64(_mm256_loadu_si256(at + 1), data, 1);
    const __m512i even = (__m512i)(2 * lane_numbers(0)), odd = (__m512i)(2 * lane_numbers(0) + 1);
    texel[0] = (vu)_mm512_permutex2var_epi32(low, even, high);
    texel[1] = (vu)_mm512_permutex2var_epi32(low, odd, high);
#else
#define PAIR(i) \
    _mm_loadh_pi(_mm_castsi128_ps(_mm_loadl_epi64((const void *)(data + offset[i]))), \
                 (const void *)(data + offset[(i) + 1]))
    const __m256 a = _mm256_set_m128(PAIR(4), PAIR(0)), b = _mm256_set_m128(PAIR(6), PAIR(2));
    texel[0] = (vu)_mm256_shuffle_ps(a, b, 0x88);
    texel[1] = (vu)_mm256_shuffle_ps(a, b, 0xdd);
#undef PAIR
#endif
}

/* Texels at offsets, of which a negative one is none: zeros. There is memory at offset 0. */
RP_ALWAYS_INLINE void
load_each_long(uint32_t texel_B, const uint8_t *data, vi offsets, vu texel[4])
{
    _Alignas(64) int32_t offset[RP_VW];
    const uint32_t outside = vi_bits(offsets);
    *(vi *)offset = outside ? vi_select(offsets < 0, (vi){0}, offsets) : offsets;
    if (texel_B == 16)
        load_longest(data, offset, texel);
    else
        load_long(data, offset, texel);
    for (uint32_t w = 0; outside && w < texel_B / 4; w++)
        texel[w] = VU(vi_select(offsets < 0, (vi){0}, VI(texel[w])));
}

/* 128 bits to each offset that is not negative; those whose bit is 0 stay. */
static inline void
store_longest(uint8_t *data, vi offsets, const vu texel[4], uint32_t active)
{
    vu t[4] = {texel[0], texel[1], texel[2], texel[3]};
    _Alignas(64) int32_t offset[RP_VW];
    uint8_t from[4][4 * RP_VW]; /* of lanes j, 4 + j, ... */
    transpose_words(t);
    memcpy(from, t, sizeof(from));
    *(vi *)offset = offsets;
    for (uint32_t i = 0; i < RP_VW; i++)
        if (offset[i] >= 0 && active >> i & 1)
            memcpy(data + offset[i], &from[i % 4][i / 4 * 16], 16);
}
#else
#define HAS_LONG_LOADS 0
static inline void
load_each_long(uint32_t texel_B, const uint8_t *data, vi offsets, vu texel[4])
{
    (void)texel_B, (void)data, (void)offsets, (void)texel;
}

static inline void
store_longest(uint8_t *data, vi offsets, const vu texel[4], uint32_t active)
{
    (void)data, (void)offsets, (void)texel, (void)active;
}
#endif

static inline vu
splat_word(const uint8_t *from)
{
    int32_t word;
    memcpy(&word, from, sizeof(word));
    return VU(vi_splat(word));
}

/* One texel for all lanes, at an offset that is not negative. */
RP_ALWAYS_INLINE void
load_same_long(uint32_t texel_B, const uint8_t *from, vu texel[4])
{
    texel[0] = splat_word(from);
    texel[1] = splat_word(from + 4);
    if (texel_B == 16) {
        texel[2] = splat_word(from + 8);
        texel[3] = splat_word(from + 12);
    }
}

#endif

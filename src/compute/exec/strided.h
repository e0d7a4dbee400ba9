/* SPDX-License-Identifier: MIT */
/* Loads of 16 lanes whose words lie stride bytes apart.
 */
#ifndef RP_COMPUTE_EXEC_STRIDED_H
#define RP_COMPUTE_EXEC_STRIDED_H

#include "compute/exec/vec.h"
#include "compute/exec/words.h"

#if RP_VW == 16
/* load_rows4() where the words of a lane follow those of the lane in front. */
static inline void
load_dense_rows4(int32_t *const d[4], int32_t lane, const uint8_t *from)
{
    const __m512i even =
        _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29);
    const __m512i odd = _mm512_add_epi32(even, _mm512_set1_epi32(2));
    const __m512i z0 = _mm512_loadu_si512(from), z1 = _mm512_loadu_si512(from + 64);
    const __m512i z2 = _mm512_loadu_si512(from + 128), z3 = _mm512_loadu_si512(from + 192);
    const __m512i low01 = _mm512_permutex2var_epi32(z0, even, z1);
    const __m512i high01 = _mm512_permutex2var_epi32(z2, even, z3);
    const __m512i low23 = _mm512_permutex2var_epi32(z0, odd, z1);
    const __m512i high23 = _mm512_permutex2var_epi32(z2, odd, z3);
    _mm512_storeu_si512(d[0] + lane, _mm512_shuffle_i64x2(low01, high01, 0x44));
    _mm512_storeu_si512(d[1] + lane, _mm512_shuffle_i64x2(low01, high01, 0xee));
    _mm512_storeu_si512(d[2] + lane, _mm512_shuffle_i64x2(low23, high23, 0x44));
    _mm512_storeu_si512(d[3] + lane, _mm512_shuffle_i64x2(low23, high23, 0xee));
}
#endif

#if defined(RP_NEON)
static inline int32x4x4_t
transpose(vi a, vi b, vi c, vi d)
{
    const int32x4x2_t ab = vtrnq_s32((int32x4_t)a, (int32x4_t)b);
    const int32x4x2_t cd = vtrnq_s32((int32x4_t)c, (int32x4_t)d);
    const int64x2_t ab0 = (int64x2_t)ab.val[0], ab1 = (int64x2_t)ab.val[1];
    const int64x2_t cd0 = (int64x2_t)cd.val[0], cd1 = (int64x2_t)cd.val[1];
    return (int32x4x4_t){{(int32x4_t)vzip1q_s64(ab0, cd0), (int32x4_t)vzip1q_s64(ab1, cd1),
                          (int32x4_t)vzip2q_s64(ab0, cd0), (int32x4_t)vzip2q_s64(ab1, cd1)}};
}
#endif

/* 16 lanes of four words, stride bytes apart, to four registers. */
static inline void
load_rows4(int32_t *const d[4], int32_t lane, const uint8_t *from, size_t stride)
{
#if RP_VW == 16
    if (stride == 16) {
        load_dense_rows4(d, lane, from);
        return;
    }
#define ROW(l) _mm_loadu_si128((const __m128i *)(from + (size_t)(l)*stride))
#define ROWS(l) \
    _mm512_inserti32x4( \
        _mm512_inserti32x4(_mm512_inserti32x4(_mm512_castsi128_si512(ROW(l)), ROW((l) + 4), 1), \
                           ROW((l) + 8), 2), \
        ROW((l) + 12), 3)
    const __m512i z0 = ROWS(0), z1 = ROWS(1), z2 = ROWS(2), z3 = ROWS(3);
    const __m512i t0 = _mm512_unpacklo_epi32(z0, z1), t1 = _mm512_unpacklo_epi32(z2, z3);
    const __m512i t2 = _mm512_unpackhi_epi32(z0, z1), t3 = _mm512_unpackhi_epi32(z2, z3);
    _mm512_storeu_si512(d[0] + lane, _mm512_unpacklo_epi64(t0, t1));
    _mm512_storeu_si512(d[1] + lane, _mm512_unpackhi_epi64(t0, t1));
    _mm512_storeu_si512(d[2] + lane, _mm512_unpacklo_epi64(t2, t3));
    _mm512_storeu_si512(d[3] + lane, _mm512_unpackhi_epi64(t2, t3));
#undef ROW
#undef ROWS
#elif defined(__SSE4_1__)
    for (int32_t l = 0; l < 16; l += 4) {
        const uint8_t *p = from + (size_t)l * stride;
        const __m128i r0 = _mm_loadu_si128((const __m128i *)p);
        const __m128i r1 = _mm_loadu_si128((const __m128i *)(p + stride));
        const __m128i r2 = _mm_loadu_si128((const __m128i *)(p + 2 * stride));
        const __m128i r3 = _mm_loadu_si128((const __m128i *)(p + 3 * stride));
        const __m128i t0 = _mm_unpacklo_epi32(r0, r1), t1 = _mm_unpacklo_epi32(r2, r3);
        const __m128i t2 = _mm_unpackhi_epi32(r0, r1), t3 = _mm_unpackhi_epi32(r2, r3);
        _mm_storeu_si128((__m128i *)(d[0] + lane + l), _mm_unpacklo_epi64(t0, t1));
        _mm_storeu_si128((__m128i *)(d[1] + lane + l), _mm_unpackhi_epi64(t0, t1));
        _mm_storeu_si128((__m128i *)(d[2] + lane + l), _mm_unpacklo_epi64(t2, t3));
        _mm_storeu_si128((__m128i *)(d[3] + lane + l), _mm_unpackhi_epi64(t2, t3));
    }
#elif defined(RP_NEON)
    for (int32_t l = 0; l < 16; l += 4) {
        const uint8_t *p = from + (size_t)l * stride;
        const int32x4x4_t r =
            transpose(*(const vi_u *)p, *(const vi_u *)(p + stride),
                      *(const vi_u *)(p + 2 * stride), *(const vi_u *)(p + 3 * stride));
        for (int32_t c = 0; c < 4; c++)
            vst1q_s32(d[c] + lane + l, r.val[c]);
    }
#else
    for (int32_t l = 0; l < 16; l++)
        for (int32_t c = 0; c < 4; c++)
            memcpy(d[c] + lane + l, from + (size_t)l * stride + 4 * c, 4);
#endif
}

static inline void
store_rows4(uint8_t *to, size_t stride, int32_t *const a[4], int32_t lane)
{
#if defined(__SSE4_1__)
    for (int32_t l = 0; l < 16; l += 4) {
        uint8_t *p = to + (size_t)l * stride;
        const __m128i r0 = _mm_loadu_si128((const __m128i *)(a[0] + lane + l));
        const __m128i r1 = _mm_loadu_si128((const __m128i *)(a[1] + lane + l));
        const __m128i r2 = _mm_loadu_si128((const __m128i *)(a[2] + lane + l));
        const __m128i r3 = _mm_loadu_si128((const __m128i *)(a[3] + lane + l));
        const __m128i t0 = _mm_unpacklo_epi32(r0, r1), t1 = _mm_unpacklo_epi32(r2, r3);
        const __m128i t2 = _mm_unpackhi_epi32(r0, r1), t3 = _mm_unpackhi_epi32(r2, r3);
        _mm_storeu_si128((__m128i *)p, _mm_unpacklo_epi64(t0, t1));
        _mm_storeu_si128((__m128i *)(p + stride), _mm_unpackhi_epi64(t0, t1));
        _mm_storeu_si128((__m128i *)(p + 2 * stride), _mm_unpacklo_epi64(t2, t3));
        _mm_storeu_si128((__m128i *)(p + 3 * stride), _mm_unpackhi_epi64(t2, t3));
    }
#elif defined(RP_NEON)
    for (int32_t l = 0; l < 16; l += 4) {
        uint8_t *p = to + (size_t)l * stride;
        const int32x4x4_t r =
            transpose(*(const vi *)(a[0] + lane + l), *(const vi *)(a[1] + lane + l),
                      *(const vi *)(a[2] + lane + l), *(const vi *)(a[3] + lane + l));
        for (int32_t c = 0; c < 4; c++)
            *(vi_u *)(p + (size_t)c * stride) = (vi)r.val[c];
    }
#else
    for (int32_t l = 0; l < 16; l++)
        for (int32_t c = 0; c < 4; c++)
            memcpy(to + (size_t)l * stride + 4 * c, a[c] + lane + l, 4);
#endif
}

/* 16 lanes of two words, stride bytes apart. */
static inline void
load_strided_pairs(int32_t *even, int32_t *odd, const uint8_t *from, size_t stride)
{
#if defined(__SSE4_1__)
    for (int32_t l = 0; l < 16; l += 4, from += 4 * stride) {
        __m128 low = _mm_loadl_pi(_mm_setzero_ps(), (const __m64 *)(const void *)from);
        low = _mm_loadh_pi(low, (const __m64 *)(const void *)(from + stride));
        __m128 high =
            _mm_loadl_pi(_mm_setzero_ps(), (const __m64 *)(const void *)(from + 2 * stride));
        high = _mm_loadh_pi(high, (const __m64 *)(const void *)(from + 3 * stride));
        _mm_storeu_ps((float *)(void *)(even + l), _mm_shuffle_ps(low, high, 0x88));
        _mm_storeu_ps((float *)(void *)(odd + l), _mm_shuffle_ps(low, high, 0xdd));
    }
#else
    for (int32_t l = 0; l < 16; l++) {
        memcpy(even + l, from + (size_t)l * stride, 4);
        memcpy(odd + l, from + (size_t)l * stride + 4, 4);
    }
#endif
}

static inline void
store_strided_pairs(uint8_t *to, size_t stride, const int32_t *even, const int32_t *odd)
{
#if defined(__SSE4_1__)
    for (int32_t l = 0; l < 16; l += 4, to += 4 * stride) {
        const __m128 a = _mm_loadu_ps((const float *)(const void *)(even + l));
        const __m128 b = _mm_loadu_ps((const float *)(const void *)(odd + l));
        const __m128 low = _mm_unpacklo_ps(a, b), high = _mm_unpackhi_ps(a, b);
        _mm_storel_pi((__m64 *)(void *)to, low);
        _mm_storeh_pi((__m64 *)(void *)(to + stride), low);
        _mm_storel_pi((__m64 *)(void *)(to + 2 * stride), high);
        _mm_storeh_pi((__m64 *)(void *)(to + 3 * stride), high);
    }
#else
    for (int32_t l = 0; l < 16; l++) {
        memcpy(to + (size_t)l * stride, even + l, 4);
        memcpy(to + (size_t)l * stride + 4, odd + l, 4);
    }
#endif
}

static inline void
load_strided32(int32_t *d, const uint8_t *from, size_t stride)
{
#if RP_VW == 16
    const __m512i index = (__m512i)(lane_numbers(0) * (int32_t)stride);
    _mm512_storeu_si512(d, _mm512_i32gather_epi32(index, from, 1));
#elif defined(__SSE4_1__)
    /* Stored as vectors: what is read as one soon need not wait for its words. */
    for (int32_t l = 0; l < 16; l += 4, from += 4 * stride) {
        const __m128i low = _mm_unpacklo_epi32(word_at(from), word_at(from + stride));
        const uint8_t *const rest = from + 2 * stride;
        const __m128i high = _mm_unpacklo_epi32(word_at(rest), word_at(rest + stride));
        _mm_storeu_si128((__m128i *)(d + l), _mm_unpacklo_epi64(low, high));
    }
#else
    for (int32_t l = 0; l < 16; l++)
        memcpy(d + l, from + (size_t)l * stride, 4);
#endif
}

static inline void
load_two_longs(int64_t *d, const uint8_t *from, size_t stride)
{
#if defined(__SSE4_1__)
    /* Stored as vectors: what is read as one soon need not wait for its halves. */
    const __m128i first = _mm_loadl_epi64((const __m128i *)from);
    const __m128i second = _mm_loadl_epi64((const __m128i *)(from + stride));
    _mm_storeu_si128((__m128i *)d, _mm_unpacklo_epi64(first, second));
#else
    memcpy(d, from, 8);
    memcpy(d + 1, from + stride, 8);
#endif
}

#if RP_VW >= 8
/* 16 lanes of four longs. */
static inline void
load_longs4(char *R, const uint32_t *to, const uint8_t *from, size_t stride, int32_t k)
{
    for (int32_t at = k * 128; at < (k + 1) * 128; at += 32, from += 4 * stride) {
        const __m256i r0 = _mm256_loadu_si256((const __m256i *)from);
        const __m256i r1 = _mm256_loadu_si256((const __m256i *)(from + stride));
        const __m256i r2 = _mm256_loadu_si256((const __m256i *)(from + 2 * stride));
        const __m256i r3 = _mm256_loadu_si256((const __m256i *)(from + 3 * stride));
        const __m256i even01 = _mm256_unpacklo_epi64(r0, r1), odd01 = _mm256_unpackhi_epi64(r0, r1);
        const __m256i even23 = _mm256_unpacklo_epi64(r2, r3), odd23 = _mm256_unpackhi_epi64(r2, r3);
        _mm256_storeu_si256((__m256i *)(R + to[0] + at),
                            _mm256_permute2x128_si256(even01, even23, 0x20));
        _mm256_storeu_si256((__m256i *)(R + to[1] + at),
                            _mm256_permute2x128_si256(odd01, odd23, 0x20));
        _mm256_storeu_si256((__m256i *)(R + to[2] + at),
                            _mm256_permute2x128_si256(even01, even23, 0x31));
        _mm256_storeu_si256((__m256i *)(R + to[3] + at),
                            _mm256_permute2x128_si256(odd01, odd23, 0x31));
    }
}
#endif

#endif

/* SPDX-License-Identifier: MIT */
/* Loads of 16 lanes whose words lie stride bytes apart.
 */
#ifndef RP_COMPUTE_EXEC_STRIDED_H
#define RP_COMPUTE_EXEC_STRIDED_H

#include "compute/exec/vec.h"
#include "compute/exec/words.h"

#if defined(__SSE4_1__)
static inline __m128i
row(const uint8_t *from)
{
    return _mm_loadu_si128((const __m128i *)from);
}

/* Every fourth of RP_VW rows of four words; `last` is the last one of them. */
static inline vi
rows(const uint8_t *from, size_t stride, __m128i last)
{
#if RP_VW == 16
    __m512i r = _mm512_castsi128_si512(row(from));
    r = _mm512_inserti32x4(r, row(from + 4 * stride), 1);
    r = _mm512_inserti32x4(r, row(from + 8 * stride), 2);
    return (vi)_mm512_inserti32x4(r, last, 3);
#elif RP_VW == 8
    return (vi)_mm256_inserti128_si256(_mm256_castsi128_si256(row(from)), last, 1);
#else
    return (vi)last;
#endif
}

#if RP_VW == 16
#define UNPACK(part, bits, a, b) ((vi)_mm512_unpack##part##_epi##bits((__m512i)(a), (__m512i)(b)))
#elif RP_VW == 8
#define UNPACK(part, bits, a, b) ((vi)_mm256_unpack##part##_epi##bits((__m256i)(a), (__m256i)(b)))
#else
#define UNPACK(part, bits, a, b) ((vi)_mm_unpack##part##_epi##bits((__m128i)(a), (__m128i)(b)))
#endif

struct four_vectors {
    vi v[4];
};

/* Four columns from every fourth row each, and back. */
static inline struct four_vectors
transposed(vi z0, vi z1, vi z2, vi z3)
{
    const vi low01 = UNPACK(lo, 32, z0, z1), high01 = UNPACK(hi, 32, z0, z1);
    const vi low23 = UNPACK(lo, 32, z2, z3), high23 = UNPACK(hi, 32, z2, z3);
    return (struct four_vectors){{UNPACK(lo, 64, low01, low23), UNPACK(hi, 64, low01, low23),
                                  UNPACK(lo, 64, high01, high23), UNPACK(hi, 64, high01, high23)}};
}

/* RP_VW rows from `from` on, of which the last is `last`: to four columns. */
static inline struct four_vectors
columns_of(const uint8_t *from, size_t stride, __m128i last)
{
    const uint8_t *top = from + (RP_VW - 4) * stride;
    return transposed(rows(from, stride, row(top)), rows(from + stride, stride, row(top + stride)),
                      rows(from + 2 * stride, stride, row(top + 2 * stride)),
                      rows(from + 3 * stride, stride, last));
}

/* Four rows that follow each other, the q-th parts of four vectors. */
#if RP_VW == 16
#define ROW_PART(r, q) _mm512_extracti32x4_epi32((__m512i)(r), q)
#elif RP_VW == 8
#define ROW_PART(r, q) _mm256_extracti128_si256((__m256i)(r), q)
#else
#define ROW_PART(r, q) (__m128i)(r)
#endif
#define STORE_ROWS(to, stride, r, q) \
    _mm_storeu_si128((__m128i *)((to) + (4 * (q)) * (stride)), ROW_PART((r)->v[0], q)); \
    _mm_storeu_si128((__m128i *)((to) + (4 * (q) + 1) * (stride)), ROW_PART((r)->v[1], q)); \
    _mm_storeu_si128((__m128i *)((to) + (4 * (q) + 2) * (stride)), ROW_PART((r)->v[2], q)); \
    _mm_storeu_si128((__m128i *)((to) + (4 * (q) + 3) * (stride)), ROW_PART((r)->v[3], q))

/* In the order of the rows, which may overlap. */
static inline void
store_rows_of(uint8_t *to, size_t stride, const struct four_vectors *r)
{
    STORE_ROWS(to, stride, r, 0);
#if RP_VW >= 8
    STORE_ROWS(to, stride, r, 1);
#endif
#if RP_VW == 16
    STORE_ROWS(to, stride, r, 2);
    STORE_ROWS(to, stride, r, 3);
#endif
}
#endif

#if RP_VW == 16
/* Three or four of four words where those of a lane follow those of the lane in front. */
RP_ALWAYS_INLINE void
load_dense_rows(int32_t *const *d, uint32_t count, int32_t lane, const uint8_t *from)
{
    const __m512i even =
        _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29);
    const __m512i odd = _mm512_add_epi32(even, _mm512_set1_epi32(2));
    const __m512i z0 = _mm512_loadu_si512(from), z1 = _mm512_loadu_si512(from + 64);
    const __m512i z2 = _mm512_loadu_si512(from + 128),
                  z3 = _mm512_maskz_loadu_epi32(count == 4 ? 0xffff : 0x7fff, from + 192);
    const __m512i low01 = _mm512_permutex2var_epi32(z0, even, z1);
    const __m512i high01 = _mm512_permutex2var_epi32(z2, even, z3);
    const __m512i low23 = _mm512_permutex2var_epi32(z0, odd, z1);
    const __m512i high23 = _mm512_permutex2var_epi32(z2, odd, z3);
    _mm512_storeu_si512(d[0] + lane, _mm512_shuffle_i64x2(low01, high01, 0x44));
    _mm512_storeu_si512(d[1] + lane, _mm512_shuffle_i64x2(low01, high01, 0xee));
    _mm512_storeu_si512(d[2] + lane, _mm512_shuffle_i64x2(low23, high23, 0x44));
    if (count == 4)
        _mm512_storeu_si512(d[3] + lane, _mm512_shuffle_i64x2(low23, high23, 0xee));
}

/* Four words of each lane behind those of the lane in front. */
static inline void
store_dense_rows4(uint8_t *to, int32_t *const a[4], int32_t lane)
{
    const __m512i a0 = _mm512_loadu_si512(a[0] + lane), a1 = _mm512_loadu_si512(a[1] + lane);
    const __m512i a2 = _mm512_loadu_si512(a[2] + lane), a3 = _mm512_loadu_si512(a[3] + lane);
    __m512i places = _mm512_setr_epi32(0, 16, 0, 16, 1, 17, 1, 17, 2, 18, 2, 18, 3, 19, 3, 19);
#pragma GCC unroll 4
    for (uint32_t q = 0; q < 4; q++, to += 64) {
        const __m512i low = _mm512_permutex2var_epi32(a0, places, a1);
        const __m512i high = _mm512_permutex2var_epi32(a2, places, a3);
        _mm512_storeu_si512(to, _mm512_mask_mov_epi64(low, 0xaa, high));
        places = _mm512_add_epi32(places, _mm512_set1_epi32(4));
    }
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
        load_dense_rows(d, 4, lane, from);
        return;
    }
#endif
#if defined(__SSE4_1__)
    for (int32_t l = 0; l < 16; l += RP_VW, from += RP_VW * stride) {
        const struct four_vectors r = columns_of(from, stride, row(from + (RP_VW - 1) * stride));
#pragma GCC unroll 4
        for (int32_t c = 0; c < 4; c++)
            *(vi *)(d[c] + lane + l) = r.v[c];
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
#if RP_VW == 16
    if (stride == 16) {
        store_dense_rows4(to, a, lane);
        return;
    }
#endif
#if defined(__SSE4_1__)
    for (int32_t l = 0; l < 16; l += RP_VW, to += RP_VW * stride) {
        const struct four_vectors r =
            transposed(*(const vi *)(a[0] + lane + l), *(const vi *)(a[1] + lane + l),
                       *(const vi *)(a[2] + lane + l), *(const vi *)(a[3] + lane + l));
        store_rows_of(to, stride, &r);
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

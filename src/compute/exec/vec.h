/* SPDX-License-Identifier: MIT */
/* Vectors of the instruction set this file is compiled for (RP_ISA), and how handlers are written.
 *
 * A register of 16 lanes a block is walked in vectors of RP_VW lanes. Everything here gives the
 * same bits on every instruction set: no fused multiply-add, no approximations in hardware, but
 * where the end is rounded correctly (roots.h).
 */
#ifndef RP_COMPUTE_EXEC_VEC_H
#define RP_COMPUTE_EXEC_VEC_H

#include "compute/exec/exec.h"
#include "compute/exec/tail.h"

#include <string.h>

#if defined(__AVX512BW__) && defined(__AVX512VL__)
#include <immintrin.h>
#define RP_VW 16
#elif defined(__AVX2__)
#include <immintrin.h>
#define RP_VW 8
#elif defined(__SSE4_1__)
#include <smmintrin.h>
#define RP_VW 4
#elif defined(RP_NEON)
#include <arm_neon.h>
#define RP_VW 4
#else
#define RP_VW 4
#endif

#define RP_VB (4 * RP_VW)
#define RP_NS (16 / RP_VW) /* vectors in a block */

typedef int32_t vi __attribute__((vector_size(RP_VB), may_alias));
typedef uint32_t vu __attribute__((vector_size(RP_VB), may_alias));
typedef float vf __attribute__((vector_size(RP_VB), may_alias));
/* 64-bit lanes: half as many in a vector; and their 32-bit counterparts. */
typedef int64_t vl __attribute__((vector_size(RP_VB), may_alias));
typedef uint64_t vul __attribute__((vector_size(RP_VB), may_alias));
typedef double vd __attribute__((vector_size(RP_VB), may_alias));
typedef int32_t vih __attribute__((vector_size(RP_VB / 2), may_alias));
typedef uint32_t vuh __attribute__((vector_size(RP_VB / 2), may_alias));
typedef float vfh __attribute__((vector_size(RP_VB / 2), may_alias));
/* Anywhere in memory. */
typedef int32_t vi_u __attribute__((vector_size(RP_VB), aligned(1), may_alias));

#define RP_ALWAYS_INLINE static inline __attribute__((always_inline))

#define RP_PASTE_(a, b) rp_x_##a##_##b
#define RP_PASTE(a, b) RP_PASTE_(a, b)
#define RP_FN(name) RP_PASTE(name, RP_ISA)

#define RP_OP(name) \
    const struct rp_op *RP_FN(name)(const struct rp_op *o, char *R, struct rp_exec *x); \
    const struct rp_op *RP_FN(name)(const struct rp_op *o, char *R, struct rp_exec *x)

#define VI(v) ((vi)(v))
#define VU(v) ((vu)(v))
#define VF(v) ((vf)(v))
#define VL(v) ((vl)(v))
#define VUL(v) ((vul)(v))
#define VD(v) ((vd)(v))

static inline vi
vi_splat(int32_t s)
{
    return s - (vi){0};
}

static inline vf
vf_splat(float s)
{
    return s - (vf){0};
}

static inline vl
vl_splat(int64_t s)
{
    return s - (vl){0};
}

static inline int32_t
get_i(const char *R, uint32_t at)
{
    return *(const int32_t *)(R + at);
}

static inline int64_t
get_l(const char *R, uint32_t at)
{
    return *(const int64_t *)(R + at);
}

static inline vi
vi_select(vi mask, vi a, vi b)
{
#if RP_VW == 16
    return (vi)_mm512_mask_mov_epi32((__m512i)b, _mm512_movepi32_mask((__m512i)mask), (__m512i)a);
#elif RP_VW == 8
    return (vi)_mm256_blendv_epi8((__m256i)b, (__m256i)a, (__m256i)mask);
#elif defined(__SSE4_1__)
    return (vi)_mm_blendv_epi8((__m128i)b, (__m128i)a, (__m128i)mask);
#elif defined(RP_NEON)
    return (vi)vbslq_s32((uint32x4_t)mask, (int32x4_t)a, (int32x4_t)b);
#else
    return (mask & a) | (~mask & b);
#endif
}

static inline vf
vf_select(vi mask, vf a, vf b)
{
    return VF(vi_select(mask, VI(a), VI(b)));
}

static inline vl
vl_select(vl mask, vl a, vl b)
{
    return VL(vi_select(VI(mask), VI(a), VI(b)));
}

static inline vd
vd_select(vl mask, vd a, vd b)
{
    return VD(vi_select(VI(mask), VI(a), VI(b)));
}

/* The sign bits of a vector's lanes. */
static inline uint32_t
vi_bits(vi mask)
{
#if RP_VW == 16
    return _mm512_movepi32_mask((__m512i)mask);
#elif RP_VW == 8
    return (uint32_t)_mm256_movemask_ps((__m256)mask);
#elif defined(__SSE4_1__)
    return (uint32_t)_mm_movemask_ps((__m128)mask);
#elif defined(RP_NEON)
    const int32x4_t place = {0, 1, 2, 3};
    return vaddvq_u32(vshlq_u32(vshrq_n_u32((uint32x4_t)mask, 31), place));
#else
    return (mask[0] < 0 ? 1u : 0) | (mask[1] < 0 ? 2u : 0) | (mask[2] < 0 ? 4u : 0) |
           (mask[3] < 0 ? 8u : 0);
#endif
}

/* Where a <= b. */
static inline uint32_t
vu_bits_le(vu a, vu b)
{
#if RP_VW == 16
    return _mm512_cmple_epu32_mask((__m512i)a, (__m512i)b);
#else
    return vi_bits(VI(a <= b));
#endif
}

/* Where a == b. */
static inline uint32_t
vi_bits_eq(vi a, vi b)
{
#if RP_VW == 16
    return _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b);
#else
    return vi_bits(a == b);
#endif
}

static inline uint32_t
vl_bits(vl mask)
{
#if RP_VW == 16
    return _mm512_movepi64_mask((__m512i)mask);
#elif RP_VW == 8
    return (uint32_t)_mm256_movemask_pd((__m256d)mask);
#elif defined(__SSE4_1__)
    return (uint32_t)_mm_movemask_pd((__m128d)mask);
#elif defined(RP_NEON)
    const int64x2_t place = {0, 1};
    return (uint32_t)vaddvq_u64(vshlq_u64(vshrq_n_u64((uint64x2_t)mask, 63), place));
#else
    return (mask[0] < 0 ? 1u : 0) | (mask[1] < 0 ? 2u : 0);
#endif
}

#if defined(RP_NEON)
/* The bits of a block, from lanes that are all ones or 0. */
static inline uint32_t
vi_block_bits(vi v0, vi v1, vi v2, vi v3)
{
    const uint8x16_t place = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint16x8_t low = vuzp1q_u16((uint16x8_t)v0, (uint16x8_t)v1);
    const uint16x8_t high = vuzp1q_u16((uint16x8_t)v2, (uint16x8_t)v3);
    const uint8x16_t bytes = vandq_u8(vuzp1q_u8((uint8x16_t)low, (uint8x16_t)high), place);
    return vaddv_u8(vget_low_u8(bytes)) | (uint32_t)vaddv_u8(vget_high_u8(bytes)) << 8;
}
#endif

/* All-ones lanes where bits are set. */
static inline vi
vi_mask(uint32_t bits)
{
#if RP_VW == 16
    return (vi)_mm512_movm_epi32((__mmask16)bits);
#elif RP_VW == 8
    const vi bit = {1, 2, 4, 8, 16, 32, 64, 128};
    return (vi_splat((int32_t)bits) & bit) == bit;
#elif defined(RP_NEON)
    const uint32x4_t bit = {1, 2, 4, 8};
    return (vi)vtstq_u32(vdupq_n_u32(bits), bit);
#else
    const vi bit = {1, 2, 4, 8};
    return (vi_splat((int32_t)bits) & bit) == bit;
#endif
}

/* The bits of the s-th vector of a mask register (32-bit lanes). */
static inline uint32_t
mask_part(const uint16_t *mask, int32_t s)
{
    return (uint32_t)mask[s / RP_NS] >> (s % RP_NS * RP_VW);
}

static inline vi
vi_mask_select(uint32_t bits, vi a, vi b)
{
#if RP_VW == 16
    return (vi)_mm512_mask_mov_epi32((__m512i)b, (__mmask16)bits, (__m512i)a);
#else
    return vi_select(vi_mask(bits), a, b);
#endif
}

/* a where the bits of block k's j-th vector are set, else b. */
RP_ALWAYS_INLINE vi
vi_pick(const uint16_t *mask, int32_t k, int32_t j, vi a, vi b)
{
#if RP_VW == 8
    /* Both halves of a lane hold the block's bits; the lower one's are looked at. */
    const vi low = {1, 2, 4, 8, 16, 32, 64, 128};
    const vi bit = j ? low << 8 : low;
    const vi block = (vi)_mm256_set1_epi16((short)mask[k]);
    return vi_select((block & bit) == bit, a, b);
#else
    return vi_mask_select((uint32_t)mask[k] >> (j * RP_VW), a, b);
#endif
}

/* The same of the j-th vector of 64-bit lanes. */
RP_ALWAYS_INLINE vl
vl_pick(const uint16_t *mask, int32_t k, int32_t j, vl a, vl b)
{
#if RP_VW == 16
    const __mmask8 bits = (__mmask8)(mask[k] >> (j * RP_VW / 2));
    return (vl)_mm512_mask_mov_epi64((__m512i)b, bits, (__m512i)a);
#else
#if RP_VW == 8
    const vl low = {1, 2, 4, 8};
    const vl block = (vl)_mm256_set1_epi16((short)mask[k]);
#else
    const vl low = {1, 2};
    const vl block = vl_splat(mask[k]);
#endif
    const vl bit = low << (j * RP_VW / 2);
    return vl_select((block & bit) == bit, a, b);
#endif
}

/* Lane numbers within a block, for its j-th vector. */
static inline vi
lane_numbers(int32_t j)
{
#if RP_VW == 16
    const vi n = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
#elif RP_VW == 8
    const vi n = {0, 1, 2, 3, 4, 5, 6, 7};
#else
    const vi n = {0, 1, 2, 3};
#endif
    return n + j * RP_VW;
}

#endif

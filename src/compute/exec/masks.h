/* SPDX-License-Identifier: MIT */
/* Masks of a window of blocks, many blocks at a time.
 */
#ifndef RP_COMPUTE_EXEC_MASKS_H
#define RP_COMPUTE_EXEC_MASKS_H

#include "compute/exec/vec.h"

/* One bit a block. */
struct mask_count {
    uint64_t any;  /* some lane is set */
    uint64_t full; /* all are */
};

/* Bits [k0, k1), which are not empty. */
static inline uint64_t
mask_window(int32_t k0, int32_t k1)
{
    return UINT64_MAX >> (64 - (k1 - k0)) << k0;
}

/* What the masks of a level are where all its lanes are active. */
static _Alignas(64) const uint16_t mask_ones[RP_MAX_BLOCKS] = {[0 ... RP_MAX_BLOCKS - 1] = 0xffff};

#if RP_VW == 16

/* d = a & b, or a & ~b, in the window; beyond it d may become 0. Whole registers are stored: what
 * reads them next need not wait. */
static inline __attribute__((always_inline)) struct mask_count
mask_and(uint16_t *d, const uint16_t *a, const uint16_t *b, bool inverts, int32_t k0, int32_t k1)
{
    const uint64_t window = mask_window(k0, k1);
    struct mask_count count = {0, 0};
    for (int32_t k = k0 & ~31; k < k1; k += 32) {
        const __mmask32 w = (__mmask32)(window >> k);
        const __m512i va = _mm512_load_si512(a + k), vb = _mm512_load_si512(b + k);
        const __m512i both = inverts ? _mm512_andnot_si512(vb, va) : _mm512_and_si512(va, vb);
        const __m512i r = _mm512_maskz_mov_epi16(w, both);
        _mm512_store_si512(d + k, r);
        count.any |= (uint64_t)_mm512_test_epi16_mask(r, r) << k;
        count.full |= (uint64_t)_mm512_cmpeq_epi16_mask(r, _mm512_set1_epi16(-1)) << k;
    }
    return count;
}

/* d &= ~b in the window. */
static inline void
mask_remove(uint16_t *d, const uint16_t *b, int32_t k0, int32_t k1)
{
    const uint64_t window = mask_window(k0, k1);
    for (int32_t k = k0 & ~31; k < k1; k += 32) {
        const __m512i gone =
            _mm512_maskz_mov_epi16((__mmask32)(window >> k), _mm512_load_si512(b + k));
        _mm512_store_si512(d + k, _mm512_andnot_si512(gone, _mm512_load_si512(d + k)));
    }
}

#elif RP_VW == 8

/* The bits of two blocks, from lanes that are all ones or 0. */
static inline uint64_t
mask_two_blocks(vi v0, vi v1, vi v2, vi v3)
{
    const __m256i words01 = _mm256_packs_epi32((__m256i)v0, (__m256i)v1);
    const __m256i words23 = _mm256_packs_epi32((__m256i)v2, (__m256i)v3);
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    const __m256i bytes = _mm256_packs_epi16(words01, words23);
    return (uint32_t)_mm256_movemask_epi8(_mm256_permutevar8x32_epi32(bytes, order));
}

static inline uint64_t
mask_pick(__m256i equal, int32_t k)
{
    const uint32_t twice = (uint32_t)_mm256_movemask_epi8(equal);
    return (uint64_t)_pext_u32(twice, 0x55555555) << k;
}

static inline __attribute__((always_inline)) struct mask_count
mask_and(uint16_t *d, const uint16_t *a, const uint16_t *b, bool inverts, int32_t k0, int32_t k1)
{
    const uint64_t window = mask_window(k0, k1);
    const __m256i zero = _mm256_setzero_si256();
    struct mask_count count = {0, 0};
    for (int32_t k = k0 & ~15; k < k1; k += 16) {
        const __m256i va = _mm256_loadu_si256((const __m256i *)(a + k));
        const __m256i vb = _mm256_loadu_si256((const __m256i *)(b + k));
        const __m256i r = inverts ? _mm256_andnot_si256(vb, va) : _mm256_and_si256(va, vb);
        if (k >= k0 && k + 16 <= k1)
            _mm256_storeu_si256((__m256i *)(d + k), r);
        else
            for (int32_t i = RP_MAX(k, k0); i < RP_MIN(k + 16, k1); i++)
                d[i] = (uint16_t)(a[i] & (inverts ? ~b[i] : b[i]));
        count.any |= ~mask_pick(_mm256_cmpeq_epi16(r, zero), k) & (UINT64_C(0xffff) << k);
        count.full |= mask_pick(_mm256_cmpeq_epi16(r, _mm256_set1_epi16(-1)), k);
    }
    return (struct mask_count){count.any & window, count.full & window};
}

#elif defined(RP_NEON)

/* The bits of eight blocks, from lanes that are all ones or 0. */
static inline uint64_t
mask_pick(uint16x8_t equal)
{
    const uint8x8_t place = {1, 2, 4, 8, 16, 32, 64, 128};
    return vaddv_u8(vand_u8(vmovn_u16(equal), place));
}

static inline struct mask_count
mask_and(uint16_t *d, const uint16_t *a, const uint16_t *b, bool inverts, int32_t k0, int32_t k1)
{
    const uint64_t window = mask_window(k0, k1);
    struct mask_count count = {0, 0};
    for (int32_t k = k0 & ~7; k < k1; k += 8) {
        const uint16x8_t va = vld1q_u16(a + k), vb = vld1q_u16(b + k);
        const uint16x8_t r = inverts ? vbicq_u16(va, vb) : vandq_u16(va, vb);
        if (k >= k0 && k + 8 <= k1)
            vst1q_u16(d + k, r);
        else
            for (int32_t i = RP_MAX(k, k0); i < RP_MIN(k + 8, k1); i++)
                d[i] = (uint16_t)(a[i] & (inverts ? ~b[i] : b[i]));
        count.any |= mask_pick(vtstq_u16(r, r)) << k;
        count.full |= mask_pick(vceqq_u16(r, vdupq_n_u16(UINT16_MAX))) << k;
    }
    return (struct mask_count){count.any & window, count.full & window};
}

#else

static inline struct mask_count
mask_and(uint16_t *d, const uint16_t *a, const uint16_t *b, bool inverts, int32_t k0, int32_t k1)
{
    struct mask_count count = {0, 0};
    for (int32_t k = k0; k < k1; k++) {
        d[k] = (uint16_t)(a[k] & (inverts ? ~b[k] : b[k]));
        count.any |= (uint64_t)(d[k] != 0) << k;
        count.full |= (uint64_t)(d[k] == 0xffff) << k;
    }
    return count;
}

#endif

#if RP_VW != 16
/* The blocks of the window with a lane. */
static inline uint64_t
mask_blocks(const uint16_t *a, int32_t k0, int32_t k1)
{
    uint64_t any = 0;
#if defined(RP_NEON)
    for (int32_t k = k0 & ~7; k < k1; k += 8) {
        const uint16x8_t va = vld1q_u16(a + k);
        any |= mask_pick(vtstq_u16(va, va)) << k;
    }
    return any & mask_window(k0, k1);
#else
    for (int32_t k = k0; k < k1; k++)
        any |= (uint64_t)(a[k] != 0) << k;
    return any;
#endif
}

static inline void
mask_remove(uint16_t *d, const uint16_t *b, int32_t k0, int32_t k1)
{
    for (int32_t k = k0; k < k1; k++)
        d[k] &= (uint16_t)~b[k];
}
#endif

/* The level's window around its lanes; false when there are none. */
static inline bool
mask_settle(struct rp_level *level, const struct mask_count *count)
{
    level->blocks = count->any;
    if (!count->any) {
        level->k1 = level->k0;
        return false;
    }
    level->k0 = __builtin_ctzll(count->any);
    level->k1 = 64 - __builtin_clzll(count->any);
    const uint64_t window = mask_window(level->k0, level->k1);
    level->is_full = (count->full & window) == window;
    return true;
}

/* Some lanes left the level: its window may have shrunk, or be empty. */
static inline void
mask_shrink(struct rp_level *level, bool is_alive)
{
    if (is_alive && level->bits[level->k0] && level->bits[level->k1 - 1]) {
        level->is_full = false;
        return;
    }
    struct mask_count count = {0, 0};
    if (is_alive)
        count = mask_and(level->bits, level->bits, level->bits, false, level->k0, level->k1);
    (void)mask_settle(level, &count);
}

#endif

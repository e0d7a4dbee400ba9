/* SPDX-License-Identifier: MIT */
/* The C version; every x86-64 processor has SSE2, every aarch64 one NEON. */
#include "codecs/planes/high_bits.h"

#if defined(__x86_64__)
#define HAS_VECTORS 1
#define DST_ALIGN_B 16 /* what is written past the caches */
#elif defined(__aarch64__)
#define HAS_VECTORS 1
#define DST_ALIGN_B 1
#else
#define HAS_VECTORS 0
#define DST_ALIGN_B 1
#endif

/* How many of count samples vectors take that write at dst. */
static uint32_t
vector_count(const uint16_t *dst, uint32_t count)
{
    return HAS_VECTORS && ((uintptr_t)dst & (DST_ALIGN_B - 1)) == 0 ? count & ~7u : 0;
}

void
rp_high_bits_write(const uint16_t *src, uint16_t *dst, uint32_t count, uint32_t bit_depth)
{
    const uint32_t shift = 16 - bit_depth;
    const uint32_t done = vector_count(dst, count);
#if HAS_VECTORS
    rp_high_bits_write_vectors(src, dst, done, shift);
#endif
    for (uint32_t x = done; x < count; x++)
        dst[x] = (uint16_t)(src[x] << shift);
}

void
rp_high_bits_interleave(const uint16_t *u, const uint16_t *v, uint16_t *dst, uint32_t count,
                        uint32_t bit_depth)
{
    const uint32_t shift = 16 - bit_depth;
    const uint32_t done = vector_count(dst, count);
#if HAS_VECTORS
    rp_high_bits_interleave_vectors(u, v, dst, done, shift);
#endif
    for (uintptr_t x = done; x < count; x++) {
        dst[2 * x] = (uint16_t)(u[x] << shift);
        dst[2 * x + 1] = (uint16_t)(v[x] << shift);
    }
}

void
rp_high_bits_read(const uint16_t *src, uint16_t *dst, uint32_t count, uint32_t bit_depth)
{
    const uint32_t shift = 16 - bit_depth;
    const uint32_t done = HAS_VECTORS ? count & ~7u : 0;
#if HAS_VECTORS
    rp_high_bits_read_vectors(src, dst, done, shift);
#endif
    for (uint32_t x = done; x < count; x++)
        dst[x] = (uint16_t)(src[x] >> shift);
}

void
rp_high_bits_deinterleave(const uint16_t *src, uint16_t *u, uint16_t *v, uint32_t count,
                          uint32_t bit_depth)
{
    const uint32_t shift = 16 - bit_depth;
    const uint32_t done = HAS_VECTORS ? count & ~7u : 0;
#if HAS_VECTORS
    rp_high_bits_deinterleave_vectors(src, u, v, done, shift);
#endif
    for (uintptr_t x = done; x < count; x++) {
        u[x] = (uint16_t)(src[2 * x] >> shift);
        v[x] = (uint16_t)(src[2 * x + 1] >> shift);
    }
}

/* SPDX-License-Identifier: MIT */
/* Eight samples at a time.
 */
#include "codecs/planes/high_bits.h"

#if defined(__x86_64__)
#include <emmintrin.h>

void
rp_high_bits_write_vectors(const uint16_t *src, uint16_t *dst, uint32_t count, uint32_t shift)
{
    const __m128i by = _mm_cvtsi32_si128((int)shift);
    for (uint32_t x = 0; x < count; x += 8) {
        const __m128i samples = _mm_loadu_si128((const __m128i *)(src + x));
        _mm_stream_si128((__m128i *)(dst + x), _mm_sll_epi16(samples, by));
    }
}

void
rp_high_bits_interleave_vectors(const uint16_t *u, const uint16_t *v, uint16_t *dst, uint32_t count,
                                uint32_t shift)
{
    const __m128i by = _mm_cvtsi32_si128((int)shift);
    for (uint32_t x = 0; x < count; x += 8) {
        const __m128i from_u = _mm_sll_epi16(_mm_loadu_si128((const __m128i *)(u + x)), by);
        const __m128i from_v = _mm_sll_epi16(_mm_loadu_si128((const __m128i *)(v + x)), by);
        __m128i *to = (__m128i *)(dst + 2 * (uintptr_t)x);
        _mm_stream_si128(to, _mm_unpacklo_epi16(from_u, from_v));
        _mm_stream_si128(to + 1, _mm_unpackhi_epi16(from_u, from_v));
    }
}

void
rp_high_bits_read_vectors(const uint16_t *src, uint16_t *dst, uint32_t count, uint32_t shift)
{
    const __m128i by = _mm_cvtsi32_si128((int)shift);
    for (uint32_t x = 0; x < count; x += 8) {
        const __m128i samples = _mm_loadu_si128((const __m128i *)(src + x));
        _mm_storeu_si128((__m128i *)(dst + x), _mm_srl_epi16(samples, by));
    }
}

/* Samples of at most 15 bits are positive numbers of 16, so that nothing saturates. */
void
rp_high_bits_deinterleave_vectors(const uint16_t *src, uint16_t *u, uint16_t *v, uint32_t count,
                                  uint32_t shift)
{
    const __m128i by = _mm_cvtsi32_si128((int)(16 + shift));
    for (uint32_t x = 0; x < count; x += 8) {
        const __m128i *from = (const __m128i *)(src + 2 * (uintptr_t)x);
        const __m128i first = _mm_loadu_si128(from);
        const __m128i second = _mm_loadu_si128(from + 1);
        const __m128i first_u = _mm_srl_epi32(_mm_slli_epi32(first, 16), by);
        const __m128i second_u = _mm_srl_epi32(_mm_slli_epi32(second, 16), by);
        _mm_storeu_si128((__m128i *)(u + x), _mm_packs_epi32(first_u, second_u));
        _mm_storeu_si128((__m128i *)(v + x),
                         _mm_packs_epi32(_mm_srl_epi32(first, by), _mm_srl_epi32(second, by)));
    }
}
#endif

/* SPDX-License-Identifier: MIT */
/* Streaming stores: no line is read before it is written.
 */
#include "codecs/planes/interleave.h"

#if defined(__x86_64__)
#include <emmintrin.h>

void
rp_interleave_sse2(const uint8_t *u, const uint8_t *v, uint8_t *dst, uint32_t count)
{
    for (uint32_t x = 0; x < count; x += 16) {
        const __m128i from_u = _mm_loadu_si128((const __m128i *)(u + x));
        const __m128i from_v = _mm_loadu_si128((const __m128i *)(v + x));
        __m128i *to = (__m128i *)(dst + 2 * (uintptr_t)x);
        _mm_stream_si128(to, _mm_unpacklo_epi8(from_u, from_v));
        _mm_stream_si128(to + 1, _mm_unpackhi_epi8(from_u, from_v));
    }
}

void
rp_interleave_end_sse2(void)
{
    _mm_sfence();
}
#endif

/* SPDX-License-Identifier: MIT */
/* The C version; every x86-64 processor has SSE2, every aarch64 one NEON. */
#include "codecs/planes/interleave.h"

static void
interleave_c(const uint8_t *restrict u, const uint8_t *restrict v, uint8_t *restrict dst,
             uint32_t count)
{
    for (uint32_t x = 0; x < count; x++) {
        dst[2 * x] = u[x];
        dst[2 * x + 1] = v[x];
    }
}

void
rp_interleave(const uint8_t *restrict u, const uint8_t *restrict v, uint8_t *restrict dst,
              uint32_t count)
{
    uint32_t done = 0;
#if defined(__x86_64__)
    if (((uintptr_t)dst & 15) == 0) {
        done = count & ~15u;
        rp_interleave_sse2(u, v, dst, done);
    }
#elif defined(__aarch64__)
    done = count & ~15u;
    rp_interleave_neon(u, v, dst, done);
#endif
    interleave_c(u + done, v + done, dst + 2 * (uintptr_t)done, count - done);
}

void
rp_interleave_end(void)
{
#if defined(__x86_64__)
    rp_interleave_end_sse2();
#endif
}

/* SPDX-License-Identifier: MIT */
/* Sixteen pairs at a time. (Intrinsics have no stores past the caches.)
 */
#include "codecs/planes/interleave.h"

#if defined(__aarch64__)
#include <arm_neon.h>

void
rp_interleave_neon(const uint8_t *u, const uint8_t *v, uint8_t *dst, uint32_t count)
{
    for (uintptr_t x = 0; x < count; x += 16) {
        const uint8x16x2_t pairs = {{vld1q_u8(u + x), vld1q_u8(v + x)}};
        vst2q_u8(dst + 2 * x, pairs);
    }
}
#endif

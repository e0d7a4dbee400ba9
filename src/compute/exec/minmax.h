/* SPDX-License-Identifier: MIT */
/* The lesser and the greater of floats.
 */
#ifndef RP_COMPUTE_EXEC_MINMAX_H
#define RP_COMPUTE_EXEC_MINMAX_H

#include "compute/exec/vec.h"
#include "util/compiler.h"

/* When one operand is NaN: the other. Of zeros the negative one is less. */
#if RP_VW == 16

/* The instruction does as said, but for signalling NaNs. */
#define DEFINE_RANGE(name, which) \
    RP_ALWAYS_INLINE vf name(vf a, vf b) \
    { \
        const __m512 x = (__m512)a, y = (__m512)b; \
        __m512 r = _mm512_range_ps(x, y, which); \
        if (RP_UNLIKELY(_mm512_cmp_ps_mask(x, y, _CMP_UNORD_Q))) { \
            r = _mm512_mask_mov_ps(r, _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q), y); \
            r = _mm512_mask_mov_ps(r, _mm512_cmp_ps_mask(y, y, _CMP_UNORD_Q), x); \
        } \
        return (vf)r; \
    }
DEFINE_RANGE(vf_min, 4)
DEFINE_RANGE(vf_max, 5)

#elif defined(__SSE4_1__)

/* The instruction takes the second operand when one is NaN, and when both are zeros. */
#if RP_VW == 8
#define NATIVE(which, a, b) (vf) _mm256_##which##_ps((__m256)(a), (__m256)(b))
#else
#define NATIVE(which, a, b) (vf) _mm_##which##_ps((__m128)(a), (__m128)(b))
#endif

RP_ALWAYS_INLINE vf
vf_min(vf a, vf b)
{
    const vf r = vf_select(b == b, NATIVE(min, a, b), a);
    return vf_select(a == b, VF(VI(a) | VI(b)), r);
}

RP_ALWAYS_INLINE vf
vf_max(vf a, vf b)
{
    const vf r = vf_select(b == b, NATIVE(max, a, b), a);
    return vf_select(a == b, VF(VI(a) & VI(b)), r);
}

#elif defined(RP_NEON)

RP_ALWAYS_INLINE vf
vf_min(vf a, vf b)
{
    const vf least = (vf)vminq_f32((float32x4_t)a, (float32x4_t)b); /* NaN when one is */
    return vf_select(b == b, vf_select(a == a, least, b), a);
}

RP_ALWAYS_INLINE vf
vf_max(vf a, vf b)
{
    const vf most = (vf)vmaxq_f32((float32x4_t)a, (float32x4_t)b);
    return vf_select(b == b, vf_select(a == a, most, b), a);
}

#else

RP_ALWAYS_INLINE vf
vf_min(vf a, vf b)
{
    const vf r = vf_select((a < b) | (b != b), a, b);
    return vf_select(a == b, VF(VI(a) | VI(b)), r);
}

RP_ALWAYS_INLINE vf
vf_max(vf a, vf b)
{
    const vf r = vf_select((a > b) | (b != b), a, b);
    return vf_select(a == b, VF(VI(a) & VI(b)), r);
}

#endif

#endif

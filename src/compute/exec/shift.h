/* SPDX-License-Identifier: MIT */
/* Shifts of 32-bit lanes, and what is made of them.
 */
#ifndef RP_COMPUTE_EXEC_SHIFT_H
#define RP_COMPUTE_EXEC_SHIFT_H

#include "compute/exec/vec.h"

/* Shifts by the low five bits of a count. SSE has one count for all lanes; where the compiler sees
 * that there is but one, it need not take the lanes apart. */
#if defined(__SSE4_1__) && RP_VW == 4
#define ARE_SAME(n) ((n)[0] == (n)[1] && (n)[0] == (n)[2] && (n)[0] == (n)[3])
#define SHIFT(a, n, shift, otherwise) \
    (__builtin_constant_p(ARE_SAME(n)) && ARE_SAME(n) \
         ? (vi)shift((__m128i)(a), _mm_cvtsi32_si128((n)[0] & 31)) \
         : (otherwise))
#else
#define SHIFT(a, n, shift, otherwise) (otherwise)
#endif

RP_ALWAYS_INLINE vi
shift_left(vi a, vi count)
{
    return SHIFT(a, count, _mm_sll_epi32, VI(VU(a) << (VU(count) & 31)));
}

RP_ALWAYS_INLINE vi
shift_right(vi a, vi count)
{
    return SHIFT(a, count, _mm_srl_epi32, VI(VU(a) >> (VU(count) & 31)));
}

RP_ALWAYS_INLINE vi
shift_right_signed(vi a, vi count)
{
    return SHIFT(a, count, _mm_sra_epi32, a >> (count & 31));
}

RP_ALWAYS_INLINE vi
bit_extract(vi a, vi offset, vi count, int is_signed)
{
    const vi right = VI(32u - VU(count));
    const vi up = shift_left(a, right - offset);
    const vi r = is_signed ? shift_right_signed(up, right) : shift_right(up, right);
    return vi_select(count == 0, vi_splat(0), r);
}

RP_ALWAYS_INLINE vi
xor_shift(vi a, vi count, int is_left)
{
    return a ^ (is_left ? shift_left(a, count) : shift_right(a, count));
}

RP_ALWAYS_INLINE vi
rotate_left(vi a, vi count)
{
#if RP_VW == 16
    return (vi)_mm512_rolv_epi32((__m512i)a, (__m512i)count);
#else
    return shift_left(a, count) | shift_right(a, VI(-VU(count)));
#endif
}

#endif

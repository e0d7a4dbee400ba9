/* SPDX-License-Identifier: MIT */
/* Arithmetic of scalars as plain C, of operands a, b and c: general registers are ready in fewer
 * cycles than vectors that were spread from one word, and need no clean-up. Operations that are not
 * here are done as vectors (expr.h, math64.h); both give the same bits.
 */
#ifndef RP_COMPUTE_EXEC_SCALAR_H
#define RP_COMPUTE_EXEC_SCALAR_H

#include "compute/float_bits.h"

#include <stdint.h>

/* An operation's expression here, else `vector`. S_ of an operation begins with a comma, so that
 * what follows it is the second argument. */
#define RP_SCALAR_OR(name, vector) RP_SCALAR_PICK(S_##name, vector, )
#define RP_SCALAR_PICK(...) RP_SCALAR_SECOND(__VA_ARGS__)
#define RP_SCALAR_SECOND(first, second, ...) (second)

#define S_U(v) ((uint32_t)(v))
#define S_F(v) rp_bits_float(S_U(v))
#define S_UL(v) ((uint64_t)(v))

/* clang-format off */
#define S_INEG , (int32_t)(0 - S_U(a))
#define S_INOT , ~a
#define S_IABS , a < 0 ? (int32_t)(0 - S_U(a)) : a
#define S_SEXT8 , (int8_t)a
#define S_SEXT16 , (int16_t)a
#define S_ZEXT8 , (uint8_t)a
#define S_ZEXT16 , (uint16_t)a
#define S_FNEG , a ^ INT32_MIN
#define S_FABS , a & INT32_MAX

#define S_IADD , (int32_t)(S_U(a) + S_U(b))
#define S_ISUB , (int32_t)(S_U(a) - S_U(b))
#define S_IMUL , (int32_t)(S_U(a) * S_U(b))
#define S_AND , a & b
#define S_OR , a | b
#define S_XOR , a ^ b
#define S_SMIN , a < b ? a : b
#define S_SMAX , a > b ? a : b
#define S_UMIN , S_U(a) < S_U(b) ? a : b
#define S_UMAX , S_U(a) > S_U(b) ? a : b
#define S_SHL , (int32_t)(S_U(a) << (b & 31))
#define S_SHR , (int32_t)(S_U(a) >> (b & 31))
#define S_SAR , a >> (b & 31)
#define S_FADD , (int32_t)rp_float_bits(S_F(a) + S_F(b))
#define S_FSUB , (int32_t)rp_float_bits(S_F(a) - S_F(b))
#define S_FMUL , (int32_t)rp_float_bits(S_F(a) * S_F(b))

#define S_IEQ , a == b
#define S_INE , a != b
#define S_SLT , a < b
#define S_SLE , a <= b
#define S_ULT , S_U(a) < S_U(b)
#define S_ULE , S_U(a) <= S_U(b)
#define S_FEQ , S_F(a) == S_F(b)
#define S_FNE , S_F(a) != S_F(b)
#define S_FLT , S_F(a) < S_F(b)
#define S_FLE , S_F(a) <= S_F(b)

#define S_IMAD , (int32_t)(S_U(a) * S_U(b) + S_U(c))
#define S_SHLADD , (int32_t)((S_U(a) << (b & 31)) + S_U(c))
#define S_SHLOR , (int32_t)(S_U(a) << (b & 31)) | c
#define S_SHRAND , (int32_t)(S_U(a) >> (b & 31)) & c
#define S_ADDSAR , (int32_t)(S_U(a) + S_U(b)) >> (c & 31)
#define S_ADDSHR , (int32_t)((S_U(a) + S_U(b)) >> (c & 31))
#define S_SCLAMP , (a > b ? a : b) < c ? (a > b ? a : b) : c
#define S_SAD3 , (int32_t)(S_U(a) + S_U(b) + S_U(c))

/* 64 bits, and conversions from and to them */
#define S_INEG64 , (int64_t)(0 - S_UL(a))
#define S_INOT64 , ~a
#define S_I2L , (int64_t)a
#define S_U2L , (int64_t)S_U(a)
#define S_L2I , (int32_t)a
#define S_HI64 , (int32_t)(a >> 32)
#define S_PACK64 , (int64_t)(S_UL(S_U(b)) << 32 | S_U(a))
#define S_IADD64 , (int64_t)(S_UL(a) + S_UL(b))
#define S_ISUB64 , (int64_t)(S_UL(a) - S_UL(b))
#define S_IMUL64 , (int64_t)(S_UL(a) * S_UL(b))
#define S_AND64 , a & b
#define S_OR64 , a | b
#define S_XOR64 , a ^ b
#define S_SHL64 , (int64_t)(S_UL(a) << (b & 63))
#define S_SHR64 , (int64_t)(S_UL(a) >> (b & 63))
#define S_SAR64 , a >> (b & 63)
#define S_ROTL64 , (int64_t)(S_UL(a) << (b & 63) | S_UL(a) >> (-S_U(b) & 63))
#define S_XSHL64 , a ^ (int64_t)(S_UL(a) << (b & 63))
#define S_XSHR64 , a ^ (int64_t)(S_UL(a) >> (b & 63))
#define S_IEQ64 , a == b
#define S_INE64 , a != b
#define S_SLT64 , a < b
#define S_SLE64 , a <= b
#define S_ULT64 , S_UL(a) < S_UL(b)
#define S_ULE64 , S_UL(a) <= S_UL(b)
/* clang-format on */

#endif

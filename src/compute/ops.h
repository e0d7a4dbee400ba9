/* SPDX-License-Identifier: MIT */
/* The arithmetic operations that the lane IR and the interpreter share, as lists by shape.
 *
 * i: 32 bits a lane (integers, float; 8- and 16-bit integers with undefined upper bits, half floats
 * as the float of the same value), l: 64 bits (integers, double), b: one bit a lane (bool).
 */
#ifndef RP_COMPUTE_OPS_H
#define RP_COMPUTE_OPS_H

/* clang-format off */
/* i <- i */
#define RP_OPS_I_I(X) \
    X(INEG) X(INOT) X(IABS) X(ISIGN) X(BITCOUNT) X(BITREV) X(FINDLSB) X(FINDSMSB) X(FINDUMSB) \
    X(SEXT8) X(SEXT16) X(ZEXT8) X(ZEXT16) X(I2F) X(U2F) X(F2I) X(F2U) X(ROUNDH) X(H2F) X(F2H) \
    X(FNEG) X(FABS) X(FSIGN) X(FLOOR) X(CEIL) X(TRUNC) X(RINT) X(FRACT) X(SQRT) X(RSQRT) \
    X(EXP2) X(LOG2) X(EXP) X(LOG) X(SIN) X(COS) X(TAN) X(ASIN) X(ACOS) X(ATAN) X(SINH) X(COSH) \
    X(TANH) X(ASINH) X(ACOSH) X(ATANH) X(FREXPM) X(FREXPE) X(FTZ) X(FTZH)

/* l <- l */
#define RP_OPS_L_L(X) \
    X(INEG64) X(INOT64) X(IABS64) X(ISIGN64) X(FNEG64) X(FABS64) X(FSIGN64) X(FLOOR64) X(CEIL64) \
    X(TRUNC64) X(RINT64) X(FRACT64) X(SQRT64) X(RSQRT64) X(L2D) X(UL2D) X(D2L) X(D2UL) \
    X(FREXPM64) X(FREXPE64) X(FTZ64)

/* l <- i */
#define RP_OPS_L_I(X) X(I2L) X(U2L) X(F2D) X(I2D) X(U2D) X(F2L) X(F2UL)

/* i <- l */
#define RP_OPS_I_L(X) X(L2I) X(HI64) X(D2F) X(D2I) X(D2U) X(L2F) X(UL2F)

/* i <- i, i where the order of operands does not matter */
#define RP_OPS_I_II_COMM(X) \
    X(IADD) X(IMUL) X(AND) X(OR) X(XOR) X(SMIN) X(SMAX) X(UMIN) X(UMAX) X(UMULHI) X(SMULHI) \
    X(FADD) X(FMUL) X(FMIN) X(FMAX)

/* i <- i, i */
#define RP_OPS_I_II(X) \
    X(ISUB) X(SHL) X(SHR) X(SAR) X(UDIV) X(SDIV) X(UREM) X(SREM) X(SMOD) X(FSUB) X(FDIV) \
    X(FREM) X(FMOD) X(ATAN2) X(POW) X(LDEXP) X(SDOT4) X(UDOT4) X(SUDOT4) X(XSHL) X(XSHR) \
    X(IMUL16) /* of 0 to 32767 and a signed number of 16 bits */ \
    X(FDIFF2) /* the square of the difference */ \
    X(ROTL) /* by b mod 32 bits */

/* l <- l, l; those with a _S also with one operand that all lanes share */
#define RP_OPS_L_LL_S(X) \
    X(IADD64) X(IMUL64) X(ISUB64) X(AND64) X(OR64) X(XOR64) X(FADD64) X(FSUB64) X(FMUL64) X(FDIV64)
#define RP_OPS_L_LL_V(X) \
    X(SMIN64) X(SMAX64) X(UMIN64) X(UMAX64) X(UDIV64) X(SDIV64) X(UREM64) X(SREM64) X(SMOD64) \
    X(FMIN64) X(FMAX64) X(FREM64) X(FMOD64)
#define RP_OPS_L_LL(X) RP_OPS_L_LL_S(X) RP_OPS_L_LL_V(X)

/* l <- l, i */
#define RP_OPS_L_LI_S(X) \
    X(SHL64) X(SHR64) X(SAR64) X(ROTL64) /* by b mod 64 bits */ X(XSHL64) X(XSHR64)
#define RP_OPS_L_LI(X) RP_OPS_L_LI_S(X) X(LDEXP64)

/* l <- i, i: low, high */
#define RP_OPS_L_II(X) X(PACK64)

/* b <- i, i */
#define RP_OPS_B_II(X) \
    X(IEQ) X(INE) X(SLT) X(SLE) X(ULT) X(ULE) X(FEQ) X(FNE) X(FLT) X(FLE) X(FONE)

/* b <- l, l */
#define RP_OPS_B_LL(X) \
    X(IEQ64) X(INE64) X(SLT64) X(SLE64) X(ULT64) X(ULE64) X(FEQ64) X(FNE64) X(FLT64) X(FLE64) \
    X(FONE64)

/* i <- i, i, i. MAD rounds the product and the sum, as do those like it. */
#define RP_OPS_I_III(X) \
    X(MAD) X(MSUB) X(NMAD) /* c - a * b */ X(FMUL2) /* a * b + a * c */ \
    X(IMAD) X(UBFE) X(SBFE) X(SHLADD) X(SHLOR) X(SHRAND) X(SAD3) X(FADD3) \
    X(FSUBADD) X(FADDMUL) X(FCLAMP) X(SCLAMP) X(ADDSAR) X(ADDSHR) X(XSHLR) X(XSHRL) X(SDOTADD) \
    X(IMAD16) X(FDIFF2ADD) \
    X(ROTXOR) X(SHRXOR) /* rotated to the left, shifted to the right by b, then ^ c */ \
    X(XOR3) X(MAJORITY) X(BITSEL) /* each bit of a chooses that of b, or of c */

/* b <- b, b */
#define RP_OPS_B_BB(X) X(BAND) X(BOR) X(BXOR)

/* clang-format on */

#endif

/* SPDX-License-Identifier: MIT */
/* All operations of the interpreter by name: NAME_FORM, where the form has one letter for each
 * operand: V a register of all lanes, S a scalar. Results of all-scalar forms are scalars.
 */
#ifndef RP_COMPUTE_EXEC_OP_LIST_H
#define RP_COMPUTE_EXEC_OP_LIST_H

/* clang-format off */
#include "compute/ops.h"

/* Compiled for every instruction set. Of arithmetic that makes 64 bits for each lane n says how
 * many records later the result is read for the last time, where only such arithmetic comes
 * between; else 0. */
#define RP_EXEC_V_S(X, name) X(name##_V) X(name##_S)
#define RP_EXEC_VV_SS(X, name) X(name##_VV) X(name##_SS)
#define RP_EXEC_BIN(X, name) X(name##_VV) X(name##_VS) X(name##_SV) X(name##_SS)
#define RP_EXEC_TRI(X, name) X(name##_VVV) X(name##_VVS) X(name##_VSV) X(name##_VSS) X(name##_SSS)

/* d destination; a, b, c operands in order */
#define RP_EXEC_MOVES(X) \
    X(MOV_V) X(MOV_S) X(MOV64_V) X(MOV64_S) X(MOVB_V) /* d = a */ \
    X(MOVM_V) X(MOVM_S) X(MOVM64_V) X(MOVM64_S) X(MOVMB_V) X(MOVMB_S) /* where level is active */ \
    X(SPLAT) X(SPLAT64) X(SPLATB) \
    X(AFFINE) /* a base, b c n strides */ \
    X(BNOT_V) X(BAND_VV) X(BOR_VV) X(BXOR_VV) X(BSEL_VVV) \
    X(SEL_VVV) X(SEL_VVS) X(SEL_VSV) X(SEL_VSS) X(SEL_SSS) X(SEL64_VVV) X(SEL64_SSS) \
    X(MAD64_VVV) X(MAD64_SSS) \
    X(LCMP) /* d mask; a base, b stride by x, c bound, n enum rp_lcmp; more r[0], r[1] strides by y
               and z */ \
    X(GUARD) /* as LCMP, without d: the run ends where the mask of an active lane would be 0 */ \
    X(SQUARES_I32) X(SQUARES_I16) /* n times: a = a * a + b, then d = a; b of lanes, or (i) a scalar.
                I16: 16 bits of each lane are wanted */ \
    X(TURNS_I32) X(TURNS_I16) /* n times: b = a * b + a, a = b * a + b; then c = b, d = a */ \
    X(SUBGROUP) /* a, b, c operands; more r[0] enum ir_subgroup, r[1] imm, r[2] cluster, r[3] scan */

/* Memory: i static index or RP_MEMORY_*; b handle; n components; more: r[0..3] registers of the
 * components, r[4], r[5] strides by y and z, r[6] constant offset. U: a scalar offset; L: a base,
 * c stride by x, d (of stores): may go past the caches; G: a vector of offsets. */
#define RP_EXEC_MEMORY(X) \
    X(LOAD8_U) X(LOAD16_U) X(LOAD32_U) X(LOAD64_U) X(LOAD8_L) X(LOAD16_L) X(LOAD32_L) X(LOAD64_L) \
    X(LOAD8_G) X(LOAD16_G) X(LOAD32_G) X(LOAD64_G) X(STORE8_U) X(STORE16_U) X(STORE32_U) \
    X(STORE64_U) X(STORE8_L) X(STORE16_L) X(STORE32_L) X(STORE64_L) X(STORE8_G) X(STORE16_G) \
    X(STORE32_G) X(STORE64_G) \
    X(LOAD8_S) X(LOAD16_S) X(LOAD32_S) X(LOAD64_S) X(STORE8_S) X(STORE16_S) X(STORE32_S) \
    X(STORE64_S) /* one component of static memory i: scalar d at (a << n) + b + constant c */ \
    X(LOAD32_WALK) /* LOAD32_L of one component from static memory, where nothing is written before
                the next one; d: its number in walks */ \
    X(LANE_LOAD_V) X(LANE_STORE_V) /* as LANE_LOAD_U, with a vector of indices */ \
    X(COPY_L) /* in front of LOAD_L and its STORE_L; n bytes a lane; i: may go past the caches */ \
    X(STRUCT) /* in front of n LOAD_L or STORE_L whose places differ by their constant offsets: all
                of them, block by block; i: enum rp_struct_kind */ \
    X(MAC_F32) X(MAC_I32) X(MAC_I16) /* d = sum of n products; i: jump when done. more:
                r[0], r[1] the first summand, r[2] 0 or 1 + its number in macs, then for each
                product two factors, r[0..1] and r[3..4]: enum rp_mac_factor and a register or
                the distance to the load */ \
    X(REDUCTION) /* in front of n steps of a reduction in memory b, from offset d on: i jump when
                done; a scalar: from a workgroup's memory to the next one's; then struct
                rp_reduction */ \
    X(IMAGE) /* i index into the kernel's images, a and b handles, n bits; more r[0..3] results,
                then the operands, 8 to a record */

#define RP_EXEC_CONTROL(X) \
    X(END) X(JMP) X(LOOPBACK) X(TILE) \
    X(IF_AND) X(IF_OR) /* d = a op b; jump by i when it is 0 */ \
    X(IF_S)       /* jump by i when scalar a is 0; IF_ and a comparison of scalars: d = a op b first */ \
    X(IF_V)       /* level n & mask a -> level; jump by i when empty */ \
    X(ELSE_V)     /* level n & ~mask a -> level; jump by i when empty */ \
    X(BLOCK_V)    /* level n -> level */ \
    X(BR_V)       /* lanes of level leave the levels n .. level */ \
    X(EXIT_V)     /* level - 1 & mask a (b: ~a) -> level, and out of n .. level - 1; jump by i when
                     empty */ \
    X(RETURN)     /* back to level; jump by i when no lane is left there */ \
    X(REJOIN)     /* back to level; jump by i when b and no lane is left there */

/* A TILE and the operations behind it up to TILE_END run on a few blocks at a time: what one makes
 * the next finds in vector registers, T. The program goes on i records away; a records away, where
 * there is such a table, they stand again for half as many blocks. V and S are as elsewhere. Of the
 * operations a: the register of T, b and c the other operands in order (of masks: all of them); n:
 * enum rp_tile_bits. */
#define RP_TILE_I_I(X) \
    X(INEG) X(INOT) X(IABS) X(SEXT8) X(SEXT16) X(ZEXT8) X(ZEXT16) X(I2F) X(U2F) X(F2I) X(F2U) \
    X(FNEG) X(FABS) X(FLOOR) X(CEIL) X(TRUNC) X(RINT) X(FRACT) X(SQRT) X(RSQRT) X(ROUNDH)
#define RP_TILE_I_II(X) \
    X(IADD) X(IMUL) X(AND) X(OR) X(XOR) X(SMIN) X(SMAX) X(UMIN) X(UMAX) X(FADD) X(FMUL) X(FMIN) \
    X(FMAX) X(ISUB) X(SHL) X(SHR) X(SAR) X(FSUB) X(FDIV) X(SDOT4) X(UDOT4) X(XSHL) X(XSHR) \
    X(IMUL16) X(FDIFF2) X(ROTL) X(UMULHI) X(SMULHI)
#define RP_TILE_B_BB(X) X(BAND) X(BOR) X(BXOR) /* of masks; T stays */

#define RP_EXEC_TILE_UN(X, name) X(TILE_##name##_T)
#define RP_EXEC_TILE_BIN(X, name) \
    X(TILE_##name##_TV) X(TILE_##name##_TS) X(TILE_##name##_VT) X(TILE_##name##_ST)
#define RP_EXEC_TILE_TRI(X, name) \
    X(TILE_##name##_TVV) X(TILE_##name##_TVS) X(TILE_##name##_TSV) X(TILE_##name##_TSS) \
    X(TILE_##name##_VVT) X(TILE_##name##_VST)
#define RP_EXEC_TILE_MASK(X, name) X(TILE_##name##_BB)
#define RP_EXEC_TILE_LAST(X) \
    X(TILE_FMUL_TT) /* T * T */ \
    X(TILE_MAD_TVT) X(TILE_MAD_TST) X(TILE_MAD_TTV) X(TILE_MAD_TTS) /* b: V, S */ \
    X(TILE_IMAD_TVT) X(TILE_IMAD_TST) X(TILE_IMAD_TTV) X(TILE_IMAD_TTS) \
    X(TILE_SEL_TV) X(TILE_SEL_TS) X(TILE_SEL_VT) X(TILE_SEL_ST) /* c: mask */ \
    X(TILE_SEL_SS) /* a, b; c: mask; T is not read */ \
    X(TILE_PICK_TV) X(TILE_PICK_TS) X(TILE_PICK_VT) X(TILE_PICK_ST) X(TILE_PICK_SS) /* the same; c: \
                where a comparison has kept its mask (RP_TILE_KEEPS, its c) */ \
    X(TILE_END)
#define RP_EXEC_TILE(XUN, XBIN, XTRI, XMASK, X) \
    RP_TILE_I_I(XUN) RP_TILE_I_II(XBIN) RP_OPS_B_II(XBIN) RP_OPS_I_III(XTRI) RP_TILE_B_BB(XMASK) \
    RP_EXEC_TILE_LAST(X)

/* EXIT_V with a comparison of a and b. */
#define RP_EXEC_EXIT(X, name) X(EXIT_##name##_VV) X(EXIT_##name##_VS) X(EXIT_##name##_SV)

#define RP_EXEC_IF(X) RP_OPS_B_II(X) RP_OPS_B_LL(X)

/* Two operations on scalars in one: the second takes the result of the first, of a and b, and c; or
 * of a, b and c, and the scalar at i. In those with an R the result is the second operand: c - r,
 * c << r, c >> r. */
#define RP_PAIR_ARITHMETIC(X, second) \
    X(IADD, second) X(ISUB, second) X(AND, second) X(OR, second) X(XOR, second) X(SHL, second) \
    X(SHR, second) X(SAR, second) X(SMIN, second) X(SMAX, second) X(UMIN, second) X(INEG, second) \
    X(IABS, second) X(SEXT8, second) X(SEXT16, second) X(ZEXT8, second) X(ZEXT16, second)
#define RP_PAIR_COMPARISONS(X, second) \
    X(IEQ, second) X(INE, second) X(SLT, second) X(SLE, second) X(ULT, second) X(ULE, second)
#define RP_PAIR_OF_THREE(X, second) \
    X(SAD3, second) X(SHLADD, second) X(SHLOR, second) X(SHRAND, second) X(IMAD, second)
#define RP_PAIR_SECONDS(FIRSTS, X, XR) \
    FIRSTS(X, IADD) FIRSTS(X, ISUB) FIRSTS(X, AND) FIRSTS(X, OR) FIRSTS(X, XOR) FIRSTS(X, SHL) \
    FIRSTS(X, SHR) FIRSTS(X, SAR) FIRSTS(X, SMIN) FIRSTS(X, SMAX) FIRSTS(X, UMIN) FIRSTS(X, INEG) \
    FIRSTS(X, IABS) FIRSTS(X, SEXT8) FIRSTS(X, SEXT16) FIRSTS(X, ZEXT8) FIRSTS(X, ZEXT16) \
    FIRSTS(XR, ISUB) FIRSTS(XR, SHL) FIRSTS(XR, SHR)
#define RP_EXEC_PAIRS_OF_TWO(X, XR) \
    RP_PAIR_SECONDS(RP_PAIR_ARITHMETIC, X, XR) RP_PAIR_COMPARISONS(X, AND) \
    RP_PAIR_COMPARISONS(X, OR) RP_PAIR_COMPARISONS(X, XOR)
#define RP_EXEC_PAIRS_OF_THREE(X, XR) RP_PAIR_SECONDS(RP_PAIR_OF_THREE, X, XR)
#define RP_EXEC_PAIRS(X, XR) RP_EXEC_PAIRS_OF_TWO(X, XR) RP_EXEC_PAIRS_OF_THREE(X, XR)

/* Compiled once. */
#define RP_EXEC_COMMON(X) \
    X(ATOMIC) /* as memory G: a offsets, c value, d result; more r[0] compare, r[1] enum ir_atomic,
                 r[2] bit 0: 64 bits, bit 1: shared, bit 2: result unused, bit 3: half float; r[3]
                 slot + 1 of struct rp_adds, or 0 */ \
    X(SIZE_S) X(SIZE_V) /* d = bytes behind handle a, or static i */ \
    X(LANE_LOAD_U) X(LANE_STORE_U) /* a index; b value; n: 64-bit; more r[0] first slot,
                 r[1] slots */ \
    X(IMAGE_READ_S) X(IMAGE_WRITE_S) /* as IMAGE: of 2D images, all operands scalars; c and d:
                 x and y */ \
    X(PROBE) /* counts the active lanes: a index into probes */ \
    X(RECORD_BLOCK) /* tells the recorder (record.h): a index of the block, b WorkgroupId */ \
    X(RECORD_BARRIER) /* a: enum rp_record_barrier */ \
    X(RECORD_ACCESS) /* as memory G: a offsets, b handle, c site, n values; more r[0] bytes of a value,
                        then their registers */ \
    X(RECORD_IMAGE) /* c site, of the IMAGE behind it */

/* Lists whose operations have a form in common; the handlers' files are built from these. */
#define RP_EXEC_ALU32(XVS, XBIN, XTRI) \
    RP_OPS_I_I(XVS) RP_OPS_I_II_COMM(XBIN) RP_OPS_I_II(XBIN) RP_OPS_B_II(XBIN) RP_OPS_I_III(XTRI)
#define RP_EXEC_ALU64(XVS, XBIN, XVVSS) \
    RP_OPS_L_L(XVS) RP_OPS_L_I(XVS) RP_OPS_I_L(XVS) RP_OPS_L_LL_S(XBIN) RP_OPS_L_LL_V(XVVSS) \
    RP_OPS_L_LI_S(XBIN) XVVSS(LDEXP64) RP_OPS_L_II(XVVSS) RP_OPS_B_LL(XVVSS)

enum rp_exec_op {
#define RP_X(name) RP_X_##name,
#define RP_X_V_S(name) RP_EXEC_V_S(RP_X, name)
#define RP_X_BIN(name) RP_EXEC_BIN(RP_X, name)
#define RP_X_VV_SS(name) RP_EXEC_VV_SS(RP_X, name)
#define RP_X_TRI(name) RP_EXEC_TRI(RP_X, name)
#define RP_X_EXIT(name) RP_EXEC_EXIT(RP_X, name)
#define RP_X_IF(name) RP_X_IF_##name,
#define RP_X_PAIR(first, second) RP_X_PAIR_##first##_##second,
#define RP_X_PAIR_R(first, second) RP_X_PAIR_##first##_R##second,
#define RP_X_TILE_UN(name) RP_EXEC_TILE_UN(RP_X, name)
#define RP_X_TILE_BIN(name) RP_EXEC_TILE_BIN(RP_X, name)
#define RP_X_TILE_TRI(name) RP_EXEC_TILE_TRI(RP_X, name)
#define RP_X_TILE_MASK(name) RP_EXEC_TILE_MASK(RP_X, name)
    RP_EXEC_ALU32(RP_X_V_S, RP_X_BIN, RP_X_TRI)
    RP_EXEC_ALU64(RP_X_V_S, RP_X_BIN, RP_X_VV_SS)
    RP_EXEC_MOVES(RP_X) RP_EXEC_MEMORY(RP_X) RP_EXEC_CONTROL(RP_X) RP_OPS_B_II(RP_X_EXIT)
    RP_EXEC_IF(RP_X_IF) RP_EXEC_PAIRS(RP_X_PAIR, RP_X_PAIR_R)
    RP_EXEC_TILE(RP_X_TILE_UN, RP_X_TILE_BIN, RP_X_TILE_TRI, RP_X_TILE_MASK, RP_X)
    RP_EXEC_COMMON(RP_X)
    RP_X_COUNT,
    RP_X_HALF = 0x8000, /* with an operation of tiles: the one for half as many blocks */
};

/* clang-format on */

#endif

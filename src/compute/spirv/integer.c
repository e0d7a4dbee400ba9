/* SPDX-License-Identifier: MIT */
/* Arithmetic on one integer, and the 64-bit form of operations.
 */
#include "compute/spirv/scalar.h"
#include "compute/spirv/translate.h"

enum ir_op
spv_op64(struct spv *s, enum ir_op op32)
{
    switch (op32) {
        /* clang-format off */
#define OP64(name) case IR_##name: return IR_##name##64;
        OP64(INEG) OP64(INOT) OP64(IABS) OP64(ISIGN) OP64(FNEG) OP64(FABS) OP64(FSIGN)
        OP64(FLOOR) OP64(CEIL) OP64(TRUNC) OP64(RINT) OP64(FRACT) OP64(SQRT) OP64(RSQRT)
        OP64(IADD) OP64(IMUL) OP64(ISUB) OP64(AND) OP64(OR) OP64(XOR) OP64(SMIN) OP64(SMAX)
        OP64(UMIN) OP64(UMAX) OP64(UDIV) OP64(SDIV) OP64(UREM) OP64(SREM) OP64(SMOD) OP64(FADD)
        OP64(FSUB) OP64(FMUL) OP64(FDIV) OP64(FMIN) OP64(FMAX) OP64(FREM) OP64(FMOD) OP64(SHL)
        OP64(SHR) OP64(SAR) OP64(LDEXP) OP64(IEQ) OP64(INE) OP64(SLT) OP64(SLE) OP64(ULT)
        OP64(ULE) OP64(FEQ) OP64(FNE) OP64(FLT) OP64(FLE) OP64(FONE) OP64(MAD) OP64(FREXPM)
        OP64(FREXPE)
            /* clang-format on */
            default : spv_fail(s, "no 64-bit form of this operation");
    }
}

struct ir_instr *
spv_extend(struct spv *s, const struct spv_type *scalar, bool is_signed, struct ir_instr *a)
{
    if (scalar->kind != SPV_T_INT || scalar->width >= 32)
        return a;
    if (scalar->width == 8)
        return ir_un(s->ir, is_signed ? IR_SEXT8 : IR_ZEXT8, a);
    return ir_un(s->ir, is_signed ? IR_SEXT16 : IR_ZEXT16, a);
}

struct ir_instr *
spv_iconst(struct spv *s, const struct spv_type *scalar, uint64_t value)
{
    return ir_const(s->ir, spv_scalar_type(scalar), value);
}

/* How narrow operands must be extended for an operation: 0 not at all, 1 signed, 2 unsigned. */
static uint32_t
extension_of(enum ir_op op)
{
    switch (op) {
    case IR_SAR:
    case IR_SDIV:
    case IR_SREM:
    case IR_SMOD:
    case IR_SMIN:
    case IR_SMAX:
    case IR_SLT:
    case IR_SLE:
    case IR_IABS:
    case IR_ISIGN:
    case IR_FINDSMSB:
        return 1;
    case IR_SHR:
    case IR_UDIV:
    case IR_UREM:
    case IR_UMIN:
    case IR_UMAX:
    case IR_ULT:
    case IR_ULE:
    case IR_IEQ:
    case IR_INE:
    case IR_BITCOUNT:
    case IR_FINDLSB:
    case IR_FINDUMSB:
        return 2;
    default:
        return 0;
    }
}

struct ir_instr *
spv_ibin(struct spv *s, const struct spv_type *scalar, enum ir_op op32, struct ir_instr *a,
         struct ir_instr *b)
{
    if (scalar->width == 64)
        return ir_bin(s->ir, spv_op64(s, op32), a, b);
    const uint32_t extension = extension_of(op32);
    if (extension) {
        a = spv_extend(s, scalar, extension == 1, a);
        b = spv_extend(s, scalar, extension == 1, b);
    }
    return ir_bin(s->ir, op32, a, b);
}

struct ir_instr *
spv_shift(struct spv *s, const struct spv_type *scalar, enum ir_op op, struct ir_instr *a,
          const struct spv_type *count_type, struct ir_instr *count)
{
    if (count_type->width == 64)
        count = ir_un(s->ir, IR_L2I, count);
    else
        count = spv_extend(s, count_type, false, count);
    if (scalar->width == 64)
        return ir_bin(s->ir, spv_op64(s, op), a, count);
    return ir_bin(s->ir, op, extension_of(op) ? spv_extend(s, scalar, op == IR_SAR, a) : a, count);
}

/* SPDX-License-Identifier: MIT */
/* Bit counts, reversals and fields, and results of twice the width, of integers of every width.
 */
#include "compute/spirv/instruction.h"
#include "compute/spirv/scalar.h"
#include "compute/spirv/translate.h"

static const struct spv_value *
int_operand(struct spv *s, uint32_t word, uint32_t count)
{
    const struct spv_value *value = spv_operand(s, word);
    if (value->type->kind > SPV_T_VECTOR || value->type->flat != count ||
        spv_scalar_of(value->type)->kind != SPV_T_INT)
        spv_fail(s, "bad operand type");
    return value;
}

static struct ir_instr *
count_bits(struct spv *s, const struct spv_type *scalar, struct ir_instr *a)
{
    struct ir_program *ir = s->ir;
    if (scalar->width < 64)
        return ir_un(ir, IR_BITCOUNT, spv_extend(s, scalar, false, a));
    return ir_bin(ir, IR_IADD, ir_un(ir, IR_BITCOUNT, ir_un(ir, IR_L2I, a)),
                  ir_un(ir, IR_BITCOUNT, ir_un(ir, IR_HI64, a)));
}

static struct ir_instr *
reverse_bits(struct spv *s, const struct spv_type *scalar, struct ir_instr *a)
{
    struct ir_program *ir = s->ir;
    if (scalar->width == 64)
        return ir_bin(ir, IR_PACK64, ir_un(ir, IR_BITREV, ir_un(ir, IR_HI64, a)),
                      ir_un(ir, IR_BITREV, ir_un(ir, IR_L2I, a)));
    struct ir_instr *r = ir_un(ir, IR_BITREV, a);
    return scalar->width == 32 ? r : ir_bin(ir, IR_SHR, r, ir_i(ir, 32 - scalar->width));
}

/* OpBitCount's result may be wider or narrower than its operand. */
static void
whole_value(struct spv *s)
{
    const bool is_count = spv_opcode(s->at) == SPV_OP_BIT_COUNT;
    struct spv_value *r = spv_result(s);
    const struct spv_value *a = int_operand(s, 3, r->type->flat);
    const struct spv_type *from = spv_scalar_of(a->type), *to = spv_scalar_of(r->type);
    if (r->type->kind > SPV_T_VECTOR || to->kind != SPV_T_INT ||
        (!is_count && to->width != from->width))
        spv_fail(s, "bad result type");
    for (uint32_t i = 0; i < r->type->flat; i++) {
        if (!is_count)
            r->v[i] = reverse_bits(s, from, a->v[i]);
        else if (to->width == 64)
            r->v[i] = ir_un(s->ir, IR_U2L, count_bits(s, from, a->v[i]));
        else
            r->v[i] = count_bits(s, from, a->v[i]);
    }
}

struct field {
    struct ir_instr *offset;
    struct ir_instr *count;
};

/* count ones; all of them from the type's width on. */
static struct ir_instr *
low_ones(struct spv *s, bool is_wide, struct ir_instr *count)
{
    struct ir_program *ir = s->ir;
    struct ir_instr *is_all = ir_bin(ir, IR_ULE, ir_i(ir, is_wide ? 64 : 32), count);
    if (!is_wide)
        return ir_select(ir, is_all, ir_i(ir, UINT32_MAX),
                         ir_bin(ir, IR_ISUB, ir_bin(ir, IR_SHL, ir_i(ir, 1), count), ir_i(ir, 1)));
    struct ir_instr *one = ir_const(ir, IR_L, 1);
    return ir_select(ir, is_all, ir_const(ir, IR_L, UINT64_MAX),
                     ir_bin(ir, IR_ISUB64, ir_bin(ir, IR_SHL64, one, count), one));
}

/* base with insert's low count bits at offset. */
static struct ir_instr *
insert_bits(struct spv *s, bool is_wide, struct ir_instr *base, struct ir_instr *insert,
            const struct field *f)
{
    struct ir_program *ir = s->ir;
    const enum ir_op shl = is_wide ? IR_SHL64 : IR_SHL, and = is_wide ? IR_AND64 : IR_AND;
    struct ir_instr *mask = ir_bin(ir, shl, low_ones(s, is_wide, f->count), f->offset);
    struct ir_instr *bits = ir_bin(ir, and, ir_bin(ir, shl, insert, f->offset), mask);
    struct ir_instr *rest = ir_bin(ir, and, base, ir_un(ir, is_wide ? IR_INOT64 : IR_INOT, mask));
    return ir_bin(ir, is_wide ? IR_OR64 : IR_OR, rest, bits);
}

static struct ir_instr *
extract_wide(struct spv *s, bool is_signed, struct ir_instr *base, const struct field *f)
{
    struct ir_program *ir = s->ir;
    if (!is_signed)
        return ir_bin(ir, IR_AND64, ir_bin(ir, IR_SHR64, base, f->offset),
                      low_ones(s, true, f->count));
    struct ir_instr *right = ir_bin(ir, IR_ISUB, ir_i(ir, 64), f->count);
    struct ir_instr *left = ir_bin(ir, IR_ISUB, right, f->offset);
    struct ir_instr *r = ir_bin(ir, IR_SAR64, ir_bin(ir, IR_SHL64, base, left), right);
    return ir_select(ir, ir_bin(ir, IR_IEQ, f->count, ir_i(ir, 0)), ir_const(ir, IR_L, 0), r);
}

static struct ir_instr *
field_operand(struct spv *s, uint32_t word)
{
    const struct spv_value *value = int_operand(s, word, 1);
    if (value->type->width == 64)
        return ir_un(s->ir, IR_L2I, value->v[0]);
    return spv_extend(s, value->type, false, value->v[0]);
}

static void
bit_field(struct spv *s)
{
    const enum spv_op op = spv_opcode(s->at);
    const bool is_insert = op == SPV_OP_BIT_FIELD_INSERT;
    const bool is_signed = op == SPV_OP_BIT_FIELD_S_EXTRACT;
    struct spv_value *r = spv_result(s);
    const uint32_t n = r->type->flat, word = is_insert ? 5 : 4;
    const struct spv_value *base = int_operand(s, 3, n);
    const struct spv_value *insert = is_insert ? int_operand(s, 4, n) : base;
    if (r->type != base->type || insert->type != base->type)
        spv_fail(s, "bad operand type");

    const bool is_wide = spv_scalar_of(base->type)->width == 64;
    const struct field f = {field_operand(s, word), field_operand(s, word + 1)};
    for (uint32_t i = 0; i < n; i++) {
        if (is_insert)
            r->v[i] = insert_bits(s, is_wide, base->v[i], insert->v[i], &f);
        else if (is_wide)
            r->v[i] = extract_wide(s, is_signed, base->v[i], &f);
        else
            r->v[i] = ir_tri(s->ir, is_signed ? IR_SBFE : IR_UBFE, base->v[i], f.offset, f.count);
    }
}

/* Low and high half of a result. */
struct halves {
    struct ir_instr *low;
    struct ir_instr *high;
};

static struct halves
add_or_subtract(struct spv *s, const struct spv_type *scalar, struct ir_instr *x,
                struct ir_instr *y)
{
    struct ir_program *ir = s->ir;
    const bool is_add = spv_opcode(s->at) == SPV_OP_I_ADD_CARRY;
    struct ir_instr *r = spv_ibin(s, scalar, is_add ? IR_IADD : IR_ISUB, x, y);
    struct ir_instr *flag =
        is_add ? spv_ibin(s, scalar, IR_ULT, r, x) : spv_ibin(s, scalar, IR_ULT, x, y);
    return (struct halves){r,
                           ir_select(ir, flag, spv_iconst(s, scalar, 1), spv_iconst(s, scalar, 0))};
}

/* The high 64 bits of a product, from products of halves. */
static struct ir_instr *
multiply_high64(struct spv *s, struct ir_instr *x, struct ir_instr *y, bool is_signed)
{
    struct ir_program *ir = s->ir;
    struct ir_instr *zero = ir_const(ir, IR_L, 0), *half = ir_i(ir, 32);
    struct ir_instr *mask = ir_const(ir, IR_L, UINT32_MAX);
    struct ir_instr *xl = ir_bin(ir, IR_AND64, x, mask), *xh = ir_bin(ir, IR_SHR64, x, half);
    struct ir_instr *yl = ir_bin(ir, IR_AND64, y, mask), *yh = ir_bin(ir, IR_SHR64, y, half);
    struct ir_instr *ll = ir_bin(ir, IR_IMUL64, xl, yl), *lh = ir_bin(ir, IR_IMUL64, xl, yh);
    struct ir_instr *hl = ir_bin(ir, IR_IMUL64, xh, yl), *hh = ir_bin(ir, IR_IMUL64, xh, yh);
    struct ir_instr *middle = ir_bin(
        ir, IR_IADD64, ir_bin(ir, IR_SHR64, ll, half),
        ir_bin(ir, IR_IADD64, ir_bin(ir, IR_AND64, lh, mask), ir_bin(ir, IR_AND64, hl, mask)));
    struct ir_instr *high = ir_bin(
        ir, IR_IADD64, ir_bin(ir, IR_IADD64, hh, ir_bin(ir, IR_SHR64, middle, half)),
        ir_bin(ir, IR_IADD64, ir_bin(ir, IR_SHR64, lh, half), ir_bin(ir, IR_SHR64, hl, half)));

    if (!is_signed)
        return high;
    struct ir_instr *a = ir_select(ir, ir_bin(ir, IR_SLT64, x, zero), y, zero);
    struct ir_instr *b = ir_select(ir, ir_bin(ir, IR_SLT64, y, zero), x, zero);
    return ir_bin(ir, IR_ISUB64, high, ir_bin(ir, IR_IADD64, a, b));
}

static struct halves
multiply(struct spv *s, const struct spv_type *scalar, struct ir_instr *x, struct ir_instr *y)
{
    struct ir_program *ir = s->ir;
    const bool is_signed = spv_opcode(s->at) == SPV_OP_S_MUL_EXTENDED;

    if (scalar->width == 64)
        return (struct halves){ir_bin(ir, IR_IMUL64, x, y), multiply_high64(s, x, y, is_signed)};
    if (scalar->width == 32)
        return (struct halves){ir_bin(ir, IR_IMUL, x, y),
                               ir_bin(ir, is_signed ? IR_SMULHI : IR_UMULHI, x, y)};
    struct ir_instr *r = ir_bin(ir, IR_IMUL, spv_extend(s, scalar, is_signed, x),
                                spv_extend(s, scalar, is_signed, y));
    return (struct halves){r, ir_bin(ir, IR_SHR, r, ir_i(ir, scalar->width))};
}

/* The result is a struct of both halves, or of sum and carry. */
static void
extended(struct spv *s)
{
    const enum spv_op op = spv_opcode(s->at);
    const bool is_sum = op == SPV_OP_I_ADD_CARRY || op == SPV_OP_I_SUB_BORROW;
    struct spv_value *r = spv_result(s);
    if (r->type->kind != SPV_T_STRUCT || r->type->count != 2)
        spv_fail(s, "bad result type");
    const struct spv_type *part = r->type->members[0].type;
    const uint32_t n = part->flat;
    const struct spv_value *a = int_operand(s, 3, n);
    const struct spv_value *b = int_operand(s, 4, n);
    if (r->type->members[1].type != part || a->type != part || b->type != part)
        spv_fail(s, "operands differ in type");

    for (uint32_t i = 0; i < n; i++) {
        const struct spv_type *scalar = spv_scalar_of(part);
        const struct halves h = is_sum ? add_or_subtract(s, scalar, a->v[i], b->v[i])
                                       : multiply(s, scalar, a->v[i], b->v[i]);
        r->v[i] = h.low;
        r->v[n + i] = h.high;
    }
}

bool
spv_bits(struct spv *s)
{
    switch (spv_opcode(s->at)) {
    case SPV_OP_BIT_COUNT:
    case SPV_OP_BIT_REVERSE:
        whole_value(s);
        return true;
    case SPV_OP_BIT_FIELD_INSERT:
    case SPV_OP_BIT_FIELD_S_EXTRACT:
    case SPV_OP_BIT_FIELD_U_EXTRACT:
        bit_field(s);
        return true;
    case SPV_OP_I_ADD_CARRY:
    case SPV_OP_I_SUB_BORROW:
    case SPV_OP_U_MUL_EXTENDED:
    case SPV_OP_S_MUL_EXTENDED:
        extended(s);
        return true;
    default:
        return false;
    }
}

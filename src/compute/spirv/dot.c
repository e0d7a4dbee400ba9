/* SPDX-License-Identifier: MIT */
/* Integer dot products: four packed bytes in one operation, other shapes term by term.
 */
#include "compute/spirv/instruction.h"
#include "compute/spirv/scalar.h"
#include "compute/spirv/translate.h"

struct dot_form {
    bool a_signed;
    bool b_signed;
    bool is_saturating;
    bool is_packed;
    const struct spv_type *result;
};

static bool
dot_form(enum spv_op op, struct dot_form *out)
{
    switch (op) {
    case SPV_OP_S_DOT:
    case SPV_OP_S_DOT_ACC_SAT:
        *out = (struct dot_form){true, true, op == SPV_OP_S_DOT_ACC_SAT, false, NULL};
        return true;
    case SPV_OP_U_DOT:
    case SPV_OP_U_DOT_ACC_SAT:
        *out = (struct dot_form){false, false, op == SPV_OP_U_DOT_ACC_SAT, false, NULL};
        return true;
    case SPV_OP_SU_DOT:
    case SPV_OP_SU_DOT_ACC_SAT:
        *out = (struct dot_form){true, false, op == SPV_OP_SU_DOT_ACC_SAT, false, NULL};
        return true;
    default:
        return false;
    }
}

static struct ir_instr *
widen(struct spv *s, const struct spv_type *from, bool is_signed, uint32_t width,
      struct ir_instr *a)
{
    if (width == 64)
        return from->width == 64
                   ? a
                   : ir_un(s->ir, is_signed ? IR_I2L : IR_U2L, spv_extend(s, from, is_signed, a));
    return spv_extend(s, from, is_signed, a);
}

/* Exact sum of products in 64 bits (or of the operands' width when that is 64). */
static struct ir_instr *
dot_terms(struct spv *s, const struct dot_form *form, const struct spv_value *a,
          const struct spv_value *b)
{
    const struct spv_type *at = spv_scalar_of(a->type), *bt = spv_scalar_of(b->type);
    struct ir_instr *sum = NULL;
    for (uint32_t i = 0; i < a->type->flat; i++) {
        struct ir_instr *product =
            ir_bin(s->ir, IR_IMUL64, widen(s, at, form->a_signed, 64, a->v[i]),
                   widen(s, bt, form->b_signed, 64, b->v[i]));
        sum = sum ? ir_bin(s->ir, IR_IADD64, sum, product) : product;
    }
    return sum;
}

static struct ir_instr *
dot_packed(struct spv *s, const struct dot_form *form, struct ir_instr *a, struct ir_instr *b)
{
    const enum ir_op op = form->a_signed ? (form->b_signed ? IR_SDOT4 : IR_SUDOT4) : IR_UDOT4;
    return ir_bin(s->ir, op, a, b);
}

/* sum + accumulator, clamped to the result's range; in 64 bits. */
static struct ir_instr *
saturate(struct spv *s, const struct dot_form *form, struct ir_instr *sum)
{
    struct ir_program *ir = s->ir;
    const struct spv_type *t = form->result;
    if (t->width == 64)
        spv_fail(s, "64-bit saturation is not supported");
    struct ir_instr *acc = widen(s, t, form->a_signed, 64, spv_scalar_operand(s, 5));
    struct ir_instr *total = ir_bin(ir, IR_IADD64, sum, acc);
    const bool is_signed = form->a_signed;
    const int64_t high =
        is_signed ? (INT64_C(1) << (t->width - 1)) - 1 : (INT64_C(1) << t->width) - 1;
    const int64_t low = is_signed ? -high - 1 : 0;
    total = ir_bin(ir, IR_SMAX64, total, ir_const(ir, IR_L, (uint64_t)low));
    total = ir_bin(ir, IR_SMIN64, total, ir_const(ir, IR_L, (uint64_t)high));
    return ir_un(ir, IR_L2I, total);
}

bool
spv_dot(struct spv *s)
{
    struct dot_form form;
    if (!dot_form(spv_opcode(s->at), &form))
        return false;

    const struct spv_value *a = spv_operand(s, 3), *b = spv_operand(s, 4);
    form.result = spv_type(s, spv_word(s, 1));
    form.is_packed = a->type->kind == SPV_T_INT;
    if (spv_scalar_of(a->type)->kind != SPV_T_INT || spv_scalar_of(b->type)->kind != SPV_T_INT ||
        a->type->flat != b->type->flat || form.result->kind != SPV_T_INT ||
        (form.is_packed && (a->type->width != 32 || b->type->width != 32)))
        spv_fail(s, "bad dot product");
    if (form.is_saturating && spv_operand(s, 5)->type != form.result)
        spv_fail(s, "bad accumulator");

    struct ir_instr *r;
    if (form.is_packed) {
        r = dot_packed(s, &form, a->v[0], b->v[0]);
        const bool is_signed = form.a_signed;
        if (form.is_saturating || form.result->width == 64)
            r = ir_un(s->ir, is_signed ? IR_I2L : IR_U2L, r);
    } else {
        r = dot_terms(s, &form, a, b);
        if (!form.is_saturating && form.result->width != 64)
            r = ir_un(s->ir, IR_L2I, r);
    }
    if (form.is_saturating)
        r = saturate(s, &form, r);
    spv_set_result(s, r);
    return true;
}

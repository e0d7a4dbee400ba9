/* SPDX-License-Identifier: MIT */
/* Arithmetic, comparison and logic on scalars and vectors; matrices.
 */
#include "compute/spirv/instruction.h"
#include "compute/spirv/scalar.h"
#include "compute/spirv/translate.h"

enum shape {
    SHAPE_NONE,
    SHAPE_INT, /* result and operands of one integer type */
    SHAPE_FLOAT,
    SHAPE_SHIFT,
    SHAPE_ICMP, /* bool of integers */
    SHAPE_FCMP,
    SHAPE_IUNARY,
    SHAPE_FUNARY,
    SHAPE_BOOL,
};

struct rule {
    uint8_t shape;
    uint8_t op;
    bool is_swapped;
    bool is_negated;
};

static const struct rule *
rule_of(enum spv_op op)
{
    static const struct rule rules[SPV_OP_BIT_COUNT + 1] = {
        [SPV_OP_I_ADD] = {SHAPE_INT, IR_IADD, 0, 0},
        [SPV_OP_I_SUB] = {SHAPE_INT, IR_ISUB, 0, 0},
        [SPV_OP_I_MUL] = {SHAPE_INT, IR_IMUL, 0, 0},
        [SPV_OP_U_DIV] = {SHAPE_INT, IR_UDIV, 0, 0},
        [SPV_OP_S_DIV] = {SHAPE_INT, IR_SDIV, 0, 0},
        [SPV_OP_U_MOD] = {SHAPE_INT, IR_UREM, 0, 0},
        [SPV_OP_S_REM] = {SHAPE_INT, IR_SREM, 0, 0},
        [SPV_OP_S_MOD] = {SHAPE_INT, IR_SMOD, 0, 0},
        [SPV_OP_BITWISE_OR] = {SHAPE_INT, IR_OR, 0, 0},
        [SPV_OP_BITWISE_XOR] = {SHAPE_INT, IR_XOR, 0, 0},
        [SPV_OP_BITWISE_AND] = {SHAPE_INT, IR_AND, 0, 0},
        [SPV_OP_F_ADD] = {SHAPE_FLOAT, IR_FADD, 0, 0},
        [SPV_OP_F_SUB] = {SHAPE_FLOAT, IR_FSUB, 0, 0},
        [SPV_OP_F_MUL] = {SHAPE_FLOAT, IR_FMUL, 0, 0},
        [SPV_OP_F_DIV] = {SHAPE_FLOAT, IR_FDIV, 0, 0},
        [SPV_OP_F_REM] = {SHAPE_FLOAT, IR_FREM, 0, 0},
        [SPV_OP_F_MOD] = {SHAPE_FLOAT, IR_FMOD, 0, 0},
        [SPV_OP_SHIFT_RIGHT_LOGICAL] = {SHAPE_SHIFT, IR_SHR, 0, 0},
        [SPV_OP_SHIFT_RIGHT_ARITHMETIC] = {SHAPE_SHIFT, IR_SAR, 0, 0},
        [SPV_OP_SHIFT_LEFT_LOGICAL] = {SHAPE_SHIFT, IR_SHL, 0, 0},
        [SPV_OP_I_EQUAL] = {SHAPE_ICMP, IR_IEQ, 0, 0},
        [SPV_OP_I_NOT_EQUAL] = {SHAPE_ICMP, IR_INE, 0, 0},
        [SPV_OP_U_GREATER_THAN] = {SHAPE_ICMP, IR_ULT, 1, 0},
        [SPV_OP_S_GREATER_THAN] = {SHAPE_ICMP, IR_SLT, 1, 0},
        [SPV_OP_U_GREATER_THAN_EQUAL] = {SHAPE_ICMP, IR_ULE, 1, 0},
        [SPV_OP_S_GREATER_THAN_EQUAL] = {SHAPE_ICMP, IR_SLE, 1, 0},
        [SPV_OP_U_LESS_THAN] = {SHAPE_ICMP, IR_ULT, 0, 0},
        [SPV_OP_S_LESS_THAN] = {SHAPE_ICMP, IR_SLT, 0, 0},
        [SPV_OP_U_LESS_THAN_EQUAL] = {SHAPE_ICMP, IR_ULE, 0, 0},
        [SPV_OP_S_LESS_THAN_EQUAL] = {SHAPE_ICMP, IR_SLE, 0, 0},
        [SPV_OP_F_ORD_EQUAL] = {SHAPE_FCMP, IR_FEQ, 0, 0},
        [SPV_OP_F_UNORD_EQUAL] = {SHAPE_FCMP, IR_FONE, 0, 1},
        [SPV_OP_F_ORD_NOT_EQUAL] = {SHAPE_FCMP, IR_FONE, 0, 0},
        [SPV_OP_LESS_OR_GREATER] = {SHAPE_FCMP, IR_FONE, 0, 0},
        [SPV_OP_F_UNORD_NOT_EQUAL] = {SHAPE_FCMP, IR_FNE, 0, 0},
        [SPV_OP_F_ORD_LESS_THAN] = {SHAPE_FCMP, IR_FLT, 0, 0},
        [SPV_OP_F_UNORD_LESS_THAN] = {SHAPE_FCMP, IR_FLE, 1, 1},
        [SPV_OP_F_ORD_GREATER_THAN] = {SHAPE_FCMP, IR_FLT, 1, 0},
        [SPV_OP_F_UNORD_GREATER_THAN] = {SHAPE_FCMP, IR_FLE, 0, 1},
        [SPV_OP_F_ORD_LESS_THAN_EQUAL] = {SHAPE_FCMP, IR_FLE, 0, 0},
        [SPV_OP_F_UNORD_LESS_THAN_EQUAL] = {SHAPE_FCMP, IR_FLT, 1, 1},
        [SPV_OP_F_ORD_GREATER_THAN_EQUAL] = {SHAPE_FCMP, IR_FLE, 1, 0},
        [SPV_OP_F_UNORD_GREATER_THAN_EQUAL] = {SHAPE_FCMP, IR_FLT, 0, 1},
        [SPV_OP_S_NEGATE] = {SHAPE_IUNARY, IR_INEG, 0, 0},
        [SPV_OP_NOT] = {SHAPE_IUNARY, IR_INOT, 0, 0},
        [SPV_OP_F_NEGATE] = {SHAPE_FUNARY, IR_FNEG, 0, 0},
        [SPV_OP_LOGICAL_EQUAL] = {SHAPE_BOOL, IR_BXOR, 0, 1},
        [SPV_OP_LOGICAL_NOT_EQUAL] = {SHAPE_BOOL, IR_BXOR, 0, 0},
        [SPV_OP_LOGICAL_OR] = {SHAPE_BOOL, IR_BOR, 0, 0},
        [SPV_OP_LOGICAL_AND] = {SHAPE_BOOL, IR_BAND, 0, 0},
    };

    return op <= SPV_OP_BIT_COUNT && rules[op].shape ? &rules[op] : NULL;
}

static const struct spv_value *
operand_like(struct spv *s, uint32_t word, uint32_t count, enum spv_type_kind kind)
{
    const struct spv_value *value = spv_operand(s, word);
    if (value->type->kind > SPV_T_VECTOR || value->type->flat != count ||
        spv_scalar_of(value->type)->kind != kind)
        spv_fail(s, "bad operand type");
    return value;
}

static struct ir_instr *
apply(struct spv *s, const struct rule *rule, const struct spv_type *scalar, struct ir_instr *a,
      struct ir_instr *b, const struct spv_type *b_scalar)
{
    struct ir_instr *r;
    if (rule->is_swapped) {
        struct ir_instr *t = a;
        a = b;
        b = t;
    }
    switch ((enum shape)rule->shape) {
    case SHAPE_INT:
    case SHAPE_ICMP:
        return spv_ibin(s, scalar, rule->op, a, b);
    case SHAPE_SHIFT:
        return spv_shift(s, scalar, rule->op, a, b_scalar, b);
    case SHAPE_IUNARY:
        if (scalar->width == 64)
            return ir_un(s->ir, spv_op64(s, rule->op), a);
        return ir_un(s->ir, rule->op, a);
    case SHAPE_FUNARY:
        return spv_fun(s, scalar, rule->op, a);
    case SHAPE_BOOL:
        r = ir_bin(s->ir, rule->op, a, b);
        break;
    default:
        r = spv_fbin(s, scalar, rule->op, a, b);
        break;
    }
    return rule->is_negated ? ir_not(s->ir, r) : r;
}

static void
arithmetic_rule(struct spv *s, const struct rule *rule)
{
    struct spv_value *r = spv_result(s);
    const uint32_t n = r->type->flat;
    const bool is_unary = rule->shape == SHAPE_IUNARY || rule->shape == SHAPE_FUNARY;
    const bool is_float =
        rule->shape == SHAPE_FLOAT || rule->shape == SHAPE_FCMP || rule->shape == SHAPE_FUNARY;
    const bool is_bool = rule->shape == SHAPE_BOOL;
    const bool makes_bool = is_bool || rule->shape == SHAPE_ICMP || rule->shape == SHAPE_FCMP;
    const enum spv_type_kind kind = is_bool ? SPV_T_BOOL : is_float ? SPV_T_FLOAT : SPV_T_INT;

    if (r->type->kind > SPV_T_VECTOR ||
        spv_scalar_of(r->type)->kind != (makes_bool ? SPV_T_BOOL : kind))
        spv_fail(s, "bad result type");
    const struct spv_value *a = operand_like(s, 3, n, kind);
    const struct spv_value *b = is_unary ? a : operand_like(s, 4, n, kind);
    const struct spv_type *scalar = spv_scalar_of(a->type);
    const uint32_t width = scalar->width;
    if ((rule->shape != SHAPE_SHIFT && spv_scalar_of(b->type)->width != width) ||
        (!makes_bool && spv_scalar_of(r->type)->width != width))
        spv_fail(s, "operands differ in width");
    for (uint32_t i = 0; i < n; i++)
        r->v[i] = apply(s, rule, scalar, a->v[i], b->v[i], spv_scalar_of(b->type));
}

static struct ir_instr *
is_abs(struct spv *s, const struct spv_type *scalar, enum ir_op op, struct ir_instr *a,
       double limit)
{
    return spv_fbin(s, scalar, op, spv_fun(s, scalar, IR_FABS, a), spv_fconst(s, scalar, limit));
}

static void
float_test(struct spv *s)
{
    const enum spv_op op = spv_opcode(s->at);
    struct spv_value *r = spv_result(s);
    const struct spv_value *a = operand_like(s, 3, r->type->flat, SPV_T_FLOAT);
    const struct spv_type *scalar = spv_scalar_of(a->type);
    const bool has_two = op == SPV_OP_ORDERED || op == SPV_OP_UNORDERED;
    const struct spv_value *b = has_two ? operand_like(s, 4, r->type->flat, SPV_T_FLOAT) : a;
    if (spv_scalar_of(r->type)->kind != SPV_T_BOOL ||
        spv_scalar_of(b->type)->width != scalar->width)
        spv_fail(s, "bad result type");

    for (uint32_t i = 0; i < r->type->flat; i++) {
        struct ir_instr *nan_a = spv_fbin(s, scalar, IR_FNE, a->v[i], a->v[i]);
        struct ir_instr *nan_b = spv_fbin(s, scalar, IR_FNE, b->v[i], b->v[i]);
        struct ir_instr *any = ir_bin(s->ir, IR_BOR, nan_a, nan_b);
        r->v[i] = op == SPV_OP_IS_NAN      ? nan_a
                  : op == SPV_OP_UNORDERED ? any
                  : op == SPV_OP_ORDERED   ? ir_not(s->ir, any)
                                           : is_abs(s, scalar, IR_FEQ, a->v[i], __builtin_inf());
    }
}

static void
any_all(struct spv *s)
{
    const bool is_any = spv_opcode(s->at) == SPV_OP_ANY;
    const struct spv_value *a = spv_operand(s, 3);
    if (spv_scalar_of(a->type)->kind != SPV_T_BOOL)
        spv_fail(s, "bad operand type");
    struct ir_instr *r = a->v[0];
    for (uint32_t i = 1; i < a->type->flat; i++)
        r = ir_bin(s->ir, is_any ? IR_BOR : IR_BAND, r, a->v[i]);
    spv_set_result(s, r);
}

static void
logical_not(struct spv *s)
{
    struct spv_value *r = spv_result(s);
    const struct spv_value *a = operand_like(s, 3, r->type->flat, SPV_T_BOOL);
    if (spv_scalar_of(r->type)->kind != SPV_T_BOOL)
        spv_fail(s, "bad result type");
    for (uint32_t i = 0; i < r->type->flat; i++)
        r->v[i] = ir_not(s->ir, a->v[i]);
}

bool
spv_arithmetic(struct spv *s)
{
    const struct rule *rule = rule_of(spv_opcode(s->at));
    if (rule) {
        arithmetic_rule(s, rule);
        return true;
    }
    switch (spv_opcode(s->at)) {
    case SPV_OP_IS_NAN:
    case SPV_OP_IS_INF:
    case SPV_OP_ORDERED:
    case SPV_OP_UNORDERED:
        float_test(s);
        return true;
    case SPV_OP_ANY:
    case SPV_OP_ALL:
        any_all(s);
        return true;
    case SPV_OP_LOGICAL_NOT:
        logical_not(s);
        return true;
    default:
        return false;
    }
}

/* SPDX-License-Identifier: MIT */
/* Arithmetic of scalars as instructions: to the bit what compute/exec/scalar.h says in C.
 */
#include "compute/machine/assembler.h"

enum kind {
    BY_RULE,    /* by_rule() knows */
    BY_OPERAND, /* of enum x86_arithmetic */
    BY_SHIFT,
    BY_CHOICE, /* a when the condition holds between a and b, else b */
};

static const struct {
    uint8_t kind;
    uint8_t number; /* enum x86_arithmetic, x86_shift, x86_condition */
} ways[MACHINE_OP_COUNT] = {
    [MACHINE_IADD] = {BY_OPERAND, X86_ADD},    [MACHINE_ISUB] = {BY_OPERAND, X86_SUB},
    [MACHINE_AND] = {BY_OPERAND, X86_AND},     [MACHINE_OR] = {BY_OPERAND, X86_OR},
    [MACHINE_XOR] = {BY_OPERAND, X86_XOR},     [MACHINE_SMIN] = {BY_CHOICE, X86_LESS},
    [MACHINE_SMAX] = {BY_CHOICE, X86_GREATER}, [MACHINE_UMIN] = {BY_CHOICE, X86_BELOW},
    [MACHINE_UMAX] = {BY_CHOICE, X86_ABOVE},   [MACHINE_SHL] = {BY_SHIFT, X86_SHL},
    [MACHINE_SHR] = {BY_SHIFT, X86_SHR},       [MACHINE_SAR] = {BY_SHIFT, X86_SAR},
    [MACHINE_IADD64] = {BY_OPERAND, X86_ADD},  [MACHINE_ISUB64] = {BY_OPERAND, X86_SUB},
    [MACHINE_AND64] = {BY_OPERAND, X86_AND},   [MACHINE_OR64] = {BY_OPERAND, X86_OR},
    [MACHINE_XOR64] = {BY_OPERAND, X86_XOR},   [MACHINE_SHL64] = {BY_SHIFT, X86_SHL},
    [MACHINE_SHR64] = {BY_SHIFT, X86_SHR},     [MACHINE_SAR64] = {BY_SHIFT, X86_SAR},
};

/* clang-format off */
bool
machine_is_long(enum machine_op op)
{
    switch (op) {
#define CASE(name) case MACHINE_##name:
    MACHINE_L_L(CASE) MACHINE_L_LL(CASE) MACHINE_L_LLL(CASE)
        return op != MACHINE_L2I && op != MACHINE_HI64;
    default:
        return false;
    }
}
/* clang-format on */

bool
machine_is_float(enum machine_op op)
{
    return op == MACHINE_FADD || op == MACHINE_FSUB || op == MACHINE_FMUL || op == MACHINE_MAD ||
           op == MACHINE_MSUB || op == MACHINE_NMAD;
}

/* to = to op v */
static void
apply(struct assembler *a, bool is_long, enum x86_arithmetic op, uint32_t to,
      struct machine_value v)
{
    uint64_t number;
    int32_t immediate;
    if (machine_is_number(a, v, is_long, &number) && machine_fits(number, is_long, &immediate))
        x86_arithmetic_number(&a->x, is_long, op, x86_reg(to), immediate);
    else
        x86_arithmetic(&a->x, is_long, op, to, machine_operand(a, v, is_long));
}

/* to = to << v; v has 32 bits, of which those count that name a bit of `to`. */
static void
shift(struct assembler *a, bool is_long, enum x86_shift op, uint32_t to, struct machine_value v)
{
    uint64_t number;
    if (machine_is_number(a, v, false, &number))
        x86_shift_number(&a->x, is_long, op, to, (uint32_t)number & (is_long ? 63u : 31u));
    else
        x86_shift(&a->x, is_long, op, to, x86_reg(to), machine_general(a, v, false));
}

/* to = v when the condition does not hold between both. */
static void
choose(struct assembler *a, enum x86_condition holds, uint32_t to, struct machine_value v)
{
    const uint32_t other = machine_general(a, v, false);
    x86_arithmetic(&a->x, false, X86_CMP, to, x86_reg(other));
    x86_move_if(&a->x, false, holds ^ 1u, to, x86_reg(other));
}

static void
multiply(struct assembler *a, bool is_long, uint32_t to, struct machine_value v)
{
    x86_op(&a->x, is_long, 0x0faf, to, machine_operand(a, v, is_long));
}

static uint32_t
extend(struct assembler *a, enum machine_op op, struct machine_value v)
{
    const uint32_t opcode = op == MACHINE_SEXT8    ? 0x0fbe
                            : op == MACHINE_SEXT16 ? 0x0fbf
                            : op == MACHINE_ZEXT8  ? 0x0fb6
                                                   : 0x0fb7;
    const struct x86_operand from = machine_operand(a, v, false);
    const uint32_t to = machine_new(a);
    x86_op(&a->x, false, opcode, to, from);
    return to;
}

static uint32_t
of_one(struct assembler *a, enum machine_op op, struct machine_value v)
{
    const bool is_long = op == MACHINE_INEG64 || op == MACHINE_INOT64 || op == MACHINE_HI64;
    if (op >= MACHINE_SEXT8 && op <= MACHINE_ZEXT16)
        return extend(a, op, v);
    const uint32_t to = machine_copy(a, v, is_long); /* of L2I the lower half */
    switch (op) {
    case MACHINE_INEG:
    case MACHINE_INEG64:
        x86_op(&a->x, is_long, 0xf7, 3, x86_reg(to));
        break;
    case MACHINE_INOT:
    case MACHINE_INOT64:
        x86_op(&a->x, is_long, 0xf7, 2, x86_reg(to));
        break;
    case MACHINE_IABS: {
        const uint32_t old = machine_new(a);
        x86_move(&a->x, false, old, x86_reg(to));
        x86_op(&a->x, false, 0xf7, 3, x86_reg(to));
        x86_move_if(&a->x, false, X86_NEGATIVE, to, x86_reg(old));
        break;
    }
    case MACHINE_FNEG:
        x86_arithmetic_number(&a->x, false, X86_XOR, x86_reg(to), INT32_MIN);
        break;
    case MACHINE_FABS:
        x86_arithmetic_number(&a->x, false, X86_AND, x86_reg(to), INT32_MAX);
        break;
    case MACHINE_I2L:
        x86_op(&a->x, true, 0x63, to, x86_reg(to));
        break;
    case MACHINE_HI64:
        x86_shift_number(&a->x, true, X86_SHR, to, 32);
        break;
    default: /* U2L, L2I */
        break;
    }
    return to;
}

static uint32_t
select_one(struct assembler *a, bool is_long, const struct machine_value v[3])
{
    const uint32_t to = machine_copy(a, v[2], is_long);
    const uint32_t yes = machine_general(a, v[1], is_long);
    const struct x86_operand condition = machine_operand(a, v[0], false);
    x86_arithmetic_number(&a->x, false, X86_CMP, condition, 0);
    x86_move_if(&a->x, is_long, X86_NOT_EQUAL, to, x86_reg(yes));
    return to;
}

/* What is not one instruction. */
static void
by_rule(struct assembler *a, enum machine_op op, uint32_t to, const struct machine_value v[3])
{
    switch (op) {
    case MACHINE_IMUL:
        multiply(a, false, to, v[1]);
        break;
    case MACHINE_IMUL64:
        multiply(a, true, to, v[1]);
        break;
    case MACHINE_IMAD:
        multiply(a, false, to, v[1]);
        apply(a, false, X86_ADD, to, v[2]);
        break;
    case MACHINE_SHLADD:
        shift(a, false, X86_SHL, to, v[1]);
        apply(a, false, X86_ADD, to, v[2]);
        break;
    case MACHINE_SHLOR:
        shift(a, false, X86_SHL, to, v[1]);
        apply(a, false, X86_OR, to, v[2]);
        break;
    case MACHINE_SHRAND:
        shift(a, false, X86_SHR, to, v[1]);
        apply(a, false, X86_AND, to, v[2]);
        break;
    case MACHINE_ADDSAR:
    case MACHINE_ADDSHR:
        apply(a, false, X86_ADD, to, v[1]);
        shift(a, false, op == MACHINE_ADDSAR ? X86_SAR : X86_SHR, to, v[2]);
        break;
    case MACHINE_SCLAMP:
        choose(a, X86_GREATER, to, v[1]);
        choose(a, X86_LESS, to, v[2]);
        break;
    case MACHINE_SAD3:
        apply(a, false, X86_ADD, to, v[1]);
        apply(a, false, X86_ADD, to, v[2]);
        break;
    default: { /* XSHL64, XSHR64 */
        const uint32_t shifted = machine_copy(a, v[0], true);
        shift(a, true, op == MACHINE_XSHL64 ? X86_SHL : X86_SHR, shifted, v[1]);
        x86_arithmetic(&a->x, true, X86_XOR, to, x86_reg(shifted));
        break;
    }
    }
}

/* a: the lower half, b: the upper one. */
static uint32_t
pack(struct assembler *a, const struct machine_value v[3])
{
    const uint32_t to = machine_copy(a, v[1], false), low = machine_copy(a, v[0], false);
    x86_shift_number(&a->x, true, X86_SHL, to, 32);
    x86_arithmetic(&a->x, true, X86_OR, to, x86_reg(low));
    return to;
}

static bool
is_comparison(enum machine_op op)
{
    switch (op) {
        MACHINE_B_II(CASE) MACHINE_B_LL(CASE) return true;
    default:
        return false;
    }
}

uint32_t
machine_compute(struct assembler *a, enum machine_op op, const struct machine_value v[3])
{
    const bool is_long = machine_is_long(op);
    switch (op) {
        MACHINE_I_I(CASE) MACHINE_L_L(CASE) return of_one(a, op, v[0]);
    case MACHINE_SEL:
    case MACHINE_SEL64:
        return select_one(a, is_long, v);
    case MACHINE_PACK64:
        return pack(a, v);
    default:
        break;
    }
    if (is_comparison(op)) {
        const uint32_t to = machine_new(a);
        (void)machine_compare(a, op, v, to);
        return to;
    }
    const uint32_t to = machine_copy(a, v[0], is_long);
    if (ways[op].kind == BY_OPERAND)
        apply(a, is_long, ways[op].number, to, v[1]);
    else if (ways[op].kind == BY_SHIFT)
        shift(a, is_long, ways[op].number, to, v[1]);
    else if (ways[op].kind == BY_CHOICE)
        choose(a, ways[op].number, to, v[1]);
    else
        by_rule(a, op, to, v);
    return to;
}

uint32_t
machine_compute_float(struct assembler *a, enum machine_op op, const struct machine_value v[3])
{
    const uint32_t first = machine_float(a, v[0]), second = machine_float(a, v[1]);
    const bool has_two = op == MACHINE_FADD || op == MACHINE_FSUB || op == MACHINE_FMUL;
    const uint32_t third = has_two ? 0 : machine_float(a, v[2]);
    const uint32_t to = machine_new_float(a);
    const uint32_t add = 0x58, multiply_by = 0x59, subtract = 0x5c;
    if (has_two) {
        const uint32_t opcode = op == MACHINE_FADD   ? add
                                : op == MACHINE_FSUB ? subtract
                                                     : multiply_by;
        x86_vex(&a->x, 2, 1, false, opcode, to, first, x86_reg(second));
        return to;
    }
    x86_vex(&a->x, 2, 1, false, multiply_by, to, first, x86_reg(second));
    if (op == MACHINE_NMAD)
        x86_vex(&a->x, 2, 1, false, subtract, to, third, x86_reg(to));
    else
        x86_vex(&a->x, 2, 1, false, op == MACHINE_MAD ? add : subtract, to, to, x86_reg(third));
    return to;
}

/* Of floats: greater and equal are as between numbers without a sign, and "below" when there is a
 * NaN; so what is asked for is asked the other way round. */
static enum x86_condition
compare_floats(struct assembler *a, enum machine_op op, const struct machine_value v[3], uint32_t d)
{
    const uint32_t first = machine_float(a, v[0]), second = machine_float(a, v[1]);
    const uint32_t unordered = 10;
    x86_move_number(&a->x, d, op == MACHINE_FEQ);
    if (op == MACHINE_FLT || op == MACHINE_FLE) {
        const enum x86_condition when = op == MACHINE_FLT ? X86_ABOVE : X86_ABOVE_EQUAL;
        x86_vex(&a->x, 0, 1, false, 0x2e, second, 0, x86_reg(first));
        x86_set_byte(&a->x, when, d);
        return when;
    }
    const uint32_t other = machine_new(a);
    x86_move_number(&a->x, other, op != MACHINE_FEQ);
    x86_vex(&a->x, 0, 1, false, 0x2e, first, 0, x86_reg(second));
    x86_move_if(&a->x, false, X86_NOT_EQUAL, d, x86_reg(other));
    x86_move_if(&a->x, false, unordered, d, x86_reg(other));
    x86_arithmetic_number(&a->x, false, X86_CMP, x86_reg(d), 0);
    return X86_NOT_EQUAL;
}

enum x86_condition
machine_compare(struct assembler *a, enum machine_op op, const struct machine_value v[3],
                uint32_t d)
{
    static const uint8_t conditions[] = {
        [MACHINE_IEQ] = X86_EQUAL,   [MACHINE_INE] = X86_NOT_EQUAL,
        [MACHINE_SLT] = X86_LESS,    [MACHINE_SLE] = X86_LESS_EQUAL,
        [MACHINE_ULT] = X86_BELOW,   [MACHINE_ULE] = X86_BELOW_EQUAL,
        [MACHINE_IEQ64] = X86_EQUAL, [MACHINE_INE64] = X86_NOT_EQUAL,
        [MACHINE_SLT64] = X86_LESS,  [MACHINE_SLE64] = X86_LESS_EQUAL,
        [MACHINE_ULT64] = X86_BELOW, [MACHINE_ULE64] = X86_BELOW_EQUAL,
    };
    if (op >= MACHINE_FEQ && op <= MACHINE_FLE)
        return compare_floats(a, op, v, d);
    const bool is_long = op >= MACHINE_IEQ64 && op <= MACHINE_ULE64;
    const uint32_t first = machine_general(a, v[0], is_long);
    const enum x86_condition when = conditions[op];
    x86_move_number(&a->x, d, 0);
    apply(a, is_long, X86_CMP, first, v[1]);
    x86_set_byte(&a->x, when, d);
    return when;
}

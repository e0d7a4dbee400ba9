/* SPDX-License-Identifier: MIT */
/* Arithmetic instructions, folded as they are made: constants by the interpreter's own portable
 * operations, identities by the tables below.
 */
#include "compute/exec/eval.h"
#include "compute/ir/build.h"

static bool
fold_bools(enum ir_op op, bool a, bool b)
{
    switch (op) {
    case IR_BAND:
        return a && b;
    case IR_BOR:
        return a || b;
    default:
        return a != b;
    }
}

static struct ir_instr *
fold_constants(struct ir_program *ir, enum ir_op op, struct ir_instr *const *args, uint32_t count)
{
    uint64_t in[3] = {0};
    for (uint32_t i = 0; i < count; i++) {
        if (!ir_is_const(args[i]))
            return NULL;
        in[i] = args[i]->imm;
    }
    if (op == IR_MAD64)
        return NULL;
    if (op >= IR_BAND && op <= IR_BXOR)
        return ir_const(ir, IR_B, fold_bools(op, in[0] != 0, in[1] != 0));
    return ir_const(ir, ir_op_type(op), rp_exec_eval(op, in));
}

static struct ir_instr *
place_new(struct ir_program *ir, enum ir_op op, struct ir_instr *const *args, uint32_t count)
{
    struct ir_instr *instr = ir_make(ir, op, ir_op_type(op), count);
    for (uint32_t i = 0; i < count; i++)
        instr->args[i] = args[i];
    ir_place(ir, instr);
    return instr;
}

/* Of an operation that extends numbers: how long they are; else 0. */
static uint32_t
kept_bits(enum ir_op op)
{
    return op == IR_SEXT8 || op == IR_ZEXT8 ? 8 : op == IR_SEXT16 || op == IR_ZEXT16 ? 16 : 0;
}

/* Is that above these bits already? */
static bool
is_extended(enum ir_op op, const struct ir_instr *a)
{
    if (kept_bits(op) == 16 && kept_bits(a->op) == 8)
        return op == IR_SEXT16 || a->op == IR_ZEXT8;
    if ((op != IR_ZEXT8 && op != IR_ZEXT16) || a->op != IR_AND || !ir_is_const(a->args[1]))
        return false;
    return (uint32_t)a->args[1]->imm >> kept_bits(op) == 0;
}

struct ir_instr *
ir_un(struct ir_program *ir, enum ir_op op, struct ir_instr *a)
{
    if (ir_is_const(a))
        return fold_constants(ir, op, &a, 1);
    if ((op == IR_INEG || op == IR_INOT || op == IR_FNEG) && a->op == op)
        return a->args[0];
    if ((op == IR_ZEXT8 || op == IR_ZEXT16) && a->op == IR_LOAD &&
        a->aux == (op == IR_ZEXT8 ? 1 : 2))
        return a;
    if ((op == IR_SEXT8 || op == IR_SEXT16 || op == IR_ZEXT8 || op == IR_ZEXT16 ||
         op == IR_ROUNDH || op == IR_FTZ || op == IR_FTZH || op == IR_FTZ64) &&
        a->op == op)
        return a;
    if (kept_bits(op) && kept_bits(a->op) >= kept_bits(op)) /* what was put above them goes again */
        return ir_un(ir, op, a->args[0]);
    if (is_extended(op, a))
        return a;
    if (op == IR_ROUNDH && a->op == IR_H2F)
        return a;
    if (op == IR_F2H && a->op == IR_ROUNDH)
        a = a->args[0];
    if (op == IR_F2H && a->op == IR_H2F) /* keeps the bits of a NaN, too */
        return ir_un(ir, IR_ZEXT16, a->args[0]);
    if (op == IR_L2I && (a->op == IR_I2L || a->op == IR_U2L || a->op == IR_PACK64))
        return a->args[0];
    if (op == IR_HI64 && a->op == IR_PACK64)
        return a->args[1];
    return place_new(ir, op, &a, 1);
}

/* Division by a power of two as a product: the inverse is exact, so the result has the same bits.
 * NULL: it is none, or its inverse is not a normal number. */
static struct ir_instr *
fold_float_power(struct ir_program *ir, struct ir_instr *a, uint32_t divisor)
{
    const uint32_t exponent = divisor >> 23 & 255;
    if (divisor & 0x7fffff || exponent < 1 || exponent > 253)
        return NULL;
    return ir_bin(ir, IR_FMUL, a, ir_i(ir, (divisor & 0x80000000) | (254 - exponent) << 23));
}

/* x op constant on the right, when that is x, the constant or something cheaper; else NULL. */
static struct ir_instr *
fold_right(struct ir_program *ir, enum ir_op op, struct ir_instr *a, struct ir_instr *b)
{
    const uint32_t value = (uint32_t)b->imm;

    switch (op) {
    case IR_IADD:
        if (value == 0)
            return a;
        if (a->op == IR_IADD && ir_is_const(a->args[1]))
            return ir_bin(ir, op, a->args[0], ir_i(ir, value + (uint32_t)a->args[1]->imm));
        return NULL;
    case IR_ISUB:
        return ir_bin(ir, IR_IADD, a, ir_i(ir, 0u - value));
    case IR_IMUL:
        if (value == 0)
            return b;
        if (value == 1)
            return a;
        if (a->op == IR_IMUL && ir_is_const(a->args[1]))
            return ir_bin(ir, op, a->args[0], ir_i(ir, value * (uint32_t)a->args[1]->imm));
        if (a->op == IR_IADD && ir_is_const(a->args[1])) /* constants outside: (a + c) * value */
            return ir_bin(ir, IR_IADD, ir_bin(ir, op, a->args[0], b),
                          ir_i(ir, value * (uint32_t)a->args[1]->imm));
        return NULL;
    case IR_SHL: /* a product until pairs of operations are looked for */
        return ir_bin(ir, IR_IMUL, a, ir_i(ir, 1u << (value & 31)));
    case IR_SHR:
    case IR_SAR:
        return (value & 31) == 0 ? a : NULL;
    case IR_OR:
    case IR_XOR:
        return value == 0 ? a : NULL;
    case IR_AND:
        if (kept_bits(a->op) && value >> kept_bits(a->op) == 0)
            return ir_bin(ir, op, a->args[0], b);
        return value == 0 ? b : value == UINT32_MAX ? a : NULL;
    case IR_INE:
        if (value == 0 && a->op == IR_SHR && ir_is_value(a->args[1], 31))
            return ir_bin(ir, IR_SLT, a->args[0], b);
        return NULL;
    case IR_INE64:
        if (b->imm == 0 && a->op == IR_SHR64 && ir_is_value(a->args[1], 63))
            return ir_bin(ir, IR_SLT64, a->args[0], b);
        return NULL;
    case IR_UDIV:
    case IR_SDIV:
        return value == 1 ? a : NULL;
    case IR_FDIV:
        return fold_float_power(ir, a, value);
    case IR_FMUL:
        /* A signalling NaN becomes a quiet one, unless the factor is written in the module. */
        return value == 0x3f800000u && !ir->has_uniforms ? a : NULL;
    case IR_IMUL64:
        return b->imm == 1 ? a : b->imm == 0 ? b : NULL;
    case IR_IADD64:
    case IR_OR64:
    case IR_XOR64:
        return b->imm == 0 ? a : NULL;
    case IR_BAND:
        return value ? a : b;
    case IR_BOR:
        return value ? b : a;
    case IR_BXOR:
        return value ? ir_not(ir, a) : a;
    default:
        return NULL;
    }
}

/* Division by a power of two, and wide operations that narrow ones can do. */
static struct ir_instr *
fold_power(struct ir_program *ir, enum ir_op op, struct ir_instr *a, struct ir_instr *b)
{
    const uint32_t value = (uint32_t)b->imm;
    if (value == 0 || (value & (value - 1)) != 0)
        return NULL;

    const uint32_t shift = (uint32_t)__builtin_ctz(value);
    if (op == IR_UDIV)
        return ir_bin(ir, IR_SHR, a, ir_i(ir, shift));
    if (op == IR_UREM)
        return ir_bin(ir, IR_AND, a, ir_i(ir, value - 1));
    if (op == IR_SDIV && value < 0x80000000u && shift) {
        struct ir_instr *sign = ir_bin(ir, IR_SAR, a, ir_i(ir, 31));
        struct ir_instr *bias = ir_bin(ir, IR_SHR, sign, ir_i(ir, 32 - shift));
        return ir_bin(ir, IR_SAR, ir_bin(ir, IR_IADD, a, bias), ir_i(ir, shift));
    }
    return NULL;
}

/* (c ? x : 0) + (c ? 0 : y): a choice written as a sum. NULL: it is none. */
static struct ir_instr *
fold_choices(struct ir_program *ir, const struct ir_instr *a, const struct ir_instr *b)
{
    if (a->op != IR_SEL || b->op != IR_SEL || a->args[0] != b->args[0])
        return NULL;
    if (ir_is_value(a->args[2], 0) && ir_is_value(b->args[1], 0))
        return ir_select(ir, a->args[0], a->args[1], b->args[2]);
    if (ir_is_value(a->args[1], 0) && ir_is_value(b->args[2], 0))
        return ir_select(ir, a->args[0], b->args[1], a->args[2]);
    return NULL;
}

struct ir_instr *
ir_bin(struct ir_program *ir, enum ir_op op, struct ir_instr *a, struct ir_instr *b)
{
    if (ir_op_is_commutative(op) && ir_is_const(a)) {
        struct ir_instr *t = a;
        a = b;
        b = t;
    }
    struct ir_instr *args[] = {a, b};
    if (ir_is_const(a) && ir_is_const(b))
        return fold_constants(ir, op, args, 2);
    if (ir_is_const(b)) {
        struct ir_instr *simple = fold_right(ir, op, a, b);
        if (!simple)
            simple = fold_power(ir, op, a, b);
        if (simple)
            return simple;
    }
    if (op == IR_IADD || op == IR_OR || op == IR_XOR) {
        struct ir_instr *choice = fold_choices(ir, a, b);
        if (choice)
            return choice;
    }
    if (op == IR_ISUB && b->op == IR_IMUL && ir_is_const(b->args[1]))
        return ir_bin(ir, IR_IADD, a,
                      ir_bin(ir, IR_IMUL, b->args[0], ir_i(ir, 0u - (uint32_t)b->args[1]->imm)));
    if (op == IR_IADD) { /* constants outside: two addresses differ by what can be seen */
        if (a->op == IR_IADD && ir_is_const(a->args[1]))
            return ir_bin(ir, op, ir_bin(ir, op, a->args[0], b), a->args[1]);
        if (b->op == IR_IADD && ir_is_const(b->args[1]))
            return ir_bin(ir, op, ir_bin(ir, op, a, b->args[0]), b->args[1]);
    }
    if (a == b && (op == IR_AND || op == IR_OR || op == IR_BAND || op == IR_BOR))
        return a;
    return place_new(ir, op, args, 2);
}

/* Bits from the lowest on, as many as an extension takes. NULL: others. */
static struct ir_instr *
fold_extract(struct ir_program *ir, enum ir_op op, struct ir_instr *const args[3])
{
    const bool is_signed = op == IR_SBFE;
    if ((op != IR_UBFE && op != IR_SBFE) || !ir_is_value(args[1], 0))
        return NULL;
    if (ir_is_value(args[2], 8))
        return ir_un(ir, is_signed ? IR_SEXT8 : IR_ZEXT8, args[0]);
    return ir_is_value(args[2], 16) ? ir_un(ir, is_signed ? IR_SEXT16 : IR_ZEXT16, args[0]) : NULL;
}

struct ir_instr *
ir_tri(struct ir_program *ir, enum ir_op op, struct ir_instr *a, struct ir_instr *b,
       struct ir_instr *c)
{
    struct ir_instr *args[] = {a, b, c};
    struct ir_instr *folded = fold_constants(ir, op, args, 3);
    if (!folded)
        folded = fold_extract(ir, op, args);
    return folded ? folded : place_new(ir, op, args, 3);
}

struct ir_instr *
ir_not(struct ir_program *ir, struct ir_instr *a)
{
    if (ir_is_const(a))
        return ir_const(ir, IR_B, !a->imm);
    if (a->op == IR_BNOT)
        return a->args[0];
    if (a->op == IR_SLT || a->op == IR_ULT)
        return ir_bin(ir, a->op == IR_SLT ? IR_SLE : IR_ULE, a->args[1], a->args[0]);
    if (a->op == IR_SLE || a->op == IR_ULE)
        return ir_bin(ir, a->op == IR_SLE ? IR_SLT : IR_ULT, a->args[1], a->args[0]);
    if (a->op == IR_IEQ || a->op == IR_INE)
        return ir_bin(ir, a->op == IR_IEQ ? IR_INE : IR_IEQ, a->args[0], a->args[1]);
    return place_new(ir, IR_BNOT, &a, 1);
}

struct ir_instr *
ir_select(struct ir_program *ir, struct ir_instr *cond, struct ir_instr *a, struct ir_instr *b)
{
    if (ir_is_const(cond))
        return cond->imm ? a : b;
    if (a == b)
        return a;
    if (a->type == IR_B && ir_is_const(a) && ir_is_const(b))
        return a->imm ? cond : ir_not(ir, cond);
    if (a->type == IR_B && (ir_is_value(b, 0) || b == cond))
        return ir_bin(ir, IR_BAND, cond, a);
    if (a->type == IR_B && (ir_is_value(a, 1) || a == cond))
        return ir_bin(ir, IR_BOR, cond, b);
    struct ir_instr *args[] = {cond, a, b};
    return place_new(ir, a->type == IR_B ? IR_BSEL : a->type == IR_L ? IR_SEL64 : IR_SEL, args, 3);
}

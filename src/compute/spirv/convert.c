/* SPDX-License-Identifier: MIT */
/* Conversions between numbers, bit casts, pointers as integers.
 */
#include "compute/spirv/instruction.h"
#include "compute/spirv/scalar.h"
#include "compute/spirv/translate.h"

/* Does the current instruction round to that type towards zero? A decoration overrules the mode. */
static bool
rounds_to_zero(struct spv *s, const struct spv_type *to)
{
    const struct spv_decoration *d =
        spv_decoration(s, spv_word(s, 2), UINT32_MAX, SPV_FP_ROUNDING_MODE);
    if (d && d->operand_count)
        return d->operands[0] == 1;
    return !to->is_bfloat && s->truncated_widths & to->width;
}

/* What a bfloat16 is converted through, and kept as. */
static const struct spv_type float32 = {.kind = SPV_T_FLOAT, .width = 32};

static struct ir_instr *
to_half(struct spv *s, struct ir_instr *a, bool is_down)
{
    return is_down ? spv_float_to_half_down(s, a) : ir_un(s->ir, IR_ROUNDH, a);
}

/* Towards zero by way of a double. */
static struct ir_instr *
int_to_float_down(struct spv *s, const struct spv_type *from, const struct spv_type *to,
                  bool is_signed, struct ir_instr *a)
{
    struct ir_instr *d = from->width == 64 ? spv_long_to_double_down(s, a, is_signed)
                                           : ir_un(s->ir, is_signed ? IR_I2D : IR_U2D, a);
    if (to->width == 64)
        return d;
    struct ir_instr *f = spv_double_to_float_down(s, d);
    return to->width == 16 ? spv_float_to_half_down(s, f) : f;
}

static struct ir_instr *
int_to_float(struct spv *s, const struct spv_type *from, const struct spv_type *to, bool is_signed,
             struct ir_instr *a)
{
    if (to->is_bfloat)
        return spv_float_to_bfloat(s, int_to_float(s, from, &float32, is_signed, a), false);
    a = spv_extend(s, from, is_signed, a);
    if (rounds_to_zero(s, to))
        return int_to_float_down(s, from, to, is_signed, a);
    const bool is_wide = from->width == 64;
    enum ir_op op;
    if (to->width == 64)
        op = is_wide ? (is_signed ? IR_L2D : IR_UL2D) : (is_signed ? IR_I2D : IR_U2D);
    else
        op = is_wide ? (is_signed ? IR_L2F : IR_UL2F) : (is_signed ? IR_I2F : IR_U2F);
    a = ir_un(s->ir, op, a);
    return to->width == 16 ? to_half(s, a, false) : a;
}

static struct ir_instr *
float_to_int(struct spv *s, const struct spv_type *from, const struct spv_type *to, bool is_signed,
             struct ir_instr *a)
{
    enum ir_op op;
    if (from->width == 64)
        op = to->width == 64 ? (is_signed ? IR_D2L : IR_D2UL) : (is_signed ? IR_D2I : IR_D2U);
    else
        op = to->width == 64 ? (is_signed ? IR_F2L : IR_F2UL) : (is_signed ? IR_F2I : IR_F2U);
    return ir_un(s->ir, op, a);
}

static struct ir_instr *
int_to_int(struct spv *s, const struct spv_type *from, const struct spv_type *to, bool is_signed,
           struct ir_instr *a)
{
    if (to->width == 64) {
        if (from->width == 64)
            return a;
        return ir_un(s->ir, is_signed ? IR_I2L : IR_U2L, spv_extend(s, from, is_signed, a));
    }
    if (from->width == 64)
        return ir_un(s->ir, IR_L2I, a);
    return from->width < to->width ? spv_extend(s, from, is_signed, a) : a;
}

static struct ir_instr *
float_to_float(struct spv *s, const struct spv_type *from, const struct spv_type *to,
               struct ir_instr *a)
{
    if (to->is_bfloat && from->is_bfloat)
        return a;
    if (from->is_bfloat)
        return float_to_float(s, &float32, to, a);
    if (to->is_bfloat)
        return spv_float_to_bfloat(s, float_to_float(s, from, &float32, a), rounds_to_zero(s, to));
    if (from->width == to->width)
        return a;
    if (to->width == 64)
        return ir_un(s->ir, IR_F2D, a);
    const bool is_down = rounds_to_zero(s, to);
    if (from->width == 64 && to->width == 32 && !is_down)
        return ir_un(s->ir, IR_D2F, a);
    if (from->width == 64) { /* in two steps: the first must not round the second's last bit */
        struct ir_instr *f = spv_double_to_float_down(s, a);
        if (to->width == 32)
            return f;
        struct ir_instr *is_inexact = ir_bin(s->ir, IR_FNE64, ir_un(s->ir, IR_F2D, f), a);
        struct ir_instr *is_number = ir_bin(s->ir, IR_FEQ64, a, a);
        struct ir_instr *sticky = ir_bin(s->ir, IR_BAND, is_inexact, is_number);
        a = is_down ? f : ir_select(s->ir, sticky, ir_bin(s->ir, IR_OR, f, ir_i(s->ir, 1)), f);
    }
    return to->width == 16 ? to_half(s, a, is_down) : a;
}

static struct ir_instr *
convert(struct spv *s, const struct spv_type *from, const struct spv_type *to, struct ir_instr *a)
{
    switch (spv_opcode(s->at)) {
    case SPV_OP_CONVERT_F_TO_U:
        return float_to_int(s, from, to, false, a);
    case SPV_OP_CONVERT_F_TO_S:
        return float_to_int(s, from, to, true, a);
    case SPV_OP_CONVERT_S_TO_F:
        return int_to_float(s, from, to, true, a);
    case SPV_OP_CONVERT_U_TO_F:
        return int_to_float(s, from, to, false, a);
    case SPV_OP_U_CONVERT:
        return int_to_int(s, from, to, false, a);
    case SPV_OP_S_CONVERT:
        return int_to_int(s, from, to, true, a);
    case SPV_OP_F_CONVERT:
        return spv_flush(s, to, float_to_float(s, from, to, spv_flush(s, from, a)));
    default: { /* QuantizeToF16: results that are denormal become zero */
        struct ir_instr *q = ir_un(s->ir, IR_ROUNDH, a);
        struct ir_instr *tiny =
            ir_bin(s->ir, IR_FLT, ir_un(s->ir, IR_FABS, q), ir_f(s->ir, 0x1p-14f));
        struct ir_instr *zero = ir_bin(s->ir, IR_AND, q, ir_i(s->ir, 0x80000000u));
        return ir_select(s->ir, tiny, zero, q);
    }
    }
}

static void
convert_all(struct spv *s, enum spv_type_kind from_kind, enum spv_type_kind to_kind)
{
    struct spv_value *r = spv_result(s);
    const struct spv_value *a = spv_operand(s, 3);
    const struct spv_type *from = spv_scalar_of(a->type);
    const struct spv_type *to = spv_scalar_of(r->type);
    if (a->type->kind > SPV_T_VECTOR || r->type->kind > SPV_T_VECTOR ||
        a->type->flat != r->type->flat || from->kind != from_kind || to->kind != to_kind)
        spv_fail(s, "bad conversion");
    if (spv_opcode(s->at) == SPV_OP_QUANTIZE_TO_F16 && from->width != 32)
        spv_fail(s, "bad conversion");
    for (uint32_t i = 0; i < r->type->flat; i++)
        r->v[i] = convert(s, from, to, a->v[i]);
}

/* A scalar as little-endian bits of its width, narrow ones zero-extended. */
static struct ir_instr *
to_bits(struct spv *s, const struct spv_type *type, struct ir_instr *a)
{
    if (spv_is_half(type))
        return ir_un(s->ir, IR_F2H, a);
    if (type->is_bfloat)
        return ir_bin(s->ir, IR_SHR, a, ir_i(s->ir, 16));
    return spv_extend(s, type, false, a);
}

static struct ir_instr *
from_bits(struct spv *s, const struct spv_type *type, struct ir_instr *a)
{
    if (type->is_bfloat)
        return ir_bin(s->ir, IR_SHL, a, ir_i(s->ir, 16));
    if (spv_is_half(type))
        return ir_un(s->ir, IR_H2F, ir_un(s->ir, IR_ZEXT16, a));
    return a;
}

/* Bits [at, at + width) of an array of scalars of another width. */
static struct ir_instr *
gather_bits(struct spv *s, const struct spv_type *from, struct ir_instr *const *v, uint32_t at,
            uint32_t width)
{
    struct ir_program *ir = s->ir;

    if (from->width >= width) {
        struct ir_instr *a = to_bits(s, from, v[at / from->width]);
        const uint32_t shift = at % from->width;
        if (from->width != 64)
            return ir_bin(ir, IR_SHR, a, ir_i(ir, shift));
        if (width == 64)
            return a;
        return ir_un(ir, IR_L2I, shift ? ir_bin(ir, IR_SHR64, a, ir_i(ir, shift)) : a);
    }
    if (width == 64)
        return ir_bin(ir, IR_PACK64, gather_bits(s, from, v, at, 32),
                      gather_bits(s, from, v, at + 32, 32));
    struct ir_instr *r = ir_i(ir, 0);
    for (uint32_t b = 0; b < width; b += from->width) {
        struct ir_instr *part = to_bits(s, from, v[(at + b) / from->width]);
        r = ir_bin(ir, IR_OR, r, ir_bin(ir, IR_SHL, part, ir_i(ir, b)));
    }
    return r;
}

static bool
is_numeric(const struct spv_type *type)
{
    return type->kind <= SPV_T_VECTOR && type->flat &&
           (spv_scalar_of(type)->kind == SPV_T_INT || spv_scalar_of(type)->kind == SPV_T_FLOAT);
}

static void
bitcast_numbers(struct spv *s, const struct spv_value *a)
{
    struct spv_value *r = spv_result(s);
    const struct spv_type *from = spv_scalar_of(a->type);
    const struct spv_type *to = spv_scalar_of(r->type);
    if (!is_numeric(a->type) || !is_numeric(r->type) ||
        a->type->flat * from->width != r->type->flat * to->width)
        spv_fail(s, "bad cast");
    const bool is_plain =
        from->width == to->width &&
        (from->width != 16 || (from->kind == to->kind && from->is_bfloat == to->is_bfloat));
    for (uint32_t i = 0; i < r->type->flat; i++)
        r->v[i] = is_plain ? a->v[i]
                           : from_bits(s, to, gather_bits(s, from, a->v, i * to->width, to->width));
}

static struct ir_instr *
address_of(struct spv *s, const struct spv_value *p)
{
    if (p->type->kind != SPV_T_POINTER || p->type->storage != SPV_PHYSICAL_STORAGE_BUFFER)
        spv_fail(s, "not a physical pointer");
    return ir_bin(s->ir, IR_IADD64, p->v[0], ir_un(s->ir, IR_I2L, p->v[1]));
}

static void
pointer_from(struct spv *s, struct ir_instr *address)
{
    struct spv_value *r = spv_result(s);
    if (r->type->kind != SPV_T_POINTER || r->type->storage != SPV_PHYSICAL_STORAGE_BUFFER)
        spv_fail(s, "bad result type");
    r->v[0] = address;
    r->v[1] = ir_i(s->ir, 0);
    r->ptr->is_explicit = true;
}

static struct ir_instr *
address_operand(struct spv *s)
{
    const struct spv_value *a = spv_operand(s, 3);
    if (a->type->kind == SPV_T_POINTER)
        return address_of(s, a);
    if (spv_scalar_of(a->type)->kind != SPV_T_INT)
        spv_fail(s, "bad address");
    if (a->type->flat == 1 && a->type->width == 64)
        return a->v[0];
    if (a->type->flat == 2 && spv_scalar_of(a->type)->width == 32)
        return ir_bin(s->ir, IR_PACK64, a->v[0], a->v[1]);
    if (a->type->flat == 1)
        return ir_un(s->ir, IR_U2L, spv_extend(s, a->type, false, a->v[0]));
    spv_fail(s, "bad address");
}

/* Between typed and untyped pointers to the same memory. */
static void
cast_pointer(struct spv *s, const struct spv_value *a)
{
    struct spv_value *r = spv_result(s);
    if (!spv_type_is_memory(r->type) || a->type->storage != r->type->storage || !a->v)
        spv_fail(s, "bad cast");
    for (uint32_t i = 0; i < r->type->flat; i++)
        r->v[i] = a->v[i];
    *r->ptr = *a->ptr;
}

static void
bitcast(struct spv *s)
{
    const struct spv_value *a = spv_operand(s, 3);
    const struct spv_type *to = spv_type(s, spv_word(s, 1));

    if (to->kind == SPV_T_POINTER && a->type->kind == SPV_T_POINTER) {
        cast_pointer(s, a);
    } else if (to->kind == SPV_T_POINTER) {
        pointer_from(s, address_operand(s));
    } else if (a->type->kind == SPV_T_POINTER) {
        struct ir_instr *address = address_of(s, a);
        struct spv_value *r = spv_result(s);
        const bool is_long = to->flat == 1 && to->kind == SPV_T_INT && to->width == 64;
        const bool is_pair = to->kind == SPV_T_VECTOR && to->flat == 2 &&
                             to->elem->kind == SPV_T_INT && to->elem->width == 32;
        if (!is_long && !is_pair)
            spv_fail(s, "bad cast");
        r->v[0] = is_long ? address : ir_un(s->ir, IR_L2I, address);
        if (is_pair)
            r->v[1] = ir_un(s->ir, IR_HI64, address);
    } else {
        bitcast_numbers(s, a);
    }
}

bool
spv_convert(struct spv *s)
{
    switch (spv_opcode(s->at)) {
    case SPV_OP_CONVERT_F_TO_U:
    case SPV_OP_CONVERT_F_TO_S:
        convert_all(s, SPV_T_FLOAT, SPV_T_INT);
        return true;
    case SPV_OP_CONVERT_S_TO_F:
    case SPV_OP_CONVERT_U_TO_F:
        convert_all(s, SPV_T_INT, SPV_T_FLOAT);
        return true;
    case SPV_OP_U_CONVERT:
    case SPV_OP_S_CONVERT:
        convert_all(s, SPV_T_INT, SPV_T_INT);
        return true;
    case SPV_OP_F_CONVERT:
    case SPV_OP_QUANTIZE_TO_F16:
        convert_all(s, SPV_T_FLOAT, SPV_T_FLOAT);
        return true;
    case SPV_OP_BITCAST:
        bitcast(s);
        return true;
    case SPV_OP_CONVERT_U_TO_PTR:
        pointer_from(s, address_operand(s));
        return true;
    case SPV_OP_CONVERT_PTR_TO_U: {
        struct ir_instr *address = address_of(s, spv_operand(s, 3));
        const struct spv_type *to = spv_type(s, spv_word(s, 1));
        spv_set_result(s, to->width == 64 ? address : ir_un(s->ir, IR_L2I, address));
        return true;
    }
    default:
        return false;
    }
}

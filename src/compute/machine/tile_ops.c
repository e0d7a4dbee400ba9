/* SPDX-License-Identifier: MIT */
/* The operations of tiles: where their operands have to be, and the instructions of comparisons and
 * selections.
 */
#include "compute/machine/tile_step.h"

/* Operations that are one instruction of their operands, the last of which may be in memory. */
static const struct {
    uint32_t instruction;
    bool commutes;
} simple[TILE_CODE_COUNT] = {
    [TILE_IADD] = {VECTOR_ADD, true},       [TILE_ISUB] = {VECTOR_SUB, false},
    [TILE_IMUL] = {VECTOR_MUL, true},       [TILE_AND] = {VECTOR_AND, true},
    [TILE_OR] = {VECTOR_OR, true},          [TILE_XOR] = {VECTOR_XOR, true},
    [TILE_SMIN] = {VECTOR_SMIN, true},      [TILE_SMAX] = {VECTOR_SMAX, true},
    [TILE_UMIN] = {VECTOR_UMIN, true},      [TILE_UMAX] = {VECTOR_UMAX, true},
    [TILE_FADD] = {VECTOR_FADD, true},      [TILE_FSUB] = {VECTOR_FSUB, false},
    [TILE_FMUL] = {VECTOR_FMUL, true},      [TILE_FDIV] = {VECTOR_FDIV, false},
    [TILE_IABS] = {VECTOR_ABS, false},      [TILE_I2F] = {VECTOR_I2F, false},
    [TILE_IADD64] = {VECTOR_ADD64, true},   [TILE_ISUB64] = {VECTOR_SUB64, false},
    [TILE_AND64] = {VECTOR_AND64, true},    [TILE_OR64] = {VECTOR_OR64, true},
    [TILE_XOR64] = {VECTOR_XOR64, true},    [TILE_FADD64] = {VECTOR_FADD64, true},
    [TILE_FSUB64] = {VECTOR_FSUB64, false}, [TILE_FMUL64] = {VECTOR_FMUL64, true},
    [TILE_FDIV64] = {VECTOR_FDIV64, false}, [TILE_SQRT64] = {VECTOR_SQRT64, false},
};

/* How the others take their operands. */
struct needs {
    uint8_t counts;      /* bits of operands that are counts of shifts: numbers are in the code */
    uint8_t memory;      /* of those that may be in memory */
    uint8_t wide_memory; /* the same with AVX-512 */
    uint8_t temps;
    bool commutes; /* the first two */
};

/* Operands, as bits. */
#define A 1u
#define B 2u
#define C 4u

static const struct needs needs[TILE_CODE_COUNT] = {
    [TILE_INEG] = {0, A, A, 1, false},
    [TILE_INOT] = {0, 0, 0, 0, false},
    [TILE_SEXT8] = {0, 0, 0, 1, false},
    [TILE_SEXT16] = {0, 0, 0, 1, false},
    [TILE_U2F] = {0, 0, A, 2, false},
    [TILE_F2I] = {0, 0, 0, 2, false},
    [TILE_F2U] = {0, 0, 0, 2, false},
    [TILE_FLOOR] = {0, A, A, 0, false},
    [TILE_CEIL] = {0, A, A, 0, false},
    [TILE_TRUNC] = {0, A, A, 0, false},
    [TILE_RINT] = {0, A, A, 0, false},
    [TILE_FRACT] = {0, 0, 0, 2, false},
    [TILE_SQRT] = {0, A, 0, 0, false},
    [TILE_RSQRT] = {0, A, 0, 2, false},
    [TILE_ROUNDH] = {0, 0, 0, 1, false},
    [TILE_FMIN] = {0, B, B, 3, true},
    [TILE_FMAX] = {0, B, B, 3, true},
    [TILE_SHL] = {B, 0, 0, 1, false},
    [TILE_SHR] = {B, 0, 0, 1, false},
    [TILE_SAR] = {B, 0, 0, 1, false},
    [TILE_SDOT4] = {0, 0, 0, 4, false},
    [TILE_UDOT4] = {0, 0, 0, 4, false},
    [TILE_XSHL] = {B, 0, 0, 1, false},
    [TILE_XSHR] = {B, 0, 0, 1, false},
    [TILE_FDIFF2] = {0, B, B, 1, false},
    [TILE_ROTL] = {B, 0, 0, 2, false},
    [TILE_UMULHI] = {0, 0, 0, 2, true},
    [TILE_SMULHI] = {0, 0, 0, 2, true},
    [TILE_IMUL16] = {0, B, 0, 0, true},
    [TILE_MAD] = {0, B | C, B | C, 1, true},
    [TILE_MSUB] = {0, B | C, B | C, 1, true},
    [TILE_NMAD] = {0, B, B, 1, true},
    [TILE_FMUL2] = {0, B | C, B | C, 2, false},
    [TILE_IMAD] = {0, B | C, B | C, 1, true},
    [TILE_UBFE] = {B | C, 0, 0, 2, false},
    [TILE_SBFE] = {B | C, 0, 0, 2, false},
    [TILE_SHLADD] = {B, C, C, 1, false},
    [TILE_SHLOR] = {B, C, C, 1, false},
    [TILE_SHRAND] = {B, C, C, 1, false},
    [TILE_SAD3] = {0, B | C, B | C, 1, true},
    [TILE_FADD3] = {0, B | C, B | C, 1, true},
    [TILE_FSUBADD] = {0, B | C, B | C, 1, false},
    [TILE_FADDMUL] = {0, B | C, B | C, 1, true},
    [TILE_FCLAMP] = {0, B | C, B | C, 4, false},
    [TILE_SCLAMP] = {0, B | C, B | C, 1, true},
    [TILE_ADDSAR] = {C, B, B, 2, true},
    [TILE_ADDSHR] = {C, B, B, 2, true},
    [TILE_XSHLR] = {B | C, 0, 0, 2, false},
    [TILE_XSHRL] = {B | C, 0, 0, 2, false},
    [TILE_SDOTADD] = {0, C, C, 4, false},
    [TILE_IMAD16] = {0, B | C, C, 1, true},
    [TILE_FDIFF2ADD] = {0, B | C, B | C, 1, false},
    [TILE_ROTXOR] = {B, C, C, 2, false},
    [TILE_SHRXOR] = {B, C, C, 1, false},
    [TILE_XOR3] = {0, B | C, C, 1, true},
    [TILE_MAJORITY] = {0, 0, C, 2, true},
    [TILE_BITSEL] = {0, B, C, 1, false},
    [TILE_SEL] = {0, B, B, 0, false},
    [TILE_GATHER] = {0, 0, 0, 2, false},
    [TILE_IEQ] = {0, B, B, 0, true},
    [TILE_INE] = {0, B, B, 0, true},
    [TILE_SLT] = {0, A, B, 0, false},
    [TILE_SLE] = {0, B, B, 0, false},
    [TILE_ULT] = {0, B, B, 1, false},
    [TILE_ULE] = {0, B, B, 1, false},
    [TILE_FEQ] = {0, B, B, 0, true},
    [TILE_FNE] = {0, B, B, 0, true},
    [TILE_FLT] = {0, B, B, 0, false},
    [TILE_FLE] = {0, B, B, 0, false},
    [TILE_FONE] = {0, B, B, 0, true},
    [TILE_INEG64] = {0, A, A, 1, false},
    [TILE_IMUL64] = {0, 0, B, 2, true},
    [TILE_SHL64] = {B, 0, 0, 0, false},
    [TILE_SHR64] = {B, 0, 0, 0, false},
    [TILE_SAR64] = {B, 0, 0, 0, false},
    [TILE_ROTL64] = {B, 0, 0, 2, false},
    [TILE_XSHL64] = {B, 0, 0, 1, false},
    [TILE_XSHR64] = {B, 0, 0, 1, false},
    [TILE_MAD64] = {0, B | C, B | C, 1, true},
};

static uint32_t
float_comparison(enum tile_code code)
{
    switch (code) {
    case TILE_FEQ:
        return VECTOR_EQUAL;
    case TILE_FNE:
        return VECTOR_UNEQUAL;
    case TILE_FLT:
        return VECTOR_LESS;
    case TILE_FLE:
        return VECTOR_LESS_EQUAL;
    default:
        return VECTOR_ORDERED_UNEQUAL;
    }
}

static void
compare_wide(const struct step *s, enum tile_code code)
{
    static const uint8_t numbers[] = {0, 4, 1, 2, 1, 2}; /* IEQ to ULE */
    const bool is_unsigned = code == TILE_ULT || code == TILE_ULE;
    op_number(s, is_unsigned ? VECTOR_CMPUD : VECTOR_CMPD, s->to, reg(s, 0), s->a[1],
              numbers[code - TILE_IEQ]);
}

static void
compare_narrow(const struct step *s, enum tile_code code)
{
    const bool is_not = code == TILE_INE || code == TILE_SLE || code == TILE_ULT;
    switch (code) {
    case TILE_IEQ:
    case TILE_INE:
        op(s, VECTOR_CMPEQ, s->to, reg(s, 0), s->a[1]);
        break;
    case TILE_SLT:
        op(s, VECTOR_CMPGT, s->to, reg(s, 1), s->a[0]);
        break;
    case TILE_SLE:
        op(s, VECTOR_CMPGT, s->to, reg(s, 0), s->a[1]);
        break;
    default: /* a < b: a is not the greater one; a <= b: it is the lesser one */
        op(s, code == TILE_ULT ? VECTOR_UMAX : VECTOR_UMIN, temp(s, 0), reg(s, 0), s->a[1]);
        op(s, VECTOR_CMPEQ, s->to, temp(s, 0), s->a[0]);
        break;
    }
    if (is_not)
        op(s, VECTOR_XOR, s->to, s->to, constant(TILE_ONES));
}

static void
select_lanes(const struct step *s)
{
    if (s->t->is_wide)
        op_masked(s, VECTOR_BLEND, (struct vector_mask){reg(s, 0), false}, s->to, reg(s, 2),
                  s->a[1]);
    else
        op_number(s, VECTOR_SELECT, s->to, reg(s, 2), s->a[1], reg(s, 0) << 4);
}

static void
combine_masks(const struct step *s, enum tile_code code)
{
    if (s->t->is_wide)
        vector_mask_op(s->t->x,
                       code == TILE_BAND  ? VECTOR_KAND
                       : code == TILE_BOR ? VECTOR_KOR
                                          : VECTOR_KXOR,
                       s->to, reg(s, 0), reg(s, 1));
    else
        op(s,
           code == TILE_BAND  ? VECTOR_AND
           : code == TILE_BOR ? VECTOR_OR
                              : VECTOR_XOR,
           s->to, reg(s, 0), s->a[1]);
}

static bool
is_of_floats(enum tile_code code)
{
    switch (code) {
    case TILE_U2F:
    case TILE_F2I:
    case TILE_F2U:
    case TILE_ROUNDH:
    case TILE_FDIFF2:
    case TILE_FDIFF2ADD:
    case TILE_FMIN:
    case TILE_FMAX:
        return true;
    default:
        return (code >= TILE_FNEG && code <= TILE_FRACT) ||
               (code >= TILE_MAD && code <= TILE_FMUL2) ||
               (code >= TILE_FADD3 && code <= TILE_FCLAMP);
    }
}

static void
write_step(const struct step *s, const struct tile_op *o)
{
    const enum tile_code code = o->code;
    if (simple[code].instruction && o->arg_count == 1)
        op(s, simple[code].instruction, s->to, 0, s->a[0]);
    else if (simple[code].instruction)
        op(s, simple[code].instruction, s->to, reg(s, 0), s->a[1]);
    else if (code == TILE_SEL)
        select_lanes(s);
    else if (code == TILE_GATHER)
        machine_tile_write_gather(s, o);
    else if (code >= TILE_BAND && code <= TILE_BXOR)
        combine_masks(s, code);
    else if (code >= TILE_FEQ && code <= TILE_FONE)
        op_number(s, VECTOR_CMPPS, s->to, reg(s, 0), s->a[1], float_comparison(code));
    else if (code > TILE_MASKS && s->t->is_wide)
        compare_wide(s, code);
    else if (code > TILE_MASKS)
        compare_narrow(s, code);
    else if (code > TILE_LONGS)
        machine_tile_write_long(s, code);
    else if (code == TILE_SQRT || code == TILE_RSQRT)
        machine_tile_write_root(s, code == TILE_RSQRT);
    else if (is_of_floats(code))
        machine_tile_write_float(s, code);
    else
        machine_tile_write_integer(s, code);
}

static struct needs
needs_of(const struct tile *t, const struct tile_op *o)
{
    struct needs n = needs[o->code];
    if (t->is_wide && (o->code == TILE_SQRT || o->code == TILE_RSQRT))
        n.temps = 4;
    if (!simple[o->code].instruction)
        return n;
    const uint8_t last = (uint8_t)(1u << (o->arg_count - 1));
    return (struct needs){0, last, last, 0, simple[o->code].commutes};
}

static bool
is_minmax(enum tile_code code)
{
    return code == TILE_FMIN || code == TILE_FMAX || code == TILE_FCLAMP;
}

/* What is one for all lanes, a number in the first place, or not in a register is the better second
 * operand. */
static void
swap_operands(const struct tile *t, struct tile_op *o)
{
    const struct tile_value *a = &t->values[o->args[0]], *b = &t->values[o->args[1]];
    const bool is_better = a->kind == TILE_SCALAR && b->kind != TILE_SCALAR;
    const bool is_worse = b->kind == TILE_SCALAR && a->kind != TILE_SCALAR;
    if (is_better || (!is_worse && !a->is_in_registers && b->is_in_registers)) {
        const uint16_t first = o->args[0];
        o->args[0] = o->args[1];
        o->args[1] = first;
    }
}

/* Operands of shifts that are numbers are in the instruction. */
static bool
is_immediate(const struct tile *t, const struct tile_op *o, const struct needs *n, uint32_t a)
{
    const bool has_two = o->code == TILE_UBFE || o->code == TILE_SBFE;
    if (!(n->counts >> a & 1))
        return false;
    if (has_two)
        return t->values[o->args[1]].is_number && t->values[o->args[2]].is_number;
    return t->values[o->args[a]].is_number;
}

/* The operand is in registers, or in memory where the instruction takes it from there. */
static void
fetch(struct tile *t, uint32_t value, bool may_be_memory, uint32_t temp_count)
{
    const struct tile_value *v = &t->values[value];
    if (may_be_memory && v->kind == TILE_SCALAR && t->is_wide)
        return;
    if (may_be_memory && v->kind == TILE_LANES && !v->is_in_registers) {
        const uint32_t room = (uint32_t)__builtin_popcount(t->free_vectors);
        if (room < 2 * t->unroll + temp_count || v->end <= t->now + 1)
            return;
    }
    machine_tile_need(t, value);
}

void
machine_tile_write_op(struct tile *t)
{
    struct tile_op o = t->ops[t->now];
    const struct needs n = needs_of(t, &o);
    struct step steps[TILE_MAX_UNROLL] = {0};
    machine_reserve(t->x);
    if (n.commutes)
        swap_operands(t, &o);
    uint32_t memory = t->is_wide ? n.wide_memory : n.memory;
    if (is_minmax(o.code))
        memory &= machine_tile_memory_of_minmax(t, &o);
    for (uint32_t a = 0; a < o.arg_count; a++)
        if (!is_immediate(t, &o, &n, a))
            fetch(t, o.args[a], memory >> a & 1, n.temps);
    machine_tile_need_temps(t, n.temps);
    for (uint32_t u = 0; u < t->unroll; u++) {
        steps[u].t = t;
        steps[u].u = u;
        for (uint32_t a = 0; a < o.arg_count; a++) {
            steps[u].v[a] = &t->values[o.args[a]];
            steps[u].a[a] = machine_tile_operand(t, o.args[a], u);
        }
    }
    machine_tile_release(t, false);
    machine_tile_take_result(t);
    for (uint32_t u = 0; u < t->unroll; u++) {
        steps[u].to = t->values[o.result].regs[u];
        write_step(&steps[u], &o);
    }
    machine_tile_release_temps(t);
    if (o.is_stored)
        machine_tile_store(t, o.result);
    machine_tile_release(t, true);
}

/* SPDX-License-Identifier: MIT */
#include "compute/machine/tile.h"

#include "compute/exec/exec.h"

#include <stddef.h>

/* An operation, and its operands in order: T, V and S as in exec/op_list.h, B a mask. */
struct form {
    uint8_t code; /* enum tile_code */
    char operands[3];
};

/* clang-format off */
#define FORM(name, form, ...) [RP_X_TILE_##name##_##form - FIRST] = {TILE_##name, {__VA_ARGS__}},
#define FORMS_UN(name) FORM(name, T, 'T')
#define FORMS_BIN(name) \
    FORM(name, TV, 'T', 'V') FORM(name, TS, 'T', 'S') FORM(name, VT, 'V', 'T') \
    FORM(name, ST, 'S', 'T')
#define FORMS_TRI(name) \
    FORM(name, TVV, 'T', 'V', 'V') FORM(name, TVS, 'T', 'V', 'S') \
    FORM(name, TSV, 'T', 'S', 'V') FORM(name, TSS, 'T', 'S', 'S') \
    FORM(name, VVT, 'V', 'V', 'T') FORM(name, VST, 'V', 'S', 'T')
#define FORMS_TWICE(name) \
    FORM(name, TVT, 'T', 'V', 'T') FORM(name, TST, 'T', 'S', 'T') \
    FORM(name, TTV, 'T', 'T', 'V') FORM(name, TTS, 'T', 'T', 'S')
#define FORMS_MASK(name) FORM(name, BB, 'B', 'B')
#define FORM_SEL(name, form, ...) \
    [RP_X_TILE_##name##_##form - FIRST] = {TILE_SEL, {__VA_ARGS__}},
#define FORMS_SEL(name) \
    FORM_SEL(name, TV, 'T', 'V') FORM_SEL(name, TS, 'T', 'S') FORM_SEL(name, VT, 'V', 'T') \
    FORM_SEL(name, ST, 'S', 'T') FORM_SEL(name, SS, 'S', 'S')
#define FIRST RP_X_TILE_INEG_T

static const struct form forms[RP_X_TILE_END - FIRST] = {
    RP_TILE_I_I(FORMS_UN) RP_TILE_I_II(FORMS_BIN) RP_OPS_B_II(FORMS_BIN) RP_OPS_I_III(FORMS_TRI)
    RP_TILE_B_BB(FORMS_MASK)
    FORM(FMUL, TT, 'T', 'T') FORMS_TWICE(MAD) FORMS_TWICE(IMAD) FORMS_SEL(SEL) FORMS_SEL(PICK)
};
/* clang-format on */

/* clang-format off */
#define FIRST_LONG RP_X_INEG64_V
#define LONG(name, form, ...) [RP_X_##name##_##form - FIRST_LONG] = {TILE_##name, {__VA_ARGS__}},
#define LONG_UN(name) LONG(name, V, 'V')
#define LONG_BIN(name) LONG(name, VV, 'V', 'V') LONG(name, VS, 'V', 'S') LONG(name, SV, 'S', 'V')
#define LONG_SHIFT(name) LONG(name, VS, 'V', 'S')
static const struct form long_forms[RP_X_FONE64_SS + 1 - FIRST_LONG] = {
    TILE_L_L(LONG_UN) TILE_L_LL(LONG_BIN) TILE_L_LI(LONG_SHIFT)
};
static const struct form long_mad = {TILE_MAD64, {'V', 'V', 'V'}};
/* clang-format on */

static const struct form *
long_form_of(uint32_t code)
{
    if (code == RP_X_MAD64_VVV)
        return &long_mad;
    if (code < FIRST_LONG || code > RP_X_FONE64_SS || !long_forms[code - FIRST_LONG].code)
        return NULL;
    return &long_forms[code - FIRST_LONG];
}

static const struct form *
form_of(uint32_t code)
{
    return code >= FIRST && code < RP_X_TILE_END ? &forms[code - FIRST] : NULL;
}

uint32_t
machine_tile_value_new(struct tile *t, enum tile_kind kind, uint32_t home)
{
    const uint16_t start = (uint16_t)(t->op_count - 1);
    t->values[t->value_count] = (struct tile_value){.kind = kind, .home = home, .start = start};
    return t->value_count++;
}

/* What lies at a home, whether the tile made it or not. */
uint32_t
machine_tile_value_at(struct tile *t, enum tile_kind kind, uint32_t home)
{
    for (uint32_t v = t->value_count; v-- > 0;)
        if (t->values[v].kind == kind && t->values[v].home == home && t->values[v].is_readable)
            return v;
    const uint32_t v = machine_tile_value_new(t, kind, home);
    t->values[v].is_readable = t->values[v].is_in_memory = true;
    return v;
}

static bool
is_nan(uint32_t number)
{
    return (number & INT32_MAX) > 0x7f800000u;
}

static uint32_t
scalar_at(struct tile *t, const struct assembler *a, uint32_t home)
{
    struct tile_value *v = &t->values[machine_tile_value_at(t, TILE_SCALAR, home)];
    uint64_t number;
    v->is_number = machine_is_number(a, (struct machine_value){home, 0}, false, &number);
    if (v->is_number) {
        v->number = (uint32_t)number;
        v->is_quiet = v->is_no_nan = !is_nan(v->number);
    }
    return (uint32_t)(v - t->values);
}

/* Arithmetic of floats, whose NaNs are quiet. */
static bool
makes_quiet(enum tile_code code)
{
    switch (code) {
    case TILE_FADD:
    case TILE_FSUB:
    case TILE_FMUL:
    case TILE_FDIV:
    case TILE_FDIFF2:
    case TILE_MAD:
    case TILE_MSUB:
    case TILE_NMAD:
    case TILE_FMUL2:
    case TILE_FADD3:
    case TILE_FSUBADD:
    case TILE_FADDMUL:
    case TILE_FDIFF2ADD:
    case TILE_I2F:
    case TILE_U2F:
    case TILE_FLOOR:
    case TILE_CEIL:
    case TILE_TRUNC:
    case TILE_RINT:
    case TILE_FRACT:
    case TILE_SQRT:
    case TILE_RSQRT:
    case TILE_ROUNDH:
        return true;
    default:
        return false;
    }
}

/* What is known of the result as a float. */
static void
know(struct tile *t, const struct tile_op *o)
{
    struct tile_value *r = &t->values[o->result];
    const uint32_t first = o->code == TILE_SEL;
    const bool keeps = o->code == TILE_SEL || o->code == TILE_FNEG || o->code == TILE_FABS;
    const bool chooses = o->code == TILE_FMIN || o->code == TILE_FMAX;
    bool are_quiet = true, are_numbers = true, is_one_number = false;
    for (uint32_t a = first; a < o->arg_count; a++) {
        are_quiet &= t->values[o->args[a]].is_quiet;
        are_numbers &= t->values[o->args[a]].is_no_nan;
        is_one_number |= t->values[o->args[a]].is_no_nan;
    }
    r->is_no_nan = o->code == TILE_I2F || o->code == TILE_U2F || (keeps && are_numbers) ||
                   (chooses && is_one_number);
    r->is_quiet = r->is_no_nan || makes_quiet(o->code) || ((keeps || chooses) && are_quiet);
}

/* The operands of a record; *last is T, in front of it and then behind it. */
static void
read_operands(struct tile *t, const struct assembler *a, const struct rp_op *r,
              const struct form *form, struct tile_op *o, uint32_t *last)
{
    const bool is_choice = form->operands[0] == 'S' && form->operands[1] == 'S';
    const uint32_t others[3] = {is_choice ? r->a : r->b, is_choice ? r->b : r->c, r->c};
    uint32_t other = 0;
    if (r->n & RP_TILE_LOADS)
        *last = machine_tile_value_at(t, TILE_LANES, r->a);
    if (o->code == TILE_SEL)
        o->args[o->arg_count++] = (uint16_t)machine_tile_value_at(t, TILE_MASK, r->c);
    for (uint32_t k = 0; k < 3 && form->operands[k]; k++) {
        const char kind = form->operands[k];
        const uint32_t v =
            kind == 'T' ? *last
            : kind == 'S'
                ? scalar_at(t, a, others[other++])
                : machine_tile_value_at(t, kind == 'B' ? TILE_MASK : TILE_LANES, others[other++]);
        o->args[o->arg_count++] = (uint16_t)v;
    }
}

static void
make_result(struct tile *t, const struct rp_op *r, struct tile_op *o, uint32_t *last)
{
    const bool is_mask = o->code > TILE_MASKS, is_kept = is_mask && r->n & RP_TILE_KEEPS;
    o->result = (uint16_t)machine_tile_value_new(t, is_mask ? TILE_MASK : TILE_LANES,
                                                 is_kept ? r->c : r->d);
    t->values[o->result].is_kept = is_kept;
    t->values[o->result].is_readable = is_mask || r->n & RP_TILE_STORES;
    o->is_stored = t->values[o->result].is_readable && !is_kept && !(r->n & RP_TILE_LOCAL);
    know(t, o);
    if (!is_mask)
        *last = o->result;
}

void
machine_tile_clear(struct tile *t)
{
    t->op_count = t->value_count = t->gather_count = t->word_count = 0;
    t->is_long = false;
}

uint32_t
machine_tile_append(struct tile *t, const struct assembler *a, uint32_t k)
{
    const struct rp_machine_source *p = a->source;
    const uint32_t first = t->op_count;
    uint32_t last = TILE_NO_VALUE;
    for (k++; k < p->op_count && p->codes[k] != RP_X_TILE_END; k++) {
        const struct form *form = form_of(p->codes[k]);
        if (!form || t->op_count == TILE_MAX_OPS)
            return 0;
        struct tile_op *o = &t->ops[t->op_count++];
        *o = (struct tile_op){.code = form->code};
        read_operands(t, a, &p->ops[k], form, o, &last);
        if (memchr(form->operands, 'T', 3) && last == TILE_NO_VALUE)
            return 0; /* no compiler wrote that */
        for (uint32_t v = 0; v < o->arg_count; v++)
            t->values[o->args[v]].end = (uint16_t)t->op_count;
        make_result(t, &p->ops[k], o, &last);
    }
    return k < p->op_count && t->op_count > first ? k : 0;
}

bool
machine_tile_read(struct tile *t, const struct assembler *a, uint32_t k)
{
    machine_tile_clear(t);
    return machine_tile_append(t, a, k) != 0;
}

/* By a number, and with AVX2 as far as there is an instruction. */
static bool
can_shift(const struct tile *t, const struct assembler *a, const struct form *form,
          const struct rp_op *r)
{
    uint64_t number;
    if (form->code < TILE_SHL64 || form->code > TILE_XSHR64)
        return true;
    return machine_is_number(a, (struct machine_value){r->b, 0}, false, &number) &&
           (form->code != TILE_SAR64 || t->is_wide);
}

uint32_t
machine_tile_read_longs(struct tile *t, const struct assembler *a, uint32_t k,
                        const bool *is_target)
{
    const struct rp_machine_source *p = a->source;
    const uint32_t first = k;
    machine_tile_clear(t);
    t->is_long = true;
    for (; k < p->op_count && t->op_count < TILE_MAX_OPS; k++) {
        const struct rp_op *r = &p->ops[k];
        const struct form *form = long_form_of(p->codes[k]);
        if (!form || !can_shift(t, a, form, r) || (k != first && is_target[k]))
            break;
        struct tile_op *o = &t->ops[t->op_count++];
        const uint32_t operands[3] = {r->a, r->b, r->c};
        *o = (struct tile_op){.code = form->code};
        for (; o->arg_count < 3 && form->operands[o->arg_count]; o->arg_count++) {
            const uint32_t home = operands[o->arg_count];
            const uint32_t v = form->operands[o->arg_count] == 'S'
                                   ? scalar_at(t, a, home)
                                   : machine_tile_value_at(t, TILE_LANES, home);
            o->args[o->arg_count] = (uint16_t)v;
            t->values[v].end = (uint16_t)t->op_count;
        }
        o->result = (uint16_t)machine_tile_value_new(t, TILE_LANES, r->d);
        t->values[o->result].is_readable = true;
    }
    for (uint32_t j = 0; j < t->op_count; j++) {
        const uint32_t last_reader = j + p->ops[first + j].n;
        t->ops[j].is_stored = last_reader == j || last_reader >= t->op_count;
    }
    return t->op_count;
}

void
machine_tile_write_constants(struct x86 *x)
{
    static const uint32_t words[TILE_CONSTANT_COUNT] = {
        [TILE_SIGN] = 0x80000000u,
        [TILE_MAGNITUDE] = 0x7fffffffu,
        [TILE_ONES] = 0xffffffffu,
        [TILE_BYTE] = 0xff,
        [TILE_HALF] = 0xffff,
        [TILE_BYTES] = 0x00ff00ffu,
        [TILE_31] = 31,
        [TILE_32] = 32,
        [TILE_2] = 2,
        [TILE_ROOT_LEAST] = 0x0f800000u,
        [TILE_ROOT_RANGE] = 0x70000000u,
        [TILE_ROOT_ONES] = 0x007ffffeu,
        [TILE_ONE_HALF] = 0x3f000000u,
        [TILE_ONE] = 0x3f800000u,
        [TILE_BELOW_ONE] = 0x3f7fffffu,
        [TILE_2P16] = 0x47800000u,
        [TILE_2P31] = 0x4f000000u,
        [TILE_2P32] = 0x4f800000u,
    };
    for (uint32_t c = 0; c < TILE_CONSTANT_COUNT; c++)
        for (uint32_t lane = 0; lane < TILE_CONSTANT_B / 4; lane++)
            x86_word(x, c == TILE_LANE_BITS                 ? 1u << lane
                        : c == TILE_SIGN64                  ? words[TILE_SIGN] * (lane % 2)
                        : c == TILE_MAGNITUDE64 && lane % 2 ? words[TILE_MAGNITUDE]
                        : c == TILE_MAGNITUDE64             ? words[TILE_ONES]
                        : c == TILE_UPPER64                 ? words[TILE_ONES] * (lane % 2)
                                                            : words[c]);
}

/* Values of the kind that are alive at the same time, at most. */
static uint32_t
most_alive(const struct tile *t, enum tile_kind kind)
{
    uint32_t alive = 0, most = 0;
    uint16_t begun[TILE_MAX_OPS + 1] = {0}, ended[TILE_MAX_OPS + 1] = {0};
    for (uint32_t v = 0; v < t->value_count; v++)
        if (t->values[v].kind == kind && t->values[v].end) {
            begun[t->values[v].start]++;
            ended[t->values[v].end]++;
        }
    for (uint32_t k = 0; k <= t->op_count; k++) {
        alive += begun[k];
        alive -= ended[k];
        most = most > alive ? most : alive;
    }
    return most;
}

static bool
combines_masks(const struct tile *t)
{
    for (uint32_t k = 0; k < t->op_count; k++)
        if (t->ops[k].code >= TILE_BAND && t->ops[k].code <= TILE_BXOR)
            return true;
    return false;
}

/* As many vectors a round as there are registers for. */
static uint32_t
choose_unroll(const struct tile *t)
{
    const uint32_t lanes = most_alive(t, TILE_LANES), masks = most_alive(t, TILE_MASK);
    if (!t->is_wide)
        return 2 * (lanes + masks) + 4 <= 16 ? 2 : 1;
    if (4 * lanes + 4 <= 32 && masks <= 1 && !combines_masks(t))
        return 4;
    return 2 * lanes + 4 <= 32 ? 2 : 1;
}

static void
write_round(struct tile *t, uint32_t unroll)
{
    machine_tile_start_round(t, unroll);
    for (; t->now < t->op_count; t->now++)
        machine_tile_write_op(t);
}

static void
advance(const struct tile *t, uint32_t unroll)
{
    const int32_t round_B = (int32_t)(unroll * (t->is_wide ? 64 : 32));
    x86_arithmetic_number(t->x, true, X86_ADD, x86_reg(X86_RAX), round_B);
    x86_arithmetic_number(t->x, true, X86_ADD, x86_reg(8), round_B / 32);
    if (t->gather_count)
        x86_arithmetic_number(t->x, true, X86_ADD, x86_reg(TILE_ACTIVE), round_B / 32);
}

/* rax = R + k0 blocks, r9 = R + k1 blocks, r8 = R + k0 masks. */
static void
write_window(struct x86 *x, bool is_long)
{
    const uint32_t extend = 0x63, block_log2 = is_long ? 7 : 6;
    x86_op(x, true, extend, 8, x86_memory(X86_RDX, offsetof(struct rp_exec, k0)));
    x86_op(x, true, extend, 9, x86_memory(X86_RDX, offsetof(struct rp_exec, k1)));
    x86_op(x, true, 0x8b, X86_RAX, x86_reg(8));
    x86_shift_number(x, true, X86_SHL, X86_RAX, block_log2);
    x86_shift_number(x, true, X86_SHL, 9, block_log2);
    x86_op(x, true, 0x03, 8, x86_reg(8));
    x86_op(x, true, 0x03, X86_RAX, x86_reg(X86_RSI));
    x86_op(x, true, 0x03, 8, x86_reg(X86_RSI));
    x86_op(x, true, 0x03, 9, x86_reg(X86_RSI));
}

/* Rounds of some vectors as long as there are as many. */
static void
write_loop(struct tile *t, uint32_t unroll)
{
    struct x86 *x = t->x;
    const int32_t round_B = (int32_t)(unroll * (t->is_wide ? 64 : 32));
    const uint32_t start = x->size_B;
    x86_op(x, true, 0x8d, X86_RCX, x86_memory(X86_RAX, round_B)); /* lea */
    x86_arithmetic(x, true, X86_CMP, X86_RCX, x86_reg(9));
    const uint32_t beyond = x86_jump_if(x, X86_ABOVE);
    write_round(t, unroll);
    advance(t, unroll);
    x86_land(x, x86_jump(x), start);
    x86_land(x, beyond, x->size_B);
}

void
machine_tile_write(struct tile *t, struct x86 *x)
{
    t->x = x;
    const uint32_t unroll = choose_unroll(t), block_vectors = (t->is_wide ? 1 : 2) << t->is_long;
    machine_reserve(x);
    write_window(x, t->is_long);
    if (t->gather_count)
        machine_tile_write_active(t);
    write_loop(t, unroll);
    if (unroll > block_vectors)
        write_loop(t, 1);
    vector_zeroupper(x);
}

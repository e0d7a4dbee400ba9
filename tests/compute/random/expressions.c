/* SPDX-License-Identifier: MIT */
/* Random expressions of a wanted type.
 */
#include "make.h"

static const struct type u32 = {K_U32, 1};

static struct expr *make_from_place(struct maker *m, struct type type);

/* Is it the same whenever it runs? */
static bool
is_folded(const struct expr *e)
{
    bool is = e->op == OP_CONST || e->op == OP_SPEC ||
              (e->op == OP_BUILTIN && e->imm == B_SIZE_X) ||
              (e->op > OP_SPEC && e->op != OP_LOAD && e->op < OP_FETCH);
    for (uint32_t i = 0; i < 4 && e->arg[i]; i++)
        is &= is_folded(e->arg[i]);
    return is;
}

/* glslang 11 folds constants of other widths wrongly now and then. */
static bool
has_32_bits(const struct expr *e)
{
    return e->type.kind == K_BOOL || kind_bits(e->type.kind) == 32;
}

/* glslang folds in doubles: what a float rounds is not rounded before it is used on. */
static bool
is_folded_unrounded(const struct expr *e)
{
    if (!kind_is_float(e->type.kind) || !is_folded(e))
        return false;
    for (uint32_t i = 0; i < 4 && e->arg[i]; i++)
        if (kind_is_float(e->arg[i]->type.kind) && e->arg[i]->arg[0])
            return true;
    return false;
}

struct expr *
expr_make(struct maker *m, uint8_t op, struct type type, struct expr *a, struct expr *b,
          struct expr *c)
{
    struct expr *e = make_memory(m->k, sizeof(*e));
    *e = (struct expr){.op = op, .type = type, .arg = {a, b, c}, .next_made = m->k->exprs};
    m->k->exprs = e;
    if (a && ((is_folded(e) && !(has_32_bits(e) && has_32_bits(a))) || is_folded_unrounded(e))) {
        struct expr *to = a->op == OP_SAFE ? a : e;
        to->arg[0] = make_from_place(m, to->arg[0]->type);
    }
    return e;
}

uint8_t
make_kind(struct maker *m)
{
    return chance(m, 3) ? K_U32 : m->kinds[pick(m, 4)];
}

struct type
make_type(struct maker *m)
{
    const uint8_t kind = make_kind(m);
    return (struct type){kind, (uint8_t)(chance(m, 2) ? 1 : 1 + pick(m, 4))};
}

static union value
make_value(struct maker *m, uint8_t kind)
{
    static const double doubles[] = {0,   -0.0,  1,    -1,   0.5,  2,      3.25,     -7.75,
                                     1e3, 65504, 1e-7, 6e-8, 1e30, -1e-40, 16777216, 0.1};
    static const int64_t integers[] = {0,
                                       1,
                                       -1,
                                       2,
                                       3,
                                       7,
                                       8,
                                       15,
                                       16,
                                       31,
                                       100,
                                       127,
                                       128,
                                       255,
                                       256,
                                       32767,
                                       32768,
                                       65535,
                                       65536,
                                       0x7fffffff,
                                       0x80000000,
                                       -2,
                                       0x7fffffffffffffff};
    union value v;
    if (kind_is_float(kind))
        v.d = chance(m, 3) ? (double)(int32_t)pick(m, 2001) - 1000.0 : doubles[pick(m, 16)];
    else
        v.i = chance(m, 3) ? (int64_t)pick(m, 1000) - 100 : integers[pick(m, 23)];
    return value_wrap(kind, v);
}

struct expr *
make_constant(struct maker *m, struct type type)
{
    struct expr *e = expr_make(m, OP_CONST, type, NULL, NULL, NULL);
    for (uint32_t i = 0; i < type.n; i++)
        e->value[i] = i && chance(m, 2) ? e->value[0] : make_value(m, type.kind);
    return e;
}

struct expr *
make_number(struct maker *m, uint8_t kind, int64_t value)
{
    struct expr *e = expr_make(m, OP_CONST, (struct type){kind, 1}, NULL, NULL, NULL);
    e->value[0].i = value;
    return e;
}

struct expr *
make_binary(struct maker *m, uint8_t op, struct expr *a, struct expr *b)
{
    return expr_make(m, op, a->type, a, b, NULL);
}

struct expr *
make_with_number(struct maker *m, uint8_t op, struct expr *a, int64_t number)
{
    return make_binary(m, op, a, make_number(m, a->type.kind, number));
}

struct expr *
make_builtin(struct maker *m, uint8_t builtin)
{
    struct expr *e = expr_make(m, OP_BUILTIN, u32, NULL, NULL, NULL);
    e->imm = builtin;
    return e;
}

static struct expr *
make_splat(struct maker *m, struct type type, int64_t value)
{
    struct expr *e = expr_make(m, OP_CONST, type, NULL, NULL, NULL);
    for (uint32_t i = 0; i < type.n; i++) {
        if (kind_is_float(type.kind))
            e->value[i].d = (double)value;
        else
            e->value[i].i = value;
    }
    return e;
}

/* A variable, field or element of this type that is in scope. */
bool
make_ref(struct maker *m, struct type type, bool is_written, struct ref *out)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < m->visible_count; i++) {
        struct var *var = m->visible[i];
        for (uint32_t f = 0; f < var->shape->field_count; f++) {
            const struct field *field = &var->shape->fields[f];
            if (field->type.kind != type.kind || field->type.n != type.n ||
                (is_written && var->is_constant) || pick(m, ++found))
                continue;
            *out = (struct ref){.var = var, .field = (uint8_t)f};
        }
    }
    if (!found)
        return false;
    const uint8_t length = out->var->shape->fields[out->field].length;
    if (length)
        out->index = chance(m, 3) ? make_number(m, K_U32, pick(m, length)) : make_expr(m, u32, 1);
    return true;
}

/* Something that differs from lane to lane when no variable has the type. */
static struct expr *
make_from_place(struct maker *m, struct type type)
{
    static const uint8_t compare[] = {OP_LT, OP_GE, OP_EQ, OP_NE};
    const struct type one = {type.kind, 1};
    struct expr *e = make_builtin(m, (uint8_t)pick(m, m->k->has_subgroups ? B_COUNT : B_LANE));
    if (chance(m, 2)) {
        struct expr *index =
            expr_make(m, OP_REM, u32, e,
                      make_number(m, K_U32, 1 + pick(m, m->k->buffers[BUF_IN].length)), NULL);
        e = expr_make(m, OP_LOAD, u32, index, NULL, NULL);
        e->imm = BUF_IN;
    }
    if (type.kind == K_BOOL) {
        struct expr *mask = expr_make(m, OP_AND, u32, e, make_number(m, K_U32, 15), NULL);
        const uint8_t op = compare[pick(m, 4)];
        e = expr_make(m, op, one, mask, make_number(m, K_U32, pick(m, 16)), NULL);
    } else if (type.kind != K_U32) {
        e = expr_make(m, OP_CONVERT, one, e, NULL, NULL);
    }
    return type.n > 1 ? expr_make(m, OP_SPLAT, type, e, NULL, NULL) : e;
}

static struct expr *
make_leaf(struct maker *m, struct type type)
{
    struct expr *e;
    struct ref ref;
    if (!chance(m, 4) && make_ref(m, type, false, &ref)) {
        e = expr_make(m, OP_READ, type, NULL, NULL, NULL);
        e->ref = ref;
        return e;
    }
    if (type.kind == K_U32 && type.n == 1 && !chance(m, 3)) {
        static const uint8_t ops[] = {OP_BUILTIN, OP_BUILTIN, OP_BUILTIN, OP_PUSH, OP_SPEC};
        e = expr_make(m, ops[pick(m, 5)], type, NULL, NULL, NULL);
        e->imm = e->op == OP_BUILTIN ? pick(m, m->k->has_subgroups ? B_COUNT : B_LANE)
                 : e->op == OP_PUSH  ? pick(m, PUSH_WORDS)
                                     : pick(m, SPECS);
        return e;
    }
    return chance(m, 4) ? make_constant(m, type) : make_from_place(m, type);
}

static struct expr *
make_convert(struct maker *m, struct type type, uint32_t depth)
{
    const uint8_t from = make_kind(m);
    const uint32_t bits = kind_bits(type.kind);
    struct expr *a = make_expr(m, (struct type){from, type.n}, depth);
    if (from == type.kind)
        return a;
    if (kind_is_float(from) && !kind_is_float(type.kind) && type.kind != K_BOOL) {
        /* component by component: the helper takes one */
        struct expr *parts[4];
        for (uint32_t i = 0; i < type.n; i++) {
            parts[i] =
                type.n == 1 ? a : expr_make(m, OP_SWIZZLE, (struct type){from, 1}, a, NULL, NULL);
            parts[i]->imm = type.n == 1 ? parts[i]->imm : i;
            struct expr *safe = expr_make(m, OP_SAFE, (struct type){from, 1}, parts[i], NULL, NULL);
            safe->imm = bits == 8 ? 100 : 30000;
            if (kind_is_signed(type.kind))
                safe->imm = -safe->imm;
            parts[i] = expr_make(m, OP_CONVERT, (struct type){type.kind, 1}, safe, NULL, NULL);
            if (chance(m, 2) && i + 1 < type.n)
                a = make_leaf(m, (struct type){from, type.n});
        }
        struct expr *e = type.n == 1 ? parts[0] : expr_make(m, OP_BUILD, type, NULL, NULL, NULL);
        for (uint32_t i = 0; type.n > 1 && i < type.n; i++)
            e->arg[i] = parts[i];
        return e;
    }
    return expr_make(m, OP_CONVERT, type, a, NULL, NULL);
}

static struct expr *
make_swizzle(struct maker *m, struct type type, uint32_t depth)
{
    const uint8_t n = (uint8_t)(2 + pick(m, 3));
    struct expr *e = expr_make(m, OP_SWIZZLE, type,
                               make_expr(m, (struct type){type.kind, n}, depth), NULL, NULL);
    for (uint32_t i = 0; i < type.n; i++)
        e->imm |= pick(m, n) << (2 * i);
    return e;
}

static struct expr *
make_shape(struct maker *m, struct type type, uint32_t depth)
{
    const struct type one = {type.kind, 1};
    if (type.n > 1 && chance(m, 3))
        return expr_make(m, OP_SPLAT, type, make_expr(m, one, depth), NULL, NULL);
    if (type.n > 1 && chance(m, 2)) {
        struct expr *e = expr_make(m, OP_BUILD, type, NULL, NULL, NULL);
        for (uint32_t i = 0; i < type.n; i++)
            e->arg[i] = make_expr(m, one, depth);
        return e;
    }
    if (type.n == 1 && chance(m, 2)) {
        const struct type vector = {type.kind, (uint8_t)(2 + pick(m, 3))};
        struct expr *e = make_expr(m, vector, depth);
        return expr_make(m, OP_COMPONENT, type, e, make_expr(m, u32, depth), NULL);
    }
    return make_swizzle(m, type, depth);
}

/* Elements side by side, or some apart, in neighbouring lanes. */
static struct expr *
make_row(struct maker *m)
{
    static const uint8_t steps[] = {1, 1, 2, 3, 4, 4, 5, 8};
    struct expr *e = make_builtin(m, chance(m, 3) ? B_LOCAL_INDEX : B_LINEAR);
    e = expr_make(m, OP_MUL, u32, e, make_number(m, K_U32, steps[pick(m, 8)]), NULL);
    return expr_make(m, OP_ADD, u32, e, make_number(m, K_U32, pick(m, 8)), NULL);
}

/* Element of a buffer that is only read: mostly near, now and then beyond the end. */
static struct expr *
make_index(struct maker *m, uint32_t buffer, uint32_t depth)
{
    const uint32_t length = m->k->buffers[buffer].length;
    const bool is_own = buffer == BUF_OWN || buffer == BUF_OWN2;
    if (buffer != BUF_UNIFORM && chance(m, 2)) {
        if (is_own)
            return make_number(m, K_U32, pick(m, OWN));
        return chance(m, 2) ? make_row(m) : make_line(m);
    }
    struct expr *e = make_expr(m, u32, depth);
    if (buffer != BUF_IN && buffer != BUF_TABLE)
        return e;
    if (m->k->wants_wild && chance(m, 2) && !is_folded(e)) /* glslang refuses -1 */
        return e;
    return expr_make(m, OP_REM, u32, e, make_number(m, K_U32, 1 + pick(m, length + length / 4)),
                     NULL);
}

static struct expr *
make_load(struct maker *m, struct type type, uint32_t depth)
{
    static const uint8_t readable[] = {BUF_IN,      BUF_TABLE, BUF_OWN, BUF_OWN2,
                                       BUF_UNIFORM, BUF_IN,    BUF_OWN, BUF_SUMS};
    for (uint32_t tries = 0; tries < 4; tries++) {
        const uint8_t buffer = readable[pick(m, 8)];
        const struct type stored = m->k->buffers[buffer].type;
        if (stored.kind != type.kind || stored.n < type.n)
            continue;
        struct expr *e = expr_make(m, OP_LOAD, stored, make_index(m, buffer, depth), NULL, NULL);
        e->imm = buffer;
        if (m->k->is_wider && buffer == BUF_TABLE && chance(m, 2)) {
            e->op = OP_LOAD_OF;
            e->arg[1] =
                chance(m, 4) ? make_number(m, K_U32, pick(m, TABLES)) : make_expr(m, u32, 1);
        }
        if (stored.n == type.n)
            return e;
        e = expr_make(m, OP_SWIZZLE, type, e, NULL, NULL);
        for (uint32_t i = 0; i < type.n; i++)
            e->imm |= pick(m, stored.n) << (2 * i);
        return e;
    }
    return make_leaf(m, type);
}

static struct expr *
make_select(struct maker *m, struct type type, uint32_t depth)
{
    const bool is_mix = type.kind != K_BOOL && chance(m, 3);
    const struct type cond = {K_BOOL, is_mix ? type.n : 1};
    struct expr *a = make_expr(m, type, depth), *b = make_expr(m, type, depth);
    struct expr *c = make_expr(m, cond, depth);
    return is_mix ? expr_make(m, OP_MIX, type, a, b, c) : expr_make(m, OP_SELECT, type, c, a, b);
}

static struct expr *
make_divisor(struct maker *m, struct type type, bool may_be_negative, uint32_t depth)
{
    static const int8_t numbers[] = {1, 2, 3, 5, 7, 10, 16, 100, 127, -3, -8};
    if (!chance(m, 3))
        return make_splat(m, type, numbers[pick(m, may_be_negative ? 11 : 9)]);
    struct expr *e = make_expr(m, type, depth);
    if (kind_is_signed(type.kind))
        e = expr_make(m, OP_AND, type, e, make_splat(m, type, 63), NULL);
    return expr_make(m, OP_OR, type, e, make_splat(m, type, 1), NULL);
}

/* GLSL leaves remainders of negative numbers open, and glslang folds them otherwise than OpSMod. */
static struct expr *
make_quotient(struct maker *m, struct type type, struct expr *a, uint32_t depth)
{
    const bool is_signed = kind_is_signed(type.kind);
    if (chance(m, 2))
        return expr_make(m, OP_DIV, type, a, make_divisor(m, type, is_signed, depth), NULL);
    if (is_signed)
        a = expr_make(m, OP_AND, type, a,
                      make_splat(m, type, (int64_t)(UINT64_MAX >> (65 - kind_bits(type.kind)))),
                      NULL);
    return expr_make(m, OP_REM, type, a, make_divisor(m, type, false, depth), NULL);
}

static struct expr *
make_integer(struct maker *m, struct type type, uint32_t depth)
{
    static const uint8_t simple[] = {OP_ADD, OP_ADD, OP_SUB, OP_MUL, OP_MIN,
                                     OP_MAX, OP_AND, OP_OR,  OP_XOR};
    static const uint8_t unary[] = {OP_NEG, OP_NOT, OP_ABS, OP_SIGN};
    const uint32_t mask = kind_bits(type.kind) - 1;
    /* spirv-opt takes -(x / 7u) for x / -7u. */
    const uint32_t range = (kind_is_signed(type.kind) ? 4 : 2) - m->k->is_rewritten;
    struct expr *a = make_expr(m, type, depth), *b;
    uint8_t op;
    switch (pick(m, 8)) {
    case 0:
        return make_quotient(m, type, a, depth);
    case 1:
    case 2:
        b = chance(m, 2) ? make_splat(m, type, pick(m, mask + 1))
                         : expr_make(m, OP_AND, type, make_expr(m, type, depth),
                                     make_splat(m, type, mask), NULL);
        return expr_make(m, chance(m, 2) ? OP_SHL : OP_SHR, type, a, b, NULL);
    case 3:
        return expr_make(m, unary[m->k->is_rewritten + pick(m, range)], type, a, NULL, NULL);
    default:
        op = simple[pick(m, 9)];
        return expr_make(m, op, type, a, make_expr(m, type, depth), NULL);
    }
}

static struct expr *
make_word(struct maker *m, struct type type, uint32_t depth)
{
    static const uint8_t counts[] = {OP_BIT_COUNT, OP_BIT_REVERSE, OP_FIND_LSB, OP_FIND_MSB};
    struct expr *a = make_expr(m, type, depth), *e;
    if (type.n == 1 && type.kind == K_U32 && m->k->has_images && chance(m, 2)) {
        e = expr_make(m, OP_FETCH + (uint8_t)pick(m, 3), type, NULL, NULL, NULL);
        for (uint32_t i = 0; i < 2; i++) {
            e->arg[i] = i ? make_expr(m, u32, depth) : a;
            if (!chance(m, 4))
                e->arg[i] = expr_make(m, OP_AND, u32, e->arg[i],
                                      make_number(m, K_U32, TEXTURE_SIDE - 1), NULL);
            e->arg[i] = expr_make(m, OP_CONVERT, (struct type){K_I32, 1}, e->arg[i], NULL, NULL);
        }
        return e;
    }
    if (chance(m, 2))
        return expr_make(m, counts[pick(m, 4)], type, a, NULL, NULL);
    const uint32_t offset = pick(m, 32);
    e = expr_make(m, chance(m, 2) ? OP_EXTRACT : OP_INSERT, type, a, NULL, NULL);
    if (e->op == OP_INSERT)
        e->arg[1] = make_expr(m, type, depth);
    e->imm = offset | pick(m, 33 - offset) << 8;
    return e;
}

static struct expr *
make_float(struct maker *m, struct type type, uint32_t depth)
{
    static const uint8_t binary[] = {OP_ADD, OP_ADD, OP_SUB, OP_MUL,
                                     OP_MUL, OP_DIV, OP_MIN, OP_MAX};
    static const uint8_t unary[] = {OP_NEG,   OP_ABS,        OP_SIGN,  OP_FLOOR, OP_CEIL,
                                    OP_TRUNC, OP_ROUND_EVEN, OP_FRACT, OP_SQRT};
    struct expr *a = make_expr(m, type, depth);
    if (chance(m, 4))
        return expr_make(m, unary[pick(m, 9)], type, a, NULL, NULL);
    if (chance(m, 8)) {
        struct expr *least = make_splat(m, type, -(int)pick(m, 9));
        return expr_make(m, OP_CLAMP, type, a, least, make_splat(m, type, pick(m, 9)));
    }
    const uint8_t op = binary[pick(m, 8)];
    return expr_make(m, op, type, a, make_expr(m, type, depth), NULL);
}

static struct expr *
make_bits(struct maker *m, struct type type, uint32_t depth)
{
    const uint8_t floats[] = {[K_U16] = K_F16, [K_U32] = K_F32, [K_U64] = K_F64};
    const uint8_t words[] = {[K_F16] = K_U16, [K_F32] = K_U32, [K_F64] = K_U64};
    if (type.n != 1)
        return make_shape(m, type, depth);
    if (kind_is_float(type.kind)) {
        const struct type from = {words[type.kind], 1};
        return expr_make(m, OP_FROM_BITS, type, make_expr(m, from, depth), NULL, NULL);
    }
    if (type.kind == K_U16 || type.kind == K_U32 || type.kind == K_U64) {
        const struct type from = {floats[type.kind], 1};
        if (chance(m, 2))
            return expr_make(m, OP_BITS, type, make_expr(m, from, depth), NULL, NULL);
        /* from two or four of the narrower ones */
        const struct type parts = {
            (uint8_t)(type.kind - (type.kind > K_U16 && chance(m, 2) ? 4 : 2)), 2};
        struct type narrow = parts;
        narrow.n = (uint8_t)(kind_bits(type.kind) / kind_bits(parts.kind));
        if (narrow.n <= 4 && !(type.kind == K_U64 && narrow.kind == K_U8))
            return expr_make(m, OP_PACK, type, make_expr(m, narrow, depth), NULL, NULL);
    }
    return make_leaf(m, type);
}

static struct expr *
make_unpacked(struct maker *m, struct type type, uint32_t depth)
{
    const uint32_t bits = type.n * kind_bits(type.kind);
    const uint8_t from = bits == 16 ? K_U16 : bits == 32 ? K_U32 : K_U64;
    if ((type.kind != K_U8 && type.kind != K_U16 && type.kind != K_U32) || type.n == 1 ||
        type.n == 3 || (type.kind == K_U8 && bits == 64) || bits > 64)
        return make_shape(m, type, depth);
    return expr_make(m, OP_PACK, type, make_expr(m, (struct type){from, 1}, depth), NULL, NULL);
}

static struct expr *
make_bool(struct maker *m, struct type type, uint32_t depth)
{
    static const uint8_t compare[] = {OP_LT, OP_LE, OP_GT, OP_GE, OP_EQ, OP_NE};
    const uint8_t kind = make_kind(m);
    const struct type from = {kind, type.n};
    struct expr *a, *b;
    if (type.n == 1 && chance(m, 4))
        return make_near_test(m, depth);
    if (type.n == 1 && chance(m, 4)) {
        a = make_expr(m, type, depth);
        if (chance(m, 4))
            return expr_make(m, OP_NOT, type, a, NULL, NULL);
        b = make_expr(m, type, depth);
        return expr_make(m, chance(m, 2) ? OP_LAND : OP_LOR, type, a, b, NULL);
    }
    if (type.n == 1 && chance(m, 8)) {
        const struct type vector = {K_BOOL, (uint8_t)(2 + pick(m, 3))};
        a = make_expr(m, vector, depth);
        return expr_make(m, chance(m, 2) ? OP_ALL : OP_ANY, type, a, NULL, NULL);
    }
    a = make_expr(m, from, depth);
    if (kind_is_float(kind) && chance(m, 6))
        return expr_make(m, chance(m, 2) ? OP_ISNAN : OP_ISINF, type, a, NULL, NULL);
    b = make_expr(m, from, depth);
    uint8_t op = compare[pick(m, 6)];
    if (kind == K_BOOL)
        op = OP_EQ + (uint8_t)pick(m, 2);
    return expr_make(m, op, type, a, b, NULL);
}

/* One of the shapes that the compiler looks for; NULL: not of this type. */
static struct expr *
make_pattern(struct maker *m, struct type type, uint32_t depth)
{
    const bool is_word = type.n == 1 && (type.kind == K_U32 || type.kind == K_I32);
    struct expr *row = NULL;
    if (m->k->is_wider && is_word && type.kind == K_U32 && chance(m, 3))
        row = make_narrow_row(m, depth);
    if (row)
        return row;
    if (m->k->is_wider && is_word && chance(m, 2))
        return type.kind == K_U32 && chance(m, 3) ? make_rotated(m, depth)
                                                  : make_logic(m, type, depth);
    if (chance(m, 3))
        return make_products(m, type, depth);
    if (!is_word)
        return NULL;
    if (type.kind == K_U32 && chance(m, 3))
        return make_words(m, depth);
    if (type.kind == K_U32 && chance(m, 4))
        return make_small_product(m, depth);
    return make_split(m, type.kind, depth);
}

struct expr *
make_expr(struct maker *m, struct type type, uint32_t depth)
{
    if (depth == 0 || chance(m, 6))
        return make_leaf(m, type);
    depth--;
    struct expr *pattern = chance(m, m->k->is_wider ? 6 : 16) ? make_pattern(m, type, depth) : NULL;
    if (pattern)
        return pattern;
    switch (pick(m, 16)) {
    case 0:
        return make_select(m, type, depth);
    case 1:
        return make_convert(m, type, depth);
    case 2:
        return make_shape(m, type, depth);
    case 3:
        if (m->k->is_rewritten)
            break;
        return chance(m, 2) ? make_bits(m, type, depth) : make_unpacked(m, type, depth);
    case 4:
    case 5:
        return make_load(m, type, depth);
    case 6:
        if (type.kind == K_U32 || type.kind == K_I32)
            return make_word(m, type, depth);
        break;
    default:
        break;
    }
    if (type.kind == K_BOOL)
        return make_bool(m, type, depth);
    return kind_is_float(type.kind) ? make_float(m, type, depth) : make_integer(m, type, depth);
}

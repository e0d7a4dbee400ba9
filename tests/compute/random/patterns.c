/* SPDX-License-Identifier: MIT */
/* Random expressions of the shapes that the compiler looks for: rows of words side by side, sums of
 * products of what is loaded, positions that are taken apart, values that are bounded just so.
 */
#include "make.h"

#define SPLIT_MAX 64u

static const struct type u32 = {K_U32, 1};

/* A counter of a loop around, or another variable. */
static struct expr *
make_counter(struct maker *m)
{
    struct ref ref;
    if (!make_ref(m, u32, false, &ref) || ref.index)
        return make_number(m, K_U32, pick(m, 9));
    struct expr *e = expr_make(m, OP_READ, u32, NULL, NULL, NULL);
    e->ref = ref;
    return ref.var->is_constant ? e : make_with_number(m, OP_AND, e, 255);
}

struct expr *
make_turn(struct maker *m)
{
    static const uint8_t compare[] = {OP_EQ, OP_EQ, OP_GE, OP_LT, OP_GT};
    const struct var *counter = NULL;
    for (uint32_t i = 0; i < m->visible_count; i++)
        if (m->visible[i]->is_constant)
            counter = m->visible[i];
    if (!counter)
        return NULL;
    const struct type type = counter->shape->fields[0].type;
    const uint8_t op = compare[pick(m, 5)];
    struct expr *e = expr_make(m, OP_READ, type, NULL, NULL, NULL);
    e->ref.var = (struct var *)counter;
    return expr_make(m, op, (struct type){K_BOOL, 1}, e, make_number(m, type.kind, pick(m, 8)),
                     NULL);
}

/* Low bits of a place cleared in one way or another. */
static struct expr *
rounded_down(struct maker *m, struct expr *e)
{
    const uint32_t bits = 1 + pick(m, 5);
    switch (pick(m, 4)) {
    case 0:
        e = make_with_number(m, OP_SHR, e, bits);
        return make_with_number(m, OP_MUL, e, 1 << bits);
    case 1:
        return make_with_number(m, OP_AND, e, (uint32_t) ~((1u << bits) - 1));
    case 2:
        e = make_with_number(m, OP_SHR, e, bits);
        return make_with_number(m, OP_SHL, e, bits);
    default:
        return make_with_number(m, OP_AND, e, (uint32_t) ~((1u << bits) - 1 + pick(m, 3)));
    }
}

/* A place that is a line over the grid, or nearly one. */
struct expr *
make_line(struct maker *m)
{
    static const uint8_t places[] = {B_LINEAR,   B_LINEAR,  B_LINEAR,  B_GLOBAL_X,    B_GLOBAL_X,
                                     B_GLOBAL_Y, B_LOCAL_X, B_LOCAL_Y, B_LOCAL_INDEX, B_GROUP_X};
    static const uint8_t steps[] = {1, 1, 1, 2, 3, 4, 4, 5, 8, 16, 33};
    struct expr *e = make_builtin(m, places[pick(m, 10)]);
    if (chance(m, 2))
        e = make_with_number(m, OP_MUL, e, steps[pick(m, 11)]);
    if (chance(m, 3)) {
        struct expr *other = make_builtin(m, places[3 + pick(m, 7)]);
        e = make_binary(m, OP_ADD, e, make_with_number(m, OP_MUL, other, steps[pick(m, 11)]));
    }
    if (chance(m, 5)) { /* rows of a workgroup */
        e = make_with_number(m, OP_MUL, make_builtin(m, B_LOCAL_Y), steps[pick(m, 11)]);
        e = make_binary(m, OP_ADD, make_builtin(m, B_LOCAL_X), e);
    }
    if (chance(m, 10))
        e = make_binary(m, OP_MUL, e, make_builtin(m, places[pick(m, 10)]));
    if (chance(m, 3))
        e = make_binary(m, OP_ADD, e, make_counter(m));
    if (chance(m, 8)) /* from the end */
        e = make_binary(m, OP_SUB, make_number(m, K_U32, 3000 + pick(m, 200)),
                        make_with_number(m, OP_REM, e, 3000));
    if (chance(m, 5))
        e = rounded_down(m, e);
    return e;
}

static struct expr *
load(struct maker *m, uint8_t buffer, struct expr *index)
{
    struct expr *e = expr_make(m, OP_LOAD, m->k->buffers[buffer].type, index, NULL, NULL);
    e->imm = buffer;
    return e;
}

static bool
holds(const struct maker *m, uint8_t buffer, uint8_t kind)
{
    const struct type type = m->k->buffers[buffer].type;
    return type.kind == kind && type.n == 1;
}

struct expr *
make_copied(struct maker *m, struct type type)
{
    for (uint8_t b = BUF_IN; b <= BUF_OWN2; b++) {
        const struct type stored = m->k->buffers[b].type;
        if (stored.kind != type.kind || stored.n != type.n || chance(m, 3))
            continue;
        return load(m, b, b >= BUF_OWN ? make_number(m, K_U32, pick(m, OWN)) : make_line(m));
    }
    return NULL;
}

/* A buffer of words that has its elements side by side. */
static uint8_t
word_buffer(struct maker *m)
{
    const uint8_t own = BUF_OWN + (uint8_t)pick(m, 2);
    return holds(m, own, K_U32) && !m->k->own_is_strided[own - BUF_OWN] && chance(m, 2) ? own
                                                                                        : BUF_IN;
}

/* Words side by side, in any order, each with its own weight. */
struct expr *
make_words(struct maker *m, uint32_t depth)
{
    uint8_t order[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    const uint32_t count = 3 + pick(m, 6), lines = 1 + pick(m, 2);
    struct expr *base[2], *sum = make_expr(m, u32, depth);
    uint8_t buffer[2];
    for (uint32_t i = count; i > 1; i--) {
        const uint32_t other = pick(m, i);
        const uint8_t t = order[i - 1];
        order[i - 1] = order[other];
        order[other] = t;
    }
    for (uint32_t l = 0; l < lines; l++) {
        buffer[l] = l && chance(m, 2) ? buffer[0] : word_buffer(m);
        const uint32_t scale = pick(m, 8);
        base[l] = buffer[l] != BUF_IN ? make_number(m, K_U32, scale / 4 * 4)
                                      : make_with_number(m, OP_MUL, make_line(m), 1 + scale);
    }
    for (uint32_t i = 0; i < count * lines; i++) {
        const uint32_t l = i % lines;
        struct expr *word =
            load(m, buffer[l], make_with_number(m, OP_ADD, base[l], order[i / lines]));
        sum = make_binary(m, OP_XOR, make_with_number(m, OP_MUL, sum, 31), word);
    }
    return sum;
}

static struct expr *
make_factor(struct maker *m, uint8_t buffer, struct expr *line)
{
    const struct type type = m->k->buffers[buffer].type;
    switch (pick(m, 6)) {
    case 0:
        return make_number(m, type.kind, 1);
    case 1:
        return make_constant(m, type);
    case 2:
        return load(m, buffer, make_number(m, K_U32, pick(m, 9)));
    default:
        return load(m, buffer, make_with_number(m, OP_ADD, line, pick(m, 6)));
    }
}

/* A sum of products; NULL: no buffer has this type. */
struct expr *
make_products(struct maker *m, struct type type, uint32_t depth)
{
    const uint8_t buffer = holds(m, BUF_TABLE, type.kind) ? BUF_TABLE : BUF_IN;
    if (type.n != 1 || !holds(m, buffer, type.kind))
        return NULL;
    struct expr *lines[2] = {make_line(m), NULL}, *sum;
    lines[1] = chance(m, 2) ? lines[0] : make_line(m);
    const uint32_t count = chance(m, 12) ? 30 + pick(m, 6) : 1 + pick(m, 8);
    sum = chance(m, 2) ? make_factor(m, buffer, lines[0]) : make_expr(m, type, depth);
    for (uint32_t i = 0; i < count; i++) {
        struct expr *a = make_factor(m, buffer, lines[pick(m, 2)]);
        struct expr *b = make_factor(m, buffer, lines[pick(m, 2)]);
        struct expr *product = chance(m, 5) ? a : make_binary(m, OP_MUL, a, b);
        sum = chance(m, 3) ? make_binary(m, OP_ADD, product, sum)
                           : make_binary(m, OP_ADD, sum, product);
    }
    return sum;
}

/* A number of at most *most, which is not wrapped around. */
static struct expr *
make_bounded(struct maker *m, uint32_t depth, uint32_t *most)
{
    static const uint32_t numbers[] = {0,  1,  2,  3,   5,   7,     8,     15,   16,
                                       31, 63, 64, 100, 255, 32767, 32768, 65535};
    const uint32_t number = numbers[pick(m, 17)], axis = pick(m, 3);
    uint32_t other;
    struct expr *e;
    switch (pick(m, depth ? 10 : 6)) {
    case 0:
        *most = number;
        return make_with_number(m, OP_AND, make_expr(m, u32, depth), number);
    case 1:
        *most = number;
        return make_with_number(m, OP_REM, make_expr(m, u32, depth), (int64_t)number + 1);
    case 2:
        *most = number;
        return make_with_number(m, OP_MIN, make_expr(m, u32, depth), number);
    case 3:
    case 4:
        *most = m->k->local[axis] - 1;
        return make_builtin(m, B_LOCAL_X + (uint8_t)axis);
    case 5:
        *most = 1;
        return expr_make(m, OP_CONVERT, u32, make_expr(m, (struct type){K_BOOL, 1}, depth), NULL,
                         NULL);
    case 6:
        e = make_bounded(m, depth - 1, most);
        e = make_binary(m, OP_ADD, e, make_bounded(m, depth - 1, &other));
        *most += other;
        return e;
    case 7:
        e = make_bounded(m, depth - 1, most);
        if (chance(m, 2) || *most > 70000) {
            *most = *most > number ? *most : number;
            return make_with_number(m, OP_MAX, e, number);
        }
        other = 1 + pick(m, 9);
        *most *= other;
        return make_with_number(m, OP_MUL, e, other);
    case 8:
        e = make_bounded(m, depth - 1, most);
        other = *most + pick(m, 2);
        if (!other)
            return e;
        *most = other - 1;
        return make_with_number(m, OP_REM, e, other);
    default:
        e = make_bounded(m, depth - 1, most);
        if (chance(m, 2)) {
            other = pick(m, 5);
            *most >>= other;
            return make_with_number(m, OP_SHR, e, other);
        }
        *most += pick(m, 3);
        return make_binary(m, OP_SUB, make_number(m, K_U32, *most), e);
    }
}

/* Perhaps as another type. */
static struct expr *
as_kind(struct maker *m, struct expr *e, uint8_t kind)
{
    return kind == K_U32 ? e : expr_make(m, OP_CONVERT, (struct type){kind, 1}, e, NULL, NULL);
}

/* A comparison with what decides it, or nearly so. */
struct expr *
make_near_test(struct maker *m, uint32_t depth)
{
    static const uint8_t compare[] = {OP_LT, OP_LE, OP_GT, OP_GE, OP_EQ, OP_NE};
    const uint8_t kind = chance(m, 2) ? K_U32 : K_I32, op = compare[pick(m, 6)];
    uint32_t most;
    struct expr *a = as_kind(m, make_bounded(m, depth, &most), kind), *b;
    const int64_t numbers[] = {
        0, 1, most, most, (int64_t)most - 1, (int64_t)most + 1, most / 2, kind == K_U32 ? 7 : -1};
    const int64_t number = numbers[pick(m, 8)];
    if (chance(m, 4))
        b = as_kind(m, make_bounded(m, depth, &most), kind);
    else
        b = make_number(m, kind, number < 0 && kind == K_U32 ? 0 : number);
    if (chance(m, 2))
        return expr_make(m, op, (struct type){K_BOOL, 1}, a, b, NULL);
    return expr_make(m, op, (struct type){K_BOOL, 1}, b, a, NULL);
}

/* Numbers put together and taken apart, like a place in two dimensions. */
struct expr *
make_split(struct maker *m, uint8_t kind, uint32_t depth)
{
    static const uint8_t shifts[] = {1, 2, 3, 4, 5, 6};
    const uint32_t shift = shifts[pick(m, 6)];
    const uint32_t unit = chance(m, 2) ? 1u << shift : 2 + pick(m, SPLIT_MAX - 2);
    uint32_t most;
    struct expr *whole = make_bounded(m, depth, &most), *rest;
    if (chance(m, 3)) { /* a / c * c * k + a % c * k */
        const uint32_t scale = 1 + pick(m, 4);
        whole = as_kind(m, chance(m, 3) && kind == K_U32 ? make_expr(m, u32, depth) : whole, kind);
        rest = make_with_number(m, OP_MUL, make_with_number(m, OP_REM, whole, unit), scale);
        whole = make_with_number(m, OP_MUL, make_with_number(m, OP_DIV, whole, unit), unit * scale);
        return chance(m, 2) ? make_binary(m, OP_ADD, whole, rest)
                            : make_binary(m, OP_ADD, rest, whole);
    }
    rest = make_expr(m, u32, depth);
    const uint32_t below = chance(m, 3) ? unit + 1 : unit;
    rest = chance(m, 2) ? make_with_number(m, OP_REM, rest, below)
                        : make_with_number(m, OP_MIN, rest, below - 1);
    whole = make_binary(m, OP_ADD, make_with_number(m, OP_MUL, whole, unit), rest);
    whole = as_kind(m, whole, kind);
    if (unit == 1u << shift && chance(m, 2))
        return chance(m, 2) ? make_with_number(m, OP_SHR, whole, shift)
                            : make_with_number(m, OP_AND, whole, unit - 1);
    return make_with_number(m, chance(m, 2) ? OP_DIV : OP_REM, whole, unit);
}

/* A product that just fits into 16 bits times 16 bits, or just does not. */
struct expr *
make_small_product(struct maker *m, uint32_t depth)
{
    static const int32_t factors[] = {3, 10, 255, 1000, 32767, 32769, -3, -1000, -32768, -32769};
    uint32_t most;
    struct expr *e = make_bounded(m, depth, &most);
    return make_with_number(m, OP_MUL, e, (uint32_t)factors[pick(m, 10)]);
}

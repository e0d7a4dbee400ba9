/* SPDX-License-Identifier: MIT */
/* Words side by side that are stored one by one, loops along a row, and functions of single bits:
 * what several instructions make together is one for the compiler.
 */
#include "make.h"

static const struct type u32 = {K_U32, 1};

/* Elements of the invocation in order, backwards or mixed; something may stand between them. */
void
make_row_stores(struct maker *m, struct block *block)
{
    const uint32_t buffer = BUF_OWN + pick(m, 2), count = 2 + pick(m, OWN - 1);
    const uint32_t first = pick(m, OWN), order = pick(m, 4), swapped = pick(m, OWN);
    const bool is_broken = chance(m, 3);
    const struct type type = m->k->buffers[buffer].type;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = order == 1 ? count - 1 - i : order == 2 ? i ^ 1 : i;
        if (order == 3 && (i == swapped || i + 1 == swapped))
            at = i == swapped ? i - 1 : i + 1;
        struct expr *index = make_number(m, K_U32, (first + at) % OWN);
        struct expr *e = chance(m, 3) ? make_copied(m, type) : NULL;
        if (!e)
            e = make_expr(m, type, chance(m, 3) ? 2 : 1);
        struct stmt *s = stmt_make(m, block, ST_STORE);
        s->imm = buffer;
        s->expr[0] = index;
        s->expr[1] = e;
        if (is_broken && chance(m, 3))
            make_block(m, block, 1);
    }
}

/* A loop's body that loads one element further on in each round, and may leave or skip some. */
void
make_row_walk(struct maker *m, struct block *block, struct var *counter)
{
    static const uint8_t places[] = {B_LINEAR, B_LINEAR, B_GLOBAL_X, B_LOCAL_INDEX, B_GLOBAL_Y};
    static const uint8_t steps[] = {1, 3, 4, 5, 8, 16, 17, 33, 64};
    const uint8_t buffer =
        m->k->buffers[BUF_TABLE].type.n == 1 && chance(m, 2) ? BUF_TABLE : BUF_IN;
    const struct type type = m->k->buffers[buffer].type;
    const struct ref ref = make_target(m, block, type);
    if (m->loop_depth && chance(m, 3))
        make_jump(m, block);
    struct expr *row = make_builtin(m, places[pick(m, 5)]);
    row = make_with_number(m, OP_MUL, row, steps[pick(m, 9)]);
    struct expr *count = expr_make(m, OP_READ, counter->shape->fields[0].type, NULL, NULL, NULL);
    count->ref.var = counter;
    if (count->type.kind != K_U32)
        count = expr_make(m, OP_CONVERT, u32, count, NULL, NULL);
    struct expr *index = make_binary(m, OP_ADD, row, count);
    if (chance(m, 3))
        index = make_with_number(m, OP_ADD, index, pick(m, 4000));
    struct expr *e = expr_make(m, OP_LOAD, type, index, NULL, NULL);
    e->imm = buffer;
    struct expr *old = expr_make(m, OP_READ, type, NULL, NULL, NULL);
    old->ref = ref;
    struct stmt *s = stmt_make(m, block, ST_ASSIGN);
    s->ref = ref;
    s->expr[0] = make_binary(m, OP_ADD, old, e);
    if (chance(m, 4))
        make_block(m, block, 1);
}

static struct expr *
logic_of(struct maker *m, struct expr *const leaves[3], uint32_t depth)
{
    static const uint8_t ops[] = {OP_AND, OP_OR, OP_XOR};
    if (depth == 0 || chance(m, 8))
        return leaves[pick(m, 3)];
    struct expr *a = logic_of(m, leaves, depth - 1);
    if (chance(m, 6))
        return expr_make(m, OP_NOT, a->type, a, NULL, NULL);
    return make_binary(m, ops[pick(m, 3)], a, logic_of(m, leaves, depth - 1));
}

/* Of three values, bit by bit: a choice, a majority, or anything. */
struct expr *
make_logic(struct maker *m, struct type type, uint32_t depth)
{
    struct expr *leaves[3], *a, *b, *c;
    for (uint32_t i = 0; i < 3; i++)
        leaves[i] = make_expr(m, type, depth ? depth - 1 : 0);
    a = leaves[0];
    b = leaves[1];
    c = leaves[2];
    switch (pick(m, 5)) {
    case 0:
        return make_binary(m, OP_XOR, c, make_binary(m, OP_AND, a, make_binary(m, OP_XOR, b, c)));
    case 1:
        return make_binary(m, pick(m, 2) ? OP_OR : OP_XOR, make_binary(m, OP_AND, a, b),
                           make_binary(m, OP_AND, expr_make(m, OP_NOT, type, a, NULL, NULL), c));
    case 2:
        return make_binary(
            m, OP_XOR,
            make_binary(m, OP_XOR, make_binary(m, OP_AND, a, b), make_binary(m, OP_AND, a, c)),
            make_binary(m, OP_AND, b, c));
    default:
        return logic_of(m, leaves, 2 + pick(m, 3));
    }
}

/* Bits that come in again at the other end, or nearly so. */
struct expr *
make_rotated(struct maker *m, uint32_t depth)
{
    static const uint8_t ops[] = {OP_OR, OP_XOR, OP_ADD};
    const uint32_t by = 1 + pick(m, 31), back = (chance(m, 6) ? 33 : 32) - by;
    struct expr *e = make_expr(m, u32, depth), *other = chance(m, 8) ? make_expr(m, u32, depth) : e;
    struct expr *left = chance(m, 4) ? make_with_number(m, OP_MUL, e, (uint32_t)1 << by)
                                     : make_with_number(m, OP_SHL, e, by);
    struct expr *right = make_with_number(m, OP_SHR, other, back < 32 ? back : 31);
    e = chance(m, 2) ? make_binary(m, ops[pick(m, 3)], left, right)
                     : make_binary(m, ops[pick(m, 3)], right, left);
    return chance(m, 3) ? make_binary(m, OP_XOR, e, make_expr(m, u32, depth)) : e;
}

struct expr *
make_narrow_row(struct maker *m, uint32_t depth)
{
    static const uint8_t readable[] = {BUF_TABLE, BUF_OWN, BUF_OWN2};
    const uint8_t buffer = readable[pick(m, 3)];
    const struct type type = m->k->buffers[buffer].type;
    if (type.n != 1 || type.kind < K_I8 || type.kind > K_U16)
        return NULL;
    const bool is_own = buffer != BUF_TABLE, is_gathered = chance(m, 3);
    const uint32_t count = 4 + pick(m, 5), turn = chance(m, 2) ? 0 : pick(m, count);
    struct expr *base = is_own        ? make_number(m, K_U32, 0)
                        : is_gathered ? make_expr(m, u32, depth)
                                      : make_line(m);
    if (is_gathered && !is_own && !m->k->wants_wild)
        base = make_with_number(m, OP_REM, base, 1 + m->k->buffers[buffer].length);
    if (!is_own && !is_gathered)
        base = make_with_number(m, OP_MUL, base, 1 + pick(m, 8));
    struct expr *sum = make_number(m, K_U32, 7);
    for (uint32_t i = 0; i < count; i++) {
        struct expr *e = expr_make(
            m, OP_LOAD, type, make_with_number(m, OP_ADD, base, (i + turn) % count), NULL, NULL);
        e->imm = buffer;
        e = expr_make(m, OP_CONVERT, u32, e, NULL, NULL);
        sum = make_binary(m, OP_XOR, make_with_number(m, OP_MUL, sum, 31), e);
    }
    return sum;
}

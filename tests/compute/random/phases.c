/* SPDX-License-Identifier: MIT */
/* Random statements in which the invocations of a workgroup or subgroup meet.
 */
#include "make.h"

static const struct type u32 = {K_U32, 1}, yes = {K_BOOL, 1};

static void
make_shared_sums(struct maker *m, struct block *block)
{
    const struct ref ref = make_target(m, block, u32);
    struct stmt *s = stmt_make(m, block, ST_SHARED_CLEAR);
    s->imm = pick(m, 1000);
    const bool may_exchange = m->may_exchange, is_uniform = m->is_uniform;
    m->adds_shared = true;
    m->may_exchange = true; /* no return before the barrier */
    m->is_uniform = false;  /* and no phase inside */
    make_block(m, block, 3);
    m->adds_shared = false;
    m->may_exchange = may_exchange;
    m->is_uniform = is_uniform;
    struct expr *index = make_expr(m, u32, 2);
    s = stmt_make(m, block, ST_SHARED_READ);
    s->ref = ref;
    s->expr[0] = index;
}

/* Steps in which the first lanes take in what others hold: mostly half as many each time. None
 * reads what another lane writes. */
static uint32_t
make_steps(struct maker *m, struct step *steps, uint32_t total)
{
    const bool is_regular = chance(m, 2);
    uint32_t count = 0, log2 = 0;
    while (2u << log2 <= total)
        log2++;
    const uint32_t most = is_regular ? log2 : 2 + pick(m, 4);
    for (; count < most && count < STEPS_MAX; count++) {
        uint32_t lanes = 1u << (is_regular ? log2 - 1 - count : pick(m, log2 + 1));
        if (!is_regular && chance(m, 4))
            lanes = 1 + pick(m, total);
        const bool is_near = is_regular || chance(m, 2);
        const uint32_t distance = lanes + (is_near ? 0 : pick(m, total - lanes + 1));
        steps[count] =
            (struct step){(uint16_t)lanes, (uint16_t)distance, !is_regular && chance(m, 2)};
    }
    return count;
}

/* A reduction in the memory of the workgroup. */
static void
make_reduction(struct maker *m, struct block *block)
{
    static const uint8_t integer_ops[] = {OP_ADD, OP_ADD, OP_MIN, OP_MAX, OP_AND, OP_OR, OP_XOR};
    static const uint8_t float_ops[] = {OP_ADD, OP_MUL, OP_MIN, OP_MAX, OP_SUB};
    const struct type type = m->k->tree_type;
    const struct ref ref = make_target(m, block, type);
    struct expr *e = make_expr(m, type, 3), *far = make_expr(m, type, 1);
    struct expr *index = chance(m, 2) ? make_number(m, K_U32, 0) : make_expr(m, u32, 2);
    struct stmt *s = stmt_make(m, block, ST_REDUCE);
    s->ref = ref;
    s->expr[0] = e;
    s->expr[1] = far;
    s->expr[2] = index;
    s->imm = kind_is_float(type.kind) ? float_ops[pick(m, 5)] : integer_ops[pick(m, 7)];
    s->imm2 = make_steps(m, s->steps, m->k->local[0] * m->k->local[1] * m->k->local[2]);
}

/* What one invocation does alone, with its state in words that all of them see. */
static void
make_coder(struct maker *m, struct block *block)
{
    const struct ref ref = make_target(m, block, u32);
    struct expr *e = make_expr(m, u32, 2);
    struct stmt *s = stmt_make(m, block, ST_CODER);
    s->ref = ref;
    s->expr[0] = e;
    s->imm = pick(m, m->k->local[0] * m->k->local[1] * m->k->local[2]);
    s->imm2 = pick(m, 12);
}

static uint32_t
common_divisor(uint32_t a, uint32_t b)
{
    return b ? common_divisor(b, a % b) : a;
}

void
make_exchange(struct maker *m, struct block *block)
{
    if (!m->k->has_shared || !m->is_uniform || m->has_left || m->function)
        return;
    if (chance(m, 3)) {
        make_shared_sums(m, block);
        return;
    }
    if (chance(m, 4)) {
        make_coder(m, block);
        return;
    }
    if (chance(m, 2)) {
        make_reduction(m, block);
        return;
    }
    const uint32_t total = m->k->local[0] * m->k->local[1] * m->k->local[2];
    const struct ref ref = make_target(m, block, m->k->shared_type);
    struct expr *e = make_expr(m, m->k->shared_type, 3), *index = make_expr(m, u32, 2);
    struct stmt *s = stmt_make(m, block, ST_EXCHANGE);
    s->ref = ref;
    s->expr[0] = e;
    s->expr[1] = index;
    s->imm = chance(m, 2) ? 1 : 1 + pick(m, 2 * total);
    if (common_divisor(s->imm, total) != 1)
        s->imm = 1;
    s->imm2 = chance(m, 2) ? 0 : pick(m, total);
}

static struct type
subgroup_type(struct maker *m, uint32_t op)
{
    struct type type = make_type(m);
    if (op >= SG_BALLOT && op <= SG_ELECT)
        return yes;
    if (op <= SG_XOR && type.kind == K_BOOL)
        return u32;
    if (kind_is_float(type.kind) && op <= SG_XOR && op != SG_MIN && op != SG_MAX)
        type.kind = K_I32;
    return type;
}

void
make_subgroup(struct maker *m, struct block *block)
{
    const uint32_t total = m->k->local[0] * m->k->local[1] * m->k->local[2];
    const uint32_t op = pick(m, 2) ? pick(m, SG_SHUFFLE_XOR + 1) : pick(m, SG_XOR + 1);
    const bool is_whole =
        m->is_uniform && !m->has_left && total % m->k->subgroup == 0 && !m->function;
    if (!m->k->has_subgroups || m->switch_depth || (op >= SG_SHUFFLE && !is_whole))
        return;
    const struct type type = subgroup_type(m, op);
    const struct ref ref = make_target(m, block, op == SG_BALLOT ? u32 : type);
    struct expr *e = make_expr(m, type, 3), *from = make_expr(m, u32, 2);
    if (op <= SG_XOR && kind_is_float(type.kind)) { /* what NaN alone and zeros give is open */
        e = expr_make(m, OP_MAX, type, e, make_constant(m, type), NULL);
        e = expr_make(m, OP_ABS, type, e, NULL, NULL);
    }
    struct stmt *s = stmt_make(m, block, ST_SUBGROUP);
    s->ref = ref;
    s->expr[0] = e;
    s->expr[1] = op == SG_SHUFFLE ? from : NULL;
    s->imm = op;
    s->imm2 = op == SG_SHUFFLE_XOR ? pick(m, m->k->subgroup) : op <= SG_XOR ? pick(m, 4) : 0;
}

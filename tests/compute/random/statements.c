/* SPDX-License-Identifier: MIT */
/* Random statements.
 */
#include "make.h"

static const struct type u32 = {K_U32, 1}, yes = {K_BOOL, 1};

struct var *
var_make(struct maker *m, const struct shape *shape)
{
    struct var *var = make_memory(m->k, sizeof(*var));
    *var = (struct var){.shape = shape, .id = m->k->var_count++, .slot = m->k->slot_count};
    m->k->slot_count += shape->slots;
    return var;
}

static void
show(struct maker *m, struct var *var)
{
    if (m->visible_count < VISIBLE_MAX)
        m->visible[m->visible_count++] = var;
}

static const struct shape *
plain(struct maker *m, struct type type)
{
    struct shape *shape = make_memory(m->k, sizeof(*shape));
    *shape = (struct shape){
        .form = FORM_PLAIN, .field_count = 1, .slots = type.n, .fields = {{.type = type}}};
    return shape;
}

struct stmt *
stmt_make(struct maker *m, struct block *block, uint8_t op)
{
    struct stmt *s = make_memory(m->k, sizeof(*s));
    *s = (struct stmt){.op = op, .next_made = m->k->stmts};
    m->k->stmts = s;
    if (block->last)
        block->last->next = s;
    else
        block->first = s;
    block->last = s;
    return s;
}

static struct var *
declare(struct maker *m, struct block *block, const struct shape *shape)
{
    struct stmt *s = stmt_make(m, block, ST_DECLARE);
    for (uint32_t f = 0; f < shape->field_count; f++)
        s->expr[f] = make_expr(m, shape->fields[f].type, 3);
    s->ref.var = var_make(m, shape);
    show(m, s->ref.var);
    return s->ref.var;
}

void
make_declarations(struct maker *m, struct block *block)
{
    for (uint32_t i = 2 + pick(m, 3); i-- > 0;)
        declare(m, block, plain(m, make_type(m)));
    for (uint32_t i = 0; i < m->k->shape_count; i++)
        declare(m, block, &m->k->shapes[i]);
}

struct ref
make_target(struct maker *m, struct block *block, struct type type)
{
    struct ref ref = {0};
    if (!make_ref(m, type, true, &ref))
        ref = (struct ref){.var = declare(m, block, plain(m, type))};
    return ref;
}

static void
make_assign(struct maker *m, struct block *block)
{
    const struct type type = make_type(m);
    const struct ref ref = make_target(m, block, type);
    struct expr *e = make_expr(m, type, 4);
    struct stmt *s = stmt_make(m, block, ST_ASSIGN);
    s->ref = ref;
    s->expr[0] = e;
}

static struct var *
visible_of(struct maker *m, const struct shape *shape, const struct var *other)
{
    for (uint32_t tries = 0; tries < 8 && m->visible_count; tries++) {
        struct var *var = m->visible[pick(m, m->visible_count)];
        if (var->shape == shape && var != other && !var->is_constant)
            return var;
    }
    return NULL;
}

static void
make_whole(struct maker *m, struct block *block)
{
    if (!m->k->shape_count)
        return;
    const struct shape *shape = &m->k->shapes[pick(m, m->k->shape_count)];
    struct var *to = visible_of(m, shape, NULL), *from = visible_of(m, shape, to);
    if (!to || !from) {
        declare(m, block, shape);
        return;
    }
    struct stmt *s = stmt_make(m, block, shape->form == FORM_MATRIX ? ST_MATRIX : ST_COPY);
    s->ref.var = to;
    s->from = s->from2 = from;
    s->imm = pick(m, 4);
    if (s->op == ST_MATRIX)
        s->from2 = to;
    if (s->op == ST_MATRIX && s->imm == 3)
        s->expr[0] = make_expr(m, (struct type){K_F32, 1}, 3);
}

/* A block inside: what it declares goes away. */
static void
make_inner(struct maker *m, struct block *block, bool is_uniform, uint32_t count)
{
    const struct maker outer = *m;
    m->depth++;
    m->is_uniform &= is_uniform;
    make_block(m, block, count);
    m->depth = outer.depth;
    m->is_uniform = outer.is_uniform;
    m->visible_count = outer.visible_count;
}

static void
make_if(struct maker *m, struct block *block)
{
    struct expr *e = make_expr(m, yes, 3);
    struct stmt *s = stmt_make(m, block, ST_IF);
    s->expr[0] = e;
    s->block_count = 1 + pick(m, 2);
    for (uint32_t b = 0; b < s->block_count; b++)
        make_inner(m, &s->blocks[b], false, 1 + pick(m, 4));
}

/* How the counter goes on, for as many rounds. */
static void
make_walk(struct maker *m, struct stmt *s, uint32_t rounds, bool may_walk)
{
    static const uint8_t steps[] = {1, 1, 2, 3, 4, 16};
    const bool is_signed = s->ref.var->shape->fields[0].type.kind == K_I32;
    s->walk = may_walk && chance(m, 2) ? (uint8_t)pick(m, WALK_COUNT) : WALK_UP;
    s->imm = rounds;
    s->step = steps[pick(m, 6)];
    s->first = !may_walk || chance(m, 2) ? 0 : (int32_t)pick(m, 20) - (is_signed ? 10 : 0);
    if (s->walk == WALK_DOWN)
        s->first = (int32_t)rounds * s->step;
    else if (s->walk == WALK_HALVE)
        s->first = 1 << (rounds < 20 ? rounds - 1 : 19);
    else if (s->walk == WALK_DOUBLE)
        s->first = 1;
    else if (s->walk == WALK_TO && m->k->is_wider && m->k->wants_wild) /* it wraps around */
        s->first = (is_signed ? INT32_MAX : -1) - (int32_t)pick(m, rounds * (uint32_t)s->step);
    if ((s->walk == WALK_HALVE || s->walk == WALK_DOUBLE) && rounds > 20)
        s->imm = 20;
}

static void
make_loop(struct maker *m, struct block *block)
{
    static const uint8_t rounds[] = {1, 2, 3, 4, 5, 7, 8, 16, 17, 33};
    const struct maker outer = *m;
    const bool is_even = chance(m, 2); /* all do the same rounds */
    uint32_t most = rounds[pick(m, 10)];
    if (most > m->most_rounds)
        most = m->most_rounds;
    if (m->k->is_wider && m->most_rounds == 64 && chance(m, 4)) /* too many to be written out */
        most = 65 + pick(m, 70);
    struct expr *bound = make_number(m, K_U32, 1 + pick(m, 20));
    const bool is_for = is_even || chance(m, 2);
    if (!is_even)
        bound = make_expr(m, is_for ? u32 : yes, 3);
    struct stmt *s = stmt_make(m, block, is_for ? ST_FOR : ST_DO);
    const bool is_signed = is_for && is_even && chance(m, 2);
    s->block_count = 1;
    s->ref.var = var_make(m, plain(m, (struct type){is_signed ? K_I32 : K_U32, 1}));
    s->ref.var->is_constant = true;
    make_walk(m, s, most, is_for && is_even);
    if (is_even && m->is_uniform && m->most_rounds > 8)
        m->may_exchange = true;
    else
        m->is_uniform = false;
    m->most_rounds /= most;
    m->loop_depth++;
    m->switch_depth = 0;
    show(m, s->ref.var);
    /* Behind the bound: nothing that the bound reads is declared in it. */
    if (m->k->is_wider && is_for && chance(m, 3))
        make_row_walk(m, &s->blocks[0], s->ref.var);
    else
        make_inner(m, &s->blocks[0], true, 1 + pick(m, 5));
    s->expr[0] = is_for && is_even ? NULL : bound;
    m->visible_count = outer.visible_count;
    m->loop_depth = outer.loop_depth;
    m->switch_depth = outer.switch_depth;
    m->most_rounds = outer.most_rounds;
    m->is_uniform = outer.is_uniform;
    m->may_exchange = outer.may_exchange;
}

static void
make_switch(struct maker *m, struct block *block)
{
    struct expr *e = make_expr(m, u32, 3);
    struct stmt *s = stmt_make(m, block, ST_SWITCH);
    s->expr[0] = e;
    s->block_count = 2 + pick(m, 4);
    m->switch_depth++;
    for (uint32_t b = 0; b < s->block_count; b++) {
        make_inner(m, &s->blocks[b], false, 1 + pick(m, 3));
        if (b + 1 < s->block_count && chance(m, 4))
            s->imm |= 1u << b;
    }
    m->switch_depth--;
}

void
make_jump(struct maker *m, struct block *block)
{
    const uint32_t which = pick(m, 5);
    uint8_t op = which < 2 ? ST_BREAK : which < 4 ? ST_CONTINUE : ST_RETURN;
    if (m->may_exchange || (!m->loop_depth && op == ST_CONTINUE) ||
        (!m->loop_depth && !m->switch_depth && op == ST_BREAK))
        return;
    if (op == ST_RETURN && !m->function && !chance(m, 3))
        return;
    struct expr *e = make_expr(m, yes, 3), *turn = m->loop_depth ? make_turn(m) : NULL;
    if (turn && chance(m, 3))
        e = expr_make(m, chance(m, 2) ? OP_LAND : OP_LOR, yes, turn, e, NULL);
    else if (turn && chance(m, 8))
        e = turn;
    struct stmt *s = stmt_make(m, block, op);
    s->expr[0] = e;
    s->callee = m->function;
    m->has_left |= op == ST_RETURN && !m->function;
}

static void
make_call(struct maker *m, struct block *block)
{
    if (!m->k->function_count)
        return;
    struct function *callee = m->k->functions[pick(m, m->k->function_count)];
    struct stmt call = {.op = ST_CALL, .callee = callee};
    for (uint32_t p = 0; p < 2; p++)
        call.expr[p] = make_expr(m, callee->params[p]->shape->fields[0].type, 3);
    call.ref2 = make_target(m, block, callee->inout->shape->fields[0].type);
    call.ref = (struct ref){.var = declare(m, block, plain(m, callee->result))};
    struct stmt *s = stmt_make(m, block, ST_CALL);
    s->callee = callee;
    s->ref = call.ref;
    s->ref2 = call.ref2;
    for (uint32_t p = 0; p < 2; p++)
        s->expr[p] = call.expr[p];
}

static void
make_store(struct maker *m, struct block *block)
{
    const uint32_t buffer = BUF_OWN + pick(m, 2);
    const struct type type = m->k->buffers[buffer].type;
    struct expr *index = chance(m, 2) ? make_number(m, K_U32, pick(m, OWN)) : make_expr(m, u32, 2);
    struct expr *e = chance(m, 4) ? make_copied(m, type) : NULL;
    if (!e)
        e = make_expr(m, type, 3);
    const bool is_image = m->k->has_images && chance(m, 5);
    struct expr *word = make_expr(m, u32, 3);
    struct stmt *s = stmt_make(m, block, is_image ? ST_IMAGE_STORE : ST_STORE);
    s->imm = buffer;
    s->expr[0] = is_image ? word : index;
    s->expr[1] = is_image ? NULL : e;
}

/* Of the invocation's own word, seen by nobody else. */
static void
make_own_atomic(struct maker *m, struct block *block)
{
    static const uint8_t ops[] = {OP_ADD, OP_ADD, OP_MIN, OP_MAX, OP_AND, OP_OR, OP_XOR};
    const uint32_t buffer = chance(m, 2) ? BUF_SUMS : BUF_OWN + pick(m, 2);
    const struct storage *b = &m->k->buffers[buffer];
    if (buffer != BUF_SUMS && (b->type.n != 1 || kind_bits(b->type.kind) != 32 ||
                               kind_is_float(b->type.kind) || b->length < m->k->invocations * OWN))
        return;
    const bool is_wanted = chance(m, 2);
    struct ref ref = {0};
    if (is_wanted)
        ref = make_target(m, block, b->type);
    struct expr *index = buffer == BUF_SUMS ? NULL : make_expr(m, u32, 2);
    struct expr *e = make_expr(m, b->type, 3);
    struct stmt *s = stmt_make(m, block, ST_OWN_ATOMIC);
    s->ref = ref;
    s->imm = buffer == BUF_SUMS ? m->k->sum_op : ops[pick(m, 7)];
    s->imm2 = buffer;
    s->expr[0] = index;
    s->expr[1] = e;
}

/* Words of the invocation are read in front of a store to some of them, and behind it. */
static void
make_mixed_words(struct maker *m, struct block *block)
{
    const uint32_t buffer = BUF_OWN + pick(m, 2), first = 4 * pick(m, 2);
    const struct storage *b = &m->k->buffers[buffer];
    if (b->type.n != 1)
        return;
    uint32_t at = pick(m, 4);
    for (uint32_t i = 0; i < 4; i++, at = (at + 1) % 4) {
        const struct ref ref = make_target(m, block, b->type);
        struct expr *e = make_number(m, K_U32, first + at);
        e = expr_make(m, OP_LOAD, b->type, e, NULL, NULL);
        e->imm = buffer;
        struct stmt *s = stmt_make(m, block, ST_ASSIGN);
        s->ref = ref;
        s->expr[0] = e;
        if (!chance(m, 3))
            continue;
        struct expr *index = make_number(m, K_U32, first + pick(m, 4));
        e = make_expr(m, b->type, 2);
        s = stmt_make(m, block, ST_STORE);
        s->imm = buffer;
        s->expr[0] = index;
        s->expr[1] = e;
    }
}

static void
make_sum(struct maker *m, struct block *block)
{
    struct expr *index = make_expr(m, u32, 2), *e = make_expr(m, u32, 3);
    struct stmt *s =
        stmt_make(m, block, m->adds_shared && chance(m, 2) ? ST_SHARED_ADD : ST_ADD_UP);
    s->expr[0] = index;
    s->expr[1] = e;
}

/* A variable takes the value of another, which takes a new one: in loops old ones meet again. */
static void
make_rotation(struct maker *m, struct block *block)
{
    const struct type type = chance(m, 2) ? u32 : make_type(m);
    const struct ref a = make_target(m, block, type), b = make_target(m, block, type);
    struct expr *old = expr_make(m, OP_READ, type, NULL, NULL, NULL);
    old->ref = a;
    struct stmt *s = stmt_make(m, block, ST_DECLARE);
    struct var *kept = s->ref.var = var_make(m, plain(m, type));
    s->expr[0] = old;
    struct expr *e = make_expr(m, type, 2), *again = expr_make(m, OP_READ, type, NULL, NULL, NULL);
    s = stmt_make(m, block, ST_ASSIGN);
    s->ref = a;
    s->expr[0] = e;
    again->ref.var = kept;
    s = stmt_make(m, block, ST_ASSIGN);
    s->ref = b;
    s->expr[0] = again;
    show(m, kept);
}

/* Products of what was loaded before, perhaps in front of a store; some is used behind them. */
static void
make_held_products(struct maker *m, struct block *block)
{
    static const uint8_t readable[] = {BUF_IN, BUF_TABLE, BUF_OWN, BUF_OWN2};
    const struct type type = m->k->buffers[readable[pick(m, 4)]].type;
    const uint32_t count = 3 + pick(m, 6), terms = count / 2 + pick(m, 3);
    struct var *held[8];
    for (uint32_t i = 0; i < count; i++) {
        struct expr *e = make_copied(m, type);
        if (type.kind == K_BOOL || type.n != 1 || !e)
            return;
        struct stmt *s = stmt_make(m, block, ST_DECLARE);
        s->expr[0] = e;
        held[i] = s->ref.var = var_make(m, plain(m, type));
    }
    if (chance(m, 3))
        make_store(m, block);
    struct expr *sum = make_expr(m, type, 1);
    for (uint32_t i = 0; i < 2 * terms; i += 2) {
        struct expr *read[2];
        for (uint32_t r = 0; r < 2; r++) {
            read[r] = expr_make(m, OP_READ, type, NULL, NULL, NULL);
            read[r]->ref.var = held[(i + r) % count];
        }
        struct expr *product = expr_make(m, OP_MUL, type, read[0], read[1], NULL);
        sum = expr_make(m, OP_ADD, type, sum, product, NULL);
    }
    const struct ref ref = make_target(m, block, type);
    struct stmt *s = stmt_make(m, block, ST_ASSIGN);
    s->ref = ref;
    s->expr[0] = sum;
    show(m, held[0]);
}

/* Sums that are added to when all else is stored. */
void
make_tail(struct maker *m, struct block *block)
{
    for (uint32_t i = 1 + pick(m, 3); i-- > 0;) {
        if (chance(m, 4))
            make_loop(m, block);
        else if (chance(m, 2))
            make_own_atomic(m, block);
        else
            make_sum(m, block);
    }
}

static void
make_stmt(struct maker *m, struct block *block)
{
    const bool may_nest = m->depth < 4;
    if (m->k->has_shared && chance(m, 5))
        make_exchange(m, block);
    if (m->k->has_subgroups && chance(m, 5))
        make_subgroup(m, block);
    if (m->k->is_wider && chance(m, 8))
        make_row_stores(m, block);
    switch (pick(m, 23)) {
    case 0:
    case 1:
    case 2:
        if (may_nest)
            make_if(m, block);
        break;
    case 3:
    case 4:
    case 5:
        if (may_nest && m->most_rounds > 1)
            make_loop(m, block);
        break;
    case 6:
        if (may_nest)
            make_switch(m, block);
        break;
    case 7:
    case 8:
        make_jump(m, block);
        break;
    case 9:
        make_call(m, block);
        break;
    case 10:
    case 11:
        make_store(m, block);
        break;
    case 12:
        make_sum(m, block);
        break;
    case 13:
        make_whole(m, block);
        break;
    case 14:
        declare(m, block, plain(m, make_type(m)));
        break;
    case 15:
        make_own_atomic(m, block);
        break;
    case 16:
        make_mixed_words(m, block);
        break;
    case 17:
    case 18:
        make_rotation(m, block);
        break;
    case 19:
        make_held_products(m, block);
        break;
    default:
        make_assign(m, block);
        break;
    }
}

void
make_block(struct maker *m, struct block *block, uint32_t count)
{
    for (; count > 0 && m->budget > 0; count--) {
        m->budget--;
        make_stmt(m, block);
    }
}

void
make_function(struct maker *m)
{
    struct function *f = make_memory(m->k, sizeof(*f));
    const struct maker outer = *m;
    f->id = m->k->function_count;
    f->result = make_type(m);
    for (uint32_t p = 0; p < 2; p++) {
        f->params[p] = var_make(m, plain(m, make_type(m)));
        show(m, f->params[p]);
    }
    f->inout = var_make(m, plain(m, make_type(m)));
    show(m, f->inout);
    m->function = f;
    f->local = declare(m, &f->body, plain(m, f->result));
    m->depth = 1;
    m->most_rounds = 8;
    m->budget = 8;
    m->is_uniform = false;
    make_block(m, &f->body, 6);
    m->k->functions[m->k->function_count++] = f;
    const uint64_t state = m->state;
    *m = outer;
    m->state = state;
}

/* A component as a word. */
static struct expr *
as_word(struct maker *m, struct expr *e, uint32_t component)
{
    const uint8_t kind = e->type.kind;
    const uint8_t words[] = {[K_F16] = K_U16, [K_F32] = K_U32, [K_F64] = K_U64};
    if (e->type.n > 1) {
        e = expr_make(m, OP_SWIZZLE, (struct type){kind, 1}, e, NULL, NULL);
        e->imm = component;
    }
    if (kind_is_float(kind))
        e = expr_make(m, OP_BITS, (struct type){words[kind], 1}, e, NULL, NULL);
    return e->type.kind == K_U32 ? e : expr_make(m, OP_CONVERT, u32, e, NULL, NULL);
}

/* sum and all of a field, or two of its elements. */
static struct expr *
with_field(struct maker *m, struct expr *sum, struct var *var, uint8_t f)
{
    const struct field *field = &var->shape->fields[f];
    for (uint32_t i = 0; i < (field->length ? 2u : 1u); i++) {
        for (uint32_t c = 0; c < field->type.n; c++) {
            struct expr *e = expr_make(m, OP_READ, field->type, NULL, NULL, NULL);
            e->ref = (struct ref){.var = var, .field = f};
            if (field->length)
                e->ref.index = make_number(m, K_U32, (i * 3 + c) % field->length);
            sum = expr_make(m, OP_MUL, u32, sum, make_number(m, K_U32, 31), NULL);
            sum = expr_make(m, OP_XOR, u32, sum, as_word(m, e, c), NULL);
        }
    }
    return sum;
}

/* What the variables hold at the end. */
void
make_results(struct maker *m, struct block *block)
{
    for (uint32_t i = 0; i < OUT_WORDS; i++) {
        struct expr *e = make_expr(m, u32, 4), *index = make_number(m, K_U32, i);
        for (uint32_t v = i; v < m->visible_count; v += OUT_WORDS)
            for (uint8_t f = 0; f < m->visible[v]->shape->field_count; f++)
                e = with_field(m, e, m->visible[v], f);
        struct stmt *s = stmt_make(m, block, ST_STORE);
        s->imm = BUF_OUT;
        s->expr[0] = index;
        s->expr[1] = e;
    }
}

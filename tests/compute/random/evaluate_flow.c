/* SPDX-License-Identifier: MIT */
/* Statements: the lanes that are active run each of them together.
 */
#include "evaluate.h"

#include <stdlib.h>
#include <string.h>

#define NEXT ((size_t)LANES_MAX)

/* Lanes that left, by where they wait. */
struct frame {
    struct mask broken;    /* behind the loop or switch */
    struct mask continued; /* at the end of the loop's body */
    struct frame *loop;    /* innermost loop: itself for loops */
};

static void run_block(struct run *r, const struct block *block, struct mask *m, struct frame *f);

static bool
any(const struct run *r, const struct mask *m)
{
    return memchr(m->on, true, r->lanes) != NULL;
}

static void
join(const struct run *r, struct mask *m, const struct mask *other)
{
    for (uint32_t i = 0; i < r->lanes; i++)
        m->on[i] |= other->on[i];
}

/* Lanes of m where e is true; m keeps the others. */
static struct mask
split(struct run *r, const struct expr *e, struct mask *m)
{
    struct mask taken = {{false}};
    union value v[4];
    for (uint32_t i = 0; i < r->lanes; i++) {
        if (!m->on[i])
            continue;
        evaluate(r, e, i, v);
        taken.on[i] = v[0].i;
        m->on[i] = !v[0].i;
    }
    return taken;
}

static void
declare(struct run *r, const struct stmt *s, uint32_t lane)
{
    const struct shape *shape = s->ref.var->shape;
    union value v[4];
    for (uint32_t f = 0; f < shape->field_count; f++) {
        const struct field *field = &shape->fields[f];
        const uint32_t n = field->type.n, count = field->length ? field->length : 1;
        union value *to = &r->vars[(s->ref.var->slot + field->slot) * NEXT + lane];
        evaluate(r, s->expr[f], lane, v);
        for (uint32_t i = 0; i < count * n; i++)
            to[i * NEXT] = v[i % n];
    }
}

static void
assign(struct run *r, const struct ref *ref, uint32_t lane, const union value v[4])
{
    const uint32_t n = ref->var->shape->fields[ref->field].type.n;
    union value *to = ref_place(r, ref, lane);
    for (uint32_t i = 0; i < n; i++)
        to[i * NEXT] = v[i];
}

static void
assign_expr(struct run *r, const struct stmt *s, uint32_t lane)
{
    union value v[4];
    evaluate(r, s->expr[0], lane, v);
    assign(r, &s->ref, lane, v);
}

static void
copy_var(struct run *r, const struct var *to, const struct var *from, uint32_t lane)
{
    for (uint32_t i = 0; i < to->shape->slots; i++)
        r->vars[(to->slot + i) * NEXT + lane] = r->vars[(from->slot + i) * NEXT + lane];
}

static void
matrix(struct run *r, const struct stmt *s, uint32_t lane)
{
    union value scale[4] = {0};
    if (s->imm == 3)
        evaluate(r, s->expr[0], lane, scale);
    for (uint32_t i = 0; i < s->ref.var->shape->slots; i++) {
        const double a = r->vars[(s->from->slot + i) * NEXT + lane].d;
        const double b = s->imm == 3 ? scale[0].d : r->vars[(s->from2->slot + i) * NEXT + lane].d;
        const union value v = {.d = s->imm == 0 ? a + b : s->imm == 1 ? a - b : a * b};
        r->vars[(s->ref.var->slot + i) * NEXT + lane] = value_wrap(K_F32, v);
    }
}

static void
store(struct run *r, const struct stmt *s, uint32_t lane)
{
    union value v[4];
    const struct type type = r->buffers[s->imm].type;
    const uint32_t index = evaluate_u32(r, s->expr[0], lane);
    uint8_t *to = element_place(r, s->imm, index, lane);
    evaluate(r, s->expr[1], lane, v);
    for (uint32_t i = 0; i < type.n && to; i++)
        value_store(type.kind, v[i], to + i * kind_bits(type.kind) / 8);
}

static void
image_store(struct run *r, const struct stmt *s, uint32_t lane)
{
    const uint32_t word = evaluate_u32(r, s->expr[0], lane);
    const uint32_t linear = r->builtins[B_LINEAR][lane];
    if (linear < r->image->length)
        memcpy(r->image->bytes + (size_t)linear * 4, &word, 4);
}

static uint32_t
combine(uint8_t op, uint32_t a, uint32_t b)
{
    switch (op) {
    case OP_ADD:
        return a + b;
    case OP_MIN:
        return a < b ? a : b;
    case OP_MAX:
        return a > b ? a : b;
    case OP_AND:
        return a & b;
    case OP_OR:
        return a | b;
    default:
        return a ^ b;
    }
}

static void
add_up(struct run *r, const struct stmt *s, uint32_t lane)
{
    const uint32_t index = evaluate_u32(r, s->expr[0], lane);
    const uint32_t value = evaluate_u32(r, s->expr[1], lane);
    if (s->op == ST_SHARED_ADD) {
        uint32_t *to = &r->shared_sums[index % SHARED_SUMS];
        *to = combine(r->k->shared_sum_op, *to, value);
        return;
    }
    uint8_t *bytes = element_place(r, BUF_SUMS, index % SUMS, lane);
    uint32_t word;
    if (!bytes)
        return;
    memcpy(&word, bytes, 4);
    word = combine(r->k->sum_op, word, value);
    memcpy(bytes, &word, 4);
}

/* What it is assigned to is found first. */
static void
own_atomic(struct run *r, const struct stmt *s, uint32_t lane)
{
    const struct type type = r->buffers[s->imm2].type;
    const struct expr arg = {.type = type},
                      e = {.op = (uint8_t)s->imm, .type = type, .arg = {(struct expr *)&arg}};
    union value old[4] = {0}, v[4];
    union value *const place = s->ref.var ? ref_place(r, &s->ref, lane) : NULL;
    const uint32_t index = s->imm2 == BUF_SUMS ? SUMS + r->builtins[B_LINEAR][lane]
                                               : evaluate_u32(r, s->expr[0], lane);
    uint8_t *to = element_place(r, s->imm2, index, lane);
    evaluate(r, s->expr[1], lane, v);
    old[0] = value_load(type.kind, to);
    value_store(type.kind, value_apply(&e, old, v, NULL), to);
    if (place)
        *place = old[0];
}

static void
run_lane(struct run *r, const struct stmt *s, uint32_t lane)
{
    union value v[4] = {0};
    switch (s->op) {
    case ST_DECLARE:
        declare(r, s, lane);
        break;
    case ST_ASSIGN:
        assign_expr(r, s, lane);
        break;
    case ST_COPY:
        copy_var(r, s->ref.var, s->from, lane);
        break;
    case ST_MATRIX:
        matrix(r, s, lane);
        break;
    case ST_STORE:
        store(r, s, lane);
        break;
    case ST_IMAGE_STORE:
        image_store(r, s, lane);
        break;
    case ST_ADD_UP:
    case ST_SHARED_ADD:
        add_up(r, s, lane);
        break;
    case ST_OWN_ATOMIC:
        own_atomic(r, s, lane);
        break;
    case ST_SHARED_READ:
        v[0].i = r->shared_sums[evaluate_u32(r, s->expr[0], lane) % SHARED_SUMS];
        assign(r, &s->ref, lane, v);
        break;
    default:
        break;
    }
}

static void
code(struct run *r, const struct stmt *s)
{
    uint32_t *w = r->words;
    w[0] = evaluate_u32(r, s->expr[0], s->imm);
    w[1] = 1;
    for (uint32_t n = 0; n < s->imm2; n++) {
        w[1] = w[1] * 5 + (w[0] >> (n & 7));
        if (w[1] & 4) {
            w[0] ^= w[1];
            if ((w[0] & 3) == 0)
                continue;
        } else {
            w[2] += n;
        }
        if (w[1] % 13 == 7)
            break;
    }
    w[2] ^= w[1];
    for (uint32_t i = 0; i < r->lanes; i++)
        assign(r, &s->ref, i, (union value[4]){{.i = w[0] ^ w[1] * 3 ^ w[2]}});
}

static void
exchange(struct run *r, const struct stmt *s)
{
    for (uint32_t i = 0; i < r->lanes; i++)
        evaluate(r, s->expr[0], i, r->shared[(i * s->imm + s->imm2) % r->lanes]);
    for (uint32_t i = 0; i < r->lanes; i++)
        assign(r, &s->ref, i, r->shared[evaluate_u32(r, s->expr[1], i) % r->lanes]);
}

static void
reduce(struct run *r, const struct stmt *s)
{
    const struct type type = r->k->tree_type;
    const struct expr arg = {.type = type},
                      e = {.op = (uint8_t)s->imm, .type = type, .arg = {(struct expr *)&arg}};
    union value v[4];
    for (uint32_t i = 0; i < r->lanes; i++) {
        evaluate(r, s->expr[0], i, v);
        r->tree[i] = v[0];
        evaluate(r, s->expr[1], i, v);
        r->tree[r->lanes + i] = v[0];
    }
    for (const struct step *step = s->steps; step < s->steps + s->imm2; step++) {
        for (uint32_t i = 0; i < step->lanes; i++) {
            const union value *own = &r->tree[i], *other = &r->tree[i + step->distance];
            r->tree[i] = step->is_swapped ? value_apply(&e, other, own, NULL)
                                          : value_apply(&e, own, other, NULL);
        }
    }
    for (uint32_t i = 0; i < r->lanes; i++) {
        v[0] = r->tree[evaluate_u32(r, s->expr[2], i) % r->lanes];
        assign(r, &s->ref, i, v);
    }
}

static int64_t
wrap_count(const struct stmt *s, int64_t count)
{
    return value_wrap(s->ref.var->shape->fields[0].type.kind, (union value){.i = count}).i;
}

/* Does the loop go round with this count? */
static bool
goes_on(struct run *r, const struct stmt *s, uint32_t lane, int64_t count)
{
    const int64_t end = s->first + (int64_t)s->imm * s->step;
    switch (s->walk) {
    case WALK_UP: {
        const int64_t most = s->expr[0] ? evaluate_u32(r, s->expr[0], lane) : end;
        return count < (most < end ? most : end);
    }
    case WALK_TO:
        return count != wrap_count(s, end);
    case WALK_WITHIN:
        return count <= end - s->step;
    case WALK_DOUBLE:
        return count < INT64_C(1) << s->imm;
    default:
        return count > 0;
    }
}

static int64_t
walk(const struct stmt *s, int64_t count)
{
    switch (s->walk) {
    case WALK_DOWN:
        return count - s->step;
    case WALK_HALVE:
        return count >> 1;
    case WALK_DOUBLE:
        return count * 2;
    default:
        return wrap_count(s, count + s->step);
    }
}

static void
run_loop(struct run *r, const struct stmt *s, struct mask *m)
{
    struct frame f = {.loop = &f};
    union value *count = &r->vars[s->ref.var->slot * NEXT];
    struct mask inside = *m;
    const bool is_for = s->op == ST_FOR;
    memset(m, 0, sizeof(*m));
    for (uint32_t i = 0; i < r->lanes; i++)
        if (inside.on[i])
            count[i].i = is_for ? wrap_count(s, s->first) : 0;
    while (any(r, &inside) && r->steps < r->most_steps) {
        for (uint32_t i = 0; i < r->lanes && is_for; i++) {
            if (!inside.on[i])
                continue;
            inside.on[i] = goes_on(r, s, i, count[i].i);
            m->on[i] = !inside.on[i];
        }
        run_block(r, &s->blocks[0], &inside, &f);
        join(r, &inside, &f.continued);
        memset(&f.continued, 0, sizeof(f.continued));
        for (uint32_t i = 0; i < r->lanes; i++) {
            if (!inside.on[i])
                continue;
            count[i].i = is_for ? walk(s, count[i].i) : count[i].i + 1;
            if (!is_for)
                inside.on[i] = count[i].i < s->imm && evaluate_u32(r, s->expr[0], i);
            m->on[i] |= !inside.on[i];
        }
    }
    join(r, m, &f.broken);
}

static void
run_switch(struct run *r, const struct stmt *s, struct mask *m, struct frame *outer)
{
    struct frame f = {.loop = outer ? outer->loop : NULL};
    struct mask out = {{false}}, current = {{false}};
    uint32_t value[LANES_MAX];
    for (uint32_t i = 0; i < r->lanes; i++)
        value[i] = m->on[i] ? evaluate_u32(r, s->expr[0], i) % (s->block_count + 1) : 0;
    for (uint32_t b = 0; b < s->block_count; b++) {
        const bool is_last = b + 1 == s->block_count;
        for (uint32_t i = 0; i < r->lanes; i++)
            current.on[i] |= m->on[i] && (is_last ? value[i] >= b : value[i] == b);
        run_block(r, &s->blocks[b], &current, &f);
        if (s->imm >> b & 1)
            continue;
        join(r, &out, &current);
        memset(&current, 0, sizeof(current));
    }
    join(r, &out, &current);
    join(r, &out, &f.broken);
    *m = out;
}

static void
run_if(struct run *r, const struct stmt *s, struct mask *m, struct frame *f)
{
    struct mask taken = split(r, s->expr[0], m);
    run_block(r, &s->blocks[0], &taken, f);
    if (s->block_count > 1)
        run_block(r, &s->blocks[1], m, f);
    join(r, m, &taken);
}

/* Its index is taken before the call. */
static void
run_call(struct run *r, const struct stmt *s, const struct mask *m)
{
    const struct function *callee = s->callee;
    const uint32_t n = s->ref2.var->shape->fields[s->ref2.field].type.n;
    union value *places[LANES_MAX];
    union value v[2][4];
    struct mask inside = *m;
    for (uint32_t i = 0; i < r->lanes; i++) {
        if (!m->on[i])
            continue;
        for (uint32_t p = 0; p < 2; p++)
            evaluate(r, s->expr[p], i, v[p]);
        places[i] = ref_place(r, &s->ref2, i);
        for (uint32_t p = 0; p < 2; p++)
            assign(r, &(struct ref){.var = callee->params[p]}, i, v[p]);
        for (uint32_t c = 0; c < n; c++)
            r->vars[(callee->inout->slot + c) * NEXT + i] = places[i][c * NEXT];
    }
    run_block(r, &callee->body, &inside, NULL);
    for (uint32_t i = 0; i < r->lanes; i++) {
        if (!m->on[i])
            continue;
        for (uint32_t c = 0; c < n; c++)
            places[i][c * NEXT] = r->vars[(callee->inout->slot + c) * NEXT + i];
        for (uint32_t c = 0; c < callee->result.n; c++)
            v[0][c] = r->vars[(callee->local->slot + c) * NEXT + i];
        assign(r, &s->ref, i, v[0]);
    }
}

static void
run_stmt(struct run *r, const struct stmt *s, struct mask *m, struct frame *f)
{
    switch (s->op) {
    case ST_IF:
        run_if(r, s, m, f);
        break;
    case ST_FOR:
    case ST_DO:
        run_loop(r, s, m);
        break;
    case ST_SWITCH:
        run_switch(r, s, m, f);
        break;
    case ST_CALL:
        run_call(r, s, m);
        break;
    case ST_EXCHANGE:
        exchange(r, s);
        break;
    case ST_CODER:
        code(r, s);
        break;
    case ST_REDUCE:
        reduce(r, s);
        break;
    case ST_SUBGROUP:
        evaluate_subgroup(r, s, m);
        break;
    case ST_RETURN:
        split(r, s->expr[0], m);
        break;
    case ST_BREAK:
    case ST_CONTINUE: {
        const struct mask gone = split(r, s->expr[0], m);
        join(r, s->op == ST_BREAK ? &f->broken : &f->loop->continued, &gone);
        break;
    }
    case ST_SHARED_CLEAR:
        for (uint32_t i = 0; i < SHARED_SUMS; i++)
            r->shared_sums[i] = s->imm;
        break;
    default:
        for (uint32_t i = 0; i < r->lanes; i++)
            if (m->on[i])
                run_lane(r, s, i);
    }
}

static void
run_block(struct run *r, const struct block *block, struct mask *m, struct frame *f)
{
    for (const struct stmt *s = block->first; s && any(r, m); s = s->next)
        if (!s->is_deleted && r->steps < r->most_steps)
            run_stmt(r, s, m, f);
}

static void
run_group(struct run *r, const uint32_t group[3])
{
    const struct kernel *k = r->k;
    struct mask m = {{false}};
    r->lanes = k->local[0] * k->local[1] * k->local[2];
    for (uint32_t i = 0; i < r->lanes; i++) {
        const uint32_t x = i % k->local[0], y = i / k->local[0] % k->local[1],
                       z = i / (k->local[0] * k->local[1]);
        const uint32_t gx = group[0] * k->local[0] + x, gy = group[1] * k->local[1] + y,
                       gz = group[2] * k->local[2] + z;
        const uint32_t values[B_COUNT] = {gx,
                                          gy,
                                          gz,
                                          x,
                                          y,
                                          z,
                                          i,
                                          group[0],
                                          group[1],
                                          k->groups[0],
                                          k->local[0],
                                          gx + k->width * (gy + k->height * gz),
                                          i % k->subgroup};
        for (uint32_t b = 0; b < B_COUNT; b++)
            r->builtins[b][i] = values[b];
        m.on[i] = true;
    }
    r->words[2] = 0;
    run_block(r, &k->body, &m, NULL);
}

bool
kernel_evaluate(const struct kernel *k, struct storage *buffers, struct storage *image)
{
    struct run *r = calloc(1, sizeof(*r));
    bool is_done = false;
    if (!r)
        return false;
    *r = (struct run){.k = k, .buffers = buffers, .image = image, .most_steps = 6000000};
    r->vars = calloc((size_t)k->slot_count * LANES_MAX, sizeof(r->vars[0]));
    if (r->vars) {
        const uint32_t *n = k->groups;
        for (uint32_t g = 0; g < n[0] * n[1] * n[2] * k->dispatches; g++) {
            const uint32_t i = g % (n[0] * n[1] * n[2]);
            const uint32_t group[3] = {k->base[0] + i % n[0], k->base[1] + i / n[0] % n[1],
                                       k->base[2] + i / (n[0] * n[1])};
            run_group(r, group);
        }
        is_done = r->steps < r->most_steps;
    }
    free(r->vars);
    free(r);
    return is_done;
}

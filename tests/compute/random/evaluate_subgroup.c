/* SPDX-License-Identifier: MIT */
/* Operations over the active lanes of each subgroup.
 */
#include "evaluate.h"

#include <math.h>

#define NEXT ((size_t)LANES_MAX)

static union value
identity(uint8_t kind, uint32_t op)
{
    const uint32_t bits = kind_bits(kind);
    const uint64_t top = UINT64_C(1) << (bits - 1);
    union value v = {0};
    if (kind_is_float(kind)) {
        v.d = op == SG_MIN ? INFINITY : -INFINITY;
        return v;
    }
    if (op == SG_MUL)
        v.i = 1;
    else if (op == SG_AND)
        v.i = -1;
    else if (op == SG_MIN)
        v.i = kind_is_signed(kind) ? (int64_t)(top - 1) : -1;
    else if (op == SG_MAX)
        v.i = kind_is_signed(kind) ? (int64_t)top : 0;
    return value_wrap(kind, v);
}

static union value
combine(uint8_t kind, uint32_t op, union value a, union value b)
{
    static const uint8_t ops[] = {OP_ADD, OP_MUL, OP_MIN, OP_MAX, OP_AND, OP_OR, OP_XOR};
    struct expr arg = {.type = {kind, 1}};
    const struct expr e = {.op = ops[op], .type = {kind, 1}, .arg = {&arg}};
    return value_apply(&e, &a, &b, NULL);
}

struct group {
    const struct stmt *s;
    uint32_t first, count; /* lanes */
    bool on[SUBGROUP_MAX];
    union value in[SUBGROUP_MAX][4];
};

/* Component c for one lane. */
static union value
scan(const struct group *g, uint32_t lane, uint32_t c)
{
    const uint8_t kind = g->s->expr[0]->type.kind;
    uint32_t begin = 0, end = g->count;
    if (g->s->imm2 == SCAN_INCLUSIVE)
        end = lane + 1;
    else if (g->s->imm2 == SCAN_EXCLUSIVE)
        end = lane;
    else if (g->s->imm2 == SCAN_CLUSTER4)
        begin = lane & ~3u, end = begin + 4 < g->count ? begin + 4 : g->count;
    union value sum = identity(kind, g->s->imm);
    for (uint32_t i = begin; i < end; i++)
        if (g->on[i])
            sum = combine(kind, g->s->imm, sum, g->in[i][c]);
    return sum;
}

static union value
vote(const struct group *g, uint32_t lane)
{
    uint64_t ballot = 0;
    int64_t all = 1, any = 0;
    for (uint32_t i = 0; i < g->count; i++) {
        any |= g->on[i] && g->in[i][0].i;
        ballot |= (uint64_t)(g->on[i] && g->in[i][0].i) << i;
        all &= !g->on[i] || g->in[i][0].i;
    }
    uint32_t elected = 0;
    while (!g->on[elected])
        elected++;
    const int64_t results[] = {[SG_BALLOT] = (uint32_t)ballot,
                               [SG_ALL] = all,
                               [SG_ANY] = any,
                               [SG_ELECT] = lane == elected};
    return (union value){.i = results[g->s->imm]};
}

static const union value *
shuffled(struct run *r, const struct group *g, uint32_t lane)
{
    uint32_t from = 0;
    if (g->s->imm == SG_SHUFFLE)
        from = evaluate_u32(r, g->s->expr[1], g->first + lane) % r->k->subgroup;
    else if (g->s->imm == SG_SHUFFLE_XOR)
        from = lane ^ g->s->imm2;
    else
        while (!g->on[from])
            from++;
    return g->in[from];
}

static void
group_run(struct run *r, const struct group *g)
{
    union value out[SUBGROUP_MAX][4];
    const uint32_t n = g->s->ref.var->shape->fields[g->s->ref.field].type.n;
    for (uint32_t i = 0; i < g->count; i++) {
        for (uint32_t c = 0; c < n && g->on[i]; c++)
            out[i][c] = g->s->imm <= SG_XOR                                ? scan(g, i, c)
                        : g->s->imm == SG_FIRST || g->s->imm >= SG_SHUFFLE ? shuffled(r, g, i)[c]
                                                                           : vote(g, i);
    }
    for (uint32_t i = 0; i < g->count; i++) {
        if (!g->on[i])
            continue;
        union value *to = ref_place(r, &g->s->ref, g->first + i);
        for (uint32_t c = 0; c < n; c++)
            to[c * NEXT] = out[i][c];
    }
}

void
evaluate_subgroup(struct run *r, const struct stmt *s, const struct mask *active)
{
    const uint32_t size = r->k->subgroup;
    for (uint32_t first = 0; first < r->lanes; first += size) {
        struct group g = {.s = s, .first = first};
        bool has_lanes = false;
        g.count = r->lanes - first < size ? r->lanes - first : size;
        for (uint32_t i = 0; i < g.count; i++) {
            g.on[i] = active->on[first + i];
            has_lanes |= g.on[i];
            if (g.on[i] && s->imm != SG_ELECT)
                evaluate(r, s->expr[0], first + i, g.in[i]);
        }
        if (has_lanes)
            group_run(r, &g);
    }
}

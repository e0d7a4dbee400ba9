/* SPDX-License-Identifier: MIT */
/* PHIs of scalars and their operands that are never wanted at the same time share a register: then
 * there is nothing to move. alloc.c has one interval for each value; here it has several, because a
 * value that one way through an IF goes on with is not there on the other.
 *
 * Values are followed backwards from their last use to where they are made. Where lanes part both
 * ways are gone, one after the other: values that live across such a place keep to themselves.
 */
#include "compute/ir/coalesce.h"

#include "compute/ir/build.h"
#include "util/compiler.h"

#include <string.h>

#define MAX_SET_WORDS (1u << 22) /* of all sets together */
#define MAX_SEGMENTS (1u << 22)  /* when there are as many nothing is joined */

/* Positions are twice the index of an instruction, where it reads, and one more, where it
 * writes. */
struct segment {
    struct segment *next; /* behind this one */
    uint32_t begin;
    uint32_t end; /* the first position where it is not alive */
};

struct value {
    struct ir_instr *instr;
    struct segment *segments; /* of all values in its group, when it is the first of it */
    uint32_t end;             /* of the segment that is open, while it is alive */
    uint32_t group;           /* another one's number, or its own */
};

struct coalescer {
    struct ir_program *ir;
    struct value *values;
    uint32_t count;
    uint32_t *numbers;     /* by index; UINT32_MAX: not looked at */
    uint32_t *parted;      /* by index: markers in front of it where lanes part */
    uint64_t *live;        /* a bit for each value */
    uint32_t words;        /* of a set */
    uint64_t **saved;      /* by index of a construct's begin: alive behind its end */
    uint64_t **other_live; /* by index of an IF: where its second arm begins */
    uint32_t segment_count;
};

static uint32_t
number_of(const struct coalescer *c, const struct ir_instr *i)
{
    const bool has_number = i && i->cls == IR_UNIFORM && i->op != IR_CONST && i->op != IR_BUILTIN;
    return has_number ? c->numbers[i->index] : UINT32_MAX;
}

static bool
is_parting(const struct ir_instr *i)
{
    switch (i->op) {
    case IR_IF:
    case IR_BLOCK:
        return i->region.is_divergent;
    case IR_ELSE:
    case IR_ENDIF:
    case IR_ENDBLOCK:
        return i->region.end &&
               (i->op == IR_ELSE ? i->region.other : i->region.end)->region.is_divergent;
    default:
        return false;
    }
}

/* Those that live within a part of the program that all lanes go through together. */
static bool
is_looked_at(const struct coalescer *c, const struct ir_instr *i, const struct ir_lifetime *life,
             uint32_t first)
{
    return life->has_register && i->cls == IR_UNIFORM && i->index >= first &&
           life->stop <= c->ir->last->index && c->parted[life->start] == c->parted[life->stop];
}

static void
add_segment(struct coalescer *c, struct value *v, uint32_t begin)
{
    struct segment *s = v->segments;
    if (!s || s->begin > v->end) {
        if (c->segment_count == MAX_SEGMENTS)
            return;
        c->segment_count++;
        s = ir_alloc(c->ir, 1, sizeof(*s));
        *s = (struct segment){v->segments, begin, v->end};
        v->segments = s;
    }
    s->begin = begin;
    s->end = RP_MAX(s->end, v->end);
    for (; s->next && s->next->begin <= s->end; s->next = s->next->next)
        s->end = RP_MAX(s->end, s->next->end);
}

static bool
is_live(const struct coalescer *c, uint32_t n)
{
    return c->live[n / 64] >> n % 64 & 1;
}

static void
read_at(struct coalescer *c, const struct ir_instr *i, uint32_t position)
{
    const uint32_t n = number_of(c, i);
    if (n == UINT32_MAX || is_live(c, n))
        return;
    c->live[n / 64] |= (uint64_t)1 << n % 64;
    c->values[n].end = position + 1;
}

static void
made_at(struct coalescer *c, const struct ir_instr *i, uint32_t index)
{
    const uint32_t n = number_of(c, i);
    if (n == UINT32_MAX)
        return;
    if (!is_live(c, n)) /* nobody reads it, but it is written */
        c->values[n].end = 2 * index + 2;
    c->live[n / 64] &= ~((uint64_t)1 << n % 64);
    add_segment(c, &c->values[n], 2 * index + 1);
}

#define FOR_BITS(c, set, n) \
    for (uint32_t word_ = 0, n; word_ < (c)->words; word_++) \
        for (uint64_t left_ = (set)[word_]; \
             left_ && (n = 64 * word_ + (uint32_t)__builtin_ctzll(left_), true); \
             left_ &= left_ - 1)

/* All that is alive begins here, as far as what stands behind this position goes. Where control
 * does not come by that is behind what is read in front: the two are never there together. */
static void
close_all(struct coalescer *c, uint32_t position)
{
    FOR_BITS(c, c->live, n)
    add_segment(c, &c->values[n], position);
    memset(c->live, 0, c->words * sizeof(*c->live));
}

/* These are alive, too, in front of this position. */
static void
open_set(struct coalescer *c, const uint64_t *set, uint32_t position)
{
    FOR_BITS(c, set, n)
    if (!is_live(c, n))
        c->values[n].end = position + 1;
    for (uint32_t w = 0; w < c->words; w++)
        c->live[w] |= set[w];
}

static uint64_t *
keep_live(struct coalescer *c)
{
    uint64_t *set = ir_alloc(c->ir, c->words, sizeof(*set));
    memcpy(set, c->live, c->words * sizeof(*set));
    return set;
}

/* What the PHIs behind a marker take from an edge. */
static void
read_phis(struct coalescer *c, const struct ir_instr *marker, uint32_t edge, uint32_t position)
{
    for (const struct ir_instr *p = marker->next; p && p->op == IR_PHI; p = p->next)
        if (edge < p->arg_count)
            read_at(c, p->args[edge], position);
}

/* Values that come into a loop and are wanted in every round, or behind it, stay all the time. */
static void
begin_loop(struct coalescer *c, const struct ir_instr *loop)
{
    const uint32_t end = 2 * loop->region.end->index + 2;
    FOR_BITS(c, c->live, n)
    if (c->values[n].end < end)
        c->values[n].end = end;
    read_phis(c, loop, 0, 2 * loop->index);
}

static void
end_block(struct coalescer *c, const struct ir_instr *end)
{
    const struct ir_instr *begin = end->region.end;
    c->saved[begin->index] = keep_live(c);
    if (begin->region.falls_through)
        read_phis(c, end, begin->region.edge_count, 2 * end->index);
    else
        close_all(c, 2 * end->index);
}

static void
go_through_marker(struct coalescer *c, const struct ir_instr *i)
{
    const uint32_t position = 2 * i->index;
    switch (i->op) {
    case IR_ENDIF:
        c->saved[i->region.end->index] = keep_live(c);
        read_phis(c, i, 1, position);
        break;
    case IR_ELSE:
        c->other_live[i->region.other->index] = keep_live(c);
        close_all(c, position + 1);
        open_set(c, c->saved[i->region.other->index], position);
        read_phis(c, i->region.end, 0, position);
        break;
    case IR_IF:
        open_set(c, c->other_live[i->index], position);
        read_at(c, i->args[0], position);
        break;
    case IR_ENDBLOCK:
        end_block(c, i);
        break;
    case IR_BR:
        close_all(c, position + 1);
        open_set(c, c->saved[i->br.block->index], position);
        read_phis(c, i->br.block->region.end, i->br.edge, position);
        break;
    case IR_ENDLOOP:
        close_all(c, position);
        read_phis(c, i->region.end, 1, position);
        break;
    case IR_LOOP:
        begin_loop(c, i);
        break;
    default:
        break;
    }
}

/* Parts of what several results come from are made with it. */
static void
parts_made_at(struct coalescer *c, const struct ir_instr *i)
{
    struct ir_instr *const *parts = i->op == IR_IMAGE                  ? i->image_projs
                                    : i->op == IR_LOAD && i->comps > 1 ? i->projs
                                                                       : NULL;
    for (uint32_t p = 0; parts && p < (i->op == IR_IMAGE ? 4u : i->comps); p++)
        if (parts[p])
            made_at(c, parts[p], i->index);
}

static void
go_through(struct coalescer *c, const struct ir_instr *i)
{
    /* The texture unit may write a result before it reads all operands. */
    const uint32_t position = 2 * i->index + (i->op == IR_IMAGE);
    if (ir_is_marker(i)) {
        go_through_marker(c, i);
        return;
    }
    if (i->op == IR_PHI) {
        made_at(c, i, ir_phi_marker(i)->index);
        return;
    }
    if (i->op == IR_PROJ)
        return;
    parts_made_at(c, i);
    if (i->type != IR_VOID)
        made_at(c, i, i->index);
    for (uint32_t a = 0; a < i->arg_count; a++)
        read_at(c, i->args[a], position);
}

static uint32_t
group_of(struct coalescer *c, uint32_t n)
{
    while (c->values[n].group != n) {
        c->values[n].group = c->values[c->values[n].group].group;
        n = c->values[n].group;
    }
    return n;
}

static bool
are_apart(const struct segment *a, const struct segment *b)
{
    while (a && b) {
        if (a->begin < b->end && b->begin < a->end)
            return false;
        if (a->end <= b->end)
            a = a->next;
        else
            b = b->next;
    }
    return true;
}

static struct segment *
merge_segments(struct segment *a, struct segment *b)
{
    struct segment *first = NULL, **to = &first;
    while (a && b) {
        struct segment **from = a->begin < b->begin ? &a : &b;
        *to = *from;
        to = &(*to)->next;
        *from = *to;
    }
    *to = a ? a : b;
    return first;
}

static void
join_phi(struct coalescer *c, struct ir_instr *phi, const struct ir_coalesced *out)
{
    for (uint32_t a = phi->arg_count; a-- > 0;) {
        const uint32_t p = number_of(c, phi), n = number_of(c, phi->args[a]);
        if (n == UINT32_MAX)
            continue;
        const uint32_t to = group_of(c, p), from = group_of(c, n);
        if (to == from || !are_apart(c->values[to].segments, c->values[from].segments))
            continue;
        c->values[to].segments = merge_segments(c->values[to].segments, c->values[from].segments);
        c->values[from].group = to;
        out->join(c->values[to].instr, c->values[from].instr);
    }
}

/* False: there are none, or too many. */
static bool
number_values(struct coalescer *c, const struct ir_coalesced *out)
{
    const uint32_t size = c->ir->last->index + 2;
    uint32_t markers = 0, parted = 0, first = 0;
    c->numbers = ir_alloc(c->ir, size, sizeof(*c->numbers));
    c->parted = ir_alloc(c->ir, size, sizeof(*c->parted));
    for (const struct ir_instr *i = c->ir->first; i; i = i->next) {
        parted += is_parting(i);
        c->parted[i->index] = parted;
        markers += ir_is_marker(i);
        if (i->op == IR_PROLOGUE)
            first = i->index;
    }
    for (struct ir_instr *i = c->ir->first; i; i = i->next) {
        const struct ir_lifetime life = out->lifetime(i);
        c->numbers[i->index] = is_looked_at(c, i, &life, first) ? c->count++ : UINT32_MAX;
    }
    c->words = (c->count + 63) / 64;
    return c->count && (uint64_t)c->words * markers <= MAX_SET_WORDS;
}

void
ir_coalesce(struct ir_program *ir, const struct ir_coalesced *out)
{
    struct coalescer *c = ir_alloc(ir, 1, sizeof(*c));
    c->ir = ir;
    if (!ir->last || !number_values(c, out))
        return;
    c->values = ir_alloc(ir, c->count, sizeof(*c->values));
    c->live = ir_alloc(ir, c->words, sizeof(*c->live));
    c->saved = ir_alloc(ir, ir->last->index + 1, sizeof(*c->saved));
    c->other_live = ir_alloc(ir, ir->last->index + 1, sizeof(*c->other_live));
    for (struct ir_instr *i = ir->first; i; i = i->next) {
        const uint32_t n = c->numbers[i->index];
        if (n != UINT32_MAX)
            c->values[n] = (struct value){.instr = i, .group = n};
    }
    for (const struct ir_instr *i = ir->last; i; i = i->prev)
        go_through(c, i);
    if (c->segment_count == MAX_SEGMENTS)
        return;
    for (struct ir_instr *i = ir->first; i; i = i->next)
        if (i->op == IR_PHI && number_of(c, i) != UINT32_MAX)
            join_phi(c, i, out);
}

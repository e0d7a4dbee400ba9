/* SPDX-License-Identifier: MIT */
/* Words of workgroup memory that are only read and written at constant places become values while
 * the same lanes are active: what one invocation codes bit by bit, with its state in such words,
 * is arithmetic then. All lanes of a workgroup run side by side, so a word is one scalar for all of
 * them; in front of what lets lanes part it goes back to memory, where the others look for it.
 * Behind the last instruction nobody does.
 */
#include "compute/ir/build.h"
#include "compute/ir/passes.h"

#include <string.h>

#define MAX_WORDS 64u

struct word {
    uint32_t offset_B;
    uint8_t size_B;
    uint8_t type; /* enum ir_type */
    bool is_left; /* in memory: something else may touch it */
};

struct state {
    struct ir_instr *values[MAX_WORDS]; /* NULL: in memory alone */
    uint64_t dirty;                     /* memory may be behind; only where there is a value */
};

/* What is kept for an open construct. */
struct scope {
    struct scope *outer;
    struct ir_instr *begin;
    struct state
        *before; /* where lanes part and IF: at its begin; then at the end of its first arm */
    struct state **edges;   /* BLOCK that all lanes leave together */
    struct ir_instr **phis; /* LOOP */
};

struct keeper {
    struct ir_program *ir;
    struct word words[MAX_WORDS];
    uint32_t count;
    struct state *at; /* NULL: not reached */
    struct scope *scope;
};

static bool
is_shared(const struct ir_instr *handle)
{
    return ir_is_value(handle, IR_OWN_HANDLE(IR_MEMORY_SHARED)) && handle->type == IR_I;
}

static bool
is_access(const struct ir_instr *i)
{
    return i->op == IR_LOAD || i->op == IR_STORE || i->op == IR_ATOMIC;
}

/* Of any size, at constant places. */
static bool
is_word(const struct ir_instr *i)
{
    return i->op != IR_ATOMIC && is_shared(i->args[0]) && ir_is_const(i->args[1]) && i->comps == 1;
}

static uint8_t
type_of(const struct ir_instr *i)
{
    return i->op == IR_LOAD ? i->type : i->args[2]->type;
}

/* The number of an access's word, or count. */
static uint32_t
number_of(const struct keeper *k, const struct ir_instr *i)
{
    uint32_t w = 0;
    while (w < k->count && (k->words[w].offset_B != (uint32_t)i->args[1]->imm ||
                            k->words[w].size_B != i->aux || k->words[w].type != type_of(i)))
        w++;
    return w;
}

static bool
is_kept(const struct keeper *k, const struct ir_instr *i, uint32_t *word_out)
{
    if (!is_access(i) || !is_word(i))
        return false;
    *word_out = number_of(k, i);
    return *word_out < k->count && !k->words[*word_out].is_left;
}

/* Those of these sizes. */
static void
add_words(struct keeper *k, uint32_t min_B, uint32_t max_B)
{
    for (const struct ir_instr *i = k->ir->first; i; i = i->next)
        if (is_access(i) && is_word(i) && i->aux >= min_B && i->aux <= max_B &&
            k->count < MAX_WORDS && number_of(k, i) == k->count)
            k->words[k->count++] =
                (struct word){(uint32_t)i->args[1]->imm, i->aux, type_of(i), false};
}

/* Bytes that an access may touch. An index that leaves its array leaves what is defined, too. */
static struct ir_span
span_of(const struct ir_instr *i)
{
    const uint32_t size_B = i->op == IR_ATOMIC ? 8 : (uint32_t)i->aux * i->comps;
    if (ir_is_const(i->args[1]) && i->args[1]->imm <= UINT32_MAX - size_B)
        return (struct ir_span){(uint32_t)i->args[1]->imm, (uint32_t)i->args[1]->imm + size_B};
    return i->within.end_B ? i->within : (struct ir_span){0, UINT32_MAX};
}

/* The words that an access may touch, but for its own. */
static void
leave_touched(struct keeper *k, const struct ir_instr *i)
{
    const uint32_t own = is_word(i) ? number_of(k, i) : k->count;
    const struct ir_span span = span_of(i);

    for (uint32_t w = 0; w < k->count; w++) {
        const uint32_t begin_B = k->words[w].offset_B, end_B = begin_B + k->words[w].size_B;
        k->words[w].is_left |= w != own && begin_B < span.end_B && span.begin_B < end_B;
    }
}

/* False: there is none to keep. */
static bool
find_words(struct keeper *k)
{
    add_words(k, 4, 8); /* bytes are many where they are an array's */
    add_words(k, 1, 2);
    for (const struct ir_instr *i = k->ir->first; i && k->count; i = i->next) {
        if (!is_access(i) || i->args[0]->type != IR_I)
            continue;
        if (!ir_is_const(i->args[0])) /* a pointer that may be any memory's */
            return false;
        if (is_shared(i->args[0]))
            leave_touched(k, i);
    }
    for (uint32_t w = 0; w < k->count; w++)
        if (!k->words[w].is_left)
            return true;
    return false;
}

static struct state *
keep(struct keeper *k, const struct state *state)
{
    if (!state)
        return NULL;
    struct state *copy = ir_alloc(k->ir, 1, sizeof(*copy));
    *copy = *state;
    return copy;
}

static struct ir_instr *
make_access(struct keeper *k, enum ir_op op, uint32_t w, struct ir_instr *value)
{
    const struct word *word = &k->words[w];
    struct ir_instr *i =
        ir_make(k->ir, op, op == IR_LOAD ? word->type : IR_VOID, op == IR_LOAD ? 2 : 3);
    i->args[0] = ir_i(k->ir, IR_OWN_HANDLE(IR_MEMORY_SHARED));
    i->args[1] = ir_i(k->ir, word->offset_B);
    if (value)
        i->args[2] = value;
    i->aux = word->size_B;
    i->cls = IR_UNIFORM;
    ir_place(k->ir, i);
    return i;
}

/* The value of a word in front of an instruction. */
static struct ir_instr *
value_before(struct keeper *k, struct state *state, uint32_t w, const struct ir_instr *before)
{
    if (!state->values[w]) {
        k->ir->cursor = before->prev;
        state->values[w] = make_access(k, IR_LOAD, w, NULL);
    }
    return state->values[w];
}

/* Memory says what the values are, from in front of an instruction on. */
static void
flush(struct keeper *k, const struct ir_instr *before)
{
    if (!k->at)
        return;
    k->ir->cursor = before->prev;
    for (uint64_t left = k->at->dirty; left; left &= left - 1) {
        const uint32_t w = (uint32_t)__builtin_ctzll(left);
        make_access(k, IR_STORE, w, k->at->values[w]);
    }
    k->at->dirty = 0;
}

/* The words that are written from begin on, up to end; those that are read as well. */
static uint64_t
words_between(const struct keeper *k, const struct ir_instr *begin, const struct ir_instr *end,
              bool is_read_too)
{
    uint64_t words = 0;
    uint32_t w;
    for (const struct ir_instr *i = begin; i != end; i = i->next)
        if (is_kept(k, i, &w) && (is_read_too || i->op == IR_STORE))
            words |= (uint64_t)1 << w;
    return words;
}

static void
forget(struct state *state, uint64_t words)
{
    for (uint64_t left = words; left; left &= left - 1)
        state->values[__builtin_ctzll(left)] = NULL;
    state->dirty &= ~words;
}

/* A word where edges meet: a value only where all bring one, or where memory is behind. */
static struct ir_instr *
merge_word(struct keeper *k, struct ir_instr *end, uint32_t w, struct state **in,
           struct ir_instr **from, uint32_t count)
{
    struct ir_instr *only = NULL, *phi;
    bool is_missing = false, is_same = true, is_dirty = false;
    for (uint32_t e = 0; e < count; e++) {
        is_missing |= in[e] && !in[e]->values[w];
        is_dirty |= in[e] && (in[e]->dirty >> w & 1);
    }
    if (is_missing && !is_dirty)
        return NULL;
    for (uint32_t e = 0; e < count; e++) {
        struct ir_instr *value = in[e] ? value_before(k, in[e], w, from[e]) : NULL;
        is_same = is_same && (!only || !value || only == value);
        only = value ? value : only;
    }
    if (is_same)
        return only;
    phi = ir_make(k->ir, IR_PHI, k->words[w].type, count);
    for (uint32_t e = 0; e < count; e++)
        phi->args[e] = in[e] ? in[e]->values[w] : NULL;
    phi->cls = IR_UNIFORM;
    k->ir->cursor = end;
    ir_place(k->ir, phi);
    return phi;
}

/* Merges what comes in over `count` edges, from in front of these instructions. */
static struct state *
merge(struct keeper *k, struct ir_instr *end, struct state **in, struct ir_instr **from,
      uint32_t count)
{
    struct state *out = NULL;
    for (uint32_t e = 0; e < count; e++) {
        if (in[e] && !out)
            out = ir_alloc(k->ir, 1, sizeof(*out));
        if (in[e])
            out->dirty |= in[e]->dirty;
    }
    for (uint32_t w = 0; out && w < k->count; w++)
        out->values[w] = merge_word(k, end, w, in, from, count);
    return out;
}

static void
open_loop(struct keeper *k, struct scope *scope, struct ir_instr *begin)
{
    const uint64_t used = words_between(k, begin, begin->region.end, true);
    const uint64_t written = words_between(k, begin, begin->region.end, false);

    scope->phis = ir_alloc(k->ir, k->count, sizeof(scope->phis[0]));
    for (uint64_t left = used; left; left &= left - 1)
        value_before(k, k->at, (uint32_t)__builtin_ctzll(left), begin);
    k->ir->cursor = begin;
    for (uint64_t left = written; left; left &= left - 1) {
        const uint32_t w = (uint32_t)__builtin_ctzll(left);
        struct ir_instr *phi = ir_make(k->ir, IR_PHI, k->words[w].type, 2);
        phi->args[0] = k->at->values[w];
        phi->cls = IR_UNIFORM;
        ir_place(k->ir, phi);
        scope->phis[w] = k->at->values[w] = phi;
    }
    k->at->dirty |= written;
}

static void
open_scope(struct keeper *k, struct ir_instr *begin)
{
    struct scope *scope = ir_alloc(k->ir, 1, sizeof(*scope));
    *scope = (struct scope){.outer = k->scope, .begin = begin};
    k->scope = scope;
    if (begin->op != IR_LOOP && begin->region.is_divergent)
        flush(k, begin);
    if (begin->op == IR_IF || (begin->op == IR_BLOCK && begin->region.is_divergent))
        scope->before = keep(k, k->at);
    else if (begin->op == IR_BLOCK)
        scope->edges = ir_alloc(k->ir, begin->region.edge_count + 1, sizeof(scope->edges[0]));
    else if (k->at)
        open_loop(k, scope, begin);
}

/* Where lanes part the second arm finds what the first one wrote. */
static void
begin_other_arm(struct keeper *k, struct ir_instr *other)
{
    struct scope *scope = k->scope;
    struct state *then = k->at;
    if (!scope->begin->region.is_divergent) {
        k->at = scope->before;
        scope->before = then;
        return;
    }
    flush(k, other);
    if (scope->before)
        forget(scope->before, words_between(k, scope->begin, other, false));
    k->at = keep(k, scope->before);
}

static void
leave_block(struct keeper *k, struct ir_instr *br)
{
    struct scope *scope = k->scope;
    while (scope->begin != br->br.block)
        scope = scope->outer;
    if (scope->begin->region.is_divergent)
        flush(k, br);
    else
        scope->edges[br->br.edge] = k->at;
    k->at = NULL;
}

static void
close_loop(struct keeper *k, const struct scope *scope, struct ir_instr *end)
{
    for (uint32_t w = 0; scope->phis && k->at && w < k->count; w++)
        if (scope->phis[w])
            scope->phis[w]->args[1] = value_before(k, k->at, w, end);
    k->at = NULL;
}

static void
close_scope(struct keeper *k, struct ir_instr *end)
{
    struct scope *scope = k->scope;
    struct ir_instr *begin = scope->begin;
    const uint32_t edges = begin->op == IR_BLOCK ? begin->region.edge_count : 0;

    k->scope = scope->outer;
    if (end->op == IR_ENDLOOP) {
        close_loop(k, scope, end);
    } else if (begin->region.is_divergent) {
        flush(k, end);
        k->at = scope->before;
        if (k->at)
            forget(k->at, words_between(k, begin, end, false));
    } else if (end->op == IR_ENDIF) {
        k->at = merge(k, end, (struct state *[]){scope->before, k->at},
                      (struct ir_instr *[]){begin->region.other, end}, 2);
    } else {
        struct ir_instr **from = ir_alloc(k->ir, edges + 1, sizeof(from[0]));
        memcpy(from, begin->region.edges, edges * sizeof(from[0]));
        from[edges] = end;
        scope->edges[edges] = k->at;
        k->at = merge(k, end, scope->edges, from, edges + begin->region.falls_through);
    }
}

static void
keep_marker(struct keeper *k, struct ir_instr *i)
{
    switch (i->op) {
    case IR_IF:
    case IR_BLOCK:
    case IR_LOOP:
        open_scope(k, i);
        break;
    case IR_ELSE:
        begin_other_arm(k, i);
        break;
    case IR_BR:
        leave_block(k, i);
        break;
    default:
        close_scope(k, i);
        break;
    }
}

/* What a load of the word gives after the store: 8 and 16 bits with zeros above them. */
static struct ir_instr *
kept_value(struct keeper *k, const struct ir_instr *store)
{
    struct ir_instr *value = store->args[2];
    if (store->aux >= 4)
        return value;
    k->ir->cursor = store->prev;
    value = ir_un(k->ir, store->aux == 1 ? IR_ZEXT8 : IR_ZEXT16, value);
    value->cls = IR_UNIFORM;
    return value;
}

/* A value that lanes do not agree on stays in memory: one of the lanes writes last. */
static void
keep_access(struct keeper *k, struct ir_instr *i, uint32_t w)
{
    struct state *at = k->at;
    if (at && i->op == IR_LOAD && !at->values[w]) {
        at->values[w] = i;
        return;
    }
    if (at && i->op == IR_STORE && i->args[2]->cls != IR_UNIFORM) {
        forget(at, (uint64_t)1 << w);
        return;
    }
    if (i->op == IR_LOAD) {
        i->forward = at ? at->values[w] : ir_undef(k->ir, i->type);
    } else if (at) {
        at->values[w] = kept_value(k, i);
        at->dirty |= (uint64_t)1 << w;
    }
    ir_remove(k->ir, i);
}

bool
ir_keep_words(struct ir_program *ir)
{
    struct keeper *k = ir_alloc(ir, 1, sizeof(*k));
    k->ir = ir;
    if (!ir->shared_B || ir->pack > 1 || ir->has_accesses || !find_words(k))
        return false;
    /* A scalar of a loop may be another number for each lane behind it: then it has a PHI there. */
    ir_close_loops(ir);
    ir_find_classes(ir);
    k->at = ir_alloc(ir, 1, sizeof(*k->at));
    for (struct ir_instr *i = ir->first, *next; i; i = next) {
        uint32_t w;
        next = i->next;
        for (uint32_t a = 0; a < i->arg_count; a++)
            i->args[a] = ir_resolve(i->args[a]);
        if (is_kept(k, i, &w))
            keep_access(k, i, w);
        else if (ir_is_marker(i))
            keep_marker(k, i);
    }
    return true;
}

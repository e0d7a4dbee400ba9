/* SPDX-License-Identifier: MIT */
/* From what each invocation entered to warps: which blocks are in which loops, and which lanes are
 * in a block together.
 */
#include "trace.h"

#include "test.h"

#include <stdlib.h>

enum {
    OP_FUNCTION = 54,
    OP_FUNCTION_CALL = 57,
    OP_LOOP_MERGE = 246,
    OP_LABEL = 248,
    OP_BRANCH = 249,
    OP_BRANCH_CONDITIONAL = 250,
    OP_SWITCH = 251,
};

#define MAX_CALLS 64u
#define MAX_DEPTH 64u
#define GROUP_WORDS (RP_MAX_WORKGROUP_SIZE / 64)

struct block {
    uint32_t label;
    uint32_t function;          /* id */
    bool is_first;              /* of its function */
    uint32_t merge, next_round; /* of a loop: blocks; UINT32_MAX: not the header of one */
    uint32_t *ways;             /* blocks that it may go to */
    uint32_t way_count;
    uint32_t calls[MAX_CALLS]; /* functions, in their order */
    uint32_t call_count;
    uint64_t *dominators; /* a bit each */
};

struct graph {
    struct block *blocks;
    uint32_t count;
    uint32_t set_words;
    uint32_t *block_of; /* by label; UINT32_MAX: no label */
};

static void
graph_blocks(struct graph *g, const uint32_t *words, size_t count)
{
    uint32_t function = 0;
    bool is_first = false;
    g->block_of = malloc(words[3] * sizeof(*g->block_of));
    g->blocks = calloc(words[3], sizeof(*g->blocks));
    REQUIRE(g->block_of && g->blocks);
    memset(g->block_of, 0xff, words[3] * sizeof(*g->block_of));
    for (size_t at = 5; at < count; at += words[at] >> 16) {
        const uint32_t op = words[at] & 0xffff;
        if (op == OP_FUNCTION) {
            function = words[at + 2];
            is_first = true;
        } else if (op == OP_LABEL) {
            g->block_of[words[at + 1]] = g->count;
            g->blocks[g->count++] = (struct block){.label = words[at + 1],
                                                   .function = function,
                                                   .is_first = is_first,
                                                   .merge = UINT32_MAX,
                                                   .next_round = UINT32_MAX};
            is_first = false;
        }
    }
}

static void
switch_ways(const struct graph *g, struct block *b, const uint32_t *instr)
{
    const uint32_t count = instr[0] >> 16;
    uint32_t step = 2; /* literals of one word; of two where that gives no labels */
    for (uint32_t at = 4; at < count; at += step)
        if (at >= count || instr[at] == 0 || g->block_of[instr[at]] == UINT32_MAX) {
            step = 3;
            break;
        }
    b->ways[b->way_count++] = g->block_of[instr[2]];
    for (uint32_t at = 2 + step; at < count; at += step)
        b->ways[b->way_count++] = g->block_of[instr[at]];
}

static void
graph_ways(struct graph *g, const uint32_t *words, size_t count)
{
    struct block *b = NULL;
    for (size_t at = 5; at < count; at += words[at] >> 16) {
        const uint32_t *instr = words + at, length = instr[0] >> 16;
        switch (instr[0] & 0xffff) {
        case OP_LABEL:
            b = &g->blocks[g->block_of[instr[1]]];
            break;
        case OP_FUNCTION_CALL:
            REQUIRE(b->call_count < MAX_CALLS);
            b->calls[b->call_count++] = instr[3];
            break;
        case OP_LOOP_MERGE:
            b->merge = g->block_of[instr[1]];
            b->next_round = g->block_of[instr[2]];
            break;
        case OP_BRANCH:
        case OP_BRANCH_CONDITIONAL:
        case OP_SWITCH:
            b->ways = calloc(length, sizeof(*b->ways));
            REQUIRE(b->ways);
            if ((instr[0] & 0xffff) == OP_SWITCH) {
                switch_ways(g, b, instr);
                break;
            }
            if ((instr[0] & 0xffff) == OP_BRANCH) {
                b->ways[b->way_count++] = g->block_of[instr[1]];
                break;
            }
            b->ways[b->way_count++] = g->block_of[instr[2]];
            b->ways[b->way_count++] = g->block_of[instr[3]];
            break;
        default:
            break;
        }
    }
}

static bool
dominates(const struct graph *g, uint32_t a, uint32_t b)
{
    return g->blocks[b].dominators[a / 64] >> a % 64 & 1;
}

/* Of blocks that cannot be reached: all. */
static void
graph_dominators(struct graph *g)
{
    g->set_words = (g->count + 63) / 64;
    uint64_t *sets = malloc((size_t)g->count * g->set_words * 8);
    REQUIRE(sets);
    memset(sets, 0xff, (size_t)g->count * g->set_words * 8);
    for (uint32_t i = 0; i < g->count; i++) {
        g->blocks[i].dominators = sets + (size_t)i * g->set_words;
        if (g->blocks[i].is_first) {
            memset(g->blocks[i].dominators, 0, g->set_words * 8);
            g->blocks[i].dominators[i / 64] |= UINT64_C(1) << i % 64;
        }
    }
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (uint32_t i = 0; i < g->count; i++)
            for (uint32_t k = 0; k < g->blocks[i].way_count; k++) {
                const uint32_t to = g->blocks[i].ways[k];
                for (uint32_t s = 0; s < g->set_words && !g->blocks[to].is_first; s++) {
                    uint64_t set = g->blocks[i].dominators[s];
                    if (s == to / 64)
                        set |= UINT64_C(1) << to % 64;
                    has_changed |= g->blocks[to].dominators[s] & ~set;
                    g->blocks[to].dominators[s] &= set;
                }
            }
    }
}

/* Is the block in the loop? Where its merge block is never reached, what an outer loop does next is
 * no part of it. */
static bool
is_in_loop(const struct graph *g, uint32_t header, uint32_t block)
{
    if (!dominates(g, header, block) || dominates(g, g->blocks[header].merge, block))
        return false;
    for (uint32_t o = 0; o < g->count; o++) {
        const struct block *outer = &g->blocks[o];
        if (outer->merge == UINT32_MAX || o == header || !dominates(g, o, header) ||
            dominates(g, outer->merge, header))
            continue;
        if (dominates(g, outer->next_round, block) && !dominates(g, outer->next_round, header))
            return false;
    }
    return true;
}

/* Where lanes can be together: each place by the one around it and two numbers. */
struct place {
    uint32_t outer, a, b;
    uint64_t lanes[GROUP_WORDS];
};

struct places {
    struct place *items;
    uint32_t count, capacity;
    uint32_t *slots; /* 1 + index; 0: free */
    uint32_t slot_count;
};

static uint32_t *
places_slot(struct places *p, uint32_t outer, uint32_t a, uint32_t b)
{
    uint32_t hash = (outer * 0x9e3779b1u ^ a) * 0x85ebca6bu ^ b;
    hash = (hash ^ hash >> 15) * 0xc2b2ae35u;
    uint32_t at = (hash ^ hash >> 13) & (p->slot_count - 1);
    for (; p->slots[at]; at = (at + 1) & (p->slot_count - 1)) {
        const struct place *place = &p->items[p->slots[at] - 1];
        if (place->outer == outer && place->a == a && place->b == b)
            break;
    }
    return &p->slots[at];
}

static void
places_grow(struct places *p)
{
    p->capacity = p->capacity ? 2 * p->capacity : 256;
    p->items = realloc(p->items, p->capacity * sizeof(*p->items));
    free(p->slots);
    p->slot_count = 4 * p->capacity;
    p->slots = calloc(p->slot_count, sizeof(*p->slots));
    REQUIRE(p->items && p->slots);
    for (uint32_t i = 0; i < p->count; i++)
        *places_slot(p, p->items[i].outer, p->items[i].a, p->items[i].b) = i + 1;
}

static uint32_t
places_find(struct places *p, uint32_t outer, uint32_t a, uint32_t b)
{
    if (p->count == p->capacity)
        places_grow(p);
    uint32_t *slot = places_slot(p, outer, a, b);
    if (!*slot) {
        p->items[p->count] = (struct place){.outer = outer, .a = a, .b = b};
        *slot = ++p->count;
    }
    return *slot - 1;
}

/* a of places that are no rounds of a loop, whose a is the header's block. */
enum { PLACE_BLOCK = UINT32_MAX, PLACE_CALL = UINT32_MAX - 1 };

struct frame {
    uint32_t function;
    uint32_t place; /* of the call */
    uint32_t block; /* where it is, and the place of that */
    uint32_t block_place;
    uint32_t next_call; /* of that block's */
    struct {
        uint32_t header, round, place;
    } loops[MAX_DEPTH];
    uint32_t loop_count;
};

struct lane {
    const struct graph *g;
    struct places *places;
    struct frame frames[MAX_DEPTH];
    uint32_t frame_count;
};

static void
enter_function(struct lane *l, uint32_t function)
{
    uint32_t place = UINT32_MAX;
    while (l->frame_count) {
        struct frame *f = &l->frames[l->frame_count - 1];
        const struct block *b = &l->g->blocks[f->block];
        if (f->next_call < b->call_count && b->calls[f->next_call] == function) {
            place = places_find(l->places, f->block_place, PLACE_CALL, f->next_call++);
            break;
        }
        l->frame_count--;
    }
    REQUIRE(l->frame_count < MAX_DEPTH);
    l->frames[l->frame_count++] = (struct frame){.function = function, .place = place};
}

static uint32_t
frame_place(const struct frame *f)
{
    return f->loop_count ? f->loops[f->loop_count - 1].place : f->place;
}

static void
enter_round(struct lane *l, struct frame *f, uint32_t header)
{
    uint32_t round = 0;
    if (f->loop_count && f->loops[f->loop_count - 1].header == header)
        round = f->loops[--f->loop_count].round + 1;
    REQUIRE(f->loop_count < MAX_DEPTH);
    const uint32_t place = places_find(l->places, frame_place(f), header, round);
    f->loops[f->loop_count].header = header;
    f->loops[f->loop_count].round = round;
    f->loops[f->loop_count++].place = place;
}

/* Returns the place. */
static uint32_t
enter_block(struct lane *l, uint32_t block)
{
    const struct block *b = &l->g->blocks[block];
    if (b->is_first)
        enter_function(l, b->function);
    while (l->frames[l->frame_count - 1].function != b->function) {
        l->frame_count--;
        REQUIRE(l->frame_count);
    }
    struct frame *f = &l->frames[l->frame_count - 1];
    while (f->loop_count && !is_in_loop(l->g, f->loops[f->loop_count - 1].header, block))
        f->loop_count--;
    if (b->merge != UINT32_MAX)
        enter_round(l, f, block);
    f->block = block;
    f->next_call = 0;
    f->block_place = places_find(l->places, frame_place(f), PLACE_BLOCK, block);
    return f->block_place;
}

static void
count_place(const struct place *place, struct trace_count *count)
{
    for (uint32_t i = 0; i < GROUP_WORDS; i++) {
        count->active += (uint64_t)__builtin_popcountll(place->lanes[i]);
        for (uint32_t w = 0; w < RP_PROBE_WIDTHS; w++)
            for (uint32_t first = 0; first < 64; first += 8u << w)
                count->masks[w] += (place->lanes[i] >> first & UINT64_MAX >> (64 - (8u << w))) != 0;
    }
}

static bool
merge_group(const struct graph *g, const uint32_t *trace, uint32_t lanes,
            struct trace_count *counts)
{
    struct places places = {0};
    bool is_complete = true;
    for (uint32_t lane = 0; lane < lanes && is_complete; lane++) {
        const uint32_t *own = trace + (size_t)lane * TRACE_WORDS;
        struct lane *l = calloc(1, sizeof(*l));
        REQUIRE(l);
        l->g = g;
        l->places = &places;
        is_complete = own[0] < TRACE_WORDS - 1;
        for (uint32_t i = 1; i <= own[0] && is_complete; i++) {
            const uint32_t at = enter_block(l, g->block_of[own[i]]); /* items may move */
            struct place *place = &places.items[at];
            REQUIRE(!(place->lanes[lane / 64] >> lane % 64 & 1)); /* once each */
            place->lanes[lane / 64] |= UINT64_C(1) << lane % 64;
        }
        free(l);
    }
    for (uint32_t i = 0; i < places.count; i++)
        if (places.items[i].a == PLACE_BLOCK)
            count_place(&places.items[i], &counts[g->blocks[places.items[i].b].label]);
    free(places.items);
    free(places.slots);
    return is_complete;
}

bool
trace_merge(const uint32_t *words, size_t count, const struct trace_grid *grid,
            const uint32_t *trace, struct trace_count *counts)
{
    struct graph g = {0};
    bool is_complete = true;
    graph_blocks(&g, words, count);
    graph_ways(&g, words, count);
    graph_dominators(&g);
    const size_t groups = (size_t)grid->count[0] * grid->count[1] * grid->count[2];
    for (size_t group = 0; group < groups; group++)
        is_complete &=
            merge_group(&g, trace + group * grid->lanes * TRACE_WORDS, grid->lanes, counts);
    for (uint32_t i = 0; i < g.count; i++)
        free(g.blocks[i].ways);
    if (g.count)
        free(g.blocks[0].dominators);
    free(g.blocks);
    free(g.block_of);
    return is_complete;
}

/* SPDX-License-Identifier: MIT */
/* Places where ways meet that no instruction names: neither a merge block nor a continue target nor
 * a case. The two sides of a branch may meet in front of its merge block, and other compilers make
 * use of that. Each such place belongs to the branch that all ways to it come through: its
 * immediate dominator.
 */
#include "compute/spirv/flow.h"
#include "compute/spirv/region.h"
#include "compute/spirv/translate.h"

#define MAX_ROUNDS 64u /* structured control flow wants two */
#define NONE UINT32_MAX

struct node {
    uint32_t label;
    const uint32_t *terminator;
    uint32_t entries;  /* branches to it */
    uint32_t order;    /* greater than that of what comes behind it; NONE: never reached */
    uint32_t above;    /* the immediate dominator's number */
    uint32_t position; /* of the successor that is walked next */
    bool is_named;
    bool is_loop;
};

struct graph {
    struct spv *s;
    struct node *nodes;
    uint32_t count;
    uint32_t *reached; /* numbers, by order */
    uint32_t reached_count;
};

/* The word of the terminator's i-th label; 0: it has no more. */
static uint32_t
label_word(const struct graph *g, const uint32_t *terminator, uint32_t i)
{
    uint32_t word = 0;
    switch (spv_opcode(terminator)) {
    case SPV_OP_BRANCH:
        word = i < 1 ? 1 : 0;
        break;
    case SPV_OP_BRANCH_CONDITIONAL:
        word = i < 2 ? 2 + i : 0;
        break;
    case SPV_OP_SWITCH: {
        g->s->at = terminator;
        const uint32_t *selector = spv_id(g->s, spv_word(g->s, 1))->def;
        if (!selector || spv_word_count(selector) < 2)
            spv_fail(g->s, "selector is not an integer");
        word = 2 + i * (spv_type(g->s, selector[1])->width == 64 ? 3 : 2);
        break;
    }
    default:
        break;
    }
    return word < spv_word_count(terminator) ? word : 0;
}

/* NULL: no more; fails where the label is none of this function's. */
static struct node *
successor(const struct graph *g, const struct node *node, uint32_t i)
{
    const uint32_t word = label_word(g, node->terminator, i);
    if (!word)
        return NULL;
    g->s->at = node->terminator;
    const uint32_t label = node->terminator[word];
    const uint32_t number = spv_id(g->s, label)->block;
    if (number >= g->count || g->nodes[number].label != label)
        spv_fail(g->s, "branch to what is not a label");
    return &g->nodes[number];
}

static void
name(const struct graph *g, uint32_t label)
{
    const uint32_t number = spv_id(g->s, label)->block;
    if (number < g->count && g->nodes[number].label == label)
        g->nodes[number].is_named = true;
}

/* The blocks of the function; their labels get numbers. */
static void
collect(struct graph *g, const uint32_t *first_label)
{
    struct spv *s = g->s;
    uint32_t count = 0;
    for (const uint32_t *i = first_label; spv_opcode(i) != SPV_OP_FUNCTION_END;
         i = spv_next_instr(s, i))
        count += spv_opcode(i) == SPV_OP_LABEL;
    g->nodes = ir_alloc(s->ir, count, sizeof(g->nodes[0]));
    for (const uint32_t *i = first_label; spv_opcode(i) != SPV_OP_FUNCTION_END;
         i = spv_next_instr(s, i)) {
        if (spv_opcode(i) == SPV_OP_LABEL) {
            spv_id(s, i[1])->block = g->count;
            g->nodes[g->count++] = (struct node){.label = i[1], .terminator = i, .order = NONE};
        }
        struct node *node = &g->nodes[g->count - 1];
        node->is_loop |= spv_opcode(i) == SPV_OP_LOOP_MERGE;
        if (spv_is_terminator(spv_opcode(i)))
            node->terminator = i;
    }
}

/* Is there a place that ways meet at and that nothing names? */
static bool
count_entries(struct graph *g, const uint32_t *first_label)
{
    struct node *to;
    for (const uint32_t *i = first_label; spv_opcode(i) != SPV_OP_FUNCTION_END;
         i = spv_next_instr(g->s, i)) {
        if (spv_is_merge(spv_opcode(i)) && spv_word_count(i) > 1)
            name(g, i[1]);
        if (spv_opcode(i) == SPV_OP_LOOP_MERGE && spv_word_count(i) > 2)
            name(g, i[2]);
    }
    for (uint32_t n = 0; n < g->count; n++)
        for (uint32_t i = 0; (to = successor(g, &g->nodes[n], i)); i++) {
            to->entries++;
            to->is_named |= spv_opcode(g->nodes[n].terminator) == SPV_OP_SWITCH;
        }
    bool has_any = false;
    for (uint32_t n = 0; n < g->count; n++)
        has_any |= !g->nodes[n].is_named && g->nodes[n].entries >= 2u + g->nodes[n].is_loop;
    return has_any;
}

/* Numbers the blocks so that what dominates one has a greater order. */
static void
walk(struct graph *g)
{
    uint32_t *stack = ir_alloc(g->s->ir, g->count + 1, sizeof(stack[0])), depth = 1;
    bool *is_seen = ir_alloc(g->s->ir, g->count + 1, sizeof(is_seen[0]));
    g->reached = ir_alloc(g->s->ir, g->count + 1, sizeof(g->reached[0]));
    stack[0] = 0;
    is_seen[0] = true;
    while (depth) {
        struct node *node = &g->nodes[stack[depth - 1]];
        const struct node *to = successor(g, node, node->position++);
        if (to && !is_seen[to - g->nodes]) {
            is_seen[to - g->nodes] = true;
            stack[depth++] = (uint32_t)(to - g->nodes);
        } else if (!to) {
            node->order = g->reached_count;
            g->reached[g->reached_count++] = stack[--depth];
        }
    }
}

/* The nearest block that dominates both. */
static uint32_t
common(const struct graph *g, uint32_t a, uint32_t b)
{
    while (a != b) {
        if (g->nodes[a].order < g->nodes[b].order)
            a = g->nodes[a].above;
        else
            b = g->nodes[b].above;
    }
    return a;
}

static void
find_dominators(struct graph *g)
{
    bool has_changed = true;
    for (uint32_t n = 0; n < g->count; n++)
        g->nodes[n].above = NONE;
    g->nodes[0].above = 0;
    for (uint32_t round = 0; has_changed; round++) {
        struct node *to;
        if (round == MAX_ROUNDS)
            spv_fail(g->s, "control flow is not structured");
        has_changed = false;
        for (uint32_t k = g->reached_count; k-- > 0;) {
            const uint32_t from = g->reached[k];
            for (uint32_t i = 0; (to = successor(g, &g->nodes[from], i)); i++) {
                if (to == g->nodes)
                    continue;
                const uint32_t above = to->above == NONE ? from : common(g, to->above, from);
                has_changed |= above != to->above;
                to->above = above;
            }
        }
    }
}

void
spv_find_joins(struct spv *s, const uint32_t *first_label)
{
    struct graph g = {.s = s};
    const uint32_t *at = s->at;
    collect(&g, first_label);
    if (count_entries(&g, first_label)) {
        walk(&g);
        find_dominators(&g);
    }
    for (uint32_t k = 0; k < g.reached_count; k++) { /* the first comes to stand in front */
        const struct node *node = &g.nodes[g.reached[k]];
        if (node->is_named || node->entries < 2u + node->is_loop)
            continue;
        struct spv_id *above = spv_id(s, g.nodes[node->above].label);
        struct spv_join *join = ir_alloc(s->ir, 1, sizeof(*join));
        *join = (struct spv_join){node->label, above->joins};
        above->joins = join;
    }
    s->at = at;
}

uint32_t
spv_joins_begin(struct spv *s, struct spv_joins *joins, uint32_t label, uint32_t stop)
{
    const struct spv_join *first = spv_id(s, label)->joins;
    uint32_t count = 0;
    joins->count = 0;
    for (const struct spv_join *j = first; j; j = j->next)
        joins->count++;
    joins->targets = ir_alloc(s->ir, joins->count + 1, sizeof(joins->targets[0]));
    for (const struct spv_join *j = first; j; j = j->next)
        joins->targets[count++].label = j->label;
    while (count-- > 0) { /* the last stands outermost */
        struct spv_exit_target *target = &joins->targets[count];
        target->outer = s->call->targets;
        target->block = spv_block_begin(s);
        s->call->targets = target;
    }
    return first ? first->label : stop;
}

uint32_t
spv_joins_end(struct spv *s, const struct spv_joins *joins, uint32_t next)
{
    if (next && joins->count)
        spv_translate_blocks(s, next, joins->targets[0].label);
    for (uint32_t k = 0; k < joins->count; k++) {
        const struct spv_exit_target *target = &joins->targets[k];
        s->call->targets = target->outer;
        spv_block_end(s, target->block);
        next = s->is_reachable ? target->label : 0;
        if (next && k + 1 < joins->count)
            spv_translate_blocks(s, next, target[1].label);
    }
    return next;
}

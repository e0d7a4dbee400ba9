/* SPDX-License-Identifier: MIT */
/* Control flow. Where lanes part, a construct owns a mask level; when no lane is left on a level,
 * control goes to the end of the construct that owns it.
 */
#include "compute/ir/emitter.h"
#include "compute/ir/limits.h"

#include <string.h>

static void
patch_add(struct ir_emitter *e, struct ir_patches *p, uint32_t op)
{
    if (p->count == p->capacity) {
        const uint32_t capacity = p->capacity ? 2 * p->capacity : 4;
        uint32_t *items = ir_alloc(e->ir, capacity, sizeof(items[0]));
        if (p->count)
            memcpy(items, p->items, p->count * sizeof(items[0]));
        p->items = items;
        p->capacity = capacity;
    }
    p->items[p->count++] = op;
}

/* The jumps land at the next record. */
static void
patch_here(struct ir_emitter *e, struct ir_patches *p)
{
    for (uint32_t i = 0; i < p->count; i++)
        e->out->ops[p->items[i]].i = (int32_t)(e->out->op_count - p->items[i]);
    p->count = 0;
}

static struct ir_construct *
open_construct(struct ir_emitter *e, struct ir_instr *begin)
{
    struct ir_construct *c = ir_alloc(e->ir, 1, sizeof(*c));
    c->outer = e->innermost;
    c->begin = begin;
    c->outer_level = e->level;
    c->owns_level = begin && begin->op != IR_LOOP && begin->region.is_divergent;
    e->innermost = c;
    if (c->owns_level) {
        if (e->level + 1u > IR_MAX_LEVELS)
            ir_fail(e->ir->fail, VK_ERROR_UNKNOWN, "too many masks inside each other");
        e->level++;
        if (e->level >= e->level_count)
            e->level_count = (uint16_t)(e->level + 1);
    }
    return c;
}

static void
close_construct(struct ir_emitter *e)
{
    e->level = e->innermost->outer_level;
    e->innermost = e->innermost->outer;
}

/* The construct whose end comes next when the current level is empty. */
static struct ir_construct *
level_owner(struct ir_emitter *e)
{
    struct ir_construct *c = e->innermost;
    while (c->outer && !c->owns_level)
        c = c->outer;
    return c;
}

static void
jump_to_end(struct ir_emitter *e, struct ir_construct *c, uint32_t op)
{
    const bool to_else = c->begin && c->begin->op == IR_IF && !c->is_in_else;
    patch_add(e, to_else ? &c->to_else : &c->to_end, op);
}

/* Back to the outer level; when it lost lanes it may be empty. */
static void
emit_rejoin(struct ir_emitter *e, bool loses_lanes)
{
    const uint32_t op = ir_emit_op(e, RP_X_REJOIN);
    ir_emit_last(e)->b = loses_lanes;
    ir_emit_last(e)->i = 1;
    if (loses_lanes)
        jump_to_end(e, level_owner(e), op);
}

static bool
is_empty_else(const struct ir_instr *other)
{
    return other->next->op == IR_ENDIF;
}

static bool
has_phis(const struct ir_instr *marker)
{
    return marker->next && marker->next->op == IR_PHI;
}

/* IF x BR ELSE ENDIF where lanes part. */
static bool
only_leaves(const struct ir_instr *begin)
{
    const struct ir_instr *other = begin->region.other, *end = begin->region.end;
    return begin->region.is_divergent && begin->next->op == IR_BR && begin->next->next == other &&
           is_empty_else(other) && !has_phis(end);
}

/* The comparison of an EXIT_V can be part of it: nobody else wants its result. */
bool
ir_emit_is_exit_compare(const struct ir_instr *i)
{
    const struct ir_instr *begin = i->next;
    return begin && begin->op == IR_IF && only_leaves(begin) && begin->args[0] == i &&
           i->use_count == 1 && i->cls == IR_VARYING && ir_emit_exit_code(i) != RP_X_COUNT;
}

/* So can be that it leaves where something does not hold. */
bool
ir_emit_is_exit_inversion(const struct ir_instr *i)
{
    const struct ir_instr *begin = i->next;
    return i->op == IR_BNOT && begin && begin->op == IR_IF && only_leaves(begin) &&
           begin->args[0] == i && i->use_count == 1;
}

static void
emit_exit(struct ir_emitter *e, struct ir_instr *begin)
{
    const struct ir_instr *br = begin->next, *block = br->br.block, *cond = begin->args[0];
    struct ir_construct *c = open_construct(e, begin), *target = c;
    const bool is_fused =
        begin->prev == cond && ir_emit_is_exit_compare(cond) && cond != e->made_exit;
    const bool is_inverted = begin->prev == cond && ir_emit_is_exit_inversion(cond);

    for (; target->begin != block; target = target->outer)
        target->loses_lanes = true;
    const uint32_t op = ir_emit_op(e, is_fused ? ir_emit_exit_code(cond) : RP_X_EXIT_V);
    ir_emit_last(e)->a = is_fused || is_inverted ? cond->args[0]->reg : cond->reg;
    ir_emit_last(e)->b = is_fused ? cond->args[1]->reg : is_inverted;
    ir_emit_last(e)->n = (uint16_t)(target->outer_level + 1);
    patch_add(e, &c->to_else, op);
    ir_emit_phis(e, block->region.end, br->br.edge, true);
    close_construct(e);
    const uint32_t back = ir_emit_op(e, RP_X_RETURN);
    jump_to_end(e, level_owner(e), back);
    patch_here(e, &c->to_else);
    e->skip_to = begin->region.end;
}

/* The last record, a comparison of scalars whose result an IF wants, jumps itself. Nobody else
 * jumps to behind it: it is the instruction in front of the IF. */
static bool
emit_compared_if(struct ir_emitter *e, const struct ir_instr *begin)
{
    const struct ir_instr *cond = begin->args[0];
    const uint32_t code = ir_emit_if_code(cond);
    if (begin->prev != cond || code == RP_X_COUNT)
        return false;
    ir_emit_set_code(e, e->out->op_count - 1, code);
    return true;
}

static void
emit_if(struct ir_emitter *e, struct ir_instr *begin)
{
    const uint16_t outer_level = e->level;
    if (only_leaves(begin)) {
        emit_exit(e, begin);
        return;
    }
    struct ir_construct *c = open_construct(e, begin);
    if (c->owns_level || !emit_compared_if(e, begin)) {
        ir_emit_op(e, c->owns_level ? RP_X_IF_V : RP_X_IF_S);
        ir_emit_last(e)->a = begin->args[0]->reg;
        ir_emit_last(e)->n = outer_level;
    }
    patch_add(e, &c->to_else, e->out->op_count - 1);
}

static void
emit_else(struct ir_emitter *e, struct ir_instr *other)
{
    struct ir_construct *c = e->innermost;
    const struct ir_instr *end = other->region.end;

    if (c->owns_level) {
        patch_here(e, &c->to_else);
        c->is_in_else = true;
        if (is_empty_else(other))
            return;
        const uint32_t op = ir_emit_op(e, RP_X_ELSE_V);
        ir_emit_last(e)->a = c->begin->args[0]->reg;
        ir_emit_last(e)->n = c->outer_level;
        patch_add(e, &c->to_end, op);
        return;
    }
    ir_emit_phis(e, end, 0, false);
    if (!is_empty_else(other) || ir_emit_has_moves(end, 1))
        patch_add(e, &c->to_end, ir_emit_op(e, RP_X_JMP));
    patch_here(e, &c->to_else);
    c->is_in_else = true;
}

static void
emit_endif(struct ir_emitter *e, struct ir_instr *end)
{
    struct ir_construct *c = e->innermost;
    if (!c->owns_level)
        ir_emit_phis(e, end, 1, false);
    patch_here(e, &c->to_else);
    patch_here(e, &c->to_end);
    const bool owns_level = c->owns_level, loses_lanes = c->loses_lanes;
    close_construct(e);
    if (owns_level)
        emit_rejoin(e, loses_lanes);
}

static void
emit_block(struct ir_emitter *e, struct ir_instr *begin)
{
    const uint16_t outer_level = e->level;
    const struct ir_construct *c = open_construct(e, begin);
    if (c->owns_level) {
        ir_emit_op(e, RP_X_BLOCK_V);
        ir_emit_last(e)->n = outer_level;
    }
}

static void
emit_endblock(struct ir_emitter *e, struct ir_instr *end)
{
    struct ir_construct *c = e->innermost;
    if (c->begin->region.falls_through)
        ir_emit_phis(e, end, c->begin->region.edge_count, c->owns_level);
    patch_here(e, &c->to_end);
    const bool owns_level = c->owns_level, loses_lanes = c->loses_lanes;
    close_construct(e);
    if (owns_level)
        emit_rejoin(e, loses_lanes);
}

static void
emit_loop(struct ir_emitter *e, struct ir_instr *begin)
{
    ir_emit_phis(e, begin, 0, false);
    struct ir_construct *c = open_construct(e, begin);
    c->first_op = e->out->op_count;
}

static void
emit_endloop(struct ir_emitter *e, struct ir_instr *end)
{
    struct ir_construct *c = e->innermost;
    ir_emit_phis(e, c->begin, 1, false);
    const uint32_t op = ir_emit_op(e, RP_X_LOOPBACK);
    ir_emit_last(e)->i = (int32_t)c->first_op - (int32_t)op;
    (void)end;
    close_construct(e);
}

static void
emit_br(struct ir_emitter *e, struct ir_instr *br)
{
    const struct ir_instr *block = br->br.block;
    struct ir_construct *target = e->innermost;

    while (target->begin != block)
        target = target->outer;
    if (!block->region.is_divergent) {
        ir_emit_phis(e, block->region.end, br->br.edge, false);
        patch_add(e, &target->to_end, ir_emit_op(e, RP_X_JMP));
        return;
    }
    ir_emit_phis(e, block->region.end, br->br.edge, true);
    ir_emit_op(e, RP_X_BR_V);
    ir_emit_last(e)->n = (uint16_t)(target->outer_level + 1);
    for (struct ir_construct *c = e->innermost; c != target; c = c->outer)
        c->loses_lanes = true;
    jump_to_end(e, level_owner(e), ir_emit_op(e, RP_X_JMP));
}

void
ir_emit_marker(struct ir_emitter *e, struct ir_instr *i)
{
    switch (i->op) {
    case IR_IF:
        emit_if(e, i);
        break;
    case IR_ELSE:
        emit_else(e, i);
        break;
    case IR_ENDIF:
        emit_endif(e, i);
        break;
    case IR_LOOP:
        emit_loop(e, i);
        break;
    case IR_ENDLOOP:
        emit_endloop(e, i);
        break;
    case IR_BLOCK:
        emit_block(e, i);
        break;
    case IR_ENDBLOCK:
        emit_endblock(e, i);
        break;
    default:
        emit_br(e, i);
        break;
    }
}

void
ir_emit_begin(struct ir_emitter *e)
{
    e->level_count = 1;
    open_construct(e, NULL);
}

void
ir_emit_end(struct ir_emitter *e)
{
    patch_here(e, &e->innermost->to_end);
    ir_emit_op(e, RP_X_END);
    e->ir->level_count = e->level_count;
}

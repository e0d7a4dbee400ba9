/* SPDX-License-Identifier: MIT */
/* Rebuilds the program construct by construct: loops whose trips can be counted become straight
 * code, branches that are decided disappear, arithmetic folds again on what became constant.
 */
#include "compute/ir/build.h"
#include "compute/ir/limits.h"
#include "compute/ir/passes.h"
#include "compute/ir/range.h"
#include "compute/ir/trips.h"

#include <string.h>

struct open_block {
    struct open_block *outer;
    const struct ir_instr *source;
    struct ir_instr *begin;
    struct ir_instr ***edge_values; /* of the PHIs behind its end */
    uint32_t phi_count;
};

struct rebuild {
    struct ir_program *ir;
    struct open_block *blocks;
    uint32_t first_count;           /* instructions made before */
    const struct ir_instr *staying; /* no lane leaves this loop in the round that is made */
    bool has_unrolled;
};

static bool rebuild_range(struct rebuild *r, struct ir_instr *i, const struct ir_instr *end);

static struct ir_instr *
copy_of(struct ir_instr *i)
{
    if (!i || i->op == IR_CONST || i->op == IR_BUILTIN)
        return i;
    return ir_resolve(i->copy);
}

/* The same of an operand: in a bad module the way may not have come through what makes it. */
static struct ir_instr *
operand_of(struct rebuild *r, struct ir_instr *i)
{
    struct ir_instr *copy = copy_of(i);
    return i && !copy ? ir_undef(r->ir, i->type) : copy;
}

static struct ir_instr *
place_marker(struct rebuild *r, enum ir_op op)
{
    struct ir_instr *marker = ir_make(r->ir, op, IR_VOID, 0);
    ir_place(r->ir, marker);
    return marker;
}

static uint32_t
count_phis(const struct ir_instr *marker)
{
    uint32_t count = 0;
    for (const struct ir_instr *p = marker->next; p && p->op == IR_PHI; p = p->next)
        count++;
    return count;
}

static struct ir_instr *
behind_phis(struct ir_instr *marker)
{
    struct ir_instr *i = marker->next;
    while (i && i->op == IR_PHI)
        i = i->next;
    return i;
}

/* Copies of operand `edge` of the PHIs behind a marker. */
static struct ir_instr **
phi_values(struct rebuild *r, const struct ir_instr *marker, uint32_t edge)
{
    struct ir_instr **values = ir_alloc(r->ir, count_phis(marker) + 1, sizeof(values[0]));
    uint32_t n = 0;
    for (const struct ir_instr *p = marker->next; p && p->op == IR_PHI; p = p->next)
        values[n++] = edge < p->arg_count ? copy_of(p->args[edge]) : NULL;
    return values;
}

/* Gives every PHI behind `marker` its copy: the one value it can have, or a PHI of all edges. */
static void
merge_phis(struct rebuild *r, const struct ir_instr *marker, struct ir_instr ***values,
           uint32_t count)
{
    uint32_t n = 0;
    for (struct ir_instr *p = marker->next; p && p->op == IR_PHI; p = p->next, n++) {
        struct ir_instr *only = NULL;
        bool is_same = true;
        for (uint32_t e = 0; e < count; e++) {
            if (!values[e] || !values[e][n])
                continue;
            is_same = is_same && (!only || only == values[e][n]);
            only = values[e][n];
        }
        if (is_same) {
            p->copy = only ? only : ir_undef(r->ir, p->type);
            continue;
        }
        p->copy = ir_make(r->ir, IR_PHI, p->type, count);
        for (uint32_t e = 0; e < count; e++)
            p->copy->args[e] = values[e] ? values[e][n] : NULL;
        ir_place(r->ir, p->copy);
    }
}

/* Which way an IF goes. */
static struct ir_range
decided(const struct rebuild *r, const struct ir_instr *i, const struct ir_instr *cond)
{
    const struct ir_instr *other = i->region.other;
    if (r->staying && i->loop == r->staying && ir_arm_leaves(r->staying, i->next, other))
        return (struct ir_range){true, 0, 0};
    if (r->staying && i->loop == r->staying &&
        ir_arm_leaves(r->staying, other->next, i->region.end))
        return (struct ir_range){true, 1, 1};
    return ir_range_of(r->ir, cond, NULL, 0);
}

/* One way of an IF. Who leaves in the middle of it was not asked for (trips.c). */
static bool
rebuild_arm(struct rebuild *r, struct ir_instr *i, const struct ir_instr *end)
{
    const struct ir_instr *staying = r->staying;
    r->staying = NULL;
    const bool is_reached = rebuild_range(r, i, end);
    r->staying = staying;
    return is_reached;
}

static bool
rebuild_if(struct rebuild *r, struct ir_instr *i)
{
    struct ir_instr *other = i->region.other, *end = i->region.end;
    struct ir_instr *cond = operand_of(r, i->args[0]);
    const struct ir_range range = decided(r, i, cond);

    if (range.is_known && range.lo == range.hi) {
        const bool is_taken = range.lo != 0;
        const bool is_reached =
            is_taken ? rebuild_arm(r, i->next, other) : rebuild_arm(r, other->next, end);
        struct ir_instr **values = phi_values(r, end, is_taken ? 0 : 1);
        if (is_reached)
            merge_phis(r, end, &values, 1);
        return is_reached;
    }
    struct ir_instr **values[2] = {NULL, NULL};
    struct ir_instr *begin = ir_make(r->ir, IR_IF, IR_VOID, 1);
    begin->args[0] = cond;
    ir_place(r->ir, begin);
    if (rebuild_arm(r, i->next, other))
        values[0] = phi_values(r, end, 0);
    begin->region.other = place_marker(r, IR_ELSE);
    if (rebuild_arm(r, other->next, end))
        values[1] = phi_values(r, end, 1);
    begin->region.end = place_marker(r, IR_ENDIF);
    begin->region.other->region.other = begin;
    begin->region.other->region.end = begin->region.end;
    begin->region.end->region.end = begin;
    begin->region.end->region.other = begin->region.other;
    if (values[0] || values[1])
        merge_phis(r, end, values, 2);
    return values[0] || values[1];
}

static void
add_edge(struct rebuild *r, struct open_block *block, struct ir_instr *br, struct ir_instr **values)
{
    struct ir_instr *begin = block->begin;
    const uint32_t edge = begin->region.edge_count;

    if (edge == begin->region.edge_capacity) {
        const uint32_t capacity = edge ? 2 * edge : 4;
        struct ir_instr **edges = ir_alloc(r->ir, capacity, sizeof(edges[0]));
        struct ir_instr ***all = ir_alloc(r->ir, capacity + 1, sizeof(all[0]));
        if (edge) {
            memcpy(edges, begin->region.edges, edge * sizeof(edges[0]));
            memcpy(all, block->edge_values, edge * sizeof(all[0]));
        }
        begin->region.edges = edges;
        begin->region.edge_capacity = capacity;
        block->edge_values = all;
    }
    br->br.block = begin;
    br->br.edge = edge;
    begin->region.edges[edge] = br;
    block->edge_values[edge] = values;
    begin->region.edge_count++;
}

static void
rebuild_br(struct rebuild *r, const struct ir_instr *i)
{
    struct open_block *block = r->blocks;
    while (block->source != i->br.block)
        block = block->outer;
    struct ir_instr **values = phi_values(r, i->br.block->region.end, i->br.edge);
    add_edge(r, block, place_marker(r, IR_BR), values);
}

static bool
rebuild_block(struct rebuild *r, struct ir_instr *i)
{
    struct ir_instr *end = i->region.end;
    struct open_block block = {
        .outer = r->blocks,
        .source = i,
        .begin = place_marker(r, IR_BLOCK),
        .edge_values = ir_alloc(r->ir, 1, sizeof(block.edge_values[0])),
    };
    struct ir_instr *begin = block.begin;

    r->blocks = &block;
    bool falls_through = rebuild_range(r, i->next, end);
    r->blocks = block.outer;
    uint32_t count = begin->region.edge_count;
    if (falls_through) {
        block.edge_values[count] = phi_values(r, end, i->region.edge_count);
    } else if (count && begin->region.edges[count - 1] == r->ir->cursor) {
        ir_remove(r->ir, r->ir->cursor); /* a BR in front of the end: falls through */
        count = --begin->region.edge_count;
        falls_through = true;
    }
    if (count == 0) {
        ir_remove(r->ir, begin);
        if (falls_through)
            merge_phis(r, end, block.edge_values, 1);
        return falls_through;
    }
    begin->region.falls_through = falls_through;
    begin->region.end = place_marker(r, IR_ENDBLOCK);
    begin->region.end->region.end = begin;
    merge_phis(r, end, block.edge_values, count + falls_through);
    return true;
}

/* Loops. */

static void
unroll(struct rebuild *r, struct ir_instr *loop, uint32_t trips)
{
    struct ir_instr **values = phi_values(r, loop, 0);
    for (uint32_t trip = 0; trip < trips; trip++) {
        uint32_t n = 0;
        for (struct ir_instr *p = loop->next; p->op == IR_PHI; p = p->next)
            p->copy = values[n++];
        if (!rebuild_range(r, behind_phis(loop), loop->region.end))
            return;
        values = phi_values(r, loop, 1);
    }
    ir_fail(r->ir->fail, VK_ERROR_UNKNOWN, "a loop goes round more often than it can");
}

/* The PHIs of a loop that stays one. */
static void
place_loop_phis(struct rebuild *r, struct ir_instr *loop)
{
    for (struct ir_instr *p = loop->next; p->op == IR_PHI; p = p->next) {
        struct ir_instr *phi = ir_make(r->ir, IR_PHI, p->type, 2);
        phi->args[0] = copy_of(p->args[0]);
        ir_place(r->ir, phi);
        p->copy = phi;
    }
}

/* Rounds behind each other, of which one may leave; false: the last one's end is not reached.
 * *values_out: what the PHIs are then. */
static bool
rebuild_rounds(struct rebuild *r, struct ir_instr *loop, uint32_t rounds, uint32_t exit,
               struct ir_instr ***values_out)
{
    const struct ir_instr *outer = r->staying;
    bool comes_round = true;
    for (uint32_t round = 0; round < rounds && comes_round; round++) {
        uint32_t n = 0;
        for (struct ir_instr *p = loop->next; round && p->op == IR_PHI; p = p->next)
            p->copy = (*values_out)[n++];
        r->staying = rounds > 1 && round != exit ? loop : outer;
        comes_round = rebuild_range(r, behind_phis(loop), loop->region.end);
        *values_out = phi_values(r, loop, 1);
    }
    r->staying = outer;
    return comes_round;
}

static void
rebuild_loop(struct rebuild *r, struct ir_instr *loop)
{
    const bool has_room = r->ir->instr_count - r->first_count < IR_MAX_UNROLLED_ALL;
    const uint32_t trips = has_room ? ir_count_trips(r->ir, loop) : 0;
    if (trips) {
        r->has_unrolled = true;
        unroll(r, loop, trips);
        return;
    }
    uint32_t exit = 0;
    const uint32_t rounds = has_room ? ir_rounds_together(r->ir, loop, &exit) : 1;
    r->has_unrolled |= rounds > 1;
    struct ir_instr *begin = place_marker(r, IR_LOOP), **values = NULL;
    place_loop_phis(r, loop);
    struct ir_instr *phi = begin->next;
    const bool comes_round = rebuild_rounds(r, loop, rounds, exit, &values);
    if (comes_round) {
        begin->region.end = place_marker(r, IR_ENDLOOP);
        begin->region.end->region.end = begin;
    }
    for (struct ir_instr *p = loop->next; p->op == IR_PHI; p = p->next) {
        struct ir_instr *next = phi->next;
        phi->args[1] = comes_round ? *values++ : NULL;
        if (!comes_round) {
            phi->forward = phi->args[0];
            ir_remove(r->ir, phi);
        }
        phi = next;
    }
    if (!comes_round)
        ir_remove(r->ir, begin);
}

/* Single instructions. */

/* What ranges decide: constants, divisions of sums. */
static struct ir_instr *
simplify(struct rebuild *r, struct ir_instr *i)
{
    if (!ir_op_is_arithmetic(i->op) || i->type == IR_L)
        return i;
    const struct ir_range range = ir_range_of(r->ir, i, NULL, 0);
    if (range.is_known && range.lo == range.hi)
        return ir_const(r->ir, i->type, range.lo);
    struct ir_instr *better = NULL;
    if (i->op == IR_IADD)
        better = ir_rejoin_division(r->ir, i->args[0], i->args[1]);
    else if (i->arg_count == 2)
        better = ir_divide(r->ir, i->op, i->args[0], i->args[1]);
    return better ? better : i;
}

static struct ir_instr *
rebuild_arithmetic(struct rebuild *r, const struct ir_instr *i)
{
    struct ir_instr *args[3] = {NULL};
    for (uint32_t a = 0; a < i->arg_count; a++)
        args[a] = operand_of(r, i->args[a]);
    if (i->op == IR_BNOT)
        return ir_not(r->ir, args[0]);
    if (i->arg_count == 1)
        return ir_un(r->ir, i->op, args[0]);
    if (i->op == IR_SEL || i->op == IR_SEL64 || i->op == IR_BSEL)
        return ir_select(r->ir, args[0], args[1], args[2]);
    return i->arg_count == 2 ? ir_bin(r->ir, i->op, args[0], args[1])
                             : ir_tri(r->ir, i->op, args[0], args[1], args[2]);
}

/* A word of constant data at a place that is known. */
static struct ir_instr *
fold_table(struct rebuild *r, const struct ir_instr *i)
{
    const struct ir_program *ir = r->ir;
    const struct ir_instr *offset = operand_of(r, i->args[1]);
    const struct ir_instr *handle = operand_of(r, i->args[0]);
    uint64_t value = 0;

    if (i->comps != 1 || !ir_is_value(handle, IR_OWN_HANDLE(IR_MEMORY_TABLE)) ||
        !ir_is_const(offset) || offset->imm + i->aux > ir->table_B || i->aux < 4)
        return NULL;
    memcpy(&value, ir->table + offset->imm, i->aux);
    return ir_const(r->ir, i->type, value);
}

static struct ir_instr *
rebuild_proj(struct rebuild *r, const struct ir_instr *i)
{
    struct ir_instr *source = copy_of(i->args[0]);
    if (!source)
        return ir_undef(r->ir, i->type);
    struct ir_instr *proj = ir_make(r->ir, IR_PROJ, i->type, 1);
    proj->args[0] = source;
    proj->imm = i->imm;
    if (source->op == IR_LOAD)
        source->projs[i->imm] = proj;
    else
        source->image_projs[i->imm] = proj;
    ir_place(r->ir, proj);
    return proj;
}

static struct ir_instr *
rebuild_other(struct rebuild *r, const struct ir_instr *i)
{
    struct ir_instr *copy = ir_make(r->ir, i->op, i->type, i->arg_count);
    struct ir_instr **args = copy->args;

    *copy = *i;
    copy->args = args;
    copy->prev = copy->next = copy->forward = copy->copy = copy->exit_phi = NULL;
    for (uint32_t a = 0; a < i->arg_count; a++)
        args[a] = operand_of(r, i->args[a]);
    if (i->op == IR_LOAD && i->comps > 1)
        copy->projs = ir_alloc(r->ir, i->comps, sizeof(copy->projs[0]));
    memset(copy->image_projs, 0, sizeof(copy->image_projs));
    ir_place(r->ir, copy);
    return copy;
}

static void
rebuild_instr(struct rebuild *r, struct ir_instr *i)
{
    if (ir_op_is_arithmetic(i->op)) {
        i->copy = simplify(r, rebuild_arithmetic(r, i));
        return;
    }
    if (i->op == IR_PROJ) {
        i->copy = rebuild_proj(r, i);
        return;
    }
    i->copy = i->op == IR_LOAD ? fold_table(r, i) : NULL;
    if (!i->copy)
        i->copy = rebuild_other(r, i);
}

/* Rebuilds [i, end); returns whether its end is reached. What stands behind a jump is dropped. */
static bool
rebuild_range(struct rebuild *r, struct ir_instr *i, const struct ir_instr *end)
{
    while (i != end) {
        switch (i->op) {
        case IR_IF:
            if (!rebuild_if(r, i))
                return false;
            i = behind_phis(i->region.end);
            break;
        case IR_BLOCK:
            if (!rebuild_block(r, i))
                return false;
            i = behind_phis(i->region.end);
            break;
        case IR_LOOP:
            rebuild_loop(r, i);
            return false;
        case IR_BR:
            rebuild_br(r, i);
            return false;
        default:
            rebuild_instr(r, i);
            i = i->next;
            break;
        }
    }
    return true;
}

/* Loops, or divisions of what may be known not to be negative. */
static bool
has_work(const struct ir_program *ir)
{
    for (const struct ir_instr *i = ir->first; i; i = i->next)
        if (i->op == IR_LOOP || i->op == IR_SAR || i->op == IR_SDIV || i->op == IR_SMOD ||
            i->op == IR_SREM)
            return true;
    return false;
}

bool
ir_unroll(struct ir_program *ir, bool is_wanted)
{
    struct rebuild r = {.ir = ir, .first_count = ir->instr_count};

    if (!is_wanted && !has_work(ir))
        return false;
    ir_close_loops(ir); /* numbers the instructions, too */
    ir_resolve_phis(ir);
    struct ir_instr *first = ir->first;
    ir->first = ir->last = ir->cursor = NULL;
    rebuild_range(&r, first, NULL);
    ir_resolve_phis(ir);
    return r.has_unrolled;
}

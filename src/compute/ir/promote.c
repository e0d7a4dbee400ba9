/* SPDX-License-Identifier: MIT */
/* Lane memory that is only read and written at constant places becomes values, merged by PHIs
 * where control flow meets.
 */
#include "compute/ir/build.h"
#include "compute/ir/limits.h"
#include "compute/ir/passes.h"

#include <string.h>

struct slots {
    struct ir_instr *values[IR_MAX_PROMOTED];
};

/* What is kept for an open construct. */
struct scope {
    struct scope *outer;
    const struct ir_instr *begin;
    struct slots
        *before; /* IF: at its begin; then at the end of its first arm, NULL: not reached */
    struct slots **edges;   /* BLOCK */
    struct ir_instr **phis; /* LOOP */
};

struct promote {
    struct ir_program *ir;
    uint8_t *types; /* by slot: enum ir_type, 0: not seen, or KEPT */
    uint16_t *numbers;
    uint32_t count;   /* of promoted slots */
    struct slots *at; /* NULL: not reached */
    struct scope *scope;
};

#define KEPT 255u

static bool
is_access(const struct ir_instr *i)
{
    return i->op == IR_LANE_LOAD || i->op == IR_LANE_STORE;
}

/* The slot of an access at a constant place. */
static uint32_t
slot_of(const struct ir_instr *i)
{
    const uint32_t index = (uint32_t)i->args[0]->imm;
    const uint32_t last = i->lane.slot_count - 1;
    return i->lane.base_slot + (index < last ? index : last);
}

static void
find_slots(struct promote *p)
{
    for (const struct ir_instr *i = p->ir->first; i; i = i->next) {
        if (!is_access(i))
            continue;
        if (!ir_is_const(i->args[0])) {
            memset(p->types + i->lane.base_slot, KEPT, i->lane.slot_count);
            continue;
        }
        uint8_t *type = &p->types[slot_of(i)];
        const uint8_t used = i->op == IR_LANE_LOAD ? i->type : i->args[1]->type;
        *type = !*type || *type == used ? used : KEPT;
    }
    for (uint32_t s = 0; s < p->ir->lane_slot_count; s++) {
        p->numbers[s] = UINT16_MAX;
        if (p->types[s] && p->types[s] != KEPT && p->count < IR_MAX_PROMOTED)
            p->numbers[s] = (uint16_t)p->count++;
    }
}

static struct slots *
keep(struct promote *p, const struct slots *slots)
{
    if (!slots)
        return NULL;
    struct slots *copy = ir_alloc(p->ir, p->count + 1, sizeof(copy->values[0]));
    memcpy(copy, slots, p->count * sizeof(copy->values[0]));
    return copy;
}

/* Merges what comes in over `count` edges; PHIs stand behind the last PHI there is. */
static struct slots *
merge(struct promote *p, struct ir_instr *marker, struct slots **in, uint32_t count)
{
    struct slots *out = NULL;
    for (uint32_t e = 0; e < count && !out; e++)
        out = keep(p, in[e]);
    p->ir->cursor = marker;
    for (uint32_t s = 0; out && s < p->count; s++) {
        bool is_same = true;
        for (uint32_t e = 0; e < count; e++)
            is_same = is_same && (!in[e] || in[e]->values[s] == out->values[s]);
        if (is_same)
            continue;
        struct ir_instr *phi = ir_make(p->ir, IR_PHI, out->values[s]->type, count);
        for (uint32_t e = 0; e < count; e++)
            phi->args[e] = in[e] ? in[e]->values[s] : NULL;
        ir_place(p->ir, phi);
        out->values[s] = phi;
    }
    return out;
}

static void
open_scope(struct promote *p, struct ir_instr *begin)
{
    struct scope *scope = ir_alloc(p->ir, 1, sizeof(*scope));
    *scope = (struct scope){.outer = p->scope, .begin = begin};
    p->scope = scope;
    if (begin->op == IR_IF)
        scope->before = keep(p, p->at);
    if (begin->op == IR_BLOCK)
        scope->edges = ir_alloc(p->ir, begin->region.edge_count + 1, sizeof(scope->edges[0]));
    if (begin->op != IR_LOOP || !p->at)
        return;
    scope->phis = ir_alloc(p->ir, p->count + 1, sizeof(scope->phis[0]));
    p->ir->cursor = begin;
    for (uint32_t s = 0; s < p->count; s++) {
        struct ir_instr *phi = ir_make(p->ir, IR_PHI, p->at->values[s]->type, 2);
        phi->args[0] = p->at->values[s];
        ir_place(p->ir, phi);
        scope->phis[s] = p->at->values[s] = phi;
    }
}

static void
leave_block(struct promote *p, const struct ir_instr *br)
{
    struct scope *scope = p->scope;
    while (scope->begin != br->br.block)
        scope = scope->outer;
    scope->edges[br->br.edge] = p->at;
    p->at = NULL;
}

static void
close_scope(struct promote *p, struct ir_instr *end)
{
    struct scope *scope = p->scope;
    const struct ir_instr *begin = scope->begin;

    p->scope = scope->outer;
    if (end->op == IR_ENDIF) {
        p->at = merge(p, end, (struct slots *[]){scope->before, p->at}, 2);
    } else if (end->op == IR_ENDBLOCK) {
        scope->edges[begin->region.edge_count] = p->at;
        p->at = merge(p, end, scope->edges, begin->region.edge_count + begin->region.falls_through);
    } else {
        for (uint32_t s = 0; scope->phis && s < p->count; s++)
            scope->phis[s]->args[1] = p->at ? p->at->values[s] : NULL;
        p->at = NULL;
    }
}

static void
promote_marker(struct promote *p, struct ir_instr *i)
{
    struct slots *then;
    switch (i->op) {
    case IR_IF:
    case IR_BLOCK:
    case IR_LOOP:
        open_scope(p, i);
        break;
    case IR_ELSE:
        then = p->at;
        p->at = p->scope->before;
        p->scope->before = then;
        break;
    case IR_BR:
        leave_block(p, i);
        break;
    default:
        close_scope(p, i);
        break;
    }
}

static void
promote_access(struct promote *p, struct ir_instr *i)
{
    if (!ir_is_const(i->args[0]))
        return;
    const uint16_t number = p->numbers[slot_of(i)];
    if (number == UINT16_MAX)
        return;
    if (i->op == IR_LANE_LOAD)
        i->forward = p->at ? p->at->values[number] : ir_undef(p->ir, i->type);
    else if (p->at)
        p->at->values[number] = i->args[1];
    ir_remove(p->ir, i);
}

bool
ir_promote(struct ir_program *ir)
{
    if (!ir->lane_slot_count)
        return false;
    struct promote p = {
        .ir = ir,
        .types = ir_alloc(ir, ir->lane_slot_count + 1, sizeof(p.types[0])),
        .numbers = ir_alloc(ir, ir->lane_slot_count + 1, sizeof(p.numbers[0])),
        .at = ir_alloc(ir, 1, sizeof(*p.at)),
    };
    find_slots(&p);
    if (!p.count)
        return false;
    for (uint32_t s = 0; s < ir->lane_slot_count; s++)
        if (p.numbers[s] != UINT16_MAX)
            p.at->values[p.numbers[s]] = ir_undef(ir, p.types[s]);
    for (struct ir_instr *i = ir->first, *next; i; i = next) {
        next = i->next;
        for (uint32_t a = 0; a < i->arg_count; a++)
            i->args[a] = ir_resolve(i->args[a]);
        if (is_access(i))
            promote_access(&p, i);
        else if (ir_is_marker(i))
            promote_marker(&p, i);
    }
    return true;
}

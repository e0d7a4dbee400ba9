/* SPDX-License-Identifier: MIT */
/* Clamps of addresses that would be linear without them: min(max(x + k, 0), w - 1) is x + k but for
 * the lanes at the border. A GUARD in front says that no lane is there, and the clamp goes; a chunk
 * where one is runs once more, from its beginning, by a program that has kept its clamps. So a
 * guard must come before all that others could see.
 */
#include "compute/exec/op.h"
#include "compute/ir/build.h"
#include "compute/ir/passes.h"

#define MAX_DEPTH 12u
#define MAX_MOVED 48u /* for one guard */

struct guards {
    struct ir_program *ir;
    struct ir_instr *begin; /* of the straight stretch of code: guards go behind it; NULL: front */
    struct ir_instr *moved[MAX_MOVED];
    uint32_t moved_count;
};

static bool
can_be_seen(const struct ir_instr *i)
{
    switch (i->op) {
    case IR_STORE:
    case IR_ATOMIC:
        return true;
    case IR_IMAGE:
        return i->image->op == IR_IMAGE_WRITE || i->image->op == IR_IMAGE_ATOMIC;
    default:
        return false;
    }
}

/* A linear address can be made of linear operands of these. */
static bool
keeps_lines(const struct ir_instr *i)
{
    switch (i->op) {
    case IR_IADD:
    case IR_ISUB:
    case IR_IMUL:
    case IR_INEG:
    case IR_IABS:
    case IR_SHL:
    case IR_SMIN:
    case IR_SMAX:
    case IR_UMIN:
        return true;
    default:
        return false;
    }
}

static bool
is_address(const struct ir_instr *i, uint32_t operand)
{
    if (i->op == IR_LOAD || i->op == IR_STORE)
        return operand == 1;
    if (i->op != IR_IMAGE || i->image->coord < 0)
        return i->is_address && keeps_lines(i);
    const uint32_t coord = (uint32_t)i->image->coord;
    return operand >= coord && operand < coord + i->image->coord_count;
}

static void
mark_addresses(struct ir_program *ir)
{
    for (struct ir_instr *i = ir->first; i; i = i->next)
        i->is_address = false;
    for (struct ir_instr *i = ir->last; i; i = i->prev)
        for (uint32_t a = 0; a < i->arg_count; a++)
            if (i->args[a] && is_address(i, a))
                i->args[a]->is_address = true;
}

/* What the clamp's linear operand must be to be its result; false: that is no such clamp. */
static bool
match_clamp(struct ir_program *ir, const struct ir_instr *i, struct ir_instr **value,
            struct ir_instr **bound, uint8_t *kind)
{
    if (i->cls != IR_VARYING || !i->is_address)
        return false;
    switch (i->op) {
    case IR_IABS:
    case IR_SMAX:
        *kind = RP_LCMP_LT | RP_LCMP_SIGNED | RP_LCMP_NOT;
        break;
    case IR_SMIN:
        *kind = RP_LCMP_GT | RP_LCMP_SIGNED | RP_LCMP_NOT;
        break;
    case IR_UMIN:
        *kind = RP_LCMP_GT | RP_LCMP_NOT;
        break;
    default:
        return false;
    }
    const uint32_t v = i->args[0]->cls != IR_LINEAR && i->arg_count == 2;
    *value = i->args[v];
    *bound = i->op == IR_IABS ? ir_i(ir, 0) : i->args[!v];
    return (*value)->cls == IR_LINEAR && (*bound)->cls == IR_UNIFORM;
}

static bool
can_move(const struct ir_instr *i)
{
    return ir_op_is_arithmetic(i->op) || i->op == IR_LOAD || i->op == IR_SIZE ||
           (i->op == IR_IMAGE && i->image->op == IR_IMAGE_SIZE);
}

static bool
is_in_front(const struct guards *g, const struct ir_instr *i)
{
    return i->op == IR_CONST || i->op == IR_BUILTIN || i->op == IR_UNDEF ||
           (g->begin && i->index <= g->begin->index) || i->is_marked;
}

static bool
take(struct guards *g, struct ir_instr *i)
{
    if (g->moved_count == MAX_MOVED)
        return false;
    i->is_marked = true;
    g->moved[g->moved_count++] = i;
    return true;
}

/* Adds what is to move in front of a guard that needs the value, in order. */
static bool
collect(struct guards *g, struct ir_instr *i, uint32_t depth)
{
    if (is_in_front(g, i))
        return true;
    if (i->op == IR_PROJ)
        return collect(g, i->args[0], depth);
    if (!can_move(i) || depth == MAX_DEPTH)
        return false;
    for (uint32_t a = 0; a < i->arg_count; a++)
        if (!collect(g, i->args[a], depth + 1))
            return false;
    if (!take(g, i))
        return false;
    struct ir_instr **projs = i->op == IR_IMAGE ? i->image_projs : NULL;
    if (i->op == IR_LOAD && i->comps > 1)
        projs = i->projs;
    for (uint32_t c = 0; c < 4 && projs; c++) /* they stay behind it */
        if ((i->op == IR_IMAGE || c < i->comps) && projs[c] && !take(g, projs[c]))
            return false;
    return true;
}

static void
place(struct guards *g, struct ir_instr *i, struct ir_instr *loop)
{
    g->ir->cursor = g->begin;
    ir_place(g->ir, i);
    i->loop = loop;
    i->index = g->begin ? g->begin->index : 0;
    g->begin = i;
}

static bool
make_guard(struct guards *g, struct ir_instr *clamp)
{
    struct ir_instr *value, *bound;
    uint8_t kind;
    if (!match_clamp(g->ir, clamp, &value, &bound, &kind))
        return false;
    g->moved_count = 0;
    const bool can_stand = collect(g, value, 0) && collect(g, bound, 0);
    if (!can_stand) {
        for (uint32_t k = 0; k < g->moved_count; k++)
            g->moved[k]->is_marked = false;
        return false;
    }
    for (uint32_t k = 0; k < g->moved_count; k++) {
        ir_remove(g->ir, g->moved[k]);
        place(g, g->moved[k], clamp->loop);
    }
    struct ir_instr *guard = ir_make(g->ir, IR_GUARD, IR_VOID, 2);
    guard->args[0] = value;
    guard->args[1] = bound;
    guard->aux = kind;
    guard->cls = IR_VARYING;
    place(g, guard, clamp->loop);
    clamp->forward = value;
    ir_remove(g->ir, clamp);
    g->ir->guard_count++;
    return true;
}

static bool
loop_can_be_seen(const struct ir_instr *loop)
{
    for (const struct ir_instr *i = loop; i != loop->region.end; i = i->next)
        if (can_be_seen(i))
            return true;
    return false;
}

bool
ir_guard(struct ir_program *ir)
{
    struct guards g = {.ir = ir};
    bool has_guards = false;
    uint32_t index = 1;

    mark_addresses(ir);
    for (struct ir_instr *i = ir->first; i; i = i->next) {
        i->index = index++;
        i->is_marked = false;
    }
    for (struct ir_instr *i = ir->first, *next; i; i = next) {
        next = i->next;
        if (can_be_seen(i) || (i->op == IR_LOOP && loop_can_be_seen(i)))
            break;
        if (ir_has_effect(i) || i->op == IR_PHI)
            g.begin = i;
        else
            has_guards |= make_guard(&g, i);
    }
    return has_guards;
}

/* SPDX-License-Identifier: MIT */
/* Removes what earlier steps left over: replaced values, PHIs that choose between equals, code
 * whose result nobody uses, constructs without content.
 */
#include "compute/ir/build.h"
#include "compute/ir/passes.h"

bool
ir_is_marker(const struct ir_instr *instr)
{
    return instr->op >= IR_IF && instr->op <= IR_BR;
}

bool
ir_has_effect(const struct ir_instr *instr)
{
    switch (instr->op) {
    case IR_STORE:
    case IR_ATOMIC:
    case IR_LANE_STORE:
    case IR_BARRIER:
    case IR_PROBE:
    case IR_ACCESS:
    case IR_GUARD:
    case IR_PROLOGUE:
    case IR_MAC:
    case IR_REDUCTION:
        return true;
    case IR_IMAGE:
        return instr->image->op == IR_IMAGE_WRITE || instr->image->op == IR_IMAGE_ATOMIC ||
               instr->imm; /* a recorder is told of it */
    default:
        return ir_is_marker(instr);
    }
}

struct ir_instr *
ir_phi_marker(const struct ir_instr *phi)
{
    struct ir_instr *marker = phi->prev;
    while (marker->op == IR_PHI)
        marker = marker->prev;
    return marker;
}

static void
resolve_args(struct ir_program *ir)
{
    for (struct ir_instr *i = ir->first; i; i = i->next)
        for (uint32_t a = 0; a < i->arg_count; a++)
            i->args[a] = ir_resolve(i->args[a]);
}

/* The one value a PHI can have, or NULL. Behind a LOOP's block a value of the loop must keep its
 * PHI: it changes from round to round while lanes leave. */
static struct ir_instr *
phi_value(const struct ir_instr *phi)
{
    struct ir_instr *only = NULL;
    for (uint32_t a = 0; a < phi->arg_count; a++) {
        struct ir_instr *arg = phi->args[a];
        if (!arg || arg == phi || arg == only)
            continue;
        if (only)
            return NULL;
        only = arg;
    }
    return only;
}

static bool
remove_phis(struct ir_program *ir)
{
    bool has_changed = false;
    for (struct ir_instr *i = ir->first, *next; i; i = next) {
        next = i->next;
        if (i->op != IR_PHI || i->is_exit_phi)
            continue;
        struct ir_instr *value = phi_value(i);
        if (value) {
            i->forward = value;
            ir_remove(ir, i);
            has_changed = true;
        }
    }
    return has_changed;
}

struct worklist {
    struct ir_instr **items;
    uint32_t count;
};

static void
mark(struct worklist *work, struct ir_instr *instr)
{
    if (instr && instr->use_count++ == 0)
        work->items[work->count++] = instr;
}

static void
count_uses(struct ir_program *ir)
{
    struct worklist work = {.items = ir_alloc(ir, ir->instr_count + 1, sizeof(work.items[0]))};

    for (struct ir_instr *i = ir->first; i; i = i->next)
        i->use_count = 0;
    for (struct ir_instr *i = ir->first; i; i = i->next)
        if (ir_has_effect(i))
            mark(&work, i);
    while (work.count) {
        struct ir_instr *i = work.items[--work.count];
        for (uint32_t a = 0; a < i->arg_count; a++)
            mark(&work, i->args[a]);
    }
    for (struct ir_instr *i = ir->first; i; i = i->next)
        if (ir_has_effect(i))
            i->use_count--; /* the root itself */
}

static void
drop_proj(struct ir_instr *proj)
{
    struct ir_instr *source = proj->args[0];
    if (source->op == IR_LOAD && source->projs)
        source->projs[proj->imm] = NULL;
    if (source->op == IR_IMAGE)
        source->image_projs[proj->imm] = NULL;
}

static void
remove_dead(struct ir_program *ir)
{
    for (struct ir_instr *i = ir->first, *next; i; i = next) {
        next = i->next;
        if (i->use_count || ir_has_effect(i))
            continue;
        if (i->op == IR_PROJ)
            drop_proj(i);
        ir_remove(ir, i);
    }
}

/* IF ELSE ENDIF with nothing inside and no PHI behind. */
static bool
remove_empty(struct ir_program *ir)
{
    bool has_changed = false;
    for (struct ir_instr *i = ir->first, *next; i; i = next) {
        next = i->next;
        if (i->op != IR_IF || i->next->op != IR_ELSE || i->next->next->op != IR_ENDIF)
            continue;
        struct ir_instr *end = i->next->next;
        if (end->next && end->next->op == IR_PHI)
            continue;
        next = end->next;
        ir_remove(ir, i->next);
        ir_remove(ir, end);
        ir_remove(ir, i);
        has_changed = true;
    }
    return has_changed;
}

void
ir_resolve_phis(struct ir_program *ir)
{
    do
        resolve_args(ir);
    while (remove_phis(ir));
}

void
ir_clean(struct ir_program *ir)
{
    ir_resolve_phis(ir);
    do {
        count_uses(ir);
        remove_dead(ir);
    } while (remove_empty(ir));
}

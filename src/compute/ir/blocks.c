/* SPDX-License-Identifier: MIT */
/* BLOCKs that are left only where they end anyway, as by functions that return in each branch of
 * their last IF: the branches end there of themselves, and what they bring along meets at the
 * ENDIF. Masks cost less so, and short branches may become selections (flatten.c).
 */
#include "compute/ir/build.h"
#include "compute/ir/passes.h"

#define MAX_WAYS_OUT 2u

/* The marker in front of `end` and of the PHIs behind that marker, or what else stands there. */
static struct ir_instr *
marker_before(const struct ir_instr *end)
{
    struct ir_instr *at = end->prev;
    while (at->op == IR_PHI)
        at = at->prev;
    return at;
}

/* BRs to the block that stand in front of `end`, an ELSE, ENDIF or ENDBLOCK, or of the ends of
 * branches that end there, too. */
static uint32_t
count_tails(const struct ir_instr *block, const struct ir_instr *end)
{
    if (end->prev->op == IR_BR)
        return end->prev->br.block == block;
    const struct ir_instr *endif = marker_before(end);
    if (endif->op != IR_ENDIF)
        return 0;
    return count_tails(block, endif->region.end->region.other) + count_tails(block, endif);
}

static struct ir_instr *
phi_behind(struct ir_program *ir, struct ir_instr *marker, struct ir_instr *a, struct ir_instr *b)
{
    struct ir_instr *phi = ir_make(ir, IR_PHI, a->type, 2);
    phi->args[0] = a;
    phi->args[1] = b;
    ir->cursor = marker;
    while (ir->cursor->next->op == IR_PHI)
        ir->cursor = ir->cursor->next;
    ir_place(ir, phi);
    return phi;
}

/* What a PHI of the block is in front of `end`; `rest`: where no BR has been met. NULL: `end` is
 * not reached. */
static struct ir_instr *
value_at(struct ir_program *ir, const struct ir_instr *block, const struct ir_instr *end,
         const struct ir_instr *phi, struct ir_instr *rest)
{
    if (end->prev->op == IR_BR)
        return end->prev->br.block == block ? phi->args[end->prev->br.edge] : NULL;
    if (!count_tails(block, end))
        return rest;
    struct ir_instr *endif = marker_before(end);
    const bool is_chosen = rest && rest->op == IR_PHI && ir_phi_marker(rest) == endif;
    struct ir_instr *yes =
        value_at(ir, block, endif->region.end->region.other, phi, is_chosen ? rest->args[0] : rest);
    struct ir_instr *no = value_at(ir, block, endif, phi, is_chosen ? rest->args[1] : rest);
    if (!yes || !no || yes == no)
        return yes ? yes : no;
    return phi_behind(ir, endif, yes, no);
}

/* Returns what stands behind it. */
static struct ir_instr *
dissolve(struct ir_program *ir, struct ir_instr *end)
{
    struct ir_instr *block = end->region.end;
    const uint32_t count = block->region.edge_count;

    for (struct ir_instr *phi = end->next, *next; phi && phi->op == IR_PHI; phi = next) {
        next = phi->next;
        for (uint32_t a = 0; a < phi->arg_count; a++)
            phi->args[a] = ir_resolve(phi->args[a]);
        struct ir_instr *rest = block->region.falls_through ? phi->args[count] : NULL;
        phi->forward = value_at(ir, block, end, phi, rest);
        if (!phi->forward)
            phi->forward = ir_undef(ir, phi->type);
        ir_remove(ir, phi);
    }
    struct ir_instr *behind = end->next;
    for (uint32_t e = 0; e < count; e++)
        ir_remove(ir, block->region.edges[e]);
    ir_remove(ir, end);
    ir_remove(ir, block);
    return behind;
}

/* The end of a construct that begins here, or the same instruction. */
static struct ir_instr *
past(struct ir_instr *i)
{
    return i->op == IR_IF || i->op == IR_BLOCK || i->op == IR_LOOP ? i->region.end : i;
}

static bool
is_way_out(const struct ir_instr *i, const struct ir_instr *block)
{
    return i->op == IR_IF && i->region.other->prev->op == IR_BR &&
           i->region.other->prev->br.block == block && i->region.end->next->op != IR_PHI;
}

static bool
has_values(const struct ir_instr *end)
{
    for (const struct ir_instr *phi = end->next; phi && phi->op == IR_PHI; phi = phi->next)
        if (phi->type != IR_B)
            return true;
    return false;
}

/* A block that some lanes leave early, as by `continue`, and whose values then meet: what follows
 * such an IF becomes its second arm, since nobody comes there from the first. Then a value that
 * does not change on the way out is one selection. Where there is nothing to select, leaving is
 * cheaper than to come back. */
static void
follow_ways_out(struct ir_program *ir, struct ir_instr *end)
{
    struct ir_instr *block = end->region.end, *ways[MAX_WAYS_OUT];
    uint32_t count = 0;

    if (!block->region.falls_through || block->region.edge_count > MAX_WAYS_OUT || !has_values(end))
        return;
    for (struct ir_instr *i = block->next; i != end; i = past(i)->next)
        if (is_way_out(i, block) && count < MAX_WAYS_OUT)
            ways[count++] = i;
    if (count != block->region.edge_count)
        return;
    while (count-- > 0) {
        struct ir_instr *endif = ways[count]->region.end;
        ir_remove(ir, endif);
        ir->cursor = end->prev;
        ir_place(ir, endif);
    }
}

void
ir_dissolve_blocks(struct ir_program *ir)
{
    for (struct ir_instr *i = ir->first, *next; i; i = next) {
        next = i->next;
        for (uint32_t a = 0; a < i->arg_count; a++)
            i->args[a] = ir_resolve(i->args[a]);
        if (i->op == IR_ENDBLOCK)
            follow_ways_out(ir, i);
        if (i->op == IR_ENDBLOCK &&
            count_tails(i->region.end, i) == i->region.end->region.edge_count)
            next = dissolve(ir, i);
    }
}

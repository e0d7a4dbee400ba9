/* SPDX-License-Identifier: MIT */
/* Loops: what does not change in them moves in front; what is used behind them gets a PHI where
 * they end, so that the value of each lane's last round is kept.
 */
#include "compute/ir/ir.h"

void
ir_nest(struct ir_program *ir)
{
    struct ir_instr *loop = NULL;
    for (struct ir_instr *i = ir->first; i; i = i->next) {
        if (i->op == IR_ENDLOOP)
            loop = i->region.end->loop;
        i->loop = loop;
        if (i->op == IR_LOOP)
            loop = i; /* the LOOP itself belongs to the outer one */
    }
}

/* Is instr inside loop (NULL: the program)? */
static bool
is_inside(const struct ir_instr *instr, const struct ir_instr *loop)
{
    if (!loop)
        return true;
    for (const struct ir_instr *l = instr->loop; l; l = l->loop)
        if (l == loop)
            return true;
    return false;
}

static bool
can_hoist(const struct ir_instr *i)
{
    return ir_op_is_arithmetic(i->op) || i->op == IR_SIZE ||
           (i->op == IR_LOAD && i->is_const_mem && i->comps == 1);
}

static bool
args_are_outside(const struct ir_instr *i, const struct ir_instr *loop)
{
    for (uint32_t a = 0; a < i->arg_count; a++)
        if (is_inside(i->args[a], loop))
            return false;
    return true;
}

/* Out of every loop whose rounds all compute the same. Not out of an IF: it may never run. */
void
ir_hoist(struct ir_program *ir)
{
    uint32_t if_depth = 0; /* IFs opened inside the innermost loop */
    uint32_t *saved = ir_alloc(ir, ir->instr_count + 1, sizeof(saved[0]));
    uint32_t depth = 0;

    ir_nest(ir);
    for (struct ir_instr *i = ir->first, *next; i; i = next) {
        next = i->next;
        if (i->op == IR_LOOP) {
            saved[depth++] = if_depth;
            if_depth = 0;
        } else if (i->op == IR_ENDLOOP) {
            if_depth = saved[--depth];
        } else if (i->op == IR_IF) {
            if_depth++;
        } else if (i->op == IR_ENDIF) {
            if_depth--;
        }
        uint32_t ifs = if_depth;
        for (uint32_t d = depth; i->loop && !ifs && can_hoist(i) && args_are_outside(i, i->loop);) {
            struct ir_instr *loop = i->loop;
            ir_remove(ir, i);
            ir->cursor = loop->prev;
            ir_place(ir, i);
            i->loop = loop->loop;
            ifs = saved[--d]; /* IFs of the outer loop around this one */
        }
    }
}

/* The BLOCK whose end a loop leaves to. */
static struct ir_instr *
loop_block(struct ir_instr *loop)
{
    struct ir_instr *block = loop->prev;
    while (block && (block->op != IR_BLOCK || block->region.end->index < loop->index))
        block = block->prev;
    return block;
}

static struct ir_instr *
exit_phi(struct ir_program *ir, struct ir_instr *value)
{
    if (value->exit_phi)
        return value->exit_phi;
    struct ir_instr *block = loop_block(value->loop);
    if (!block)
        ir_fail(ir->fail, VK_ERROR_UNKNOWN, "value of a loop used where it never gets");

    const uint32_t count = block->region.edge_count + block->region.falls_through;
    struct ir_instr *phi = ir_make(ir, IR_PHI, value->type, count);
    for (uint32_t e = 0; e < count; e++)
        phi->args[e] = value;
    phi->loop = block->loop;
    phi->is_exit_phi = true;
    value->exit_phi = phi;
    ir->cursor = block->region.end;
    ir_place(ir, phi);
    return phi;
}

/* The instruction at whose place operand a of i is read. */
static const struct ir_instr *
reader(const struct ir_instr *i, uint32_t a)
{
    if (i->op != IR_PHI)
        return i;
    const struct ir_instr *marker = ir_phi_marker(i);
    if (marker->op == IR_LOOP)
        return a == 0 ? marker : i;
    if (marker->op == IR_ENDBLOCK && a < marker->region.end->region.edge_count)
        return marker->region.end->region.edges[a];
    return marker;
}

void
ir_close_loops(struct ir_program *ir)
{
    uint32_t index = 0;
    ir_nest(ir);
    for (struct ir_instr *i = ir->first; i; i = i->next)
        i->index = index++;
    for (struct ir_instr *i = ir->first; i; i = i->next) {
        for (uint32_t a = 0; a < i->arg_count; a++) {
            if (!i->args[a])
                continue;
            const struct ir_instr *at = reader(i, a);
            while (i->args[a]->loop && !is_inside(at, i->args[a]->loop))
                i->args[a] = exit_phi(ir, i->args[a]);
        }
    }
}

/* SPDX-License-Identifier: MIT */
/* Loops: what does not change in them moves in front; what is used behind them gets a PHI where
 * they end, so that the value of each lane's last round is kept.
 */
#include "compute/ir/build.h"
#include "compute/ir/passes.h"

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

/* is_sure: whoever comes to the loop comes to i. A descriptor may be stale where nobody does. */
static bool
can_hoist(const struct ir_instr *i, bool is_sure)
{
    if (i->op == IR_LOAD)
        return i->is_const_mem && i->comps == 1 && (is_sure || ir_is_own_memory(i->args[0]));
    return ir_op_is_arithmetic(i->op) || i->op == IR_SIZE;
}

static bool
args_are_outside(const struct ir_instr *i, const struct ir_instr *loop)
{
    for (uint32_t a = 0; a < i->arg_count; a++)
        if (is_inside(i->args[a], loop))
            return false;
    return true;
}

/* Where code stands in a loop. */
struct place {
    uint32_t if_depth; /* IFs opened inside it */
    bool has_left;     /* some may have left it, or gone past this, in this round */
};

static void
follow(struct place *places, uint32_t *depth, const struct ir_instr *i)
{
    struct place *place = &places[*depth];
    switch (i->op) {
    case IR_LOOP:
        places[++*depth] = (struct place){0, false};
        break;
    case IR_ENDLOOP:
        places[--*depth].has_left = true;
        break;
    case IR_IF:
        place->if_depth++;
        break;
    case IR_ENDIF:
        place->if_depth--;
        break;
    case IR_BR:
        place->has_left = true;
        break;
    default:
        break;
    }
}

/* Out of every loop whose rounds all compute the same. Not out of an IF: it may never run. */
void
ir_hoist(struct ir_program *ir)
{
    struct place *places = ir_alloc(ir, ir->instr_count + 1, sizeof(places[0]));
    uint32_t depth = 0;

    ir_nest(ir);
    for (struct ir_instr *i = ir->first, *next; i; i = next) {
        next = i->next;
        follow(places, &depth, i);
        for (uint32_t d = depth; i->loop && !places[d].if_depth &&
                                 can_hoist(i, !places[d].has_left) && args_are_outside(i, i->loop);
             d--) {
            struct ir_instr *loop = i->loop;
            ir_remove(ir, i);
            ir->cursor = loop->prev;
            ir_place(ir, i);
            i->loop = loop->loop;
        }
    }
}

/* Positions: twice the index of an instruction; what a round of a loop hands on is read in front of
 * its end. */
struct close {
    struct ir_program *ir;
    struct ir_instr **blocks; /* by index of a LOOP or BLOCK: the BLOCK around it */
};

static uint32_t
position(const struct ir_instr *i)
{
    return 2 * i->index;
}

/* The outermost BLOCK around a loop that was left before `at`, or NULL. */
static struct ir_instr *
left_block(const struct close *c, const struct ir_instr *loop, uint32_t at)
{
    struct ir_instr *left = NULL;
    for (struct ir_instr *b = c->blocks[loop->index]; b; b = c->blocks[b->index]) {
        if (position(b->region.end) >= at)
            break;
        left = b;
    }
    return left;
}

/* What a value is called at a position; NULL where it never gets. A loop may leave to the ends of
 * several BLOCKs, and each edge brings the value by its own way. */
static struct ir_instr *
value_at(const struct close *c, struct ir_instr *value, uint32_t at)
{
    const struct ir_instr *loop = value->loop;
    if (!loop || (at > position(loop) && at < position(loop->region.end)))
        return value;
    struct ir_instr *block = left_block(c, loop, at);
    if (!block)
        return NULL;
    for (struct ir_instr *phi = value->exit_phi; phi; phi = phi->next_exit_phi)
        if (ir_phi_marker(phi) == block->region.end)
            return phi;

    const uint32_t edges = block->region.edge_count;
    struct ir_instr *phi = ir_make(c->ir, IR_PHI, value->type, edges + block->region.falls_through);
    for (uint32_t e = 0; e < phi->arg_count; e++) {
        const struct ir_instr *edge = e < edges ? block->region.edges[e] : block->region.end;
        struct ir_instr *brought = value_at(c, value, position(edge));
        phi->args[e] = brought ? brought : ir_undef(c->ir, value->type);
    }
    phi->loop = block->loop;
    phi->is_exit_phi = true;
    phi->next_exit_phi = value->exit_phi;
    value->exit_phi = phi;
    c->ir->cursor = block->region.end;
    ir_place(c->ir, phi);
    return phi;
}

/* Where operand a of i is read. */
static uint32_t
reader(const struct ir_instr *i, uint32_t a)
{
    if (i->op != IR_PHI)
        return position(i);
    const struct ir_instr *marker = ir_phi_marker(i);
    if (marker->op == IR_LOOP)
        return a == 0 ? position(marker) : position(marker->region.end) - 1;
    if (marker->op == IR_ENDBLOCK && a < marker->region.end->region.edge_count)
        return position(marker->region.end->region.edges[a]);
    if (marker->op == IR_ENDIF && a == 0)
        return position(marker->region.end->region.other);
    return position(marker);
}

static void
number(struct close *c)
{
    struct ir_instr *block = NULL;
    uint32_t index = 0;
    for (struct ir_instr *i = c->ir->first; i; i = i->next) {
        i->index = index++;
        i->exit_phi = NULL;
        if (i->op == IR_ENDBLOCK)
            block = c->blocks[i->region.end->index];
        if (i->op == IR_BLOCK || i->op == IR_LOOP)
            c->blocks[i->index] = block;
        if (i->op == IR_BLOCK)
            block = i;
    }
}

void
ir_close_loops(struct ir_program *ir)
{
    struct close c = {ir, ir_alloc(ir, ir->instr_count + 1, sizeof(c.blocks[0]))};

    ir_nest(ir);
    number(&c);
    for (struct ir_instr *i = ir->first; i; i = i->next) {
        for (uint32_t a = 0; a < i->arg_count; a++) {
            if (!i->args[a] || !i->args[a]->loop)
                continue;
            struct ir_instr *value = value_at(&c, i->args[a], reader(i, a));
            if (!value && i->op != IR_PHI)
                ir_fail(ir->fail, VK_ERROR_UNKNOWN, "value of a loop used where it never gets");
            i->args[a] = value ? value : ir_undef(ir, i->type); /* an edge that is never taken */
        }
    }
}

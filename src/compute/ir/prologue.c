/* SPDX-License-Identifier: MIT */
/* Moves what is the same for every chunk of a dispatch to the front, where it runs once for many
 * chunks: values made of constants, push constants and the lane's position alone.
 */
#include "compute/ir/build.h"
#include "compute/ir/passes.h"

#define MAX_VECTORS 12u /* of lanes, kept over the whole program */
#define MAX_DEAR_VECTORS \
    48u /* the same, where reading each from the second-level cache is cheap
                                beside making it */

static bool
is_fixed_operand(const struct ir_instr *a)
{
    if (a->op == IR_BUILTIN)
        return a->imm <= IR_LANE_Z || a->imm >= IR_GROUPS_X;
    return a->op == IR_CONST || a->is_fixed;
}

/* depth: constructs around it. A descriptor may be stale where the shader does not use it. */
static bool
can_move(const struct ir_instr *i, uint32_t depth)
{
    switch (i->op) {
    case IR_AFFINE:
    case IR_SPLAT:
    case IR_LCMP:
        return true;
    case IR_LOAD:
        return i->is_const_mem && i->cls == IR_UNIFORM && i->comps == 1 &&
               i->args[0]->type == IR_I && (depth == 0 || ir_is_own_memory(i->args[0]));
    case IR_SIZE:
        return i->cls == IR_UNIFORM && i->args[0]->type == IR_I && depth == 0;
    default:
        return ir_op_is_arithmetic(i->op) && i->cls != IR_LINEAR;
    }
}

static bool
is_vector(const struct ir_instr *i)
{
    return i->cls != IR_UNIFORM && i->type != IR_B;
}

/* Which vectors move. */
enum what {
    ALL,
    NO_CHEAP_VECTORS,  /* none that one operation makes of scalars */
    EXPENSIVE_VECTORS, /* functions of many steps */
    NO_VECTORS,
};

/* Twenty steps or more. */
static bool
is_expensive(const struct ir_instr *i)
{
    switch (i->op) {
    case IR_UDIV:
    case IR_SDIV:
    case IR_UREM:
    case IR_SREM:
    case IR_SMOD:
    case IR_ATAN2:
    case IR_POW:
        return true;
    default:
        return i->op >= IR_EXP2 && i->op <= IR_ATANH;
    }
}

static bool
is_wanted(const struct ir_instr *i, enum what what)
{
    if (what == NO_CHEAP_VECTORS)
        return i->op != IR_SPLAT && i->op != IR_AFFINE;
    return what == ALL || is_expensive(i);
}

static void
mark_all(struct ir_program *ir, bool has_vectors)
{
    uint32_t depth = 0;
    for (struct ir_instr *i = ir->first; i; i = i->next) {
        depth += i->op == IR_IF || i->op == IR_LOOP || i->op == IR_BLOCK;
        depth -= i->op == IR_ENDIF || i->op == IR_ENDLOOP || i->op == IR_ENDBLOCK;
        i->is_fixed = can_move(i, depth) && (has_vectors || !is_vector(i));
        for (uint32_t a = 0; a < i->arg_count && i->is_fixed; a++)
            i->is_fixed = is_fixed_operand(i->args[a]);
    }
}

/* Vectors that are not wanted move only where one that is wanted is made of them. Those who read a
 * value stand behind it, so the last ones are judged first. */
static void
mark_fixed(struct ir_program *ir, enum what what)
{
    mark_all(ir, what != NO_VECTORS);
    for (struct ir_instr *i = ir->first; i; i = i->next)
        i->is_marked = false; /* one that moves reads it */
    for (struct ir_instr *i = ir->last; i; i = i->prev) {
        if (i->is_fixed && is_vector(i) && !i->is_marked && !is_wanted(i, what))
            i->is_fixed = false;
        for (uint32_t a = 0; a < i->arg_count && i->is_fixed; a++)
            i->args[a]->is_marked = true;
    }
}

/* Vectors that others than moved instructions read. */
static uint32_t
count_vectors(struct ir_program *ir)
{
    uint32_t count = 0;
    for (struct ir_instr *i = ir->first; i; i = i->next)
        i->is_marked = false;
    for (struct ir_instr *i = ir->first; i; i = i->next) {
        for (uint32_t a = 0; a < i->arg_count && !i->is_fixed; a++) {
            struct ir_instr *arg = i->args[a];
            if (!arg || !arg->is_fixed || arg->is_marked || !is_vector(arg))
                continue;
            arg->is_marked = true;
            count++;
        }
    }
    return count;
}

/* How many may stay. Chunks of a row are as long as their registers let them be, and so are
 * workgroups side by side: there what many save would be lost again. */
static uint32_t
max_vectors(const struct ir_program *ir, enum what what)
{
    const bool may_be_many = what == EXPENSIVE_VECTORS && !ir->has_rows && ir->pack == 1;
    return may_be_many ? MAX_DEAR_VECTORS : MAX_VECTORS;
}

void
ir_split_prologue(struct ir_program *ir)
{
    mark_fixed(ir, ALL);
    for (enum what what = ALL; count_vectors(ir) > max_vectors(ir, what);)
        mark_fixed(ir, ++what);

    struct ir_instr *last = NULL;
    for (struct ir_instr *i = ir->first, *next; i; i = next) {
        next = i->next;
        if (!i->is_fixed)
            continue;
        ir_remove(ir, i);
        ir->cursor = last;
        ir_place(ir, i);
        last = i;
    }
    if (!last)
        return;
    ir->cursor = last;
    ir_place(ir, ir_make(ir, IR_PROLOGUE, IR_VOID, 0));
}

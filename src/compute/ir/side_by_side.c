/* SPDX-License-Identifier: MIT */
/* Which small workgroups run side by side as lanes, by what their programs do.
 */
#include "compute/exec/op.h"
#include "compute/ir/ir.h"
#include "compute/ir/passes.h"

static bool
is_looked_at(const struct ir_program *ir, const struct ir_instr *i)
{
    const bool may_change = ir->orders_memory || ir->is_watched;
    switch (i->op) {
    case IR_ATOMIC:
        return i->use_count && !ir_is_own_memory(i->args[0]);
    case IR_LOAD:
        return may_change && !i->is_const_mem && !ir_is_own_memory(i->args[0]);
    case IR_IMAGE:
        return i->use_count &&
               (i->image->op == IR_IMAGE_ATOMIC || (i->image->op == IR_IMAGE_READ && may_change));
    default:
        return false;
    }
}

bool
ir_may_wait_for_others(const struct ir_program *ir)
{
    for (const struct ir_instr *i = ir->first; i; i = i->next)
        if (i->loop && is_looked_at(ir, i))
            return true;
    return false;
}

static bool
is_inside(const struct ir_instr *i, const struct ir_instr *loop)
{
    const struct ir_instr *l = i ? i->loop : NULL;
    while (l && l != loop)
        l = l->loop;
    return l;
}

/* Each round of its loop does this and nothing else, and hands nothing on to the next. */
static bool
is_all_of_loop(const struct ir_instr *instr)
{
    const struct ir_instr *loop = instr->loop;
    if (loop->next->op == IR_PHI)
        return false;
    for (uint32_t a = 0; a < instr->arg_count; a++)
        if (is_inside(instr->args[a], loop))
            return false;
    for (const struct ir_instr *i = loop->next; i != loop->region.end; i = i->next)
        if (i != instr && ir_has_effect(i) && !ir_is_marker(i))
            return false;
    return true;
}

bool
ir_spins(const struct ir_program *ir)
{
    for (const struct ir_instr *i = ir->first; i; i = i->next)
        if (i->loop && is_looked_at(ir, i) && is_all_of_loop(i))
            return true;
    return false;
}

#define LOOP_ROUNDS 8u /* as often as a loop is thought to run */
#define MAX_LOOP_DEPTH 6u

/* How often an instruction is thought to run. */
static uint64_t
weight_of(const struct ir_instr *i)
{
    uint64_t weight = 1;
    uint32_t depth = 0;
    for (const struct ir_instr *l = i->loop; l && depth < MAX_LOOP_DEPTH; l = l->loop, depth++)
        weight *= LOOP_ROUNDS;
    return weight;
}

bool
ir_parts_mostly(const struct ir_program *ir)
{
    uint64_t all = 0, parted = 0;
    uint32_t depth = 0; /* of IFs where lanes part */
    for (const struct ir_instr *i = ir->first; i; i = i->next) {
        depth += i->op == IR_IF && i->region.is_divergent;
        depth -= i->op == IR_ENDIF && i->region.end->region.is_divergent;
        if (!i->loop || i->type == IR_VOID)
            continue;
        all += weight_of(i);
        parted += depth ? weight_of(i) : 0;
    }
    return all && 16 * parted >= 15 * all;
}

#define SERIAL_SHARE 7u /* scalars for each number of lanes */

bool
ir_is_serial(const struct ir_program *ir)
{
    uint64_t scalar = 0, vector = 0;
    for (const struct ir_instr *i = ir->first; i; i = i->next) {
        if (!i->loop || i->type == IR_VOID || i->op == IR_CONST || i->op == IR_BUILTIN ||
            i->op == IR_PROJ)
            continue;
        if (i->cls == IR_UNIFORM)
            scalar += weight_of(i);
        else
            vector += weight_of(i);
    }
    return scalar >= SERIAL_SHARE * vector && scalar;
}

/* What operations take, in units of about a third of a nanosecond. */
#define CHUNK_COST 100u /* of a run, whatever it does */
#define SCALAR_COST 4u  /* of an operation on scalars; of a record, whatever it does */
#define VECTOR_COST 2u  /* of each block of lanes, from registers and back to them */
#define STRIDED_COST 6u /* of a block of words that lie apart */
#define GATHER_COST 16u /* of a block of lanes that each have a place of their own */
#define LONG_COST 12u   /* of a block, where an operation is a formula */
#define TILE_BLOCKS 8u  /* that go through a tile together, whether there are as many or not */

static bool
is_long(const struct ir_instr *i)
{
    switch (i->op) {
    case IR_EXP2:
    case IR_LOG2:
    case IR_EXP:
    case IR_LOG:
    case IR_SIN:
    case IR_COS:
    case IR_TAN:
    case IR_ASIN:
    case IR_ACOS:
    case IR_ATAN:
    case IR_SINH:
    case IR_COSH:
    case IR_TANH:
    case IR_ASINH:
    case IR_ACOSH:
    case IR_ATANH:
    case IR_ATAN2:
    case IR_POW:
    case IR_UDIV:
    case IR_SDIV:
    case IR_UREM:
    case IR_SREM:
    case IR_SMOD:
    case IR_FMOD:
    case IR_FREM:
        return true;
    default:
        return false;
    }
}

/* Words of lanes that lie side by side, or one for all of them. */
static bool
is_dense(const struct ir_instr *i)
{
    const struct ir_instr *stride = i->args[2];
    return ir_is_value(stride, 0) || (ir_is_value(stride, i->aux) && i->comps == 1);
}

static uint64_t
cost_of(const struct ir_instr *i, uint64_t blocks)
{
    const uint64_t comps = i->comps ? i->comps : 1;
    if (ir_is_marker(i))
        return SCALAR_COST;
    if (i->op == IR_CONST || i->op == IR_BUILTIN || i->op == IR_UNDEF || i->op == IR_PROJ)
        return 0;
    if (i->cls == IR_UNIFORM)
        return SCALAR_COST + (i->op == IR_LOAD ? comps : 0);
    switch (i->op) {
    case IR_LOAD:
    case IR_STORE:
        if (!i->is_linear)
            return SCALAR_COST + GATHER_COST * comps * blocks;
        return SCALAR_COST + (is_dense(i) ? VECTOR_COST : STRIDED_COST) * comps * blocks;
    case IR_ATOMIC:
    case IR_IMAGE:
    case IR_SUBGROUP:
        return SCALAR_COST + GATHER_COST * blocks;
    default:
        break;
    }
    if (is_long(i))
        return SCALAR_COST + LONG_COST * blocks;
    if (i->tile == IR_TILE_NONE)
        return SCALAR_COST + VECTOR_COST * blocks;
    const uint64_t tiles = (blocks + TILE_BLOCKS - 1) / TILE_BLOCKS;
    return (i->tile == IR_TILE_FIRST ? 2 * SCALAR_COST : 0) + tiles * TILE_BLOCKS;
}

uint64_t
ir_cost(const struct ir_program *ir, uint32_t lanes)
{
    uint64_t cost = CHUNK_COST;
    for (const struct ir_instr *i = ir->first; i; i = i->next) {
        cost += weight_of(i) * cost_of(i, (lanes + RP_BLOCK_LANES - 1) / RP_BLOCK_LANES);
        if (i->op == IR_PROLOGUE)
            cost = CHUNK_COST;
    }
    return cost;
}

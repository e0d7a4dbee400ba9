/* SPDX-License-Identifier: MIT */
/* Finds reductions in the memory of a workgroup: steps in which the first lanes, half as many each
 * time, take in what others hold. One operation does all of them when it can (exec/reduction.c).
 */
#include "compute/ir/reduction.h"
#include "compute/exec/op.h"
#include "compute/ir/build.h"
#include "compute/ir/passes.h"

#define MIN_STEPS 2u

/* The step's operation; -1: none. */
static int
reduction_op(enum ir_op op)
{
    switch (op) {
#define CASE(name) \
    case IR_##name: \
        return RP_REDUCTION_##name;
        RP_REDUCTION_OPS(CASE)
#undef CASE
    default:
        return -1;
    }
}

static bool
is_const_i(const struct ir_instr *value, uint32_t bits)
{
    return ir_is_value(value, bits) && value->type == IR_I;
}

/* base 0, and `unit` from lane to lane of a workgroup. */
static bool
counts_lanes(const struct ir_program *ir, struct ir_instr *const *line, uint32_t unit)
{
    return is_const_i(line[0], 0) && is_const_i(line[1], unit) &&
           (ir->local_size[1] == 1 || is_const_i(line[2], unit * ir->local_size[0]));
}

/* How many lanes are let in, the first ones of each workgroup; 0: none that can be told. */
static uint32_t
first_lanes(const struct ir_program *ir, const struct ir_instr *cond)
{
    if (cond->op != IR_LCMP || (cond->aux & ~RP_LCMP_SIGNED) != RP_LCMP_LT ||
        !counts_lanes(ir, cond->args, 1) || !is_const_i(cond->args[3], 0) ||
        !ir_is_const(cond->args[4]))
        return 0;
    const uint64_t count = cond->args[4]->imm;
    const bool is_power = count && (count & (count - 1)) == 0;
    const bool are_there = count <= ir->local_size[0] * ir->local_size[1];
    return is_power && are_there && count <= RP_MAX_WORKGROUP_SIZE / 2 ? (uint32_t)count : 0;
}

/* An element of the memory for each lane. */
static bool
is_element(const struct ir_program *ir, const struct ir_instr *i, enum ir_op op)
{
    return i->op == op && i->is_linear && i->aux == 4 && i->comps == 1 && i->use_count <= 1 &&
           is_const_i(i->args[0], IR_OWN_HANDLE(IR_MEMORY_SHARED)) &&
           counts_lanes(ir, i->args + 1, 4);
}

/* What a step does, where its shape is IF, two loads, an operation, a store, ENDIF. */
struct shape {
    const struct ir_instr *own; /* the loads: of the word that is written */
    const struct ir_instr *other;
    const struct ir_instr *sum;
    const struct ir_instr *store;
    uint32_t lanes;
};

static bool
match_shape(const struct ir_program *ir, const struct ir_instr *begin, struct shape *out)
{
    const uint32_t lanes = begin->op == IR_IF ? first_lanes(ir, begin->args[0]) : 0;
    if (!lanes || !is_element(ir, begin->next, IR_LOAD) ||
        !is_element(ir, begin->next->next, IR_LOAD))
        return false;
    const struct ir_instr *first = begin->next, *second = first->next;
    const struct ir_instr *sum = second->next, *store = sum->next;
    if (reduction_op(sum->op) < 0 || sum->use_count != 1 || !is_element(ir, store, IR_STORE) ||
        store->args[5] != sum || store->next != begin->region.other ||
        store->next->next != begin->region.end)
        return false;
    const bool is_own_first = first->imm == store->imm;
    *out = (struct shape){is_own_first ? first : second, is_own_first ? second : first, sum, store,
                          lanes};
    return true;
}

/* One step at `begin`: the reduction's first, or one that goes on with it. */
static bool
match_step(const struct ir_program *ir, const struct ir_instr *begin,
           struct ir_reduction *reduction)
{
    struct shape s;
    if (reduction->count == RP_REDUCTION_MAX_STEPS || !match_shape(ir, begin, &s))
        return false;
    const uint64_t distance_B = s.other->imm - s.own->imm;
    const bool is_swapped = s.sum->args[0] == s.other;
    const struct ir_instr *stride = s.store->args[4];
    if (s.own->imm != s.store->imm || s.other->imm < s.own->imm || distance_B % 4 ||
        distance_B < 4 * s.lanes || distance_B > 4 * RP_MAX_WORKGROUP_SIZE ||
        s.sum->args[is_swapped] != s.own || s.sum->args[!is_swapped] != s.other ||
        s.own->args[4] != stride || s.other->args[4] != stride)
        return false;
    if (reduction->count &&
        (reduction->sum->op != s.sum->op || reduction->store->imm != s.store->imm ||
         reduction->store->args[4] != stride ||
         reduction->record.steps[reduction->count - 1].lanes < s.lanes))
        return false;
    reduction->sum = s.sum;
    reduction->store = s.store;
    reduction->record.steps[reduction->count++] =
        (struct rp_reduction_step){(uint16_t)s.lanes, (uint16_t)(distance_B / 4), is_swapped};
    reduction->last = begin->region.end;
    return true;
}

/* All steps from `begin` on; between them only barriers. */
static void
match_steps(const struct ir_program *ir, const struct ir_instr *begin,
            struct ir_reduction *reduction)
{
    while (begin && match_step(ir, begin, reduction)) {
        begin = reduction->last->next;
        while (begin && begin->op == IR_BARRIER)
            begin = begin->next;
    }
}

/* Whole vectors are touched, whatever the instruction set. */
static uint32_t
reach_B(const struct ir_reduction *reduction)
{
    uint32_t lanes = RP_BLOCK_LANES;
    for (uint32_t s = 0; s < reduction->count; s++) {
        const struct rp_reduction_step *step = &reduction->record.steps[s];
        const uint32_t wide = step->lanes < RP_BLOCK_LANES ? RP_BLOCK_LANES : step->lanes;
        const bool is_near = step->lanes + step->distance <= 4;
        if (!is_near && step->distance + wide > lanes)
            lanes = step->distance + wide;
    }
    return 4 * lanes;
}

static void
place_reduction(struct ir_program *ir, struct ir_instr *begin, const struct ir_reduction *reduction)
{
    struct ir_instr *i = ir_make(ir, IR_REDUCTION, IR_VOID, 1);
    i->args[0] = reduction->store->args[4];
    i->cls = IR_VARYING;
    i->loop = begin->loop;
    i->reduction = ir_alloc(ir, 1, sizeof(*reduction));
    *i->reduction = *reduction;
    i->reduction->record.op = (uint32_t)reduction_op(reduction->sum->op);
    i->reduction->record.reach_B = reach_B(reduction);
    ir->cursor = begin->prev;
    ir_place(ir, i);
}

void
ir_find_reductions(struct ir_program *ir)
{
    if (ir->has_rows || (ir->pack == 1 && ir->local_size[2] != 1))
        return;
    for (struct ir_instr *i = ir->first; i; i = i->next) {
        struct ir_reduction reduction = {.count = 0};
        match_steps(ir, i, &reduction);
        if (reduction.count < MIN_STEPS)
            continue;
        place_reduction(ir, i, &reduction);
        i = reduction.last;
    }
}

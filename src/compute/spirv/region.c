/* SPDX-License-Identifier: MIT */
#include "compute/spirv/region.h"

#include "compute/spirv/translate.h"

#include <string.h>

static struct ir_instr **
slots_copy(struct spv *s, uint32_t count)
{
    struct ir_instr **copy = ir_alloc(s->ir, count + 1, sizeof(copy[0]));
    for (uint32_t i = 0; i < count; i++)
        copy[i] = ir_resolve(s->slots[i]);
    return copy;
}

static struct ir_instr *
place_marker(struct spv *s, enum ir_op op, uint32_t arg_count)
{
    struct ir_instr *marker = ir_make(s->ir, op, IR_VOID, arg_count);
    ir_place(s->ir, marker);
    return marker;
}

struct spv_block *
spv_block_begin(struct spv *s)
{
    struct spv_block *block = ir_alloc(s->ir, 1, sizeof(*block));
    block->begin = place_marker(s, IR_BLOCK, 0);
    block->slot_count = s->slot_count;
    return block;
}

void
spv_block_leave(struct spv *s, struct spv_block *block)
{
    struct ir_instr *begin = block->begin;
    const uint32_t edge = begin->region.edge_count++;

    if (edge == begin->region.edge_capacity) {
        const uint32_t capacity = edge ? 2 * edge : 4;
        struct ir_instr **edges = ir_alloc(s->ir, capacity, sizeof(edges[0]));
        struct ir_instr ***snapshots = ir_alloc(s->ir, capacity + 1, sizeof(snapshots[0]));
        if (edge) {
            memcpy(edges, begin->region.edges, edge * sizeof(edges[0]));
            memcpy(snapshots, block->snapshots, edge * sizeof(snapshots[0]));
        }
        begin->region.edges = edges;
        begin->region.edge_capacity = capacity;
        block->snapshots = snapshots;
    }
    struct ir_instr *br = place_marker(s, IR_BR, 0);
    br->br.block = begin;
    br->br.edge = edge;
    begin->region.edges[edge] = br;
    block->snapshots[edge] = slots_copy(s, block->slot_count);
    s->is_reachable = false;
}

/* The value of one slot behind a merge: one of the edges' when they agree, else a PHI. */
static struct ir_instr *
merge_slot(struct spv *s, struct ir_instr ***snapshots, uint32_t count, uint32_t slot)
{
    struct ir_instr *first = NULL;
    bool is_same = true;
    for (uint32_t e = 0; e < count; e++) {
        if (!snapshots[e])
            continue;
        if (first && snapshots[e][slot] != first)
            is_same = false;
        if (first && snapshots[e][slot]->type != first->type)
            spv_fail(s, "pointers to descriptors and to addresses meet");
        first = first ? first : snapshots[e][slot];
    }
    if (is_same)
        return first;

    struct ir_instr *phi = ir_make(s->ir, IR_PHI, first->type, count);
    for (uint32_t e = 0; e < count; e++)
        phi->args[e] = snapshots[e] ? snapshots[e][slot] : NULL;
    ir_place(s->ir, phi);
    return phi;
}

static void
merge_slots(struct spv *s, struct ir_instr ***snapshots, uint32_t count, uint32_t slot_count)
{
    s->slot_count = slot_count;
    for (uint32_t i = 0; i < slot_count; i++)
        s->slots[i] = merge_slot(s, snapshots, count, i);
}

/* A BR right in front of the block's end does nothing: it falls through. */
static void
fall_through_last(struct spv *s, struct spv_block *block)
{
    struct ir_instr *begin = block->begin;
    const uint32_t count = begin->region.edge_count;

    if (s->is_reachable || !count || begin->region.edges[count - 1] != s->ir->cursor)
        return;
    ir_remove(s->ir, s->ir->cursor);
    begin->region.edge_count--;
    memcpy(s->slots, block->snapshots[count - 1], block->slot_count * sizeof(s->slots[0]));
    s->is_reachable = true;
}

void
spv_block_end(struct spv *s, struct spv_block *block)
{
    struct ir_instr *begin = block->begin;
    fall_through_last(s, block);
    uint32_t count = begin->region.edge_count;

    if (count == 0) { /* nobody leaves early: no block */
        ir_remove(s->ir, begin);
        s->slot_count = block->slot_count;
        return;
    }
    begin->region.falls_through = s->is_reachable;
    if (s->is_reachable) {
        struct ir_instr ***snapshots = ir_alloc(s->ir, count + 1, sizeof(snapshots[0]));
        memcpy(snapshots, block->snapshots, count * sizeof(snapshots[0]));
        snapshots[count++] = slots_copy(s, block->slot_count);
        block->snapshots = snapshots;
    }
    struct ir_instr *end = place_marker(s, IR_ENDBLOCK, 0);
    end->region.end = begin;
    begin->region.end = end;
    for (uint32_t e = 0; e < count; e++)
        for (uint32_t i = 0; i < block->slot_count; i++)
            block->snapshots[e][i] = ir_resolve(block->snapshots[e][i]);
    merge_slots(s, block->snapshots, count, block->slot_count);
    s->is_reachable = true;
}

void
spv_if_begin(struct spv *s, struct spv_if *region, struct ir_instr *cond)
{
    *region = (struct spv_if){.slot_count = s->slot_count};
    region->before = slots_copy(s, s->slot_count);
    region->begin = place_marker(s, IR_IF, 1);
    region->begin->args[0] = cond;
}

void
spv_if_else(struct spv *s, struct spv_if *region)
{
    region->then = s->is_reachable ? slots_copy(s, region->slot_count) : NULL;
    struct ir_instr *other = place_marker(s, IR_ELSE, 0);
    other->region.other = region->begin;
    region->begin->region.other = other;
    s->slot_count = region->slot_count;
    memcpy(s->slots, region->before, region->slot_count * sizeof(s->slots[0]));
    s->is_reachable = true;
}

void
spv_if_end(struct spv *s, struct spv_if *region)
{
    struct ir_instr **otherwise = s->is_reachable ? slots_copy(s, region->slot_count) : NULL;
    struct ir_instr *end = place_marker(s, IR_ENDIF, 0);
    end->region.end = region->begin;
    end->region.other = region->begin->region.other;
    region->begin->region.end = end;
    region->begin->region.other->region.end = end;

    s->is_reachable = region->then || otherwise;
    s->slot_count = region->slot_count;
    if (s->is_reachable)
        merge_slots(s, (struct ir_instr * *[]){region->then, otherwise}, 2, region->slot_count);
}

void
spv_loop_begin(struct spv *s, struct spv_loop *loop)
{
    loop->slot_count = s->slot_count;
    loop->phis = ir_alloc(s->ir, s->slot_count + 1, sizeof(loop->phis[0]));
    loop->begin = place_marker(s, IR_LOOP, 0);
    for (uint32_t i = 0; i < s->slot_count; i++) {
        struct ir_instr *before = ir_resolve(s->slots[i]);
        struct ir_instr *phi = ir_make(s->ir, IR_PHI, before->type, 2);
        phi->args[0] = before;
        ir_place(s->ir, phi);
        loop->phis[i] = s->slots[i] = phi;
    }
}

static void
replace(struct spv *s, struct ir_instr *phi, struct ir_instr *by)
{
    phi->forward = by;
    ir_remove(s->ir, phi);
}

void
spv_loop_end(struct spv *s, struct spv_loop *loop)
{
    struct ir_instr *begin = loop->begin;

    if (!s->is_reachable) { /* never comes round */
        ir_remove(s->ir, begin);
        for (uint32_t i = 0; i < loop->slot_count; i++)
            replace(s, loop->phis[i], loop->phis[i]->args[0]);
        return;
    }
    struct ir_instr *end = place_marker(s, IR_ENDLOOP, 0);
    end->region.end = begin;
    begin->region.end = end;
    for (uint32_t i = 0; i < loop->slot_count; i++) {
        struct ir_instr *phi = loop->phis[i];
        struct ir_instr *next = ir_resolve(s->slots[i]);
        if (next->type != phi->type)
            spv_fail(s, "pointers to descriptors and to addresses meet");
        if (next == phi || next == ir_resolve(phi->args[0]))
            replace(s, phi, ir_resolve(phi->args[0]));
        else
            phi->args[1] = next;
    }
    s->slot_count = loop->slot_count;
    s->is_reachable = false;
}

/* SPDX-License-Identifier: MIT */
/* How often loops go round, found by going round with what is known of their PHIs; and how many
 * rounds are best written behind each other.
 */
#include "compute/ir/trips.h"

#include "compute/ir/ir.h"
#include "compute/ir/limits.h"
#include "compute/ir/range.h"
#include "util/compiler.h"

#define MAX_ROUNDS 16u     /* of a loop, that are written behind each other */
#define MAX_TOGETHER 640u  /* instructions of all of them */
#define MAX_COUNTED 32768u /* instructions that are looked at to find how often a loop goes round */

/* Leaves the loop whenever this arm [i, end) is entered. */
bool
ir_arm_leaves(const struct ir_instr *loop, const struct ir_instr *i, const struct ir_instr *end)
{
    const struct ir_instr *last = end->prev;
    for (const struct ir_instr *n = i; n != end; n = n->next)
        if (n->op == IR_IF || n->op == IR_LOOP || n->op == IR_BLOCK)
            return false;
    return last->op == IR_BR && last->br.block->index < loop->index;
}

struct trips {
    struct ir_assumed phis[16];
    uint32_t phi_count;
    uint32_t count;
    bool has_other_exits; /* lanes or runs may leave earlier */
};

/* Up to where [i, end) may jump inside the loop, where that is behind `until`; else `until`. */
static uint32_t
jumps_to(const struct ir_instr *loop, const struct ir_instr *i, const struct ir_instr *end,
         uint32_t until)
{
    for (; i != end; i = i->next)
        if (i->op == IR_BR && i->br.block->index > loop->index &&
            i->br.block->region.end->index > until)
            until = i->br.block->region.end->index;
    return until;
}

/* One round with the PHIs as assumed: does it surely leave? *any_out: some exit can be judged. What
 * some lanes may jump over is not sure. */
static bool
round_leaves(const struct ir_program *ir, const struct ir_instr *loop, struct trips *t,
             bool *any_out)
{
    bool leaves = false;
    uint32_t unsure_until = 0;
    t->has_other_exits = false;
    for (struct ir_instr *i = loop->next; i != loop->region.end; i = i->next) {
        if (i->op == IR_LOOP) {
            unsure_until = jumps_to(loop, i, i->region.end, unsure_until);
            i = i->region.end;
            continue;
        }
        if (i->op != IR_IF)
            continue;
        const struct ir_instr *other = i->region.other, *end = i->region.end;
        const bool on_true = ir_arm_leaves(loop, i->next, other);
        const bool on_false = ir_arm_leaves(loop, other->next, end);
        const struct ir_range c = ir_range_of(ir, i->args[0], t->phis, t->phi_count);
        if (!on_true && !on_false) {
            const bool is_decided = c.is_known && c.lo == c.hi;
            if (!is_decided || c.lo)
                unsure_until = jumps_to(loop, i, other, unsure_until);
            if (!is_decided || !c.lo)
                unsure_until = jumps_to(loop, other, end, unsure_until);
            i = i->region.end;
            continue;
        }
        *any_out |= c.is_known;
        if (c.is_known && c.lo == c.hi && (c.lo ? on_true : on_false) && i->index >= unsure_until)
            leaves = true;
        else if (!c.is_known || c.lo != c.hi || i->index < unsure_until)
            t->has_other_exits = true;
        i = i->region.end;
    }
    return leaves;
}

static void
next_round(const struct ir_program *ir, struct trips *t)
{
    struct ir_range next[16];
    for (uint32_t p = 0; p < t->phi_count; p++)
        next[p] = ir_range_of(ir, t->phis[p].instr->args[1], t->phis, t->phi_count);
    for (uint32_t p = 0; p < t->phi_count; p++)
        t->phis[p].range = next[p];
}

static uint32_t
loop_size(const struct ir_instr *loop)
{
    uint32_t size = 0;
    for (const struct ir_instr *i = loop->next; i != loop->region.end; i = i->next)
        size++;
    return size;
}

/* The round in which a loop is left at last; 0: not known, or not within max_trips. */
static uint32_t
last_round(const struct ir_program *ir, struct ir_instr *loop, struct trips *t, uint32_t max_trips)
{
    bool any = false, has_other_exits = false;

    for (struct ir_instr *i = loop->next; i != loop->region.end; i = i->next)
        i->copy = NULL; /* of the round before of an outer loop */
    t->phi_count = 0;
    for (struct ir_instr *p = loop->next; p->op == IR_PHI && t->phi_count < 16; p = p->next)
        if (p->type == IR_I)
            t->phis[t->phi_count++] = (struct ir_assumed){p, ir_range_of(ir, p->args[0], NULL, 0)};
    for (uint32_t trip = 1; trip <= max_trips; trip++) {
        const bool leaves = round_leaves(ir, loop, t, &any);
        if (!any)
            return 0;
        if (leaves) {
            t->has_other_exits = has_other_exits;
            return trip;
        }
        has_other_exits |= t->has_other_exits;
        next_round(ir, t);
    }
    return 0;
}

uint32_t
ir_count_trips(const struct ir_program *ir, struct ir_instr *loop)
{
    struct trips t;
    const uint32_t max_trips = RP_MIN(IR_MAX_TRIPS, IR_MAX_UNROLLED / RP_MAX(loop_size(loop), 1));
    const uint32_t trip = last_round(ir, loop, &t, max_trips);
    return trip > 8 && t.has_other_exits ? 0 : trip;
}

/* How many rounds later a PHI's value is another PHI's, when it goes from one to the next. */
static uint32_t
chain_length(const struct ir_instr *phi, const struct ir_instr *loop)
{
    uint32_t length = 0;
    for (const struct ir_instr *p = phi->args[1]; p && p->op == IR_PHI && length < MAX_ROUNDS;
         p = p->args[1], length++)
        if (ir_phi_marker(p) != loop)
            break;
    return length;
}

/* Values that move on from PHI to PHI, round by round, would be copied in each. When as many rounds
 * are written behind each other as such a chain is long, the names of values change in place of
 * the values. */
uint32_t
ir_rounds_together(const struct ir_program *ir, struct ir_instr *loop, uint32_t *exit_out)
{
    uint32_t longest = 0, rounds = 1;
    struct trips t;
    for (const struct ir_instr *p = loop->next; p->op == IR_PHI; p = p->next)
        longest = RP_MAX(longest, chain_length(p, loop));
    while (rounds <= longest)
        rounds *= 2;
    const uint32_t size = loop_size(loop);
    if (rounds == 1 || rounds > MAX_ROUNDS || rounds * size > MAX_TOGETHER)
        return 1;
    const uint32_t last = last_round(ir, loop, &t, MAX_COUNTED / size);
    if (!last || t.has_other_exits)
        return 1;
    *exit_out = (last - 1) % rounds;
    return rounds;
}

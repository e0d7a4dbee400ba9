/* SPDX-License-Identifier: MIT */
/* Finds chains: products and sums of integers that stand right behind each other, each taking in
 * the one before, and whose values nobody else reads. One operation does all of their steps
 * (exec/chain.c), in lanes of 16 bits where nobody wants more of the result.
 */
#include "compute/ir/build.h"
#include "compute/ir/demand.h"
#include "compute/ir/passes.h"

#define MIN_STEPS 4u
#define MAX_STEPS 60000u

static bool
is_step(const struct ir_instr *i)
{
    return i && i->op == IR_IMAD && i->cls == IR_VARYING && i->args[0]->cls == IR_VARYING &&
           i->args[1]->cls == IR_VARYING && i->args[2]->cls != IR_LINEAR;
}

/* last * last + c, always of the same c */
static bool
is_square(const struct ir_instr *i, const struct ir_instr *last, const struct ir_instr *c)
{
    return is_step(i) && i->args[0] == last && i->args[1] == last && i->args[2] == c && c != last;
}

/* last * older + last */
static bool
is_turn(const struct ir_instr *i, const struct ir_instr *last, const struct ir_instr *older)
{
    return is_step(i) && i->args[2] == last && older != last &&
           ((i->args[0] == last && i->args[1] == older) ||
            (i->args[0] == older && i->args[1] == last));
}

/* How many squares stand in a row, from i on. */
static uint32_t
count_squares(const struct ir_instr *i)
{
    const struct ir_instr *last = i->args[0];
    const struct ir_instr *const c = i->args[2];
    uint32_t count = 0;
    for (; is_square(i, last, c) && count < MAX_STEPS; last = i, i = i->next)
        if (count++ && last->use_count != 2)
            return count - 1;
    return count;
}

/* The same of turns, of which there are an even number; the last two may be read by others. */
static uint32_t
count_turns(const struct ir_instr *i)
{
    const struct ir_instr *last = i->args[2];
    const struct ir_instr *older = i->args[0] == last ? i->args[1] : i->args[0];
    uint32_t count = 0;
    while (is_turn(i, last, older) && count < MAX_STEPS && (count < 2 || older->use_count == 3)) {
        count++;
        older = last;
        last = i;
        i = i->next;
    }
    return count / 2 * 2;
}

static struct ir_instr *
last_step(struct ir_instr *first)
{
    struct ir_instr *last = first;
    for (uint32_t step = 1; step < first->chain.steps; step++)
        last = last->next;
    return last;
}

static void
set_widths(struct ir_program *ir)
{
    const uint8_t *demands = ir_find_demands(ir);
    for (struct ir_instr *i = ir->first; i; i = i->next) {
        if (!i->chain.steps)
            continue;
        const struct ir_instr *last = last_step(i);
        i->chain.is_narrow = demands[last->index] <= 16 && demands[last->prev->index] <= 16;
    }
}

void
ir_find_chains(struct ir_program *ir)
{
    bool has_chains = false;

    for (struct ir_instr *i = ir->first; i; i = i->next) {
        if (!is_step(i))
            continue;
        const bool is_square = i->args[0] == i->args[1];
        const uint32_t count = is_square ? count_squares(i) : count_turns(i);
        if (count < MIN_STEPS)
            continue;
        i->chain.steps = (uint16_t)count;
        has_chains = true;
        i = last_step(i);
    }
    if (has_chains)
        set_widths(ir);
}

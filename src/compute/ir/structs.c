/* SPDX-License-Identifier: MIT */
/* Loads of the words of a structure that each lane has for itself stand side by side, and so do
 * stores: the interpreter then goes over the lanes once for all of them, and each line of memory is
 * touched once instead of once for each load.
 */
#include "compute/ir/apart.h"
#include "compute/ir/build.h"
#include "compute/ir/passes.h"

#include <string.h>

#define WINDOW 32u     /* accesses looked at together */
#define STRUCT_B 64u   /* of the words of one: a line of the caches */
#define MIN_STRIDE 32u /* nearer words are in the same lines as those of the lanes beside */

struct window {
    struct ir_instr *items[WINDOW]; /* in the order of the program; NULL: done */
    uint32_t count;
    const struct ir_instr *passed[WINDOW]; /* loads that move up pass these stores */
    uint32_t passed_count;
};

static bool
is_candidate(const struct ir_program *ir, const struct ir_instr *i)
{
    if ((i->op != IR_LOAD && i->op != IR_STORE) || !i->is_linear || i->cls == IR_UNIFORM ||
        (i->aux != 4 && (i->aux != 8 || i->op == IR_STORE)) || i->args[0]->type != IR_I ||
        ir_is_watched(ir, i))
        return false;
    const struct ir_instr *stride = i->args[2];
    if (!ir_is_const(stride))
        return i->op == IR_LOAD;
    return stride->imm >= MIN_STRIDE && stride->imm <= INT32_MAX;
}

/* Of the same place as the k-th, the one with the lowest offset. */
static const struct ir_instr *
lowest(const struct window *w, uint32_t k)
{
    const struct ir_instr *low = w->items[k];
    for (uint32_t n = k + 1; n < w->count; n++) {
        const struct ir_instr *i = w->items[n];
        if (i && ir_have_same_place(i, low) && (int32_t)(i->imm - low->imm) < 0)
            low = i;
    }
    return low;
}

/* Members of a structure, in the order of their offsets. */
struct members {
    struct ir_instr *items[WINDOW];
    uint32_t count;
    struct ir_instr *first, *last; /* in the order of the program */
};

/* Takes those out of the window that lie in the structure that begins with `low`. */
static void
take_members(struct window *w, const struct ir_instr *low, struct members *m)
{
    m->count = 0;
    for (uint32_t n = 0; n < w->count; n++) {
        struct ir_instr *i = w->items[n];
        if (!i || !ir_have_same_place(i, low) ||
            (uint32_t)(i->imm - low->imm) + i->aux * i->comps > STRUCT_B)
            continue;
        m->first = m->count ? m->first : i;
        m->last = i;
        uint32_t at = m->count++;
        for (; at && (int32_t)(m->items[at - 1]->imm - i->imm) > 0; at--)
            m->items[at] = m->items[at - 1];
        m->items[at] = i;
        w->items[n] = NULL;
    }
}

/* Loads go where the first one of them is, stores where the last one is. */
static void
bring_together(struct ir_program *ir, const struct members *m)
{
    const bool is_load = m->first->op == IR_LOAD;
    if (!ir_take_apart(ir, m->first, m->first, m->last))
        return;
    struct ir_instr *before = m->first->prev, *behind = m->last->next;
    for (uint32_t n = 0; n < m->count; n++)
        ir_remove(ir, m->items[n]);
    ir->cursor = is_load ? before : behind ? behind->prev : ir->last;
    for (uint32_t n = 0; n < m->count; n++)
        ir_place(ir, m->items[n]);
    for (uint32_t n = 0; n < m->count && is_load; n++) {
        const struct ir_instr *load = m->items[n];
        for (uint32_t c = 0; load->comps > 1 && c < load->comps; c++) {
            if (!load->projs[c])
                continue;
            ir_remove(ir, load->projs[c]);
            ir_place(ir, load->projs[c]);
        }
    }
    m->items[0]->struct_count = (uint8_t)m->count;
}

static void
close_window(struct ir_program *ir, struct window *w)
{
    struct members members;
    for (uint32_t k = 0; k < w->count; k++)
        while (w->items[k]) {
            take_members(w, lowest(w, k), &members);
            if (members.count > 1)
                bring_together(ir, &members);
        }
    w->count = w->passed_count = 0;
}

static bool
is_apart_from(const struct ir_program *ir, const struct ir_instr *i,
              const struct ir_instr *const *others, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++)
        if (!ir_are_apart(ir, i, others[n]))
            return false;
    return true;
}

/* What stands between loads that come together, or stands there itself. */
static void
look_at_load(struct ir_program *ir, struct window *w, struct ir_instr *i)
{
    if (i->op == IR_STORE && w->passed_count < WINDOW)
        w->passed[w->passed_count++] = i;
    else if ((ir_has_effect(i) && i->op != IR_LANE_STORE) || w->count == WINDOW)
        close_window(ir, w);
    if (i->op != IR_LOAD || !is_candidate(ir, i))
        return;
    if (!is_apart_from(ir, i, w->passed, w->passed_count))
        close_window(ir, w);
    w->items[w->count++] = i;
}

/* The same for stores. */
static void
look_at_store(struct ir_program *ir, struct window *w, struct ir_instr *i)
{
    const bool is_access = i->op == IR_STORE || (i->op == IR_LOAD && !i->is_const_mem);
    const struct ir_instr *const *others = (const struct ir_instr *const *)w->items;
    if (is_access ? w->count == WINDOW || !is_apart_from(ir, i, others, w->count)
                  : (ir_has_effect(i) && i->op != IR_LANE_STORE) || i->op == IR_IMAGE)
        close_window(ir, w);
    if (i->op == IR_STORE && is_candidate(ir, i))
        w->items[w->count++] = i;
}

static void
find(struct ir_program *ir,
     void (*look_at)(struct ir_program *, struct window *, struct ir_instr *))
{
    struct window w = {.count = 0};
    for (struct ir_instr *i = ir->first, *next; i; i = next) {
        next = i->op == IR_MAC ? i->mac.last->next : i->next;
        look_at(ir, &w, i);
    }
    close_window(ir, &w);
}

void
ir_find_structs(struct ir_program *ir)
{
    find(ir, look_at_load);
    find(ir, look_at_store);
}

/* SPDX-License-Identifier: MIT */
/* Four loads of words or of bytes that lie side by side become one of four components, when lanes
 * are further apart than one of them: the interpreter turns rows into columns at once; three words
 * that are left become one of three. Bytes are also found by an index of each lane, and by one for
 * all lanes. Words at offsets of the lanes that follow each other become one load of up to four.
 * Stores of words that follow each other become one of two to four components in the same way.
 */
#include "compute/ir/apart.h"
#include "compute/ir/build.h"
#include "compute/ir/passes.h"

#include <string.h>

#define WINDOW 32u /* loads looked at together */

struct loads {
    struct ir_instr *items[WINDOW];
    uint32_t count;
    const struct ir_instr *passed[WINDOW]; /* stores that later ones of them may pass */
    uint32_t passed_count;
};

static bool
is_candidate(const struct ir_program *ir, const struct ir_instr *i)
{
    if (i->op != IR_LOAD || i->comps != 1 || i->args[0]->type != IR_I || ir_is_watched(ir, i))
        return false;
    if (!i->is_linear)
        return i->aux == 1;
    return (i->aux == 4 && !(ir_is_const(i->args[2]) && i->args[2]->imm < 12)) ||
           (i->aux == 1 && !(ir_is_const(i->args[2]) && i->args[2]->imm < 4));
}

/* The load whose offset is that of `first` plus offset_B, which may be negative. */
static struct ir_instr **
find(struct loads *loads, const struct ir_instr *first, int64_t offset_B)
{
    for (uint32_t k = 0; k < loads->count; k++)
        if (loads->items[k] && loads->items[k]->imm == first->imm + (uint64_t)offset_B &&
            ir_have_same_place(loads->items[k], first))
            return &loads->items[k];
    return NULL;
}

static void
merge(struct ir_program *ir, struct ir_instr **parts[4], uint32_t count)
{
    struct ir_instr *first = *parts[0];
    struct ir_instr **earliest = parts[0], **latest = parts[0]; /* the window is in order */
    for (uint32_t c = 1; c < count; c++) {
        earliest = parts[c] < earliest ? parts[c] : earliest;
        latest = parts[c] > latest ? parts[c] : latest;
    }
    if (!ir_take_apart(ir, first, *earliest, *latest))
        return;
    struct ir_instr *load = ir_make(ir, IR_LOAD, IR_I, first->arg_count);
    for (uint32_t a = 0; a < first->arg_count; a++)
        load->args[a] = first->args[a];
    load->aux = first->aux;
    load->comps = (uint8_t)count;
    load->cls = first->cls;
    load->imm = first->imm;
    load->is_linear = first->is_linear;
    load->is_const_mem = first->is_const_mem;
    load->loop = first->loop;
    load->projs = ir_alloc(ir, count, sizeof(load->projs[0]));
    ir->cursor = (*earliest)->prev;
    ir_place(ir, load);
    for (uint32_t c = 0; c < count; c++) {
        struct ir_instr *proj = ir_make(ir, IR_PROJ, IR_I, 1);
        proj->args[0] = load;
        proj->imm = c;
        proj->cls = first->cls;
        proj->loop = first->loop;
        ir_place(ir, proj);
        load->projs[c] = proj;
        (*parts[c])->forward = proj;
        ir_remove(ir, *parts[c]);
        *parts[c] = NULL;
    }
}

/* How many loads that begin with `first` become one: 4, 3, or none of them. */
static uint32_t
count_parts(struct loads *loads, const struct ir_instr *first, struct ir_instr **parts[4])
{
    const struct ir_instr *stride = first->is_linear ? first->args[2] : NULL;
    const bool has_words = stride && first->aux == 4 && ir_is_const(stride);
    const uint32_t most = has_words && stride->imm < 16 ? 3 : 4;
    uint32_t count = 0;
    for (; count < most; count++) {
        parts[count] = find(loads, first, (int64_t)first->aux * count);
        if (!parts[count])
            break;
    }
    return count == 4 || (count == 3 && has_words) ? count : 0;
}

/* What the window holds, in groups. */
static void
merge_window(struct ir_program *ir, struct loads *loads)
{
    for (uint32_t k = 0; k < loads->count; k++) {
        struct ir_instr *first = loads->items[k];
        if (!first)
            continue;
        const int64_t size_B = first->aux;
        while (find(loads, first, -size_B))
            first = *find(loads, first, -size_B);
        struct ir_instr **parts[4];
        const uint32_t count = count_parts(loads, first, parts);
        if (count)
            merge(ir, parts, count);
    }
    loads->count = loads->passed_count = 0;
}

static bool
may_join(const struct ir_program *ir, const struct loads *loads, const struct ir_instr *load)
{
    for (uint32_t n = 0; n < loads->passed_count; n++)
        if (!ir_are_apart(ir, load, loads->passed[n]))
            return false;
    return true;
}

void
ir_merge_loads(struct ir_program *ir)
{
    struct loads loads = {.count = 0};
    for (struct ir_instr *i = ir->first, *next; i; i = next) {
        next = i->next;
        if (i->op == IR_STORE && loads.passed_count < WINDOW)
            loads.passed[loads.passed_count++] = i;
        else if ((ir_has_effect(i) && i->op != IR_LANE_STORE) || loads.count == WINDOW)
            merge_window(ir, &loads);
        if (!is_candidate(ir, i))
            continue;
        if (!may_join(ir, &loads, i))
            merge_window(ir, &loads);
        loads.items[loads.count++] = i;
    }
    merge_window(ir, &loads);
}

/* Loads of one to three words at an offset of each lane, which may become one of up to four. */
static bool
is_gather(const struct ir_program *ir, const struct ir_instr *i)
{
    return i->op == IR_LOAD && i->aux == 4 && i->comps < 4 && !i->is_linear &&
           i->cls == IR_VARYING && i->args[0]->type == IR_I && i->args[0]->cls == IR_UNIFORM &&
           !ir_is_watched(ir, i);
}

/* Is b what comes right behind a in memory? */
static bool
follows(const struct ir_instr *a, const struct ir_instr *b)
{
    return a->comps + b->comps <= 4 && b->imm == a->imm + 4ull * a->comps &&
           a->is_const_mem == b->is_const_mem && ir_have_same_place(a, b);
}

/* The words of `part`, which are those of `load` from `first` on, are taken from there. */
static void
take_words(struct ir_program *ir, struct ir_instr *load, struct ir_instr *part, uint32_t first)
{
    for (uint32_t c = 0; c < part->comps; c++) {
        struct ir_instr *old = part->comps == 1 ? part : part->projs[c];
        if (!old)
            continue;
        struct ir_instr *proj = ir_make(ir, IR_PROJ, IR_I, 1);
        proj->args[0] = load;
        proj->imm = first + c;
        proj->cls = load->cls;
        proj->loop = load->loop;
        ir_place(ir, proj);
        load->projs[first + c] = proj;
        old->forward = proj;
        if (old != part)
            ir_remove(ir, old);
    }
}

/* One load for both, where the earlier one of them stands. */
static struct ir_instr *
join_gathers(struct ir_program *ir, struct ir_instr *low, struct ir_instr *high,
             const struct ir_instr *earlier)
{
    struct ir_instr *load = ir_make(ir, IR_LOAD, IR_I, low->arg_count);
    memcpy(load->args, low->args, low->arg_count * sizeof(load->args[0]));
    load->aux = low->aux;
    load->comps = (uint8_t)(low->comps + high->comps);
    load->cls = low->cls;
    load->imm = low->imm;
    load->is_const_mem = low->is_const_mem;
    load->loop = low->loop;
    load->projs = ir_alloc(ir, load->comps, sizeof(load->projs[0]));
    ir->cursor = earlier->prev;
    ir_place(ir, load);
    take_words(ir, load, low, 0);
    take_words(ir, load, high, low->comps);
    ir_remove(ir, low);
    ir_remove(ir, high);
    return load;
}

/* A gather of more words takes hardly longer. */
void
ir_merge_gathers(struct ir_program *ir)
{
    struct loads loads = {.count = 0};
    for (struct ir_instr *i = ir->first, *next; i; i = next) {
        next = i->next;
        if ((ir_has_effect(i) && i->op != IR_LANE_STORE) || loads.count == WINDOW)
            loads.count = 0;
        if (!is_gather(ir, i))
            continue;
        while (next && next->op == IR_PROJ && next->args[0] == i)
            next = next->next;
        uint32_t k = 0;
        while (k < loads.count && !follows(loads.items[k], i) && !follows(i, loads.items[k]))
            k++;
        if (k == loads.count) {
            loads.items[loads.count++] = i;
            continue;
        }
        struct ir_instr *other = loads.items[k];
        loads.items[k] = follows(other, i) ? join_gathers(ir, other, i, other)
                                           : join_gathers(ir, i, other, other);
    }
}

/* Where the values of a store begin. */
static uint32_t
first_value(const struct ir_instr *store)
{
    return store->is_linear ? 5 : 2;
}

/* Words that lanes store to places further apart than those of `count` words. */
static bool
may_widen(const struct ir_program *ir, const struct ir_instr *i, uint32_t count)
{
    if (i->op != IR_STORE || i->aux != 4 || i->args[0]->type != IR_I || ir_is_watched(ir, i))
        return false;
    return !i->is_linear || (ir_is_const(i->args[2]) && i->args[2]->imm - 4 * count < INT32_MAX);
}

/* Does b store what comes right behind a in memory? */
static bool
continues(const struct ir_program *ir, const struct ir_instr *a, const struct ir_instr *b)
{
    if (!may_widen(ir, a, a->comps + b->comps) || a->is_linear != b->is_linear ||
        b->imm != a->imm + 4ull * a->comps)
        return false;
    for (uint32_t x = 0; x < first_value(a); x++)
        if (a->args[x] != b->args[x])
            return false;
    return true;
}

/* b, which stands behind a, stores for both. */
static void
join_stores(struct ir_program *ir, const struct ir_instr *low, const struct ir_instr *high,
            struct ir_instr *a, struct ir_instr *b)
{
    const uint32_t first = first_value(a), low_count = low->comps, high_count = high->comps;
    struct ir_instr **args = ir_alloc(ir, first + low_count + high_count, sizeof(args[0]));
    memcpy(args, a->args, first * sizeof(args[0]));
    memcpy(args + first, low->args + first, low_count * sizeof(args[0]));
    memcpy(args + first + low_count, high->args + first, high_count * sizeof(args[0]));
    b->imm = low->imm;
    b->args = args;
    b->arg_count = (uint16_t)(first + low_count + high_count);
    b->comps = (uint8_t)(low_count + high_count);
    b->within = (struct ir_span){0, 0};
    ir_remove(ir, a);
}

/* Do a store of so many words and another one make one of `count` words? A third word goes to its
 * own place for a scatter. */
static bool
is_part(const struct ir_program *ir, const struct ir_instr *i, uint32_t count)
{
    const bool has_size =
        count == 3 ? i->is_linear && (i->comps == 1 || i->comps == 2) : 2u * i->comps == count;
    return i->op == IR_STORE && has_size && may_widen(ir, i, i->comps);
}

/* Two stores that make one of `count` words, of which nobody looks at memory in between. */
static void
merge_pairs(struct ir_program *ir, uint32_t count)
{
    struct ir_instr *last = NULL;
    for (struct ir_instr *i = ir->first; i; i = i->next) {
        if (!is_part(ir, i, count)) {
            const bool is_passed = i->op == IR_LOAD && last && ir_are_apart(ir, last, i);
            const bool is_load = (i->op == IR_LOAD && !i->is_const_mem) || i->op == IR_IMAGE;
            if ((ir_has_effect(i) && i->op != IR_LANE_STORE) || (is_load && !is_passed))
                last = NULL;
            continue;
        }
        const bool has_count = last && last->comps + i->comps == count;
        const bool is_next = has_count && continues(ir, last, i);
        const bool is_joined =
            (is_next || (has_count && continues(ir, i, last))) && ir_take_apart(ir, last, last, i);
        if (is_joined)
            join_stores(ir, is_next ? last : i, is_next ? i : last, last, i);
        last = is_joined ? NULL : i;
    }
}

void
ir_merge_stores(struct ir_program *ir)
{
    merge_pairs(ir, 2);
    merge_pairs(ir, 4);
    merge_pairs(ir, 3);
}

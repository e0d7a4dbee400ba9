/* SPDX-License-Identifier: MIT */
/* Finds sums of products whose factors are loaded: the operations of such a sum are brought
 * together behind a MAC (multiply-accumulate), which does the work of all of them when it can
 * (exec/mac.c).
 */
#include "compute/exec/op.h"
#include "compute/ir/build.h"
#include "compute/ir/passes.h"

#define MIN_TERMS 3u
#define MAX_DISTANCE 256u /* how far a product's reader is looked for */

struct finder {
    struct ir_program *ir;
    uint32_t begin; /* where the straight stretch of code began */
    bool *is_taken; /* by index: it stands in a MAC */
    bool *is_tried; /* by index: what is in front of it was looked at as a MAC */
};

/* A load of the stretch that only this product reads. */
static bool
can_take(const struct finder *f, const struct ir_instr *i, uint32_t size_B)
{
    return i->op == IR_LOAD && i->is_linear && i->cls == IR_VARYING && i->comps == 1 &&
           i->aux == size_B && i->use_count == 1 && i->index > f->begin &&
           i->args[0]->type == IR_I && i->args[0]->cls == IR_UNIFORM;
}

static bool
is_int_product(const struct ir_instr *i)
{
    return i->op == IR_IMAD || (i->op == IR_SHLADD && ir_is_const(i->args[1]));
}

static bool
is_product(const struct ir_instr *i)
{
    return i->cls == IR_VARYING && (i->op == IR_MAD || is_int_product(i));
}

/* A product of the same kind as `last` that may stand in its sum. */
static bool
is_summand(const struct finder *f, const struct ir_instr *i, const struct ir_instr *last)
{
    return is_product(i) && is_int_product(i) == is_int_product(last) && i->index > f->begin &&
           !f->is_taken[i->index];
}

/* The products in the order they are added, at most RP_MAC_MAX_TERMS. */
static uint32_t
collect(const struct finder *f, struct ir_instr *last, struct ir_instr **products)
{
    uint32_t count = 0;
    struct ir_instr *i = last;
    while (count < RP_MAC_MAX_TERMS && is_summand(f, i, last) && (i == last || i->use_count == 1)) {
        products[RP_MAC_MAX_TERMS - ++count] = i;
        i = i->args[2];
    }
    for (uint32_t k = 0; k < count; k++)
        products[k] = products[RP_MAC_MAX_TERMS - count + k];
    return count;
}

/* Bytes of the numbers: 2 when every factor is a 16-bit load or uniform and 16 bits are stored. */
static uint32_t
number_size(const struct finder *f, const struct ir_instr *last, struct ir_instr *const *products,
            uint32_t count)
{
    const struct ir_instr *first = products[0]->args[2], *user = last->next;
    if (!is_int_product(last) || last->use_count != 1)
        return 4;
    for (uint32_t d = 0; d < MAX_DISTANCE && user && !ir_has_effect(user); d++)
        user = user->next;
    if (!user || user->op != IR_STORE || user->aux != 2 ||
        user->args[user->arg_count - 1] != last || user->comps != 1)
        return 4;
    if (!can_take(f, first, 2) && first->cls != IR_UNIFORM)
        return 4;
    for (uint32_t k = 0; k < count; k++)
        for (uint32_t a = 0; a < 2; a++)
            if (products[k]->args[a]->cls != IR_UNIFORM && !can_take(f, products[k]->args[a], 2))
                return 4;
    return 2;
}

static uint32_t
count_loads(const struct finder *f, struct ir_instr *const *products, uint32_t count,
            uint32_t size_B)
{
    uint32_t loads = 0;
    for (uint32_t k = 0; k < count; k++)
        loads +=
            can_take(f, products[k]->args[0], size_B) + can_take(f, products[k]->args[1], size_B);
    return loads;
}

static void
move_before(struct ir_program *ir, struct ir_instr *i, struct ir_instr *before)
{
    ir_remove(ir, i);
    ir->cursor = before->prev;
    ir_place(ir, i);
}

static void
make_mac(struct finder *f, struct ir_instr *last, struct ir_instr **products, uint32_t count,
         uint32_t size_B)
{
    struct ir_instr *mac = ir_make(f->ir, IR_MAC, IR_VOID, 0);
    mac->aux = (uint8_t)size_B;
    mac->mac.last = last;
    mac->mac.count = count;
    mac->loop = last->loop;
    mac->cls = IR_VARYING;
    f->ir->cursor = last->prev;
    ir_place(f->ir, mac);
    if (can_take(f, products[0]->args[2], size_B))
        move_before(f->ir, products[0]->args[2], last);
    for (uint32_t k = 0; k < count; k++) {
        for (uint32_t a = 0; a < 2; a++)
            if (can_take(f, products[k]->args[a], size_B))
                move_before(f->ir, products[k]->args[a], last);
        if (products[k] != last)
            move_before(f->ir, products[k], last);
        f->is_taken[products[k]->index] = true;
        if (products[k]->op == IR_SHLADD) {
            products[k]->op = IR_IMAD;
            products[k]->args[1] = ir_i(f->ir, 1u << (products[k]->args[1]->imm & 31));
        }
    }
}

/* Does a later product take this one? Then the sum ends there. */
static bool
is_last(const struct ir_instr *i)
{
    const struct ir_instr *n = i->next;
    for (uint32_t d = 0; d < MAX_DISTANCE && n && !ir_has_effect(n); d++, n = n->next)
        if (is_product(n) && is_int_product(n) == is_int_product(i) && n->args[2] == i &&
            i->use_count == 1)
            return false;
    return true;
}

/* Few products of streams: in rows of many lanes not copying what is loaded pays at once. */
static bool
is_stream(const struct finder *f, struct ir_instr *const *products, uint32_t count)
{
    return count > 0 && f->ir->has_rows &&
           can_take(f, products[0]->args[2], 4) + count_loads(f, products, count, 4) >= 2;
}

static void
try_mac(struct finder *f, struct ir_instr *last)
{
    struct ir_instr *products[RP_MAC_MAX_TERMS];
    for (;;) {
        const uint32_t count = collect(f, last, products);
        if (count < MIN_TERMS && !is_stream(f, products, count))
            return;
        struct ir_instr *before = products[0]->args[2];
        const uint32_t size_B = number_size(f, last, products, count);
        if (count_loads(f, products, count, size_B) >= MIN_TERMS || count < MIN_TERMS)
            make_mac(f, last, products, count, size_B);
        f->is_tried[last->index] = true;
        if (!is_summand(f, before, last) || before->use_count != 1 || f->is_tried[before->index])
            return;
        last = before; /* a long sum: the part in front */
    }
}

void
ir_find_macs(struct ir_program *ir)
{
    struct finder f = {.ir = ir};
    uint32_t index = 1;

    for (struct ir_instr *i = ir->first; i; i = i->next)
        i->index = index++;
    f.is_taken = ir_alloc(ir, index, sizeof(f.is_taken[0]));
    f.is_tried = ir_alloc(ir, index, sizeof(f.is_tried[0]));
    for (struct ir_instr *i = ir->first, *next; i; i = next) {
        next = i->next;
        if (ir_has_effect(i))
            f.begin = i->index;
        else if (is_product(i) && is_last(i))
            try_mac(&f, i);
    }
}

/* SPDX-License-Identifier: MIT */
/* Scalars in registers.
 */
#include "compute/machine/assembler.h"

#include "util/alloc.h"

static const uint8_t pool[MACHINE_POOL] = {X86_RAX, X86_RCX, X86_RDI, 8, 9, 10, 11};

void
machine_reserve(struct x86 *x)
{
    if (x->capacity_B - x->size_B >= MACHINE_MAX_B)
        return;
    const uint32_t larger_B = 2 * x->capacity_B + MACHINE_MAX_B;
    uint8_t *larger = rp_alloc(NULL, larger_B, 1, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (larger) {
        memcpy(larger, x->out, x->size_B);
        rp_free(NULL, x->out);
        x->out = larger;
        x->capacity_B = larger_B;
    } else { /* writing begins again at the start */
        x->has_failed = true;
        x->size_B = 0;
    }
}

void
machine_forget(struct assembler *a)
{
    for (uint32_t k = 0; k < MACHINE_POOL; k++)
        a->general[k].slot = MACHINE_NO_SLOT;
    for (uint32_t k = 0; k < MACHINE_FLOATS; k++)
        a->floats[k].slot = MACHINE_NO_SLOT;
}

void
machine_begin(struct assembler *a)
{
    a->pinned = a->pinned_floats = 0;
    a->now++;
}

void
machine_go_on(struct assembler *a, uint32_t reg)
{
    uint32_t k = 0;
    while (pool[k] != reg)
        k++;
    a->pinned = 1u << k;
}

bool
machine_is_number(const struct assembler *a, struct machine_value v, bool is_long, uint64_t *number)
{
    const struct rp_machine_source *source = a->source;
    const uint32_t at = v.slot - source->first_number_B;
    if (v.slot % 8 || v.slot < source->first_number_B || at >= source->number_B)
        return false;
    memcpy(number, source->numbers + at, 8);
    if (!is_long)
        *number = (uint32_t)*number;
    return true;
}

bool
machine_fits(uint64_t number, bool is_long, int32_t *immediate)
{
    *immediate = (int32_t)(uint32_t)number;
    return !is_long || (int64_t)number == *immediate;
}

static uint32_t
take(struct cached *cached, uint32_t count, uint32_t *pinned, uint32_t now)
{
    uint32_t best = 0;
    while (*pinned >> best & 1)
        best++;
    for (uint32_t k = best + 1; k < count; k++) {
        const bool is_free = cached[k].slot == MACHINE_NO_SLOT;
        if (*pinned >> k & 1 || cached[best].slot == MACHINE_NO_SLOT)
            continue;
        if (is_free || cached[k].used < cached[best].used)
            best = k;
    }
    *pinned |= 1u << best;
    cached[best] = (struct cached){MACHINE_NO_SLOT, false, false, now};
    return best;
}

/* Its place in the pool, or the pool's size. */
static uint32_t
find(const struct cached *cached, uint32_t count, uint32_t slot, bool is_long)
{
    for (uint32_t k = 0; k < count; k++)
        if (slot != MACHINE_NO_SLOT && cached[k].slot == slot && (cached[k].is_long || !is_long))
            return k;
    return count;
}

uint32_t
machine_new(struct assembler *a)
{
    return pool[take(a->general, MACHINE_POOL, &a->pinned, a->now)];
}

/* Holds the scalar as one of this operation; the pool's size: nowhere. */
static uint32_t
use(struct assembler *a, uint32_t slot, bool is_long)
{
    const uint32_t k = find(a->general, MACHINE_POOL, slot, is_long);
    if (k < MACHINE_POOL) {
        a->pinned |= 1u << k;
        a->general[k].used = a->now;
    }
    return k;
}

uint32_t
machine_general(struct assembler *a, struct machine_value v, bool is_long)
{
    uint64_t number;
    if (v.slot == MACHINE_NO_SLOT)
        return v.reg;
    uint32_t k = use(a, v.slot, is_long);
    if (k < MACHINE_POOL)
        return pool[k];
    k = take(a->general, MACHINE_POOL, &a->pinned, a->now);
    if (machine_is_number(a, v, is_long, &number))
        x86_move_number(&a->x, pool[k], number);
    else
        x86_move(&a->x, is_long, pool[k], x86_memory(X86_RSI, (int32_t)v.slot));
    a->general[k] = (struct cached){v.slot, is_long, false, a->now};
    return pool[k];
}

struct x86_operand
machine_operand(struct assembler *a, struct machine_value v, bool is_long)
{
    if (v.slot == MACHINE_NO_SLOT)
        return x86_reg(v.reg);
    const uint32_t k = use(a, v.slot, is_long);
    return k < MACHINE_POOL ? x86_reg(pool[k]) : x86_memory(X86_RSI, (int32_t)v.slot);
}

uint32_t
machine_copy(struct assembler *a, struct machine_value v, bool is_long)
{
    uint64_t number;
    const bool is_number = machine_is_number(a, v, is_long, &number);
    const struct x86_operand from = machine_operand(a, v, is_long);
    const uint32_t to = machine_new(a);
    if (is_number)
        x86_move_number(&a->x, to, number);
    else
        x86_move(&a->x, is_long, to, from);
    return to;
}

/* What lies at a scalar that is written. */
static void
drop(struct assembler *a, uint32_t slot)
{
    for (uint32_t k = 0; k < MACHINE_POOL; k++)
        if (a->general[k].slot + 8 > slot && a->general[k].slot < slot + 8)
            a->general[k].slot = MACHINE_NO_SLOT;
    for (uint32_t k = 0; k < MACHINE_FLOATS; k++)
        if (a->floats[k].slot + 8 > slot && a->floats[k].slot < slot + 8)
            a->floats[k].slot = MACHINE_NO_SLOT;
}

void
machine_set(struct assembler *a, uint32_t slot, uint32_t reg, bool is_long)
{
    uint32_t k = 0;
    x86_store(&a->x, is_long, x86_memory(X86_RSI, (int32_t)slot), reg);
    drop(a, slot);
    while (pool[k] != reg)
        k++;
    a->general[k] = (struct cached){slot, is_long, true, a->now};
}

bool
machine_holds_short(const struct assembler *a, uint32_t slot)
{
    const uint32_t k = find(a->general, MACHINE_POOL, slot, false);
    return k < MACHINE_POOL && !a->general[k].is_long && a->general[k].is_made;
}

uint32_t
machine_new_float(struct assembler *a)
{
    return take(a->floats, MACHINE_FLOATS, &a->pinned_floats, a->now);
}

uint32_t
machine_float(struct assembler *a, struct machine_value v)
{
    uint32_t k = find(a->floats, MACHINE_FLOATS, v.slot, false);
    if (k < MACHINE_FLOATS) {
        a->pinned_floats |= 1u << k;
        a->floats[k].used = a->now;
        return k;
    }
    const struct x86_operand from = machine_operand(a, v, false);
    k = machine_new_float(a);
    if (from.is_memory) /* vmovss, vmovd */
        x86_vex(&a->x, 2, 1, false, 0x10, k, 0, from);
    else
        x86_vex(&a->x, 1, 1, false, 0x6e, k, 0, from);
    a->floats[k] = (struct cached){v.slot, false, false, a->now};
    return k;
}

void
machine_set_float(struct assembler *a, uint32_t slot, uint32_t reg)
{
    x86_vex(&a->x, 2, 1, false, 0x11, reg, 0, x86_memory(X86_RSI, (int32_t)slot)); /* vmovss */
    drop(a, slot);
    a->floats[reg] = (struct cached){slot, false, true, a->now};
}

/* SPDX-License-Identifier: MIT */
/* Which values of a tile are in registers: when there are too few, the one whose next reader is the
 * farthest gives way.
 */
#include "compute/machine/tile.h"

#define NEVER UINT32_MAX

static uint32_t
next_reader(const struct tile *t, uint32_t value, uint32_t from)
{
    for (uint32_t k = from; k < t->op_count; k++)
        for (uint32_t a = 0; a < t->ops[k].arg_count; a++)
            if (t->ops[k].args[a] == value)
                return k;
    return NEVER;
}

static bool
is_in_mask_register(const struct tile *t, const struct tile_value *v)
{
    return v->kind == TILE_MASK && t->is_wide;
}

static uint32_t *
free_of(struct tile *t, const struct tile_value *v)
{
    return is_in_mask_register(t, v) ? &t->free_masks : &t->free_vectors;
}

static uint32_t
register_count(const struct tile *t, const struct tile_value *v)
{
    return v->kind == TILE_SCALAR ? 1 : t->unroll;
}

void
machine_tile_start_round(struct tile *t, uint32_t unroll)
{
    t->unroll = unroll;
    t->now = 0;
    t->temp_count = 0;
    t->free_vectors = t->is_wide ? UINT32_MAX : 0xffffu;
    t->free_masks = 0xfeu & ~(1u << MASK_TEMP);
    for (uint32_t v = 0; v < t->value_count; v++)
        t->values[v].is_in_registers = false;
    for (uint32_t k = 0; k < t->op_count; k++)
        t->values[t->ops[k].result].is_in_memory = false;
}

static uint32_t
vector_B(const struct tile *t)
{
    return t->is_wide ? 64 : 32;
}

/* The bits of the u-th vector. */
static struct x86_operand
bits_at(const struct tile *t, const struct tile_value *v, uint32_t u)
{
    const uint32_t distance = v->home + u * vector_B(t) / 32;
    return x86_memory(v->is_kept ? X86_RSI : 8, (int32_t)distance);
}

static struct vector_operand
lanes_at(const struct tile *t, const struct tile_value *v, uint32_t u)
{
    const int32_t distance = (int32_t)(v->home + u * vector_B(t));
    return (struct vector_operand){VECTOR_MEMORY, v->is_kept ? X86_RSI : X86_RAX, distance};
}

struct vector_operand
machine_tile_operand(const struct tile *t, uint32_t value, uint32_t u)
{
    const struct tile_value *v = &t->values[value];
    if (v->is_in_registers)
        return vector_reg(v->regs[v->kind == TILE_SCALAR ? 0 : u]);
    if (v->kind == TILE_SCALAR)
        return (struct vector_operand){VECTOR_WORD, X86_RSI, (int32_t)v->home};
    return lanes_at(t, v, u);
}

void
machine_tile_store(struct tile *t, uint32_t value)
{
    struct tile_value *v = &t->values[value];
    struct x86 *x = t->x;
    for (uint32_t u = 0; u < t->unroll; u++) {
        if (is_in_mask_register(t, v)) {
            vector_mask_move(x, VECTOR_KSTORE, v->regs[u], bits_at(t, v, u));
        } else if (v->kind == TILE_MASK && !v->is_kept) {
            machine_write_vector(x, false, VECTOR_BITS, (struct vector_mask){0, false}, X86_RCX, 0,
                                 vector_reg(v->regs[u]), VECTOR_NO_NUMBER);
            x86_op(x, false, 0x88, X86_RCX, bits_at(t, v, u));
        } else {
            machine_write_vector(x, t->is_wide, VECTOR_STORE, (struct vector_mask){0, false},
                                 v->regs[u], 0, lanes_at(t, v, u), VECTOR_NO_NUMBER);
        }
    }
    v->is_in_memory = true;
}

static void
drop(struct tile *t, struct tile_value *v)
{
    for (uint32_t u = 0; u < register_count(t, v); u++)
        *free_of(t, v) |= 1u << v->regs[u];
    v->is_in_registers = false;
}

static bool
is_of_now(const struct tile *t, uint32_t value)
{
    const struct tile_op *op = &t->ops[t->now];
    for (uint32_t a = 0; a < op->arg_count; a++)
        if (op->args[a] == value)
            return true;
    return op->result == value;
}

static void
evict(struct tile *t, const uint32_t *free)
{
    uint32_t best = TILE_NO_VALUE, farthest = 0;
    for (uint32_t v = 0; v < t->value_count; v++) {
        struct tile_value *value = &t->values[v];
        if (!value->is_in_registers || free_of(t, value) != free || is_of_now(t, v))
            continue;
        const uint32_t next = next_reader(t, v, t->now + 1);
        if (best == TILE_NO_VALUE || next > farthest) {
            best = v;
            farthest = next;
        }
    }
    if (!t->values[best].is_in_memory)
        machine_tile_store(t, best);
    drop(t, &t->values[best]);
}

/* The lowest ones: what an operation makes vector by vector may take the registers of an operand
 * then, because none is another vector's that comes later. */
static void
take(struct tile *t, uint32_t *free, uint32_t count, uint8_t *regs)
{
    while ((uint32_t)__builtin_popcount(*free) < count)
        evict(t, free);
    for (uint32_t k = 0; k < count; k++) {
        regs[k] = (uint8_t)__builtin_ctz(*free);
        *free &= *free - 1;
    }
}

static void
load_mask(struct tile *t, const struct tile_value *v)
{
    const struct vector_mask none = {0, false};
    const struct vector_operand bits = {VECTOR_CONSTANT, 0, TILE_LANE_BITS * TILE_CONSTANT_B};
    for (uint32_t u = 0; u < t->unroll; u++) {
        const uint32_t reg = v->regs[u];
        const struct x86_operand at = bits_at(t, v, u);
        if (t->is_wide) {
            vector_mask_move(t->x, VECTOR_KLOAD, reg, at);
            continue;
        }
        machine_write_vector(t->x, false, VECTOR_BROADCAST, none, reg, 0,
                             (struct vector_operand){VECTOR_WORD, at.reg, at.distance},
                             VECTOR_NO_NUMBER);
        machine_write_vector(t->x, false, VECTOR_AND, none, reg, reg, bits, VECTOR_NO_NUMBER);
        machine_write_vector(t->x, false, VECTOR_CMPEQ, none, reg, reg, bits, VECTOR_NO_NUMBER);
    }
}

void
machine_tile_need(struct tile *t, uint32_t value)
{
    struct tile_value *v = &t->values[value];
    const struct vector_mask none = {0, false};
    if (v->is_in_registers)
        return;
    take(t, free_of(t, v), register_count(t, v), v->regs);
    v->is_in_registers = true;
    if (v->kind == TILE_SCALAR) {
        machine_write_vector(
            t->x, t->is_wide, t->is_long ? VECTOR_BROADCAST64 : VECTOR_BROADCAST, none, v->regs[0],
            0, (struct vector_operand){VECTOR_WORD, X86_RSI, (int32_t)v->home}, VECTOR_NO_NUMBER);
    } else if (v->kind == TILE_MASK && !(v->is_kept && !t->is_wide)) {
        load_mask(t, v);
    } else {
        for (uint32_t u = 0; u < t->unroll; u++)
            machine_write_vector(t->x, t->is_wide, VECTOR_MOVE, none, v->regs[u], 0,
                                 lanes_at(t, v, u), VECTOR_NO_NUMBER);
    }
}

void
machine_tile_need_temps(struct tile *t, uint32_t count)
{
    take(t, &t->free_vectors, count, t->temps);
    t->temp_count = count;
}

void
machine_tile_release_temps(struct tile *t)
{
    for (uint32_t k = 0; k < t->temp_count; k++)
        t->free_vectors |= 1u << t->temps[k];
    t->temp_count = 0;
}

void
machine_tile_release(struct tile *t, bool is_made)
{
    for (uint32_t v = 0; v < t->value_count; v++)
        if (t->values[v].is_in_registers && (is_made || t->values[v].kind != TILE_SCALAR) &&
            t->values[v].end <= t->now + 1)
            drop(t, &t->values[v]);
}

void
machine_tile_take_result(struct tile *t)
{
    struct tile_value *v = &t->values[t->ops[t->now].result];
    take(t, free_of(t, v), t->unroll, v->regs);
    v->is_in_registers = true;
}

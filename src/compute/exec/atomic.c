/* SPDX-License-Identifier: MIT */
/* Atomics, lane by lane in the order of lanes. On memory that only this thread sees (workgroup
 * memory) no locked instruction is needed.
 */
#include "compute/exec/atomic.h"

#include "compute/exec/atomic_words.h"
#include "compute/exec/common.h"
#include "compute/lane_ops.h"
#include "format/pack.h"

#include <float.h>
#include <math.h>
#include <string.h>

static float
as_float(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, 4);
    return f;
}

static uint32_t
float_bits(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, 4);
    return bits;
}

static double
as_double(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, 8);
    return d;
}

static uint64_t
double_bits(double d)
{
    uint64_t bits;
    memcpy(&bits, &d, 8);
    return bits;
}

/* A sum, or the number next to it towards zero when it is larger than the exact one: by what it
 * lacks of the smaller operand, as in spirv/float.c. */
static double
sum64(double a, double b, bool is_down)
{
    const double sum = a + b;
    const double large = fabs(a) < fabs(b) ? b : a, small = fabs(a) < fabs(b) ? a : b;
    const double rest = small - (sum - large);
    return is_down && (sum > 0 ? rest < 0 : rest > 0) ? nextafter(sum, 0) : sum;
}

static float
sum32(float a, float b, bool is_down)
{
    const float sum = a + b;
    const float large = fabsf(a) < fabsf(b) ? b : a, small = fabsf(a) < fabsf(b) ? a : b;
    const float rest = small - (sum - large);
    return is_down && (sum > 0 ? rest < 0 : rest > 0) ? nextafterf(sum, 0) : sum;
}

static float
float_combine(uint32_t op, float old, float value)
{
    const bool truncates = op & IR_ATOMIC_TRUNCATES;
    switch ((enum ir_atomic)(op & ~(uint32_t)(IR_ATOMIC_FLUSHES | IR_ATOMIC_TRUNCATES))) {
    case IR_ATOMIC_FADD:
        return sum32(old, value, truncates);
    case IR_ATOMIC_FMIN:
        return value < old ? value : old;
    default:
        return value > old ? value : old;
    }
}

static double
double_combine(uint32_t op, double old, double value)
{
    const bool truncates = op & IR_ATOMIC_TRUNCATES;
    switch ((enum ir_atomic)(op & ~(uint32_t)(IR_ATOMIC_FLUSHES | IR_ATOMIC_TRUNCATES))) {
    case IR_ATOMIC_FADD:
        return sum64(old, value, truncates);
    case IR_ATOMIC_FMIN:
        return value < old ? value : old;
    default:
        return value > old ? value : old;
    }
}

static uint32_t
combine32(uint32_t op, uint32_t old, uint32_t value, uint32_t compare)
{
    switch ((enum ir_atomic)op) {
    case IR_ATOMIC_LOAD:
        return old;
    case IR_ATOMIC_CMPXCHG:
        return old == compare ? value : old;
    case IR_ATOMIC_STORE:
    case IR_ATOMIC_XCHG:
    case IR_ATOMIC_IADD:
    case IR_ATOMIC_SMIN:
    case IR_ATOMIC_UMIN:
    case IR_ATOMIC_SMAX:
    case IR_ATOMIC_UMAX:
    case IR_ATOMIC_AND:
    case IR_ATOMIC_OR:
    case IR_ATOMIC_XOR:
        return rp_atomic_combine((enum ir_atomic)op, old, value);
    default:
        break; /* of floats */
    }
    const float result = float_combine(op, as_float(old), as_float(value));
    return float_bits(op & IR_ATOMIC_FLUSHES && fabsf(result) < FLT_MIN ? copysignf(0, result)
                                                                        : result);
}

static uint64_t
combine64(uint32_t op, uint64_t old, uint64_t value, uint64_t compare)
{
    switch ((enum ir_atomic)op) {
    case IR_ATOMIC_LOAD:
        return old;
    case IR_ATOMIC_STORE:
    case IR_ATOMIC_XCHG:
        return value;
    case IR_ATOMIC_CMPXCHG:
        return old == compare ? value : old;
    case IR_ATOMIC_IADD:
        return old + value;
    case IR_ATOMIC_SMIN:
        return (int64_t)old < (int64_t)value ? old : value;
    case IR_ATOMIC_UMIN:
        return old < value ? old : value;
    case IR_ATOMIC_SMAX:
        return (int64_t)old > (int64_t)value ? old : value;
    case IR_ATOMIC_UMAX:
        return old > value ? old : value;
    case IR_ATOMIC_AND:
        return old & value;
    case IR_ATOMIC_OR:
        return old | value;
    case IR_ATOMIC_XOR:
        return old ^ value;
    default:
        break; /* of floats */
    }
    const double result = double_combine(op, as_double(old), as_double(value));
    return double_bits(op & IR_ATOMIC_FLUSHES && fabs(result) < DBL_MIN ? copysign(0, result)
                                                                        : result);
}

uint32_t
rp_atomic32(void *at, uint32_t op, uint32_t value, uint32_t compare, bool is_shared)
{
    uint32_t *p = at;
    if (is_shared) {
        const uint32_t old = *p;
        *p = combine32(op, old, value, compare);
        return old;
    }
    if (op == IR_ATOMIC_IADD)
        return __atomic_fetch_add(p, value, __ATOMIC_RELAXED);
    if (op == IR_ATOMIC_LOAD)
        return __atomic_load_n(p, __ATOMIC_ACQUIRE);
    uint32_t old = __atomic_load_n(p, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(p, &old, combine32(op, old, value, compare), true,
                                        __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
        ;
    return old;
}

uint64_t
rp_atomic64(void *at, uint32_t op, uint64_t value, uint64_t compare, bool is_shared)
{
    uint64_t *p = at;
    if (is_shared) {
        const uint64_t old = *p;
        *p = combine64(op, old, value, compare);
        return old;
    }
    if (op == IR_ATOMIC_LOAD)
        return __atomic_load_n(p, __ATOMIC_ACQUIRE);
    uint64_t old = __atomic_load_n(p, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(p, &old, combine64(op, old, value, compare), true,
                                        __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
        ;
    return old;
}

static uint16_t
combine_half(uint32_t op, uint16_t old, uint16_t value)
{
    if (op == IR_ATOMIC_LOAD)
        return old;
    if (op == IR_ATOMIC_STORE || op == IR_ATOMIC_XCHG) /* any bits */
        return value;
    const float result = float_combine(op, rp_half_to_float(old), rp_half_to_float(value));
    uint16_t half = rp_float_to_half(result);
    if (op & IR_ATOMIC_TRUNCATES && fabsf(rp_half_to_float(half)) > fabsf(result))
        half--;
    return op & IR_ATOMIC_FLUSHES && (half & 0x7c00) == 0 ? half & 0x8000 : half;
}

/* 16-bit floats, by their bits. */
static uint16_t
atomic_half(void *at, uint32_t op, uint16_t value, bool is_shared)
{
    uint16_t *p = at;
    if (is_shared) {
        const uint16_t old = *p;
        *p = combine_half(op, old, value);
        return old;
    }
    uint16_t old = __atomic_load_n(p, __ATOMIC_ACQUIRE);
    while (op != IR_ATOMIC_LOAD &&
           !__atomic_compare_exchange_n(p, &old, combine_half(op, old, value), true,
                                        __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
        ;
    return old;
}

struct target {
    uint8_t *ptr;
    uint64_t size_B;
    uint32_t bias;
};

static struct target
lane_target(const struct rp_op *o, const char *R, const struct rp_exec *x, int32_t lane)
{
    struct rp_memory m;
    uint8_t *base;

    switch (o->i) {
    case RP_MEMORY_ADDRESS:
    case RP_MEMORY_ADDRESSES:
        base = (uint8_t *)(uintptr_t)((
            const uint64_t *)(R + o->b))[o->i == RP_MEMORY_ADDRESS ? 0 : lane];
        return (struct target){base - 0x80000000u, UINT64_C(1) << 32, 0x80000000u};
    case RP_MEMORY_DYNAMIC:
    case RP_MEMORY_VARYING:
        m = rp_exec_lookup(x, ((const uint32_t *)(R + o->b))[o->i == RP_MEMORY_DYNAMIC ? 0 : lane]);
        break;
    default:
        m = x->memory[o->i];
        break;
    }
    return (struct target){m.ptr, m.size_B, 0};
}

static inline uint64_t
operand(const char *R, uint32_t at, int32_t lane, bool is_64)
{
    return is_64 ? ((const uint64_t *)(R + at))[lane] : ((const uint32_t *)(R + at))[lane];
}

static void
atomic_lane(const struct rp_op *o, char *R, const struct rp_exec *x, const struct target *t,
            int32_t lane)
{
    const struct rp_op_more *more = (const struct rp_op_more *)(o + 1);
    const bool is_64 = more->r[2] & 1, is_shared = more->r[2] & 2;
    const uint64_t offset = (uint32_t)(((const uint32_t *)(R + o->a))[lane] + t->bias);
    const bool is_half = more->r[2] & 8;
    const uint32_t size_B = is_64 ? 8 : is_half ? 2 : 4;
    uint64_t old = 0;

    (void)x;
    if (offset + size_B <= t->size_B && ((uintptr_t)(t->ptr + offset) & (size_B - 1)) == 0) {
        uint8_t *at = t->ptr + offset;
        const uint64_t value = operand(R, o->c, lane, is_64);
        const uint64_t compare = operand(R, more->r[0], lane, is_64);
        if (is_half)
            old = atomic_half(at, more->r[1], (uint16_t)value, is_shared);
        else
            old = is_64
                      ? rp_atomic64(at, more->r[1], value, compare, is_shared)
                      : rp_atomic32(at, more->r[1], (uint32_t)value, (uint32_t)compare, is_shared);
    }
    if (is_64)
        ((uint64_t *)(R + o->d))[lane] = old;
    else
        ((uint32_t *)(R + o->d))[lane] = (uint32_t)old;
}

static inline void
add_word(const struct target *t, uint32_t offset, uint32_t value, bool is_shared)
{
    const uint32_t at = offset & ~3u;
    if ((uint64_t)at + 4 > t->size_B)
        return;
    if (is_shared)
        *(uint32_t *)(t->ptr + at) += value;
    else
        __atomic_fetch_add((uint32_t *)(t->ptr + at), value, __ATOMIC_RELAXED);
}

/* Additions of which nobody wants the old value, on one buffer: histograms, counters. */
static void
add_words(const struct rp_op *o, const char *R, const struct rp_exec *x, const struct target *t,
          bool is_shared)
{
    const uint32_t *offset = (const uint32_t *)(R + o->a), *value = (const uint32_t *)(R + o->c);
    for (int32_t k = x->k0; k < x->k1; k++) {
        uint32_t left = x->is_full ? 0xffff : x->levels[o->level].bits[k];
        if (left == 0xffff) {
            for (int32_t lane = k * 16; lane < k * 16 + 16; lane++)
                add_word(t, offset[lane], value[lane], is_shared);
            continue;
        }
        for (; left; left &= left - 1) {
            const int32_t lane = k * 16 + __builtin_ctz(left);
            add_word(t, offset[lane], value[lane], is_shared);
        }
    }
}

void
rp_adds_init(struct rp_adds *adds)
{
    for (uint32_t e = 0; e < RP_ADD_ENTRIES; e++)
        adds->entries[e].key = RP_ADD_EMPTY;
}

static void
adds_hand_on(struct rp_adds *adds, uint32_t e)
{
    const uint32_t key = adds->entries[e].key;
    if (key == RP_ADD_EMPTY)
        return;
    uint8_t *at = adds->memory[key & 3].ptr + (key & ~3u);
    __atomic_fetch_add((uint32_t *)at, adds->entries[e].sum, __ATOMIC_RELAXED);
    adds->entries[e].key = RP_ADD_EMPTY;
}

void
rp_adds_flush(struct rp_adds *adds)
{
    for (uint32_t e = 0; e < RP_ADD_ENTRIES; e++)
        adds_hand_on(adds, e);
}

static inline void
add_late(struct rp_adds *adds, uint32_t offset, uint32_t value, uint32_t slot, uint64_t limit)
{
    const uint32_t key = (offset & ~3u) | slot, e = offset / 4 % RP_ADD_ENTRIES;
    if ((offset & ~3u) >= limit)
        return;
    if (adds->entries[e].key == key) {
        adds->entries[e].sum += value;
        return;
    }
    adds_hand_on(adds, e);
    adds->entries[e].key = key;
    adds->entries[e].sum = value;
}

/* The same, kept back: what threads add to one word meets in memory once, not every time. */
static void
add_words_late(const struct rp_op *o, const char *R, struct rp_exec *x, uint32_t slot)
{
    const uint32_t *offset = (const uint32_t *)(R + o->a), *value = (const uint32_t *)(R + o->c);
    const uint64_t limit = x->adds->memory[slot].size_B & ~3u;
    for (int32_t k = x->k0; k < x->k1; k++) {
        uint32_t left = x->is_full ? 0xffff : x->levels[o->level].bits[k];
        if (left == 0xffff) {
            for (int32_t lane = k * 16; lane < k * 16 + 16; lane++)
                add_late(x->adds, offset[lane], value[lane], slot, limit);
            continue;
        }
        for (; left; left &= left - 1) {
            const int32_t lane = k * 16 + __builtin_ctz(left);
            add_late(x->adds, offset[lane], value[lane], slot, limit);
        }
    }
}

const struct rp_op *
rp_common_ATOMIC(const struct rp_op *o, char *R, struct rp_exec *x)
{
    const struct rp_op_more *more = (const struct rp_op_more *)(o + 1);
    const bool is_varying = o->i <= RP_MEMORY_VARYING;
    struct target t = {0};
    if (!is_varying)
        t = lane_target(o, R, x, 0);
    const bool has_words = !is_varying && (more->r[2] & 9) == 0 && ((uintptr_t)t.ptr & 3) == 0;
    if (has_words && more->r[3]) {
        add_words_late(o, R, x, more->r[3] - 1);
        return o + 2;
    }
    if (has_words && rp_atomic_words(o, R, x, t.ptr, t.size_B, t.bias))
        return o + 2;
    if (has_words && t.bias == 0 && more->r[1] == IR_ATOMIC_IADD) {
        add_words(o, R, x, &t, more->r[2] & 2);
        return o + 2;
    }
    for (int32_t k = x->k0; k < x->k1; k++) {
        uint32_t left = x->is_full ? 0xffff : x->levels[o->level].bits[k];
        for (; left; left &= left - 1) {
            const int32_t lane = k * 16 + __builtin_ctz(left);
            if (is_varying)
                t = lane_target(o, R, x, lane);
            atomic_lane(o, R, x, &t, lane);
        }
    }
    return o + 2;
}

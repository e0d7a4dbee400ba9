/* SPDX-License-Identifier: MIT */
/* Atomics on 32-bit integers of one memory. What all lanes do to one word is done at once, as if
 * they had taken turns; a locked instruction that would change nothing is left out.
 */
#include "compute/exec/atomic_words.h"

struct words {
    uint8_t *ptr;
    uint64_t size_B;
    uint32_t bias;
    bool is_shared; /* no other thread sees the memory */
    const uint32_t *offset, *value, *compare;
    uint32_t *old;
};

/* Returns what was there. */
static inline __attribute__((always_inline)) uint32_t
exchange(enum ir_atomic op, uint32_t *p, uint32_t value, uint32_t compare, bool is_shared)
{
    if (is_shared) {
        const uint32_t old = *p;
        if (op != IR_ATOMIC_CMPXCHG)
            *p = rp_atomic_combine(op, old, value);
        else if (old == compare)
            *p = value;
        return old;
    }
    if (op == IR_ATOMIC_IADD)
        return __atomic_fetch_add(p, value, __ATOMIC_SEQ_CST);
    if (op == IR_ATOMIC_XCHG)
        return __atomic_exchange_n(p, value, __ATOMIC_SEQ_CST);
    if (op == IR_ATOMIC_CMPXCHG) {
        __atomic_compare_exchange_n(p, &compare, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
        return compare;
    }
    uint32_t old = __atomic_load_n(p, __ATOMIC_SEQ_CST);
    for (uint32_t new; (new = rp_atomic_combine(op, old, value)) != old;)
        if (__atomic_compare_exchange_n(p, &old, new, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            break;
    return old;
}

static inline uint32_t *
word_at(const struct words *w, int32_t lane)
{
    const uint64_t at = w->offset[lane] + w->bias;
    return at % 4 == 0 && at + 4 <= w->size_B ? (uint32_t *)(void *)(w->ptr + at) : NULL;
}

#define FOR_ACTIVE(o, x, lane) \
    for (int32_t k_ = (x)->k0; k_ < (x)->k1; k_++) \
        for (uint32_t left_ = (x)->is_full ? 0xffff : (x)->levels[(o)->level].bits[k_]; left_; \
             left_ &= left_ - 1) \
            if ((lane = k_ * 16 + __builtin_ctz(left_)), true)

static inline __attribute__((always_inline)) void
each_word(enum ir_atomic op, const struct rp_op *o, const struct rp_exec *x, const struct words *w)
{
    int32_t lane;
    FOR_ACTIVE(o, x, lane)
    {
        uint32_t *p = word_at(w, lane);
        w->old[lane] = p ? exchange(op, p, w->value[lane], w->compare[lane], w->is_shared) : 0;
    }
}

/* The values of all active lanes in one operation, which is associative; each lane finds what those
 * in front of it would have left. */
static inline __attribute__((always_inline)) void
same_word(enum ir_atomic op, const struct rp_op *o, const struct rp_exec *x, const struct words *w,
          int32_t first, bool wants_old)
{
    uint32_t *p = word_at(w, first);
    uint32_t all = 0;
    int32_t lane;
    FOR_ACTIVE(o, x, lane)
    all = lane == first ? w->value[lane] : rp_atomic_combine(op, all, w->value[lane]);
    uint32_t old = p ? exchange(op, p, all, 0, w->is_shared) : 0;
    if (!wants_old)
        return;
    FOR_ACTIVE(o, x, lane)
    {
        const uint32_t value = w->value[lane];
        w->old[lane] = old;
        old = p ? rp_atomic_combine(op, old, value) : 0;
    }
}

/* Whether 16 lanes have one offset. */
static inline bool
is_one_word(const uint32_t *offset, uint32_t wanted)
{
    uint32_t differs = 0;
    for (int32_t lane = 0; lane < 16; lane++)
        differs |= offset[lane] ^ wanted;
    return differs == 0;
}

/* The first active lane when all of them have the same offset, else -1. */
static int32_t
find_same(const struct rp_op *o, const struct rp_exec *x, const struct words *w)
{
    int32_t first = -1;
    for (int32_t k = x->k0; k < x->k1; k++) {
        uint32_t left = x->is_full ? 0xffff : x->levels[o->level].bits[k];
        if (left && first < 0)
            first = k * 16 + __builtin_ctz(left);
        if (left && is_one_word(w->offset + (size_t)k * 16, w->offset[first]))
            continue;
        for (; left; left &= left - 1)
            if (w->offset[k * 16 + __builtin_ctz(left)] != w->offset[first])
                return -1;
    }
    return first;
}

bool
rp_atomic_words(const struct rp_op *o, char *R, const struct rp_exec *x, uint8_t *ptr,
                uint64_t size_B, uint32_t bias)
{
    const struct rp_op_more *more = (const struct rp_op_more *)(o + 1);
    const struct words w = {
        .ptr = ptr,
        .size_B = size_B,
        .bias = bias,
        .is_shared = more->r[2] & 2,
        .offset = (const uint32_t *)(R + o->a),
        .value = (const uint32_t *)(R + o->c),
        .compare = (const uint32_t *)(R + more->r[0]),
        .old = (uint32_t *)(R + o->d),
    };
    const bool wants_old = !(more->r[2] & 4);
    const bool is_sum = more->r[1] == IR_ATOMIC_IADD && !wants_old;
    const int32_t first = more->r[1] == IR_ATOMIC_CMPXCHG ? -1 : find_same(o, x, &w);
    if (is_sum && first < 0 && bias == 0)
        return false;
    switch ((enum ir_atomic)more->r[1]) {
#define CASE(op) \
    case op: \
        if (first >= 0) \
            same_word(op, o, x, &w, first, wants_old); \
        else \
            each_word(op, o, x, &w); \
        return true;
        CASE(IR_ATOMIC_XCHG)
        CASE(IR_ATOMIC_IADD)
        CASE(IR_ATOMIC_SMIN)
        CASE(IR_ATOMIC_UMIN)
        CASE(IR_ATOMIC_SMAX)
        CASE(IR_ATOMIC_UMAX)
        CASE(IR_ATOMIC_AND)
        CASE(IR_ATOMIC_OR)
        CASE(IR_ATOMIC_XOR)
#undef CASE
    case IR_ATOMIC_CMPXCHG:
        each_word(IR_ATOMIC_CMPXCHG, o, x, &w);
        return true;
    default:
        return false; /* loads, stores, floats */
    }
}

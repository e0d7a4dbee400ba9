/* SPDX-License-Identifier: MIT */
/* Operations within a block of 16 lanes.
 */
#include "compute/exec/subgroup.h"

#include "compute/exec/exec.h"
#include "compute/lane_ops.h"
#include "platform/clock.h"

#include <string.h>

struct subgroup {
    const struct rp_op *o;
    const struct rp_op_more *more;
    char *R;
    int32_t k;
    uint32_t active;
};

static void
set_mask(const struct subgroup *g, uint32_t bits)
{
    ((uint16_t *)(g->R + g->o->d))[g->k] = (uint16_t)bits;
}

static uint32_t
get_mask(const struct subgroup *g, uint32_t at)
{
    return ((const uint16_t *)(g->R + at))[g->k];
}

static uint32_t *
words(const struct subgroup *g, uint32_t at)
{
    return (uint32_t *)(g->R + at) + g->k * 16;
}

uint64_t
rp_subgroup_identity(uint32_t op, bool is_64)
{
    static const float ones = 1.0f, inf = __builtin_inff();
    static const double one = 1.0, infinity = __builtin_inf();
    uint64_t bits = 0;

    switch ((enum ir_reduce)op) {
    case IR_RED_IMUL:
        return 1;
    case IR_RED_SMIN:
        return is_64 ? INT64_MAX : INT32_MAX;
    case IR_RED_SMAX:
        return is_64 ? (uint64_t)INT64_MIN : (uint32_t)INT32_MIN;
    case IR_RED_UMIN:
    case IR_RED_AND:
        return UINT64_MAX;
    case IR_RED_FMUL:
        memcpy(&bits, is_64 ? (const void *)&one : &ones, is_64 ? 8 : 4);
        return bits;
    case IR_RED_FMIN:
    case IR_RED_FMAX:
        memcpy(&bits, is_64 ? (const void *)&infinity : &inf, is_64 ? 8 : 4);
        return op == IR_RED_FMIN ? bits : bits ^ (is_64 ? (uint64_t)1 << 63 : 1u << 31);
    default:
        return 0;
    }
}

static uint32_t
reduce_float(uint32_t op, uint32_t a, uint32_t b)
{
    float x, y, r;
    uint32_t bits;
    memcpy(&x, &a, 4);
    memcpy(&y, &b, 4);
    if (op == IR_RED_FADD)
        r = x + y;
    else if (op == IR_RED_FMUL)
        r = x * y;
    else if (op == IR_RED_FMIN)
        r = x < y || y != y ? x : y;
    else
        r = x > y || y != y ? x : y;
    memcpy(&bits, &r, 4);
    return bits;
}

static uint64_t
reduce_double(uint32_t op, uint64_t a, uint64_t b)
{
    double x, y, r;
    uint64_t bits;
    memcpy(&x, &a, 8);
    memcpy(&y, &b, 8);
    if (op == IR_RED_FADD)
        r = x + y;
    else if (op == IR_RED_FMUL)
        r = x * y;
    else if (op == IR_RED_FMIN)
        r = x < y || y != y ? x : y;
    else
        r = x > y || y != y ? x : y;
    memcpy(&bits, &r, 8);
    return bits;
}

static uint64_t
reduce_pair(uint32_t op, bool is_64, uint64_t a, uint64_t b)
{
    const int64_t sa = is_64 ? (int64_t)a : (int32_t)a, sb = is_64 ? (int64_t)b : (int32_t)b;
    const uint64_t ua = is_64 ? a : (uint32_t)a, ub = is_64 ? b : (uint32_t)b;

    switch ((enum ir_reduce)op) {
    case IR_RED_IADD:
        return a + b;
    case IR_RED_IMUL:
        return a * b;
    case IR_RED_SMIN:
        return sa < sb ? a : b;
    case IR_RED_SMAX:
        return sa > sb ? a : b;
    case IR_RED_UMIN:
        return ua < ub ? a : b;
    case IR_RED_UMAX:
        return ua > ub ? a : b;
    case IR_RED_AND:
        return a & b;
    case IR_RED_OR:
        return a | b;
    case IR_RED_XOR:
        return a ^ b;
    default:
        return is_64 ? reduce_double(op, a, b) : reduce_float(op, (uint32_t)a, (uint32_t)b);
    }
}

static uint64_t
lane_value(const struct subgroup *g, bool is_64, uint32_t lane)
{
    return is_64 ? ((const uint64_t *)(g->R + g->o->a))[g->k * 16 + (int32_t)lane]
                 : words(g, g->o->a)[lane];
}

static void
set_lane(const struct subgroup *g, bool is_64, uint32_t lane, uint64_t value)
{
    if (is_64)
        ((uint64_t *)(g->R + g->o->d))[g->k * 16 + (int32_t)lane] = value;
    else
        words(g, g->o->d)[lane] = (uint32_t)value;
}

static void
reduce(const struct subgroup *g, bool is_64)
{
    const uint32_t op = g->more->r[1], cluster = g->more->r[2], scan = g->more->r[3];
    uint64_t out[16];

    for (uint32_t first = 0; first < 16; first += cluster) {
        uint64_t sum = rp_subgroup_identity(op, is_64);
        for (uint32_t lane = first; lane < first + cluster; lane++) {
            if (!(g->active >> lane & 1)) {
                out[lane] = 0;
                continue;
            }
            const uint64_t before = sum;
            sum = reduce_pair(op, is_64, sum, lane_value(g, is_64, lane));
            out[lane] = scan == IR_SCAN_EXCLUSIVE ? before : sum;
        }
        for (uint32_t lane = first; scan == IR_SCAN_REDUCE && lane < first + cluster; lane++)
            out[lane] = sum;
    }
    for (uint32_t lane = 0; lane < 16; lane++)
        set_lane(g, is_64, lane, out[lane]);
}

/* Reductions and scans over the lanes that operand b names. */
static void
reduce_partitions(const struct subgroup *g, bool is_64)
{
    const uint32_t op = g->more->r[1], scan = g->more->r[3];
    uint64_t out[16];

    for (uint32_t lane = 0; lane < 16; lane++) {
        const uint32_t below = (1u << lane) - 1;
        uint32_t left = words(g, g->o->b)[lane] & g->active;
        if (scan == IR_SCAN_PARTITIONED_EXCLUSIVE)
            left &= below;
        else if (scan == IR_SCAN_PARTITIONED_INCLUSIVE)
            left &= below | 1u << lane;
        uint64_t sum = rp_subgroup_identity(op, is_64);
        for (; left; left &= left - 1)
            sum = reduce_pair(op, is_64, sum, lane_value(g, is_64, (uint32_t)__builtin_ctz(left)));
        out[lane] = sum;
    }
    for (uint32_t lane = 0; lane < 16; lane++)
        set_lane(g, is_64, lane, out[lane]);
}

static void
partition(const struct subgroup *g)
{
    const uint32_t *value = words(g, g->o->a);
    uint32_t out[16] = {0};
    for (uint32_t lane = 0; lane < 16; lane++)
        for (uint32_t left = g->active; left; left &= left - 1)
            if (value[__builtin_ctz(left)] == value[lane])
                out[lane] |= left & -left;
    memcpy(words(g, g->o->d), out, sizeof(out));
}

static void
clock_ns(const struct subgroup *g)
{
    const uint64_t now_ns = rp_clock_now_ns();
    for (uint32_t lane = 0; lane < 16; lane++)
        set_lane(g, true, lane, now_ns);
}

static void
shuffle(const struct subgroup *g)
{
    const uint32_t *value = words(g, g->o->a), *from = words(g, g->o->b);
    uint32_t out[16];
    for (uint32_t lane = 0; lane < 16; lane++)
        out[lane] = from[lane] < 16 ? value[from[lane]] : 0;
    memcpy(words(g, g->o->d), out, sizeof(out));
}

static void
first(const struct subgroup *g)
{
    const uint32_t value = words(g, g->o->a)[g->active ? __builtin_ctz(g->active) : 0];
    for (uint32_t lane = 0; lane < 16; lane++)
        words(g, g->o->d)[lane] = value;
}

static void
ballot(const struct subgroup *g)
{
    const uint32_t bits = get_mask(g, g->o->a) & g->active;
    for (uint32_t lane = 0; lane < 16; lane++)
        words(g, g->o->d)[lane] = bits;
}

static void
subgroup_run(const struct subgroup *g)
{
    switch ((enum ir_subgroup)g->more->r[0]) {
    case IR_SG_ELECT:
        set_mask(g, g->active & -g->active);
        break;
    case IR_SG_ALL:
        set_mask(g, (get_mask(g, g->o->a) & g->active) == g->active ? 0xffff : 0);
        break;
    case IR_SG_ANY:
        set_mask(g, get_mask(g, g->o->a) & g->active ? 0xffff : 0);
        break;
    case IR_SG_BALLOT:
        ballot(g);
        break;
    case IR_SG_FIRST:
        first(g);
        break;
    case IR_SG_SHUFFLE:
        shuffle(g);
        break;
    case IR_SG_PARTITION:
        partition(g);
        break;
    case IR_SG_CLOCK:
        clock_ns(g);
        break;
    case IR_SG_REDUCE:
    case IR_SG_REDUCE64:
        if (g->more->r[3] >= IR_SCAN_PARTITIONED)
            reduce_partitions(g, g->more->r[0] == IR_SG_REDUCE64);
        else
            reduce(g, g->more->r[0] == IR_SG_REDUCE64);
        break;
    }
}

void
rp_subgroup_lanes(const struct rp_op *o, char *R, struct rp_exec *x)
{
    struct subgroup g = {.o = o, .more = (const struct rp_op_more *)(o + 1), .R = R};
    for (g.k = x->k0; g.k < x->k1; g.k++) {
        g.active = x->is_full ? 0xffff : x->levels[o->level].bits[g.k];
        subgroup_run(&g);
    }
}

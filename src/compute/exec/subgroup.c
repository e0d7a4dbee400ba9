/* SPDX-License-Identifier: MIT */
/* Operations within rows of lanes: a block of 16 or less, or several blocks.
 */
#include "compute/exec/subgroup.h"

#include "compute/exec/exec.h"
#include "compute/lane_ops.h"
#include "platform/clock.h"
#include "util/compiler.h"

#include <string.h>

#define MAX_LANES RP_MAX_SUBGROUP_SIZE

/* A row, or the rows of one block. Lanes are counted from its first block on; those outside of the
 * window are neither read nor written. */
struct subgroup {
    const struct rp_op *o;
    const struct rp_op_more *more;
    char *R;
    int32_t first;   /* block */
    uint32_t begin;  /* lanes in the window: a multiple of 16 */
    uint32_t end;    /* the same */
    uint64_t active; /* lanes */
};

static uint64_t
window_bits(const struct subgroup *g, const uint16_t *masks)
{
    uint64_t bits = 0;
    for (uint32_t lane = g->begin; lane < g->end; lane += RP_BLOCK_LANES)
        bits |= (uint64_t)masks[g->first + (int32_t)(lane / RP_BLOCK_LANES)] << lane;
    return bits;
}

static uint32_t *
words(const struct subgroup *g, uint32_t at)
{
    return (uint32_t *)(g->R + at) + g->first * (int32_t)RP_BLOCK_LANES;
}

/* The 32 bits of a ballot that the operation is for. */
static uint32_t
ballot_word(const struct subgroup *g, uint64_t bits)
{
    return (uint32_t)(bits >> 32 * g->more->r[1]);
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
    return is_64 ? ((const uint64_t *)(g->R + g->o->a))[g->first * 16 + (int32_t)lane]
                 : words(g, g->o->a)[lane];
}

static void
set_lanes(const struct subgroup *g, bool is_64, const uint64_t *values)
{
    uint64_t *wide = (uint64_t *)(g->R + g->o->d) + g->first * 16;
    for (uint32_t lane = g->begin; lane < g->end; lane++) {
        if (is_64)
            wide[lane] = values[lane];
        else
            words(g, g->o->d)[lane] = (uint32_t)values[lane];
    }
}

static void
set_words(const struct subgroup *g, const uint32_t *values)
{
    memcpy(words(g, g->o->d) + g->begin, values + g->begin,
           (g->end - g->begin) * sizeof(values[0]));
}

/* Of lanes [first, last), which are a cluster. */
static void
reduce_cluster(const struct subgroup *g, bool is_64, uint32_t first, uint32_t last, uint64_t *out)
{
    const uint32_t op = g->more->r[1], scan = g->more->r[3];
    uint64_t sum = rp_subgroup_identity(op, is_64);
    for (uint32_t lane = first; lane < last; lane++) {
        if (!(g->active >> lane & 1)) {
            out[lane] = 0;
            continue;
        }
        const uint64_t before = sum;
        sum = reduce_pair(op, is_64, sum, lane_value(g, is_64, lane));
        out[lane] = scan == IR_SCAN_EXCLUSIVE ? before : sum;
    }
    for (uint32_t lane = first; scan == IR_SCAN_REDUCE && lane < last; lane++)
        out[lane] = sum;
}

static void
reduce(const struct subgroup *g, bool is_64)
{
    const uint32_t cluster = g->more->r[2];
    uint64_t out[MAX_LANES];
    for (uint32_t first = g->begin; first < g->end; first += cluster)
        reduce_cluster(g, is_64, first, RP_MIN(first + cluster, g->end), out);
    set_lanes(g, is_64, out);
}

/* Reductions and scans over the lanes that operands b and c name. */
static void
reduce_partitions(const struct subgroup *g, bool is_64)
{
    const uint32_t op = g->more->r[1], scan = g->more->r[3];
    uint64_t out[MAX_LANES];

    for (uint32_t lane = g->begin; lane < g->end; lane++) {
        const uint64_t bit = UINT64_C(1) << lane;
        uint64_t left = words(g, g->o->b)[lane];
        if (g->more->r[2] > 32)
            left |= (uint64_t)words(g, g->o->c)[lane] << 32;
        left &= g->active;
        if (scan == IR_SCAN_PARTITIONED_EXCLUSIVE)
            left &= bit - 1;
        else if (scan == IR_SCAN_PARTITIONED_INCLUSIVE)
            left &= (bit - 1) | bit;
        uint64_t sum = rp_subgroup_identity(op, is_64);
        for (; left; left &= left - 1)
            sum =
                reduce_pair(op, is_64, sum, lane_value(g, is_64, (uint32_t)__builtin_ctzll(left)));
        out[lane] = sum;
    }
    set_lanes(g, is_64, out);
}

static void
partition(const struct subgroup *g)
{
    const uint32_t *value = words(g, g->o->a);
    uint32_t out[MAX_LANES];
    for (uint32_t lane = g->begin; lane < g->end; lane++) {
        uint64_t same = 0;
        for (uint64_t left = g->active; left; left &= left - 1)
            if (value[__builtin_ctzll(left)] == value[lane])
                same |= left & -left;
        out[lane] = ballot_word(g, same);
    }
    set_words(g, out);
}

static void
clock_ns(const struct subgroup *g)
{
    const uint64_t now_ns = rp_clock_now_ns();
    uint64_t out[MAX_LANES];
    for (uint32_t lane = g->begin; lane < g->end; lane++)
        out[lane] = now_ns;
    set_lanes(g, true, out);
}

static void
shuffle(const struct subgroup *g)
{
    const uint32_t *value = words(g, g->o->a), *from = words(g, g->o->b);
    const uint32_t count = g->end - g->begin;
    uint32_t out[MAX_LANES];
    for (uint32_t lane = g->begin; lane < g->end; lane++)
        out[lane] = from[lane] - g->begin < count ? value[from[lane]] : 0;
    set_words(g, out);
}

static void
subgroup_run(const struct subgroup *g)
{
    switch ((enum ir_subgroup)g->more->r[0]) {
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
    default: /* the others have forms on whole blocks */
        break;
    }
}

void
rp_subgroup_lanes(const struct rp_op *o, char *R, struct rp_exec *x)
{
    struct subgroup g = {.o = o, .more = (const struct rp_op_more *)(o + 1), .R = R};
    const int32_t blocks = (int32_t)RP_MAX(g.more->r[2] / RP_BLOCK_LANES, 1u);
    for (g.first = x->k0 & -blocks; g.first < x->k1; g.first += blocks) {
        g.begin = (uint32_t)(RP_MAX(g.first, x->k0) - g.first) * RP_BLOCK_LANES;
        g.end = (uint32_t)(RP_MIN(g.first + blocks, x->k1) - g.first) * RP_BLOCK_LANES;
        if (x->is_full)
            g.active = UINT64_MAX >> (64 - (g.end - g.begin)) << g.begin;
        else
            g.active = window_bits(&g, x->levels[o->level].bits);
        subgroup_run(&g);
    }
}

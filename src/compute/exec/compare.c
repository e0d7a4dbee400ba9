/* SPDX-License-Identifier: MIT */
/* Linear values against a bound: the tests of invocations against the size of what they work on.
 * Compiled once for each instruction set.
 */
#include "compute/exec/op_list.h"
#include "compute/exec/vec.h"

struct line {
    uint32_t base;
    uint32_t stride[3];
    uint32_t bound;
    uint32_t kind;
};

static inline bool
compare(const struct line *line, uint32_t value)
{
    const bool is_signed = line->kind & RP_LCMP_SIGNED;
    bool r;
    if ((line->kind & 3) == RP_LCMP_EQ)
        r = value == line->bound;
    else if ((line->kind & 3) == RP_LCMP_LT)
        r = is_signed ? (int32_t)value < (int32_t)line->bound : value < line->bound;
    else
        r = is_signed ? (int32_t)line->bound < (int32_t)value : line->bound < value;
    return r != ((line->kind & RP_LCMP_NOT) != 0);
}

/* The value's range over the window as 64-bit numbers; false when it wraps around. */
static bool
range(const struct line *line, const struct rp_exec *x, int64_t *low_out, int64_t *high_out)
{
    const struct rp_geometry *g = x->geometry;
    const bool is_signed = line->kind & RP_LCMP_SIGNED;
    const int64_t base = is_signed ? (int32_t)line->base : (int64_t)line->base;
    int64_t low = base, high = base;
    int64_t last[3] = {x->k1 * 16 - 1, 0, 0}, first[3] = {x->k0 * 16, 0, 0};

    if (!g->is_line) {
        first[0] = 0;
        last[0] = g->width - 1;
        last[1] = g->height - 1;
        last[2] = g->z[x->k1 * 16 - 1];
    }
    for (uint32_t i = 0; i < 3; i++) {
        const int64_t stride = (int32_t)line->stride[i];
        low += stride * (stride < 0 ? last[i] : first[i]);
        high += stride * (stride < 0 ? first[i] : last[i]);
    }
    *low_out = low;
    *high_out = high;
    return is_signed ? low >= INT32_MIN && high <= INT32_MAX : low >= 0 && high <= UINT32_MAX;
}

/* The value in the s-th vector. */
static inline vi
line_vector(const struct line *line, const struct rp_geometry *g, int32_t s)
{
    if (g->is_line)
        return VI(VU(lane_numbers(0) + s * RP_VW) * line->stride[0] + line->base);
    const vu x = VU(((const vi *)g->x)[s]), y = VU(((const vi *)g->y)[s]);
    const vu z = VU(((const vi *)g->z)[s]);
    return VI(x * line->stride[0] + y * line->stride[1] + z * line->stride[2] + line->base);
}

#define COMPARE_BLOCKS(a_op_b) \
    for (int32_t k = x->k0; k < x->k1; k++) { \
        uint32_t bits = invert; \
        for (int32_t j = 0; j < RP_NS; j++) { \
            const vi a = line_vector(line, x->geometry, k * RP_NS + j); \
            bits ^= vi_bits((vi)(a_op_b)) << (j * RP_VW); \
        } \
        d[k] = (uint16_t)bits; \
    }

static void
compare_blocks(const struct line *line, const struct rp_exec *x, uint16_t *d)
{
    const vi b = vi_splat((int32_t)line->bound);
    const uint32_t invert = line->kind & RP_LCMP_NOT ? 0xffff : 0;

    switch (line->kind & (3 | RP_LCMP_SIGNED)) {
    case RP_LCMP_LT:
        COMPARE_BLOCKS(VU(a) < VU(b))
        break;
    case RP_LCMP_GT:
        COMPARE_BLOCKS(VU(a) > VU(b))
        break;
    case RP_LCMP_LT | RP_LCMP_SIGNED:
        COMPARE_BLOCKS(a < b)
        break;
    case RP_LCMP_GT | RP_LCMP_SIGNED:
        COMPARE_BLOCKS(a > b)
        break;
    default:
        COMPARE_BLOCKS(a == b)
        break;
    }
}

RP_OP(LCMP)
{
    const struct rp_op_more *more = (const struct rp_op_more *)(o + 1);
    const struct line line = {
        .base = (uint32_t)get_i(R, o->a),
        .stride = {(uint32_t)get_i(R, o->b), (uint32_t)get_i(R, more->r[0]),
                   (uint32_t)get_i(R, more->r[1])},
        .bound = (uint32_t)get_i(R, o->c),
        .kind = o->n,
    };
    uint16_t *d = (uint16_t *)(R + o->d);
    const bool is_signed = line.kind & RP_LCMP_SIGNED;
    const int64_t bound = is_signed ? (int32_t)line.bound : (int64_t)line.bound;
    int64_t low, high;

    if (range(&line, x, &low, &high) && (high < bound || low > bound)) {
        const bool is_true = compare(&line, (uint32_t)low);
        memset(d + x->k0, is_true ? 0xff : 0, (size_t)(x->k1 - x->k0) * sizeof(d[0]));
    } else {
        compare_blocks(&line, x, d);
    }
    RP_MUSTTAIL return RP_GO(o + 2);
}

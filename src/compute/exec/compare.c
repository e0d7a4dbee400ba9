/* SPDX-License-Identifier: MIT */
/* Linear values against a bound: the tests of invocations against the size of what they work on.
 */
#include "compute/exec/common.h"

#include <string.h>

struct line {
    uint32_t base;
    uint32_t stride[3];
    uint32_t bound;
    uint32_t kind;
};

static bool
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

static uint32_t
lane_value(const struct line *line, const struct rp_geometry *g, int32_t lane)
{
    if (g->is_line)
        return line->base + line->stride[0] * (uint32_t)lane;
    return line->base + line->stride[0] * (uint32_t)g->x[lane] +
           line->stride[1] * (uint32_t)g->y[lane] + line->stride[2] * (uint32_t)g->z[lane];
}

const struct rp_op *
rp_common_LCMP(const struct rp_op *o, char *R, struct rp_exec *x)
{
    const struct rp_op_more *more = (const struct rp_op_more *)(o + 1);
    const struct line line = {
        .base = *(const uint32_t *)(R + o->a),
        .stride = {*(const uint32_t *)(R + o->b), *(const uint32_t *)(R + more->r[0]),
                   *(const uint32_t *)(R + more->r[1])},
        .bound = *(const uint32_t *)(R + o->c),
        .kind = o->n,
    };
    uint16_t *d = (uint16_t *)(R + o->d);
    const bool is_signed = line.kind & RP_LCMP_SIGNED;
    const int64_t bound = is_signed ? (int32_t)line.bound : (int64_t)line.bound;
    int64_t low, high;

    if (range(&line, x, &low, &high) && (high < bound || low > bound)) {
        const bool is_true = compare(&line, (uint32_t)low);
        memset(d + x->k0, is_true ? 0xff : 0, (size_t)(x->k1 - x->k0) * sizeof(d[0]));
        return o + 2;
    }
    for (int32_t k = x->k0; k < x->k1; k++) {
        uint32_t bits = 0;
        for (int32_t l = 0; l < 16; l++)
            bits |= (uint32_t)compare(&line, lane_value(&line, x->geometry, k * 16 + l)) << l;
        d[k] = (uint16_t)bits;
    }
    return o + 2;
}

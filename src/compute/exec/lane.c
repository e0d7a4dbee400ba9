/* SPDX-License-Identifier: MIT */
/* Memory of the invocations themselves: arrays that are indexed by values. A slot is a row of 4
 * bytes for every lane, or of 8, whose first half values of 32 bits fill.
 */
#include "compute/exec/common.h"

#define MORE ((const struct rp_op_more *)(o + 1))

static inline char *
slot_row(const struct rp_op *o, const struct rp_exec *x, uint32_t index)
{
    const struct rp_op_more *more = MORE;
    const uint32_t last = more->r[1] - 1;
    const uint32_t slot = more->r[0] + (index < last ? index : last);
    return x->lane_memory + slot * x->lane_slot_B;
}

static inline uint32_t
active_bits(const struct rp_op *o, const struct rp_exec *x, int32_t k)
{
    return x->is_full ? 0xffff : x->levels[o->level].bits[k];
}

const struct rp_op *
rp_common_LANE_LOAD_U(const struct rp_op *o, char *R, struct rp_exec *x)
{
    const char *row = slot_row(o, x, *(const uint32_t *)(R + o->a));
    const size_t lane_B = o->n ? 8 : 4;
    const size_t first = (size_t)x->k0 * 16 * lane_B;
    __builtin_memcpy(R + o->d + first, row + first, (size_t)(x->k1 - x->k0) * 16 * lane_B);
    return o + 2;
}

void
rp_exec_load_lanes(const struct rp_op *o, char *R, const struct rp_exec *x)
{
    const uint32_t *index = (const uint32_t *)(R + o->a);
    for (int32_t lane = x->k0 * 16; lane < x->k1 * 16; lane++) {
        const char *row = slot_row(o, x, index[lane]);
        if (o->n)
            ((uint64_t *)(R + o->d))[lane] = ((const uint64_t *)row)[lane];
        else
            ((uint32_t *)(R + o->d))[lane] = ((const uint32_t *)row)[lane];
    }
}

static inline void
store_lane(const struct rp_op *o, const char *R, char *row, int32_t lane)
{
    if (o->n)
        ((uint64_t *)row)[lane] = ((const uint64_t *)(R + o->b))[lane];
    else
        ((uint32_t *)row)[lane] = ((const uint32_t *)(R + o->b))[lane];
}

const struct rp_op *
rp_common_LANE_STORE_U(const struct rp_op *o, char *R, struct rp_exec *x)
{
    char *row = slot_row(o, x, *(const uint32_t *)(R + o->a));
    if (x->is_full) {
        const size_t lane_B = o->n ? 8 : 4;
        const size_t first = (size_t)x->k0 * 16 * lane_B;
        __builtin_memcpy(row + first, R + o->b + first, (size_t)(x->k1 - x->k0) * 16 * lane_B);
        return o + 2;
    }
    for (int32_t k = x->k0; k < x->k1; k++)
        for (uint32_t left = active_bits(o, x, k); left; left &= left - 1)
            store_lane(o, R, row, k * 16 + __builtin_ctz(left));
    return o + 2;
}

void
rp_exec_store_lanes(const struct rp_op *o, const char *R, const struct rp_exec *x)
{
    const uint32_t *index = (const uint32_t *)(R + o->a);
    for (int32_t k = x->k0; k < x->k1; k++) {
        for (uint32_t left = active_bits(o, x, k); left; left &= left - 1) {
            const int32_t lane = k * 16 + __builtin_ctz(left);
            store_lane(o, R, slot_row(o, x, index[lane]), lane);
        }
    }
}

const struct rp_op *
rp_common_SIZE_S(const struct rp_op *o, char *R, struct rp_exec *x)
{
    const struct rp_memory m =
        o->i >= 0 ? x->memory[o->i] : rp_exec_lookup(x, *(const uint32_t *)(R + o->a));
    *(uint32_t *)(R + o->d) = m.size_B;
    return o + 1;
}

const struct rp_op *
rp_common_SIZE_V(const struct rp_op *o, char *R, struct rp_exec *x)
{
    const uint32_t *handle = (const uint32_t *)(R + o->a);
    for (int32_t lane = x->k0 * 16; lane < x->k1 * 16; lane++)
        ((uint32_t *)(R + o->d))[lane] = rp_exec_lookup(x, handle[lane]).size_B;
    return o + 1;
}

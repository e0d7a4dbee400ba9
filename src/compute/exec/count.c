/* SPDX-License-Identifier: MIT */
/* Counting operations: a program whose records have this handler in the place of their own, which
 * counts and goes on with that.
 */
#include "compute/exec/count.h"

#include "compute/exec/op_list.h"

const struct rp_op *
rp_exec_count(const struct rp_op *o, char *R, struct rp_exec *x)
{
    struct rp_op_count *count = (struct rp_op_count *)((uintptr_t)o + x->counting.distance_B);
    count->runs++;
    count->blocks += (uint64_t)(x->k1 - x->k0);
    return count->fn(o, R, x);
}

void
rp_exec_count_ops(struct rp_op *ops, const uint16_t *codes, uint32_t count, rp_handler **handlers)
{
    bool is_in_tile = false; /* those inside are called in another way, by the TILE */
    for (uint32_t i = 0; i < count; i++) {
        handlers[i] = ops[i].fn;
        if (codes[i] == RP_X_COUNT) /* continues the record before */
            continue;
        if (!is_in_tile && !(codes[i] & RP_X_HALF))
            ops[i].fn = rp_exec_count;
        is_in_tile = codes[i] == RP_X_TILE || (is_in_tile && codes[i] != RP_X_TILE_END);
    }
}

const char *
rp_exec_op_name(uint32_t code)
{
    /* clang-format off */
    static const char *const names[RP_X_COUNT] = {
#define NAME(name) [RP_X_##name] = #name,
#define NAME_V_S(name) RP_EXEC_V_S(NAME, name)
#define NAME_BIN(name) RP_EXEC_BIN(NAME, name)
#define NAME_VV_SS(name) RP_EXEC_VV_SS(NAME, name)
#define NAME_TRI(name) RP_EXEC_TRI(NAME, name)
#define NAME_EXIT(name) RP_EXEC_EXIT(NAME, name)
#define NAME_IF(name) [RP_X_IF_##name] = "IF_" #name,
#define NAME_PAIR(first, second) \
    [RP_X_PAIR_##first##_##second] = "PAIR_" #first "_" #second,
#define NAME_PAIR_R(first, second) \
    [RP_X_PAIR_##first##_R##second] = "PAIR_" #first "_R" #second,
#define NAME_TILE_UN(name) RP_EXEC_TILE_UN(NAME, name)
#define NAME_TILE_BIN(name) RP_EXEC_TILE_BIN(NAME, name)
#define NAME_TILE_TRI(name) RP_EXEC_TILE_TRI(NAME, name)
#define NAME_TILE_MASK(name) RP_EXEC_TILE_MASK(NAME, name)
        RP_EXEC_ALU32(NAME_V_S, NAME_BIN, NAME_TRI)
        RP_EXEC_ALU64(NAME_V_S, NAME_BIN, NAME_VV_SS)
        RP_EXEC_MOVES(NAME)
        RP_EXEC_MEMORY(NAME)
        RP_EXEC_CONTROL(NAME)
        RP_OPS_B_II(NAME_EXIT)
        RP_EXEC_IF(NAME_IF)
        RP_EXEC_PAIRS(NAME_PAIR, NAME_PAIR_R)
        RP_EXEC_TILE(NAME_TILE_UN, NAME_TILE_BIN, NAME_TILE_TRI, NAME_TILE_MASK, NAME)
        RP_EXEC_COMMON(NAME)
    };
    /* clang-format on */

    return code < RP_X_COUNT ? names[code] : NULL;
}

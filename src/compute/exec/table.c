/* SPDX-License-Identifier: MIT */
/* The table of one instruction set's handlers. Compiled once for each.
 */
#include "compute/exec/common.h"
#include "compute/exec/op_list.h"
#include "compute/exec/tile.h"

#define DECLARE(name) rp_handler RP_FN(name);
#define DECLARE_V_S(name) RP_EXEC_V_S(DECLARE, name)
#define DECLARE_BIN(name) RP_EXEC_BIN(DECLARE, name)
#define DECLARE_VV_SS(name) RP_EXEC_VV_SS(DECLARE, name)
#define DECLARE_TRI(name) RP_EXEC_TRI(DECLARE, name)
RP_EXEC_ALU32(DECLARE_V_S, DECLARE_BIN, DECLARE_TRI)
RP_EXEC_ALU64(DECLARE_V_S, DECLARE_BIN, DECLARE_VV_SS)
RP_EXEC_MOVES(DECLARE)
RP_EXEC_MEMORY(DECLARE)
RP_EXEC_CONTROL(DECLARE)
#define DECLARE_EXIT(name) RP_EXEC_EXIT(DECLARE, name)
RP_OPS_B_II(DECLARE_EXIT)
#define DECLARE_IF(name) rp_handler RP_FN(IF_##name);
RP_EXEC_IF(DECLARE_IF)
#define DECLARE_PAIR(first, second) rp_handler RP_FN(PAIR_##first##_##second);
#define DECLARE_PAIR_R(first, second) rp_handler RP_FN(PAIR_##first##_R##second);
RP_EXEC_PAIRS(DECLARE_PAIR, DECLARE_PAIR_R)
#define DECLARE_TILE(name) rp_tile_handler RP_FN(name);
#define DECLARE_TILE_UN(name) RP_EXEC_TILE_UN(DECLARE_TILE, name)
#define DECLARE_TILE_BIN(name) RP_EXEC_TILE_BIN(DECLARE_TILE, name)
#define DECLARE_TILE_TRI(name) RP_EXEC_TILE_TRI(DECLARE_TILE, name)
#define DECLARE_TILE_MASK(name) RP_EXEC_TILE_MASK(DECLARE_TILE, name)
RP_EXEC_TILE(DECLARE_TILE_UN, DECLARE_TILE_BIN, DECLARE_TILE_TRI, DECLARE_TILE_MASK, DECLARE_TILE)

/* clang-format off */
static rp_handler *const handlers[RP_X_COUNT] = {
#define ENTRY(name) [RP_X_##name] = RP_FN(name),
#define ENTRY_V_S(name) RP_EXEC_V_S(ENTRY, name)
#define ENTRY_BIN(name) RP_EXEC_BIN(ENTRY, name)
#define ENTRY_VV_SS(name) RP_EXEC_VV_SS(ENTRY, name)
#define ENTRY_TRI(name) RP_EXEC_TRI(ENTRY, name)
    RP_EXEC_ALU32(ENTRY_V_S, ENTRY_BIN, ENTRY_TRI)
    RP_EXEC_ALU64(ENTRY_V_S, ENTRY_BIN, ENTRY_VV_SS)
    RP_EXEC_MOVES(ENTRY)
    RP_EXEC_MEMORY(ENTRY)
    RP_EXEC_CONTROL(ENTRY)
#define ENTRY_EXIT(name) RP_EXEC_EXIT(ENTRY, name)
    RP_OPS_B_II(ENTRY_EXIT)
#define ENTRY_IF(name) [RP_X_IF_##name] = RP_FN(IF_##name),
    RP_EXEC_IF(ENTRY_IF)
#define ENTRY_PAIR(first, second) [RP_X_PAIR_##first##_##second] = RP_FN(PAIR_##first##_##second),
#define ENTRY_PAIR_R(first, second) \
    [RP_X_PAIR_##first##_R##second] = RP_FN(PAIR_##first##_R##second),
    RP_EXEC_PAIRS(ENTRY_PAIR, ENTRY_PAIR_R)
#define ENTRY_TILE(name) [RP_X_##name] = (rp_handler *)(void (*)(void))RP_FN(name),
#define ENTRY_TILE_UN(name) RP_EXEC_TILE_UN(ENTRY_TILE, name)
#define ENTRY_TILE_BIN(name) RP_EXEC_TILE_BIN(ENTRY_TILE, name)
#define ENTRY_TILE_TRI(name) RP_EXEC_TILE_TRI(ENTRY_TILE, name)
#define ENTRY_TILE_MASK(name) RP_EXEC_TILE_MASK(ENTRY_TILE, name)
    RP_EXEC_TILE(ENTRY_TILE_UN, ENTRY_TILE_BIN, ENTRY_TILE_TRI, ENTRY_TILE_MASK, ENTRY_TILE)
#define ENTRY_COMMON(name) [RP_X_##name] = rp_common_##name,
    RP_EXEC_COMMON(ENTRY_COMMON)
};
/* clang-format on */

#define TEXT_(a) #a
#define TEXT(a) TEXT_(a)
#define TABLE_(isa) rp_exec_table_##isa
#define TABLE(isa) TABLE_(isa)

extern const struct rp_exec_table TABLE(RP_ISA);
#if RP_VW == 16
extern const struct rp_exec_table rp_exec_table_v3;
#endif
const struct rp_exec_table TABLE(RP_ISA) = {
    .name = TEXT(RP_ISA),
    .handlers = handlers,
#if RP_VW == 16
    .half_tile = &rp_exec_table_v3,
#endif
};

/* SPDX-License-Identifier: MIT */
#include "compute/machine/shape.h"

#include "compute/exec/op_list.h"

/* clang-format off */
#define ONE(name) [RP_X_##name##_S] = {MACHINE_ARITHMETIC, MACHINE_##name, 0, false},
#define TWO(name) [RP_X_##name##_SS] = {MACHINE_ARITHMETIC, MACHINE_##name, 0, false},
#define THREE(name) [RP_X_##name##_SSS] = {MACHINE_ARITHMETIC, MACHINE_##name, 0, false},
#define IF(name) [RP_X_IF_##name] = {MACHINE_IF_COMPARISON, MACHINE_##name, 0, false},
#define PAIR(first, second) \
    [RP_X_PAIR_##first##_##second] = {MACHINE_PAIR, MACHINE_##first, MACHINE_##second, false},
#define PAIR_R(first, second) \
    [RP_X_PAIR_##first##_R##second] = {MACHINE_PAIR, MACHINE_##first, MACHINE_##second, true},
#define TRIPLE(first, second) \
    [RP_X_PAIR_##first##_##second] = {MACHINE_TRIPLE, MACHINE_##first, MACHINE_##second, false},
#define TRIPLE_R(first, second) \
    [RP_X_PAIR_##first##_R##second] = {MACHINE_TRIPLE, MACHINE_##first, MACHINE_##second, true},
#define MEMORY(bits) \
    [RP_X_LOAD##bits##_S] = {MACHINE_LOAD, bits / 8, 0, false}, \
    [RP_X_STORE##bits##_S] = {MACHINE_STORE, bits / 8, 0, false},

static const struct machine_shape shapes[RP_X_COUNT] = {
    MACHINE_I_I(ONE) MACHINE_I_II(TWO) MACHINE_I_III(THREE) MACHINE_B_II(TWO)
    MACHINE_L_L(ONE) MACHINE_L_LL(TWO) MACHINE_L_LLL(THREE) MACHINE_B_LL(TWO)
    MACHINE_B_II(IF) MACHINE_B_LL(IF)
    RP_EXEC_PAIRS_OF_TWO(PAIR, PAIR_R) RP_EXEC_PAIRS_OF_THREE(TRIPLE, TRIPLE_R)
    MEMORY(8) MEMORY(16) MEMORY(32) MEMORY(64)
    [RP_X_MOV_S] = {MACHINE_MOVE, 0, 0, false},
    [RP_X_MOV64_S] = {MACHINE_MOVE64, 0, 0, false},
    [RP_X_JMP] = {MACHINE_JUMP, 0, 0, false},
    [RP_X_LOOPBACK] = {MACHINE_LOOPBACK, 0, 0, false},
    [RP_X_IF_S] = {MACHINE_IF, 0, 0, false},
    [RP_X_IF_AND] = {MACHINE_IF_LOGIC, MACHINE_AND, 0, false},
    [RP_X_IF_OR] = {MACHINE_IF_LOGIC, MACHINE_OR, 0, false},
    [RP_X_TILE] = {MACHINE_TILE, 0, 0, false},
};
/* clang-format on */

struct machine_shape
machine_shape(uint32_t code)
{
    return code < RP_X_COUNT ? shapes[code] : (struct machine_shape){MACHINE_NOTHING, 0, 0, false};
}

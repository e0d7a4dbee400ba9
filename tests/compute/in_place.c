/* SPDX-License-Identifier: MIT */
/* Operations on lanes give the same where the result takes the register of an operand, as results
 * do when nobody wants the operand any more: on each instruction set, whatever the operands are.
 */
#include "compute/exec/exec.h"
#include "compute/exec/op_list.h"
#include "compute/ops.h"
#include "harness.h"
#include "reelpipe/cpu.h"

#define BLOCKS 3u
#define LANES (BLOCKS * RP_BLOCK_LANES)
#define REGISTER_B (LANES * 8u)
#define OPERANDS 3u
#define SCALARS_AT ((OPERANDS + 1u) * REGISTER_B) /* behind those of lanes, the result last */
#define ALL_B (SCALARS_AT + OPERANDS * 8u)
#define ROUNDS 4u

struct form {
    uint16_t code;  /* enum rp_exec_op */
    uint8_t lane_B; /* of operands and results */
    uint8_t lanes;  /* bit n: operand n is one of lanes */
};

/* clang-format off */
static const struct form forms[] = {
#define UN(name) {RP_X_##name##_V, 4, 1},
#define UN64(name) {RP_X_##name##_V, 8, 1},
#define BIN(name) {RP_X_##name##_VV, 4, 3}, {RP_X_##name##_VS, 4, 1}, {RP_X_##name##_SV, 4, 2},
#define BIN64(name) {RP_X_##name##_VV, 8, 3},
#define TRI(name) {RP_X_##name##_VVV, 4, 7}, {RP_X_##name##_VVS, 4, 3}, {RP_X_##name##_VSV, 4, 5}, \
                  {RP_X_##name##_VSS, 4, 1},
    RP_OPS_I_I(UN) RP_OPS_L_L(UN64) RP_OPS_I_II_COMM(BIN) RP_OPS_I_II(BIN) RP_OPS_L_LL(BIN64)
    RP_OPS_I_III(TRI)
};
/* clang-format on */

/* Runs the operation with its result in place `to`, lanes' registers counted. */
static void
run(const struct rp_exec_table *table, const struct form *form, char *registers, uint32_t to)
{
    static struct rp_exec x = {.k1 = BLOCKS, .is_full = true};
    uint32_t at[OPERANDS];
    for (uint32_t n = 0; n < OPERANDS; n++)
        at[n] = form->lanes >> n & 1 ? n * REGISTER_B : SCALARS_AT + n * 8;
    const struct rp_op ops[2] = {{.fn = table->handlers[form->code],
                                  .d = to * REGISTER_B,
                                  .a = at[0],
                                  .b = at[1],
                                  .c = at[2]},
                                 {.fn = table->handlers[RP_X_END]}};
    rp_exec_run(ops, registers, &x);
}

static void
check(const struct rp_exec_table *table, const struct form *form, uint64_t *state, uint32_t round)
{
    static _Alignas(64) char given[ALL_B], wanted[ALL_B], found[ALL_B];
    for (uint32_t w = 0; w < ALL_B; w += 4) {
        const uint32_t word = (uint32_t)test_random(state) >> (round % 4 * 9);
        memcpy(given + w, &word, sizeof(word));
    }
    memcpy(wanted, given, sizeof(given));
    run(table, form, wanted, OPERANDS);
    for (uint32_t n = 0; n < OPERANDS; n++) {
        if (!(form->lanes >> n & 1))
            continue;
        memcpy(found, given, sizeof(given));
        run(table, form, found, n);
        REQUIRE_BYTES(found + n * REGISTER_B, wanted + OPERANDS * REGISTER_B, LANES * form->lane_B);
    }
}

int
main(void)
{
    uint64_t state = 11;
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++) {
        const struct rp_exec_table *table = rp_exec_table(isa_flags[isa] & rp_cpu_flags());
        for (uint32_t f = 0; f < sizeof(forms) / sizeof(forms[0]); f++)
            for (uint32_t round = 0; round < ROUNDS; round++)
                check(table, &forms[f], &state, round);
    }
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* Constants fold by the scalar forms of the portable handlers.
 */
#include "compute/exec/eval.h"

#include "compute/exec/exec.h"
#include "compute/exec/op_list.h"

#include <string.h>

/* Arithmetic operations by number, in the order of enum ir_op. */
/* clang-format off */
static const uint16_t scalar_ops[] = {
#define SCALAR_S(name) RP_X_##name##_S,
#define SCALAR_SS(name) RP_X_##name##_SS,
#define SCALAR_SSS(name) RP_X_##name##_SSS,
    RP_OPS_I_I(SCALAR_S) RP_OPS_L_L(SCALAR_S) RP_OPS_L_I(SCALAR_S) RP_OPS_I_L(SCALAR_S)
    RP_OPS_I_II_COMM(SCALAR_SS) RP_OPS_I_II(SCALAR_SS) RP_OPS_L_LL(SCALAR_SS)
    RP_OPS_L_LI(SCALAR_SS) RP_OPS_L_II(SCALAR_SS) RP_OPS_B_II(SCALAR_SS) RP_OPS_B_LL(SCALAR_SS)
    RP_OPS_I_III(SCALAR_SSS)
};
/* clang-format on */

uint64_t
rp_exec_eval(uint32_t ir_op, const uint64_t in[3])
{
    const struct rp_exec_table *table = rp_exec_table(0);
    _Alignas(64) uint64_t R[8] = {in[0], in[1], in[2], 0};
    struct rp_op program[2] = {
        {.fn = table->handlers[scalar_ops[ir_op]], .a = 0, .b = 8, .c = 16, .d = 24},
        {.fn = table->handlers[RP_X_END]},
    };

    rp_exec_run(program, (char *)R, NULL);
    return R[3];
}

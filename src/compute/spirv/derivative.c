/* SPDX-License-Identifier: MIT */
/* Derivatives: differences between the lanes of a quad, four lanes in a row. Which invocations
 * these are the module's execution mode says (builtin.c). Coarse ones are computed as fine.
 */
#include "compute/spirv/instruction.h"
#include "compute/spirv/lane.h"
#include "compute/spirv/scalar.h"
#include "compute/spirv/translate.h"

struct ir_instr *
spv_derive(struct spv *s, const struct spv_type *scalar, uint32_t axis, struct ir_instr *value)
{
    struct ir_program *ir = s->ir;
    struct ir_instr *lane = spv_lane_in(s, SPV_QUAD_ROW);
    struct ir_instr *bit = ir_i(ir, 1u << axis);
    struct ir_instr *is_second = ir_bin(ir, IR_INE, ir_bin(ir, IR_AND, lane, bit), ir_i(ir, 0));
    struct ir_instr *other = spv_shuffle(s, value, ir_bin(ir, IR_XOR, lane, bit), SPV_QUAD_ROW);
    return ir_select(s->ir, is_second, spv_fbin(s, scalar, IR_FSUB, value, other),
                     spv_fbin(s, scalar, IR_FSUB, other, value));
}

static struct ir_instr *
width(struct spv *s, const struct spv_type *scalar, struct ir_instr *value)
{
    struct ir_instr *x = spv_fun(s, scalar, IR_FABS, spv_derive(s, scalar, 0, value));
    struct ir_instr *y = spv_fun(s, scalar, IR_FABS, spv_derive(s, scalar, 1, value));
    return spv_fbin(s, scalar, IR_FADD, x, y);
}

bool
spv_derivative(struct spv *s)
{
    const enum spv_op op = spv_opcode(s->at);
    if (op < SPV_OP_D_PDX || op > SPV_OP_FWIDTH_COARSE)
        return false;
    if (!s->derivative_group)
        spv_fail(s, "no derivatives without groups of quads");

    const struct spv_value *value = spv_operand(s, 3);
    struct spv_value *r = spv_result(s);
    const struct spv_type *scalar = spv_scalar_of(r->type);
    if (r->type != value->type || r->type->kind > SPV_T_VECTOR || scalar->kind != SPV_T_FLOAT ||
        scalar->width == 64)
        spv_fail(s, "bad operand type");
    const uint32_t kind = (op - SPV_OP_D_PDX) % 3; /* x, y, width; plain, fine, coarse */
    for (uint32_t i = 0; i < r->type->flat; i++)
        r->v[i] =
            kind == 2 ? width(s, scalar, value->v[i]) : spv_derive(s, scalar, kind, value->v[i]);
    return true;
}

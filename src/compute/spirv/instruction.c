/* SPDX-License-Identifier: MIT */
/* Any instruction but control flow: to the family that knows it.
 */
#include "compute/spirv/instruction.h"

#include "compute/ir/limits.h"
#include "compute/spirv/heap.h"
#include "compute/spirv/pointer.h"
#include "compute/spirv/translate.h"

static void
control_barrier(struct spv *s)
{
    const uint32_t subgroup = 3; /* Scope */
    spv_note_order(s, spv_word(s, 3));
    struct ir_instr *barrier = ir_make(s->ir, IR_BARRIER, IR_VOID, 0);
    barrier->imm =
        spv_const_u32(s, spv_word(s, 1)) == subgroup ? RP_BARRIER_SUBGROUP : RP_BARRIER_WORKGROUP;
    ir_place(s->ir, barrier);
}

static void
instruction_other(struct spv *s)
{
    switch (spv_opcode(s->at)) {
    case SPV_OP_NOP:
    case SPV_OP_LINE:
    case SPV_OP_NO_LINE:
    case SPV_OP_ASSUME_TRUE:
    case SPV_OP_LIFETIME_START:
    case SPV_OP_LIFETIME_STOP:
    case SPV_OP_EXT_INST_WITH_FORWARD_REFS: /* of non-semantic sets only */
        return;
    case SPV_OP_MEMORY_BARRIER: /* lanes run in lockstep: accesses only have to keep their order */
        s->ir->orders_lanes = true;
        spv_note_order(s, spv_word(s, 2));
        return;
    case SPV_OP_CONTROL_BARRIER:
        control_barrier(s);
        return;
    case SPV_OP_UNDEF:
        if (spv_type(s, spv_word(s, 1))->flat <= IR_MAX_FLAT) /* else nobody can use it */
            spv_set(s, spv_word(s, 2), spv_null(s, spv_type(s, spv_word(s, 1))));
        return;
    case SPV_OP_VARIABLE:
        spv_add_variable(s, false);
        return;
    case SPV_OP_LOAD:
        spv_load(s);
        return;
    case SPV_OP_STORE:
        spv_store(s);
        return;
    case SPV_OP_COPY_MEMORY:
        spv_copy_memory(s);
        return;
    case SPV_OP_COPY_MEMORY_SIZED:
        spv_copy_memory_sized(s);
        return;
    case SPV_OP_UNTYPED_ACCESS_CHAIN:
    case SPV_OP_UNTYPED_IN_BOUNDS_ACCESS_CHAIN:
    case SPV_OP_UNTYPED_PTR_ACCESS_CHAIN:
    case SPV_OP_UNTYPED_IN_BOUNDS_PTR_ACCESS_CHAIN:
    case SPV_OP_ACCESS_CHAIN:
    case SPV_OP_IN_BOUNDS_ACCESS_CHAIN:
    case SPV_OP_PTR_ACCESS_CHAIN:
    case SPV_OP_IN_BOUNDS_PTR_ACCESS_CHAIN:
        spv_access_chain(s);
        return;
    case SPV_OP_BUFFER_POINTER:
        spv_buffer_pointer(s);
        return;
    case SPV_OP_ARRAY_LENGTH:
    case SPV_OP_UNTYPED_ARRAY_LENGTH:
        spv_array_length(s);
        return;
    case SPV_OP_PTR_EQUAL:
    case SPV_OP_PTR_NOT_EQUAL:
    case SPV_OP_PTR_DIFF:
        spv_pointer_compare(s);
        return;
    default:
        spv_fail(s, "instruction is not supported");
    }
}

void
spv_instruction(struct spv *s)
{
    if (spv_opcode(s->at) == SPV_OP_EXT_INST) {
        if (spv_word(s, 3) == s->glsl_set && s->glsl_set) {
            if (!spv_glsl(s))
                spv_fail(s, "GLSL.std.450 instruction is not supported");
        } else if (spv_type(s, spv_word(s, 1))->kind != SPV_T_VOID) {
            spv_fail(s, "unknown extended instruction set");
        }
        return;
    }
    if (!spv_arithmetic(s) && !spv_composite(s) && !spv_convert(s) && !spv_atomic(s) &&
        !spv_image(s) && !spv_subgroup(s) && !spv_dot(s) && !spv_derivative(s) && !spv_bits(s) &&
        !spv_matrix(s))
        instruction_other(s);
}

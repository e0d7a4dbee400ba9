/* SPDX-License-Identifier: MIT */
/* Atomics on memory and texels, where subtraction and increments become additions; and the order
 * of memory that an instruction asks for.
 */
#include "compute/spirv/access.h"
#include "compute/spirv/image.h"
#include "compute/spirv/instruction.h"
#include "compute/spirv/scalar.h"
#include "compute/spirv/translate.h"

/* Semantics that reach beyond the workgroup's own memory: atomic additions must not be late. A
 * recorder wants to hear of all. */
void
spv_note_order(struct spv *s, uint32_t semantics_id)
{
    const uint32_t semantics = spv_const_u32(s, semantics_id);
    const uint32_t order = 0x2 | 0x4 | 0x8 | 0x10, workgroup = 0x100;
    const uint32_t memory = semantics & 0xfc0;
    if ((semantics & order) && memory != workgroup)
        s->ir->orders_memory = true;
    if ((semantics & order) && s->ir->has_accesses) {
        struct ir_instr *barrier = ir_make(s->ir, IR_BARRIER, IR_VOID, 0);
        barrier->imm = RP_BARRIER_MEMORY;
        ir_place(s->ir, barrier);
    }
}

struct atomic_form {
    enum ir_atomic op;
    uint32_t value_word; /* 0: none in the instruction */
    uint64_t value;      /* used when value_word is 0 */
    bool is_negated;
    bool is_float;
    bool has_result;
};

static bool
atomic_form(enum spv_op op, struct atomic_form *out)
{
    switch (op) {
    case SPV_OP_ATOMIC_LOAD:
        *out = (struct atomic_form){IR_ATOMIC_LOAD, 0, 0, false, false, true};
        return true;
    case SPV_OP_ATOMIC_STORE:
        *out = (struct atomic_form){IR_ATOMIC_STORE, 4, 0, false, false, false};
        return true;
    case SPV_OP_ATOMIC_EXCHANGE:
        *out = (struct atomic_form){IR_ATOMIC_XCHG, 6, 0, false, false, true};
        return true;
    case SPV_OP_ATOMIC_COMPARE_EXCHANGE:
    case SPV_OP_ATOMIC_COMPARE_EXCHANGE_WEAK:
        *out = (struct atomic_form){IR_ATOMIC_CMPXCHG, 7, 0, false, false, true};
        return true;
    case SPV_OP_ATOMIC_I_INCREMENT:
        *out = (struct atomic_form){IR_ATOMIC_IADD, 0, 1, false, false, true};
        return true;
    case SPV_OP_ATOMIC_I_DECREMENT:
        *out = (struct atomic_form){IR_ATOMIC_IADD, 0, UINT64_MAX, false, false, true};
        return true;
    case SPV_OP_ATOMIC_I_ADD:
        *out = (struct atomic_form){IR_ATOMIC_IADD, 6, 0, false, false, true};
        return true;
    case SPV_OP_ATOMIC_I_SUB:
        *out = (struct atomic_form){IR_ATOMIC_IADD, 6, 0, true, false, true};
        return true;
    case SPV_OP_ATOMIC_S_MIN:
    case SPV_OP_ATOMIC_U_MIN:
    case SPV_OP_ATOMIC_S_MAX:
    case SPV_OP_ATOMIC_U_MAX:
    case SPV_OP_ATOMIC_AND:
    case SPV_OP_ATOMIC_OR:
    case SPV_OP_ATOMIC_XOR:
        *out = (struct atomic_form){
            IR_ATOMIC_SMIN + (op - SPV_OP_ATOMIC_S_MIN), 6, 0, false, false, true};
        return true;
    case SPV_OP_ATOMIC_F_ADD:
    case SPV_OP_ATOMIC_F_MIN:
    case SPV_OP_ATOMIC_F_MAX:
        *out = (struct atomic_form){op == SPV_OP_ATOMIC_F_ADD   ? IR_ATOMIC_FADD
                                    : op == SPV_OP_ATOMIC_F_MIN ? IR_ATOMIC_FMIN
                                                                : IR_ATOMIC_FMAX,
                                    6,
                                    0,
                                    false,
                                    true,
                                    true};
        return true;
    default:
        return false;
    }
}

/* The operation as the float controls of its type want it. */
static enum ir_atomic
controlled(const struct spv *s, enum ir_atomic op, const struct spv_type *type)
{
    if (op < IR_ATOMIC_FADD)
        return op;
    return op | (s->flushed_widths & type->width ? IR_ATOMIC_FLUSHES : 0) |
           (s->truncated_widths & type->width ? IR_ATOMIC_TRUNCATES : 0);
}

static struct ir_instr *
atomic_value(struct spv *s, const struct atomic_form *form, const struct spv_type *type)
{
    if (!form->value_word)
        return spv_iconst(s, type, form->value);
    if (spv_operand(s, form->value_word)->type != type)
        spv_fail(s, "bad value type");
    struct ir_instr *value = spv_scalar_operand(s, form->value_word);
    if (!form->is_negated)
        return value;
    return ir_un(s->ir, type->width == 64 ? IR_INEG64 : IR_INEG, value);
}

/* Variables that only the invocation sees need no atomic. */
static void
atomic_local(struct spv *s)
{
    spv_fail(s, "atomic on a variable of the invocation");
}

static uint32_t
atomic_bits(enum ir_atomic op)
{
    return RP_ACCESS_ATOMIC | (op != IR_ATOMIC_STORE ? RP_ACCESS_READ : 0) |
           (op != IR_ATOMIC_LOAD ? RP_ACCESS_WRITE : 0);
}

bool
spv_atomic(struct spv *s)
{
    struct atomic_form form;
    if (!atomic_form(spv_opcode(s->at), &form))
        return false;

    const struct spv_value *p = spv_operand(s, form.has_result ? 3 : 1);
    const struct spv_type *type =
        form.has_result ? spv_type(s, spv_word(s, 1)) : spv_operand(s, form.value_word)->type;
    const bool is_half = spv_is_half(type) && !p->texel_image;
    if ((type->kind != SPV_T_INT && type->kind != SPV_T_FLOAT) || (type->width < 32 && !is_half))
        spv_fail(s, "atomic of this type is not supported");
    if ((type->kind == SPV_T_FLOAT) != form.is_float && form.op != IR_ATOMIC_LOAD &&
        form.op != IR_ATOMIC_STORE && form.op != IR_ATOMIC_XCHG)
        spv_fail(s, "bad atomic type");
    if (!spv_points_to(s, p->type, type))
        spv_fail(s, "pointer to another type");

    spv_note_order(s, spv_word(s, form.has_result ? 5 : 3));
    if (form.op == IR_ATOMIC_CMPXCHG)
        spv_note_order(s, spv_word(s, 6));
    struct ir_instr *value = atomic_value(s, &form, type);
    struct ir_instr *compare =
        form.op == IR_ATOMIC_CMPXCHG ? spv_scalar_operand(s, 8) : spv_iconst(s, type, 0);
    if (compare->type != value->type)
        spv_fail(s, "bad comparator");
    struct ir_instr *result;
    if (p->texel_image) {
        result = spv_image_atomic(s, p, controlled(s, form.op, type), value, compare);
    } else {
        if (!p->v || p->type->storage == SPV_UNIFORM_CONSTANT)
            atomic_local(s);
        if (s->ir->has_accesses)
            spv_note_access(s, p->v[0], p->v[1], atomic_bits(form.op), type->width / 8);
        struct ir_instr *atomic = ir_make(s->ir, IR_ATOMIC, spv_scalar_type(type), 4);
        atomic->aux = (uint8_t)controlled(s, form.op, type);
        atomic->is_64 = type->width == 64;
        atomic->is_half = is_half;
        atomic->within = p->ptr->within;
        atomic->args[0] = p->v[0];
        atomic->args[1] = p->v[1];
        atomic->args[2] = is_half ? ir_un(s->ir, IR_F2H, value) : value;
        atomic->args[3] = compare;
        ir_place(s->ir, atomic);
        result = is_half ? ir_un(s->ir, IR_H2F, atomic) : atomic;
    }
    if (s->ir->has_accesses) /* what it acquires */
        spv_note_order(s, spv_word(s, form.has_result ? 5 : 3));
    if (form.has_result)
        spv_set_result(s, result);
    return true;
}

/* SPDX-License-Identifier: MIT */
/* Makes values, and gives the current instruction its operands and its result.
 */
#include "compute/spirv/value.h"

#include "compute/ir/limits.h"
#include "compute/spirv/translate.h"

struct spv_value *
spv_new_value(struct spv *s, const struct spv_type *type)
{
    if (type->flat > IR_MAX_FLAT || type->kind == SPV_T_VOID)
        spv_fail(s, "type cannot be a value");
    struct spv_value *value = ir_alloc(s->ir, 1, sizeof(*value));
    value->type = type;
    if (type->flat)
        value->v = ir_alloc(s->ir, type->flat, sizeof(struct ir_instr *));
    if (type->kind == SPV_T_POINTER)
        value->ptr = ir_alloc(s->ir, 1, sizeof(*value->ptr));
    return value;
}

void
spv_set(struct spv *s, uint32_t id, struct spv_value *value)
{
    spv_id(s, id)->value = value;
}

struct spv_value *
spv_result(struct spv *s)
{
    struct spv_value *value = spv_new_value(s, spv_type(s, spv_word(s, 1)));
    spv_set(s, spv_word(s, 2), value);
    s->pending = value;
    return value;
}

void
spv_set_result(struct spv *s, struct ir_instr *scalar)
{
    struct spv_value *value = spv_result(s);
    if (value->type->flat != 1 || value->type->kind > SPV_T_FLOAT ||
        scalar->type != spv_scalar_type(value->type))
        spv_fail(s, "bad result type");
    value->v[0] = scalar;
}

const struct spv_value *
spv_operand(struct spv *s, uint32_t word)
{
    return spv_value(s, spv_word(s, word));
}

struct ir_instr *
spv_scalar_operand(struct spv *s, uint32_t word)
{
    const struct spv_value *value = spv_operand(s, word);
    if (value->type->kind > SPV_T_FLOAT || value->type->flat != 1)
        spv_fail(s, "operand is not a scalar");
    return value->v[0];
}

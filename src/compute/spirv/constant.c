/* SPDX-License-Identifier: MIT */
/* Constants and specialization constants: flat IR constants.
 */
#include "compute/heap.h"
#include "compute/ir/limits.h"
#include "compute/spirv/instruction.h"
#include "compute/spirv/translate.h"

#include <string.h>

static void
constant_set(struct spv *s, struct spv_value *value)
{
    spv_id(s, spv_word(s, 2))->is_constant = true;
    spv_set(s, spv_word(s, 2), value);
}

/* The application's bits for the current instruction's SpecId, or those in the module. */
static uint64_t
specialize(struct spv *s, uint64_t bits, uint32_t size_B)
{
    const struct spv_decoration *d = spv_decoration(s, spv_word(s, 2), UINT32_MAX, SPV_SPEC_ID);
    const VkSpecializationInfo *info = s->specialization;
    if (!d || !d->operand_count || !info)
        return bits;

    for (uint32_t i = 0; i < info->mapEntryCount; i++) {
        const VkSpecializationMapEntry *entry = &info->pMapEntries[i];
        if (entry->constantID != d->operands[0])
            continue;
        if (entry->size > info->dataSize || entry->offset > info->dataSize - entry->size)
            spv_fail(s, "specialization data is too short");
        bits = 0;
        memcpy(&bits, (const uint8_t *)info->pData + entry->offset,
               entry->size < size_B ? entry->size : size_B);
        return bits;
    }
    return bits;
}

static float
half_bits_to_float(uint32_t half)
{
    const uint32_t sign = (half & 0x8000u) << 16;
    const uint32_t exponent = half >> 10 & 31;
    const uint32_t mantissa = half & 0x3ffu;
    float value;
    uint32_t bits;

    if (exponent == 31) {
        bits = 0x7f800000u | mantissa << 13;
    } else if (exponent) {
        bits = (exponent + 112) << 23 | mantissa << 13;
    } else {
        value = (float)mantissa * 0x1p-24f;
        memcpy(&bits, &value, 4);
    }
    bits |= sign;
    memcpy(&value, &bits, 4);
    return value;
}

static void
constant_scalar(struct spv *s)
{
    const struct spv_type *type = spv_type(s, spv_word(s, 1));
    if (type->kind != SPV_T_INT && type->kind != SPV_T_FLOAT)
        spv_fail(s, "bad constant type");

    struct spv_value *value = spv_new_value(s, type);
    uint64_t bits = spv_word(s, 3);
    if (type->width == 64)
        bits |= (uint64_t)spv_word(s, 4) << 32;
    if (spv_opcode(s->at) == SPV_OP_SPEC_CONSTANT)
        bits = specialize(s, bits, type->width / 8);
    if (type->is_bfloat) {
        value->v[0] = ir_const(s->ir, IR_I, bits << 16 & UINT32_MAX);
    } else if (type->kind == SPV_T_FLOAT && type->width == 16) {
        value->v[0] = ir_f(s->ir, half_bits_to_float((uint32_t)bits));
    } else {
        if (type->width < 32 && type->is_signed)
            bits = (uint64_t)((int64_t)(bits << (64 - type->width)) >> (64 - type->width));
        else if (type->width < 32)
            bits &= (1u << type->width) - 1;
        value->v[0] = ir_const(s->ir, spv_scalar_type(type), bits);
    }
    constant_set(s, value);
}

static void
constant_bool(struct spv *s, bool is_true, bool is_spec)
{
    const struct spv_type *type = spv_type(s, spv_word(s, 1));
    if (type->kind != SPV_T_BOOL)
        spv_fail(s, "bad constant type");
    struct spv_value *value = spv_new_value(s, type);
    value->v[0] = ir_const(s->ir, IR_B, is_spec ? specialize(s, is_true, 4) : is_true);
    constant_set(s, value);
}

static void
constant_composite(struct spv *s, bool is_replicated)
{
    const struct spv_type *type = spv_type(s, spv_word(s, 1));
    struct spv_value *value = spv_new_value(s, type);
    is_replicated |= type->kind == SPV_T_COOPERATIVE;
    const uint32_t count = is_replicated ? 1 : spv_words_left(s, 3);
    if (type->kind < SPV_T_COOPERATIVE || type->kind > SPV_T_STRUCT ||
        type->kind == SPV_T_RUNTIME_ARRAY || (!is_replicated && count != type->count))
        spv_fail(s, "bad composite constant");

    for (uint32_t i = 0; i < type->count; i++) {
        const struct spv_value *part = spv_operand(s, is_replicated ? 3 : 3 + i);
        if (part->type != spv_sub_type(s, type, i) ||
            !spv_id(s, spv_word(s, is_replicated ? 3 : 3 + i))->is_constant)
            spv_fail(s, "bad part of a composite constant");
        if (part->v)
            memcpy(value->v + spv_sub_flat(s, type, i), part->v,
                   part->type->flat * sizeof(part->v[0]));
    }
    constant_set(s, value);
}

struct spv_value *
spv_null(struct spv *s, const struct spv_type *type)
{
    struct spv_value *value = spv_new_value(s, type);
    if (type->kind == SPV_T_POINTER && type->flat == 2) {
        const bool is_address = type->storage == SPV_PHYSICAL_STORAGE_BUFFER;
        value->v[0] = ir_const(s->ir, is_address ? IR_L : IR_I, 0);
        value->v[1] = ir_i(s->ir, is_address ? 0 : UINT32_MAX);
        return value;
    }
    for (uint32_t i = 0; i < type->flat; i++) {
        const struct spv_type *scalar = spv_flat_type(type, i);
        if (scalar->kind >= SPV_T_IMAGE) { /* undefined: an empty descriptor */
            value->v[i] = ir_i(s->ir, UINT32_MAX);
            continue;
        }
        if (scalar->kind > SPV_T_FLOAT && scalar->kind != SPV_T_POINTER)
            spv_fail(s, "bad null constant");
        value->v[i] = ir_const(
            s->ir, scalar->kind == SPV_T_POINTER ? (i ? IR_I : IR_L) : spv_scalar_type(scalar), 0);
    }
    return value;
}

/* The embedded operation, as an instruction of its own that folds. */
static void
constant_op(struct spv *s)
{
    const uint32_t *outer = s->at;
    const uint32_t count = spv_word_count(outer) - 1;
    uint32_t *inner = ir_alloc(s->ir, count, sizeof(*inner));

    inner[0] = count << 16 | (spv_word(s, 3) & 0xffff);
    inner[1] = outer[1];
    inner[2] = outer[2];
    for (uint32_t i = 3; i < count; i++)
        inner[i] = outer[i + 1];
    if (!spv_op_name(spv_opcode(inner)) || spv_result_word(spv_opcode(inner)) != 2)
        spv_fail(s, "operation is not supported in constants");
    for (uint32_t i = 3; i < count; i++)
        if (inner[i] && inner[i] < s->shader->bound && s->ids[inner[i]].value &&
            !s->ids[inner[i]].is_constant)
            spv_fail(s, "operand is not constant");

    s->at = inner;
    const bool is_known = spv_arithmetic(s) || spv_convert(s) || spv_composite(s);
    s->at = outer;
    s->pending = NULL;
    struct spv_value *value = spv_id(s, outer[2])->value;
    for (uint32_t i = 0; is_known && value && i < value->type->flat; i++)
        if (!ir_is_const(value->v[i]))
            spv_fail(s, "constant operation does not fold");
    if (!is_known || !value)
        spv_fail(s, "operation is not supported in constants");
    constant_set(s, value);
}

static void
constant_size_of(struct spv *s)
{
    const struct spv_type *type = spv_type(s, spv_word(s, 1));
    const struct spv_type *of = spv_type(s, spv_word(s, 3));
    if (type->kind != SPV_T_INT ||
        (of->kind != SPV_T_IMAGE && of->kind != SPV_T_SAMPLER && of->kind != SPV_T_BUFFER))
        spv_fail(s, "size of what is no descriptor");
    struct spv_value *value = spv_new_value(s, type);
    value->v[0] = ir_const(s->ir, spv_scalar_type(type), RP_HEAP_DESCRIPTOR_B);
    constant_set(s, value);
}

void
spv_add_constant(struct spv *s)
{
    switch (spv_opcode(s->at)) {
    case SPV_OP_CONSTANT_TRUE:
    case SPV_OP_CONSTANT_FALSE:
        constant_bool(s, spv_opcode(s->at) == SPV_OP_CONSTANT_TRUE, false);
        break;
    case SPV_OP_SPEC_CONSTANT_TRUE:
    case SPV_OP_SPEC_CONSTANT_FALSE:
        constant_bool(s, spv_opcode(s->at) == SPV_OP_SPEC_CONSTANT_TRUE, true);
        break;
    case SPV_OP_CONSTANT:
    case SPV_OP_SPEC_CONSTANT:
        constant_scalar(s);
        break;
    case SPV_OP_CONSTANT_COMPOSITE:
    case SPV_OP_SPEC_CONSTANT_COMPOSITE:
        constant_composite(s, false);
        break;
    case SPV_OP_CONSTANT_COMPOSITE_REPLICATE:
    case SPV_OP_SPEC_CONSTANT_COMPOSITE_REPLICATE:
        constant_composite(s, true);
        break;
    case SPV_OP_UNDEF:
        if (spv_type(s, spv_word(s, 1))->flat > IR_MAX_FLAT)
            break; /* nobody can use it */
        constant_set(s, spv_null(s, spv_type(s, spv_word(s, 1))));
        break;
    case SPV_OP_CONSTANT_NULL:
        constant_set(s, spv_null(s, spv_type(s, spv_word(s, 1))));
        break;
    case SPV_OP_CONSTANT_SIZE_OF:
        constant_size_of(s);
        break;
    case SPV_OP_SPEC_CONSTANT_OP:
        constant_op(s);
        break;
    default:
        spv_fail(s, "constant is not supported");
    }
}

/* SPDX-License-Identifier: MIT */
/* Checked access to the words of the current instruction, to ids and to parts of types. Every
 * getter ends the compilation with a message when the module is wrong.
 */
#include "compute/spirv/translate.h"

void
spv_fail(struct spv *s, const char *what)
{
    const char *name = s->at ? spv_op_name(spv_opcode(s->at)) : NULL;
    /* What a specialization constant does stands outside of the module: constant.c. */
    const uintptr_t word = ((uintptr_t)s->at - (uintptr_t)s->shader->words) / 4;
    if (word >= s->shader->word_count)
        ir_fail(s->ir->fail, VK_ERROR_UNKNOWN, "%s: Op %s", what, name ? name : "?");
    ir_fail(s->ir->fail, VK_ERROR_UNKNOWN, "%s: Op %s at word %u", what, name ? name : "?",
            (uint32_t)word);
}

uint32_t
spv_word(struct spv *s, uint32_t i)
{
    if (i >= spv_word_count(s->at))
        spv_fail(s, "instruction is too short");
    return s->at[i];
}

uint32_t
spv_words_left(struct spv *s, uint32_t i)
{
    const uint32_t count = spv_word_count(s->at);
    return count > i ? count - i : 0;
}

struct spv_id *
spv_id(struct spv *s, uint32_t id)
{
    if (id == 0 || id >= s->shader->bound)
        spv_fail(s, "id out of bounds");
    return &s->ids[id];
}

const struct spv_type *
spv_type(struct spv *s, uint32_t id)
{
    const struct spv_type *type = spv_id(s, id)->type;
    if (!type)
        spv_fail(s, "not a type");
    return type;
}

const struct spv_value *
spv_value(struct spv *s, uint32_t id)
{
    const struct spv_value *value = spv_id(s, id)->value;
    if (!value || value == s->pending)
        spv_fail(s, "operand is not a value that is known here");
    return value->ptr && value->ptr->is_mapped ? s->place_mapped(s, value) : value;
}

uint32_t
spv_const_u32(struct spv *s, uint32_t id)
{
    const struct spv_value *value = spv_value(s, id);
    if (value->type->kind != SPV_T_INT || !ir_is_const(value->v[0]))
        spv_fail(s, "operand is not an integer constant");
    return (uint32_t)value->v[0]->imm;
}

const struct spv_type *
spv_pointee(struct spv *s, const struct spv_type *pointer)
{
    if (pointer->kind != SPV_T_POINTER)
        spv_fail(s, "not a pointer");
    return spv_type(s, pointer->elem_id);
}

bool
spv_points_to(struct spv *s, const struct spv_type *pointer, const struct spv_type *type)
{
    const bool is_untyped = pointer->kind == SPV_T_POINTER && pointer->elem_id == 0;
    return is_untyped || spv_pointee(s, pointer) == type;
}

const struct spv_type *
spv_sub_type(struct spv *s, const struct spv_type *type, uint32_t index)
{
    switch (type->kind) {
    case SPV_T_COOPERATIVE:
    case SPV_T_VECTOR:
    case SPV_T_MATRIX:
    case SPV_T_ARRAY:
        if (index >= type->count)
            spv_fail(s, "index out of bounds");
        return type->elem;
    case SPV_T_RUNTIME_ARRAY:
        return type->elem;
    case SPV_T_STRUCT:
        if (index >= type->count)
            spv_fail(s, "member out of bounds");
        return type->members[index].type;
    default:
        spv_fail(s, "not a composite");
    }
}

uint32_t
spv_sub_flat(struct spv *s, const struct spv_type *type, uint32_t index)
{
    const struct spv_type *sub = spv_sub_type(s, type, index);
    if (type->kind != SPV_T_STRUCT)
        return sub->flat * index;

    uint32_t flat = 0;
    for (uint32_t i = 0; i < index; i++)
        flat += type->members[i].type->flat;
    return flat;
}

const struct spv_decoration *
spv_decoration(struct spv *s, uint32_t id, uint32_t member, uint32_t decoration)
{
    for (const struct spv_decoration *d = spv_id(s, id)->decorations; d; d = d->next)
        if (d->member == member && d->decoration == decoration)
            return d;
    return NULL;
}

/* SPDX-License-Identifier: MIT */
/* Variables: descriptors, blocks, workgroup memory, and what belongs to the invocation.
 */
#include "compute/spirv/variable.h"

#include "compute/ir/limits.h"
#include "compute/spirv/binding.h"
#include "compute/spirv/heap.h"
#include "compute/spirv/pointer.h"
#include "compute/spirv/translate.h"
#include "util/compiler.h"

#include <string.h>

static bool
is_array(const struct spv_type *type)
{
    return type->kind == SPV_T_ARRAY || type->kind == SPV_T_RUNTIME_ARRAY;
}

static uint32_t
decoration_value(struct spv *s, uint32_t id, uint32_t decoration)
{
    const struct spv_decoration *d = spv_decoration(s, id, UINT32_MAX, decoration);
    return d && d->operand_count ? d->operands[0] : 0;
}

static void
variable_bind(struct spv *s, struct spv_var *var, uint32_t id)
{
    const struct spv_type *type = var->type;
    const uint32_t set = decoration_value(s, id, SPV_DESCRIPTOR_SET);
    const uint32_t number = decoration_value(s, id, SPV_BINDING);

    var->kind = SPV_VAR_MEMORY;
    if (spv_heap_map(s, var, id, set, number))
        return;
    var->handle = spv_binding_of_type(s, set, number, type);
}

static uint32_t
block_size(const struct spv_type *type)
{
    uint32_t size_B = 0;
    for (uint32_t i = 0; i < type->count; i++) {
        const struct spv_member *m = &type->members[i];
        const uint64_t end =
            (uint64_t)m->offset_B + (m->type->kind == SPV_T_ARRAY
                                         ? (uint64_t)m->type->array_stride_B * m->type->count
                                         : 2ull * m->type->natural_B);
        size_B = end > RP_MAX_SHARED_B ? RP_MAX_SHARED_B : end > size_B ? (uint32_t)end : size_B;
    }
    return size_B;
}

static bool
is_aliased_block(struct spv *s, uint32_t id, const struct spv_type *type)
{
    return type->kind == SPV_T_STRUCT && type->has_block &&
           spv_decoration(s, id, UINT32_MAX, SPV_ALIASED);
}

void
spv_reserve_aliased(struct spv *s)
{
    const enum spv_op op = spv_opcode(s->at);
    if (spv_word(s, 3) != SPV_WORKGROUP)
        return;
    const bool is_untyped = op == SPV_OP_UNTYPED_VARIABLE;
    const struct spv_type *type =
        is_untyped ? spv_type(s, spv_word(s, 4)) : spv_pointee(s, spv_type(s, spv_word(s, 1)));
    if (!is_aliased_block(s, spv_word(s, 2), type))
        return;
    const uint32_t size_B = block_size(type);
    s->ir->shared_B = s->ir->shared_B > size_B ? s->ir->shared_B : size_B;
}

/* Where several workgroups run side by side, each has a piece of workgroup memory. */
void
spv_spread_workgroups(struct spv *s)
{
    struct ir_program *ir = s->ir;
    ir->shared_stride_B = (ir->shared_B + 15) & ~15u;
    if (ir->pack == 1 || !ir->shared_B)
        return;
    struct ir_instr *own =
        ir_bin(ir, IR_IMUL, ir_builtin(ir, IR_LANE_Z), ir_i(ir, ir->shared_stride_B));
    for (uint32_t id = 1; id < s->shader->bound; id++) {
        const struct spv_var *var = s->ids[id].var;
        const struct spv_value *value = s->ids[id].value;
        if (!var || var->kind != SPV_VAR_MEMORY || !value || !value->v ||
            var->handle != IR_OWN_HANDLE(IR_MEMORY_SHARED))
            continue;
        value->v[1] = ir_bin(ir, IR_IADD, own, ir_i(ir, var->offset_B));
    }
}

/* Aliased blocks share the beginning of workgroup memory; the others follow. */
static void
variable_workgroup(struct spv *s, struct spv_var *var, uint32_t id)
{
    const struct spv_type *type = var->type;
    const bool is_block = type->kind == SPV_T_STRUCT && type->has_block;
    const uint32_t size_B = is_block ? block_size(type) : type->natural_B;

    var->kind = SPV_VAR_MEMORY;
    var->handle = IR_OWN_HANDLE(IR_MEMORY_SHARED);
    var->size_B = size_B;
    s->ir->uses_barrier = true;
    if (is_aliased_block(s, id, type))
        return;
    var->offset_B = (s->ir->shared_B + 15) & ~15u;
    if (var->offset_B > RP_MAX_SHARED_B || size_B > RP_MAX_SHARED_B - var->offset_B)
        spv_fail(s, "too much workgroup memory");
    s->ir->shared_B = var->offset_B + size_B;
}

static void
grow_slots(struct spv *s, uint32_t count)
{
    if (s->slot_count + count > s->slot_capacity) {
        const uint32_t capacity = 2 * (s->slot_count + count) + 64;
        struct ir_instr **slots = ir_alloc(s->ir, capacity, sizeof(slots[0]));
        if (s->slot_count)
            memcpy(slots, s->slots, s->slot_count * sizeof(slots[0]));
        s->slots = slots;
        s->slot_capacity = capacity;
    }
    s->slot_count += count;
}

void
spv_push_slot(struct spv *s, struct ir_instr *value)
{
    grow_slots(s, 1);
    s->slots[s->slot_count - 1] = value;
}

/* Bytes of each scalar of a constant in memory. */
static uint32_t
table_scalar_size(const struct spv_type *type)
{
    for (uint32_t i = 0; i < type->flat; i++) {
        const struct spv_type *scalar = spv_flat_type(type, i);
        if (scalar->kind != SPV_T_BOOL && scalar->width == 64)
            return 8;
    }
    return 4;
}

/* A constant's scalars, one behind the other. */
static void
table_add(struct spv *s, struct spv_var *var, const struct spv_value *value)
{
    struct ir_program *ir = s->ir;
    const uint32_t scalar_B = table_scalar_size(value->type), count = value->type->flat;
    const uint32_t offset_B = (ir->table_B + 7) & ~7u;
    uint8_t *table = ir_alloc(ir, offset_B + count * scalar_B + 8, 1);
    if (ir->table_B)
        memcpy(table, ir->table, ir->table_B);
    for (uint32_t i = 0; i < count; i++)
        memcpy(table + offset_B + scalar_B * i, &value->v[i]->imm, scalar_B);
    ir->table = table;
    ir->table_B = offset_B + count * scalar_B;
    var->kind = SPV_VAR_TABLE;
    var->offset_B = offset_B;
    var->scalar_B = scalar_B;
}

static void
variable_store_initial(struct spv *s, struct spv_var *var, const struct spv_value *init)
{
    struct spv_value pointer = {.ptr = &(struct spv_pointer){.var = var}};
    spv_store_to(s, &pointer, init);
}

/* Function and Private variables. */
static void
variable_local(struct spv *s, struct spv_var *var, uint32_t id, const struct spv_value *init)
{
    const struct spv_root *root = &spv_id(s, id)->root;
    const struct spv_type *type = var->type;
    if (type->flat > IR_MAX_FLAT)
        spv_fail(s, "variable is too large");

    if (root->is_indexed && !root->is_stored && init && type->flat) {
        table_add(s, var, init);
        return;
    }
    if (root->is_indexed && type->kind != SPV_T_VECTOR && type->flat > 1) {
        var->kind = SPV_VAR_LANE;
        var->slot = s->ir->lane_slot_count;
        s->ir->lane_slot_count += type->flat;
        if (s->ir->lane_slot_count > IR_MAX_LANE_SLOTS)
            spv_fail(s, "too much memory in an invocation");
    } else {
        var->kind = SPV_VAR_SLOTS;
        var->slot = s->slot_count;
        grow_slots(s, type->flat);
        const struct spv_value *zero = type->flat ? spv_null(s, type) : NULL;
        for (uint32_t i = 0; i < type->flat; i++)
            s->slots[var->slot + i] = zero->v[i];
    }
    if (init)
        variable_store_initial(s, var, init);
}

static void
variable_global(struct spv *s, struct spv_var *var, uint32_t id, uint32_t storage,
                const struct spv_value *init)
{
    const struct spv_decoration *builtin;

    switch (storage) {
    case SPV_UNIFORM:
    case SPV_STORAGE_BUFFER:
        variable_bind(s, var, id);
        break;
    case SPV_UNIFORM_CONSTANT:
        variable_bind(s, var, id);
        var->kind = SPV_VAR_OPAQUE;
        break;
    case SPV_PUSH_CONSTANT:
        var->kind = SPV_VAR_MEMORY;
        var->handle = IR_OWN_HANDLE(IR_MEMORY_PUSH);
        s->ir->push_B = RP_MAX_PUSH_CONSTANT_B;
        break;
    case SPV_WORKGROUP:
        s->ir->zeroes_shared |= init != NULL;
        variable_workgroup(s, var, id);
        break;
    case SPV_PRIVATE:
        variable_local(s, var, id, init);
        break;
    case SPV_INPUT:
        builtin = spv_decoration(s, id, UINT32_MAX, SPV_BUILT_IN);
        var->kind = SPV_VAR_BUILTIN;
        var->builtin = builtin && builtin->operand_count ? builtin->operands[0] : UINT32_MAX;
        break;
    default: /* of another entry point, or a mistake: whoever reads or writes it is told */
        var->kind = SPV_VAR_BUILTIN;
        var->builtin = UINT32_MAX;
        break;
    }
}

/* The block of a buffer variable or of an array of them. */
static const struct spv_type *
block_of(const struct spv_type *type)
{
    return is_array(type) ? type->elem : type;
}

void
spv_add_variable(struct spv *s, bool is_global)
{
    const struct spv_type *pointer_type = spv_type(s, spv_word(s, 1));
    const uint32_t id = spv_word(s, 2);
    const uint32_t storage = spv_word(s, 3);
    const bool is_untyped = spv_opcode(s->at) == SPV_OP_UNTYPED_VARIABLE;
    const uint32_t init_word = is_untyped ? 5 : 4;
    if (is_untyped && storage == SPV_UNIFORM_CONSTANT) {
        spv_add_heap(s);
        return;
    }
    const struct spv_value *init = spv_words_left(s, init_word) ? spv_operand(s, init_word) : NULL;

    struct spv_var *var = ir_alloc(s->ir, 1, sizeof(*var));
    var->type = is_untyped ? spv_type(s, spv_word(s, 4)) : spv_pointee(s, pointer_type);
    if (pointer_type->kind != SPV_T_POINTER || pointer_type->storage != storage ||
        (storage == SPV_FUNCTION) == is_global)
        spv_fail(s, "bad storage class");
    if (init && (init->type != var->type || (!spv_id(s, spv_word(s, init_word))->is_constant &&
                                             !spv_id(s, spv_word(s, init_word))->var)))
        spv_fail(s, "bad initializer");
    if (is_global && init && init->ptr)
        s->ir->pack = 1; /* a pointer kept before spv_spread_workgroups() moves what it points to */
    if (is_global)
        variable_global(s, var, id, storage, init);
    else
        variable_local(s, var, id, init);
    spv_id(s, id)->var = var;

    struct spv_value *value = spv_new_value(s, pointer_type);
    value->ptr->var = var;
    value->ptr->is_mapped = var->mapping != NULL;
    value->ptr->is_const = storage == SPV_UNIFORM && block_of(var->type)->has_block &&
                           !block_of(var->type)->is_buffer_block;
    value->ptr->is_explicit =
        storage != SPV_WORKGROUP || (var->type->kind == SPV_T_STRUCT && var->type->has_block);
    if (storage == SPV_WORKGROUP)
        value->ptr->within = (struct ir_span){var->offset_B, var->offset_B + var->size_B};
    if (value->v) {
        value->v[0] = ir_i(s->ir, var->handle);
        value->v[1] = ir_i(s->ir, var->offset_B);
    }
    spv_set(s, id, value);
}

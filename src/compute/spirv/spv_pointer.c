/* SPDX-License-Identifier: MIT */
/* Variables, access chains, loads and stores.
 */
#include "compute/spirv/spv.h"

#include "compute/ir/limits.h"

#include <string.h>

uint32_t
spv_bind(struct spv *s, uint32_t set, uint32_t binding, uint32_t count)
{
    struct ir_program *ir = s->ir;

    for (uint32_t i = 0; i < ir->binding_count; i++) {
        struct rp_kernel_binding *b = &ir->bindings[i];
        if (b->set == set && b->binding == binding) {
            if (b->count && (count == 0 || count > b->count))
                b->count = count;
            return i;
        }
    }
    if (ir->binding_count == IR_BINDING_SHARED)
        spv_fail(s, "too many bindings");
    if (!ir->bindings)
        ir->bindings = ir_alloc(ir, IR_BINDING_SHARED, sizeof(*ir->bindings));
    ir->bindings[ir->binding_count] =
        (struct rp_kernel_binding){.set = set, .binding = binding, .count = count};
    return ir->binding_count++;
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
    const bool is_array = type->kind == SPV_T_ARRAY || type->kind == SPV_T_RUNTIME_ARRAY;
    const uint32_t count = is_array ? type->count : 1;
    const uint32_t binding = spv_bind(s, decoration_value(s, id, SPV_DESCRIPTOR_SET),
                                      decoration_value(s, id, SPV_BINDING), count);

    var->kind = SPV_VAR_MEMORY;
    var->handle = binding << IR_HANDLE_SHIFT;
}

static void
variable_workgroup(struct spv *s, struct spv_var *var)
{
    const struct spv_type *type = var->type;
    var->kind = SPV_VAR_MEMORY;
    var->handle = IR_BINDING_SHARED << IR_HANDLE_SHIFT;
    s->ir->uses_barrier = true;
    if (type->kind == SPV_T_STRUCT && type->has_block) { /* explicit layout: all blocks alias */
        uint32_t size_B = 0;
        for (uint32_t i = 0; i < type->count; i++) {
            const struct spv_member *m = &type->members[i];
            const uint64_t end = (uint64_t)m->offset_B +
                                 (m->type->kind == SPV_T_ARRAY
                                      ? (uint64_t)m->type->array_stride_B * m->type->count
                                      : 2ull * m->type->natural_B);
            size_B = end > RP_MAX_SHARED_B ? RP_MAX_SHARED_B : end > size_B ? (uint32_t)end : size_B;
        }
        var->offset_B = 0;
        s->ir->shared_B = s->ir->shared_B > size_B ? s->ir->shared_B : size_B;
        return;
    }
    var->offset_B = (s->ir->shared_B + 15) & ~15u;
    if (type->natural_B > RP_MAX_SHARED_B - var->offset_B)
        spv_fail(s, "too much workgroup memory");
    s->ir->shared_B = var->offset_B + type->natural_B;
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

/* Flat bytes of a constant: 8 for each scalar, as a lane's memory has them. */
static uint32_t
table_add(struct spv *s, const struct spv_value *value)
{
    struct ir_program *ir = s->ir;
    const uint32_t offset_B = ir->table_B;
    uint8_t *table = ir_alloc(ir, offset_B + value->type->flat * 8 + 8, 1);
    if (offset_B)
        memcpy(table, ir->table, offset_B);
    for (uint32_t i = 0; i < value->type->flat; i++)
        memcpy(table + offset_B + 8 * i, &value->v[i]->imm, 8);
    ir->table = table;
    ir->table_B = offset_B + value->type->flat * 8;
    return offset_B;
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
        var->kind = SPV_VAR_TABLE;
        var->offset_B = table_add(s, init);
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
        var->handle = IR_BINDING_PUSH << IR_HANDLE_SHIFT;
        s->ir->push_B = RP_MAX_PUSH_CONSTANT_B;
        break;
    case SPV_WORKGROUP:
        s->ir->zeroes_shared |= init != NULL;
        variable_workgroup(s, var);
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
    const bool is_array = type->kind == SPV_T_ARRAY || type->kind == SPV_T_RUNTIME_ARRAY;
    return is_array ? type->elem : type;
}

void
spv_add_variable(struct spv *s, bool is_global)
{
    const struct spv_type *pointer_type = spv_type(s, spv_word(s, 1));
    const uint32_t id = spv_word(s, 2);
    const uint32_t storage = spv_word(s, 3);
    const struct spv_value *init = spv_words_left(s, 4) ? spv_operand(s, 4) : NULL;

    struct spv_var *var = ir_alloc(s->ir, 1, sizeof(*var));
    var->type = spv_pointee(s, pointer_type);
    if (pointer_type->storage != storage || (storage == SPV_FUNCTION) == is_global)
        spv_fail(s, "bad storage class");
    if (init && (init->type != var->type ||
                 (!spv_id(s, spv_word(s, 4))->is_constant && !spv_id(s, spv_word(s, 4))->var)))
        spv_fail(s, "bad initializer");
    if (is_global)
        variable_global(s, var, id, storage, init);
    else
        variable_local(s, var, id, init);
    spv_id(s, id)->var = var;

    struct spv_value *value = spv_new_value(s, pointer_type);
    value->ptr->var = var;
    value->ptr->is_const = storage == SPV_UNIFORM && block_of(var->type)->has_block &&
                           !block_of(var->type)->is_buffer_block;
    value->ptr->is_explicit =
        storage != SPV_WORKGROUP || (var->type->kind == SPV_T_STRUCT && var->type->has_block);
    if (value->v) {
        value->v[0] = ir_i(s->ir, var->handle);
        value->v[1] = ir_i(s->ir, var->offset_B);
    }
    spv_set(s, id, value);
}

/* An index as 32 bits, signed. */
static struct ir_instr *
index_value(struct spv *s, uint32_t word)
{
    const struct spv_value *index = spv_operand(s, word);
    if (index->type->kind != SPV_T_INT)
        spv_fail(s, "index is not an integer");
    if (index->type->width == 64)
        return ir_un(s->ir, IR_L2I, index->v[0]);
    return spv_extend(s, index->type, index->type->is_signed, index->v[0]);
}

static struct ir_instr *
scaled(struct spv *s, struct ir_instr *index, uint32_t stride)
{
    return ir_bin(s->ir, IR_IMUL, index, ir_i(s->ir, stride));
}

/* Steps into part `index` of what a memory pointer points to. */
static void
step_memory(struct spv *s, struct spv_value *p, const struct spv_type *type, struct ir_instr *index)
{
    struct spv_pointer *ptr = p->ptr;
    struct ir_instr *add;

    if (type->kind == SPV_T_STRUCT) {
        const uint32_t i = (uint32_t)index->imm;
        const struct spv_member *m = &type->members[i];
        add = ir_i(s->ir, ptr->is_explicit ? m->offset_B : spv_natural_offset(type, i));
        ptr->matrix_stride_B = m->matrix_stride_B;
        ptr->is_row_major = m->is_row_major;
        ptr->comp_stride_B = 0;
    } else if (!ptr->is_explicit) {
        add = scaled(s, index, type->elem->natural_B);
    } else if (type->kind == SPV_T_MATRIX) {
        const uint32_t comp_B = spv_scalar_size(type->elem->elem);
        add = scaled(s, index, ptr->is_row_major ? comp_B : ptr->matrix_stride_B);
        ptr->comp_stride_B = ptr->is_row_major ? ptr->matrix_stride_B : 0;
    } else if (type->kind == SPV_T_VECTOR) {
        const uint32_t comp_B = spv_scalar_size(type->elem);
        add = scaled(s, index, ptr->comp_stride_B ? ptr->comp_stride_B : comp_B);
        ptr->comp_stride_B = 0;
    } else {
        add = scaled(s, index, type->array_stride_B);
    }
    p->v[1] = ir_bin(s->ir, IR_IADD, p->v[1], add);
}

/* Steps into an array of descriptors. */
static void
step_descriptor(struct spv *s, struct spv_value *p, struct ir_instr *index)
{
    struct ir_instr *bounded =
        ir_bin(s->ir, IR_UMIN, index, ir_i(s->ir, IR_HANDLE_INDEX));
    p->v[0] = ir_bin(s->ir, IR_IADD, p->v[0], bounded);
}

static void
step_local(struct spv *s, struct spv_value *p, const struct spv_type *type, struct ir_instr *index)
{
    struct spv_pointer *ptr = p->ptr;

    if (ir_is_const(index)) {
        const uint32_t i = (uint32_t)index->imm;
        /* An index out of bounds is undefined: take the last part. */
        ptr->flat += type->kind == SPV_T_STRUCT
                         ? spv_sub_flat(s, type, i)
                         : type->elem->flat * (i < type->count ? i : type->count - 1);
        return;
    }
    const struct ir_instr *last = ir_i(s->ir, type->count - 1);
    struct ir_instr *bounded = ir_bin(s->ir, IR_UMIN, index, (struct ir_instr *)last);
    struct ir_instr *flat = scaled(s, bounded, type->elem->flat);
    ptr->index = ptr->index ? ir_bin(s->ir, IR_IADD, ptr->index, flat) : flat;
}

static bool
is_descriptor_array(const struct spv_value *p, const struct spv_type *type, uint32_t storage)
{
    const bool is_array = type->kind == SPV_T_ARRAY || type->kind == SPV_T_RUNTIME_ARRAY;
    return is_array && p->ptr->var && type == p->ptr->var->type &&
           (storage == SPV_UNIFORM_CONSTANT || storage == SPV_UNIFORM ||
            storage == SPV_STORAGE_BUFFER);
}

static const struct spv_type *
chain_step(struct spv *s, struct spv_value *p, const struct spv_type *type, uint32_t storage,
           uint32_t word)
{
    struct ir_instr *index = index_value(s, word);
    if (type->kind == SPV_T_STRUCT && !ir_is_const(index))
        spv_fail(s, "member index is not constant");
    const struct spv_type *sub =
        spv_sub_type(s, type, type->kind == SPV_T_STRUCT ? (uint32_t)index->imm : 0);

    if (is_descriptor_array(p, type, storage)) {
        step_descriptor(s, p, index);
        p->ptr->var = NULL; /* the next array is inside the block */
    } else if (p->v && storage != SPV_UNIFORM_CONSTANT) {
        step_memory(s, p, type, index);
    } else {
        step_local(s, p, type, index);
    }
    return sub;
}

/* OpAccessChain, OpPtrAccessChain and their InBounds forms. */
void
spv_access_chain(struct spv *s)
{
    const enum spv_op op = spv_opcode(s->at);
    const bool has_element =
        op == SPV_OP_PTR_ACCESS_CHAIN || op == SPV_OP_IN_BOUNDS_PTR_ACCESS_CHAIN;
    const struct spv_value *base = spv_operand(s, 3);
    const struct spv_type *result_type = spv_type(s, spv_word(s, 1));
    const struct spv_type *type = spv_pointee(s, base->type);
    if (result_type->kind != SPV_T_POINTER || result_type->storage != base->type->storage)
        spv_fail(s, "bad result type");

    struct spv_value *p = spv_new_value(s, result_type);
    if (p->ptr && base->ptr)
        *p->ptr = *base->ptr;
    if (base->v && p->v)
        memcpy(p->v, base->v, base->type->flat * sizeof(p->v[0]));
    if (base->type->storage == SPV_UNIFORM_CONSTANT) {
        p->v = ir_alloc(s->ir, 1, sizeof(p->v[0]));
        p->v[0] = base->v ? base->v[0] : ir_i(s->ir, base->ptr->var ? base->ptr->var->handle : 0);
    }
    uint32_t word = 4;
    if (has_element) {
        struct ir_instr *element = index_value(s, word++);
        const uint32_t stride_B =
            p->ptr->is_explicit ? base->type->array_stride_B : type->natural_B;
        if (!p->v || base->type->storage == SPV_UNIFORM_CONSTANT)
            spv_fail(s, "pointer arithmetic on a variable");
        p->v[1] = ir_bin(s->ir, IR_IADD, p->v[1], scaled(s, element, stride_B));
    }
    for (; word < spv_word_count(s->at); word++)
        type = chain_step(s, p, type, base->type->storage, word);
    if (type != spv_pointee(s, result_type))
        spv_fail(s, "result does not point to what the chain ends at");
    spv_set(s, spv_word(s, 2), p);
}

static struct spv_place
pointer_place(struct spv *s, const struct spv_value *p)
{
    if (!p->v)
        spv_fail(s, "not a pointer to memory");
    struct spv_place place = {.handle = p->v[0], .offset = p->v[1], .layout = *p->ptr};
    const uint32_t binding =
        ir_is_const(p->v[0]) && p->v[0]->type == IR_I ? p->v[0]->imm >> IR_HANDLE_SHIFT : 0;
    place.is_const = binding >= IR_BINDING_PUSH || p->ptr->is_const;
    return place;
}

/* Flat value i behind a pointer to lane memory or a table; or a vector's part chosen by index. */
static struct ir_instr *
load_indexed(struct spv *s, const struct spv_pointer *ptr, const struct spv_type *scalar,
             uint32_t i)
{
    struct ir_program *ir = s->ir;
    const struct spv_var *var = ptr->var;
    struct ir_instr *flat = ir_i(ir, ptr->flat + i);
    if (ptr->index)
        flat = ir_bin(ir, IR_IADD, ptr->index, flat);

    if (var->kind == SPV_VAR_SLOTS) {
        struct ir_instr *value = s->slots[var->slot + ptr->flat + i];
        for (uint32_t k = ptr->flat + i + 1; k < var->type->flat; k++)
            value = ir_select(ir, ir_bin(ir, IR_IEQ, flat, ir_i(ir, k)), s->slots[var->slot + k],
                              value);
        return value;
    }
    const bool is_wide = scalar->kind != SPV_T_BOOL && scalar->width == 64;
    struct ir_instr *load = ir_make(ir, var->kind == SPV_VAR_LANE ? IR_LANE_LOAD : IR_LOAD,
                                    is_wide ? IR_L : IR_I, var->kind == SPV_VAR_LANE ? 1 : 2);
    if (var->kind == SPV_VAR_LANE) {
        load->args[0] = flat;
        load->lane.base_slot = var->slot;
        load->lane.slot_count = var->type->flat;
    } else {
        load->args[0] = ir_i(ir, IR_BINDING_TABLE << IR_HANDLE_SHIFT);
        load->args[1] = ir_bin(ir, IR_IADD, scaled(s, flat, 8), ir_i(ir, var->offset_B));
        load->aux = is_wide ? 8 : 4;
        load->is_const_mem = true;
    }
    ir_place(ir, load);
    return scalar->kind == SPV_T_BOOL ? ir_bin(ir, IR_INE, load, ir_i(ir, 0)) : load;
}

static void
store_indexed(struct spv *s, const struct spv_pointer *ptr, uint32_t i, struct ir_instr *value)
{
    struct ir_program *ir = s->ir;
    const struct spv_var *var = ptr->var;
    struct ir_instr *flat = ir_i(ir, ptr->flat + i);
    if (ptr->index)
        flat = ir_bin(ir, IR_IADD, ptr->index, flat);

    if (var->kind == SPV_VAR_SLOTS) {
        for (uint32_t k = ptr->flat + i; k < var->type->flat; k++) {
            struct ir_instr **slot = &s->slots[var->slot + k];
            *slot = ir_select(ir, ir_bin(ir, IR_IEQ, flat, ir_i(ir, k)), value, *slot);
        }
        return;
    }
    if (var->kind != SPV_VAR_LANE)
        spv_fail(s, "variable cannot be written");
    if (value->type == IR_B)
        value = ir_select(ir, value, ir_i(ir, 1), ir_i(ir, 0));
    struct ir_instr *store = ir_make(ir, IR_LANE_STORE, IR_VOID, 2);
    store->args[0] = flat;
    store->args[1] = value;
    store->lane.base_slot = var->slot;
    store->lane.slot_count = var->type->flat;
    ir_place(ir, store);
}

static void
load_opaque(struct spv *s, const struct spv_value *p, struct spv_value *out)
{
    struct ir_instr *handle = p->v ? p->v[0] : ir_i(s->ir, p->ptr->var->handle);
    for (uint32_t i = 0; i < out->type->flat; i++)
        out->v[i] = handle;
}

void
spv_load_from(struct spv *s, const struct spv_value *p, struct spv_value *out)
{
    const struct spv_pointer *ptr = p->ptr;
    const struct spv_type *type = out->type;

    if (p->type && p->type->storage == SPV_UNIFORM_CONSTANT) {
        load_opaque(s, p, out);
    } else if (p->v) {
        const struct spv_place place = pointer_place(s, p);
        spv_load_memory(s, type, &place, out->v);
        if (type->kind == SPV_T_POINTER)
            out->ptr->is_explicit = true;
    } else if (!ptr->var) {
        spv_fail(s, "pointer to nothing");
    } else if (ptr->var->kind == SPV_VAR_BUILTIN) {
        spv_load_builtin(s, ptr->var->builtin, type, ptr->flat, out->v);
    } else if (ptr->flat + type->flat > ptr->var->type->flat) {
        spv_fail(s, "load beyond the variable");
    } else if (ptr->var->kind == SPV_VAR_SLOTS && !ptr->index) {
        if (type->flat)
            memcpy(out->v, s->slots + ptr->var->slot + ptr->flat, type->flat * sizeof(out->v[0]));
        if (out->ptr)
            out->ptr->is_explicit = true;
    } else {
        for (uint32_t i = 0; i < type->flat; i++)
            out->v[i] = load_indexed(s, ptr, spv_flat_type(type, i), i);
    }
}

void
spv_store_to(struct spv *s, const struct spv_value *p, const struct spv_value *value)
{
    const struct spv_pointer *ptr = p->ptr;
    const uint32_t flat = value->type->flat;

    if (p->v) {
        const struct spv_place place = pointer_place(s, p);
        spv_store_memory(s, value->type, &place, value->v);
    } else if (!ptr->var || ptr->flat + flat > ptr->var->type->flat) {
        spv_fail(s, "store beyond the variable");
    } else if (ptr->var->kind == SPV_VAR_SLOTS && !ptr->index) {
        if (flat)
            memcpy(s->slots + ptr->var->slot + ptr->flat, value->v, flat * sizeof(value->v[0]));
    } else {
        for (uint32_t i = 0; i < flat; i++)
            store_indexed(s, ptr, i, value->v[i]);
    }
}

void
spv_load(struct spv *s)
{
    const struct spv_value *p = spv_operand(s, 3);
    const struct spv_type *type = spv_type(s, spv_word(s, 1));
    if (spv_pointee(s, p->type) != type)
        spv_fail(s, "bad result type");
    spv_load_from(s, p, spv_result(s));
}

void
spv_store(struct spv *s)
{
    const struct spv_value *p = spv_operand(s, 1);
    const struct spv_value *value = spv_operand(s, 2);
    if (spv_pointee(s, p->type) != value->type || p->type->storage == SPV_UNIFORM_CONSTANT)
        spv_fail(s, "bad store");
    spv_store_to(s, p, value);
}

void
spv_copy_memory(struct spv *s)
{
    const struct spv_value *to = spv_operand(s, 1);
    const struct spv_value *from = spv_operand(s, 2);
    const struct spv_type *type = spv_pointee(s, to->type);
    if (spv_pointee(s, from->type) != type)
        spv_fail(s, "bad copy");
    struct spv_value *value = spv_new_value(s, type);
    spv_load_from(s, from, value);
    spv_store_to(s, to, value);
}

void
spv_array_length(struct spv *s)
{
    const struct spv_value *p = spv_operand(s, 3);
    const struct spv_type *type = spv_pointee(s, p->type);
    const uint32_t member = spv_word(s, 4);
    if (!p->v || p->type->storage == SPV_UNIFORM_CONSTANT || type->kind != SPV_T_STRUCT ||
        member >= type->count || type->members[member].type->kind != SPV_T_RUNTIME_ARRAY ||
        !type->members[member].type->array_stride_B)
        spv_fail(s, "bad array length");

    struct ir_program *ir = s->ir;
    struct ir_instr *size = ir_make(ir, IR_SIZE, IR_I, 1);
    size->args[0] = p->v[0];
    ir_place(ir, size);
    const uint32_t first_B = type->members[member].offset_B;
    struct ir_instr *begin = ir_bin(ir, IR_UMIN, size, ir_i(ir, first_B));
    struct ir_instr *bytes = ir_bin(ir, IR_ISUB, size, begin);
    spv_set_result(s, ir_bin(ir, IR_UDIV, bytes,
                             ir_i(ir, type->members[member].type->array_stride_B)));
}

/* OpPtrEqual, OpPtrNotEqual, OpPtrDiff. */
void
spv_pointer_compare(struct spv *s)
{
    struct ir_program *ir = s->ir;
    const struct spv_value *a = spv_operand(s, 3);
    const struct spv_value *b = spv_operand(s, 4);
    if (!a->v || !b->v || a->type != b->type || a->type->kind != SPV_T_POINTER ||
        a->type->storage == SPV_PHYSICAL_STORAGE_BUFFER ||
        a->type->storage == SPV_UNIFORM_CONSTANT)
        spv_fail(s, "pointers cannot be compared");

    if (spv_opcode(s->at) == SPV_OP_PTR_DIFF) {
        const uint32_t stride_B = a->ptr->is_explicit ? a->type->array_stride_B
                                                      : spv_pointee(s, a->type)->natural_B;
        struct ir_instr *r = ir_bin(ir, IR_SDIV, ir_bin(ir, IR_ISUB, a->v[1], b->v[1]),
                                    ir_i(ir, stride_B ? stride_B : 1));
        const bool is_wide = spv_type(s, spv_word(s, 1))->width == 64;
        spv_set_result(s, is_wide ? ir_un(ir, IR_I2L, r) : r);
        return;
    }
    struct ir_instr *same = ir_bin(ir, IR_BAND, ir_bin(ir, IR_IEQ, a->v[0], b->v[0]),
                                   ir_bin(ir, IR_IEQ, a->v[1], b->v[1]));
    spv_set_result(s, spv_opcode(s->at) == SPV_OP_PTR_EQUAL ? same : ir_not(ir, same));
}

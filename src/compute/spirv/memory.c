/* SPDX-License-Identifier: MIT */
/* Values in memory: buffers, workgroup memory, addresses. One IR access for each scalar or packed
 * vector of a type.
 */
#include "compute/spirv/access.h"
#include "compute/spirv/pointer.h"
#include "compute/spirv/scalar.h"
#include "compute/spirv/translate.h"

static struct ir_instr *
access_make(struct spv *s, enum ir_op op, enum ir_type type, const struct spv_place *place,
            uint32_t extra_args)
{
    struct ir_instr *access = ir_make(s->ir, op, type, 2 + extra_args);
    access->args[0] = place->handle;
    access->args[1] = place->offset;
    access->within = place->layout.within;
    return access;
}

/* What was read, as the IR keeps that type. */
static struct ir_instr *
from_memory(struct spv *s, const struct spv_type *scalar, struct ir_instr *raw)
{
    if (scalar->kind == SPV_T_BOOL)
        return ir_bin(s->ir, IR_INE, raw, ir_i(s->ir, 0));
    if (spv_is_half(scalar))
        return ir_un(s->ir, IR_H2F, raw);
    if (scalar->is_bfloat)
        return ir_bin(s->ir, IR_SHL, raw, ir_i(s->ir, 16));
    return raw;
}

static struct ir_instr *
to_memory(struct spv *s, const struct spv_type *scalar, struct ir_instr *value)
{
    if (scalar->kind == SPV_T_BOOL)
        return ir_select(s->ir, value, ir_i(s->ir, 1), ir_i(s->ir, 0));
    if (spv_is_half(scalar))
        return ir_un(s->ir, IR_F2H, value);
    if (scalar->is_bfloat)
        return ir_bin(s->ir, IR_SHR, value, ir_i(s->ir, 16));
    return value;
}

static void
note_load(struct spv *s, const struct spv_place *place, uint32_t size_B)
{
    if (s->ir->has_accesses)
        spv_note_access(s, place->handle, place->offset, RP_ACCESS_READ, size_B);
}

/* With what it writes: two invocations that write the same do not disturb each other. */
static void
note_store(struct spv *s, const struct ir_instr *store)
{
    if (!s->ir->has_accesses)
        return;
    struct ir_instr *access = spv_note_access(s, store->args[0], store->args[1], RP_ACCESS_WRITE,
                                              (uint32_t)store->aux * store->comps);
    if (!access || store->comps > RP_MAX_ACCESS_VALUES)
        return;
    struct ir_instr **args = ir_alloc(s->ir, store->arg_count, sizeof(args[0]));
    for (uint32_t a = 0; a < store->arg_count; a++)
        args[a] = store->args[a];
    access->args = args;
    access->arg_count = store->arg_count;
    access->aux = store->aux;
}

static void
load_scalars(struct spv *s, const struct spv_type *scalar, uint32_t count,
             const struct spv_place *place, struct ir_instr **out)
{
    const enum ir_type type = spv_scalar_size(scalar) == 8 ? IR_L : IR_I;
    note_load(s, place, count * spv_scalar_size(scalar));
    struct ir_instr *load = access_make(s, IR_LOAD, type, place, 0);
    load->aux = (uint8_t)spv_scalar_size(scalar);
    load->comps = (uint8_t)count;
    load->is_const_mem = place->is_const;
    ir_place(s->ir, load);
    if (count == 1) {
        out[0] = from_memory(s, scalar, load);
        return;
    }

    load->projs = ir_alloc(s->ir, count, sizeof(load->projs[0]));
    for (uint32_t i = 0; i < count; i++) {
        struct ir_instr *proj = ir_make(s->ir, IR_PROJ, type, 1);
        proj->args[0] = load;
        proj->imm = i;
        ir_place(s->ir, proj);
        load->projs[i] = proj;
        out[i] = proj;
    }
    for (uint32_t i = 0; i < count; i++)
        out[i] = from_memory(s, scalar, out[i]);
}

static void
store_scalars(struct spv *s, const struct spv_type *scalar, uint32_t count,
              const struct spv_place *place, struct ir_instr *const *values)
{
    struct ir_instr *store = access_make(s, IR_STORE, IR_VOID, place, count);
    store->aux = (uint8_t)spv_scalar_size(scalar);
    store->comps = (uint8_t)count;
    for (uint32_t i = 0; i < count; i++)
        store->args[2 + i] = to_memory(s, scalar, values[i]);
    note_store(s, store);
    ir_place(s->ir, store);
}

static struct spv_place
place_at(struct spv *s, const struct spv_place *place, uint32_t offset_B)
{
    struct spv_place sub = *place;
    sub.offset = ir_bin(s->ir, IR_IADD, place->offset, ir_i(s->ir, offset_B));
    sub.layout.comp_stride_B = 0;
    return sub;
}

/* Part i of a composite in memory. */
static struct spv_place
sub_place(struct spv *s, const struct spv_type *type, const struct spv_place *place, uint32_t i)
{
    const struct spv_pointer *layout = &place->layout;
    uint32_t offset_B = spv_natural_offset(type, i);
    if (!layout->is_explicit)
        return place_at(s, place, offset_B);

    struct spv_place sub;
    switch (type->kind) {
    case SPV_T_VECTOR:
        return place_at(s, place, i * layout->comp_stride_B);
    case SPV_T_MATRIX:
        sub = place_at(s, place,
                       i * (layout->is_row_major ? spv_scalar_size(type->elem->elem)
                                                 : layout->matrix_stride_B));
        sub.layout.comp_stride_B = layout->is_row_major ? layout->matrix_stride_B : 0;
        return sub;
    case SPV_T_STRUCT:
        sub = place_at(s, place, type->members[i].offset_B);
        sub.layout.matrix_stride_B = type->members[i].matrix_stride_B;
        sub.layout.is_row_major = type->members[i].is_row_major;
        return sub;
    default:
        return place_at(s, place, i * type->array_stride_B);
    }
}

static void
load_pointer(struct spv *s, const struct spv_type *type, const struct spv_place *place,
             struct ir_instr **out)
{
    if (type->storage != SPV_PHYSICAL_STORAGE_BUFFER)
        spv_fail(s, "pointer in memory");
    note_load(s, place, 8);
    struct ir_instr *load = access_make(s, IR_LOAD, IR_L, place, 0);
    load->aux = 8;
    load->is_const_mem = place->is_const;
    ir_place(s->ir, load);
    out[0] = load;
    out[1] = ir_i(s->ir, 0);
}

static bool
is_packed_vector(const struct spv_type *type, const struct spv_place *place)
{
    return type->kind == SPV_T_VECTOR && place->layout.comp_stride_B == 0;
}

void
spv_load_memory(struct spv *s, const struct spv_type *type, const struct spv_place *place,
                struct ir_instr **out)
{
    if (type->kind <= SPV_T_FLOAT && type->flat == 1) {
        load_scalars(s, type, 1, place, out);
    } else if (is_packed_vector(type, place)) {
        load_scalars(s, type->elem, type->count, place, out);
    } else if (type->kind == SPV_T_POINTER) {
        load_pointer(s, type, place, out);
    } else if (type->kind < SPV_T_VECTOR || type->kind > SPV_T_STRUCT) {
        spv_fail(s, "type cannot be in memory");
    } else {
        for (uint32_t i = 0; i < type->count; i++) {
            const struct spv_place sub = sub_place(s, type, place, i);
            spv_load_memory(s, spv_sub_type(s, type, i), &sub, out + spv_sub_flat(s, type, i));
        }
    }
}

static void
store_pointer(struct spv *s, const struct spv_type *type, const struct spv_place *place,
              struct ir_instr *const *values)
{
    if (type->storage != SPV_PHYSICAL_STORAGE_BUFFER)
        spv_fail(s, "pointer in memory");
    struct ir_instr *store = access_make(s, IR_STORE, IR_VOID, place, 1);
    store->aux = 8;
    store->comps = 1;
    store->args[2] = ir_bin(s->ir, IR_IADD64, values[0], ir_un(s->ir, IR_I2L, values[1]));
    note_store(s, store);
    ir_place(s->ir, store);
}

void
spv_store_memory(struct spv *s, const struct spv_type *type, const struct spv_place *place,
                 struct ir_instr *const *values)
{
    if (type->kind <= SPV_T_FLOAT && type->flat == 1) {
        store_scalars(s, type, 1, place, values);
    } else if (is_packed_vector(type, place)) {
        store_scalars(s, type->elem, type->count, place, values);
    } else if (type->kind == SPV_T_POINTER) {
        store_pointer(s, type, place, values);
    } else if (type->kind < SPV_T_VECTOR || type->kind > SPV_T_STRUCT) {
        spv_fail(s, "type cannot be in memory");
    } else {
        for (uint32_t i = 0; i < type->count; i++) {
            const struct spv_place sub = sub_place(s, type, place, i);
            spv_store_memory(s, spv_sub_type(s, type, i), &sub, values + spv_sub_flat(s, type, i));
        }
    }
}

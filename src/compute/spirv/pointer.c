/* SPDX-License-Identifier: MIT */
/* Access chains, loads and stores.
 */
#include "compute/spirv/pointer.h"

#include "compute/ir/limits.h"
#include "compute/ir/range.h"
#include "compute/spirv/binding.h"
#include "compute/spirv/heap.h"
#include "compute/spirv/scalar.h"
#include "compute/spirv/translate.h"

#include <string.h>

/* An index as 32 bits, signed. is_bounded: one that has more is the largest number. */
static struct ir_instr *
index_value(struct spv *s, uint32_t word, bool is_bounded)
{
    const struct spv_value *index = spv_operand(s, word);
    if (index->type->kind != SPV_T_INT)
        spv_fail(s, "index is not an integer");
    if (index->type->width == 64) {
        struct ir_instr *value = index->v[0];
        if (is_bounded)
            value = ir_bin(s->ir, IR_UMIN64, value, ir_const(s->ir, IR_L, INT32_MAX));
        return ir_un(s->ir, IR_L2I, value);
    }
    return spv_extend(s, index->type, index->type->is_signed, index->v[0]);
}

static struct ir_instr *
times(struct spv *s, struct ir_instr *index, uint32_t stride)
{
    return ir_bin(s->ir, IR_IMUL, index, ir_i(s->ir, stride));
}

/* Is value <= limit for certain? */
static bool
is_at_most(const struct spv *s, const struct ir_instr *value, uint32_t limit)
{
    const struct ir_range range = ir_range_of(s->ir, value, NULL, 0);
    return range.is_known && range.hi <= limit;
}

static bool
is_exact(const struct spv *s, const struct spv_value *p)
{
    return s->wants_exact_bounds && p->v[0]->type != IR_L && !ir_is_own_memory(p->v[0]);
}

/* An index that takes the pointer no further than that: a runtime array to where no buffer
 * reaches, others beyond their end, so that no sum of offsets is 4 GiB. */
static struct ir_instr *
within_reach(struct spv *s, const struct spv_value *p, const struct spv_type *type,
             struct ir_instr *index, uint32_t stride_B)
{
    if (!is_exact(s, p) || !stride_B)
        return index;
    const uint32_t reach_B = type->kind == SPV_T_RUNTIME_ARRAY ? 1u << 31 : 1u << 26;
    const uint32_t reach = (reach_B - 1) / stride_B + 1;
    const uint32_t limit = type->count > reach ? type->count : reach;
    if (is_at_most(s, index, limit))
        return index;
    return ir_bin(s->ir, IR_UMIN, index, ir_i(s->ir, limit));
}

static struct ir_instr *
scaled(struct spv *s, const struct spv_value *p, const struct spv_type *type,
       struct ir_instr *index, uint32_t stride_B)
{
    return times(s, within_reach(s, p, type, index, stride_B), stride_B);
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
        add = scaled(s, p, type, index, type->elem->natural_B);
    } else if (type->kind == SPV_T_MATRIX) {
        const uint32_t comp_B = spv_scalar_size(type->elem->elem);
        add = scaled(s, p, type, index, ptr->is_row_major ? comp_B : ptr->matrix_stride_B);
        ptr->comp_stride_B = ptr->is_row_major ? ptr->matrix_stride_B : 0;
    } else if (type->kind == SPV_T_VECTOR) {
        const uint32_t comp_B = spv_scalar_size(type->elem);
        add = scaled(s, p, type, index, ptr->comp_stride_B ? ptr->comp_stride_B : comp_B);
        ptr->comp_stride_B = 0;
    } else {
        add = scaled(s, p, type, index, type->array_stride_B);
        ptr->element_B = type->array_stride_B;
    }
    p->v[1] = ir_bin(s->ir, IR_IADD, p->v[1], add);
}

/* Steps into an array of descriptors. */
static void
step_descriptor(struct spv *s, struct spv_value *p, const struct spv_type *type,
                struct ir_instr *index)
{
    if (p->ptr->var->mapping) {
        spv_heap_element(s, p, index);
        return;
    }
    struct ir_instr *bounded =
        ir_bin(s->ir, IR_UMIN, index, ir_i(s->ir, spv_descriptor_limit(type)));
    p->v[0] = ir_bin(s->ir, IR_IADD, p->v[0], bounded);
}

static void
step_local(struct spv *s, struct spv_value *p, const struct spv_type *type, struct ir_instr *index)
{
    struct spv_pointer *ptr = p->ptr;

    if (type->count == 0)
        spv_fail(s, "part of what has none");
    if (ir_is_const(index)) {
        const uint32_t i = (uint32_t)index->imm;
        /* An index out of bounds is undefined: take the last part. */
        const uint32_t part = i < type->count ? i : type->count - 1;
        const uint64_t flat = type->kind == SPV_T_STRUCT ? spv_sub_flat(s, type, i)
                                                         : (uint64_t)type->elem->flat * part;
        if (flat > IR_MAX_FLAT - ptr->flat)
            spv_fail(s, "variable is too large");
        ptr->flat += (uint32_t)flat;
        return;
    }
    const struct ir_instr *last = ir_i(s->ir, type->count - 1);
    struct ir_instr *bounded = ir_bin(s->ir, IR_UMIN, index, (struct ir_instr *)last);
    struct ir_instr *flat = times(s, bounded, type->elem->flat);
    ptr->index = ptr->index ? ir_bin(s->ir, IR_IADD, ptr->index, flat) : flat;
}

static bool
is_array(const struct spv_type *type)
{
    return type->kind == SPV_T_ARRAY || type->kind == SPV_T_RUNTIME_ARRAY;
}

static bool
is_buffer(uint32_t storage)
{
    return storage == SPV_UNIFORM || storage == SPV_STORAGE_BUFFER;
}

/* The first step from a variable that is an array of blocks, images or samplers. */
static bool
is_descriptor_array(const struct spv_value *p, const struct spv_type *type, uint32_t storage)
{
    return is_array(type) && p->ptr->var && is_array(p->ptr->var->type) &&
           (storage == SPV_UNIFORM_CONSTANT || is_buffer(storage));
}

static const struct spv_type *
chain_step(struct spv *s, struct spv_value *p, const struct spv_type *type, uint32_t storage,
           uint32_t word)
{
    const bool is_bounded = s->wants_exact_bounds && is_buffer(storage);
    struct ir_instr *index = index_value(s, word, is_bounded);
    if (type->kind == SPV_T_STRUCT && !ir_is_const(index))
        spv_fail(s, "member index is not constant");
    const struct spv_type *sub =
        spv_sub_type(s, type, type->kind == SPV_T_STRUCT ? (uint32_t)index->imm : 0);

    if (p->ptr->heap) {
        spv_heap_step(s, p, type, index);
    } else if (is_descriptor_array(p, type, storage)) {
        step_descriptor(s, p, type, index);
        p->ptr->var = NULL; /* the next array is inside the block */
    } else if (p->v && storage != SPV_UNIFORM_CONSTANT) {
        step_memory(s, p, type, index);
    } else {
        step_local(s, p, type, index);
    }
    return sub;
}

/* What arithmetic on a pointer to that type counts in. */
static uint32_t
element_size(const struct spv_value *p, const struct spv_type *pointer,
             const struct spv_type *pointee)
{
    if (!p->ptr->is_explicit)
        return pointee->natural_B;
    if (pointer->array_stride_B)
        return pointer->array_stride_B;
    return p->ptr->element_B ? p->ptr->element_B : pointee->natural_B;
}

/* The offset behind pointer arithmetic: by elements, which may be negative. With exact bounds it
 * stays within [-512 MiB, 2.5 GiB], where no buffer is but from 0 on and no sum of steps wraps. */
static struct ir_instr *
moved(struct spv *s, const struct spv_value *p, uint32_t word, uint32_t stride_B)
{
    const uint64_t bias_B = 1u << 30;
    struct ir_program *ir = s->ir;
    const struct spv_value *index = spv_operand(s, word);
    struct ir_instr *element = index_value(s, word, false);
    struct ir_instr *sum = ir_bin(ir, IR_IADD, p->v[1], times(s, element, stride_B));
    const bool is_wide = index->type->width == 64;
    if (!is_exact(s, p) || (!is_wide && is_at_most(s, sum, 1u << 31)))
        return sum;

    struct ir_instr *wide = is_wide ? index->v[0] : ir_un(ir, IR_I2L, element);
    if (is_wide) {
        wide = ir_bin(ir, IR_SMAX64, wide, ir_const(ir, IR_L, (uint64_t)INT32_MIN));
        wide = ir_bin(ir, IR_SMIN64, wide, ir_const(ir, IR_L, INT32_MAX));
    }
    wide = ir_bin(ir, IR_IMUL64, wide, ir_const(ir, IR_L, stride_B));
    struct ir_instr *from = ir_bin(ir, IR_IADD, p->v[1], ir_i(ir, (uint32_t)bias_B));
    wide = ir_bin(ir, IR_IADD64, wide, ir_un(ir, IR_U2L, from));
    wide = ir_bin(ir, IR_SMAX64, wide, ir_const(ir, IR_L, bias_B / 2));
    wide = ir_bin(ir, IR_SMIN64, wide, ir_const(ir, IR_L, bias_B / 2 * 7));
    return ir_bin(ir, IR_ISUB, ir_un(ir, IR_L2I, wide), ir_i(ir, (uint32_t)bias_B));
}

/* The pointer that a chain starts as: base, under the type of the result. */
static struct spv_value *
chain_begin(struct spv *s, const struct spv_type *result_type, const struct spv_value *base)
{
    if (result_type->kind != SPV_T_POINTER || base->type->kind != SPV_T_POINTER ||
        result_type->storage != base->type->storage)
        spv_fail(s, "bad result type");

    struct spv_value *p = spv_new_value(s, result_type);
    if (base->ptr)
        *p->ptr = *base->ptr;
    if (base->v && p->v)
        memcpy(p->v, base->v, base->type->flat * sizeof(p->v[0]));
    if (base->type->storage == SPV_UNIFORM_CONSTANT) {
        p->v = ir_alloc(s->ir, 2, sizeof(p->v[0])); /* the second one: of a combined sampler */
        p->v[0] = base->v ? base->v[0] : ir_i(s->ir, base->ptr->var ? base->ptr->var->handle : 0);
        p->v[1] = base->v ? base->v[1] : NULL;
    }
    return p;
}

/* OpAccessChain, OpPtrAccessChain, their InBounds and their untyped forms. */
void
spv_access_chain(struct spv *s)
{
    const enum spv_op op = spv_opcode(s->at);
    const bool is_untyped = op >= SPV_OP_UNTYPED_ACCESS_CHAIN;
    const bool has_element =
        op == SPV_OP_PTR_ACCESS_CHAIN || op == SPV_OP_IN_BOUNDS_PTR_ACCESS_CHAIN ||
        op == SPV_OP_UNTYPED_PTR_ACCESS_CHAIN || op == SPV_OP_UNTYPED_IN_BOUNDS_PTR_ACCESS_CHAIN;
    uint32_t word = is_untyped ? 4 : 3;
    const struct spv_value *base = spv_operand(s, word++);
    const struct spv_type *result_type = spv_type(s, spv_word(s, 1));
    struct spv_value *p = chain_begin(s, result_type, base);
    const struct spv_type *type =
        is_untyped ? spv_type(s, spv_word(s, 3)) : spv_pointee(s, base->type);

    if (has_element) {
        if (!p->v || base->type->storage == SPV_UNIFORM_CONSTANT)
            spv_fail(s, "pointer arithmetic on a variable");
        p->v[1] = moved(s, p, word++, element_size(p, base->type, type));
    }
    for (; word < spv_word_count(s->at); word++)
        type = chain_step(s, p, type, base->type->storage, word);
    if (!spv_points_to(s, result_type, type))
        spv_fail(s, "result does not point to what the chain ends at");
    spv_set(s, spv_word(s, 2), p);
}

static struct spv_place
pointer_place(struct spv *s, const struct spv_value *p)
{
    if (!p->v)
        spv_fail(s, "not a pointer to memory");
    struct spv_place place = {.handle = p->v[0], .offset = p->v[1], .layout = *p->ptr};
    place.is_const =
        p->ptr->is_const || (ir_is_own_memory(p->v[0]) &&
                             ir_static_memory(s->ir, p->v[0]) != (int32_t)IR_MEMORY_SHARED);
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
        load->args[0] = ir_i(ir, IR_OWN_HANDLE(IR_MEMORY_TABLE));
        load->args[1] = ir_bin(ir, IR_IADD, times(s, flat, var->scalar_B), ir_i(ir, var->offset_B));
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
    if (!p->v && !p->ptr->var)
        spv_fail(s, "pointer to nothing");
    if (p->ptr->heap && (out->type->kind < SPV_T_IMAGE || out->type->kind > SPV_T_SAMPLED_IMAGE))
        spv_fail(s, "no image or sampler");
    struct ir_instr *handle = p->ptr->heap ? spv_heap_handle(s, p)
                              : p->v       ? p->v[0]
                                           : ir_i(s->ir, p->ptr->var->handle);
    for (uint32_t i = 0; i < out->type->flat; i++)
        out->v[i] = p->ptr->has_sampler && i ? p->v[1] : handle;
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

/* Masks of Memory Operands (SPIR-V 3.26) from word w on, one of a load, up to two of a copy, each
 * with its operands behind it: is what other workgroups write meanwhile read? Compilers for the
 * Vulkan memory model make each read of a shared variable visible. */
static void
note_watched(struct spv *s, const struct spv_value *from, uint32_t w)
{
    while (from->type->storage != SPV_WORKGROUP && w < spv_word_count(s->at)) {
        const uint32_t mask = spv_word(s, w);
        s->ir->is_watched |= mask & (SPV_MEMORY_VOLATILE | SPV_MEMORY_MAKE_POINTER_VISIBLE);
        w += 1 + (mask & SPV_MEMORY_ALIGNED ? 1 : 0) +
             (mask & SPV_MEMORY_MAKE_POINTER_AVAILABLE ? 1 : 0) +
             (mask & SPV_MEMORY_MAKE_POINTER_VISIBLE ? 1 : 0);
    }
}

void
spv_load(struct spv *s)
{
    const struct spv_value *p = spv_operand(s, 3);
    const struct spv_type *type = spv_type(s, spv_word(s, 1));
    if (!spv_points_to(s, p->type, type))
        spv_fail(s, "bad result type");
    note_watched(s, p, 4);
    spv_load_from(s, p, spv_result(s));
}

void
spv_store(struct spv *s)
{
    const struct spv_value *p = spv_operand(s, 1);
    const struct spv_value *value = spv_operand(s, 2);
    if (!spv_points_to(s, p->type, value->type) || p->type->storage == SPV_UNIFORM_CONSTANT)
        spv_fail(s, "bad store");
    spv_store_to(s, p, value);
}

void
spv_copy_memory(struct spv *s)
{
    const struct spv_value *to = spv_operand(s, 1);
    const struct spv_value *from = spv_operand(s, 2);
    const bool is_untyped = to->type->kind == SPV_T_POINTER && to->type->elem_id == 0;
    const struct spv_type *type = spv_pointee(s, is_untyped ? from->type : to->type);
    if (!spv_points_to(s, to->type, type) || !spv_points_to(s, from->type, type) ||
        to->type->storage == SPV_UNIFORM_CONSTANT)
        spv_fail(s, "bad copy");
    note_watched(s, from, 3);
    struct spv_value *value = spv_new_value(s, type);
    spv_load_from(s, from, value);
    spv_store_to(s, to, value);
}

/* Bytes of memory: as words where the size is a multiple of that. */
void
spv_copy_memory_sized(struct spv *s)
{
    const struct spv_value *to = spv_operand(s, 1);
    const struct spv_value *from = spv_operand(s, 2);
    const uint32_t size_B = spv_const_u32(s, spv_word(s, 3));
    if (to->type->kind != SPV_T_POINTER || from->type->kind != SPV_T_POINTER ||
        !spv_type_is_memory(to->type) || !spv_type_is_memory(from->type) || size_B > IR_MAX_FLAT)
        spv_fail(s, "bad copy");
    note_watched(s, from, 4);

    const uint32_t step_B = size_B % 4 == 0 ? 4 : size_B % 2 == 0 ? 2 : 1;
    const struct spv_type word = {.kind = SPV_T_INT, .width = 8 * step_B, .flat = 1};
    struct spv_place source = pointer_place(s, from), target = pointer_place(s, to);
    struct ir_instr **words = ir_alloc(s->ir, size_B / step_B + 1, sizeof(words[0]));
    struct ir_instr *step = ir_i(s->ir, step_B);
    for (uint32_t i = 0; i < size_B / step_B; i++) {
        spv_load_memory(s, &word, &source, &words[i]);
        source.offset = ir_bin(s->ir, IR_IADD, source.offset, step);
    }
    for (uint32_t i = 0; i < size_B / step_B; i++) {
        spv_store_memory(s, &word, &target, &words[i]);
        target.offset = ir_bin(s->ir, IR_IADD, target.offset, step);
    }
}

void
spv_array_length(struct spv *s)
{
    const bool is_untyped = spv_opcode(s->at) == SPV_OP_UNTYPED_ARRAY_LENGTH;
    const struct spv_value *p = spv_operand(s, is_untyped ? 4 : 3);
    const struct spv_type *type =
        is_untyped ? spv_type(s, spv_word(s, 3)) : spv_pointee(s, p->type);
    const uint32_t member = spv_word(s, is_untyped ? 5 : 4);
    if (!p->v || p->type->kind != SPV_T_POINTER || p->type->storage == SPV_UNIFORM_CONSTANT ||
        type->kind != SPV_T_STRUCT || member >= type->count ||
        type->members[member].type->kind != SPV_T_RUNTIME_ARRAY ||
        !type->members[member].type->array_stride_B)
        spv_fail(s, "bad array length");

    struct ir_program *ir = s->ir;
    /* Nobody knows where memory at an address ends. */
    struct ir_instr *size = ir_i(ir, UINT32_MAX);
    if (p->v[0]->type != IR_L) {
        size = ir_make(ir, IR_SIZE, IR_I, 1);
        size->args[0] = p->v[0];
        ir_place(ir, size);
    }
    const uint32_t first_B = type->members[member].offset_B;
    struct ir_instr *begin = ir_bin(ir, IR_UMIN, size, ir_i(ir, first_B));
    struct ir_instr *bytes = ir_bin(ir, IR_ISUB, size, begin);
    spv_set_result(
        s, ir_bin(ir, IR_UDIV, bytes, ir_i(ir, type->members[member].type->array_stride_B)));
}

/* OpPtrDiff: in elements; in bytes where a pointer does not say what it points to. */
static void
pointer_difference(struct spv *s, const struct spv_value *a, const struct spv_value *b)
{
    struct ir_program *ir = s->ir;
    const bool is_untyped = !a->type->elem_id || !b->type->elem_id;
    const uint32_t element_B = is_untyped ? 1 : element_size(a, a->type, spv_pointee(s, a->type));
    struct ir_instr *r = ir_bin(ir, IR_SDIV, ir_bin(ir, IR_ISUB, a->v[1], b->v[1]),
                                ir_i(ir, element_B ? element_B : 1));
    const bool is_wide = spv_type(s, spv_word(s, 1))->width == 64;
    spv_set_result(s, is_wide ? ir_un(ir, IR_I2L, r) : r);
}

/* OpPtrEqual, OpPtrNotEqual, OpPtrDiff. */
void
spv_pointer_compare(struct spv *s)
{
    struct ir_program *ir = s->ir;
    const struct spv_value *a = spv_operand(s, 3);
    const struct spv_value *b = spv_operand(s, 4);
    if (!a->v || !b->v || a->type->kind != SPV_T_POINTER || b->type->kind != SPV_T_POINTER ||
        a->type->storage != b->type->storage || !spv_type_is_memory(a->type) ||
        a->type->storage == SPV_PHYSICAL_STORAGE_BUFFER ||
        (a->type != b->type && a->type->elem_id && b->type->elem_id))
        spv_fail(s, "pointers cannot be compared");

    if (spv_opcode(s->at) == SPV_OP_PTR_DIFF) {
        pointer_difference(s, a, b);
        return;
    }
    if (a->v[0]->type == IR_L || b->v[0]->type == IR_L)
        spv_fail(s, "pointers to addresses cannot be compared");
    struct ir_instr *same = ir_bin(ir, IR_BAND, ir_bin(ir, IR_IEQ, a->v[0], b->v[0]),
                                   ir_bin(ir, IR_IEQ, a->v[1], b->v[1]));
    spv_set_result(s, spv_opcode(s->at) == SPV_OP_PTR_EQUAL ? same : ir_not(ir, same));
}

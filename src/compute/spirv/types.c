/* SPDX-License-Identifier: MIT */
/* Types. They are declared before they are used (but for pointers), so there are no cycles.
 */
#include "compute/spirv/type.h"

#include "compute/ir/limits.h"
#include "compute/spirv/translate.h"

#define TOO_MANY (IR_MAX_FLAT + 1)

static uint32_t
flat_mul(uint32_t a, uint32_t b)
{
    const uint64_t product = (uint64_t)a * b;
    return product > IR_MAX_FLAT ? TOO_MANY : (uint32_t)product;
}

static uint32_t
size_mul(uint32_t a, uint32_t b)
{
    const uint64_t product = (uint64_t)a * b;
    return product > UINT32_MAX / 2 ? UINT32_MAX / 2 : (uint32_t)product;
}

static void
type_number(struct spv *s, struct spv_type *t, bool is_float)
{
    t->kind = is_float ? SPV_T_FLOAT : SPV_T_INT;
    t->width = spv_word(s, 2);
    t->flat = 1;
    t->natural_B = t->natural_align_B = t->width / 8;
    t->is_signed = !is_float && spv_word(s, 3);
    t->is_bfloat = is_float && spv_words_left(s, 3);
    if (t->is_bfloat && (t->width != 16 || spv_word(s, 3) != SPV_FP_ENCODING_BFLOAT16))
        spv_fail(s, "float encoding is not supported");
    if (t->width != 16 && t->width != 32 && t->width != 64 && (is_float || t->width != 8))
        spv_fail(s, "width is not supported");
}

static void
type_vector(struct spv *s, struct spv_type *t, bool is_matrix)
{
    t->kind = is_matrix ? SPV_T_MATRIX : SPV_T_VECTOR;
    t->elem = spv_type(s, spv_word(s, 2));
    t->count = spv_word(s, 3);
    const bool is_ok = is_matrix
                           ? t->elem->kind == SPV_T_VECTOR && t->elem->elem->kind == SPV_T_FLOAT
                           : t->elem->kind <= SPV_T_FLOAT && t->elem->kind >= SPV_T_BOOL;
    if (!is_ok || t->count < 2 || t->count > 4)
        spv_fail(s, "bad vector or matrix");
    t->flat = t->count * t->elem->flat;
    t->natural_B = t->count * t->elem->natural_B;
    t->natural_align_B = t->elem->natural_align_B;
}

/* 0: it has no such decoration. */
static uint32_t
first_operand(struct spv *s, uint32_t id, uint32_t member, uint32_t decoration)
{
    const struct spv_decoration *d = spv_decoration(s, id, member, decoration);
    return d && d->operand_count ? d->operands[0] : 0;
}

static void
type_array(struct spv *s, struct spv_type *t, bool is_runtime)
{
    t->kind = is_runtime ? SPV_T_RUNTIME_ARRAY : SPV_T_ARRAY;
    t->elem = spv_type(s, spv_word(s, 2));
    if (t->elem->kind == SPV_T_VOID || t->elem->kind == SPV_T_FUNCTION ||
        t->elem->kind == SPV_T_RUNTIME_ARRAY)
        spv_fail(s, "bad element type");
    if (!is_runtime) {
        t->count = spv_const_u32(s, spv_word(s, 3));
        if (t->count == 0)
            spv_fail(s, "array of no elements");
    }
    const struct spv_decoration *stride = spv_decoration(s, t->id, UINT32_MAX, SPV_ARRAY_STRIDE);
    t->array_stride_B = stride && stride->operand_count ? stride->operands[0] : 0;
    t->array_stride_id = first_operand(s, t->id, UINT32_MAX, SPV_ARRAY_STRIDE_ID);
    t->flat = is_runtime ? TOO_MANY : flat_mul(t->elem->flat, t->count);
    t->natural_B = size_mul(t->elem->natural_B, t->count);
    t->natural_align_B = t->elem->natural_align_B;
}

static uint64_t
align_up(uint64_t value, uint32_t to)
{
    return (value + to - 1) & ~((uint64_t)to - 1);
}

/* Atomics want their words aligned. */
static uint32_t
natural_member_align(const struct spv_type *type)
{
    return type->natural_align_B > 4 ? type->natural_align_B : 4;
}

static void
type_struct(struct spv *s, struct spv_type *t)
{
    t->kind = SPV_T_STRUCT;
    t->count = spv_words_left(s, 2);
    struct spv_member *members = ir_alloc(s->ir, t->count + 1, sizeof(*members));
    t->members = members;
    t->has_block = spv_decoration(s, t->id, UINT32_MAX, SPV_BLOCK) != NULL;
    t->is_buffer_block = spv_decoration(s, t->id, UINT32_MAX, SPV_BUFFER_BLOCK) != NULL;
    for (uint32_t i = 0; i < t->count; i++) {
        struct spv_member *m = &members[i];
        const struct spv_decoration *offset = spv_decoration(s, t->id, i, SPV_OFFSET);
        const struct spv_decoration *stride = spv_decoration(s, t->id, i, SPV_MATRIX_STRIDE);
        m->type = spv_type(s, spv_word(s, 2 + i));
        if (m->type->kind == SPV_T_VOID || m->type->kind == SPV_T_FUNCTION)
            spv_fail(s, "bad member type");
        m->offset_B = offset && offset->operand_count ? offset->operands[0] : 0;
        m->matrix_stride_B = stride && stride->operand_count ? stride->operands[0] : 0;
        m->offset_id = first_operand(s, t->id, i, SPV_OFFSET_ID);
        m->is_row_major = spv_decoration(s, t->id, i, SPV_ROW_MAJOR) != NULL;
        const uint32_t flat = t->flat + m->type->flat;
        t->flat = flat > IR_MAX_FLAT ? TOO_MANY : flat;
        const uint32_t align_B = natural_member_align(m->type);
        const uint64_t begin_B = align_up(t->natural_B, align_B);
        const uint64_t size_B = begin_B + m->type->natural_B;
        t->natural_B = size_B > UINT32_MAX / 2 ? UINT32_MAX / 2 : (uint32_t)size_B;
        t->natural_align_B = t->natural_align_B > align_B ? t->natural_align_B : align_B;
    }
    t->natural_B = (uint32_t)align_up(t->natural_B, t->count ? t->natural_align_B : 1);
}

static void
type_image(struct spv *s, struct spv_type *t)
{
    t->kind = SPV_T_IMAGE;
    t->elem = spv_type(s, spv_word(s, 2));
    t->image.dim = (uint8_t)spv_word(s, 3);
    t->image.is_arrayed = spv_word(s, 5) != 0;
    t->image.is_multisampled = spv_word(s, 6) != 0;
    t->image.sampled = (uint8_t)spv_word(s, 7);
    t->flat = 1;
    if (spv_word(s, 3) > SPV_DIM_SUBPASS || t->image.dim == 4 || t->elem->kind == SPV_T_BOOL ||
        t->elem->kind > SPV_T_FLOAT)
        spv_fail(s, "image type is not supported");
}

static void
type_pointer(struct spv *s, struct spv_type *t, bool is_untyped)
{
    t->kind = SPV_T_POINTER;
    t->storage = spv_word(s, 2);
    if (t->storage == SPV_PHYSICAL_STORAGE_BUFFER && !s->has_addresses)
        spv_fail(s, "addresses without their capability");
    t->elem_id = is_untyped ? 0 : spv_word(s, 3);
    const struct spv_decoration *stride = spv_decoration(s, t->id, UINT32_MAX, SPV_ARRAY_STRIDE);
    t->array_stride_B = stride && stride->operand_count ? stride->operands[0] : 0;
    t->flat = spv_type_is_memory(t) ? 2 : 0;
    t->natural_B = t->natural_align_B = 8;
    if (!is_untyped)
        spv_id(s, t->elem_id);
    else if (!spv_type_is_memory(t) && t->storage != SPV_UNIFORM_CONSTANT &&
             t->storage != SPV_IMAGE)
        spv_fail(s, "untyped pointers of this storage class are not supported");
}

static void
type_cooperative(struct spv *s, struct spv_type *t)
{
    const uint32_t scope = spv_const_u32(s, spv_word(s, 3));
    t->kind = SPV_T_COOPERATIVE;
    t->elem = spv_type(s, spv_word(s, 2));
    if ((t->elem->kind != SPV_T_INT && t->elem->kind != SPV_T_FLOAT) ||
        scope != SPV_SCOPE_SUBGROUP || spv_const_u32(s, spv_word(s, 4)) != RP_COOPERATIVE_SIDE ||
        spv_const_u32(s, spv_word(s, 5)) != RP_COOPERATIVE_SIDE)
        spv_fail(s, "cooperative matrix is not supported");
    t->count = RP_COOPERATIVE_SIDE * RP_COOPERATIVE_SIDE / s->ir->subgroup_size;
    t->flat = t->count;
    t->natural_B = t->count * t->elem->natural_B;
    t->natural_align_B = t->elem->natural_align_B;
}

/* OpTypeForwardPointer, of a pointer to a struct that holds such pointers. */
static void
type_forward_pointer(struct spv *s, struct spv_type *t)
{
    t->kind = SPV_T_POINTER;
    t->storage = spv_word(s, 2);
    t->flat = 2;
    t->natural_B = t->natural_align_B = 8;
    if (t->storage != SPV_PHYSICAL_STORAGE_BUFFER || !s->has_addresses)
        spv_fail(s, "bad forward declaration");
}

static void
type_sampled_image(struct spv *s, struct spv_type *t)
{
    t->kind = SPV_T_SAMPLED_IMAGE;
    t->elem = spv_type(s, spv_word(s, 2));
    t->flat = 2;
    if (t->elem->kind != SPV_T_IMAGE)
        spv_fail(s, "not an image type");
}

/* Fills t in from the instruction that declares it. */
static void
type_read(struct spv *s, struct spv_type *t)
{
    switch (spv_opcode(s->at)) {
    case SPV_OP_TYPE_VOID:
        t->kind = SPV_T_VOID;
        break;
    case SPV_OP_TYPE_BOOL:
        *t = (struct spv_type){
            .kind = SPV_T_BOOL, .id = t->id, .flat = 1, .natural_B = 4, .natural_align_B = 4};
        break;
    case SPV_OP_TYPE_INT:
    case SPV_OP_TYPE_FLOAT:
        type_number(s, t, spv_opcode(s->at) == SPV_OP_TYPE_FLOAT);
        break;
    case SPV_OP_TYPE_VECTOR:
    case SPV_OP_TYPE_MATRIX:
        type_vector(s, t, spv_opcode(s->at) == SPV_OP_TYPE_MATRIX);
        break;
    case SPV_OP_TYPE_COOPERATIVE_MATRIX:
        type_cooperative(s, t);
        break;
    case SPV_OP_TYPE_ARRAY:
    case SPV_OP_TYPE_RUNTIME_ARRAY:
        type_array(s, t, spv_opcode(s->at) == SPV_OP_TYPE_RUNTIME_ARRAY);
        break;
    case SPV_OP_TYPE_STRUCT:
        type_struct(s, t);
        break;
    case SPV_OP_TYPE_POINTER:
    case SPV_OP_TYPE_UNTYPED_POINTER:
        type_pointer(s, t, spv_opcode(s->at) == SPV_OP_TYPE_UNTYPED_POINTER);
        break;
    case SPV_OP_TYPE_FORWARD_POINTER:
        type_forward_pointer(s, t);
        break;
    case SPV_OP_TYPE_FUNCTION:
        t->kind = SPV_T_FUNCTION;
        t->elem = spv_type(s, spv_word(s, 2));
        t->count = spv_words_left(s, 3);
        break;
    case SPV_OP_TYPE_IMAGE:
        type_image(s, t);
        break;
    case SPV_OP_TYPE_SAMPLER:
        t->kind = SPV_T_SAMPLER;
        t->flat = 1;
        break;
    case SPV_OP_TYPE_BUFFER:
        t->kind = SPV_T_BUFFER;
        t->storage = spv_word(s, 2);
        t->flat = 1;
        break;
    case SPV_OP_TYPE_SAMPLED_IMAGE:
        type_sampled_image(s, t);
        break;
    default:
        spv_fail(s, "type is not supported");
    }
}

void
spv_add_type(struct spv *s)
{
    struct spv_type *t = spv_id(s, spv_word(s, 1))->type; /* declared forward */
    if (t && (spv_opcode(s->at) != SPV_OP_TYPE_POINTER || t->storage != spv_word(s, 2)))
        spv_fail(s, "bad forward declaration");
    if (!t)
        t = ir_alloc(s->ir, 1, sizeof(*t));
    t->id = spv_word(s, 1);
    type_read(s, t);
    spv_id(s, t->id)->type = t;
}

bool
spv_type_is_memory(const struct spv_type *pointer)
{
    switch (pointer->storage) {
    case SPV_UNIFORM:
    case SPV_STORAGE_BUFFER:
    case SPV_PUSH_CONSTANT:
    case SPV_WORKGROUP:
    case SPV_PHYSICAL_STORAGE_BUFFER:
        return true;
    default:
        return false;
    }
}

enum ir_type
spv_scalar_type(const struct spv_type *scalar)
{
    if (scalar->kind == SPV_T_BOOL)
        return IR_B;
    return scalar->width == 64 ? IR_L : IR_I;
}

uint32_t
spv_scalar_size(const struct spv_type *scalar)
{
    return scalar->kind == SPV_T_BOOL ? 4 : scalar->width / 8;
}

const struct spv_type *
spv_scalar_of(const struct spv_type *type)
{
    return type->kind == SPV_T_VECTOR || type->kind == SPV_T_COOPERATIVE ? type->elem : type;
}

/* Without a layout: elements packed, members aligned to 4 or to their widest number. */
uint32_t
spv_natural_offset(const struct spv_type *type, uint32_t index)
{
    if (type->kind != SPV_T_STRUCT)
        return size_mul(type->elem->natural_B, index);
    uint64_t offset_B = 0;
    for (uint32_t i = 0; i < index; i++)
        offset_B = align_up(offset_B, natural_member_align(type->members[i].type)) +
                   type->members[i].type->natural_B;
    return (uint32_t)align_up(offset_B, natural_member_align(type->members[index].type));
}

const struct spv_type *
spv_flat_type(const struct spv_type *type, uint32_t flat)
{
    for (;;) {
        switch (type->kind) {
        case SPV_T_COOPERATIVE:
        case SPV_T_VECTOR:
        case SPV_T_MATRIX:
        case SPV_T_ARRAY:
            flat %= type->elem->flat ? type->elem->flat : 1;
            type = type->elem;
            break;
        case SPV_T_STRUCT: {
            uint32_t i = 0;
            while (i + 1 < type->count && flat >= type->members[i].type->flat)
                flat -= type->members[i++].type->flat;
            type = type->members[i].type;
            break;
        }
        default:
            return type;
        }
    }
}

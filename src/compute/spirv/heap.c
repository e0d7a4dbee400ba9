/* SPDX-License-Identifier: MIT */
#include "compute/spirv/heap.h"

#include "compute/heap.h"
#include "compute/spirv/binding.h"
#include "compute/spirv/pointer.h"
#include "compute/spirv/translate.h"

#include <string.h>

static bool
is_array(const struct spv_type *type)
{
    return type->kind == SPV_T_ARRAY || type->kind == SPV_T_RUNTIME_ARRAY;
}

/* Decorated itself, or each of its members. */
static bool
is_read_only(struct spv *s, uint32_t id, const struct spv_type *type)
{
    if (spv_decoration(s, id, UINT32_MAX, SPV_NON_WRITABLE))
        return true;
    for (uint32_t i = 0; type->kind == SPV_T_STRUCT && i < type->count; i++)
        if (!spv_decoration(s, type->id, i, SPV_NON_WRITABLE))
            return false;
    return type->kind == SPV_T_STRUCT && type->count;
}

static VkSpirvResourceTypeFlagsEXT
resource_type(struct spv *s, uint32_t id, const struct spv_type *type)
{
    switch (type->kind) {
    case SPV_T_SAMPLER:
        return VK_SPIRV_RESOURCE_TYPE_SAMPLER_BIT_EXT;
    case SPV_T_SAMPLED_IMAGE:
        return VK_SPIRV_RESOURCE_TYPE_COMBINED_SAMPLED_IMAGE_BIT_EXT;
    case SPV_T_IMAGE:
        if (type->image.sampled != 2)
            return VK_SPIRV_RESOURCE_TYPE_SAMPLED_IMAGE_BIT_EXT;
        return is_read_only(s, id, type) ? VK_SPIRV_RESOURCE_TYPE_READ_ONLY_IMAGE_BIT_EXT
                                         : VK_SPIRV_RESOURCE_TYPE_READ_WRITE_IMAGE_BIT_EXT;
    default:
        break;
    }
    if (spv_word(s, 3) == SPV_UNIFORM && !type->is_buffer_block)
        return VK_SPIRV_RESOURCE_TYPE_UNIFORM_BUFFER_BIT_EXT;
    return is_read_only(s, id, type) ? VK_SPIRV_RESOURCE_TYPE_READ_ONLY_STORAGE_BUFFER_BIT_EXT
                                     : VK_SPIRV_RESOURCE_TYPE_READ_WRITE_STORAGE_BUFFER_BIT_EXT;
}

bool
spv_heap_map(struct spv *s, struct spv_var *var, uint32_t id, uint32_t set, uint32_t binding)
{
    const struct spv_type *type = is_array(var->type) ? var->type->elem : var->type;
    for (uint32_t i = 0; i < s->mapping_count; i++) {
        const struct rp_heap_mapping *m = &s->mappings[i];
        if (m->set != set || binding < m->first_binding ||
            binding - m->first_binding >= m->binding_count ||
            !(m->resource_mask & resource_type(s, id, type)))
            continue;
        var->mapping = m;
        var->mapping_index = binding - m->first_binding;
        return true;
    }
    return false;
}

static struct ir_instr *
add(struct spv *s, struct ir_instr *a, struct ir_instr *b)
{
    return ir_bin(s->ir, IR_IADD, a, b);
}

static struct ir_instr *
times(struct spv *s, struct ir_instr *index, uint32_t stride)
{
    return ir_bin(s->ir, IR_IMUL, index, ir_i(s->ir, stride));
}

/* A word or an address of memory that nothing writes meanwhile. Recorders are not told: the module
 * has no such access. */
static struct ir_instr *
load(struct spv *s, struct ir_instr *handle, struct ir_instr *offset, enum ir_type type)
{
    struct ir_instr *instr = ir_make(s->ir, IR_LOAD, type, 2);
    instr->args[0] = handle;
    instr->args[1] = offset;
    instr->aux = type == IR_L ? 8 : 4;
    instr->comps = 1;
    instr->is_const_mem = handle->type == IR_I; /* what an address leads to may be nothing */
    ir_place(s->ir, instr);
    return instr;
}

static struct ir_instr *
load_push(struct spv *s, uint32_t offset_B, enum ir_type type)
{
    s->ir->push_B = RP_MAX_PUSH_CONSTANT_B;
    if (offset_B > RP_MAX_PUSH_CONSTANT_B - (type == IR_L ? 8 : 4))
        spv_fail(s, "mapping beyond the push data");
    return load(s, ir_i(s->ir, IR_OWN_HANDLE(IR_MEMORY_PUSH)), ir_i(s->ir, offset_B), type);
}

/* The handle of a descriptor at an offset. What lies beyond the heap finds none. */
static struct ir_instr *
handle_at(struct spv *s, enum rp_heap_binding heap, struct ir_instr *offset)
{
    struct ir_program *ir = s->ir;
    const uint32_t first = spv_binding_handle(s, RP_HEAP_SET, heap, RP_MAX_HEAP_DESCRIPTORS);
    struct ir_instr *index = ir_bin(ir, IR_UDIV, offset, ir_i(ir, RP_HEAP_DESCRIPTOR_B));
    index = ir_bin(ir, IR_UMIN, index, ir_i(ir, RP_MAX_HEAP_DESCRIPTORS));
    return add(s, ir_i(ir, first), index);
}

/* The number that a mapping finds outside of the module; NULL: it looks for none. */
static struct ir_instr *
found_index(struct spv *s, const struct rp_heap_mapping *m, const struct rp_heap_source *source,
            struct ir_instr *shader_index)
{
    struct ir_instr *offset = ir_i(s->ir, source->address_offset_B);
    switch ((VkDescriptorMappingSourceEXT)m->source) {
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT:
        return load_push(s, source->push_offset_B, IR_I);
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_ARRAY_EXT:
        offset = add(s, offset, times(s, shader_index, 4));
        return load(s, load_push(s, source->push_offset_B, IR_L), offset, IR_I);
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_EXT:
        return load(s, load_push(s, source->push_offset_B, IR_L), offset, IR_I);
    default:
        return NULL;
    }
}

/* Byte offset in the heap. part: which of two packed numbers is the index. */
static struct ir_instr *
heap_offset(struct spv *s, const struct spv_var *var, const struct rp_heap_source *source,
            struct ir_instr *shader_index, bool is_sampler)
{
    const struct rp_heap_mapping *m = var->mapping;
    struct ir_program *ir = s->ir;
    const struct spv_type *type = is_array(var->type) ? var->type->elem : var->type;
    const bool is_packed = m->is_packed && type->kind == SPV_T_SAMPLED_IMAGE;
    struct ir_instr *index = found_index(s, m, is_packed ? &m->resource : source, shader_index);
    struct ir_instr *offset =
        add(s, ir_i(ir, source->heap_offset_B), times(s, shader_index, source->array_stride_B));
    if (!index)
        return offset;
    if (is_packed && is_sampler)
        index = ir_bin(ir, IR_SHR, index, ir_i(ir, 20));
    else if (is_packed)
        index = ir_bin(ir, IR_AND, index, ir_i(ir, 0xfffff));
    return add(s, offset, times(s, index, source->index_stride_B));
}

static struct ir_instr *
sampler_handle(struct spv *s, const struct spv_var *var, const struct rp_heap_source *source,
               struct ir_instr *shader_index)
{
    const uint32_t embedded = var->mapping->embedded;
    if (!embedded)
        return handle_at(s, RP_HEAP_SAMPLERS, heap_offset(s, var, source, shader_index, true));
    return ir_i(s->ir,
                spv_binding_handle(s, RP_HEAP_SET, RP_HEAP_EMBEDDED, RP_MAX_HEAP_DESCRIPTORS) +
                    embedded - 1);
}

/* Does it lead to a buffer's memory, without a descriptor? */
static bool
is_of_buffers(uint32_t source)
{
    return source == VK_DESCRIPTOR_MAPPING_SOURCE_RESOURCE_HEAP_DATA_EXT ||
           source == VK_DESCRIPTOR_MAPPING_SOURCE_PUSH_DATA_EXT ||
           source == VK_DESCRIPTOR_MAPPING_SOURCE_PUSH_ADDRESS_EXT ||
           source == VK_DESCRIPTOR_MAPPING_SOURCE_INDIRECT_ADDRESS_EXT;
}

/* Handle and offset, or two handles, of an element of what is mapped. */
static void
place(struct spv *s, const struct spv_var *var, struct ir_instr *array_index, struct ir_instr *v[2])
{
    struct ir_program *ir = s->ir;
    const struct rp_heap_mapping *m = var->mapping;
    const struct rp_heap_source *source = &m->resource;
    const struct spv_type *type = is_array(var->type) ? var->type->elem : var->type;
    struct ir_instr *index = add(s, array_index, ir_i(ir, var->mapping_index));

    v[1] = ir_i(ir, 0);
    if (is_of_buffers(m->source) && type->kind >= SPV_T_IMAGE)
        spv_fail(s, "mapping source has no descriptors");
    switch ((VkDescriptorMappingSourceEXT)m->source) {
    case VK_DESCRIPTOR_MAPPING_SOURCE_RESOURCE_HEAP_DATA_EXT:
        v[0] = ir_i(ir, spv_binding_handle(s, RP_HEAP_SET, RP_HEAP_BYTES, 1));
        v[1] = add(s, ir_i(ir, source->heap_offset_B), load_push(s, source->push_offset_B, IR_I));
        return;
    case VK_DESCRIPTOR_MAPPING_SOURCE_PUSH_DATA_EXT:
        ir->push_B = RP_MAX_PUSH_CONSTANT_B;
        v[0] = ir_i(ir, IR_OWN_HANDLE(IR_MEMORY_PUSH));
        v[1] = ir_i(ir, source->push_offset_B);
        return;
    case VK_DESCRIPTOR_MAPPING_SOURCE_PUSH_ADDRESS_EXT:
        v[0] = load_push(s, source->push_offset_B, IR_L);
        return;
    case VK_DESCRIPTOR_MAPPING_SOURCE_INDIRECT_ADDRESS_EXT:
        v[0] = load(s, load_push(s, source->push_offset_B, IR_L),
                    ir_i(ir, source->address_offset_B), IR_L);
        return;
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT:
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT:
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_EXT:
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_ARRAY_EXT:
        break;
    default: /* of shader records, which compute shaders have not */
        spv_fail(s, "mapping source is not supported");
    }
    if (type->kind == SPV_T_SAMPLER)
        v[0] = sampler_handle(s, var, source, index);
    else
        v[0] = handle_at(s, RP_HEAP_RESOURCES, heap_offset(s, var, source, index, false));
    if (type->kind == SPV_T_SAMPLED_IMAGE)
        v[1] = sampler_handle(s, var, &m->sampler, index);
}

const struct spv_value *
spv_heap_place(struct spv *s, const struct spv_value *mapped)
{
    struct spv_value *p = ir_alloc(s->ir, 1, sizeof(*p));
    *p = *mapped;
    p->ptr = ir_alloc(s->ir, 1, sizeof(*p->ptr));
    *p->ptr = *mapped->ptr;
    p->ptr->is_mapped = false;
    p->ptr->has_sampler = true;
    p->v = ir_alloc(s->ir, 2, sizeof(p->v[0]));
    place(s, p->ptr->var, ir_i(s->ir, 0), p->v);
    p->ptr->is_const &= p->v[0]->type == IR_I; /* else reads stay where the module has them */
    return p;
}

void
spv_heap_element(struct spv *s, struct spv_value *p, struct ir_instr *index)
{
    place(s, p->ptr->var, index, p->v);
}

void
spv_add_heap(struct spv *s)
{
    const struct spv_type *type = spv_type(s, spv_word(s, 1));
    const uint32_t id = spv_word(s, 2);
    const struct spv_decoration *builtin = spv_decoration(s, id, UINT32_MAX, SPV_BUILT_IN);
    const uint32_t number = builtin && builtin->operand_count ? builtin->operands[0] : 0;

    if (type->kind != SPV_T_POINTER || type->elem_id || type->storage != SPV_UNIFORM_CONSTANT ||
        (number != SPV_RESOURCE_HEAP && number != SPV_SAMPLER_HEAP))
        spv_fail(s, "untyped variable is no heap");
    struct spv_value *value = spv_new_value(s, type);
    value->ptr->heap = number == SPV_RESOURCE_HEAP ? SPV_HEAP_RESOURCES : SPV_HEAP_SAMPLERS;
    value->v = ir_alloc(s->ir, 2, sizeof(value->v[0]));
    value->v[0] = value->v[1] = ir_i(s->ir, 0);
    spv_set(s, id, value);
}

void
spv_heap_step(struct spv *s, struct spv_value *p, const struct spv_type *type,
              struct ir_instr *index)
{
    struct ir_instr *offset;
    if (type->kind == SPV_T_STRUCT) {
        const struct spv_member *m = &type->members[index->imm];
        offset = ir_i(s->ir, m->offset_id ? spv_const_u32(s, m->offset_id) : m->offset_B);
    } else if (is_array(type)) {
        const uint32_t stride_B =
            type->array_stride_id ? spv_const_u32(s, type->array_stride_id) : type->array_stride_B;
        offset = times(s, index, stride_B);
    } else {
        spv_fail(s, "part of a descriptor");
    }
    p->v[0] = add(s, p->v[0], offset);
}

struct ir_instr *
spv_heap_handle(struct spv *s, const struct spv_value *p)
{
    return handle_at(s, p->ptr->heap == SPV_HEAP_SAMPLERS ? RP_HEAP_SAMPLERS : RP_HEAP_RESOURCES,
                     p->v[0]);
}

void
spv_buffer_pointer(struct spv *s)
{
    const struct spv_value *p = spv_operand(s, 3);
    const struct spv_type *type = spv_type(s, spv_word(s, 1));
    if (!p->ptr || p->ptr->heap != SPV_HEAP_RESOURCES || type->kind != SPV_T_POINTER ||
        (type->storage != SPV_UNIFORM && type->storage != SPV_STORAGE_BUFFER))
        spv_fail(s, "no pointer to a buffer in a heap");
    struct spv_value *r = spv_result(s);
    r->v[0] = spv_heap_handle(s, p);
    r->v[1] = ir_i(s->ir, 0);
    r->ptr->is_explicit = true;
    r->ptr->is_const = type->storage == SPV_UNIFORM;
}

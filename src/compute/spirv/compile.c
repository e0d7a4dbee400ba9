/* SPDX-License-Identifier: MIT */
/* From a module to the program of one entry point: names, decorations, types, constants and
 * variables in the module's order, then the function.
 */
#include "compute/spirv/spirv.h"

#include "compute/ir/limits.h"
#include "compute/spirv/flow.h"
#include "compute/spirv/heap.h"
#include "compute/spirv/lane.h"
#include "compute/spirv/scalar.h"
#include "compute/spirv/translate.h"

#include <string.h>

/* A literal string at a word of the current instruction, checked for its end. */
static const char *
literal_string(struct spv *s, uint32_t word)
{
    const char *text = (const char *)(s->at + word);
    if (!memchr(text, 0, spv_words_left(s, word) * 4))
        spv_fail(s, "string does not end");
    return text;
}

static void
decorate(struct spv *s, uint32_t target, uint32_t member, uint32_t first)
{
    struct spv_id *id = spv_id(s, target);
    struct spv_decoration *d = ir_alloc(s->ir, 1, sizeof(*d));
    *d = (struct spv_decoration){
        .next = id->decorations,
        .member = member,
        .decoration = spv_word(s, first),
        .operands = s->at + first + 1,
        .operand_count = spv_words_left(s, first + 1),
    };
    id->decorations = d;
    s->ir->is_watched |= d->decoration == SPV_VOLATILE || d->decoration == SPV_COHERENT;
}

static void
decorate_group(struct spv *s, bool has_members)
{
    const struct spv_id *group = spv_id(s, spv_word(s, 1));
    for (uint32_t w = 2; w < spv_word_count(s->at); w += has_members ? 2 : 1) {
        struct spv_id *id = spv_id(s, spv_word(s, w));
        const uint32_t member = has_members ? spv_word(s, w + 1) : UINT32_MAX;
        for (const struct spv_decoration *d = group->decorations; d; d = d->next) {
            struct spv_decoration *copy = ir_alloc(s->ir, 1, sizeof(*copy));
            *copy = *d;
            copy->member = member;
            copy->next = id->decorations;
            id->decorations = copy;
        }
    }
}

struct entry {
    const char *name;
    uint32_t function;
};

/* Annotations, entry point, imports; and where every id is defined. */
static void
index_instr(struct spv *s, struct entry *entry)
{
    const enum spv_op op = spv_opcode(s->at);
    const uint32_t result_word = spv_result_word(op);
    if (result_word)
        s->ids[s->at[result_word]].def = s->at;
    const bool is_constant = (op >= SPV_OP_CONSTANT_TRUE && op <= SPV_OP_SPEC_CONSTANT_OP) ||
                             op == SPV_OP_CONSTANT_COMPOSITE_REPLICATE ||
                             op == SPV_OP_SPEC_CONSTANT_COMPOSITE_REPLICATE ||
                             op == SPV_OP_CONSTANT_SIZE_OF;
    if (is_constant)
        s->ids[s->at[2]].is_constant = true;

    switch (op) {
    case SPV_OP_EXT_INST_IMPORT:
        if (!strcmp(literal_string(s, 2), "GLSL.std.450"))
            s->glsl_set = s->at[1];
        break;
    case SPV_OP_ENTRY_POINT:
        if (s->at[1] == SPV_MODEL_GL_COMPUTE && !strcmp(literal_string(s, 3), entry->name))
            entry->function = s->at[2];
        break;
    case SPV_OP_DECORATE:
        decorate(s, s->at[1], UINT32_MAX, 2);
        break;
    case SPV_OP_DECORATE_ID:
        decorate(s, s->at[1], UINT32_MAX, 2);
        break;
    case SPV_OP_MEMBER_DECORATE:
    case SPV_OP_MEMBER_DECORATE_ID:
        decorate(s, s->at[1], spv_word(s, 2), 3);
        break;
    case SPV_OP_GROUP_DECORATE:
    case SPV_OP_GROUP_MEMBER_DECORATE:
        decorate_group(s, op == SPV_OP_GROUP_MEMBER_DECORATE);
        break;
    default:
        break;
    }
}

static bool
is_subgroup_builtin(uint32_t builtin)
{
    switch (builtin) {
    case SPV_NUM_SUBGROUPS:
    case SPV_SUBGROUP_ID:
    case SPV_SUBGROUP_LOCAL_INVOCATION_ID:
    case SPV_SUBGROUP_EQ_MASK:
    case SPV_SUBGROUP_GE_MASK:
    case SPV_SUBGROUP_GT_MASK:
    case SPV_SUBGROUP_LE_MASK:
    case SPV_SUBGROUP_LT_MASK:
        return true;
    default:
        return false;
    }
}

/* Does it depend on which invocations are in a subgroup, or a quad? */
static bool
needs_subgroups(struct spv *s)
{
    const enum spv_op op = spv_opcode(s->at);

    if ((op >= SPV_OP_GROUP_NON_UNIFORM_ELECT && op <= SPV_OP_GROUP_NON_UNIFORM_QUAD_SWAP) ||
        (op >= SPV_OP_SUBGROUP_BALLOT && op <= SPV_OP_SUBGROUP_FIRST_INVOCATION) ||
        (op >= SPV_OP_SUBGROUP_ALL && op <= SPV_OP_SUBGROUP_READ_INVOCATION) ||
        op == SPV_OP_GROUP_NON_UNIFORM_QUAD_ALL || op == SPV_OP_GROUP_NON_UNIFORM_QUAD_ANY ||
        op == SPV_OP_GROUP_NON_UNIFORM_PARTITION || op == SPV_OP_TYPE_COOPERATIVE_MATRIX ||
        (op == SPV_OP_EXECUTION_MODE &&
         (s->at[2] == SPV_DERIVATIVE_GROUP_QUADS || s->at[2] == SPV_DERIVATIVE_GROUP_LINEAR)))
        return true;
    return op == SPV_OP_DECORATE && s->at[2] == SPV_BUILT_IN && spv_word_count(s->at) >= 4 &&
           is_subgroup_builtin(s->at[3]);
}

/* What keeps an invocation tied to its workgroup, so that the grid cannot be cut freely. */
static bool
needs_workgroups(struct spv *s)
{
    const enum spv_op op = spv_opcode(s->at);

    if ((op == SPV_OP_VARIABLE || op == SPV_OP_UNTYPED_VARIABLE) && s->at[3] == SPV_WORKGROUP)
        return true;
    return op == SPV_OP_CONTROL_BARRIER || needs_subgroups(s);
}

static void
walk(struct spv *s, struct entry *entry)
{
    const struct rp_shader *shader = s->shader;
    for (uint32_t at = SPV_FIRST_INSTRUCTION; at < shader->word_count;) {
        s->at = shader->words + at;
        index_instr(s, entry);
        if (needs_workgroups(s))
            s->ir->uses_barrier = true;
        if (needs_subgroups(s))
            s->ir->uses_subgroups = true;
        at += spv_word_count(s->at);
    }
    s->at = NULL;
}

/* The current one. */
static void
execution_mode(struct spv *s)
{
    uint32_t *size = s->ir->local_size;
    switch (s->at[2]) {
    case SPV_DERIVATIVE_GROUP_QUADS:
    case SPV_DERIVATIVE_GROUP_LINEAR:
        s->derivative_group = s->at[2];
        break;
    case SPV_LOCAL_SIZE:
        for (uint32_t i = 0; i < 3; i++)
            size[i] = spv_word(s, 3 + i);
        break;
    case SPV_DENORM_PRESERVE:
    case SPV_DENORM_FLUSH_TO_ZERO:
    case SPV_SIGNED_ZERO_INF_NAN_PRESERVE:
    case SPV_ROUNDING_MODE_RTE:
    case SPV_ROUNDING_MODE_RTZ:
        spv_float_mode(s, s->at[2], spv_word(s, 3));
        break;
    default:
        break;
    }
}

/* Execution modes of the entry point: those with literal operands, on which constants depend, or
 * those whose operands are constants. */
static void
execution_modes(struct spv *s, enum spv_op op)
{
    for (uint32_t at = SPV_FIRST_INSTRUCTION; at < s->shader->word_count;) {
        s->at = s->shader->words + at;
        at += spv_word_count(s->at);
        if (spv_opcode(s->at) != op || s->at[1] != s->entry_function)
            continue;
        if (op == SPV_OP_EXECUTION_MODE)
            execution_mode(s);
        else if (s->at[2] == SPV_LOCAL_SIZE_ID)
            for (uint32_t i = 0; i < 3; i++)
                s->ir->local_size[i] = spv_const_u32(s, spv_word(s, 3 + i));
    }
}

/* A constant decorated WorkgroupSize overrules the execution mode. */
static void
local_size_builtin(struct spv *s)
{
    for (uint32_t id = 1; id < s->shader->bound; id++) {
        const struct spv_value *value = s->ids[id].value;
        if (!value || !s->ids[id].is_constant || !s->ids[id].decorations)
            continue;
        const struct spv_decoration *d = spv_decoration(s, id, UINT32_MAX, SPV_BUILT_IN);
        if (!d || !d->operand_count || d->operands[0] != SPV_WORKGROUP_SIZE)
            continue;
        for (uint32_t i = 0; i < 3 && value->type->flat == 3; i++)
            s->ir->local_size[i] = (uint32_t)value->v[i]->imm;
    }
}

static void
check_local_size(struct spv *s)
{
    const uint32_t *size = s->ir->local_size;
    uint64_t product = 1;
    for (uint32_t i = 0; i < 3; i++) {
        product *= size[i];
        if (size[i] == 0 || product > RP_MAX_WORKGROUP_SIZE)
            ir_fail(s->ir->fail, VK_ERROR_UNKNOWN, "workgroup of %u x %u x %u", size[0], size[1],
                    size[2]);
    }
}

/* Quads of two by two invocations become rows of four lanes, so that they lie in one subgroup. */
static void
lay_out_lanes(struct spv *s)
{
    uint32_t *size = s->ir->local_size;
    for (uint32_t i = 0; i < 3; i++)
        s->local_size[i] = size[i];
    if (s->derivative_group != SPV_DERIVATIVE_GROUP_QUADS)
        return;
    if (size[0] % 2 || size[1] % 2)
        ir_fail(s->ir->fail, VK_ERROR_UNKNOWN, "quads in a workgroup of %u x %u", size[0], size[1]);
    size[0] *= size[1] * size[2];
    size[1] = size[2] = 1;
}

/* Lanes of a workgroup of one row that has others beside it: those without an invocation fill its
 * last subgroup, so that the next workgroup begins one. */
static uint32_t
row_lanes(const struct spv *s)
{
    const uint32_t *size = s->ir->local_size;
    if (!s->ir->uses_subgroups || size[1] != 1)
        return size[0];
    const uint32_t lanes = spv_subgroup_lanes(s);
    return (size[0] + lanes - 1) / lanes * lanes;
}

/* Small workgroups side by side, when that was asked for and they can be told apart by z. */
static void
pack_groups(struct spv *s)
{
    uint32_t *size = s->ir->local_size;
    const uint32_t lanes = row_lanes(s) * size[1];
    if (s->ir->pack == 1 || s->derivative_group || size[2] != 1 || lanes > IR_MAX_PACKED_LANES) {
        s->ir->pack = 1;
        return;
    }
    s->ir->pack = IR_CHUNK_LANES / lanes;
    size[0] = row_lanes(s);
    size[2] = s->ir->pack;
}

enum declaration {
    DECLARE_TYPES, /* and constants */
    RESERVE_ALIASED,
    DECLARE_VARIABLES, /* which may need the local size */
};

static void
declare(struct spv *s, enum declaration what)
{
    const enum spv_op op = spv_opcode(s->at);
    if (op == SPV_OP_VARIABLE || op == SPV_OP_UNTYPED_VARIABLE) {
        if (what == DECLARE_VARIABLES)
            spv_add_variable(s, true);
        else if (what == RESERVE_ALIASED)
            spv_reserve_aliased(s);
    } else if (what != DECLARE_TYPES) {
        return;
    } else if ((op >= SPV_OP_TYPE_VOID && op <= SPV_OP_TYPE_FUNCTION) ||
               op == SPV_OP_TYPE_FORWARD_POINTER || op == SPV_OP_TYPE_UNTYPED_POINTER ||
               op == SPV_OP_TYPE_COOPERATIVE_MATRIX || op == SPV_OP_TYPE_BUFFER) {
        spv_add_type(s);
    } else if (s->ids[spv_result_word(op) ? s->at[spv_result_word(op)] : 0].is_constant ||
               op == SPV_OP_UNDEF) {
        spv_add_constant(s);
    }
}

static void
declarations(struct spv *s, enum declaration what)
{
    for (uint32_t at = SPV_FIRST_INSTRUCTION; at < s->shader->word_count;) {
        s->at = s->shader->words + at;
        at += spv_word_count(s->at);
        if (spv_opcode(s->at) == SPV_OP_FUNCTION)
            break;
        declare(s, what);
    }
}

static void
check_capabilities(struct spv *s)
{
    for (uint32_t at = SPV_FIRST_INSTRUCTION; at < s->shader->word_count;) {
        s->at = s->shader->words + at;
        at += spv_word_count(s->at);
        if (spv_opcode(s->at) != SPV_OP_CAPABILITY)
            continue;
        s->has_addresses |= s->at[1] == SPV_CAPABILITY_ADDRESSES;
        if (s->at[1] == 6 || s->at[1] == 4 || s->at[1] == 41) /* Kernel, Addresses, Sparse */
            spv_fail(s, "capability is not supported");
    }
}

void
spv_compile(const struct rp_kernel_info *info, struct ir_program *ir)
{
    struct spv s = {
        .shader = info->shader,
        .specialization = info->specialization,
        .wants_exact_bounds = info->wants_exact_bounds,
        .mappings = info->mappings,
        .mapping_count = info->mapping_count,
        .place_mapped = spv_heap_place,
        .ir = ir,
    };
    struct entry entry = {.name = info->entry_point};

    s.ids = ir_alloc(ir, info->shader->bound, sizeof(s.ids[0]));
    walk(&s, &entry);
    if (!entry.function)
        ir_fail(ir->fail, VK_ERROR_UNKNOWN, "no compute entry point of that name");
    s.entry_function = entry.function;
    check_capabilities(&s);
    execution_modes(&s, SPV_OP_EXECUTION_MODE);
    declarations(&s, DECLARE_TYPES);
    execution_modes(&s, SPV_OP_EXECUTION_MODE_ID);
    local_size_builtin(&s);
    check_local_size(&s);
    lay_out_lanes(&s);
    ir->has_rows = ir->has_rows && !ir->uses_barrier;
    pack_groups(&s);
    spv_scan(&s);
    declarations(&s, RESERVE_ALIASED);
    declarations(&s, DECLARE_VARIABLES);
    spv_spread_workgroups(&s);
    spv_translate_entry(&s);
}

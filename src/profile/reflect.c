/* SPDX-License-Identifier: MIT */
#include "profile/reflect.h"

#include "profile/table.h"
#include "util/alloc.h"
#include "util/compiler.h"

#include <stdio.h>
#include <string.h>

#define SCOPE VK_SYSTEM_ALLOCATION_SCOPE_DEVICE
#define FIRST_WORD 5u
#define MAX_DEPTH 16u
#define MAX_FIELDS 1024u /* of a block */

enum {
    OP_MEMBER_NAME = 6,
    OP_TYPE_INT = 21,
    OP_TYPE_FLOAT = 22,
    OP_TYPE_VECTOR = 23,
    OP_TYPE_MATRIX = 24,
    OP_TYPE_ARRAY = 28,
    OP_TYPE_RUNTIME_ARRAY = 29,
    OP_TYPE_STRUCT = 30,
    OP_TYPE_POINTER = 32,
    OP_CONSTANT = 43,
    OP_SPEC_CONSTANT = 50,
    OP_FUNCTION = 54,
    OP_VARIABLE = 59,
    OP_LOAD = 61,
    OP_STORE = 62,
    OP_ACCESS_CHAIN = 65,
    OP_IN_BOUNDS_ACCESS_CHAIN = 66,
    OP_ARRAY_LENGTH = 68,
    OP_DECORATE = 71,
    OP_MEMBER_DECORATE = 72,
    OP_LABEL = 248,
};

enum {
    DECORATION_ROW_MAJOR = 4,
    DECORATION_ARRAY_STRIDE = 6,
    DECORATION_MATRIX_STRIDE = 7,
    DECORATION_NON_WRITABLE = 24,
    DECORATION_BINDING = 33,
    DECORATION_SET = 34,
    DECORATION_OFFSET = 35,
};

enum { STORAGE_UNIFORM = 2, STORAGE_PUSH = 9, STORAGE_BUFFER = 12 };

/* Ids to the words of what defines them. */
struct ids {
    const struct rp_profile_module *module;
    const uint32_t **defs; /* owned */
    uint32_t bound;
};

static const uint32_t *
next_instr(const struct rp_profile_module *m, size_t *word)
{
    if (*word >= m->word_count)
        return NULL;
    const uint32_t *instr = m->words + *word;
    const uint32_t count = instr[0] >> 16;
    if (!count || count > m->word_count - *word)
        return NULL;
    *word += count;
    return instr;
}

static uint32_t
op_of(const uint32_t *instr)
{
    return instr ? instr[0] & 0xffff : 0;
}

static uint32_t
length_of(const uint32_t *instr)
{
    return instr[0] >> 16;
}

static const uint32_t *
def_of(const struct ids *ids, uint32_t id)
{
    return id < ids->bound ? ids->defs[id] : NULL;
}

/* Types have their id in word 1; constants and variables in word 2. */
static bool
ids_init(struct ids *ids, const struct rp_profile_module *m)
{
    *ids = (struct ids){.module = m, .bound = m->word_count > 3 ? m->words[3] : 0};
    ids->defs = rp_zalloc_array(NULL, (size_t)ids->bound + 1, sizeof(*ids->defs), SCOPE);
    size_t word = FIRST_WORD;
    for (const uint32_t *i; ids->defs && (i = next_instr(m, &word));) {
        const uint32_t op = op_of(i);
        const uint32_t at = op >= OP_TYPE_INT && op <= OP_TYPE_POINTER                         ? 1
                            : op == OP_CONSTANT || op == OP_SPEC_CONSTANT || op == OP_VARIABLE ? 2
                                                                                               : 0;
        if (at && length_of(i) > at && i[at] < ids->bound)
            ids->defs[i[at]] = i;
    }
    return ids->defs != NULL;
}

static bool
decoration(const struct ids *ids, uint32_t id, uint32_t what, uint32_t *out)
{
    size_t word = FIRST_WORD;
    for (const uint32_t *i; (i = next_instr(ids->module, &word));) {
        if (op_of(i) == OP_FUNCTION)
            break;
        if (op_of(i) == OP_DECORATE && length_of(i) > 2 && i[1] == id && i[2] == what) {
            *out = length_of(i) > 3 ? i[3] : 0;
            return true;
        }
    }
    return false;
}

static bool
member_decoration(const struct ids *ids, uint32_t id, uint32_t member, uint32_t what, uint32_t *out)
{
    size_t word = FIRST_WORD;
    for (const uint32_t *i; (i = next_instr(ids->module, &word));) {
        if (op_of(i) == OP_FUNCTION)
            break;
        if (op_of(i) == OP_MEMBER_DECORATE && length_of(i) > 3 && i[1] == id && i[2] == member &&
            i[3] == what) {
            *out = length_of(i) > 4 ? i[4] : 0;
            return true;
        }
    }
    return false;
}

static const char *
member_name(const struct ids *ids, uint32_t id, uint32_t member)
{
    size_t word = FIRST_WORD;
    for (const uint32_t *i; (i = next_instr(ids->module, &word));) {
        if (op_of(i) == OP_FUNCTION)
            break;
        if (op_of(i) == OP_MEMBER_NAME && length_of(i) > 3 && i[1] == id && i[2] == member &&
            memchr(i + 3, 0, (length_of(i) - 3) * 4u))
            return (const char *)(i + 3);
    }
    return NULL;
}

static uint32_t
constant_of(const struct ids *ids, uint32_t id)
{
    const uint32_t *def = def_of(ids, id);
    return def && (op_of(def) == OP_CONSTANT || op_of(def) == OP_SPEC_CONSTANT) &&
                   length_of(def) > 3
               ? def[3]
               : 0;
}

/* Where a value of a type lies, as its struct's member says it. */
struct matrix {
    uint32_t stride_B;
    bool is_row_major;
};

/* 0: not known, or as far as the buffer goes. */
static uint32_t
size_of(const struct ids *ids, uint32_t type, struct matrix matrix, uint32_t depth)
{
    const uint32_t *def = def_of(ids, type);
    uint32_t stride_B, offset_B, size_B = 0;
    if (!def || depth > MAX_DEPTH)
        return 0;
    switch (op_of(def)) {
    case OP_TYPE_INT:
    case OP_TYPE_FLOAT:
        return def[2] / 8;
    case OP_TYPE_VECTOR:
        return def[3] * size_of(ids, def[2], matrix, depth + 1);
    case OP_TYPE_MATRIX: {
        const uint32_t *column = def_of(ids, def[2]);
        return matrix.stride_B * (matrix.is_row_major && column ? column[3] : def[3]);
    }
    case OP_TYPE_ARRAY:
        return decoration(ids, type, DECORATION_ARRAY_STRIDE, &stride_B)
                   ? stride_B * constant_of(ids, def[3])
                   : 0;
    case OP_TYPE_STRUCT:
        for (uint32_t m = 0; m + 2 < length_of(def); m++) {
            struct matrix own = {0};
            uint32_t unused;
            (void)member_decoration(ids, type, m, DECORATION_MATRIX_STRIDE, &own.stride_B);
            own.is_row_major = member_decoration(ids, type, m, DECORATION_ROW_MAJOR, &unused);
            if (member_decoration(ids, type, m, DECORATION_OFFSET, &offset_B))
                size_B = RP_MAX(size_B, offset_B + size_of(ids, def[2 + m], own, depth + 1));
        }
        return size_B;
    default:
        return 0;
    }
}

static void
scalar_of(const struct ids *ids, uint32_t type, struct rp_reflect_field *out)
{
    const uint32_t *def = def_of(ids, type);
    for (uint32_t d = 0; def && d < MAX_DEPTH; d++) {
        const uint32_t op = op_of(def);
        if (op == OP_TYPE_INT || op == OP_TYPE_FLOAT) {
            out->scalar_B = def[2] / 8;
            out->scalar = op == OP_TYPE_FLOAT ? RP_REFLECT_FLOAT
                          : def[3]            ? RP_REFLECT_INT
                                              : RP_REFLECT_UINT;
            return;
        }
        if (op < OP_TYPE_VECTOR || op > OP_TYPE_RUNTIME_ARRAY)
            break;
        def = def_of(ids, def[2]);
    }
    out->scalar = RP_REFLECT_OTHER;
}

/* Joins as much of both as there is room for. */
static void
name_join(char out[RP_REFLECT_NAME_CHARS], const char *first, const char *second)
{
    size_t length = 0;
    for (; *first && length + 1 < RP_REFLECT_NAME_CHARS; first++)
        out[length++] = *first;
    for (; *second && length + 1 < RP_REFLECT_NAME_CHARS; second++)
        out[length++] = *second;
    out[length] = '\0';
}

/* The members of a structure at offset_B, those of structures in it one by one. */
static bool
add_fields(const struct ids *ids, struct rp_reflect_block *block, uint32_t type, uint32_t offset_B,
           const char *prefix, uint32_t depth)
{
    const uint32_t *def = def_of(ids, type);
    for (uint32_t m = 0; depth < MAX_DEPTH && m + 2 < length_of(def); m++) {
        struct rp_reflect_field field = {.offset_B = offset_B};
        struct matrix matrix = {0};
        uint32_t own_B = 0, unused;
        const char *name = member_name(ids, type, m);
        (void)member_decoration(ids, type, m, DECORATION_OFFSET, &own_B);
        (void)member_decoration(ids, type, m, DECORATION_MATRIX_STRIDE, &matrix.stride_B);
        matrix.is_row_major = member_decoration(ids, type, m, DECORATION_ROW_MAJOR, &unused);
        field.offset_B += own_B;
        char number[12];
        (void)snprintf(number, sizeof(number), "%u", m);
        name_join(field.name, prefix, name && *name ? name : number);
        if (op_of(def_of(ids, def[2 + m])) == OP_TYPE_STRUCT) {
            char longer[RP_REFLECT_NAME_CHARS];
            name_join(longer, field.name, ".");
            if (!add_fields(ids, block, def[2 + m], field.offset_B, longer, depth + 1))
                return false;
            continue;
        }
        field.size_B = size_of(ids, def[2 + m], matrix, 0);
        scalar_of(ids, def[2 + m], &field);
        if (block->field_count >= MAX_FIELDS || field.offset_B >= RP_REFLECT_MAX_B)
            continue;
        if (!rp_grow_array(&block->fields, block->field_count, &block->field_capacity,
                           sizeof(*block->fields)))
            return false;
        block->fields[block->field_count++] = field;
    }
    return true;
}

/* Is nothing of a storage block written? */
static bool
is_read_only(const struct ids *ids, uint32_t variable, uint32_t type)
{
    const uint32_t *def = def_of(ids, type);
    uint32_t unused;
    if (decoration(ids, variable, DECORATION_NON_WRITABLE, &unused))
        return true;
    for (uint32_t m = 0; m + 2 < length_of(def); m++)
        if (!member_decoration(ids, type, m, DECORATION_NON_WRITABLE, &unused))
            return false;
    return true;
}

static bool
enters_all(void *ctx, size_t label_word)
{
    return true;
}

static bool
add_block(const struct ids *ids, const uint32_t *variable, struct rp_reflection *out)
{
    const uint32_t *pointer = def_of(ids, variable[1]);
    const uint32_t storage = variable[3];
    uint32_t buffer_block;
    if (op_of(pointer) != OP_TYPE_POINTER || op_of(def_of(ids, pointer[3])) != OP_TYPE_STRUCT ||
        (storage != STORAGE_UNIFORM && storage != STORAGE_PUSH && storage != STORAGE_BUFFER))
        return true;
    const bool is_buffer =
        storage == STORAGE_BUFFER || decoration(ids, pointer[3], 3, &buffer_block);
    if (is_buffer && !is_read_only(ids, variable[2], pointer[3]))
        return true;
    struct rp_reflect_block block = {.variable = variable[2], .is_push = storage == STORAGE_PUSH};
    if (!block.is_push && (!decoration(ids, variable[2], DECORATION_SET, &block.set) ||
                           !decoration(ids, variable[2], DECORATION_BINDING, &block.binding)))
        return true;
    if (!rp_grow_array(&out->blocks, out->block_count, &out->block_capacity, sizeof(*out->blocks)))
        return false;
    block.size_B = size_of(ids, pointer[3], (struct matrix){0}, 0);
    struct rp_reflect_block *kept = &out->blocks[out->block_count++];
    *kept = block;
    kept->used = rp_zalloc(NULL, RP_REFLECT_MAX_B, 1, SCOPE);
    return kept->used && add_fields(ids, kept, pointer[3], 0, "", 0) &&
           rp_reflect_reads(ids->module, kept, enters_all, NULL, kept->used);
}

static void
fields_judge(struct rp_reflect_block *block)
{
    for (uint32_t f = 0; f < block->field_count; f++) {
        struct rp_reflect_field *field = &block->fields[f];
        const uint32_t end_B = field->size_B && field->size_B < RP_REFLECT_MAX_B - field->offset_B
                                   ? field->offset_B + field->size_B
                                   : RP_REFLECT_MAX_B;
        field->is_used = memchr(block->used + field->offset_B, 1, end_B - field->offset_B) != NULL;
    }
}

bool
rp_reflect(const struct rp_profile_module *module, struct rp_reflection *out)
{
    struct ids ids;
    bool is_good = ids_init(&ids, module);
    size_t word = FIRST_WORD;
    *out = (struct rp_reflection){0};
    for (const uint32_t *i; is_good && (i = next_instr(module, &word));) {
        if (op_of(i) == OP_FUNCTION)
            break;
        if (op_of(i) == OP_VARIABLE && length_of(i) > 3)
            is_good = add_block(&ids, i, out);
    }
    for (uint32_t b = 0; b < out->block_count && is_good; b++)
        fields_judge(&out->blocks[b]);
    rp_free(NULL, ids.defs);
    return is_good;
}

void
rp_reflection_finish(struct rp_reflection *reflection)
{
    for (uint32_t b = 0; b < reflection->block_count; b++) {
        rp_free(NULL, reflection->blocks[b].fields);
        rp_free(NULL, reflection->blocks[b].used);
    }
    rp_free(NULL, reflection->blocks);
    *reflection = (struct rp_reflection){0};
}

/* A pointer into the block: bytes from an offset on, of a type; type 0: any in there. */
struct place {
    uint32_t offset_B;
    uint32_t size_B; /* 0: to the end */
    uint32_t type;
    struct matrix matrix;
    bool is_there;
};

/* One step into a composite. */
static void
place_step(const struct ids *ids, struct place *p, uint32_t index_id)
{
    const uint32_t *def = def_of(ids, p->type);
    const uint32_t *index = def_of(ids, index_id);
    const bool is_known = op_of(index) == OP_CONSTANT && length_of(index) > 3;
    uint32_t stride_B = 0, offset_B = 0, unused;
    uint32_t next = 0;
    struct matrix matrix = p->matrix;

    switch (op_of(def)) {
    case OP_TYPE_STRUCT:
        if (!is_known || index[3] + 2 >= length_of(def))
            break;
        matrix = (struct matrix){0};
        (void)member_decoration(ids, p->type, index[3], DECORATION_MATRIX_STRIDE, &matrix.stride_B);
        matrix.is_row_major =
            member_decoration(ids, p->type, index[3], DECORATION_ROW_MAJOR, &unused);
        if (member_decoration(ids, p->type, index[3], DECORATION_OFFSET, &offset_B))
            next = def[2 + index[3]];
        break;
    case OP_TYPE_ARRAY:
    case OP_TYPE_RUNTIME_ARRAY:
        if (is_known && decoration(ids, p->type, DECORATION_ARRAY_STRIDE, &stride_B))
            next = def[2];
        break;
    case OP_TYPE_VECTOR:
        stride_B = size_of(ids, def[2], matrix, 0);
        if (is_known)
            next = def[2];
        break;
    case OP_TYPE_MATRIX:
        stride_B = matrix.stride_B;
        if (is_known && !matrix.is_row_major)
            next = def[2];
        break;
    default:
        break;
    }
    if (!next) { /* somewhere in it */
        p->type = 0;
        return;
    }
    if (op_of(def) != OP_TYPE_STRUCT)
        offset_B = stride_B * index[3];
    *p = (struct place){p->offset_B + offset_B, size_of(ids, next, matrix, 0), next, matrix, true};
}

static void
mark(const struct place *p, uint8_t *used)
{
    if (p->offset_B >= RP_REFLECT_MAX_B)
        return;
    const uint32_t left_B = RP_REFLECT_MAX_B - p->offset_B;
    memset(used + p->offset_B, 1, p->size_B && p->size_B < left_B ? p->size_B : left_B);
}

/* Follows the pointers of an instruction; what it does with one beside steps and stores reads. */
static void
follow(const struct ids *ids, struct place *places, const uint32_t *i, uint8_t *used)
{
    const uint32_t op = op_of(i), count = length_of(i);
    if ((op == OP_ACCESS_CHAIN || op == OP_IN_BOUNDS_ACCESS_CHAIN) && count > 3 &&
        i[3] < ids->bound && places[i[3]].is_there && i[2] < ids->bound) {
        struct place place = places[i[3]];
        for (uint32_t k = 4; k < count; k++)
            place_step(ids, &place, i[k]);
        places[i[2]] = place;
        return;
    }
    if (op == OP_ARRAY_LENGTH)
        return;
    for (uint32_t k = op == OP_STORE ? 2 : 1; k < count; k++)
        if (i[k] < ids->bound && places[i[k]].is_there && (op == OP_LOAD ? k == 3 : true))
            mark(&places[i[k]], used);
}

/* Which words of an instruction are ids is not asked for: a literal that equals a pointer's id
 * reads too much at worst. */
bool
rp_reflect_reads(const struct rp_profile_module *module, const struct rp_reflect_block *block,
                 bool (*enters)(void *ctx, size_t label_word), void *ctx, uint8_t *used)
{
    struct ids ids;
    struct place *places = NULL;
    bool is_good = ids_init(&ids, module), is_in = false, is_in_function = false;
    if (is_good)
        places = rp_zalloc_array(NULL, (size_t)ids.bound + 1, sizeof(*places), SCOPE);
    const uint32_t *variable = is_good ? def_of(&ids, block->variable) : NULL;
    const uint32_t *pointer = variable ? def_of(&ids, variable[1]) : NULL;
    is_good = places && pointer;
    if (is_good)
        places[block->variable] =
            (struct place){.size_B = block->size_B, .type = pointer[3], .is_there = true};
    size_t word = FIRST_WORD, at = FIRST_WORD;
    for (const uint32_t *i; is_good && (i = next_instr(module, &word)); at = word) {
        is_in_function |= op_of(i) == OP_FUNCTION;
        if (op_of(i) == OP_LABEL)
            is_in = enters(ctx, at);
        else if (is_in && is_in_function && op_of(i) >= 12 && op_of(i) != 317)
            follow(&ids, places, i, used);
    }
    rp_free(NULL, places);
    rp_free(NULL, ids.defs);
    return is_good;
}

/* SPDX-License-Identifier: MIT */
/* The module that writes down the blocks of its invocations.
 */
#include "trace.h"

#include "test.h"

#include <stdlib.h>

enum {
    OP_LINE = 8,
    OP_TYPE_VOID = 19,
    OP_TYPE_BOOL = 20,
    OP_TYPE_INT = 21,
    OP_TYPE_VECTOR = 23,
    OP_TYPE_RUNTIME_ARRAY = 29,
    OP_TYPE_STRUCT = 30,
    OP_TYPE_POINTER = 32,
    OP_CONSTANT = 43,
    OP_FUNCTION = 54,
    OP_VARIABLE = 59,
    OP_LOAD = 61,
    OP_STORE = 62,
    OP_ACCESS_CHAIN = 65,
    OP_DECORATE = 71,
    OP_MEMBER_DECORATE = 72,
    OP_COMPOSITE_EXTRACT = 81,
    OP_IADD = 128,
    OP_ISUB = 130,
    OP_IMUL = 132,
    OP_SELECT = 169,
    OP_ULESS = 176,
    OP_PHI = 245,
    OP_LABEL = 248,
    OP_NO_LINE = 317,
};

struct writer {
    uint32_t *words;
    size_t count;
    size_t capacity;
    uint32_t bound;
    uint32_t uint_type, vector_type, bool_type; /* the module's own, or added */
    uint32_t word_pointer, buffer, local_index, group;
    uint32_t zero, one, last, stride, lanes, columns, rows;
    uint32_t base[3];
};

static void
put_words(struct writer *w, const uint32_t *words, size_t count)
{
    if (w->count + count > w->capacity) {
        w->capacity = 2 * (w->count + count);
        w->words = realloc(w->words, w->capacity * 4);
        REQUIRE(w->words);
    }
    memcpy(w->words + w->count, words, count * 4);
    w->count += count;
}

static void
put(struct writer *w, uint32_t op, size_t count, const uint32_t *operands)
{
    const uint32_t head = (uint32_t)(count + 1) << 16 | op;
    put_words(w, &head, 1);
    put_words(w, operands, count);
}

#define PUT(w, op, ...) \
    put(w, op, sizeof((const uint32_t[]){__VA_ARGS__}) / 4, (const uint32_t[]){__VA_ARGS__})

/* An instruction with a type and a result, which is new. */
#define PUT_VALUE(w, op, type, ...) (PUT(w, op, type, (w)->bound, __VA_ARGS__), (w)->bound++)
#define PUT_TYPE(w, op, ...) (PUT(w, op, (w)->bound, __VA_ARGS__), (w)->bound++)

static void
find_types(struct writer *w, const uint32_t *words, size_t count)
{
    for (size_t at = 5; at < count; at += words[at] >> 16) {
        const uint32_t *i = words + at;
        if ((i[0] & 0xffff) == OP_TYPE_INT && i[2] == 32 && i[3] == 0)
            w->uint_type = i[1];
        else if ((i[0] & 0xffff) == OP_TYPE_BOOL)
            w->bool_type = i[1];
        else if ((i[0] & 0xffff) == OP_TYPE_VECTOR && i[2] == w->uint_type && i[3] == 3)
            w->vector_type = i[1];
    }
}

/* Ids of what is decorated before it is declared. */
struct added {
    uint32_t array, block, buffer, local_index, group;
};

static void
put_decorations(struct writer *w, struct added *a)
{
    enum { BLOCK = 2, ARRAY_STRIDE = 6, BUILT_IN = 11, BINDING = 33, SET = 34, OFFSET = 35 };
    *a = (struct added){w->bound, w->bound + 1, w->bound + 2, w->bound + 3, w->bound + 4};
    w->bound += 5;
    PUT(w, OP_DECORATE, a->array, ARRAY_STRIDE, 4);
    PUT(w, OP_DECORATE, a->block, BLOCK);
    PUT(w, OP_MEMBER_DECORATE, a->block, 0, OFFSET, 0);
    PUT(w, OP_DECORATE, a->buffer, SET, 0);
    PUT(w, OP_DECORATE, a->buffer, BINDING, TRACE_BINDING);
    PUT(w, OP_DECORATE, a->local_index, BUILT_IN, 29);
    PUT(w, OP_DECORATE, a->group, BUILT_IN, 26);
}

static void
put_declarations(struct writer *w, const struct added *a, const struct trace_grid *grid)
{
    enum { INPUT = 1, STORAGE_BUFFER = 12 };
    if (!w->uint_type)
        w->uint_type = PUT_TYPE(w, OP_TYPE_INT, 32, 0);
    if (!w->vector_type)
        w->vector_type = PUT_TYPE(w, OP_TYPE_VECTOR, w->uint_type, 3);
    if (!w->bool_type) {
        PUT(w, OP_TYPE_BOOL, w->bound);
        w->bool_type = w->bound++;
    }
    PUT(w, OP_TYPE_RUNTIME_ARRAY, a->array, w->uint_type);
    PUT(w, OP_TYPE_STRUCT, a->block, a->array);
    const uint32_t buffer_pointer = PUT_TYPE(w, OP_TYPE_POINTER, STORAGE_BUFFER, a->block);
    const uint32_t index_pointer = PUT_TYPE(w, OP_TYPE_POINTER, INPUT, w->uint_type);
    const uint32_t group_pointer = PUT_TYPE(w, OP_TYPE_POINTER, INPUT, w->vector_type);
    w->word_pointer = PUT_TYPE(w, OP_TYPE_POINTER, STORAGE_BUFFER, w->uint_type);
    PUT(w, OP_VARIABLE, buffer_pointer, a->buffer, STORAGE_BUFFER);
    PUT(w, OP_VARIABLE, index_pointer, a->local_index, INPUT);
    PUT(w, OP_VARIABLE, group_pointer, a->group, INPUT);
    w->buffer = a->buffer;
    w->local_index = a->local_index;
    w->group = a->group;
    w->zero = PUT_VALUE(w, OP_CONSTANT, w->uint_type, 0);
    w->one = PUT_VALUE(w, OP_CONSTANT, w->uint_type, 1);
    w->last = PUT_VALUE(w, OP_CONSTANT, w->uint_type, TRACE_WORDS - 1);
    w->stride = PUT_VALUE(w, OP_CONSTANT, w->uint_type, TRACE_WORDS);
    w->lanes = PUT_VALUE(w, OP_CONSTANT, w->uint_type, grid->lanes);
    w->columns = PUT_VALUE(w, OP_CONSTANT, w->uint_type, grid->count[0]);
    w->rows = PUT_VALUE(w, OP_CONSTANT, w->uint_type, grid->count[1]);
    for (uint32_t i = 0; i < 3; i++)
        w->base[i] = PUT_VALUE(w, OP_CONSTANT, w->uint_type, grid->base[i]);
}

/* One word more in the part of the buffer that is the invocation's own. */
static void
put_trace(struct writer *w, uint32_t label_constant)
{
    const uint32_t t = w->uint_type;
    const uint32_t lane = PUT_VALUE(w, OP_LOAD, t, w->local_index);
    const uint32_t group = PUT_VALUE(w, OP_LOAD, w->vector_type, w->group);
    uint32_t place[3];
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t id = PUT_VALUE(w, OP_COMPOSITE_EXTRACT, t, group, i);
        place[i] = PUT_VALUE(w, OP_ISUB, t, id, w->base[i]);
    }
    const uint32_t slices = PUT_VALUE(w, OP_IMUL, t, place[2], w->rows);
    const uint32_t row = PUT_VALUE(w, OP_IADD, t, slices, place[1]);
    const uint32_t in_rows = PUT_VALUE(w, OP_IMUL, t, row, w->columns);
    const uint32_t number = PUT_VALUE(w, OP_IADD, t, in_rows, place[0]);
    const uint32_t in_groups = PUT_VALUE(w, OP_IMUL, t, number, w->lanes);
    const uint32_t invocation = PUT_VALUE(w, OP_IADD, t, in_groups, lane);
    const uint32_t base = PUT_VALUE(w, OP_IMUL, t, invocation, w->stride);
    const uint32_t count_at =
        PUT_VALUE(w, OP_ACCESS_CHAIN, w->word_pointer, w->buffer, w->zero, base);
    const uint32_t before = PUT_VALUE(w, OP_LOAD, t, count_at);
    const uint32_t now = PUT_VALUE(w, OP_IADD, t, before, w->one);
    PUT(w, OP_STORE, count_at, now);
    const uint32_t fits = PUT_VALUE(w, OP_ULESS, w->bool_type, now, w->last);
    const uint32_t word = PUT_VALUE(w, OP_SELECT, t, fits, now, w->last);
    const uint32_t at = PUT_VALUE(w, OP_IADD, t, base, word);
    const uint32_t label_at =
        PUT_VALUE(w, OP_ACCESS_CHAIN, w->word_pointer, w->buffer, w->zero, at);
    PUT(w, OP_STORE, label_at, label_constant);
}

/* Constants of all labels: the first is out's; they go up by one in the order of the labels. */
static uint32_t
put_label_constants(struct writer *w, const uint32_t *words, size_t count)
{
    const uint32_t first = w->bound;
    for (size_t at = 5; at < count; at += words[at] >> 16)
        if ((words[at] & 0xffff) == OP_LABEL)
            (void)PUT_VALUE(w, OP_CONSTANT, w->uint_type, words[at + 1]);
    return first;
}

/* What must stay at the beginning of a block. */
static bool
is_head(uint32_t op)
{
    return op == OP_PHI || op == OP_VARIABLE || op == OP_LINE || op == OP_NO_LINE;
}

uint32_t *
trace_module(const uint32_t *words, size_t count, const struct trace_grid *grid, size_t *count_out)
{
    struct writer w = {.bound = words[3]};
    struct added added = {0};
    bool has_decorations = false, has_declarations = false;
    uint32_t label_constant = 0, pending = 0;
    put_words(&w, words, 5);
    find_types(&w, words, count);
    for (size_t at = 5; at < count; at += words[at] >> 16) {
        const uint32_t op = words[at] & 0xffff;
        if (op >= OP_TYPE_VOID && !has_decorations && op <= OP_TYPE_POINTER + 7) {
            put_decorations(&w, &added);
            has_decorations = true;
        }
        if (op == OP_FUNCTION && !has_declarations) {
            put_declarations(&w, &added, grid);
            label_constant = put_label_constants(&w, words, count);
            has_declarations = true;
        }
        if (pending && !is_head(op)) {
            put_trace(&w, pending);
            pending = 0;
        }
        put_words(&w, words + at, words[at] >> 16);
        if (op == OP_LABEL)
            pending = label_constant++;
    }
    w.words[3] = w.bound;
    *count_out = w.count;
    return w.words;
}

size_t
trace_size_B(const struct trace_grid *grid)
{
    size_t groups = 1;
    for (uint32_t i = 0; i < 3; i++)
        groups *= grid->count[i];
    return groups * grid->lanes * TRACE_WORDS * 4;
}

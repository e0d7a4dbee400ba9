/* SPDX-License-Identifier: MIT */
/* Putting values together and taking them apart: all of it only renames scalars. Products of
 * vectors and matrices are here too.
 */
#include "compute/spirv/instruction.h"
#include "compute/spirv/scalar.h"
#include "compute/spirv/translate.h"

#include <string.h>

static void
copy_flat(struct ir_instr **to, struct ir_instr *const *from, uint32_t count)
{
    if (count)
        memcpy(to, from, count * sizeof(to[0]));
}

static void
construct(struct spv *s, bool is_replicated)
{
    struct spv_value *r = spv_result(s);
    uint32_t at = 0;

    if (r->type->kind < SPV_T_COOPERATIVE || r->type->kind > SPV_T_STRUCT)
        spv_fail(s, "not a composite");
    is_replicated |= r->type->kind == SPV_T_COOPERATIVE;
    const uint32_t count = is_replicated ? r->type->count : spv_words_left(s, 3);
    for (uint32_t i = 0; i < count; i++) {
        const struct spv_value *part = spv_operand(s, is_replicated ? 3 : 3 + i);
        const bool is_vector = r->type->kind == SPV_T_VECTOR;
        if (part->type->flat > r->type->flat - at ||
            (is_vector ? spv_scalar_of(part->type) != r->type->elem
                       : i >= r->type->count || part->type != spv_sub_type(s, r->type, i)))
            spv_fail(s, "bad constituent");
        copy_flat(r->v + at, part->v, part->type->flat);
        at += part->type->flat;
    }
    if (at != r->type->flat)
        spv_fail(s, "constituents are missing");
}

/* Follows literal indices from word on; returns the part's type and its first flat value. */
static const struct spv_type *
follow(struct spv *s, const struct spv_type *type, uint32_t word, uint32_t *flat_out)
{
    uint32_t flat = 0;
    for (; word < spv_word_count(s->at); word++) {
        const uint32_t i = spv_word(s, word);
        flat += spv_sub_flat(s, type, i);
        type = spv_sub_type(s, type, i);
    }
    *flat_out = flat;
    return type;
}

static void
extract(struct spv *s)
{
    const struct spv_value *a = spv_operand(s, 3);
    struct spv_value *r = spv_result(s);
    uint32_t flat;
    if (follow(s, a->type, 4, &flat) != r->type)
        spv_fail(s, "bad result type");
    copy_flat(r->v, a->v + flat, r->type->flat);
    if (r->ptr)
        r->ptr->is_explicit = true;
}

static void
insert(struct spv *s)
{
    const struct spv_value *part = spv_operand(s, 3);
    const struct spv_value *a = spv_operand(s, 4);
    struct spv_value *r = spv_result(s);
    uint32_t flat;
    if (a->type != r->type || follow(s, a->type, 5, &flat) != part->type)
        spv_fail(s, "bad operand type");
    copy_flat(r->v, a->v, r->type->flat);
    copy_flat(r->v + flat, part->v, part->type->flat);
}

static void
shuffle(struct spv *s)
{
    const struct spv_value *a = spv_operand(s, 3);
    const struct spv_value *b = spv_operand(s, 4);
    struct spv_value *r = spv_result(s);
    if (a->type->kind != SPV_T_VECTOR || b->type->kind != SPV_T_VECTOR ||
        r->type->kind != SPV_T_VECTOR || r->type->elem != a->type->elem ||
        b->type->elem != a->type->elem || spv_words_left(s, 5) != r->type->count)
        spv_fail(s, "bad shuffle");
    for (uint32_t i = 0; i < r->type->count; i++) {
        const uint32_t k = spv_word(s, 5 + i);
        if (k != UINT32_MAX && k >= a->type->count + b->type->count)
            spv_fail(s, "bad component");
        r->v[i] = k == UINT32_MAX      ? a->v[0]
                  : k < a->type->count ? a->v[k]
                                       : b->v[k - a->type->count];
    }
}

static struct ir_instr *
index_operand(struct spv *s, uint32_t word)
{
    const struct spv_value *index = spv_operand(s, word);
    if (index->type->kind != SPV_T_INT)
        spv_fail(s, "index is not an integer");
    if (index->type->width == 64)
        return ir_un(s->ir, IR_L2I, index->v[0]);
    return spv_extend(s, index->type, false, index->v[0]);
}

static void
extract_dynamic(struct spv *s)
{
    const struct spv_value *a = spv_operand(s, 3);
    struct ir_instr *index = index_operand(s, 4);
    if (a->type->kind != SPV_T_VECTOR)
        spv_fail(s, "not a vector");
    struct ir_instr *r = a->v[0];
    for (uint32_t i = 1; i < a->type->count; i++)
        r = ir_select(s->ir, ir_bin(s->ir, IR_IEQ, index, ir_i(s->ir, i)), a->v[i], r);
    spv_set_result(s, r);
}

static void
insert_dynamic(struct spv *s)
{
    const struct spv_value *a = spv_operand(s, 3);
    struct ir_instr *part = spv_scalar_operand(s, 4);
    struct ir_instr *index = index_operand(s, 5);
    struct spv_value *r = spv_result(s);
    if (a->type->kind != SPV_T_VECTOR || a->type != r->type ||
        spv_operand(s, 4)->type != a->type->elem)
        spv_fail(s, "bad operand type");
    for (uint32_t i = 0; i < a->type->count; i++)
        r->v[i] = ir_select(s->ir, ir_bin(s->ir, IR_IEQ, index, ir_i(s->ir, i)), part, a->v[i]);
}

/* OpCopyLogical: the same bits under a type that has as many scalars of the same kinds. */
static void
copy_as(struct spv *s)
{
    const struct spv_value *a = spv_operand(s, 3);
    struct spv_value *r = spv_result(s);
    if (a->type->flat != r->type->flat || (a->type->kind == SPV_T_POINTER) != (r->ptr != NULL))
        spv_fail(s, "bad copy");
    for (uint32_t i = 0; i < r->type->flat && a->type != r->type; i++) {
        const struct spv_type *from = spv_flat_type(a->type, i), *to = spv_flat_type(r->type, i);
        if (from->kind != to->kind || from->width != to->width)
            spv_fail(s, "bad copy");
    }
    copy_flat(r->v, a->v, r->type->flat);
    if (r->ptr)
        *r->ptr = *a->ptr;
    if (!r->v)
        r->v = a->v; /* of a pointer to a descriptor */
}

/* The span of a pointer that may be one or the other. */
static struct ir_span
either_span(struct ir_span a, struct ir_span b)
{
    const bool is_same = a.begin_B == b.begin_B && a.end_B == b.end_B;
    return is_same ? a : (struct ir_span){0, 0};
}

static void
select_value(struct spv *s)
{
    const struct spv_value *cond = spv_operand(s, 3);
    const struct spv_value *a = spv_operand(s, 4);
    const struct spv_value *b = spv_operand(s, 5);
    struct spv_value *r = spv_result(s);
    if (a->type != r->type || b->type != r->type || spv_scalar_of(cond->type)->kind != SPV_T_BOOL ||
        (cond->type->flat != 1 && cond->type->flat != r->type->flat) || (r->ptr && !r->v))
        spv_fail(s, "bad operand type");
    if (r->ptr && a->v[0]->type != b->v[0]->type)
        spv_fail(s, "pointers to descriptors and to addresses meet");
    for (uint32_t i = 0; i < r->type->flat; i++)
        r->v[i] = ir_select(s->ir, cond->v[cond->type->flat == 1 ? 0 : i], a->v[i], b->v[i]);
    if (!r->ptr)
        return;
    *r->ptr = *a->ptr;
    r->ptr->within = either_span(a->ptr->within, b->ptr->within);
}

static struct ir_instr *
dot(struct spv *s, const struct spv_type *scalar, struct ir_instr *const *a, uint32_t a_step,
    struct ir_instr *const *b, uint32_t b_step, uint32_t count)
{
    struct ir_instr *sum = spv_fbin(s, scalar, IR_FMUL, a[0], b[0]);
    for (uint32_t i = 1; i < count; i++)
        sum = spv_mad(s, scalar, a[i * a_step], b[i * b_step], sum);
    return sum;
}

/* A vector counts as a matrix of one column (on the right) or one row (on the left). */
static void
multiply(struct spv *s)
{
    const enum spv_op op = spv_opcode(s->at);
    const struct spv_value *a = spv_operand(s, 3);
    const struct spv_value *b = spv_operand(s, 4);
    struct spv_value *r = spv_result(s);
    const bool a_is_row = op == SPV_OP_VECTOR_TIMES_MATRIX || op == SPV_OP_DOT;
    const bool b_is_col = op == SPV_OP_MATRIX_TIMES_VECTOR || op == SPV_OP_DOT;
    static const struct spv_type float32 = {.kind = SPV_T_FLOAT, .width = 32};
    const struct spv_type *scalar = spv_flat_type(a->type, 0);
    const struct spv_type *of_sum = scalar->is_bfloat ? &float32 : scalar;
    if (a->type->kind != (a_is_row ? SPV_T_VECTOR : SPV_T_MATRIX) ||
        b->type->kind != (b_is_col ? SPV_T_VECTOR : SPV_T_MATRIX) || scalar->kind != SPV_T_FLOAT ||
        spv_flat_type(b->type, 0) != scalar || spv_flat_type(r->type, 0) != scalar)
        spv_fail(s, "bad operand type");

    const uint32_t inner = a->type->count;
    const uint32_t rows = a_is_row ? 1 : a->type->elem->count;
    const uint32_t cols = b_is_col ? 1 : b->type->count;
    const uint32_t b_inner = b_is_col ? b->type->count : b->type->elem->count;
    if (b_inner != inner || r->type->flat != rows * cols)
        spv_fail(s, "sizes do not match");
    for (uint32_t c = 0; c < cols; c++)
        for (uint32_t i = 0; i < rows; i++)
            r->v[c * rows + i] = spv_round_half(
                s, scalar, dot(s, of_sum, a->v + i, rows, b->v + c * inner, 1, inner));
}

static void
times_scalar(struct spv *s)
{
    const struct spv_value *a = spv_operand(s, 3);
    struct ir_instr *k = spv_scalar_operand(s, 4);
    struct spv_value *r = spv_result(s);
    const struct spv_type *scalar = spv_flat_type(a->type, 0);
    if (a->type != r->type || a->type->kind < SPV_T_COOPERATIVE || a->type->kind > SPV_T_MATRIX ||
        spv_operand(s, 4)->type != scalar ||
        (scalar->kind != SPV_T_FLOAT && a->type->kind != SPV_T_COOPERATIVE))
        spv_fail(s, "bad operand type");
    const bool is_int = scalar->kind == SPV_T_INT; /* as a cooperative matrix may be */
    for (uint32_t i = 0; i < r->type->flat; i++)
        r->v[i] = is_int ? spv_ibin(s, scalar, IR_IMUL, a->v[i], k)
                         : spv_fbin(s, scalar, IR_FMUL, a->v[i], k);
}

static void
outer_product(struct spv *s)
{
    const struct spv_value *a = spv_operand(s, 3);
    const struct spv_value *b = spv_operand(s, 4);
    struct spv_value *r = spv_result(s);
    if (r->type->kind != SPV_T_MATRIX || a->type != r->type->elem ||
        b->type->kind != SPV_T_VECTOR || b->type->count != r->type->count ||
        b->type->elem != a->type->elem)
        spv_fail(s, "bad operand type");
    for (uint32_t c = 0; c < b->type->count; c++)
        for (uint32_t i = 0; i < a->type->count; i++)
            r->v[c * a->type->count + i] = spv_fbin(s, a->type->elem, IR_FMUL, a->v[i], b->v[c]);
}

static void
transpose(struct spv *s)
{
    const struct spv_value *a = spv_operand(s, 3);
    struct spv_value *r = spv_result(s);
    if (a->type->kind != SPV_T_MATRIX || r->type->kind != SPV_T_MATRIX ||
        a->type->count != r->type->elem->count || r->type->count != a->type->elem->count ||
        a->type->elem->elem != r->type->elem->elem)
        spv_fail(s, "bad operand type");
    const uint32_t rows = a->type->elem->count;
    for (uint32_t c = 0; c < a->type->count; c++)
        for (uint32_t i = 0; i < rows; i++)
            r->v[i * a->type->count + c] = a->v[c * rows + i];
}

bool
spv_composite(struct spv *s)
{
    switch (spv_opcode(s->at)) {
    case SPV_OP_COMPOSITE_CONSTRUCT:
    case SPV_OP_COMPOSITE_CONSTRUCT_REPLICATE:
        construct(s, spv_opcode(s->at) != SPV_OP_COMPOSITE_CONSTRUCT);
        return true;
    case SPV_OP_COMPOSITE_EXTRACT:
        extract(s);
        return true;
    case SPV_OP_COMPOSITE_INSERT:
        insert(s);
        return true;
    case SPV_OP_VECTOR_SHUFFLE:
        shuffle(s);
        return true;
    case SPV_OP_VECTOR_EXTRACT_DYNAMIC:
        extract_dynamic(s);
        return true;
    case SPV_OP_VECTOR_INSERT_DYNAMIC:
        insert_dynamic(s);
        return true;
    case SPV_OP_COPY_OBJECT:
    case SPV_OP_COPY_LOGICAL:
    case SPV_OP_EXPECT:
        copy_as(s);
        return true;
    case SPV_OP_SELECT:
        select_value(s);
        return true;
    case SPV_OP_DOT:
    case SPV_OP_VECTOR_TIMES_MATRIX:
    case SPV_OP_MATRIX_TIMES_VECTOR:
    case SPV_OP_MATRIX_TIMES_MATRIX:
        multiply(s);
        return true;
    case SPV_OP_VECTOR_TIMES_SCALAR:
    case SPV_OP_MATRIX_TIMES_SCALAR:
        times_scalar(s);
        return true;
    case SPV_OP_OUTER_PRODUCT:
        outer_product(s);
        return true;
    case SPV_OP_TRANSPOSE:
        transpose(s);
        return true;
    default:
        return false;
    }
}

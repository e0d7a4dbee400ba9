/* SPDX-License-Identifier: MIT */
/* Cooperative matrices: 16 x 16 components, spread over a subgroup: 16 lanes have the columns of
 * the upper rows, the next 16 those of as many rows below them. All that goes component by
 * component is done as for vectors.
 */
#include "compute/spirv/instruction.h"
#include "compute/spirv/lane.h"
#include "compute/spirv/pointer.h"
#include "compute/spirv/scalar.h"
#include "compute/spirv/translate.h"

#define SIDE RP_COOPERATIVE_SIDE

_Static_assert(SIDE == RP_MIN_SUBGROUP_SIZE, "a column, or a part of one, for each lane");

enum layout {
    ROW_MAJOR = 0,
    COLUMN_MAJOR = 1,
};

enum muladd_operands {
    A_SIGNED = 1,
    B_SIGNED = 2,
    SATURATING = 16,
};

static const struct spv_value *
matrix_operand(struct spv *s, uint32_t word)
{
    const struct spv_value *value = spv_operand(s, word);
    if (value->type->kind != SPV_T_COOPERATIVE)
        spv_fail(s, "not a cooperative matrix");
    return value;
}

/* Bytes that a stride counts: elements of what the pointer points to. */
static uint32_t
stride_unit(struct spv *s, const struct spv_type *pointer)
{
    if (!pointer->elem_id)
        return 1;
    const struct spv_type *pointee = spv_pointee(s, pointer);
    if (pointee->kind != SPV_T_INT && pointee->kind != SPV_T_FLOAT && pointee->kind != SPV_T_VECTOR)
        spv_fail(s, "matrix in memory that is not of numbers");
    return pointee->natural_B;
}

/* Where the lane's part of a column is: its first component, and the distance to the next one. */
struct column {
    struct spv_place place;
    struct ir_instr *step;
};

static struct ir_instr *
column_of_lane(struct spv *s)
{
    return spv_lane_in(s, SIDE);
}

/* The first of its part. */
static struct ir_instr *
row_of_lane(struct spv *s, const struct spv_type *matrix)
{
    struct ir_program *ir = s->ir;
    return ir_bin(ir, IR_IMUL, ir_bin(ir, IR_SHR, spv_lane(s), ir_i(ir, 4)),
                  ir_i(ir, matrix->count));
}

static struct column
column_at(struct spv *s, const struct spv_type *matrix, uint32_t pointer_word, uint32_t layout_word)
{
    struct ir_program *ir = s->ir;
    const struct spv_value *p = spv_operand(s, pointer_word);
    const uint32_t layout = spv_const_u32(s, spv_word(s, layout_word));
    if (p->type->kind != SPV_T_POINTER || !p->v || !spv_type_is_memory(p->type) ||
        layout > COLUMN_MAJOR)
        spv_fail(s, "matrix is not in memory");

    const struct spv_value *stride_value = spv_operand(s, layout_word + 1);
    if (stride_value->type->kind != SPV_T_INT)
        spv_fail(s, "stride is not an integer");
    struct ir_instr *stride = stride_value->type->width == 64
                                  ? ir_un(ir, IR_L2I, stride_value->v[0])
                                  : spv_extend(s, stride_value->type, false, stride_value->v[0]);
    stride = ir_bin(ir, IR_IMUL, stride, ir_i(ir, stride_unit(s, p->type)));
    struct ir_instr *size = ir_i(ir, spv_scalar_size(matrix->elem));
    const bool has_rows = layout == ROW_MAJOR;
    struct ir_instr *step = has_rows ? stride : size;
    struct ir_instr *first = ir_bin(ir, IR_IMUL, column_of_lane(s), has_rows ? size : stride);
    if (matrix->count < SIDE)
        first = ir_bin(ir, IR_IADD, first, ir_bin(ir, IR_IMUL, row_of_lane(s, matrix), step));
    return (struct column){
        .place = {.handle = p->v[0],
                  .offset = ir_bin(ir, IR_IADD, p->v[1], first),
                  .is_const = p->ptr->is_const},
        .step = step,
    };
}

static void
load(struct spv *s)
{
    struct spv_value *r = spv_result(s);
    if (r->type->kind != SPV_T_COOPERATIVE)
        spv_fail(s, "bad result type");
    struct column c = column_at(s, r->type, 3, 4);
    for (uint32_t i = 0; i < r->type->count; i++) {
        spv_load_memory(s, r->type->elem, &c.place, &r->v[i]);
        c.place.offset = ir_bin(s->ir, IR_IADD, c.place.offset, c.step);
    }
}

static void
store(struct spv *s)
{
    const struct spv_value *value = matrix_operand(s, 2);
    struct column c = column_at(s, value->type, 1, 3);
    for (uint32_t i = 0; i < value->type->count; i++) {
        spv_store_memory(s, value->type->elem, &c.place, &value->v[i]);
        c.place.offset = ir_bin(s->ir, IR_IADD, c.place.offset, c.step);
    }
}

/* A component as the sum is made of: integers as 32 bits. */
static struct ir_instr *
factor(struct spv *s, const struct spv_type *scalar, bool is_signed, struct ir_instr *a)
{
    return scalar->kind == SPV_T_INT ? spv_extend(s, scalar, is_signed, a) : a;
}

/* A row of the first matrix, whose components 16 lanes hold, times the lane's column. */
static struct ir_instr *
row_times_column(struct spv *s, bool is_float, struct ir_instr *row, struct ir_instr *const *column,
                 struct ir_instr *sum)
{
    for (uint32_t k = 0; k < SIDE; k++) {
        struct ir_instr *a = spv_shuffle(s, row, ir_i(s->ir, k), SIDE);
        struct ir_instr *product = ir_bin(s->ir, is_float ? IR_FMUL : IR_IMUL, a, column[k]);
        sum = ir_bin(s->ir, is_float ? IR_FADD : IR_IADD, sum, product);
    }
    return sum;
}

/* The whole column, of which the lane has a part and lanes of other rows the others. */
static void
gather_column(struct spv *s, bool is_signed, const struct spv_value *b, struct ir_instr **column)
{
    struct ir_program *ir = s->ir;
    const uint32_t count = b->type->count;
    for (uint32_t k = 0; k < SIDE; k++) {
        column[k] = factor(s, b->type->elem, is_signed, b->v[k % count]);
        if (count == SIDE)
            continue;
        struct ir_instr *from = ir_bin(ir, IR_OR, column_of_lane(s), ir_i(ir, k / count * SIDE));
        column[k] = spv_shuffle(s, column[k], from, ir->subgroup_size);
    }
}

/* Whether the types agree but for their signs, which the instruction has. */
static bool
are_alike(const struct spv_type *a, const struct spv_type *b)
{
    return a->kind == b->kind && a->width == b->width && a->is_bfloat == b->is_bfloat;
}

/* Sums are made in 32 bits and rounded to halves at the end. */
static void
multiply_add(struct spv *s)
{
    struct spv_value *r = spv_result(s);
    const struct spv_value *a = matrix_operand(s, 3), *b = matrix_operand(s, 4);
    const struct spv_value *c = matrix_operand(s, 5);
    const struct spv_type *in = a->type->elem, *out = r->type->elem;
    const uint32_t operands = spv_words_left(s, 6) ? spv_word(s, 6) : 0;
    if (r->type->kind != SPV_T_COOPERATIVE || !are_alike(c->type->elem, out) ||
        !are_alike(b->type->elem, in) || out->kind != in->kind || out->width > 32 ||
        out->width < in->width || (operands & SATURATING))
        spv_fail(s, "matrices that cannot be multiplied");

    const bool is_float = out->kind == SPV_T_FLOAT;
    struct ir_instr *column[SIDE];
    gather_column(s, operands & B_SIGNED, b, column);
    for (uint32_t i = 0; i < r->type->count; i++) {
        struct ir_instr *sum = row_times_column(
            s, is_float, factor(s, in, operands & A_SIGNED, a->v[i]), column, c->v[i]);
        r->v[i] = is_float ? spv_flush(s, out, spv_round_half(s, out, sum)) : sum;
    }
}

bool
spv_matrix(struct spv *s)
{
    switch (spv_opcode(s->at)) {
    case SPV_OP_COOPERATIVE_MATRIX_LOAD:
        load(s);
        return true;
    case SPV_OP_COOPERATIVE_MATRIX_STORE:
        store(s);
        return true;
    case SPV_OP_COOPERATIVE_MATRIX_MUL_ADD:
        multiply_add(s);
        return true;
    case SPV_OP_COOPERATIVE_MATRIX_LENGTH:
        if (spv_type(s, spv_word(s, 3))->kind != SPV_T_COOPERATIVE)
            spv_fail(s, "not a cooperative matrix");
        spv_set_result(s, ir_i(s->ir, spv_type(s, spv_word(s, 3))->count));
        return true;
    default:
        return false;
    }
}

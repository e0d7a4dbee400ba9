/* SPDX-License-Identifier: MIT */
/* Subgroup operations. A subgroup is a row of 16, 32 or 64 lanes; what is not a ballot, a vote, a
 * shuffle or a reduction is made of these.
 */
#include "compute/lane_ops.h"
#include "compute/spirv/instruction.h"
#include "compute/spirv/lane.h"
#include "compute/spirv/scalar.h"
#include "compute/spirv/translate.h"
#include "util/compiler.h"

_Static_assert((int)IR_SCAN_REDUCE == SPV_REDUCE && (int)IR_SCAN_INCLUSIVE == SPV_INCLUSIVE_SCAN &&
                   (int)IR_SCAN_EXCLUSIVE == SPV_EXCLUSIVE_SCAN &&
                   (int)IR_SCAN_CLUSTERED == SPV_CLUSTERED_REDUCE &&
                   (int)IR_SCAN_PARTITIONED == SPV_PARTITIONED_REDUCE &&
                   (int)IR_SCAN_PARTITIONED_INCLUSIVE == SPV_PARTITIONED_INCLUSIVE_SCAN &&
                   (int)IR_SCAN_PARTITIONED_EXCLUSIVE == SPV_PARTITIONED_EXCLUSIVE_SCAN,
               "one numbering");

#define MAX_WORDS (RP_MAX_SUBGROUP_SIZE / 32) /* of a ballot */

uint32_t
spv_subgroup_lanes(const struct spv *s)
{
    const uint32_t count = s->local_size[0] * s->local_size[1] * s->local_size[2];
    uint32_t lanes = RP_MIN_SUBGROUP_SIZE;
    while (lanes < count && lanes < s->ir->subgroup_size)
        lanes *= 2;
    return lanes;
}

/* Over a row of lanes. */
static struct ir_instr *
row_op(struct spv *s, enum ir_subgroup op, enum ir_type type, uint32_t lanes, struct ir_instr *a,
       struct ir_instr *b, struct ir_instr *c)
{
    struct ir_instr *instr = ir_make(s->ir, IR_SUBGROUP, type, c ? 3 : b ? 2 : a ? 1 : 0);
    instr->aux = op;
    instr->cluster = (uint16_t)lanes;
    if (a)
        instr->args[0] = a;
    if (b)
        instr->args[1] = b;
    if (c)
        instr->args[2] = c;
    ir_place(s->ir, instr);
    return instr;
}

static struct ir_instr *
subgroup_op(struct spv *s, enum ir_subgroup op, enum ir_type type, struct ir_instr *a)
{
    return row_op(s, op, type, spv_subgroup_lanes(s), a, NULL, NULL);
}

/* A word of a ballot, or of what has the same form. */
static struct ir_instr *
ballot_word(struct spv *s, enum ir_subgroup op, struct ir_instr *a, uint32_t word)
{
    if (32 * word >= spv_subgroup_lanes(s))
        return ir_i(s->ir, 0);
    struct ir_instr *bits = subgroup_op(s, op, IR_I, a);
    bits->imm = word;
    return bits;
}

struct ir_instr *
spv_shuffle(struct spv *s, struct ir_instr *value, struct ir_instr *from, uint32_t lanes)
{
    struct ir_program *ir = s->ir;
    if (value->type == IR_B)
        return ir_bin(ir, IR_INE,
                      spv_shuffle(s, ir_select(ir, value, ir_i(ir, 1), ir_i(ir, 0)), from, lanes),
                      ir_i(ir, 0));
    if (value->type == IR_L)
        return ir_bin(ir, IR_PACK64, spv_shuffle(s, ir_un(ir, IR_L2I, value), from, lanes),
                      spv_shuffle(s, ir_un(ir, IR_HI64, value), from, lanes));
    return row_op(s, IR_SG_SHUFFLE, IR_I, lanes, value, from, NULL);
}

static struct ir_instr *
first_lane(struct spv *s, struct ir_instr *value)
{
    struct ir_program *ir = s->ir;
    if (value->type == IR_B)
        return ir_bin(ir, IR_INE, first_lane(s, ir_select(ir, value, ir_i(ir, 1), ir_i(ir, 0))),
                      ir_i(ir, 0));
    if (value->type == IR_L)
        return ir_bin(ir, IR_PACK64, first_lane(s, ir_un(ir, IR_L2I, value)),
                      first_lane(s, ir_un(ir, IR_HI64, value)));
    return subgroup_op(s, IR_SG_FIRST, IR_I, value);
}

/* A lane's number, or what makes one, of any width. */
static struct ir_instr *
lane_operand(struct spv *s, uint32_t word)
{
    const struct spv_value *id = spv_operand(s, word);
    if (id->type->kind != SPV_T_INT)
        spv_fail(s, "bad operand type");
    if (id->type->width == 64)
        return ir_un(s->ir, IR_L2I, id->v[0]);
    return spv_extend(s, id->type, false, id->v[0]);
}

/* What a rotation goes round in. */
static uint32_t
rotated_lanes(struct spv *s)
{
    const uint32_t lanes = spv_subgroup_lanes(s);
    const uint32_t cluster = spv_words_left(s, 6) ? spv_const_u32(s, spv_word(s, 6)) : lanes;
    if (cluster == 0 || (cluster & (cluster - 1)))
        spv_fail(s, "bad cluster size");
    return RP_MIN(cluster, lanes);
}

/* How many lanes the rows have inside of which a shuffle-like instruction stays. */
static uint32_t
shuffled_lanes(struct spv *s, enum spv_op op, const struct ir_instr *arg)
{
    switch (op) {
    case SPV_OP_GROUP_NON_UNIFORM_QUAD_BROADCAST:
    case SPV_OP_GROUP_NON_UNIFORM_QUAD_SWAP:
        return SPV_QUAD_ROW;
    case SPV_OP_GROUP_NON_UNIFORM_ROTATE:
        return RP_MAX(rotated_lanes(s), SPV_QUAD_ROW);
    case SPV_OP_GROUP_NON_UNIFORM_SHUFFLE_XOR:
        if (ir_is_const(arg) && arg->imm < SPV_QUAD_ROW)
            return SPV_QUAD_ROW;
        return spv_subgroup_lanes(s);
    default:
        return spv_subgroup_lanes(s);
    }
}

/* The lane of its row that a lane reads from in a shuffle-like instruction. */
static struct ir_instr *
source_lane(struct spv *s, enum spv_op op, struct ir_instr *arg, struct ir_instr *lane)
{
    struct ir_program *ir = s->ir;
    struct ir_instr *three = ir_i(ir, 3);
    struct ir_instr *quad;

    switch (op) {
    case SPV_OP_GROUP_NON_UNIFORM_SHUFFLE_XOR:
        return ir_bin(ir, IR_XOR, lane, arg);
    case SPV_OP_GROUP_NON_UNIFORM_SHUFFLE_UP:
        return ir_bin(ir, IR_ISUB, lane, arg);
    case SPV_OP_GROUP_NON_UNIFORM_SHUFFLE_DOWN:
        return ir_bin(ir, IR_IADD, lane, arg);
    case SPV_OP_GROUP_NON_UNIFORM_QUAD_BROADCAST:
        quad = ir_bin(ir, IR_AND, lane, ir_i(ir, ~3u));
        return ir_bin(ir, IR_OR, quad, ir_bin(ir, IR_AND, arg, three));
    case SPV_OP_GROUP_NON_UNIFORM_QUAD_SWAP:
        /* 0: horizontal, 1: vertical, 2: diagonal */
        return ir_bin(ir, IR_XOR, lane, ir_bin(ir, IR_IADD, arg, ir_i(ir, 1)));
    case SPV_OP_GROUP_NON_UNIFORM_ROTATE: {
        struct ir_instr *mask = ir_i(ir, rotated_lanes(s) - 1);
        struct ir_instr *turned = ir_bin(ir, IR_AND, ir_bin(ir, IR_IADD, lane, arg), mask);
        return ir_bin(ir, IR_OR, ir_bin(ir, IR_AND, lane, ir_un(ir, IR_INOT, mask)), turned);
    }
    default:
        return arg;
    }
}

static void
shuffle_like(struct spv *s)
{
    const enum spv_op op = spv_opcode(s->at);
    const struct spv_value *value = spv_operand(s, 4);
    struct ir_instr *arg = lane_operand(s, 5);
    const uint32_t lanes = shuffled_lanes(s, op, arg);
    struct ir_instr *from = source_lane(s, op, arg, spv_lane_in(s, lanes));
    struct spv_value *r = spv_result(s);
    if (value->type != r->type || r->ptr)
        spv_fail(s, "bad operand type");
    for (uint32_t i = 0; i < r->type->flat; i++)
        r->v[i] = spv_shuffle(s, value->v[i], from, lanes);
}

static void
read_invocation(struct spv *s)
{
    const struct spv_value *value = spv_operand(s, 3);
    struct ir_instr *from = lane_operand(s, 4);
    struct spv_value *r = spv_result(s);
    if (value->type != r->type || r->ptr)
        spv_fail(s, "bad operand type");
    for (uint32_t i = 0; i < r->type->flat; i++)
        r->v[i] = spv_shuffle(s, value->v[i], from, spv_subgroup_lanes(s));
}

static struct ir_instr *
bool_operand(struct spv *s, uint32_t word)
{
    struct ir_instr *value = spv_scalar_operand(s, word);
    if (value->type != IR_B)
        spv_fail(s, "operand is not a bool");
    return value;
}

static void
vote(struct spv *s, uint32_t word)
{
    const enum spv_op op = spv_opcode(s->at);
    const bool is_quad =
        op == SPV_OP_GROUP_NON_UNIFORM_QUAD_ALL || op == SPV_OP_GROUP_NON_UNIFORM_QUAD_ANY;
    const bool is_all = op == SPV_OP_GROUP_NON_UNIFORM_ALL || op == SPV_OP_SUBGROUP_ALL ||
                        op == SPV_OP_GROUP_NON_UNIFORM_QUAD_ALL;
    struct ir_instr *value = bool_operand(s, word);
    if (!is_quad) {
        spv_set_result(s, subgroup_op(s, is_all ? IR_SG_ALL : IR_SG_ANY, IR_B, value));
        return;
    }
    struct ir_program *ir = s->ir;
    if (is_all)
        value = ir_not(ir, value);
    struct ir_instr *bits = row_op(s, IR_SG_BALLOT, IR_I, SPV_QUAD_ROW, value, NULL, NULL);
    struct ir_instr *shift = ir_bin(ir, IR_AND, spv_lane_in(s, SPV_QUAD_ROW), ir_i(ir, ~3u));
    struct ir_instr *quad = ir_bin(ir, IR_AND, ir_bin(ir, IR_SHR, bits, shift), ir_i(ir, 15));
    spv_set_result(s, ir_bin(ir, is_all ? IR_IEQ : IR_INE, quad, ir_i(ir, 0)));
}

static void
all_equal(struct spv *s, uint32_t word)
{
    const struct spv_value *value = spv_operand(s, word);
    struct ir_program *ir = s->ir;
    struct ir_instr *r = ir_const(ir, IR_B, 1);

    for (uint32_t i = 0; i < value->type->flat; i++) {
        struct ir_instr *v = value->v[i];
        struct ir_instr *first = first_lane(s, v);
        const bool is_float = spv_flat_type(value->type, i)->kind == SPV_T_FLOAT;
        struct ir_instr *same;
        if (v->type == IR_B)
            same = ir_not(ir, ir_bin(ir, IR_BXOR, v, first));
        else if (v->type == IR_L)
            same = ir_bin(ir, is_float ? IR_FEQ64 : IR_IEQ64, v, first);
        else
            same = is_float ? ir_bin(ir, IR_FEQ, v, first)
                            : spv_ibin(s, spv_flat_type(value->type, i), IR_IEQ, v, first);
        r = ir_bin(ir, IR_BAND, r, subgroup_op(s, IR_SG_ALL, IR_B, same));
    }
    spv_set_result(s, r);
}

static void
set_ballot(struct spv *s, struct ir_instr *const bits[MAX_WORDS])
{
    struct spv_value *r = spv_result(s);
    if (r->type->flat != 4 || spv_scalar_of(r->type)->kind != SPV_T_INT ||
        spv_scalar_of(r->type)->width != 32)
        spv_fail(s, "bad result type");
    for (uint32_t i = 0; i < 4; i++)
        r->v[i] = i < MAX_WORDS ? bits[i] : ir_i(s->ir, 0);
}

static void
ballot(struct spv *s, struct ir_instr *value)
{
    struct ir_instr *bits[MAX_WORDS];
    for (uint32_t w = 0; w < MAX_WORDS; w++)
        bits[w] = ballot_word(s, IR_SG_BALLOT, value, w);
    set_ballot(s, bits);
}

static const struct spv_value *
ballot_operand(struct spv *s, uint32_t word)
{
    const struct spv_value *value = spv_operand(s, word);
    if (value->type->flat != 4 || spv_scalar_of(value->type)->kind != SPV_T_INT ||
        value->v[0]->type != IR_I)
        spv_fail(s, "not a ballot");
    return value;
}

/* Is the bit of a lane set? */
static struct ir_instr *
ballot_bit(struct spv *s, struct ir_instr *const bits[MAX_WORDS], struct ir_instr *id)
{
    struct ir_program *ir = s->ir;
    struct ir_instr *word = bits[0];
    if (spv_lanes_mask(s, 1))
        word = ir_select(ir, ir_bin(ir, IR_ULT, id, ir_i(ir, 32)), bits[0], bits[1]);
    struct ir_instr *bit = ir_bin(ir, IR_SHL, ir_i(ir, 1), id);
    return ir_bin(ir, IR_INE, ir_bin(ir, IR_AND, word, bit), ir_i(ir, 0));
}

/* Finds the lowest or the highest bit that is set. */
static struct ir_instr *
ballot_find(struct spv *s, struct ir_instr *const bits[MAX_WORDS], bool is_highest)
{
    struct ir_program *ir = s->ir;
    const enum ir_op op = is_highest ? IR_FINDUMSB : IR_FINDLSB;
    struct ir_instr *low = ir_un(ir, op, bits[0]);
    if (!spv_lanes_mask(s, 1))
        return low;
    struct ir_instr *high = ir_bin(ir, IR_IADD, ir_un(ir, op, bits[1]), ir_i(ir, 32));
    struct ir_instr *is_low = is_highest ? ir_bin(ir, IR_IEQ, bits[1], ir_i(ir, 0))
                                         : ir_bin(ir, IR_INE, bits[0], ir_i(ir, 0));
    return ir_select(ir, is_low, low, high);
}

/* All, or those of the lanes up to this one, or below it. */
static struct ir_instr *
ballot_count(struct spv *s, struct ir_instr *const bits[MAX_WORDS], uint32_t operation)
{
    struct ir_program *ir = s->ir;
    const uint32_t which =
        operation == SPV_INCLUSIVE_SCAN ? SPV_SUBGROUP_LE_MASK : SPV_SUBGROUP_LT_MASK;
    struct ir_instr *count = NULL;
    for (uint32_t w = 0; w < MAX_WORDS && spv_lanes_mask(s, w); w++) {
        struct ir_instr *word = bits[w];
        if (operation == SPV_INCLUSIVE_SCAN || operation == SPV_EXCLUSIVE_SCAN)
            word = ir_bin(ir, IR_AND, word, spv_lane_mask(s, which, w));
        word = ir_un(ir, IR_BITCOUNT, word);
        count = count ? ir_bin(ir, IR_IADD, count, word) : word;
    }
    return count;
}

static void
ballot_query(struct spv *s)
{
    const enum spv_op op = spv_opcode(s->at);
    const uint32_t word = op == SPV_OP_GROUP_NON_UNIFORM_BALLOT_BIT_COUNT ? 5 : 4;
    const struct spv_value *value = ballot_operand(s, word);
    struct ir_instr *bits[MAX_WORDS];
    for (uint32_t w = 0; w < MAX_WORDS; w++)
        bits[w] = ir_bin(s->ir, IR_AND, value->v[w], ir_i(s->ir, spv_lanes_mask(s, w)));

    switch (op) {
    case SPV_OP_GROUP_NON_UNIFORM_INVERSE_BALLOT:
        spv_set_result(s, ballot_bit(s, bits, spv_lane(s)));
        return;
    case SPV_OP_GROUP_NON_UNIFORM_BALLOT_BIT_EXTRACT:
        spv_set_result(s, ballot_bit(s, bits, lane_operand(s, 5)));
        return;
    case SPV_OP_GROUP_NON_UNIFORM_BALLOT_FIND_LSB:
        spv_set_result(s, ballot_find(s, bits, false));
        return;
    case SPV_OP_GROUP_NON_UNIFORM_BALLOT_FIND_MSB:
        spv_set_result(s, ballot_find(s, bits, true));
        return;
    default:
        spv_set_result(s, ballot_count(s, bits, spv_word(s, 4)));
        return;
    }
}

/* Lanes of a partition are equal in every 32-bit part of the value. */
static struct ir_instr *
partition_part(struct spv *s, const struct spv_type *scalar, struct ir_instr *value, uint32_t word)
{
    struct ir_program *ir = s->ir;
    if (scalar->kind == SPV_T_FLOAT) /* zeros are equal */
        value = spv_fbin(s, scalar, IR_FADD, value, spv_fconst(s, scalar, 0));
    if (value->type == IR_B)
        value = ir_select(ir, value, ir_i(ir, 1), ir_i(ir, 0));
    if (value->type == IR_L)
        return ir_bin(ir, IR_AND, ballot_word(s, IR_SG_PARTITION, ir_un(ir, IR_L2I, value), word),
                      ballot_word(s, IR_SG_PARTITION, ir_un(ir, IR_HI64, value), word));
    return ballot_word(s, IR_SG_PARTITION, spv_extend(s, scalar, false, value), word);
}

static void
partition(struct spv *s)
{
    const struct spv_value *value = spv_operand(s, 3);
    if (value->type->kind > SPV_T_VECTOR || value->type->flat == 0)
        spv_fail(s, "bad operand type");
    struct ir_instr *bits[MAX_WORDS] = {NULL};
    for (uint32_t w = 0; w < MAX_WORDS; w++)
        for (uint32_t i = 0; i < value->type->flat; i++) {
            struct ir_instr *part = partition_part(s, spv_scalar_of(value->type), value->v[i], w);
            bits[w] = bits[w] ? ir_bin(s->ir, IR_AND, bits[w], part) : part;
        }
    set_ballot(s, bits);
}

/* Nanoseconds, whatever the scope. */
static void
read_clock(struct spv *s)
{
    struct ir_instr *now = subgroup_op(s, IR_SG_CLOCK, IR_L, NULL);
    struct spv_value *r = spv_result(s);
    const struct spv_type *scalar = spv_scalar_of(r->type);
    if (r->type->kind > SPV_T_VECTOR || scalar->kind != SPV_T_INT ||
        r->type->flat * scalar->width != 64)
        spv_fail(s, "bad result type");
    r->v[0] = scalar->width == 64 ? now : ir_un(s->ir, IR_L2I, now);
    if (r->type->flat == 2)
        r->v[1] = ir_un(s->ir, IR_HI64, now);
}

static enum ir_reduce
reduce_op(struct spv *s, enum spv_op op)
{
    switch (op) {
    case SPV_OP_GROUP_NON_UNIFORM_I_ADD:
        return IR_RED_IADD;
    case SPV_OP_GROUP_NON_UNIFORM_F_ADD:
        return IR_RED_FADD;
    case SPV_OP_GROUP_NON_UNIFORM_I_MUL:
        return IR_RED_IMUL;
    case SPV_OP_GROUP_NON_UNIFORM_F_MUL:
        return IR_RED_FMUL;
    case SPV_OP_GROUP_NON_UNIFORM_S_MIN:
        return IR_RED_SMIN;
    case SPV_OP_GROUP_NON_UNIFORM_U_MIN:
        return IR_RED_UMIN;
    case SPV_OP_GROUP_NON_UNIFORM_F_MIN:
        return IR_RED_FMIN;
    case SPV_OP_GROUP_NON_UNIFORM_S_MAX:
        return IR_RED_SMAX;
    case SPV_OP_GROUP_NON_UNIFORM_U_MAX:
        return IR_RED_UMAX;
    case SPV_OP_GROUP_NON_UNIFORM_F_MAX:
        return IR_RED_FMAX;
    case SPV_OP_GROUP_NON_UNIFORM_BITWISE_AND:
    case SPV_OP_GROUP_NON_UNIFORM_LOGICAL_AND:
        return IR_RED_AND;
    case SPV_OP_GROUP_NON_UNIFORM_BITWISE_OR:
    case SPV_OP_GROUP_NON_UNIFORM_LOGICAL_OR:
        return IR_RED_OR;
    case SPV_OP_GROUP_NON_UNIFORM_BITWISE_XOR:
    case SPV_OP_GROUP_NON_UNIFORM_LOGICAL_XOR:
        return IR_RED_XOR;
    default:
        spv_fail(s, "not a reduction");
    }
}

static bool
is_signed_reduce(enum ir_reduce op)
{
    return op == IR_RED_SMIN || op == IR_RED_SMAX;
}

static void
reduce(struct spv *s, enum ir_reduce op)
{
    struct ir_program *ir = s->ir;
    const uint32_t operation = spv_word(s, 4);
    const struct spv_value *value = spv_operand(s, 5);
    const struct spv_type *scalar = spv_scalar_of(value->type);
    const uint32_t lanes = spv_subgroup_lanes(s);
    uint32_t cluster = lanes;
    if (operation == SPV_CLUSTERED_REDUCE)
        cluster = spv_const_u32(s, spv_word(s, 6));
    struct ir_instr *partition_bits[MAX_WORDS] = {NULL};
    if (operation >= SPV_PARTITIONED_REDUCE && operation <= SPV_PARTITIONED_EXCLUSIVE_SCAN)
        for (uint32_t w = 0; w < MAX_WORDS && 32 * w < lanes; w++)
            partition_bits[w] = ballot_operand(s, 6)->v[w];
    else if (operation > SPV_CLUSTERED_REDUCE)
        spv_fail(s, "group operation is not supported");
    if (cluster == 0 || (cluster & (cluster - 1)))
        spv_fail(s, "bad cluster size");
    const bool is_float = op >= IR_RED_FADD;
    struct spv_value *r = spv_result(s);
    if (r->type != value->type || r->type->kind > SPV_T_VECTOR ||
        (scalar->kind == SPV_T_FLOAT) != is_float)
        spv_fail(s, "bad operand type");

    for (uint32_t i = 0; i < r->type->flat; i++) {
        struct ir_instr *v = value->v[i];
        if (v->type == IR_B)
            v = ir_select(ir, v, ir_i(ir, UINT32_MAX), ir_i(ir, 0));
        else
            v = spv_flush(s, scalar, spv_extend(s, scalar, is_signed_reduce(op), v));
        const bool is_wide = v->type == IR_L;
        v = row_op(s, is_wide ? IR_SG_REDUCE64 : IR_SG_REDUCE, is_wide ? IR_L : IR_I,
                   RP_MIN(cluster, lanes), v, partition_bits[0], partition_bits[1]);
        v->imm = op;
        v->scan = (uint8_t)(operation == SPV_CLUSTERED_REDUCE ? SPV_REDUCE : operation);
        if (scalar->kind == SPV_T_BOOL)
            v = ir_bin(ir, IR_INE, v, ir_i(ir, 0));
        else if (is_signed_reduce(op) && scalar->width < 32) /* of no lanes: the type's limit */
            v = op == IR_RED_SMIN
                    ? ir_bin(ir, IR_SMIN, v, ir_i(ir, (1u << (scalar->width - 1)) - 1))
                    : ir_bin(ir, IR_SMAX, v, ir_i(ir, 0u - (1u << (scalar->width - 1))));
        else if (is_float)
            v = spv_flush(s, scalar, spv_round_half(s, scalar, v));
        r->v[i] = v;
    }
}

static void
broadcast_first(struct spv *s, uint32_t word)
{
    const struct spv_value *value = spv_operand(s, word);
    struct spv_value *r = spv_result(s);
    if (r->type != value->type || r->ptr)
        spv_fail(s, "bad operand type");
    for (uint32_t i = 0; i < r->type->flat; i++)
        r->v[i] = first_lane(s, value->v[i]);
}

static bool
is_shuffle(enum spv_op op)
{
    return op == SPV_OP_GROUP_NON_UNIFORM_BROADCAST ||
           (op >= SPV_OP_GROUP_NON_UNIFORM_SHUFFLE &&
            op <= SPV_OP_GROUP_NON_UNIFORM_SHUFFLE_DOWN) ||
           op == SPV_OP_GROUP_NON_UNIFORM_QUAD_BROADCAST ||
           op == SPV_OP_GROUP_NON_UNIFORM_QUAD_SWAP || op == SPV_OP_GROUP_NON_UNIFORM_ROTATE;
}

bool
spv_subgroup(struct spv *s)
{
    const enum spv_op op = spv_opcode(s->at);

    if (is_shuffle(op)) {
        shuffle_like(s);
        return true;
    }
    if (op >= SPV_OP_GROUP_NON_UNIFORM_I_ADD && op <= SPV_OP_GROUP_NON_UNIFORM_LOGICAL_XOR) {
        reduce(s, reduce_op(s, op));
        return true;
    }
    switch (op) {
    case SPV_OP_GROUP_NON_UNIFORM_ELECT:
        spv_set_result(s, subgroup_op(s, IR_SG_ELECT, IR_B, NULL));
        return true;
    case SPV_OP_GROUP_NON_UNIFORM_ALL:
    case SPV_OP_GROUP_NON_UNIFORM_ANY:
        vote(s, 4);
        return true;
    case SPV_OP_SUBGROUP_ALL:
    case SPV_OP_SUBGROUP_ANY:
    case SPV_OP_GROUP_NON_UNIFORM_QUAD_ALL:
    case SPV_OP_GROUP_NON_UNIFORM_QUAD_ANY:
        vote(s, 3);
        return true;
    case SPV_OP_GROUP_NON_UNIFORM_ALL_EQUAL:
        all_equal(s, 4);
        return true;
    case SPV_OP_SUBGROUP_ALL_EQUAL:
        all_equal(s, 3);
        return true;
    case SPV_OP_GROUP_NON_UNIFORM_BROADCAST_FIRST:
        broadcast_first(s, 4);
        return true;
    case SPV_OP_SUBGROUP_READ_INVOCATION:
        read_invocation(s);
        return true;
    case SPV_OP_SUBGROUP_FIRST_INVOCATION:
        broadcast_first(s, 3);
        return true;
    case SPV_OP_GROUP_NON_UNIFORM_BALLOT:
        ballot(s, bool_operand(s, 4));
        return true;
    case SPV_OP_GROUP_NON_UNIFORM_PARTITION:
        partition(s);
        return true;
    case SPV_OP_READ_CLOCK:
        read_clock(s);
        return true;
    case SPV_OP_SUBGROUP_BALLOT:
        ballot(s, bool_operand(s, 3));
        return true;
    case SPV_OP_GROUP_NON_UNIFORM_INVERSE_BALLOT:
    case SPV_OP_GROUP_NON_UNIFORM_BALLOT_BIT_EXTRACT:
    case SPV_OP_GROUP_NON_UNIFORM_BALLOT_BIT_COUNT:
    case SPV_OP_GROUP_NON_UNIFORM_BALLOT_FIND_LSB:
    case SPV_OP_GROUP_NON_UNIFORM_BALLOT_FIND_MSB:
        ballot_query(s);
        return true;
    default:
        return false;
    }
}

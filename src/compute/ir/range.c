/* SPDX-License-Identifier: MIT */
/* Ranges of integers and bools: enough to decide loops and branches on constants and on the lane's
 * position. Unsigned; what may wrap around is unknown.
 */
#include "compute/ir/range.h"

#include "compute/exec/eval.h"
#include "compute/ir/ir.h"

#define MAX_DEPTH 8u

struct query {
    const struct ir_program *ir;
    const struct ir_assumed *assumed;
    uint32_t assumed_count;
};

static const struct ir_range unknown = {false, 0, UINT32_MAX};

static struct ir_range
make_range(uint64_t lo, uint64_t hi)
{
    if (hi > UINT32_MAX || lo > hi)
        return unknown;
    return (struct ir_range){true, (uint32_t)lo, (uint32_t)hi};
}

static bool
is_single(struct ir_range a)
{
    return a.is_known && a.lo == a.hi;
}

static bool
is_signed_safe(struct ir_range a)
{
    return a.hi <= INT32_MAX;
}

static struct ir_range
of_bool(bool is_true, bool is_false)
{
    return (struct ir_range){true, is_true, !is_false};
}

static struct ir_range
compare(enum ir_op op, struct ir_range a, struct ir_range b)
{
    const bool is_signed = op == IR_SLT || op == IR_SLE;
    if (is_signed && !(is_signed_safe(a) && is_signed_safe(b)))
        return unknown;
    switch (op) {
    case IR_IEQ:
        return of_bool(false, a.hi < b.lo || b.hi < a.lo);
    case IR_INE:
        return of_bool(a.hi < b.lo || b.hi < a.lo, false);
    case IR_SLT:
    case IR_ULT:
        return of_bool(a.hi < b.lo, a.lo >= b.hi);
    default:
        return of_bool(a.hi <= b.lo, a.lo > b.hi);
    }
}

static struct ir_range
shift_or_divide(enum ir_op op, struct ir_range a, struct ir_range b)
{
    if (!is_single(b) ||
        ((op == IR_UDIV || op == IR_UREM || op == IR_SDIV || op == IR_SREM || op == IR_SMOD) &&
         b.lo == 0))
        return unknown;
    switch (op) {
    case IR_SHL:
        return make_range((uint64_t)a.lo << (b.lo & 31), (uint64_t)a.hi << (b.lo & 31));
    case IR_SAR:
        if (!is_signed_safe(a))
            return unknown;
        return make_range(a.lo >> (b.lo & 31), a.hi >> (b.lo & 31));
    case IR_SHR:
        return make_range(a.lo >> (b.lo & 31), a.hi >> (b.lo & 31));
    case IR_SDIV:
    case IR_SREM:
    case IR_SMOD:
        if (!is_signed_safe(a) || !is_signed_safe(b))
            return unknown;
        break;
    default:
        break;
    }
    if (op == IR_UDIV || op == IR_SDIV)
        return make_range(a.lo / b.lo, a.hi / b.lo);
    return a.hi < b.lo ? a : make_range(0, b.lo - 1);
}

static uint32_t
lower(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t
higher(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static struct ir_range
binary(enum ir_op op, struct ir_range a, struct ir_range b)
{
    const bool is_safe = is_signed_safe(a) && is_signed_safe(b);
    switch (op) {
    case IR_IADD:
        return make_range((uint64_t)a.lo + b.lo, (uint64_t)a.hi + b.hi);
    case IR_ISUB:
        return a.lo < b.hi ? unknown : make_range(a.lo - b.hi, a.hi - b.lo);
    case IR_IMUL:
        return make_range((uint64_t)a.lo * b.lo, (uint64_t)a.hi * b.hi);
    case IR_AND:
        return make_range(0, lower(a.hi, b.hi));
    case IR_SMIN:
    case IR_UMIN:
        return op == IR_SMIN && !is_safe ? unknown
                                         : make_range(lower(a.lo, b.lo), lower(a.hi, b.hi));
    case IR_SMAX:
    case IR_UMAX:
        return op == IR_SMAX && !is_safe ? unknown
                                         : make_range(higher(a.lo, b.lo), higher(a.hi, b.hi));
    case IR_IEQ:
    case IR_INE:
    case IR_SLT:
    case IR_SLE:
    case IR_ULT:
    case IR_ULE:
        return compare(op, a, b);
    case IR_BAND:
        return (struct ir_range){true, a.lo & b.lo, a.hi & b.hi};
    case IR_BOR:
        return (struct ir_range){true, a.lo | b.lo, a.hi | b.hi};
    default:
        return shift_or_divide(op, a, b);
    }
}

static bool
has_binary(enum ir_op op)
{
    switch (op) {
    case IR_IADD:
    case IR_ISUB:
    case IR_IMUL:
    case IR_AND:
    case IR_SMIN:
    case IR_UMIN:
    case IR_SMAX:
    case IR_UMAX:
    case IR_IEQ:
    case IR_INE:
    case IR_SLT:
    case IR_SLE:
    case IR_ULT:
    case IR_ULE:
    case IR_BAND:
    case IR_BOR:
    case IR_SHL:
    case IR_SHR:
    case IR_SAR:
    case IR_UDIV:
    case IR_UREM:
    case IR_SDIV:
    case IR_SREM:
    case IR_SMOD:
        return true;
    default:
        return false;
    }
}

/* What is known of the result where one operand may be anything. */
static bool
is_bounding(enum ir_op op)
{
    return op == IR_AND || op == IR_UMIN || op == IR_SHR || op == IR_UREM;
}

static struct ir_range range_at(const struct query *q, const struct ir_instr *i, uint32_t depth);

static struct ir_range
arithmetic(const struct query *q, const struct ir_instr *i, uint32_t depth)
{
    struct ir_range args[3];
    uint64_t in[3] = {0};
    bool are_single = i->arg_count <= 3 && i->op < IR_BAND;

    if (i->type == IR_L)
        return unknown;
    for (uint32_t a = 0; a < i->arg_count && a < 3; a++) {
        if (i->args[a]->type == IR_L)
            return unknown;
        args[a] = range_at(q, i->args[a], depth + 1);
        if (!args[a].is_known && !is_bounding(i->op))
            return unknown;
        are_single = are_single && is_single(args[a]) && i->args[a]->type == IR_I;
        in[a] = args[a].lo;
    }
    if (are_single) {
        const uint32_t value = (uint32_t)rp_exec_eval(i->op, in);
        return i->type == IR_B ? of_bool(value, !value) : make_range(value, value);
    }
    if (i->op == IR_BNOT)
        return (struct ir_range){true, !args[0].hi, !args[0].lo};
    return i->arg_count == 2 && has_binary(i->op) ? binary(i->op, args[0], args[1]) : unknown;
}

/* Places in the grid: none is larger than the limits that the device reports. */
static struct ir_range
builtin(const struct ir_program *ir, const struct ir_instr *i)
{
    if (i->imm >= IR_GROUP_X && i->imm <= IR_GROUP_Z)
        return make_range(0, ir->has_rows ? RP_MAX_GROUP_COUNT * RP_MAX_WORKGROUP_SIZE - 1
                                          : RP_MAX_GROUP_COUNT - 1);
    if (i->imm > IR_LANE_Z)
        return unknown;
    if (!ir->has_rows)
        return make_range(0, ir->local_size[i->imm - IR_LANE_X] - 1);
    return i->imm == IR_LANE_X ? make_range(0, RP_MAX_WORKGROUP_SIZE - 1) : unknown;
}

static struct ir_range
range_at(const struct query *q, const struct ir_instr *i, uint32_t depth)
{
    if (ir_is_const(i))
        return i->type == IR_L ? unknown : make_range(i->imm, i->imm);
    for (uint32_t a = 0; a < q->assumed_count; a++)
        if (q->assumed[a].instr == i)
            return q->assumed[a].range;
    if (i->op == IR_BUILTIN)
        return builtin(q->ir, i);
    if (i->copy && depth < MAX_DEPTH)
        return range_at(q, ir_resolve(i->copy), depth + 1);
    if (depth >= MAX_DEPTH || !ir_op_is_arithmetic(i->op))
        return unknown;
    return arithmetic(q, i, depth);
}

struct ir_range
ir_range_of(const struct ir_program *ir, const struct ir_instr *instr,
            const struct ir_assumed *assumed, uint32_t assumed_count)
{
    const struct query q = {ir, assumed, assumed_count};
    return range_at(&q, instr, 0);
}

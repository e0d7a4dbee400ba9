/* SPDX-License-Identifier: MIT */
/* Gives every operand the form its operation has a handler for: uniform values stay scalars where
 * they can, linear ones become addresses or are written out for all lanes.
 */
#include "compute/exec/op.h"
#include "compute/ir/build.h"
#include "compute/ir/passes.h"

static struct ir_instr *
place_lanes(struct ir_program *ir, enum ir_op op, enum ir_type type, struct ir_instr **args,
            uint32_t count, struct ir_instr *loop)
{
    struct ir_instr *instr = ir_make(ir, op, type, count);
    for (uint32_t a = 0; a < count; a++)
        instr->args[a] = args[a];
    instr->cls = IR_VARYING;
    instr->loop = loop;
    ir_place(ir, instr);
    return instr;
}

static struct ir_linear
linear_parts(struct ir_program *ir, const struct ir_instr *value)
{
    struct ir_linear linear = {ir_i(ir, 0), {NULL, NULL, NULL}};
    if (value->linear)
        return *value->linear;
    linear.stride[value->imm - IR_LANE_X] = ir_i(ir, 1);
    return linear;
}

/* A linear value for all lanes; made once, where the value is. */
static struct ir_instr *
affine(struct ir_program *ir, struct ir_instr *value)
{
    if (value->lanes)
        return value->lanes;
    const struct ir_linear linear = linear_parts(ir, value);
    struct ir_instr *args[4] = {linear.base};
    for (uint32_t x = 0; x < 3; x++)
        args[1 + x] = linear.stride[x] ? linear.stride[x] : ir_i(ir, 0);
    ir->cursor = value->op == IR_BUILTIN ? NULL : value;
    if (value->op == IR_PHI)
        while (ir->cursor->next && ir->cursor->next->op == IR_PHI)
            ir->cursor = ir->cursor->next;
    else if (value->op != IR_BUILTIN) /* behind the arithmetic of base and strides */
        while (ir->cursor->next && ir->cursor->next->cls == IR_UNIFORM &&
               ir_op_is_arithmetic(ir->cursor->next->op))
            ir->cursor = ir->cursor->next;
    value->lanes = place_lanes(ir, IR_AFFINE, IR_I, args, 4, value->loop);
    return value->lanes;
}

static struct ir_instr *
splat(struct ir_program *ir, struct ir_instr *value, struct ir_instr *before)
{
    ir->cursor = before->prev;
    return place_lanes(ir, IR_SPLAT, value->type, &value, 1, before->loop);
}

/* Operand a as a register of lanes. */
static void
want_lanes(struct ir_program *ir, struct ir_instr *i, uint32_t a)
{
    struct ir_instr *arg = i->args[a];
    if (arg->cls == IR_LINEAR)
        i->args[a] = affine(ir, arg);
    else if (arg->cls == IR_UNIFORM)
        i->args[a] = splat(ir, arg, i);
}

/* Operand a as lanes or a scalar, as it is. */
static void
want_any(struct ir_program *ir, struct ir_instr *i, uint32_t a)
{
    if (i->args[a]->cls == IR_LINEAR)
        i->args[a] = affine(ir, i->args[a]);
}

static bool
has_scalar_forms(const struct ir_instr *i)
{
    switch (i->op) {
        /* clang-format off */
#define CASE(name) case IR_##name:
        RP_OPS_I_II_COMM(CASE) RP_OPS_I_II(CASE) RP_OPS_B_II(CASE) RP_OPS_I_III(CASE)
        RP_OPS_L_LL_S(CASE) RP_OPS_L_LI_S(CASE)
#undef CASE
            /* clang-format on */
            return true;
    default:
        return i->op == IR_SEL;
    }
}

static int
lcmp_of(enum ir_op op, bool is_swapped)
{
    const int less = is_swapped ? RP_LCMP_GT : RP_LCMP_LT;
    const int more = is_swapped ? RP_LCMP_LT : RP_LCMP_GT;

    switch (op) {
    case IR_IEQ:
        return RP_LCMP_EQ;
    case IR_INE:
        return RP_LCMP_EQ | RP_LCMP_NOT;
    case IR_ULT:
        return less;
    case IR_SLT:
        return less | RP_LCMP_SIGNED;
    case IR_ULE:
        return more | RP_LCMP_NOT;
    case IR_SLE:
        return more | RP_LCMP_SIGNED | RP_LCMP_NOT;
    default:
        return -1;
    }
}

/* Operands of LCMP and GUARD. */
static void
set_line(struct ir_program *ir, struct ir_instr *i, const struct ir_instr *value,
         struct ir_instr *bound)
{
    const struct ir_linear linear = linear_parts(ir, value);
    struct ir_instr **args = ir_alloc(ir, 5, sizeof(args[0]));
    args[0] = linear.base;
    for (uint32_t x = 0; x < 3; x++)
        args[1 + x] = linear.stride[x] ? linear.stride[x] : ir_i(ir, 0);
    args[4] = bound;
    i->args = args;
    i->arg_count = 5;
}

/* A linear value against a uniform one: mostly decided for all lanes at once. */
static bool
lower_compare(struct ir_program *ir, struct ir_instr *i)
{
    const int kind = i->arg_count == 2 ? lcmp_of(i->op, i->args[0]->cls == IR_UNIFORM) : -1;
    if (kind < 0)
        return false;
    struct ir_instr *a = i->args[0], *b = i->args[1];
    if (a->cls == IR_UNIFORM) {
        struct ir_instr *t = a;
        a = b;
        b = t;
    }
    if (a->cls != IR_LINEAR || b->cls != IR_UNIFORM)
        return false;

    set_line(ir, i, a, b);
    i->op = IR_LCMP;
    i->aux = (uint8_t)kind;
    return true;
}

/* Operations of three operands: may the first two change places? */
static bool
swaps_first(enum ir_op op)
{
    switch (op) {
    case IR_MAD:
    case IR_MSUB:
    case IR_NMAD:
    case IR_IMAD:
    case IR_SAD3:
    case IR_FADD3:
    case IR_FADDMUL:
    case IR_FCLAMP:
    case IR_SCLAMP:
    case IR_ADDSAR:
    case IR_ADDSHR:
    case IR_SDOTADD:
    case IR_FDIFF2ADD:
        return true;
    default:
        return false;
    }
}

static void
lower_arithmetic(struct ir_program *ir, struct ir_instr *i)
{
    if (lower_compare(ir, i))
        return;
    if (!has_scalar_forms(i)) {
        for (uint32_t a = 0; a < i->arg_count; a++)
            want_lanes(ir, i, a);
        return;
    }
    for (uint32_t a = 0; a < i->arg_count; a++)
        want_any(ir, i, a);
    if (i->arg_count == 2)
        return;
    for (uint32_t a = 1; a < i->arg_count && i->args[0]->cls == IR_UNIFORM; a++) {
        if (a > 1 ? i->op != IR_SAD3 : !swaps_first(i->op))
            break;
        struct ir_instr *t = i->args[0];
        i->args[0] = i->args[a];
        i->args[a] = t;
    }
    want_lanes(ir, i, 0);
}

static bool
is_uniform_store(const struct ir_instr *i)
{
    for (uint32_t a = 0; a < i->arg_count; a++)
        if (i->args[a]->cls != IR_UNIFORM)
            return false;
    return true;
}

/* A uniform offset without what is added to it as a constant: the record adds that. (Offsets from
 * an address do not wrap.) */
static struct ir_instr *
without_constants(struct ir_instr *i, struct ir_instr *offset)
{
    while (offset->op == IR_IADD && ir_is_const(offset->args[1]) && i->args[0]->type == IR_I) {
        i->imm = (uint32_t)(i->imm + offset->args[1]->imm);
        offset = ir_resolve(offset->args[0]);
    }
    return offset;
}

/* Address operands: handle, base, strides; the rest follows. */
static void
lower_linear_address(struct ir_program *ir, struct ir_instr *i)
{
    struct ir_instr **args = ir_alloc(ir, i->arg_count + 3, sizeof(args[0]));
    const struct ir_instr *offset = i->args[1];
    const struct ir_linear uniform = {i->args[1], {NULL, NULL, NULL}};
    struct ir_linear linear = uniform;

    if (offset->cls == IR_LINEAR)
        linear = linear_parts(ir, offset);
    linear.base = without_constants(i, linear.base);
    if (ir_is_const(linear.base) && i->args[0]->type == IR_I) {
        i->imm = (uint32_t)(i->imm + linear.base->imm);
        linear.base = ir_i(ir, 0);
    }
    args[0] = i->args[0];
    args[1] = linear.base;
    for (uint32_t x = 0; x < 3; x++)
        args[2 + x] = linear.stride[x] ? linear.stride[x] : ir_i(ir, 0);
    for (uint32_t a = 2; a < i->arg_count; a++)
        args[a + 3] = i->args[a];
    i->args = args;
    i->arg_count += 3;
    i->is_linear = true;
}

static void
lower_memory(struct ir_program *ir, struct ir_instr *i)
{
    if (i->op == IR_STORE && is_uniform_store(i))
        i->cls = IR_UNIFORM;
    if (i->cls == IR_UNIFORM) {
        i->args[1] = without_constants(i, i->args[1]);
        if (ir_is_const(i->args[1]) && i->args[0]->type == IR_I) {
            i->imm = (uint32_t)(i->imm + i->args[1]->imm);
            i->args[1] = ir_i(ir, 0);
        }
        return;
    }
    if (i->args[0]->cls == IR_UNIFORM && i->args[1]->cls != IR_VARYING) {
        lower_linear_address(ir, i);
    } else {
        want_lanes(ir, i, 1);
        if (i->args[0]->cls == IR_LINEAR)
            want_lanes(ir, i, 0);
    }
    for (uint32_t a = i->is_linear ? 5 : 2; a < i->arg_count; a++)
        want_lanes(ir, i, a);
}

/* Operand a, a coordinate, as a base with strides behind the other operands. */
static void
lower_coordinate(struct ir_program *ir, struct ir_instr *i, uint32_t a)
{
    struct ir_instr *value = i->args[a];
    struct ir_linear linear = {value, {NULL, NULL, NULL}};
    if (value->cls == IR_LINEAR)
        linear = linear_parts(ir, value);
    i->args[a] = linear.base;
    i->image->line[a - (uint32_t)i->image->coord] = (uint8_t)i->arg_count;
    for (uint32_t x = 0; x < 3; x++)
        i->args[i->arg_count++] = linear.stride[x] ? linear.stride[x] : ir_i(ir, 0);
}

static void
lower_image(struct ir_program *ir, struct ir_instr *i)
{
    const uint32_t count = i->arg_count;
    struct ir_instr **args = ir_alloc(ir, count + 3 * i->image->coord_count, sizeof(args[0]));
    struct ir_image *image = ir_alloc(ir, 1, sizeof(*image)); /* copies shared it until now */
    for (uint32_t a = 0; a < count; a++)
        args[a] = i->args[a];
    i->args = args;
    *image = *i->image;
    i->image = image;

    for (uint32_t a = 0; a < count; a++) {
        const int at = (int)a;
        const bool is_coord =
            image->coord >= 0 && at >= image->coord && at < image->coord + image->coord_count;
        if (a == 0 || at == image->sampler)
            want_any(ir, i, a);
        else if (is_coord && args[a]->cls != IR_VARYING)
            lower_coordinate(ir, i, a);
        else if (at == image->lod && args[a]->cls == IR_UNIFORM)
            image->is_lod_uniform = true;
        else
            want_lanes(ir, i, a);
    }
    image->arg_count = (uint8_t)i->arg_count;
}

/* Behind lanes that parted, a PHI is a selection by the IF's condition. */
static void
lower_phi(struct ir_program *ir, struct ir_instr *phi, struct ir_instr *cond)
{
    struct ir_instr *yes = ir_resolve(phi->args[0]), *no = ir_resolve(phi->args[1]);
    if (!yes || !no) {
        phi->forward = yes ? yes : no;
        ir_remove(ir, phi);
        return;
    }
    struct ir_instr **args = ir_alloc(ir, 3, sizeof(args[0]));
    args[0] = cond;
    args[1] = yes;
    args[2] = no;
    phi->args = args;
    phi->arg_count = 3;
    phi->op = phi->type == IR_B ? IR_BSEL : phi->type == IR_L ? IR_SEL64 : IR_SEL;
}

static void
lower_phis(struct ir_program *ir, struct ir_instr *endif)
{
    if (!endif->region.end->region.is_divergent)
        return;
    for (struct ir_instr *phi = endif->next, *next; phi && phi->op == IR_PHI; phi = next) {
        next = phi->next;
        lower_phi(ir, phi, endif->region.end->args[0]);
    }
}

static void
lower_instr(struct ir_program *ir, struct ir_instr *i)
{
    if (ir_op_is_arithmetic(i->op)) {
        lower_arithmetic(ir, i);
        return;
    }
    switch (i->op) {
    case IR_LOAD:
    case IR_STORE:
        lower_memory(ir, i);
        break;
    case IR_ATOMIC:
    case IR_ACCESS:
        want_any(ir, i, 0);
        for (uint32_t a = 1; a < i->arg_count; a++)
            want_lanes(ir, i, a);
        break;
    case IR_LANE_LOAD:
        want_any(ir, i, 0);
        break;
    case IR_LANE_STORE:
        want_any(ir, i, 0);
        want_lanes(ir, i, 1);
        break;
    case IR_SUBGROUP:
    case IR_SIZE:
        for (uint32_t a = 0; a < i->arg_count; a++)
            want_lanes(ir, i, a);
        break;
    case IR_IMAGE:
        lower_image(ir, i);
        break;
    case IR_GUARD:
        set_line(ir, i, i->args[0], i->args[1]);
        break;
    default:
        break;
    }
}

static void
resolve(struct ir_instr *i)
{
    for (uint32_t a = 0; a < i->arg_count; a++)
        i->args[a] = ir_resolve(i->args[a]);
    if (i->linear) {
        i->linear->base = ir_resolve(i->linear->base);
        for (uint32_t x = 0; x < 3; x++)
            i->linear->stride[x] = ir_resolve(i->linear->stride[x]);
    }
}

/* A scalar bool is 0 or 1 already. Not where the type of an operand says what is made of it. */
static void
lower_number(struct ir_instr *i)
{
    if (i->cls != IR_UNIFORM || (!ir_op_is_arithmetic(i->op) && i->op != IR_STORE))
        return;
    for (uint32_t a = 0; a < i->arg_count; a++) {
        const struct ir_instr *arg = i->args[a];
        if (arg->op == IR_SEL && arg->cls == IR_UNIFORM && ir_is_value(arg->args[1], 1) &&
            ir_is_value(arg->args[2], 0))
            i->args[a] = arg->args[0];
    }
}

void
ir_lower(struct ir_program *ir)
{
    for (struct ir_instr *i = ir->first, *next; i; i = next) {
        next = i->next;
        resolve(i);
        if (i->op == IR_ENDIF) {
            lower_phis(ir, i);
            next = i->next;
        } else if (i->op == IR_LOAD || (i->op != IR_PHI && i->cls == IR_VARYING)) {
            lower_instr(ir, i);
        }
    }
    /* Operands of the PHIs that are left: moved where the edges are, from scalars or lanes. */
    for (struct ir_instr *i = ir->first; i; i = i->next) {
        resolve(i);
        lower_number(i);
        if (i->op == IR_PHI && i->cls == IR_VARYING)
            for (uint32_t a = 0; a < i->arg_count; a++)
                if (i->args[a])
                    want_any(ir, i, a);
    }
}

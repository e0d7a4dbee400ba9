/* SPDX-License-Identifier: MIT */
/* What is the same for all active lanes, what is linear in the lane's position, and where lanes
 * part. All values start as uniform and get worse until nothing changes.
 */
#include "compute/ir/build.h"
#include "compute/ir/limits.h"
#include "compute/ir/passes.h"

struct classify {
    struct ir_program *ir;
    struct ir_instr *open[4 * IR_MAX_DEPTH]; /* constructs around the current instruction */
    uint32_t open_count;
    bool has_changed;
};

static uint8_t
worse(uint8_t a, uint8_t b)
{
    return a > b ? a : b;
}

static uint8_t
worst_arg(const struct ir_instr *i)
{
    uint8_t cls = IR_UNIFORM;
    for (uint32_t a = 0; a < i->arg_count; a++)
        if (i->args[a])
            cls = worse(cls, i->args[a]->cls);
    return cls;
}

#define MAX_STEPS 16u
#define GUARD_ROUNDS 8u /* clamps of clamps */

/* The low bits that are zero in each stride of a value that is linear, as far as can be seen. */
static uint32_t
stride_zeros(const struct ir_instr *i, uint32_t depth)
{
    uint32_t zeros = 0;
    if (i->cls == IR_UNIFORM)
        return 32;
    if (depth == MAX_STEPS || i->cls != IR_LINEAR)
        return 0;
    switch (i->op) {
    case IR_IADD:
    case IR_ISUB: {
        const uint32_t a = stride_zeros(i->args[0], depth + 1);
        const uint32_t b = stride_zeros(i->args[1], depth + 1);
        return a < b ? a : b;
    }
    case IR_IMUL:
        for (uint32_t a = 0; a < 2; a++) {
            const struct ir_instr *factor = i->args[a];
            if (!ir_is_const(factor))
                zeros += stride_zeros(factor, depth + 1) & 31;
            else if ((uint32_t)factor->imm)
                zeros += (uint32_t)__builtin_ctz((uint32_t)factor->imm);
        }
        return zeros;
    case IR_AND:
    case IR_INEG:
        return stride_zeros(i->args[0], depth + 1);
    default:
        return 0;
    }
}

/* Low bits that are cleared where no stride has any: the base's alone. */
static bool
is_rounded_down(const struct ir_instr *value, uint32_t kept_bits)
{
    const uint32_t cleared = kept_bits ? (uint32_t)__builtin_ctz(kept_bits) : 32;
    return cleared && 0u - kept_bits == (uint64_t)1 << cleared && stride_zeros(value, 0) >= cleared;
}

static uint8_t
arithmetic_class(const struct ir_instr *i)
{
    const uint8_t worst = worst_arg(i);
    if (worst != IR_LINEAR)
        return worst;
    switch (i->op) {
    case IR_IADD:
    case IR_ISUB:
    case IR_INEG:
        return IR_LINEAR;
    case IR_IMUL:
        return i->args[0]->cls == IR_UNIFORM || i->args[1]->cls == IR_UNIFORM ? IR_LINEAR
                                                                              : IR_VARYING;
    case IR_SHL:
        return i->args[1]->cls == IR_UNIFORM ? IR_LINEAR : IR_VARYING;
    case IR_AND:
        return ir_is_const(i->args[1]) && is_rounded_down(i->args[0], (uint32_t)i->args[1]->imm)
                   ? IR_LINEAR
                   : IR_VARYING;
    default:
        return IR_VARYING;
    }
}

/* (x >> n) * m of a linear x that can be rounded down, and m a multiple of 2^n, is x rounded down,
 * times the rest of m: an index of bytes from one of words, or of wider elements. */
static bool
round_down(struct ir_program *ir)
{
    bool has_changed = false;
    for (struct ir_instr *i = ir->first; i; i = i->next) {
        struct ir_instr *shift = i->op == IR_IMUL ? i->args[0] : NULL;
        if (!shift || shift->op != IR_SHR || i->cls != IR_VARYING || !ir_is_const(shift->args[1]) ||
            !ir_is_const(i->args[1]))
            continue;
        const uint32_t bits = shift->args[1]->imm & 31, kept = UINT32_MAX << bits;
        const uint32_t factor = (uint32_t)i->args[1]->imm;
        if ((factor & ~kept) != 0 || !is_rounded_down(shift->args[0], kept))
            continue;
        ir->cursor = i->prev;
        struct ir_instr *rounded = ir_make(ir, IR_AND, IR_I, 2);
        rounded->args[0] = shift->args[0];
        rounded->args[1] = ir_i(ir, kept);
        rounded->loop = i->loop;
        rounded->use_count = 1;
        ir_place(ir, rounded);
        shift->use_count--;
        shift->args[0]->use_count++;
        i->args[0] = rounded;
        i->args[1] = ir_i(ir, factor >> bits);
        has_changed = true;
    }
    return has_changed;
}

static uint8_t
phi_class(const struct ir_instr *phi)
{
    const struct ir_instr *marker = ir_phi_marker(phi);
    const uint8_t worst = worst_arg(phi);
    const bool is_divergent = (marker->op == IR_ENDIF || marker->op == IR_ENDBLOCK) &&
                              marker->region.end->region.is_divergent;
    if (is_divergent)
        return IR_VARYING;
    return worst == IR_LINEAR && (phi->type != IR_I || phi->is_exit_phi) ? IR_VARYING : worst;
}

/* Image instructions that can be run once for all lanes. What is recorded is by lanes. */
static bool
can_be_scalar(const struct ir_instr *i)
{
    return i->image->op == IR_IMAGE_SIZE ||
           ((i->image->op == IR_IMAGE_READ || i->image->op == IR_IMAGE_WRITE) && !i->image->is_64 &&
            !i->imm);
}

static uint8_t
instr_class(const struct ir_instr *i)
{
    if (ir_op_is_arithmetic(i->op))
        return arithmetic_class(i);
    switch (i->op) {
    case IR_PHI:
        return phi_class(i);
    case IR_PROJ:
        return i->args[0]->cls;
    case IR_LOAD:
    case IR_SIZE:
        return worst_arg(i) == IR_UNIFORM ? IR_UNIFORM : IR_VARYING;
    case IR_IMAGE:
        return can_be_scalar(i) && worst_arg(i) == IR_UNIFORM ? IR_UNIFORM : IR_VARYING;
    default:
        return IR_VARYING;
    }
}

/* A BR under a construct where lanes part lets only some lanes leave. */
static void
classify_br(struct classify *c, const struct ir_instr *br)
{
    struct ir_instr *block = br->br.block;
    for (uint32_t d = c->open_count; d-- > 0 && c->open[d] != block;) {
        if (c->open[d]->region.is_divergent && !block->region.is_divergent) {
            block->region.is_divergent = true;
            c->has_changed = true;
        }
    }
}

static void
classify_marker(struct classify *c, struct ir_instr *i)
{
    switch (i->op) {
    case IR_IF:
    case IR_BLOCK:
    case IR_LOOP:
        if (c->open_count == 4 * IR_MAX_DEPTH)
            ir_fail(c->ir->fail, VK_ERROR_UNKNOWN, "constructs are nested too deeply");
        c->open[c->open_count++] = i;
        if (i->op == IR_IF && i->args[0]->cls != IR_UNIFORM && !i->region.is_divergent) {
            i->region.is_divergent = true;
            c->has_changed = true;
        }
        break;
    case IR_ENDIF:
    case IR_ENDBLOCK:
    case IR_ENDLOOP:
        c->open_count--;
        break;
    case IR_BR:
        classify_br(c, i);
        break;
    default:
        break;
    }
}

static void
start(struct ir_program *ir)
{
    for (uint32_t b = 0; b < IR_BUILTIN_COUNT; b++)
        if (ir->builtins[b])
            ir->builtins[b]->cls = b <= IR_LANE_Z ? IR_LINEAR : IR_UNIFORM;
    for (struct ir_instr *i = ir->first; i; i = i->next) {
        i->cls = IR_UNIFORM;
        if (i->op == IR_IF || i->op == IR_BLOCK) /* what was known before may be too much */
            i->region.is_divergent = false;
    }
}

/* Linear values as a uniform base and uniform strides. */

static struct ir_linear *
linear_of(struct ir_program *ir, struct ir_instr *value)
{
    if (value->linear)
        return value->linear;
    struct ir_linear *linear = ir_alloc(ir, 1, sizeof(*linear));
    if (value->op == IR_BUILTIN && value->cls == IR_LINEAR) {
        linear->base = ir_i(ir, 0);
        linear->stride[value->imm - IR_LANE_X] = ir_i(ir, 1);
    } else {
        linear->base = value; /* uniform */
    }
    value->linear = linear;
    return linear;
}

static struct ir_instr *
stride_op(struct ir_program *ir, enum ir_op op, struct ir_instr *a, struct ir_instr *b)
{
    if (!a && !b)
        return NULL;
    struct ir_instr *zero = ir_i(ir, 0);
    struct ir_instr *r = ir_bin(ir, op, a ? a : zero, b ? b : zero);
    return ir_is_value(r, 0) ? NULL : r;
}

static void
linear_arithmetic(struct ir_program *ir, struct ir_instr *i, struct ir_linear *out)
{
    struct ir_linear *a = linear_of(ir, i->args[0]);
    struct ir_linear *b = i->arg_count > 1 ? linear_of(ir, i->args[1]) : NULL;
    struct ir_instr *factor;

    switch (i->op) {
    case IR_IADD:
    case IR_ISUB:
        out->base = ir_bin(ir, i->op, a->base, b->base);
        for (uint32_t x = 0; x < 3; x++)
            out->stride[x] = stride_op(ir, i->op, a->stride[x], b->stride[x]);
        return;
    case IR_INEG:
        out->base = ir_un(ir, IR_INEG, a->base);
        for (uint32_t x = 0; x < 3; x++)
            out->stride[x] = a->stride[x] ? ir_un(ir, IR_INEG, a->stride[x]) : NULL;
        return;
    default:
        break;
    }
    if (i->op == IR_AND) {
        out->base = ir_bin(ir, IR_AND, a->base, b->base);
        for (uint32_t x = 0; x < 3; x++)
            out->stride[x] = a->stride[x];
        return;
    }
    if (i->args[0]->cls == IR_UNIFORM) { /* a factor on the left */
        struct ir_linear *t = a;
        a = b;
        b = t;
    }
    factor = b->base;
    out->base = ir_bin(ir, i->op, a->base, factor);
    for (uint32_t x = 0; x < 3; x++)
        out->stride[x] = a->stride[x] ? ir_bin(ir, i->op, a->stride[x], factor) : NULL;
}

static struct ir_instr *
linear_phi(struct ir_program *ir, const struct ir_instr *phi)
{
    struct ir_instr *part = ir_make(ir, IR_PHI, IR_I, phi->arg_count);
    ir_place(ir, part);
    return part;
}

/* Base and strides of a PHI are PHIs; their operands are filled in when all exist. */
static void
linear_phi_begin(struct ir_program *ir, struct ir_instr *phi, struct ir_linear *out)
{
    out->base = linear_phi(ir, phi);
    for (uint32_t x = 0; x < 3; x++)
        if (!(ir->has_rows && x) && ir->builtins[IR_LANE_X + x])
            out->stride[x] = linear_phi(ir, phi);
}

static void
linear_phi_end(struct ir_program *ir, struct ir_instr *phi)
{
    for (uint32_t a = 0; a < phi->arg_count; a++) {
        if (!phi->args[a])
            continue;
        struct ir_linear *arg = linear_of(ir, phi->args[a]);
        phi->linear->base->args[a] = arg->base;
        for (uint32_t x = 0; x < 3; x++)
            if (phi->linear->stride[x])
                phi->linear->stride[x]->args[a] = arg->stride[x] ? arg->stride[x] : ir_i(ir, 0);
    }
}

static void
make_linear(struct ir_program *ir)
{
    for (struct ir_instr *i = ir->first, *next; i; i = next) {
        next = i->next;
        if (i->cls != IR_LINEAR)
            continue;
        struct ir_linear *linear = ir_alloc(ir, 1, sizeof(*linear));
        ir->cursor = i;
        if (i->op == IR_PHI)
            linear_phi_begin(ir, i, linear);
        else
            linear_arithmetic(ir, i, linear);
        i->linear = linear;
        for (struct ir_instr *n = i->next; n != next; n = n->next) {
            n->cls = IR_UNIFORM;
            n->loop = i->loop;
        }
    }
    for (struct ir_instr *i = ir->first; i; i = i->next)
        if (i->cls == IR_LINEAR && i->op == IR_PHI)
            linear_phi_end(ir, i);
}

void
ir_find_classes(struct ir_program *ir)
{
    struct classify c = {.ir = ir, .has_changed = true};

    start(ir);
    while (c.has_changed) {
        c.has_changed = false;
        for (struct ir_instr *i = ir->first; i; i = i->next) {
            if (ir_is_marker(i)) {
                classify_marker(&c, i);
                continue;
            }
            const uint8_t cls = worse(i->cls, instr_class(i));
            c.has_changed |= cls != i->cls;
            i->cls = cls;
        }
    }
}

void
ir_classify(struct ir_program *ir)
{
    ir_find_classes(ir);
    if (round_down(ir))
        ir_find_classes(ir);
    for (uint32_t round = 0; round < GUARD_ROUNDS && !ir->has_clamps && ir_guard(ir); round++) {
        ir_clean(ir);
        ir_find_classes(ir);
    }
    make_linear(ir);
}

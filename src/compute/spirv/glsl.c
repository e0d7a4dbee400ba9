/* SPDX-License-Identifier: MIT */
/* GLSL.std.450. Operands of the instruction start at word 5.
 */
#include "compute/spirv/glsl.h"

#include "compute/spirv/instruction.h"
#include "compute/spirv/pointer.h"
#include "compute/spirv/scalar.h"
#include "compute/spirv/translate.h"

#define ARG_WORD 5u

static const struct spv_value *
arg(struct spv *s, uint32_t i)
{
    return spv_operand(s, ARG_WORD + i);
}

/* Whether the type has as many components as the result's, as wide; of integers the sign may
 * differ. */
static bool
is_alike(const struct spv_type *a, const struct spv_type *r)
{
    const struct spv_type *x = spv_scalar_of(a), *y = spv_scalar_of(r);
    return a == r || (a->kind == r->kind && a->flat == r->flat && x->kind == SPV_T_INT &&
                      y->kind == SPV_T_INT && x->width == y->width);
}

/* Component i of an argument that has the result's type. */
static struct ir_instr *
comp(struct spv *s, const struct spv_value *r, uint32_t which, uint32_t i)
{
    const struct spv_value *a = arg(s, which);
    if (!is_alike(a->type, r->type))
        spv_fail(s, "operand is not of the result's type");
    return a->v[i];
}

static const struct spv_type *
float_type(struct spv *s, const struct spv_type *type)
{
    const struct spv_type *scalar = spv_scalar_of(type);
    if (type->kind > SPV_T_VECTOR || scalar->kind != SPV_T_FLOAT)
        spv_fail(s, "not a float");
    return scalar;
}

static const struct spv_type *
int_type(struct spv *s, const struct spv_type *type)
{
    const struct spv_type *scalar = spv_scalar_of(type);
    if (type->kind > SPV_T_VECTOR || scalar->kind != SPV_T_INT)
        spv_fail(s, "not an integer");
    return scalar;
}

struct glsl_rule {
    uint8_t is_known;
    uint8_t op;
    uint8_t arity;
    bool is_int;
};

static const struct glsl_rule *
glsl_rule(uint32_t op)
{
    static const struct glsl_rule rules[SPV_GLSL_N_CLAMP + 1] = {
        [SPV_GLSL_ROUND] = {1, IR_RINT, 1, false},
        [SPV_GLSL_ROUND_EVEN] = {1, IR_RINT, 1, false},
        [SPV_GLSL_TRUNC] = {1, IR_TRUNC, 1, false},
        [SPV_GLSL_F_ABS] = {1, IR_FABS, 1, false},
        [SPV_GLSL_S_ABS] = {1, IR_IABS, 1, true},
        [SPV_GLSL_F_SIGN] = {1, IR_FSIGN, 1, false},
        [SPV_GLSL_S_SIGN] = {1, IR_ISIGN, 1, true},
        [SPV_GLSL_FLOOR] = {1, IR_FLOOR, 1, false},
        [SPV_GLSL_CEIL] = {1, IR_CEIL, 1, false},
        [SPV_GLSL_FRACT] = {1, IR_FRACT, 1, false},
        [SPV_GLSL_SIN] = {1, IR_SIN, 1, false},
        [SPV_GLSL_COS] = {1, IR_COS, 1, false},
        [SPV_GLSL_TAN] = {1, IR_TAN, 1, false},
        [SPV_GLSL_ASIN] = {1, IR_ASIN, 1, false},
        [SPV_GLSL_ACOS] = {1, IR_ACOS, 1, false},
        [SPV_GLSL_ATAN] = {1, IR_ATAN, 1, false},
        [SPV_GLSL_SINH] = {1, IR_SINH, 1, false},
        [SPV_GLSL_COSH] = {1, IR_COSH, 1, false},
        [SPV_GLSL_TANH] = {1, IR_TANH, 1, false},
        [SPV_GLSL_ASINH] = {1, IR_ASINH, 1, false},
        [SPV_GLSL_ACOSH] = {1, IR_ACOSH, 1, false},
        [SPV_GLSL_ATANH] = {1, IR_ATANH, 1, false},
        [SPV_GLSL_EXP] = {1, IR_EXP, 1, false},
        [SPV_GLSL_LOG] = {1, IR_LOG, 1, false},
        [SPV_GLSL_EXP2] = {1, IR_EXP2, 1, false},
        [SPV_GLSL_LOG2] = {1, IR_LOG2, 1, false},
        [SPV_GLSL_SQRT] = {1, IR_SQRT, 1, false},
        [SPV_GLSL_INVERSE_SQRT] = {1, IR_RSQRT, 1, false},
        [SPV_GLSL_ATAN2] = {1, IR_ATAN2, 2, false},
        [SPV_GLSL_POW] = {1, IR_POW, 2, false},
        [SPV_GLSL_F_MIN] = {1, IR_FMIN, 2, false},
        [SPV_GLSL_U_MIN] = {1, IR_UMIN, 2, true},
        [SPV_GLSL_S_MIN] = {1, IR_SMIN, 2, true},
        [SPV_GLSL_F_MAX] = {1, IR_FMAX, 2, false},
        [SPV_GLSL_U_MAX] = {1, IR_UMAX, 2, true},
        [SPV_GLSL_S_MAX] = {1, IR_SMAX, 2, true},
        [SPV_GLSL_N_MIN] = {1, IR_FMIN, 2, false},
        [SPV_GLSL_N_MAX] = {1, IR_FMAX, 2, false},
        [SPV_GLSL_FIND_I_LSB] = {1, IR_FINDLSB, 1, true},
        [SPV_GLSL_FIND_S_MSB] = {1, IR_FINDSMSB, 1, true},
        [SPV_GLSL_FIND_U_MSB] = {1, IR_FINDUMSB, 1, true},
    };

    return op <= SPV_GLSL_N_CLAMP && rules[op].is_known ? &rules[op] : NULL;
}

/* Whether a narrow operand of a unary integer operation is read with its sign. */
static bool
wants_sign(enum ir_op op)
{
    return op == IR_IABS || op == IR_ISIGN || op == IR_FINDSMSB;
}

static struct ir_instr *
int_unary(struct spv *s, const struct spv_type *scalar, enum ir_op op, struct ir_instr *a)
{
    if (scalar->width == 64)
        return ir_un(s->ir, spv_op64(s, op), a);
    return ir_un(s->ir, op, spv_extend(s, scalar, wants_sign(op), a));
}

static void
by_rule(struct spv *s, const struct glsl_rule *rule)
{
    struct spv_value *r = spv_result(s);
    const struct spv_value *a = arg(s, 0);
    if (a->type->flat != r->type->flat || a->type->kind > SPV_T_VECTOR)
        spv_fail(s, "operand is not of the result's type");
    const struct spv_type *scalar = rule->is_int ? int_type(s, a->type) : float_type(s, a->type);
    const struct spv_type *to = rule->is_int ? int_type(s, r->type) : float_type(s, r->type);
    if (to->width != scalar->width)
        spv_fail(s, "operand is not of the result's type");

    for (uint32_t i = 0; i < r->type->flat; i++) {
        struct ir_instr *x = a->v[i];
        struct ir_instr *y = NULL;
        if (rule->arity == 2) {
            const struct spv_value *b = arg(s, 1);
            if (b->type->flat != r->type->flat || spv_scalar_of(b->type)->width != scalar->width ||
                spv_scalar_of(b->type)->kind != scalar->kind)
                spv_fail(s, "operand is not of the result's type");
            y = b->v[i];
        }
        if (rule->arity == 1)
            r->v[i] =
                rule->is_int ? int_unary(s, scalar, rule->op, x) : spv_fun(s, scalar, rule->op, x);
        else
            r->v[i] = rule->is_int ? spv_ibin(s, scalar, rule->op, x, y)
                                   : spv_fbin(s, scalar, rule->op, x, y);
    }
}

static struct ir_instr *
clamp(struct spv *s, const struct spv_type *scalar, uint32_t op, struct ir_instr *x,
      struct ir_instr *low, struct ir_instr *high)
{
    if (op == SPV_GLSL_U_CLAMP)
        return spv_ibin(s, scalar, IR_UMIN, spv_ibin(s, scalar, IR_UMAX, x, low), high);
    if (op == SPV_GLSL_S_CLAMP)
        return spv_ibin(s, scalar, IR_SMIN, spv_ibin(s, scalar, IR_SMAX, x, low), high);
    return spv_fbin(s, scalar, IR_FMIN, spv_fbin(s, scalar, IR_FMAX, x, low), high);
}

static struct ir_instr *
mix(struct spv *s, const struct spv_type *f, struct ir_instr *x, struct ir_instr *y,
    struct ir_instr *a)
{
    struct ir_instr *one_less = spv_fbin(s, f, IR_FSUB, spv_fconst(s, f, 1), a);
    return spv_mad(s, f, y, a, spv_fbin(s, f, IR_FMUL, x, one_less));
}

static struct ir_instr *
smooth_step(struct spv *s, const struct spv_type *f, struct ir_instr *e0, struct ir_instr *e1,
            struct ir_instr *x)
{
    struct ir_instr *t =
        spv_fbin(s, f, IR_FDIV, spv_fbin(s, f, IR_FSUB, x, e0), spv_fbin(s, f, IR_FSUB, e1, e0));
    t = clamp(s, f, SPV_GLSL_F_CLAMP, t, spv_fconst(s, f, 0), spv_fconst(s, f, 1));
    struct ir_instr *k = spv_fbin(s, f, IR_FSUB, spv_fconst(s, f, 3),
                                  spv_fbin(s, f, IR_FMUL, spv_fconst(s, f, 2), t));
    return spv_fbin(s, f, IR_FMUL, spv_fbin(s, f, IR_FMUL, t, t), k);
}

static struct ir_instr *
step(struct spv *s, const struct spv_type *f, struct ir_instr *edge, struct ir_instr *x)
{
    return ir_select(s->ir, spv_fbin(s, f, IR_FLT, x, edge), spv_fconst(s, f, 0),
                     spv_fconst(s, f, 1));
}

/* Degrees in a radian, or the other way round, as the type has it. */
static struct ir_instr *
angle_factor(struct spv *s, const struct spv_type *f, uint32_t op)
{
    struct ir_instr *factor =
        spv_fconst(s, f, op == SPV_GLSL_RADIANS ? 0.017453292519943295 : 57.29577951308232);
    return f->width == 16 ? ir_un(s->ir, IR_ROUNDH, factor) : factor;
}

/* Componentwise functions of two or three operands of the result's type. */
static bool
componentwise(struct spv *s, uint32_t op)
{
    switch (op) {
    case SPV_GLSL_F_CLAMP:
    case SPV_GLSL_N_CLAMP:
    case SPV_GLSL_U_CLAMP:
    case SPV_GLSL_S_CLAMP:
    case SPV_GLSL_F_MIX:
    case SPV_GLSL_STEP:
    case SPV_GLSL_SMOOTH_STEP:
    case SPV_GLSL_FMA:
    case SPV_GLSL_RADIANS:
    case SPV_GLSL_DEGREES:
        break;
    default:
        return false;
    }
    struct spv_value *r = spv_result(s);
    const bool is_int = op == SPV_GLSL_U_CLAMP || op == SPV_GLSL_S_CLAMP;
    const struct spv_type *t = is_int ? int_type(s, r->type) : float_type(s, r->type);
    for (uint32_t i = 0; i < r->type->flat; i++) {
        struct ir_instr *x = comp(s, r, 0, i);
        const bool has_one = op == SPV_GLSL_RADIANS || op == SPV_GLSL_DEGREES;
        struct ir_instr *y = has_one ? NULL : comp(s, r, 1, i);
        struct ir_instr *z = has_one || op == SPV_GLSL_STEP ? NULL : comp(s, r, 2, i);
        if (op == SPV_GLSL_F_MIX)
            r->v[i] = mix(s, t, x, y, z);
        else if (op == SPV_GLSL_STEP)
            r->v[i] = step(s, t, x, y);
        else if (op == SPV_GLSL_SMOOTH_STEP)
            r->v[i] = smooth_step(s, t, x, y, z);
        else if (op == SPV_GLSL_FMA)
            r->v[i] = spv_mad(s, t, x, y, z);
        else if (has_one)
            r->v[i] = spv_fbin(s, t, IR_FMUL, x, angle_factor(s, t, op));
        else
            r->v[i] = clamp(s, t, op, x, y, z);
    }
    return true;
}

static struct ir_instr *
dot(struct spv *s, const struct spv_type *f, const struct spv_value *a, const struct spv_value *b)
{
    if (a->type != b->type)
        spv_fail(s, "operands differ in type");
    struct ir_instr *sum = spv_fbin(s, f, IR_FMUL, a->v[0], b->v[0]);
    for (uint32_t i = 1; i < a->type->flat; i++)
        sum = spv_mad(s, f, a->v[i], b->v[i], sum);
    return sum;
}

static void
length_or_distance(struct spv *s, bool is_distance)
{
    const struct spv_value *a = arg(s, 0);
    const struct spv_type *f = float_type(s, a->type);
    struct spv_value *difference = spv_new_value(s, a->type);
    for (uint32_t i = 0; i < a->type->flat; i++)
        difference->v[i] =
            is_distance ? spv_fbin(s, f, IR_FSUB, a->v[i], comp(s, difference, 1, i)) : a->v[i];
    spv_set_result(s, a->type->flat == 1
                          ? spv_fun(s, f, IR_FABS, difference->v[0])
                          : spv_fun(s, f, IR_SQRT, dot(s, f, difference, difference)));
}

static void
normalize(struct spv *s)
{
    struct spv_value *r = spv_result(s);
    const struct spv_value *a = arg(s, 0);
    const struct spv_type *f = float_type(s, r->type);
    comp(s, r, 0, 0);
    struct ir_instr *k = spv_fun(s, f, IR_RSQRT, dot(s, f, a, a));
    for (uint32_t i = 0; i < r->type->flat; i++)
        r->v[i] = spv_fbin(s, f, IR_FMUL, a->v[i], k);
}

static void
cross(struct spv *s)
{
    struct spv_value *r = spv_result(s);
    const struct spv_type *f = float_type(s, r->type);
    if (r->type->flat != 3)
        spv_fail(s, "not a vector of three");
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
        struct ir_instr *p = spv_fbin(s, f, IR_FMUL, comp(s, r, 0, j), comp(s, r, 1, k));
        struct ir_instr *q = spv_fbin(s, f, IR_FMUL, comp(s, r, 0, k), comp(s, r, 1, j));
        r->v[i] = spv_fbin(s, f, IR_FSUB, p, q);
    }
}

static void
face_forward(struct spv *s)
{
    struct spv_value *r = spv_result(s);
    const struct spv_type *f = float_type(s, r->type);
    struct ir_instr *d = dot(s, f, arg(s, 2), arg(s, 1));
    struct ir_instr *keeps = spv_fbin(s, f, IR_FLT, d, spv_fconst(s, f, 0));
    for (uint32_t i = 0; i < r->type->flat; i++) {
        struct ir_instr *n = spv_flush(s, f, comp(s, r, 0, i));
        r->v[i] = ir_select(s->ir, keeps, n, spv_fun(s, f, IR_FNEG, n));
    }
}

static void
reflect(struct spv *s)
{
    struct spv_value *r = spv_result(s);
    const struct spv_type *f = float_type(s, r->type);
    struct ir_instr *d = dot(s, f, arg(s, 1), arg(s, 0));
    struct ir_instr *k = spv_fbin(s, f, IR_FMUL, d, spv_fconst(s, f, 2));
    for (uint32_t i = 0; i < r->type->flat; i++)
        r->v[i] =
            spv_fbin(s, f, IR_FSUB, comp(s, r, 0, i), spv_fbin(s, f, IR_FMUL, k, comp(s, r, 1, i)));
}

static void
refract(struct spv *s)
{
    struct spv_value *r = spv_result(s);
    const struct spv_type *f = float_type(s, r->type);
    struct ir_instr *eta = spv_scalar_operand(s, ARG_WORD + 2);
    if (spv_operand(s, ARG_WORD + 2)->type->width != f->width) /* may be a float beside doubles */
        eta = ir_un(s->ir, f->width == 64 ? IR_F2D : IR_ROUNDH, eta);
    struct ir_instr *d = dot(s, f, arg(s, 1), arg(s, 0)), *one = spv_fconst(s, f, 1);
    struct ir_instr *rest = spv_fbin(s, f, IR_FSUB, one, spv_fbin(s, f, IR_FMUL, d, d));
    struct ir_instr *k = spv_fbin(s, f, IR_FSUB, one,
                                  spv_fbin(s, f, IR_FMUL, spv_fbin(s, f, IR_FMUL, eta, eta), rest));
    struct ir_instr *zero = spv_fconst(s, f, 0);
    struct ir_instr *is_total = spv_fbin(s, f, IR_FLT, k, zero);
    struct ir_instr *t = spv_mad(s, f, eta, d, spv_fun(s, f, IR_SQRT, k));
    for (uint32_t i = 0; i < r->type->flat; i++) {
        struct ir_instr *bent =
            spv_fbin(s, f, IR_FSUB, spv_fbin(s, f, IR_FMUL, eta, comp(s, r, 0, i)),
                     spv_fbin(s, f, IR_FMUL, t, comp(s, r, 1, i)));
        r->v[i] = ir_select(s->ir, is_total, zero, bent);
    }
}

/* A number that is not negative, with the sign of another. */
static struct ir_instr *
with_sign(struct spv *s, const struct spv_type *f, struct ir_instr *a, struct ir_instr *sign)
{
    const bool is_wide = f->width == 64;
    struct ir_instr *mask =
        is_wide ? ir_const(s->ir, IR_L, (uint64_t)1 << 63) : ir_i(s->ir, 0x80000000u);
    return ir_bin(s->ir, is_wide ? IR_OR64 : IR_OR, a,
                  ir_bin(s->ir, is_wide ? IR_AND64 : IR_AND, sign, mask));
}

/* Fraction and whole part, through a pointer or as a struct. */
static void
translate_modf(struct spv *s, bool is_struct)
{
    const struct spv_value *a = arg(s, 0);
    const struct spv_type *f = float_type(s, a->type);
    const uint32_t n = a->type->flat;
    struct spv_value *r = spv_result(s);
    struct spv_value *whole = spv_new_value(s, a->type);
    if (is_struct ? r->type->kind != SPV_T_STRUCT || r->type->flat != 2 * n ||
                        r->type->members[0].type != a->type
                  : r->type != a->type)
        spv_fail(s, "bad result type");
    for (uint32_t i = 0; i < n; i++) {
        whole->v[i] = spv_fun(s, f, IR_TRUNC, a->v[i]);
        struct ir_instr *fraction = spv_fbin(s, f, IR_FSUB, a->v[i], whole->v[i]);
        struct ir_instr *is_inf = spv_fbin(s, f, IR_FEQ, spv_fun(s, f, IR_FABS, a->v[i]),
                                           spv_fconst(s, f, __builtin_inf()));
        r->v[i] = with_sign(s, f, ir_select(s->ir, is_inf, spv_fconst(s, f, 0), fraction), a->v[i]);
        if (is_struct)
            r->v[n + i] = whole->v[i];
    }
    if (!is_struct) {
        if (spv_pointee(s, arg(s, 1)->type) != a->type)
            spv_fail(s, "bad pointer");
        spv_store_to(s, arg(s, 1), whole);
    }
}

static void
translate_frexp(struct spv *s, bool is_struct)
{
    const struct spv_value *a = arg(s, 0);
    const struct spv_type *f = float_type(s, a->type);
    const uint32_t n = a->type->flat;
    struct spv_value *r = spv_result(s);
    const struct spv_type *exp_type =
        is_struct && r->type->kind == SPV_T_STRUCT && r->type->count == 2
            ? r->type->members[1].type
            : spv_pointee(s, is_struct ? r->type : arg(s, 1)->type);
    struct spv_value *exponent = spv_new_value(s, exp_type);
    if (r->type->flat != (is_struct ? 2 * n : n) || exp_type->flat != n ||
        int_type(s, exp_type)->width != 32 || spv_flat_type(r->type, 0) != f)
        spv_fail(s, "bad result type");
    for (uint32_t i = 0; i < n; i++) {
        struct ir_instr *e = f->width == 64
                                 ? ir_un(s->ir, IR_L2I, ir_un(s->ir, IR_FREXPE64, a->v[i]))
                                 : ir_un(s->ir, IR_FREXPE, a->v[i]);
        exponent->v[i] = e;
        r->v[i] = ir_un(s->ir, f->width == 64 ? IR_FREXPM64 : IR_FREXPM, a->v[i]);
        if (is_struct)
            r->v[n + i] = e;
    }
    if (!is_struct)
        spv_store_to(s, arg(s, 1), exponent);
}

/* Beyond 4096 every exponent does the same. */
static struct ir_instr *
narrow_exponent(struct spv *s, struct ir_instr *exponent)
{
    struct ir_program *ir = s->ir;
    struct ir_instr *limit = ir_const(ir, IR_L, 4096), *low = ir_const(ir, IR_L, (uint64_t)-4096);
    struct ir_instr *bounded = ir_bin(ir, IR_SMIN64, ir_bin(ir, IR_SMAX64, exponent, low), limit);
    return ir_un(ir, IR_L2I, bounded);
}

static void
translate_ldexp(struct spv *s)
{
    struct spv_value *r = spv_result(s);
    const struct spv_type *f = float_type(s, r->type);
    const struct spv_value *e = arg(s, 1);
    const struct spv_type *exp_type = int_type(s, e->type);
    if (e->type->flat != r->type->flat)
        spv_fail(s, "bad exponent");
    for (uint32_t i = 0; i < r->type->flat; i++) {
        struct ir_instr *k = exp_type->width == 64 ? narrow_exponent(s, e->v[i])
                                                   : spv_extend(s, exp_type, true, e->v[i]);
        r->v[i] = spv_fbin(s, f, IR_LDEXP, comp(s, r, 0, i), k);
    }
}

static bool
geometric(struct spv *s, uint32_t op)
{
    switch (op) {
    case SPV_GLSL_LENGTH:
        length_or_distance(s, false);
        return true;
    case SPV_GLSL_DISTANCE:
        length_or_distance(s, true);
        return true;
    case SPV_GLSL_CROSS:
        cross(s);
        return true;
    case SPV_GLSL_NORMALIZE:
        normalize(s);
        return true;
    case SPV_GLSL_FACE_FORWARD:
        face_forward(s);
        return true;
    case SPV_GLSL_REFLECT:
        reflect(s);
        return true;
    case SPV_GLSL_REFRACT:
        refract(s);
        return true;
    default:
        return false;
    }
}

bool
spv_glsl(struct spv *s)
{
    const uint32_t op = spv_word(s, 4);
    const struct glsl_rule *rule = glsl_rule(op);

    if (rule) {
        by_rule(s, rule);
        return true;
    }
    if (componentwise(s, op) || geometric(s, op) || spv_glsl_pack(s, op) || spv_glsl_matrix(s, op))
        return true;
    switch (op) {
    case SPV_GLSL_MODF:
        translate_modf(s, false);
        return true;
    case SPV_GLSL_MODF_STRUCT:
        translate_modf(s, true);
        return true;
    case SPV_GLSL_FREXP:
        translate_frexp(s, false);
        return true;
    case SPV_GLSL_FREXP_STRUCT:
        translate_frexp(s, true);
        return true;
    case SPV_GLSL_LDEXP:
        translate_ldexp(s);
        return true;
    default:
        return false;
    }
}

/* SPDX-License-Identifier: MIT */
/* Single components: what each operation makes of them, as GLSL has it.
 */
#include "tree.h"

#include <math.h>
#include <string.h>

bool
kind_is_float(uint8_t kind)
{
    return kind >= K_F16;
}

bool
kind_is_signed(uint8_t kind)
{
    return kind == K_I8 || kind == K_I16 || kind == K_I32 || kind == K_I64;
}

uint32_t
kind_bits(uint8_t kind)
{
    static const uint8_t bits[] = {1, 8, 8, 16, 16, 32, 32, 64, 64, 16, 32, 64};
    return bits[kind];
}

/* To the nearest half, ties to even. */
static double
half_round(double x)
{
    int exponent;
    if (isnan(x) || isinf(x) || x == 0)
        return x;
    frexp(x, &exponent); /* x is 0.5 to 1 times 2^exponent */
    const int unit = exponent - 11 < -24 ? -24 : exponent - 11;
    const double rounded = ldexp(nearbyint(ldexp(x, -unit)), unit);
    return fabs(rounded) > 65504 ? copysign(INFINITY, x) : rounded;
}

union value
value_wrap(uint8_t kind, union value v)
{
    switch (kind) {
    case K_BOOL:
        return (union value){.i = v.i != 0};
    case K_I8:
        return (union value){.i = (int8_t)v.i};
    case K_U8:
        return (union value){.i = (uint8_t)v.i};
    case K_I16:
        return (union value){.i = (int16_t)v.i};
    case K_U16:
        return (union value){.i = (uint16_t)v.i};
    case K_I32:
        return (union value){.i = (int32_t)v.i};
    case K_U32:
        return (union value){.i = (uint32_t)v.i};
    case K_F16:
        return (union value){.d = half_round(v.d)};
    case K_F32:
        return (union value){.d = (double)(float)v.d};
    default:
        return v;
    }
}

static uint16_t
half_bits(double x)
{
    const uint16_t sign = signbit(x) ? 0x8000 : 0;
    int exponent;
    if (isnan(x))
        return 0x7e00;
    if (isinf(x))
        return sign | 0x7c00;
    frexp(x, &exponent);
    if (exponent < -13 || x == 0)
        return sign | (uint16_t)ldexp(fabs(x), 24);
    return (uint16_t)(sign + ((exponent + 13) << 10) + (int)ldexp(fabs(x), 11 - exponent));
}

static double
half_value(uint16_t bits)
{
    const int exponent = bits >> 10 & 31, fraction = bits & 0x3ff;
    const double sign = bits & 0x8000 ? -1.0 : 1.0;
    if (exponent == 31)
        return fraction ? (double)NAN : sign * INFINITY;
    return exponent ? sign * ldexp(1024 + fraction, exponent - 25) : sign * ldexp(fraction, -24);
}

void
value_store(uint8_t kind, union value v, uint8_t *bytes)
{
    float f = (float)v.d;
    uint16_t h;
    if (kind == K_F16)
        h = half_bits(v.d), memcpy(bytes, &h, 2);
    else if (kind == K_F32)
        memcpy(bytes, &f, 4);
    else
        memcpy(bytes, &v, kind_bits(kind) / 8);
}

union value
value_load(uint8_t kind, const uint8_t *bytes)
{
    union value v = {0};
    float f;
    uint16_t h;
    if (kind == K_F16) {
        memcpy(&h, bytes, 2);
        v.d = half_value(h);
    } else if (kind == K_F32) {
        memcpy(&f, bytes, 4);
        v.d = (double)f;
    } else {
        memcpy(&v, bytes, kind_bits(kind) / 8);
    }
    return kind_is_float(kind) ? v : value_wrap(kind, v);
}

bool
value_is_same(uint8_t kind, const uint8_t *a, const uint8_t *b)
{
    if (memcmp(a, b, kind_bits(kind) / 8) == 0)
        return true;
    return kind_is_float(kind) && isnan(value_load(kind, a).d) && isnan(value_load(kind, b).d);
}

static int64_t
integer_multiply(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

static int64_t
integer_divide(uint8_t kind, uint8_t op, int64_t a, int64_t b)
{
    if (!kind_is_signed(kind))
        return (int64_t)(op == OP_DIV ? (uint64_t)a / (uint64_t)b : (uint64_t)a % (uint64_t)b);
    if (op == OP_DIV)
        return a / b;
    const int64_t r = a % b; /* OpSMod: the sign of b */
    return r && (r < 0) != (b < 0) ? r + b : r;
}

static bool
is_less(uint8_t kind, int64_t a, int64_t b)
{
    return kind_is_signed(kind) ? a < b : (uint64_t)a < (uint64_t)b;
}

static int64_t
bits_reverse(uint32_t x)
{
    uint32_t r = 0;
    for (uint32_t i = 0; i < 32; i++)
        r |= (x >> i & 1) << (31 - i);
    return r;
}

static int64_t
find_msb(uint8_t kind, int64_t x)
{
    const uint32_t bits = kind == K_I32 && x < 0 ? ~(uint32_t)x : (uint32_t)x;
    return bits ? 31 - __builtin_clz(bits) : -1;
}

static int64_t
bit_field(const struct expr *e, int64_t base, int64_t insert)
{
    const uint32_t offset = e->imm & 255, bits = (uint32_t)(e->imm >> 8);
    const uint64_t mask = (UINT64_C(1) << bits) - 1;
    if (e->op == OP_INSERT)
        return (int64_t)(((uint64_t)base & ~(mask << offset)) | ((uint64_t)insert & mask)
                                                                    << offset);
    const uint64_t field = (uint64_t)base >> offset & mask;
    const bool is_negative = bits && e->type.kind == K_I32 && field >> (bits - 1) & 1;
    return (int64_t)(is_negative ? field | ~mask : field);
}

static int64_t
integer_unary(const struct expr *e, int64_t a)
{
    const uint8_t kind = e->arg[0]->type.kind;
    switch (e->op) {
    case OP_NEG:
        return (int64_t)(0 - (uint64_t)a);
    case OP_NOT:
        return kind == K_BOOL ? !a : ~a;
    case OP_ABS:
        return a < 0 ? (int64_t)(0 - (uint64_t)a) : a;
    case OP_SIGN:
        return a < 0 ? -1 : a > 0;
    case OP_BIT_COUNT:
        return __builtin_popcount((uint32_t)a);
    case OP_BIT_REVERSE:
        return bits_reverse((uint32_t)a);
    case OP_FIND_LSB:
        return (uint32_t)a ? __builtin_ctz((uint32_t)a) : -1;
    case OP_FIND_MSB:
        return find_msb(kind, a);
    default:
        return a;
    }
}

static int64_t
integer_binary(const struct expr *e, int64_t a, int64_t b)
{
    const uint8_t kind = e->arg[0]->type.kind;
    switch (e->op) {
    case OP_ADD:
        return (int64_t)((uint64_t)a + (uint64_t)b);
    case OP_SUB:
        return (int64_t)((uint64_t)a - (uint64_t)b);
    case OP_MUL:
        return integer_multiply(a, b);
    case OP_DIV:
    case OP_REM:
        return integer_divide(kind, e->op, a, b);
    case OP_MIN:
        return is_less(kind, b, a) ? b : a;
    case OP_MAX:
        return is_less(kind, a, b) ? b : a;
    case OP_LAND:
    case OP_AND:
        return a & b;
    case OP_LOR:
    case OP_OR:
        return a | b;
    case OP_XOR:
        return a ^ b;
    case OP_SHL:
        return (int64_t)((uint64_t)a << b);
    case OP_SHR:
        return kind_is_signed(kind) ? a >> b : (int64_t)((uint64_t)a >> b);
    case OP_LT:
        return is_less(kind, a, b);
    case OP_LE:
        return !is_less(kind, b, a);
    case OP_GT:
        return is_less(kind, b, a);
    case OP_GE:
        return !is_less(kind, a, b);
    case OP_EQ:
        return a == b;
    case OP_NE:
        return a != b;
    default:
        return integer_unary(e, a);
    }
}

/* Ours, where GLSL leaves it open: the other one for NaN, and -0 is less than 0. */
static double
float_min(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(b) ? a : b;
    return a < b || (a == b && signbit(a)) ? a : b;
}

static double
float_unary(const struct expr *e, double a)
{
    switch (e->op) {
    case OP_NEG:
        return -a;
    case OP_ABS:
        return fabs(a);
    case OP_SIGN:
        return a > 0 ? 1 : a < 0 ? -1 : isnan(a) ? 0 : a;
    case OP_FLOOR:
        return floor(a);
    case OP_CEIL:
        return ceil(a);
    case OP_TRUNC:
        return trunc(a);
    case OP_ROUND_EVEN:
        return nearbyint(a);
    case OP_SQRT:
        return sqrt(a);
    case OP_SAFE: {
        const double limit = (double)(e->imm < 0 ? -e->imm : e->imm);
        return (e->imm < 0 ? a > -limit : a >= 0) && a < limit ? a : 7;
    }
    default:
        return a;
    }
}

/* Of widths below 64 bits the double is rounded again: that gives the same for these. */
static double
float_binary(const struct expr *e, double a, double b)
{
    switch (e->op) {
    case OP_ADD:
        return a + b;
    case OP_SUB:
        return a - b;
    case OP_MUL:
        return a * b;
    case OP_DIV:
        return a / b;
    case OP_MIN:
        return float_min(a, b);
    case OP_MAX:
        return -float_min(-a, -b);
    default:
        return float_unary(e, a);
    }
}

static int64_t
float_test(const struct expr *e, double a, double b)
{
    switch (e->op) {
    case OP_LT:
        return a < b;
    case OP_LE:
        return a <= b;
    case OP_GT:
        return a > b;
    case OP_GE:
        return a >= b;
    case OP_EQ:
        return a == b;
    case OP_NE:
        return a != b;
    case OP_ISNAN:
        return isnan(a);
    default:
        return isinf(a);
    }
}

/* Below one where the type has such a number, which the difference rounds away. */
static double
fract(uint8_t kind, double a)
{
    const double below_one = kind == K_F64 ? 0x1.fffffffffffffp-1 : 0x1.fffffep-1;
    const double f = a - floor(a);
    return f > below_one ? below_one : f;
}

static union value
convert(uint8_t to, uint8_t from, union value a)
{
    union value r = a;
    if (kind_is_float(from) && to == K_BOOL)
        r.i = a.d != 0;
    else if (kind_is_float(from) && !kind_is_float(to))
        r.i = (int64_t)a.d;
    else if (!kind_is_float(from) && to == K_F32)
        r.d = (double)(from == K_U64 ? (float)(uint64_t)a.i : (float)a.i);
    else if (!kind_is_float(from) && kind_is_float(to))
        r.d = from == K_U64 ? (double)(uint64_t)a.i : (double)a.i;
    return value_wrap(to, r);
}

/* The bits of a float, of NaN always the same. */
static union value
reinterpret(uint8_t to, uint8_t from, union value a)
{
    uint8_t bytes[8] = {0};
    if (kind_is_float(from) && isnan(a.d))
        return (union value){.i = from == K_F16 ? 0x7e00 : from == K_F32 ? 0x7fc00000 : 0x7ff8};
    value_store(from, a, bytes);
    return value_load(to, bytes);
}

union value
value_apply(const struct expr *e, const union value *a, const union value *b, const union value *c)
{
    const uint8_t kind = e->type.kind, from = e->arg[0]->type.kind;
    union value r = {0};
    switch (e->op) {
    case OP_CONVERT:
        return convert(kind, from, *a);
    case OP_BITS:
    case OP_FROM_BITS:
        return reinterpret(kind, from, *a);
    case OP_MIX:
        return c->i ? *b : *a;
    case OP_EXTRACT:
    case OP_INSERT:
        r.i = bit_field(e, a->i, e->op == OP_INSERT ? b->i : 0);
        break;
    case OP_CLAMP:
        if (kind_is_float(kind))
            r.d = float_min(-float_min(-a->d, -b->d), c->d);
        else
            r.i = is_less(kind, a->i, b->i) ? b->i : a->i,
            r.i = is_less(kind, c->i, r.i) ? c->i : r.i;
        break;
    case OP_FRACT:
        r.d = fract(kind, a->d);
        break;
    default:
        if (kind_is_float(from) && kind == K_BOOL)
            r.i = float_test(e, a->d, b ? b->d : 0);
        else if (kind_is_float(from))
            r.d = float_binary(e, a->d, b ? b->d : 0);
        else
            r.i = integer_binary(e, a->i, b ? b->i : 0);
    }
    return value_wrap(kind, r);
}

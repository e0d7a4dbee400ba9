/* SPDX-License-Identifier: MIT */
/* Expressions as GLSL.
 */
#include "print.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

static const char *const scalar_names[] = {"bool",     "int8_t",    "uint8_t", "int16_t",
                                           "uint16_t", "int",       "uint",    "int64_t",
                                           "uint64_t", "float16_t", "float",   "double"};
static const char *const vector_names[] = {"bvec", "i8vec",  "u8vec",  "i16vec", "u16vec", "ivec",
                                           "uvec", "i64vec", "u64vec", "f16vec", "vec",    "dvec"};

struct type_name
name_of(struct type type)
{
    struct type_name name;
    if (type.n == 1)
        snprintf(name.text, sizeof(name.text), "%s", scalar_names[type.kind]);
    else
        snprintf(name.text, sizeof(name.text), "%s%u", vector_names[type.kind], type.n);
    return name;
}

struct type_name
field_name_of(const struct shape *shape, const struct field *field)
{
    struct type_name name = name_of(field->type);
    if (shape->form == FORM_MATRIX)
        snprintf(name.text, sizeof(name.text), "mat%ux%u", field->length, field->type.n);
    return name;
}

struct type_name
shape_name_of(const struct shape *shape)
{
    struct type_name name;
    if (shape->form != FORM_STRUCT)
        return field_name_of(shape, &shape->fields[0]);
    snprintf(name.text, sizeof(name.text), "S%u", shape->id);
    return name;
}

size_t
type_size(struct type type)
{
    return kind_bits(type.kind) / 8 * type.n;
}

static void
print_constant(uint8_t kind, union value v, FILE *out)
{
    uint8_t bytes[8];
    uint32_t word[2] = {0};
    value_store(kind, v, bytes);
    memcpy(word, bytes, kind_bits(kind) > 32 ? 8 : kind_bits(kind) / 8);
    switch (kind) {
    case K_BOOL:
        fputs(v.i ? "true" : "false", out);
        break;
    case K_U32:
        fprintf(out, "%uu", (uint32_t)v.i);
        break;
    case K_I32:
        fprintf(out, "int(0x%xu)", (uint32_t)v.i);
        break;
    case K_I64:
    case K_U64:
        fprintf(out, "%s(0x%" PRIx64 "ul)", scalar_names[kind], (uint64_t)v.i);
        break;
    case K_F16:
        fprintf(out, "uint16BitsToHalf(uint16_t(%u))", word[0]);
        break;
    case K_F32:
        fprintf(out, "uintBitsToFloat(0x%xu)", word[0]);
        break;
    case K_F64:
        fprintf(out, "packDouble2x32(uvec2(0x%xu, 0x%xu))", word[0], word[1]);
        break;
    default:
        fprintf(out, "%s(%" PRId64 ")", scalar_names[kind], v.i);
        break;
    }
}

static void
print_constants(const struct expr *e, FILE *out)
{
    if (e->type.n > 1)
        fprintf(out, "%s(", name_of(e->type).text);
    for (uint32_t i = 0; i < e->type.n; i++) {
        fputs(i ? ", " : "", out);
        print_constant(e->type.kind, e->is_zeroed ? (union value){0} : e->value[i], out);
    }
    fputs(e->type.n > 1 ? ")" : "", out);
}

void
print_ref(const struct ref *ref, FILE *out)
{
    const struct shape *shape = ref->var->shape;
    fprintf(out, "v%u", ref->var->id);
    if (shape->form == FORM_STRUCT)
        fprintf(out, ".f%u", ref->field);
    if (ref->index) {
        fputs("[", out);
        print_expr(ref->index, out);
        fprintf(out, " %% %uu]", shape->fields[ref->field].length);
    }
}

static void
print_call(const char *name, const struct expr *e, uint32_t count, FILE *out)
{
    fprintf(out, "%s(", name);
    for (uint32_t i = 0; i < count; i++) {
        fputs(i ? ", " : "", out);
        print_expr(e->arg[i], out);
    }
    fputs(")", out);
}

static void
print_binary(const struct expr *e, FILE *out)
{
    static const char *const names[] = {
        [OP_ADD] = "+", [OP_SUB] = "-",   [OP_MUL] = "*", [OP_DIV] = "/",  [OP_REM] = "%",
        [OP_AND] = "&", [OP_OR] = "|",    [OP_XOR] = "^", [OP_SHL] = "<<", [OP_SHR] = ">>",
        [OP_LT] = "<",  [OP_LE] = "<=",   [OP_GT] = ">",  [OP_GE] = ">=",  [OP_EQ] = "==",
        [OP_NE] = "!=", [OP_LAND] = "&&", [OP_LOR] = "||"};
    static const char *const vectors[] = {
        [OP_LT] = "lessThan",         [OP_LE] = "lessThanEqual", [OP_GT] = "greaterThan",
        [OP_GE] = "greaterThanEqual", [OP_EQ] = "equal",         [OP_NE] = "notEqual"};
    if (e->type.kind == K_BOOL && e->type.n > 1) {
        print_call(vectors[e->op], e, 2, out);
        return;
    }
    fputs("(", out);
    print_expr(e->arg[0], out);
    fprintf(out, " %s ", names[e->op]);
    print_expr(e->arg[1], out);
    fputs(")", out);
}

static void
print_swizzle(const struct expr *e, FILE *out)
{
    print_expr(e->arg[0], out);
    fputs(".", out);
    for (uint32_t i = 0; i < e->type.n; i++)
        fputc("xyzw"[e->imm >> (2 * i) & 3], out);
}

static const char *
bits_function(const struct expr *e)
{
    const bool is_to = e->op == OP_BITS;
    switch (is_to ? e->arg[0]->type.kind : e->type.kind) {
    case K_F16:
        return is_to ? "bits16" : "uint16BitsToHalf";
    case K_F32:
        return is_to ? "bits32" : "uintBitsToFloat";
    default:
        return is_to ? "bits64" : "packDouble2x32";
    }
}

/* Doubles have a function for their bits that takes one number alone. */
static void
print_bits(const struct expr *e, FILE *out)
{
    if (e->op == OP_FROM_BITS && e->type.kind == K_F64) {
        fputs("packDouble2x32(unpack32(", out);
        print_expr(e->arg[0], out);
        fputs("))", out);
        return;
    }
    print_call(bits_function(e), e, 1, out);
}

static void
print_pack(const struct expr *e, FILE *out)
{
    static const char *const to[] = {
        [K_U8] = "unpack8", [K_U16] = "unpack16", [K_U32] = "unpack32"};
    static const char *const from[] = {[K_U16] = "pack16", [K_U32] = "pack32", [K_U64] = "pack64"};
    print_call(e->type.n > 1 ? to[e->type.kind] : from[e->type.kind], e, 1, out);
}

static void
print_builtin(const struct expr *e, FILE *out)
{
    static const char *const names[B_COUNT] = {
        "gl_GlobalInvocationID.x", "gl_GlobalInvocationID.y", "gl_GlobalInvocationID.z",
        "gl_LocalInvocationID.x",  "gl_LocalInvocationID.y",  "gl_LocalInvocationID.z",
        "gl_LocalInvocationIndex", "gl_WorkGroupID.x",        "gl_WorkGroupID.y",
        "gl_NumWorkGroups.x",      "gl_WorkGroupSize.x",      "LINEAR",
        "gl_SubgroupInvocationID"};
    fputs(names[e->imm], out);
}

static void
print_leaf(const struct expr *e, FILE *out)
{
    switch (e->op) {
    case OP_CONST:
        print_constants(e, out);
        break;
    case OP_READ:
        print_ref(&e->ref, out);
        break;
    case OP_BUILTIN:
        print_builtin(e, out);
        break;
    case OP_PUSH:
        fprintf(out, "push.w[%d]", (int)e->imm);
        break;
    default:
        fprintf(out, "spec%d", (int)e->imm);
        break;
    }
}

static void
print_texel(const struct expr *e, FILE *out)
{
    if (e->op == OP_SAMPLE)
        fprintf(out, "texel(");
    else
        fprintf(out,
                e->op == OP_FETCH ? "texelFetch(texture0, ivec2(" : "imageLoad(image1, ivec2(");
    print_expr(e->arg[0], out);
    fputs(", ", out);
    print_expr(e->arg[1], out);
    fputs(e->op == OP_SAMPLE ? ")" : e->op == OP_FETCH ? "), 0).x" : ")).x", out);
}

static void
print_function(const struct expr *e, FILE *out)
{
    static const char *const names[] = {[OP_MIN] = "min",
                                        [OP_MAX] = "max",
                                        [OP_ABS] = "abs",
                                        [OP_SIGN] = "sign",
                                        [OP_FLOOR] = "floor",
                                        [OP_CEIL] = "ceil",
                                        [OP_TRUNC] = "trunc",
                                        [OP_ROUND_EVEN] = "roundEven",
                                        [OP_FRACT] = "fract",
                                        [OP_SQRT] = "sqrt",
                                        [OP_ISNAN] = "isnan",
                                        [OP_ISINF] = "isinf",
                                        [OP_BIT_COUNT] = "bitCount",
                                        [OP_BIT_REVERSE] = "bitfieldReverse",
                                        [OP_FIND_LSB] = "findLSB",
                                        [OP_FIND_MSB] = "findMSB",
                                        [OP_CLAMP] = "clamp",
                                        [OP_MIX] = "mix",
                                        [OP_ALL] = "all",
                                        [OP_ANY] = "any"};
    uint32_t count = 0;
    while (count < 4 && e->arg[count])
        count++;
    if (e->op == OP_BIT_COUNT || e->op == OP_FIND_LSB || e->op == OP_FIND_MSB) {
        fprintf(out, "%s", name_of(e->type).text);
        fputs("(", out);
        print_call(names[e->op], e, count, out);
        fputs(")", out);
        return;
    }
    print_call(names[e->op], e, count, out);
}

static void
print_field_operation(const struct expr *e, FILE *out)
{
    fputs(e->op == OP_INSERT ? "bitfieldInsert(" : "bitfieldExtract(", out);
    print_expr(e->arg[0], out);
    if (e->op == OP_INSERT) {
        fputs(", ", out);
        print_expr(e->arg[1], out);
    }
    fprintf(out, ", %d, %d)", (int)(e->imm & 255), (int)(e->imm >> 8));
}

static void
print_unary(const struct expr *e, FILE *out)
{
    if (e->type.kind == K_BOOL && e->type.n > 1) {
        print_call("not", e, 1, out);
        return;
    }
    fputs(e->op == OP_NEG ? "(-" : e->type.kind == K_BOOL ? "(!" : "(~", out);
    print_expr(e->arg[0], out);
    fputs(")", out);
}

static void
print_select(const struct expr *e, FILE *out)
{
    fputs("(", out);
    print_expr(e->arg[0], out);
    fputs(" ? ", out);
    print_expr(e->arg[1], out);
    fputs(" : ", out);
    print_expr(e->arg[2], out);
    fputs(")", out);
}

static void
print_safe(const struct expr *e, FILE *out)
{
    fprintf(out, "%s(", e->imm < 0 ? "safe" : "safe_positive");
    print_expr(e->arg[0], out);
    fprintf(out, ", %s(%d.0))", scalar_names[e->type.kind], (int)(e->imm < 0 ? -e->imm : e->imm));
}

static void
print_load(const struct expr *e, FILE *out)
{
    fprintf(out, "b%d[PLACE%d(", (int)e->imm, (int)e->imm);
    print_expr(e->arg[0], out);
    fputs(")]", out);
}

static void
print_component(const struct expr *e, FILE *out)
{
    print_expr(e->arg[0], out);
    fputs("[", out);
    print_expr(e->arg[1], out);
    fprintf(out, " %% %uu]", e->arg[0]->type.n);
}

void
print_expr(const struct expr *e, FILE *out)
{
    if (e->is_zeroed) {
        print_constants(e, out);
        return;
    }
    switch (e->op) {
    case OP_NEG:
    case OP_NOT:
        print_unary(e, out);
        break;
    case OP_CONVERT:
    case OP_SPLAT:
    case OP_BUILD: {
        uint32_t count = 0;
        while (count < 4 && e->arg[count])
            count++;
        print_call(name_of(e->type).text, e, count, out);
        break;
    }
    case OP_BITS:
    case OP_FROM_BITS:
        print_bits(e, out);
        break;
    case OP_SAFE:
        print_safe(e, out);
        break;
    case OP_EXTRACT:
    case OP_INSERT:
        print_field_operation(e, out);
        break;
    case OP_SELECT:
        print_select(e, out);
        break;
    case OP_SWIZZLE:
        print_swizzle(e, out);
        break;
    case OP_COMPONENT:
        print_component(e, out);
        break;
    case OP_PACK:
        print_pack(e, out);
        break;
    case OP_LOAD:
        print_load(e, out);
        break;
    case OP_LOAD_OF:
        fputs("tables[nonuniformEXT((", out);
        print_expr(e->arg[1], out);
        fprintf(out, ") %% %uu)].e[", TABLES);
        print_expr(e->arg[0], out);
        fputs("]", out);
        break;
    case OP_FETCH:
    case OP_SAMPLE:
    case OP_IMAGE_LOAD:
        print_texel(e, out);
        break;
    default:
        if (e->op <= OP_SPEC)
            print_leaf(e, out);
        else if (e->op == OP_LAND || e->op == OP_LOR ||
                 (e->op <= OP_NE && e->op != OP_MIN && e->op != OP_MAX))
            print_binary(e, out);
        else
            print_function(e, out);
    }
}

/* SPDX-License-Identifier: MIT */
/* Statements, functions and the whole shader as GLSL.
 */
#include "print.h"

static void print_block(const struct kernel *k, const struct block *block, FILE *out);

/* An array's elements all start with the same value. */
static void
print_declaration(const struct stmt *s, FILE *out)
{
    const struct shape *shape = s->ref.var->shape;
    fprintf(out, "%s v%u", shape_name_of(shape).text, s->ref.var->id);
    if (shape->form == FORM_ARRAY)
        fprintf(out, "[%u]", shape->fields[0].length);
    fputs(" = ", out);
    if (shape->form == FORM_STRUCT)
        fprintf(out, "S%u(", shape->id);
    for (uint32_t f = 0; f < shape->field_count; f++) {
        const struct field *field = &shape->fields[f];
        fputs(f ? ", " : "", out);
        if (field->length && shape->form == FORM_MATRIX)
            fprintf(out, "%s(", field_name_of(shape, field).text);
        else if (field->length)
            fprintf(out, "%s[%u](", name_of(field->type).text, field->length);
        for (uint32_t i = 0; i < (field->length ? field->length : 1); i++) {
            fputs(i ? ", " : "", out);
            print_expr(s->expr[f], out);
        }
        fputs(field->length ? ")" : "", out);
    }
    fputs(shape->form == FORM_STRUCT ? ");\n" : ";\n", out);
}

/* before expr between expr after */
static void
print_assignment(const struct ref *to, const char *before, const struct expr *e, const char *after,
                 FILE *out)
{
    print_ref(to, out);
    fprintf(out, " = %s", before);
    if (e)
        print_expr(e, out);
    fprintf(out, "%s;\n", after);
}

static void
print_matrix(const struct stmt *s, FILE *out)
{
    const uint32_t to = s->ref.var->id, a = s->from->id, b = s->from2->id;
    switch (s->imm) {
    case 0:
        fprintf(out, "v%u = v%u + v%u;\n", to, a, b);
        break;
    case 1:
        fprintf(out, "v%u = v%u - v%u;\n", to, a, b);
        break;
    case 2:
        fprintf(out, "v%u = matrixCompMult(v%u, v%u);\n", to, a, b);
        break;
    default:
        fprintf(out, "v%u = v%u * ", to, a);
        print_expr(s->expr[0], out);
        fputs(";\n", out);
    }
}

/* Its condition and how it goes on. */
static void
print_walk(const struct stmt *s, FILE *out)
{
    const uint32_t v = s->ref.var->id;
    const bool is_signed = s->ref.var->shape->fields[0].type.kind == K_I32;
    const char *const u = is_signed ? "" : "u";
    const int32_t end = (int32_t)((uint32_t)s->first + s->imm * (uint32_t)s->step);
    switch (s->walk) {
    case WALK_UP:
        if (s->expr[0]) {
            fprintf(out, "v%u < min(%du, ", v, end);
            print_expr(s->expr[0], out);
            fprintf(out, "); v%u += %du", v, s->step);
        } else {
            fprintf(out, "v%u < %d%s; v%u += %d%s", v, end, u, v, s->step, u);
        }
        break;
    case WALK_TO:
        fprintf(out, "v%u != %d%s; v%u += %d%s", v, end, u, v, s->step, u);
        break;
    case WALK_WITHIN:
        fprintf(out, "v%u <= %d%s; v%u += %d%s", v, end - s->step, u, v, s->step, u);
        break;
    case WALK_DOWN:
        fprintf(out, "v%u > 0%s; v%u -= %d%s", v, u, v, s->step, u);
        break;
    case WALK_HALVE:
        fprintf(out, "v%u > 0%s; v%u >>= 1", v, u, v);
        break;
    default:
        fprintf(out, "v%u < %d%s; v%u *= 2%s", v, 1 << s->imm, u, v, u);
        break;
    }
}

static void
print_loop(const struct kernel *k, const struct stmt *s, FILE *out)
{
    const uint32_t v = s->ref.var->id;
    if (s->op == ST_FOR) {
        const bool is_signed = s->ref.var->shape->fields[0].type.kind == K_I32;
        fprintf(out, "for (%s v%u = %d%s; ", is_signed ? "int" : "uint", v, s->first,
                is_signed ? "" : "u");
        print_walk(s, out);
        fputs(") {\n", out);
        print_block(k, &s->blocks[0], out);
        fputs("}\n", out);
        return;
    }
    fprintf(out, "{ uint v%u = 0u;\ndo {\n", v);
    print_block(k, &s->blocks[0], out);
    fprintf(out, "} while (++v%u < %uu && ", v, s->imm);
    print_expr(s->expr[0], out);
    fputs("); }\n", out);
}

static void
print_switch(const struct kernel *k, const struct stmt *s, FILE *out)
{
    fputs("switch (", out);
    print_expr(s->expr[0], out);
    fprintf(out, " %% %uu) {\n", s->block_count + 1);
    for (uint32_t i = 0; i < s->block_count; i++) {
        if (i + 1 < s->block_count)
            fprintf(out, "case %uu: {\n", i);
        else
            fputs("default: {\n", out);
        print_block(k, &s->blocks[i], out);
        fputs(s->imm >> i & 1 ? "}\n" : "}\nbreak;\n", out);
    }
    fputs("}\n", out);
}

static void
print_branch(const struct kernel *k, const struct stmt *s, FILE *out)
{
    fputs("if (", out);
    print_expr(s->expr[0], out);
    fputs(") {\n", out);
    print_block(k, &s->blocks[0], out);
    if (s->block_count > 1) {
        fputs("} else {\n", out);
        print_block(k, &s->blocks[1], out);
    }
    fputs("}\n", out);
}

static void
print_jump(const struct stmt *s, FILE *out)
{
    fputs("if (", out);
    print_expr(s->expr[0], out);
    if (s->op == ST_RETURN && s->callee)
        fprintf(out, ") return v%u;\n", s->callee->local->id);
    else
        fputs(s->op == ST_RETURN  ? ") return;\n"
              : s->op == ST_BREAK ? ") break;\n"
                                  : ") continue;\n",
              out);
}

static void
print_call(const struct stmt *s, FILE *out)
{
    print_ref(&s->ref, out);
    fprintf(out, " = f%u(", s->callee->id);
    print_expr(s->expr[0], out);
    fputs(", ", out);
    print_expr(s->expr[1], out);
    fputs(", ", out);
    print_ref(&s->ref2, out);
    fputs(");\n", out);
}

static void
print_store(const struct stmt *s, FILE *out)
{
    fprintf(out, "b%u[PLACE%u(", s->imm, s->imm);
    print_expr(s->expr[0], out);
    fputs(")] = ", out);
    print_expr(s->expr[1], out);
    fputs(";\n", out);
}

static const char *
atomic_name(uint8_t op)
{
    return op == OP_ADD   ? "Add"
           : op == OP_MIN ? "Min"
           : op == OP_MAX ? "Max"
           : op == OP_AND ? "And"
           : op == OP_OR  ? "Or"
                          : "Xor";
}

static void
print_sum(const struct stmt *s, uint8_t op, const char *what, uint32_t length, FILE *out)
{
    fprintf(out, "atomic%s(%s[", atomic_name(op), what);
    print_expr(s->expr[0], out);
    fprintf(out, " %% %uu], ", length);
    print_expr(s->expr[1], out);
    fputs(");\n", out);
}

static void
print_own_atomic(const struct stmt *s, FILE *out)
{
    if (s->ref.var) {
        print_ref(&s->ref, out);
        fputs(" = ", out);
    }
    fprintf(out, "atomic%s(b%u[PLACE%u(", atomic_name((uint8_t)s->imm), s->imm2, s->imm2);
    if (s->expr[0])
        print_expr(s->expr[0], out);
    else
        fputs("0u", out);
    fputs(")], ", out);
    print_expr(s->expr[1], out);
    fputs(");\n", out);
}

static void
print_step(const struct stmt *s, const struct step *step, FILE *out)
{
    char own[32] = "tree[gl_LocalInvocationIndex]", other[48];
    (void)snprintf(other, sizeof(other), "tree[gl_LocalInvocationIndex + %uu]", step->distance);
    const char *a = step->is_swapped ? other : own, *b = step->is_swapped ? own : other;
    const char *op = s->imm == OP_ADD   ? " + "
                     : s->imm == OP_SUB ? " - "
                     : s->imm == OP_MUL ? " * "
                     : s->imm == OP_AND ? " & "
                     : s->imm == OP_OR  ? " | "
                     : s->imm == OP_XOR ? " ^ "
                                        : ", ";
    fprintf(out, "if (gl_LocalInvocationIndex < %uu) %s = %s(%s%s%s);\nbarrier();\n", step->lanes,
            own,
            s->imm == OP_MIN   ? "min"
            : s->imm == OP_MAX ? "max"
                               : "",
            a, op, b);
}

static void
print_reduce(const struct kernel *k, const struct stmt *s, FILE *out)
{
    const uint32_t total = k->local[0] * k->local[1] * k->local[2];
    fputs("tree[gl_LocalInvocationIndex] = ", out);
    print_expr(s->expr[0], out);
    fprintf(out, ";\ntree[gl_LocalInvocationIndex + %uu] = ", total);
    print_expr(s->expr[1], out);
    fputs(";\nbarrier();\n", out);
    for (uint32_t i = 0; i < s->imm2; i++)
        print_step(s, &s->steps[i], out);
    print_ref(&s->ref, out);
    fputs(" = tree[", out);
    print_expr(s->expr[2], out);
    fprintf(out, " %% %uu];\nbarrier();\n", total);
}

static void
print_coder(const struct stmt *s, FILE *out)
{
    fprintf(out, "if (gl_LocalInvocationIndex == %uu) {\nword0 = ", s->imm);
    print_expr(s->expr[0], out);
    fprintf(out,
            ";\nword1 = 1u;\n}\nbarrier();\nif (gl_LocalInvocationIndex == %uu) {\n"
            "for (uint n = 0u; n < %uu; n++) {\n"
            "word1 = word1 * 5u + (word0 >> (n & 7u));\n"
            "if ((word1 & 4u) != 0u) {\nword0 ^= word1;\nif ((word0 & 3u) == 0u)\ncontinue;\n"
            "} else {\nword2 += n;\n}\n"
            "if (word1 %% 13u == 7u)\nbreak;\n}\nword2 ^= word1;\n}\nbarrier();\n",
            s->imm, s->imm2);
    print_ref(&s->ref, out);
    fputs(" = word0 ^ word1 * 3u ^ word2;\nbarrier();\n", out);
}

static void
print_exchange(const struct kernel *k, const struct stmt *s, FILE *out)
{
    const uint32_t total = k->local[0] * k->local[1] * k->local[2];
    fprintf(out, "shared0[(gl_LocalInvocationIndex * %uu + %uu) %% %uu] = ", s->imm, s->imm2,
            total);
    print_expr(s->expr[0], out);
    fputs(";\nbarrier();\n", out);
    print_ref(&s->ref, out);
    fputs(" = shared0[", out);
    print_expr(s->expr[1], out);
    fprintf(out, " %% %uu];\nbarrier();\n", total);
}

static void
print_subgroup(const struct kernel *k, const struct stmt *s, FILE *out)
{
    static const char *const scans[] = {"", "Inclusive", "Exclusive", "Clustered"};
    static const char *const names[] = {
        "Add",    "Mul", "Min", "Max",   "And",     "Or",        "Xor", "BroadcastFirst",
        "Ballot", "All", "Any", "Elect", "Shuffle", "ShuffleXor"};
    print_ref(&s->ref, out);
    fprintf(out, " = subgroup%s%s(", s->imm <= SG_XOR ? scans[s->imm2] : "", names[s->imm]);
    if (s->imm != SG_ELECT)
        print_expr(s->expr[0], out);
    if (s->imm <= SG_XOR && s->imm2 == SCAN_CLUSTER4)
        fputs(", 4u", out);
    if (s->imm == SG_SHUFFLE) {
        fputs(", ", out);
        print_expr(s->expr[1], out);
        fprintf(out, " %% %uu", k->subgroup);
    }
    if (s->imm == SG_SHUFFLE_XOR)
        fprintf(out, ", %uu", s->imm2);
    fputs(s->imm == SG_BALLOT ? ").x;\n" : ");\n", out);
}

static void
print_simple(const struct kernel *k, const struct stmt *s, FILE *out)
{
    switch (s->op) {
    case ST_COPY:
        fprintf(out, "v%u = v%u;\n", s->ref.var->id, s->from->id);
        break;
    case ST_MATRIX:
        print_matrix(s, out);
        break;
    case ST_CALL:
        print_call(s, out);
        break;
    case ST_STORE:
        print_store(s, out);
        break;
    case ST_IMAGE_STORE:
        fputs("imageStore(image2, ivec2(LINEAR % 64u, LINEAR / 64u), uvec4(", out);
        print_expr(s->expr[0], out);
        fputs("));\n", out);
        break;
    case ST_ADD_UP:
        print_sum(s, k->sum_op, "b6", SUMS, out);
        break;
    case ST_SHARED_ADD:
        print_sum(s, k->shared_sum_op, "shared_sums", SHARED_SUMS, out);
        break;
    case ST_SHARED_CLEAR:
        fprintf(out,
                "barrier();\nfor (uint i = gl_LocalInvocationIndex; i < %uu; i += %uu)\n"
                "shared_sums[i] = %uu;\nbarrier();\n",
                SHARED_SUMS, k->local[0] * k->local[1] * k->local[2], s->imm);
        break;
    case ST_SHARED_READ:
        fputs("barrier();\n", out);
        print_assignment(&s->ref, "shared_sums[", s->expr[0], " % 16u]", out);
        fputs("barrier();\n", out);
        break;
    case ST_EXCHANGE:
        print_exchange(k, s, out);
        break;
    case ST_CODER:
        print_coder(s, out);
        break;
    case ST_REDUCE:
        print_reduce(k, s, out);
        break;
    case ST_OWN_ATOMIC:
        print_own_atomic(s, out);
        break;
    default:
        print_subgroup(k, s, out);
        break;
    }
}

static void
print_block(const struct kernel *k, const struct block *block, FILE *out)
{
    for (const struct stmt *s = block->first; s; s = s->next) {
        if (s->is_deleted)
            continue;
        switch (s->op) {
        case ST_DECLARE:
            print_declaration(s, out);
            break;
        case ST_ASSIGN:
            print_assignment(&s->ref, "", s->expr[0], "", out);
            break;
        case ST_IF:
            print_branch(k, s, out);
            break;
        case ST_FOR:
        case ST_DO:
            print_loop(k, s, out);
            break;
        case ST_SWITCH:
            print_switch(k, s, out);
            break;
        case ST_BREAK:
        case ST_CONTINUE:
        case ST_RETURN:
            print_jump(s, out);
            break;
        default:
            print_simple(k, s, out);
            break;
        }
    }
}

static void
print_function(const struct kernel *k, const struct function *f, FILE *out)
{
    fprintf(out, "%s f%u(%s v%u, ", name_of(f->result).text, f->id,
            shape_name_of(f->params[0]->shape).text, f->params[0]->id);
    fprintf(out, "%s v%u, ", shape_name_of(f->params[1]->shape).text, f->params[1]->id);
    fprintf(out, "inout %s v%u) {\n", shape_name_of(f->inout->shape).text, f->inout->id);
    print_block(k, &f->body, out);
    fprintf(out, "return v%u;\n}\n", f->local->id);
}

static void
print_structs(const struct kernel *k, FILE *out)
{
    for (uint32_t i = 0; i < k->shape_count; i++) {
        const struct shape *shape = &k->shapes[i];
        if (shape->form != FORM_STRUCT)
            continue;
        fprintf(out, "struct S%u {", shape->id);
        for (uint32_t f = 0; f < shape->field_count; f++) {
            fprintf(out, " %s f%u", name_of(shape->fields[f].type).text, f);
            if (shape->fields[f].length)
                fprintf(out, "[%u]", shape->fields[f].length);
            fputs(";", out);
        }
        fputs(" };\n", out);
    }
}

static void
print_helpers(FILE *out)
{
    static const char *const floats[] = {"float16_t", "float", "double"};
    for (uint32_t i = 0; i < 3; i++)
        fprintf(out,
                "%s safe(%s x, %s most) { return abs(x) < most ? x : %s(7.0); }\n"
                "%s safe_positive(%s x, %s most) "
                "{ return x >= %s(0.0) && x < most ? x : %s(7.0); }\n",
                floats[i], floats[i], floats[i], floats[i], floats[i], floats[i], floats[i],
                floats[i], floats[i]);
    fputs("uint16_t bits16(float16_t x) "
          "{ return isnan(x) ? uint16_t(0x7e00) : halfBitsToUint16(x); }\n"
          "uint bits32(float x) { return isnan(x) ? 0x7fc00000u : floatBitsToUint(x); }\n"
          "uint64_t bits64(double x) "
          "{ return isnan(x) ? uint64_t(0x7ff8) : pack64(unpackDouble2x32(x)); }\n",
          out);
}

static void
print_bindings(const struct kernel *k, FILE *out)
{
    for (uint32_t b = 0; b < BUF_SHARED; b++) {
        const bool is_uniform = b == BUF_UNIFORM;
        fprintf(out, "layout(binding = %u, %s) %s%s B%u { %s b%u[", b,
                is_uniform ? "std140" : "scalar", b == BUF_IN || b == BUF_TABLE ? "readonly " : "",
                is_uniform ? "uniform" : "buffer", b, name_of(k->buffers[b].type).text, b);
        if (is_uniform)
            fprintf(out, "%u", UNIFORM_LENGTH);
        fputs("]; };\n", out);
    }
    if (k->is_wider)
        fprintf(out, "layout(binding = 11, scalar) readonly buffer Table { %s e[]; } tables[%u];\n",
                name_of(k->buffers[BUF_TABLE].type).text, TABLES);
    fputs("layout(binding = 8) uniform usampler2D texture0;\n"
          "layout(binding = 9, r32ui) readonly uniform uimage2D image1;\n"
          "layout(binding = 10, r32ui) writeonly uniform uimage2D image2;\n"
          "uint texel(int x, int y) { return textureLod(texture0, "
          "(vec2(x & 63, y & 63) - 15.5) / 32.0, 0.0).x; }\n",
          out);
    fputs("#define PLACE0(e) e\n#define PLACE1(e) e\n#define PLACE4(e) (e) % 16u\n", out);
    fprintf(out, "#define PLACE%u(e) LINEAR * %uu + (e) - %uu\n", BUF_OUT, OUT_WORDS, k->out_shift);
    fprintf(out, "#define PLACE%u(e) %uu + LINEAR\n", BUF_SUMS, SUMS);
    for (uint32_t i = 0; i < 2; i++) {
        if (k->own_is_strided[i])
            fprintf(out, "#define PLACE%u(e) ((e) %% %uu) * %uu + LINEAR\n", BUF_OWN + i, OWN,
                    k->invocations);
        else
            fprintf(out, "#define PLACE%u(e) LINEAR * %uu + (e) %% %uu\n", BUF_OWN + i, OWN, OWN);
    }
}

void
kernel_print(const struct kernel *k, FILE *out)
{
    static const char *const extensions[] = {"EXT_shader_explicit_arithmetic_types",
                                             "EXT_scalar_block_layout",
                                             "KHR_shader_subgroup_basic",
                                             "KHR_shader_subgroup_vote",
                                             "KHR_shader_subgroup_ballot",
                                             "KHR_shader_subgroup_arithmetic",
                                             "KHR_shader_subgroup_clustered",
                                             "KHR_shader_subgroup_shuffle",
                                             "EXT_shader_subgroup_extended_types_int64",
                                             "EXT_shader_subgroup_extended_types_int16",
                                             "EXT_shader_subgroup_extended_types_int8",
                                             "EXT_shader_subgroup_extended_types_float16"};
    const uint32_t total = k->local[0] * k->local[1] * k->local[2];
    fputs("#version 450\n", out);
    if (k->is_wider)
        fputs("#extension GL_EXT_nonuniform_qualifier : require\n", out);
    for (size_t i = 0; i < sizeof(extensions) / sizeof(extensions[0]); i++)
        fprintf(out, "#extension GL_%s : require\n", extensions[i]);
    fprintf(out, "layout(local_size_x = %u, local_size_y = %u, local_size_z = %u) in;\n",
            k->local[0], k->local[1], k->local[2]);
    for (uint32_t i = 0; i < SPECS; i++)
        fprintf(out, "layout(constant_id = %u) const uint spec%u = 1u;\n", i, i);
    fprintf(out, "layout(push_constant) uniform Push { uint w[%u]; } push;\n", PUSH_WORDS);
    fprintf(out,
            "#define LINEAR (gl_GlobalInvocationID.x + %uu * (gl_GlobalInvocationID.y + %uu * "
            "gl_GlobalInvocationID.z))\n",
            k->width, k->height);
    if (k->has_shared)
        fprintf(out, "shared uint shared_sums[%u];\nshared %s shared0[%u];\nshared %s tree[%u];\n",
                SHARED_SUMS, name_of(k->shared_type).text, total, name_of(k->tree_type).text,
                2 * total);
    if (k->has_shared)
        fputs("shared uint word0, word1, word2;\n", out);
    print_bindings(k, out);
    print_structs(k, out);
    print_helpers(out);
    for (uint32_t i = 0; i < k->function_count; i++)
        print_function(k, k->functions[i], out);
    fputs("void main() {\n", out);
    if (k->has_shared)
        fputs("if (gl_LocalInvocationIndex == 0u)\nword2 = 0u;\nbarrier();\n", out);
    print_block(k, &k->body, out);
    fputs("}\n", out);
}

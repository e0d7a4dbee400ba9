/* SPDX-License-Identifier: MIT */
/* Packing into and out of integers, determinants and inverses.
 */
#include "compute/spirv/glsl.h"
#include "compute/spirv/scalar.h"
#include "compute/spirv/translate.h"

struct packing {
    uint32_t bits;
    uint32_t count;
    float scale;
    bool is_signed;
    bool is_half;
};

static struct packing
packing_of(uint32_t op)
{
    switch (op) {
    case SPV_GLSL_PACK_SNORM4X8:
    case SPV_GLSL_UNPACK_SNORM4X8:
        return (struct packing){8, 4, 127.0f, true, false};
    case SPV_GLSL_PACK_UNORM4X8:
    case SPV_GLSL_UNPACK_UNORM4X8:
        return (struct packing){8, 4, 255.0f, false, false};
    case SPV_GLSL_PACK_SNORM2X16:
    case SPV_GLSL_UNPACK_SNORM2X16:
        return (struct packing){16, 2, 32767.0f, true, false};
    case SPV_GLSL_PACK_UNORM2X16:
    case SPV_GLSL_UNPACK_UNORM2X16:
        return (struct packing){16, 2, 65535.0f, false, false};
    default:
        return (struct packing){16, 2, 0, false, true};
    }
}

static struct ir_instr *
pack_part(struct spv *s, const struct packing *p, struct ir_instr *x)
{
    struct ir_program *ir = s->ir;
    if (p->is_half)
        return ir_un(ir, IR_F2H, x);
    x = ir_bin(ir, IR_FMAX, x, ir_f(ir, p->is_signed ? -1.0f : 0.0f));
    x = ir_bin(ir, IR_FMIN, x, ir_f(ir, 1.0f));
    x = ir_un(ir, IR_RINT, ir_bin(ir, IR_FMUL, x, ir_f(ir, p->scale)));
    x = ir_un(ir, IR_F2I, x);
    return ir_bin(ir, IR_AND, x, ir_i(ir, (1u << p->bits) - 1));
}

static void
pack(struct spv *s, const struct packing *p)
{
    struct ir_program *ir = s->ir;
    const struct spv_value *a = spv_operand(s, 5);
    if (a->type->kind != SPV_T_VECTOR || a->type->flat != p->count ||
        a->type->elem->kind != SPV_T_FLOAT || a->type->elem->width != 32)
        spv_fail(s, "bad operand type");
    struct ir_instr *r = pack_part(s, p, a->v[0]);
    for (uint32_t i = 1; i < p->count; i++)
        r = ir_bin(ir, IR_OR, r,
                   ir_bin(ir, IR_SHL, pack_part(s, p, a->v[i]), ir_i(ir, i * p->bits)));
    spv_set_result(s, r);
}

static struct ir_instr *
unpack_part(struct spv *s, const struct packing *p, struct ir_instr *word, uint32_t i)
{
    struct ir_program *ir = s->ir;
    struct ir_instr *x = ir_bin(ir, IR_SHR, word, ir_i(ir, i * p->bits));
    if (p->is_half) {
        x = ir_un(ir, IR_H2F, ir_un(ir, IR_ZEXT16, x));
        return s->flushed_widths & 16 ? ir_un(ir, IR_FTZH, x) : x;
    }
    if (p->is_signed) {
        x = ir_un(ir, IR_I2F, ir_un(ir, p->bits == 8 ? IR_SEXT8 : IR_SEXT16, x));
        return ir_bin(ir, IR_FMAX, ir_bin(ir, IR_FDIV, x, ir_f(ir, p->scale)), ir_f(ir, -1.0f));
    }
    x = ir_bin(ir, IR_AND, x, ir_i(ir, (1u << p->bits) - 1));
    return ir_bin(ir, IR_FDIV, ir_un(ir, IR_I2F, x), ir_f(ir, p->scale));
}

static void
unpack(struct spv *s, const struct packing *p)
{
    struct ir_instr *word = spv_scalar_operand(s, 5);
    struct spv_value *r = spv_result(s);
    if (r->type->kind != SPV_T_VECTOR || r->type->flat != p->count || word->type != IR_I ||
        r->type->elem->kind != SPV_T_FLOAT || r->type->elem->width == 64)
        spv_fail(s, "bad result type");
    for (uint32_t i = 0; i < p->count; i++)
        r->v[i] = unpack_part(s, p, word, i);
}

static void
pack_double(struct spv *s, bool is_pack)
{
    const struct spv_value *a = spv_operand(s, 5);
    if (is_pack) {
        if (a->type->flat != 2 || a->v[0]->type != IR_I)
            spv_fail(s, "bad operand type");
        spv_set_result(s, ir_bin(s->ir, IR_PACK64, a->v[0], a->v[1]));
        return;
    }
    struct spv_value *r = spv_result(s);
    if (a->type->flat != 1 || a->v[0]->type != IR_L || r->type->flat != 2 ||
        spv_flat_type(r->type, 0)->kind != SPV_T_INT || spv_flat_type(r->type, 0)->width != 32)
        spv_fail(s, "bad operand type");
    struct ir_instr *d = spv_flush(s, a->type, a->v[0]);
    r->v[0] = ir_un(s->ir, IR_L2I, d);
    r->v[1] = ir_un(s->ir, IR_HI64, d);
}

bool
spv_glsl_pack(struct spv *s, uint32_t op)
{
    const struct packing p = packing_of(op);

    switch (op) {
    case SPV_GLSL_PACK_SNORM4X8:
    case SPV_GLSL_PACK_UNORM4X8:
    case SPV_GLSL_PACK_SNORM2X16:
    case SPV_GLSL_PACK_UNORM2X16:
    case SPV_GLSL_PACK_HALF2X16:
        pack(s, &p);
        return true;
    case SPV_GLSL_UNPACK_SNORM4X8:
    case SPV_GLSL_UNPACK_UNORM4X8:
    case SPV_GLSL_UNPACK_SNORM2X16:
    case SPV_GLSL_UNPACK_UNORM2X16:
    case SPV_GLSL_UNPACK_HALF2X16:
        unpack(s, &p);
        return true;
    case SPV_GLSL_PACK_DOUBLE2X32:
    case SPV_GLSL_UNPACK_DOUBLE2X32:
        pack_double(s, op == SPV_GLSL_PACK_DOUBLE2X32);
        return true;
    default:
        return false;
    }
}

struct square {
    const struct spv_type *f;
    struct ir_instr *const *v; /* column-major */
    uint32_t n;
};

/* The determinant without the rows and columns that are struck out. */
static struct ir_instr *
minor(struct spv *s, const struct square *m, uint32_t rows, uint32_t cols)
{
    const uint32_t col = (uint32_t)__builtin_ctz(cols);
    struct ir_instr *sum = NULL;
    bool is_negative = false;

    if (!(cols & (cols - 1)))
        return m->v[col * m->n + (uint32_t)__builtin_ctz(rows)];
    for (uint32_t row = 0; row < m->n; row++) {
        if (!(rows >> row & 1))
            continue;
        struct ir_instr *sub = minor(s, m, rows & ~(1u << row), cols & ~(1u << col));
        struct ir_instr *term = spv_fbin(s, m->f, IR_FMUL, m->v[col * m->n + row], sub);
        sum = sum ? spv_fbin(s, m->f, is_negative ? IR_FSUB : IR_FADD, sum, term) : term;
        is_negative = !is_negative;
    }
    return sum;
}

bool
spv_glsl_matrix(struct spv *s, uint32_t op)
{
    if (op != SPV_GLSL_DETERMINANT && op != SPV_GLSL_MATRIX_INVERSE)
        return false;
    const struct spv_value *a = spv_operand(s, 5);
    if (a->type->kind != SPV_T_MATRIX || a->type->count != a->type->elem->count)
        spv_fail(s, "not a square matrix");

    const struct square m = {a->type->elem->elem, a->v, a->type->count};
    const uint32_t all = (1u << m.n) - 1;
    struct ir_instr *determinant = minor(s, &m, all, all);
    if (op == SPV_GLSL_DETERMINANT) {
        spv_set_result(s, determinant);
        return true;
    }
    struct spv_value *r = spv_result(s);
    if (r->type != a->type)
        spv_fail(s, "bad result type");
    struct ir_instr *inverse = spv_fbin(s, m.f, IR_FDIV, spv_fconst(s, m.f, 1), determinant);
    for (uint32_t c = 0; c < m.n; c++) {
        for (uint32_t i = 0; i < m.n; i++) {
            struct ir_instr *sub = minor(s, &m, all & ~(1u << c), all & ~(1u << i));
            if ((c + i) & 1)
                sub = spv_fun(s, m.f, IR_FNEG, sub);
            r->v[c * m.n + i] = spv_fbin(s, m.f, IR_FMUL, sub, inverse);
        }
    }
    return true;
}

/* SPDX-License-Identifier: MIT */
/* Image instructions: collects the operands, by name, into one IR instruction.
 */
#include "compute/spirv/image.h"

#include "compute/spirv/access.h"
#include "compute/spirv/instruction.h"
#include "compute/spirv/lane.h"
#include "compute/spirv/pointer.h"
#include "compute/spirv/translate.h"

struct builder {
    struct ir_image *image;
    struct ir_instr *args[IR_IMAGE_ARG_MAX];
    uint32_t count;
};

static struct ir_image *
begin(struct spv *s, struct builder *b, enum ir_image_op op, const struct spv_type *type,
      struct ir_instr *handle)
{
    if (type->kind != SPV_T_IMAGE)
        spv_fail(s, "not an image");
    struct ir_image *image = ir_alloc(s->ir, 1, sizeof(*image));
    *image = (struct ir_image){
        .op = (uint8_t)op,
        .dim = type->image.dim,
        .is_arrayed = type->image.is_arrayed,
        .is_multisampled = type->image.is_multisampled,
        .is_64 = type->elem->width == 64,
        .sampler = IR_NONE,
        .coord = IR_NONE,
        .lod = IR_NONE,
        .bias = IR_NONE,
        .dref = IR_NONE,
        .grad_x = IR_NONE,
        .grad_y = IR_NONE,
        .offset = IR_NONE,
        .offsets = IR_NONE,
        .sample = IR_NONE,
        .min_lod = IR_NONE,
        .value = IR_NONE,
    };
    if (type->image.dim == SPV_DIM_SUBPASS)
        spv_fail(s, "input attachments are not supported");
    b->image = image;
    b->args[0] = handle;
    b->count = 1;
    return image;
}

/* Appends values; returns the position of the first. */
static int8_t
append(struct spv *s, struct builder *b, struct ir_instr *const *values, uint32_t count)
{
    const int8_t at = (int8_t)b->count;
    if (b->count + count > IR_IMAGE_ARG_MAX)
        spv_fail(s, "too many image operands");
    for (uint32_t i = 0; i < count; i++)
        b->args[b->count++] = values[i];
    return at;
}

/* A 32-bit scalar or vector operand. */
static const struct spv_value *
words(struct spv *s, uint32_t word)
{
    const struct spv_value *value = spv_operand(s, word);
    if (value->type->kind > SPV_T_VECTOR || value->type->kind == SPV_T_VOID ||
        value->type->flat > 4 || value->v[0]->type != IR_I)
        spv_fail(s, "bad image operand");
    return value;
}

static uint32_t
spatial_count(const struct ir_image *image)
{
    switch (image->dim) {
    case SPV_DIM_2D:
        return 2;
    case SPV_DIM_3D:
    case SPV_DIM_CUBE:
        return 3;
    default:
        return 1;
    }
}

/* Gradients of the coordinates at position coord, where the module says what a quad is. */
static void
add_gradients(struct spv *s, struct builder *b)
{
    static const struct spv_type f32 = {.kind = SPV_T_FLOAT, .width = 32, .flat = 1};
    struct ir_image *image = b->image;
    const uint32_t count = spatial_count(image);
    struct ir_instr *grad[2][3];

    for (uint32_t i = 0; i < count; i++)
        for (uint32_t axis = 0; axis < 2; axis++)
            grad[axis][i] = spv_derive(s, &f32, axis, b->args[image->coord + (int)i]);
    image->grad_count = (uint8_t)count;
    image->grad_x = append(s, b, grad[0], count);
    image->grad_y = append(s, b, grad[1], count);
}

static void
add_coord(struct spv *s, struct builder *b, uint32_t word, bool is_projected)
{
    const struct spv_value *coord = words(s, word);
    const uint32_t count = spatial_count(b->image) +
                           (b->image->is_arrayed &&
                            !(b->image->dim == SPV_DIM_CUBE && b->image->op <= IR_IMAGE_ATOMIC));
    struct ir_instr *v[4];
    if (coord->type->flat < count + is_projected || count > 4)
        spv_fail(s, "too few coordinates");
    for (uint32_t i = 0; i < count; i++)
        v[i] = is_projected ? ir_bin(s->ir, IR_FDIV, coord->v[i], coord->v[count]) : coord->v[i];
    b->image->coord_count = (uint8_t)count;
    b->image->coord = append(s, b, v, count);
}

/* Image Operands from a mask word on. Compilers for the Vulkan memory model make reads visible
 * where others decorate a variable. */
static void
add_operands(struct spv *s, struct builder *b, uint32_t word)
{
    struct ir_image *image = b->image;
    if (!spv_words_left(s, word))
        return;
    const uint32_t mask = spv_word(s, word++);
    const struct spv_value *v;

    s->ir->is_watched |= mask & (SPV_IMAGE_MAKE_VISIBLE | SPV_IMAGE_VOLATILE);
    if (mask & SPV_IMAGE_BIAS)
        image->bias = append(s, b, words(s, word++)->v, 1);
    if (mask & SPV_IMAGE_LOD)
        image->lod = append(s, b, words(s, word++)->v, 1);
    if (mask & SPV_IMAGE_GRAD) {
        v = words(s, word++);
        image->grad_count = (uint8_t)(v->type->flat < 3 ? v->type->flat : 3);
        image->grad_x = append(s, b, v->v, image->grad_count);
        v = words(s, word++);
        if (v->type->flat < image->grad_count)
            spv_fail(s, "bad gradient");
        image->grad_y = append(s, b, v->v, image->grad_count);
    }
    if (mask & (SPV_IMAGE_CONST_OFFSET | SPV_IMAGE_OFFSET)) {
        v = words(s, word++);
        image->offset_count = (uint8_t)(v->type->flat < 3 ? v->type->flat : 3);
        image->offset = append(s, b, v->v, image->offset_count);
    }
    if (mask & SPV_IMAGE_CONST_OFFSETS) {
        v = spv_operand(s, word++);
        if (v->type->flat != 8 || v->v[0]->type != IR_I)
            spv_fail(s, "bad offsets");
        image->offsets = append(s, b, v->v, 8);
    }
    if (mask & SPV_IMAGE_SAMPLE)
        image->sample = append(s, b, words(s, word++)->v, 1);
    if (mask & SPV_IMAGE_MIN_LOD)
        image->min_lod = append(s, b, words(s, word++)->v, 1);
}

static uint32_t
image_bits(const struct ir_image *image)
{
    switch (image->op) {
    case IR_IMAGE_READ:
        return RP_ACCESS_READ;
    case IR_IMAGE_WRITE:
        return RP_ACCESS_WRITE;
    default:
        return RP_ACCESS_ATOMIC | RP_ACCESS_READ | RP_ACCESS_WRITE;
    }
}

static struct ir_instr *
finish(struct spv *s, struct builder *b, enum ir_type type)
{
    struct ir_instr *instr = ir_make(s->ir, IR_IMAGE, type, b->count);
    for (uint32_t i = 0; i < b->count; i++)
        instr->args[i] = b->args[i];
    instr->image = b->image;
    instr->comps = 4;
    b->image->arg_count = (uint8_t)b->count;
    if (s->ir->has_accesses && b->image->op <= IR_IMAGE_ATOMIC)
        instr->imm = spv_access_site(s, b->args[0], RP_ACCESS_IMAGE | image_bits(b->image), 0);
    ir_place(s->ir, instr);
    return instr;
}

static struct ir_instr *
component(struct spv *s, struct ir_instr *instr, uint32_t i)
{
    struct ir_instr *proj = ir_make(
        s->ir, IR_PROJ, instr->image->is_64 && instr->image->op != IR_IMAGE_SIZE ? IR_L : IR_I, 1);
    proj->args[0] = instr;
    proj->imm = i;
    ir_place(s->ir, proj);
    instr->image_projs[i] = proj;
    return proj;
}

/* The result's components; of 64-bit texels the first and alpha. */
static void
take_result(struct spv *s, struct ir_instr *instr)
{
    struct spv_value *r = spv_result(s);
    const struct spv_type *scalar = spv_scalar_of(r->type);
    const bool is_wide = instr->image->is_64 && instr->image->op != IR_IMAGE_SIZE;
    if (r->type->kind > SPV_T_VECTOR || r->type->flat > 4 ||
        (scalar->kind != SPV_T_INT && scalar->kind != SPV_T_FLOAT) ||
        (scalar->width == 64) != is_wide)
        spv_fail(s, "bad result type");
    for (uint32_t i = 0; i < r->type->flat; i++) {
        if (is_wide && (i == 1 || i == 2))
            r->v[i] = ir_const(s->ir, IR_L, 0);
        else
            r->v[i] = component(s, instr, i);
        if (scalar->kind == SPV_T_FLOAT && scalar->width == 16)
            r->v[i] = ir_un(s->ir, IR_ROUNDH, r->v[i]);
    }
}

static const struct spv_value *
sampled_image(struct spv *s)
{
    const struct spv_value *v = spv_operand(s, 3);
    if (v->type->kind != SPV_T_SAMPLED_IMAGE)
        spv_fail(s, "not a sampled image");
    return v;
}

struct sample_form {
    bool is_dref;
    bool is_projected;
    bool is_gather;
    bool is_implicit;
};

static void
sample(struct spv *s, struct sample_form form)
{
    struct builder b;
    const struct spv_value *v = sampled_image(s);
    struct ir_image *image =
        begin(s, &b, form.is_gather ? IR_IMAGE_GATHER : IR_IMAGE_SAMPLE, v->type->elem, v->v[0]);
    image->sampler = append(s, &b, &v->v[1], 1);
    add_coord(s, &b, 4, form.is_projected);
    uint32_t word = 5;
    if (form.is_dref) {
        struct ir_instr *dref = words(s, word++)->v[0];
        if (form.is_projected) /* q follows what is used; there may be more behind it */
            dref = ir_bin(s->ir, IR_FDIV, dref, words(s, 4)->v[image->coord_count]);
        image->dref = append(s, &b, &dref, 1);
    } else if (form.is_gather) {
        image->component = (uint8_t)(spv_const_u32(s, spv_word(s, word++)) & 3);
    }
    if (form.is_implicit && s->derivative_group)
        add_gradients(s, &b);
    add_operands(s, &b, word);
    take_result(s, finish(s, &b, IR_VOID));
}

static void
query_lod(struct spv *s)
{
    struct builder b;
    const struct spv_value *v = sampled_image(s);
    struct ir_image *image = begin(s, &b, IR_IMAGE_LOD, v->type->elem, v->v[0]);
    if (!s->derivative_group)
        spv_fail(s, "no derivatives without groups of quads");
    image->is_arrayed = false; /* the layer is no operand */
    image->sampler = append(s, &b, &v->v[1], 1);
    add_coord(s, &b, 4, false);
    add_gradients(s, &b);
    take_result(s, finish(s, &b, IR_VOID));
}

static void
fetch(struct spv *s)
{
    struct builder b;
    const struct spv_value *v = spv_operand(s, 3);
    struct ir_image *image = begin(s, &b, IR_IMAGE_READ, v->type, v->v ? v->v[0] : NULL);
    image->is_fetch = spv_opcode(s->at) == SPV_OP_IMAGE_FETCH;
    add_coord(s, &b, 4, false);
    add_operands(s, &b, 5);
    take_result(s, finish(s, &b, IR_VOID));
}

static void
write(struct spv *s)
{
    struct builder b;
    const struct spv_value *v = spv_operand(s, 1);
    const struct spv_value *value = spv_operand(s, 3);
    struct ir_image *image = begin(s, &b, IR_IMAGE_WRITE, v->type, v->v ? v->v[0] : NULL);
    if (value->type->kind > SPV_T_VECTOR || value->type->flat > 4 || value->type->flat == 0 ||
        value->v[0]->type != (image->is_64 ? IR_L : IR_I))
        spv_fail(s, "bad texel");
    add_coord(s, &b, 2, false);
    image->value_count = (uint8_t)value->type->flat;
    image->value = append(s, &b, value->v, value->type->flat);
    add_operands(s, &b, 4);
    finish(s, &b, IR_VOID);
}

static void
query(struct spv *s, enum ir_image_query what)
{
    struct builder b;
    const struct spv_value *v = spv_operand(s, 3);
    struct ir_image *image = begin(s, &b, IR_IMAGE_SIZE, v->type, v->v ? v->v[0] : NULL);
    image->component = (uint8_t)what;
    if (spv_opcode(s->at) == SPV_OP_IMAGE_QUERY_SIZE_LOD)
        image->lod = append(s, &b, words(s, 4)->v, 1);
    take_result(s, finish(s, &b, IR_VOID));
}

static void
texel_pointer(struct spv *s)
{
    const bool is_untyped = spv_opcode(s->at) == SPV_OP_UNTYPED_IMAGE_TEXEL_POINTER;
    const uint32_t word = is_untyped ? 4 : 3;
    const struct spv_value *p = spv_operand(s, word);
    const struct spv_type *type =
        is_untyped ? spv_type(s, spv_word(s, 3)) : spv_pointee(s, p->type);
    struct spv_value *r = spv_result(s);
    if (r->type->kind != SPV_T_POINTER || r->v || p->type->kind != SPV_T_POINTER ||
        p->type->storage != SPV_UNIFORM_CONSTANT || type->kind != SPV_T_IMAGE)
        spv_fail(s, "bad texel pointer");
    r->texel_image = spv_new_value(s, type);
    spv_load_from(s, p, r->texel_image);
    r->texel_coord = (struct spv_value *)words(s, word + 1);
    r->texel_sample = (struct spv_value *)words(s, word + 2);
}

struct ir_instr *
spv_image_atomic(struct spv *s, const struct spv_value *texel, enum ir_atomic op,
                 struct ir_instr *value, struct ir_instr *compare)
{
    struct builder b;
    const struct spv_value *image_value = texel->texel_image;
    struct ir_image *image = begin(s, &b, IR_IMAGE_ATOMIC, image_value->type, image_value->v[0]);
    const uint32_t count =
        spatial_count(image) + (image->is_arrayed && image->dim != SPV_DIM_CUBE ? 1u : 0u);
    if (texel->texel_coord->type->flat < count || (value->type == IR_L) != image->is_64)
        spv_fail(s, "bad texel pointer");
    image->atomic = (uint8_t)op;
    image->coord_count = (uint8_t)count;
    image->coord = append(s, &b, texel->texel_coord->v, count);
    if (image->is_multisampled)
        image->sample = append(s, &b, texel->texel_sample->v, 1);
    image->value_count = 2;
    image->value = append(s, &b, (struct ir_instr *[]){value, compare}, 2);
    return component(s, finish(s, &b, IR_VOID), 0);
}

/* Whether it is used for comparisons need not be said alike. */
static bool
is_same_image(const struct spv_type *a, const struct spv_type *b)
{
    return a == b || (a->kind == SPV_T_IMAGE && b->kind == SPV_T_IMAGE && a->elem == b->elem &&
                      a->image.dim == b->image.dim && a->image.is_arrayed == b->image.is_arrayed &&
                      a->image.is_multisampled == b->image.is_multisampled);
}

static void
take_image(struct spv *s, bool is_combine)
{
    const struct spv_value *v = spv_operand(s, 3);
    struct spv_value *r = spv_result(s);
    if (is_combine) {
        const struct spv_value *sampler = spv_operand(s, 4);
        if (r->type->kind != SPV_T_SAMPLED_IMAGE || !is_same_image(v->type, r->type->elem) ||
            sampler->type->kind != SPV_T_SAMPLER)
            spv_fail(s, "bad sampled image");
        r->v[1] = sampler->v[0];
    } else if (v->type->kind != SPV_T_SAMPLED_IMAGE || r->type != v->type->elem) {
        spv_fail(s, "bad image");
    }
    r->v[0] = v->v[0];
}

static bool
sample_instruction(struct spv *s)
{
    const enum spv_op op = spv_opcode(s->at);
    const bool is_implicit = op == SPV_OP_IMAGE_SAMPLE_IMPLICIT_LOD ||
                             op == SPV_OP_IMAGE_SAMPLE_DREF_IMPLICIT_LOD ||
                             op == SPV_OP_IMAGE_SAMPLE_PROJ_IMPLICIT_LOD ||
                             op == SPV_OP_IMAGE_SAMPLE_PROJ_DREF_IMPLICIT_LOD;

    switch (op) {
    case SPV_OP_IMAGE_SAMPLE_IMPLICIT_LOD:
    case SPV_OP_IMAGE_SAMPLE_EXPLICIT_LOD:
        sample(s, (struct sample_form){false, false, false, is_implicit});
        return true;
    case SPV_OP_IMAGE_SAMPLE_DREF_IMPLICIT_LOD:
    case SPV_OP_IMAGE_SAMPLE_DREF_EXPLICIT_LOD:
        sample(s, (struct sample_form){true, false, false, is_implicit});
        return true;
    case SPV_OP_IMAGE_SAMPLE_PROJ_IMPLICIT_LOD:
    case SPV_OP_IMAGE_SAMPLE_PROJ_EXPLICIT_LOD:
        sample(s, (struct sample_form){false, true, false, is_implicit});
        return true;
    case SPV_OP_IMAGE_SAMPLE_PROJ_DREF_IMPLICIT_LOD:
    case SPV_OP_IMAGE_SAMPLE_PROJ_DREF_EXPLICIT_LOD:
        sample(s, (struct sample_form){true, true, false, is_implicit});
        return true;
    case SPV_OP_IMAGE_GATHER:
        sample(s, (struct sample_form){false, false, true, false});
        return true;
    case SPV_OP_IMAGE_DREF_GATHER:
        sample(s, (struct sample_form){true, false, true, false});
        return true;
    case SPV_OP_IMAGE_QUERY_LOD:
        query_lod(s);
        return true;
    default:
        return false;
    }
}

bool
spv_image(struct spv *s)
{
    if (sample_instruction(s))
        return true;
    switch (spv_opcode(s->at)) {
    case SPV_OP_SAMPLED_IMAGE:
    case SPV_OP_IMAGE:
        take_image(s, spv_opcode(s->at) == SPV_OP_SAMPLED_IMAGE);
        return true;
    case SPV_OP_IMAGE_FETCH:
    case SPV_OP_IMAGE_READ:
        fetch(s);
        return true;
    case SPV_OP_IMAGE_WRITE:
        write(s);
        return true;
    case SPV_OP_IMAGE_TEXEL_POINTER:
    case SPV_OP_UNTYPED_IMAGE_TEXEL_POINTER:
        texel_pointer(s);
        return true;
    case SPV_OP_IMAGE_QUERY_SIZE:
    case SPV_OP_IMAGE_QUERY_SIZE_LOD:
        query(s, IR_QUERY_SIZE);
        return true;
    case SPV_OP_IMAGE_QUERY_LEVELS:
        query(s, IR_QUERY_LEVELS);
        return true;
    case SPV_OP_IMAGE_QUERY_SAMPLES:
        query(s, IR_QUERY_SAMPLES);
        return true;
    default:
        return false;
    }
}

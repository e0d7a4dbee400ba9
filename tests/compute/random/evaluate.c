/* SPDX-License-Identifier: MIT */
#include "evaluate.h"

#include <string.h>

/* A component of a variable to the next of the same lane. */
#define NEXT ((size_t)LANES_MAX)

union value *
ref_place(struct run *r, const struct ref *ref, uint32_t lane)
{
    const struct field *field = &ref->var->shape->fields[ref->field];
    uint32_t slot = ref->var->slot + field->slot;
    if (ref->index)
        slot += evaluate_u32(r, ref->index, lane) % field->length * field->type.n;
    return &r->vars[slot * NEXT + lane];
}

/* NULL: beyond the buffer. */
uint8_t *
element_place(struct run *r, uint32_t buffer, uint32_t index, uint32_t lane)
{
    const struct kernel *k = r->k;
    const uint32_t linear = r->builtins[B_LINEAR][lane];
    struct storage *b = &r->buffers[buffer];
    if (buffer == BUF_UNIFORM)
        index %= UNIFORM_LENGTH;
    if (buffer == BUF_OUT)
        index += linear * OUT_WORDS - k->out_shift;
    if (buffer == BUF_OWN || buffer == BUF_OWN2)
        index = k->own_is_strided[buffer - BUF_OWN] ? index % OWN * k->invocations + linear
                                                    : linear * OWN + index % OWN;
    return index < b->length ? b->bytes + (size_t)index * b->stride_B : NULL;
}

static void
evaluate_load(struct run *r, const struct expr *e, uint32_t lane, union value out[4])
{
    uint32_t index = evaluate_u32(r, e->arg[0], lane);
    if (e->imm == BUF_SUMS)
        index = SUMS + r->builtins[B_LINEAR][lane];
    const uint8_t *bytes = element_place(r, (uint32_t)e->imm, index, lane);
    for (uint32_t i = 0; i < e->type.n && bytes; i++)
        out[i] = value_load(e->type.kind, bytes + i * kind_bits(e->type.kind) / 8);
}

static void
evaluate_load_of(struct run *r, const struct expr *e, uint32_t lane, union value out[4])
{
    const struct storage *b = &r->buffers[BUF_TABLE];
    const uint32_t lengths[TABLES] = {b->length, 0, b->length / 2, b->length};
    const uint32_t index = evaluate_u32(r, e->arg[0], lane);
    const uint32_t which = evaluate_u32(r, e->arg[1], lane) % TABLES;
    const uint8_t *bytes = b->bytes + (size_t)index * b->stride_B;
    for (uint32_t i = 0; i < e->type.n && index < lengths[which]; i++)
        out[i] = value_load(e->type.kind, bytes + i * kind_bits(e->type.kind) / 8);
}

static uint32_t
texel(const struct run *r, const struct expr *e, int32_t x, int32_t y)
{
    uint32_t word;
    if (e->op == OP_SAMPLE)
        x = (x & 63) - 16, y = (y & 63) - 16, x &= TEXTURE_SIDE - 1, y &= TEXTURE_SIDE - 1;
    if (x < 0 || y < 0 || x >= TEXTURE_SIDE || y >= TEXTURE_SIDE)
        return 0;
    memcpy(&word, r->k->texture.bytes + 4 * (y * TEXTURE_SIDE + x), 4);
    return word;
}

static void
evaluate_components(struct run *r, const struct expr *e, uint32_t lane, union value out[4])
{
    union value args[3][4];
    for (uint32_t a = 0; a < 3 && e->arg[a]; a++)
        evaluate(r, e->arg[a], lane, args[a]);
    for (uint32_t i = 0; i < e->type.n; i++)
        out[i] = value_apply(e, &args[0][i], e->arg[1] ? &args[1][i] : NULL,
                             e->arg[1] && e->arg[2] ? &args[2][i] : NULL);
}

static void
evaluate_pack(struct run *r, const struct expr *e, uint32_t lane, union value out[4])
{
    union value in[4];
    uint8_t bytes[8];
    const struct type from = e->arg[0]->type;
    evaluate(r, e->arg[0], lane, in);
    for (uint32_t i = 0; i < from.n; i++)
        value_store(from.kind, in[i], bytes + i * kind_bits(from.kind) / 8);
    for (uint32_t i = 0; i < e->type.n; i++)
        out[i] = value_load(e->type.kind, bytes + i * kind_bits(e->type.kind) / 8);
}

static void
evaluate_vector(struct run *r, const struct expr *e, uint32_t lane, union value out[4])
{
    union value in[4] = {0};
    const uint32_t n = e->arg[0]->type.n;
    evaluate(r, e->arg[0], lane, in);
    switch (e->op) {
    case OP_SWIZZLE:
        for (uint32_t i = 0; i < e->type.n; i++)
            out[i] = in[e->imm >> (2 * i) & 3];
        break;
    case OP_COMPONENT:
        out[0] = in[evaluate_u32(r, e->arg[1], lane) % n];
        break;
    case OP_SPLAT:
        for (uint32_t i = 0; i < e->type.n; i++)
            out[i] = in[0];
        break;
    default:
        out[0].i = e->op == OP_ALL;
        for (uint32_t i = 0; i < n; i++)
            out[0].i = e->op == OP_ALL ? out[0].i & in[i].i : out[0].i | in[i].i;
    }
}

static void
evaluate_read(struct run *r, const struct expr *e, uint32_t lane, union value out[4])
{
    const union value *from = ref_place(r, &e->ref, lane);
    for (uint32_t i = 0; i < e->type.n; i++)
        out[i] = from[i * NEXT];
}

static void
evaluate_other(struct run *r, const struct expr *e, uint32_t lane, union value out[4])
{
    union value in[4];
    switch (e->op) {
    case OP_CONST:
        memcpy(out, e->value, sizeof(e->value));
        break;
    case OP_READ:
        evaluate_read(r, e, lane, out);
        break;
    case OP_BUILTIN:
        out[0].i = r->builtins[e->imm][lane];
        break;
    case OP_PUSH:
        out[0].i = r->k->push[e->imm];
        break;
    case OP_SPEC:
        out[0].i = r->k->spec[e->imm];
        break;
    case OP_SELECT:
        evaluate(r, e->arg[0], lane, in);
        evaluate(r, e->arg[in[0].i ? 1 : 2], lane, out);
        break;
    case OP_BUILD:
        for (uint32_t i = 0; i < e->type.n; i++) {
            evaluate(r, e->arg[i], lane, in);
            out[i] = in[0];
        }
        break;
    case OP_PACK:
        evaluate_pack(r, e, lane, out);
        break;
    case OP_LOAD:
        evaluate_load(r, e, lane, out);
        break;
    case OP_LOAD_OF:
        evaluate_load_of(r, e, lane, out);
        break;
    case OP_FETCH:
    case OP_SAMPLE:
    case OP_IMAGE_LOAD: {
        const uint32_t x = evaluate_u32(r, e->arg[0], lane);
        out[0].i = texel(r, e, (int32_t)x, (int32_t)evaluate_u32(r, e->arg[1], lane));
        break;
    }
    default:
        evaluate_vector(r, e, lane, out);
        break;
    }
}

void
evaluate(struct run *r, const struct expr *e, uint32_t lane, union value out[4])
{
    r->steps++;
    memset(out, 0, 4 * sizeof(out[0]));
    if (e->is_zeroed)
        return;
    if (e->op >= OP_ADD && e->op <= OP_LOR)
        evaluate_components(r, e, lane, out);
    else
        evaluate_other(r, e, lane, out);
}

uint32_t
evaluate_u32(struct run *r, const struct expr *e, uint32_t lane)
{
    union value v[4];
    evaluate(r, e, lane, v);
    return (uint32_t)v[0].i;
}

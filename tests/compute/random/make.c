/* SPDX-License-Identifier: MIT */
/* A kernel from its seed.
 */
#include "make.h"

#include <stdlib.h>
#include <string.h>

struct chunk {
    struct chunk *next;
    size_t used_B;
    _Alignas(16) uint8_t bytes[65536];
};

void *
make_memory(struct kernel *k, size_t size_B)
{
    struct chunk *chunk = k->memory;
    size_B = (size_B + 15) & ~(size_t)15;
    if (!chunk || chunk->used_B + size_B > sizeof(chunk->bytes)) {
        chunk = calloc(1, sizeof(*chunk));
        if (!chunk)
            abort();
        chunk->next = k->memory;
        k->memory = chunk;
    }
    chunk->used_B += size_B;
    return chunk->bytes + chunk->used_B - size_B;
}

uint32_t
pick(struct maker *m, uint32_t below)
{
    m->state = m->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(m->state >> 33) % below;
}

bool
chance(struct maker *m, uint32_t one_in)
{
    return pick(m, one_in) == 0;
}

static void
make_grid(struct maker *m)
{
    static const uint16_t sizes[] = {1,  2,  3,  4,  5,  7,  8,   13,  16,  17,  31,
                                     32, 33, 48, 64, 64, 64, 100, 128, 200, 256, 1000};
    static const uint8_t sides[] = {1, 1, 1, 1, 2, 3, 4, 8, 16};
    struct kernel *k = m->k;
    k->local[0] = sizes[pick(m, 22)];
    k->local[1] = sides[pick(m, 9)];
    k->local[2] = chance(m, 6) ? 2 : 1;
    while (k->local[0] * k->local[1] * k->local[2] > LANES_MAX)
        k->local[1] = k->local[2] = 1;
    k->has_base = chance(m, 4);
    const uint32_t total = k->local[0] * k->local[1] * k->local[2];
    uint32_t room = 1500 / total ? 1500 / total : 1;
    for (uint32_t i = 0; i < 3; i++) {
        k->groups[i] = i == 2 && !chance(m, 4) ? 1 : 1 + pick(m, room > 40 ? 40 : room);
        k->base[i] = k->has_base ? pick(m, 3) : 0;
        room = room / k->groups[i] ? room / k->groups[i] : 1;
    }
    k->dispatches = 1 + pick(m, 2);
    k->width = (k->groups[0] + k->base[0]) * k->local[0];
    k->height = (k->groups[1] + k->base[1]) * k->local[1];
    k->invocations = k->width * k->height * (k->groups[2] + k->base[2]) * k->local[2];
}

static struct type
buffer_type(struct maker *m)
{
    const uint8_t kind = m->kinds[pick(m, 4)];
    struct type type = {kind, (uint8_t)(1 + pick(m, 4))};
    if (type.kind == K_BOOL)
        type.kind = K_U32;
    if (chance(m, 2))
        type.n = 1;
    return type;
}

/* Small numbers and random bits; floats are mostly of moderate size. */
static void
storage_fill(struct maker *m, struct storage *b)
{
    const uint32_t bits = kind_bits(b->type.kind);
    for (size_t at = 0; at + bits / 8 <= b->size_B; at += bits / 8) {
        const uint64_t high = pick(m, UINT32_MAX), low = pick(m, UINT32_MAX);
        union value v = {.i =
                             chance(m, 3) ? (int64_t)pick(m, 64) - 8 : (int64_t)(high << 33 ^ low)};
        if (kind_is_float(b->type.kind) && !chance(m, 8)) {
            v.d = ((double)pick(m, 4000) - 2000.0) * 0.125;
            v = value_wrap(b->type.kind, v);
            value_store(b->type.kind, v, b->bytes + at);
        } else {
            memcpy(b->bytes + at, &v, bits / 8);
        }
    }
}

static void
storage_make(struct maker *m, struct storage *b, struct type type, uint32_t length,
             uint32_t stride_B)
{
    *b = (struct storage){
        .type = type, .length = length, .stride_B = stride_B, .size_B = (size_t)length * stride_B};
    b->bytes = calloc(1, b->size_B);
    if (!b->bytes)
        abort();
    storage_fill(m, b);
}

static void
make_buffers(struct maker *m)
{
    struct kernel *k = m->k;
    const struct type word = {K_U32, 1}, words = {K_U32, 4};
    for (uint32_t i = 0; i < 2; i++) {
        const struct type in = i && chance(m, 2) ? buffer_type(m) : word;
        storage_make(m, &k->buffers[BUF_IN + i], in, 1 + pick(m, chance(m, 2) ? 300 : 6000),
                     (uint32_t)type_size(in));
        const struct type own = buffer_type(m);
        uint32_t length = k->invocations * OWN;
        if (chance(m, 3))
            length -= length / 8;
        storage_make(m, &k->buffers[BUF_OWN + i], own, length, (uint32_t)type_size(own));
        k->own_is_strided[i] = chance(m, 2);
    }
    storage_make(m, &k->buffers[BUF_UNIFORM], words, UNIFORM_LENGTH, 16);
    uint32_t out_length = k->invocations * OUT_WORDS;
    if (k->is_wider && chance(m, 2)) {
        out_length -= pick(m, out_length < 40 ? out_length : 40);
        k->out_shift = pick(m, 20);
    }
    storage_make(m, &k->buffers[BUF_OUT], word, out_length, 4);
    storage_make(m, &k->buffers[BUF_SUMS], word, SUMS + k->invocations, 4);
    storage_make(m, &k->texture, word, TEXTURE_SIDE * TEXTURE_SIDE, 4);
    storage_make(m, &k->image, word, (k->invocations + 63) / 64 * 64, 4);
    for (uint32_t i = 0; i < PUSH_WORDS; i++)
        k->push[i] = chance(m, 2) ? pick(m, 40) : pick(m, UINT32_MAX);
    for (uint32_t i = 0; i < SPECS; i++)
        k->spec[i] = pick(m, 40);
}

static void
make_shapes(struct maker *m)
{
    struct kernel *k = m->k;
    for (uint32_t i = pick(m, 4); i-- > 0;) {
        struct shape *shape = &k->shapes[k->shape_count];
        shape->form = FORM_ARRAY + (uint8_t)pick(m, 3);
        shape->id = (uint8_t)k->shape_count++;
        shape->field_count = shape->form == FORM_STRUCT ? (uint8_t)(1 + pick(m, 3)) : 1;
        for (uint32_t f = 0; f < shape->field_count; f++) {
            struct field *field = &shape->fields[f];
            field->type = make_type(m);
            field->slot = shape->slots;
            if (shape->form == FORM_ARRAY || (shape->form == FORM_STRUCT && chance(m, 2)))
                field->length = (uint8_t)(2 + pick(m, 7));
            if (shape->form == FORM_MATRIX) {
                field->type = (struct type){K_F32, (uint8_t)(2 + pick(m, 3))};
                field->length = (uint8_t)(2 + pick(m, 3));
            }
            shape->slots += field->type.n * (field->length ? field->length : 1);
        }
    }
}

static void
make_choices(struct maker *m)
{
    static const uint8_t all[] = {K_U32, K_U32, K_I32, K_I32, K_F32, K_F32, K_BOOL, K_I8,
                                  K_U8,  K_I16, K_U16, K_I64, K_U64, K_F16, K_F64};
    static const uint8_t sums[] = {OP_ADD, OP_ADD, OP_ADD, OP_ADD, OP_MIN,
                                   OP_MAX, OP_AND, OP_OR,  OP_XOR};
    struct kernel *k = m->k;
    k->is_wider = k->seed / 8 % 2;
    k->is_rewritten = k->seed % 2; /* spirv-opt 2023 folds narrow constants wrongly */
    k->subgroup = SUBGROUP_MIN << k->seed / 2 % 3;
    for (uint32_t i = 0; i < 4; i++)
        m->kinds[i] = all[pick(m, i < 2 ? 6 : k->is_rewritten ? 7 : sizeof(all))];
    k->wants_wild = chance(m, 4);
    k->has_subgroups = chance(m, 3);
    k->has_images = chance(m, 4);
    k->has_shared = chance(m, 3);
    k->sum_op = sums[pick(m, 9)];
    k->shared_sum_op = sums[pick(m, 9)];
    k->shared_type = make_type(m);
    if (k->shared_type.kind == K_BOOL)
        k->shared_type.kind = K_U32;
    k->tree_type = (struct type){K_I32 + (chance(m, 3) ? 5 : pick(m, 2)), 1};
}

struct kernel *
kernel_make(uint64_t seed)
{
    struct kernel *k = calloc(1, sizeof(*k));
    if (!k)
        abort();
    k->seed = seed;
    struct maker m = {.k = k,
                      .state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1,
                      .is_uniform = true,
                      .most_rounds = 64};
    make_choices(&m);
    make_grid(&m);
    make_buffers(&m);
    make_shapes(&m);
    for (uint32_t i = pick(&m, 3); i-- > 0;)
        make_function(&m);
    m.budget = 12 + pick(&m, 30);
    make_declarations(&m, &k->body);
    if (k->has_shared)
        make_exchange(&m, &k->body);
    make_block(&m, &k->body, 4 + pick(&m, 16));
    make_results(&m, &k->body);
    if (chance(&m, 2))
        make_tail(&m, &k->body);
    return k;
}

void
kernel_free(struct kernel *k)
{
    for (uint32_t b = 0; b < BUF_COUNT; b++)
        free(k->buffers[b].bytes);
    free(k->texture.bytes);
    free(k->image.bytes);
    for (struct chunk *chunk = k->memory, *next; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    free(k);
}

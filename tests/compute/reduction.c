/* SPDX-License-Identifier: MIT */
/* Reductions in workgroup memory, each operation, every word of the memory behind them; on every
 * instruction set, in workgroups that run alone and side by side.
 */
#include "harness.h"

#include <math.h>

#define MAX_SIZE 256u
#define ROW 7u
#define ROWS 2u
#define ROOM (ROW * ROWS * MAX_SIZE)
#define WORD_SLOTS 9u
#define NUMBER_SLOTS 4u

struct shape {
    uint32_t width, height;
    uint32_t first; /* lanes of the first step */
};

static uint32_t a[ROOM], c[WORD_SLOTS * ROOM + 1];
static float f[ROOM], d[NUMBER_SLOTS * ROOM + 1];

static uint32_t
word(uint32_t slot, uint32_t own, uint32_t other)
{
    switch (slot) {
    case 0:
        return own + other;
    case 1:
        return own < other ? own : other;
    case 2:
        return own > other ? own : other;
    case 3:
        return (int32_t)own < (int32_t)other ? own : other;
    case 4:
        return (int32_t)own > (int32_t)other ? own : other;
    case 5:
        return own & other;
    case 6:
        return own | other;
    default:
        return own ^ other;
    }
}

static float
number(uint32_t slot, float own, float other)
{
    switch (slot) {
    case 0:
        return own + other;
    case 1:
        return fminf(own, other);
    case 2:
        return fmaxf(own, other);
    default:
        return own * other;
    }
}

static void
check_words(const uint32_t *in, const uint32_t *out, uint32_t slot, const struct shape *s)
{
    uint32_t memory[MAX_SIZE];
    const uint32_t size = s->width * s->height;
    memcpy(memory, in, size * sizeof(memory[0]));
    if (slot == WORD_SLOTS - 1) {
        for (uint32_t l = 0; l < s->first / 2; l++)
            memory[l] += memory[l + s->first];
        for (uint32_t l = 0; l < s->first / 4; l++)
            memory[l] += memory[l + s->first / 2];
        for (uint32_t l = 0; l < 2; l++)
            memory[l] += memory[l + 5];
        memory[0] += memory[6];
    } else {
        for (uint32_t step = s->first; step; step /= 2)
            for (uint32_t l = 0; l < step; l++)
                memory[l] = word(slot, memory[l], memory[l + step]);
    }
    REQUIRE_BYTES(out, memory, size * sizeof(memory[0]));
}

static void
check_numbers(const float *in, const float *out, uint32_t slot, const struct shape *s)
{
    float memory[MAX_SIZE];
    const uint32_t size = s->width * s->height;
    memcpy(memory, in, size * sizeof(memory[0]));
    for (uint32_t step = s->first; step; step /= 2)
        for (uint32_t l = 0; l < step; l++)
            memory[l] = number(slot, memory[l], memory[l + step]);
    REQUIRE_BYTES(out, memory, size * sizeof(memory[0]));
}

static void
run(const struct shape *s, uint32_t cpu_flags, uint32_t row_length)
{
    static const VkSpecializationMapEntry entries[3] = {{0, 0, 4}, {1, 4, 4}, {2, 8, 4}};
    const VkSpecializationInfo values = {3, entries, sizeof(*s), s};
    const uint32_t size = s->width * s->height, count = size * row_length * ROWS;
    const struct grid grid = {row_length, ROWS, 1 + row_length % 2, {count}};
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)a, .size_B = sizeof(a)},
        {.ptr = (uint8_t *)f, .size_B = sizeof(f)},
        {.ptr = (uint8_t *)c, .size_B = sizeof(c)},
        {.ptr = (uint8_t *)d, .size_B = sizeof(d)},
    };
    struct rp_kernel *kernel = kernel_load_specialized("reduction", cpu_flags, &values);
    char text[65536];

    memset(c, 0, sizeof(c));
    memset(d, 0, sizeof(d));
    kernel_run(kernel, buffers, &grid);
    for (uint32_t first = 0; first < count; first += size) {
        for (uint32_t slot = 0; slot < WORD_SLOTS; slot++)
            check_words(a + first, c + slot * count + first, slot, s);
        for (uint32_t slot = 0; slot < NUMBER_SLOTS; slot++)
            check_numbers(f + first, d + slot * count + first, slot, s);
    }
    REQUIRE_EQ(c[WORD_SLOTS * count], 0);
    REQUIRE(rp_kernel_print(kernel, text, sizeof(text)) <= sizeof(text));
    uint32_t reductions = 0;
    for (const char *at = text; (at = strstr(at, "REDUCTION")); at++)
        reductions++;
    REQUIRE_EQ(reductions, WORD_SLOTS + NUMBER_SLOTS + 1); /* two for the last words */
    rp_kernel_destroy(kernel);
}

int
main(void)
{
    /* Steps stop short of half of the workgroup, too. */
    static const struct shape shapes[] = {{256, 1, 128}, {16, 16, 128}, {256, 1, 32},
                                          {64, 1, 32},   {8, 8, 32},    {32, 4, 64},
                                          {16, 2, 8},    {100, 1, 32},  {24, 2, 16}};

    for (uint32_t i = 0; i < ROOM; i++) {
        a[i] = i * 2654435761u;
        f[i] = (float)(int)(i * 747796405u >> 20) * 0.001f - 2.0f;
    }
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++)
        for (uint32_t s = 0; s < sizeof(shapes) / sizeof(shapes[0]); s++)
            for (uint32_t row_length = 1; row_length <= ROW; row_length += 3)
                run(&shapes[s], isa_flags[isa], row_length);
    return 0;
}

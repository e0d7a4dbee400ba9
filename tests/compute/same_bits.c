/* SPDX-License-Identifier: MIT */
/* Every instruction set, and any number of threads, gives the bits of portable C. */
#include "harness.h"

#define WORDS 65536u

static uint32_t memory[BINDING_COUNT][WORDS];
static uint32_t expected[BINDING_COUNT][WORDS];

/* Words that look like numbers to kernels of floats too. */
static void
fill(bool is_float)
{
    for (uint32_t b = 0; b < BINDING_COUNT; b++) {
        for (uint32_t i = 0; i < WORDS; i++) {
            const float f = (float)((int)(i % 4001) - 2000) * 0.01f + (float)(i % 7) * 0.001f;
            memory[b][i] = i * 2654435761u >> (b * 2 + 3);
            if (is_float)
                memcpy(&memory[b][i], &f, 4);
        }
    }
}

static void
run(const char *name, uint32_t flags, uint32_t thread_count)
{
    const bool is_float = !strcmp(name, "math") || !strcmp(name, "blur") || !strcmp(name, "struct");
    struct rp_descriptor buffers[BINDING_COUNT];
    /* The others index by x alone: rows of groups would all write the same words. */
    const bool is_2d =
        !strcmp(name, "mandel") || !strcmp(name, "blur") || !strncmp(name, "tile", 4);
    struct grid grid = {.x = is_2d ? 7 : 35,
                        .y = is_2d ? 5 : 1,
                        .thread_count = thread_count,
                        .push = {100, 50, 0x3c23d70a, 32}};
    if (!strcmp(name, "math"))
        grid = (struct grid){.x = 32, .y = 1, .thread_count = thread_count, .push = {2000}};
    if (!strcmp(name, "matmul"))
        grid = (struct grid){.x = 2, .y = 2, .thread_count = thread_count, .push = {32}};

    fill(is_float);
    for (uint32_t b = 0; b < BINDING_COUNT; b++)
        buffers[b] =
            (struct rp_descriptor){.ptr = (uint8_t *)memory[b], .size_B = sizeof(memory[b])};
    struct rp_kernel *kernel = kernel_load(name, flags);
    kernel_run(kernel, buffers, &grid);
    rp_kernel_destroy(kernel);
}

int
main(void)
{
    for (const char *const *name = kernel_names; *name; name++) {
        run(*name, 0, 1);
        memcpy(expected, memory, sizeof(expected));
        for (uint32_t isa = 1; isa < ISA_COUNT; isa++) {
            run(*name, isa_flags[isa], 1);
            REQUIRE_BYTES(memory, expected, sizeof(expected));
        }
        run(*name, isa_flags[ISA_COUNT - 1], 2);
        REQUIRE_BYTES(memory, expected, sizeof(expected));
    }
    return 0;
}

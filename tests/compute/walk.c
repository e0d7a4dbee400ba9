/* SPDX-License-Identifier: MIT */
/* Loads that read ahead along rows (exec/walk.c): the same words as without, and only where nothing
 * may write them in between. */
#include "compute/exec/op_list.h"
#include "compute/kernel.h"
#include "harness.h"

#define GROUPS 40u
#define SIZE 64u
#define ROWS (GROUPS * SIZE)
#define MAX_STRIDE 20u
#define WORDS (ROWS * MAX_STRIDE)

static uint32_t a[WORDS + 64], c[WORDS];

static uint32_t
walk_count(const struct rp_program *program)
{
    uint32_t count = 0;
    for (uint32_t i = 0; program && i < program->op_count; i++)
        count += program->codes[i] == RP_X_LOAD32_WALK;
    return count;
}

static uint32_t
word(uint32_t i, uint32_t end)
{
    return i < end ? a[i] : 0;
}

static uint32_t
sum_of(uint32_t row, uint32_t stride, uint32_t count, uint32_t end)
{
    const uint32_t at = row * stride, length = word(at, end) & 15;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < length; i++)
        sum = sum * 31 + word(at + i, end);
    for (uint32_t piece = 0; piece < count; piece++)
        for (uint32_t i = 0; i < count && (row < 32 || piece % 2 == 1); i++)
            sum = sum * 31 + word(at + piece * count + i, end);
    for (uint32_t i = 0; i < 4 * count; i += 2)
        sum = sum * 31 + word(at + i, end);
    for (uint32_t i = 4 * count; i > 0; i--)
        sum = sum * 31 + word(at + i, end);
    return sum;
}

/* The last row's end is not in the buffer. */
static void
words_are_those_of_the_row(uint32_t isa, uint32_t stride, uint32_t count)
{
    const uint32_t end = ROWS * stride - 3;
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        [0] = {.ptr = (uint8_t *)a, .size_B = end * sizeof(a[0])},
        [2] = {.ptr = (uint8_t *)c, .size_B = sizeof(c)},
    };
    const struct grid grid = {GROUPS, 1, 1, {stride, count}};
    struct rp_kernel *kernel = kernel_load("walk", isa_flags[isa]);
    REQUIRE(walk_count(kernel->rows) >= 2);
    kernel_run(kernel, buffers, &grid);
    for (uint32_t row = 0; row < ROWS; row++)
        REQUIRE_EQ(c[row], sum_of(row, stride, count, end));
    rp_kernel_destroy(kernel);
}

static void
write_ways(uint32_t *w, uint32_t stride, uint32_t count)
{
    uint32_t sums[SIZE] = {0};
    for (uint32_t l = 0; l < SIZE; l++) {
        uint32_t *row = w + l * stride;
        for (uint32_t i = 0; i < 4 * count; i++)
            row[i + 2] += row[i] * 31 + a[l * stride + i];
        for (uint32_t piece = 0; piece < count; piece++) {
            for (uint32_t i = 0; i < count; i++)
                sums[l] = sums[l] * 31 + row[piece * count + i];
            row[piece * count + count] = sums[l];
        }
    }
    for (uint32_t l = 0; l < SIZE; l++)
        w[l * stride] = sums[l];
}

static void
nothing_is_read_before_it_is_written(uint32_t isa)
{
    static uint32_t expected[SIZE * MAX_STRIDE];
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        [0] = {.ptr = (uint8_t *)a, .size_B = sizeof(a)},
        [2] = {.ptr = (uint8_t *)c, .size_B = sizeof(c)},
    };
    const struct grid grid = {1, 1, 1, {MAX_STRIDE, 4}};
    struct rp_kernel *kernel = kernel_load("walk_written", isa_flags[isa]);
    memcpy(c, a + 1, sizeof(c));
    memcpy(expected, c, sizeof(expected));
    write_ways(expected, MAX_STRIDE, 4);
    kernel_run(kernel, buffers, &grid);
    REQUIRE_BYTES(c, expected, sizeof(expected));
    REQUIRE_EQ(walk_count(kernel->rows) + walk_count(kernel->groups), 0);
    rp_kernel_destroy(kernel);
}

static void
what_is_watched_is_read_in_its_turn(uint32_t isa)
{
    static const char *const names[] = {
        "walk_watched",
        "walk_volatile",
        "walk_visible",
        "walk_ordered",
#if HAS_SPIRV_AS
        "walk_copied",
#endif
    };
    for (uint32_t n = 0; n < sizeof(names) / sizeof(names[0]); n++) {
        struct rp_kernel *kernel = kernel_load(names[n], isa_flags[isa]);
        REQUIRE_EQ(walk_count(kernel->rows) + walk_count(kernel->groups), 0);
        rp_kernel_destroy(kernel);
    }
}

/* What is visible to a workgroup alone is written by no other one. */
static void
shared_variables_are_not_watched(uint32_t isa)
{
    struct rp_kernel *kernel = kernel_load("walk_shared", isa_flags[isa]);
    REQUIRE(walk_count(kernel->groups) > 0);
    rp_kernel_destroy(kernel);
}

/* The second begins where the first has read ahead. */
static void
no_dispatch_takes_what_another_one_read(uint32_t isa)
{
    static uint32_t rows[SIZE * MAX_STRIDE];
    const struct rp_descriptor buffers[2] = {
        {.ptr = (uint8_t *)rows, .size_B = sizeof(rows)},
        {.ptr = (uint8_t *)c, .size_B = sizeof(c)},
    };
    const struct rp_descriptor_array arrays[2] = {{.items = &buffers[0], .count = 1},
                                                  {.items = &buffers[1], .count = 1}};
    struct rp_kernel *kernel = kernel_load("walk", isa_flags[isa]);
    struct rp_dispatcher *dispatcher = rp_dispatcher_create(NULL);
    for (uint32_t first = 0; first <= 2; first += 2) {
        const uint32_t push[RP_MAX_PUSH_CONSTANT_B / 4] = {MAX_STRIDE, 0, first};
        for (uint32_t i = 0; i < SIZE * MAX_STRIDE; i++)
            rows[i] = 2 + first * 16; /* of each row two words are read */
        const struct rp_dispatch dispatch = {
            .kernel = kernel, .bindings = arrays, .push_constants = push, .group_count = {1, 1, 1}};
        REQUIRE_EQ(rp_dispatcher_run(dispatcher, &dispatch), VK_SUCCESS);
        for (uint32_t row = 0; row < SIZE; row++)
            REQUIRE_EQ(c[row], (2 + first * 16) * 32);
    }
    rp_dispatcher_destroy(dispatcher);
    rp_kernel_destroy(kernel);
}

int
main(void)
{
    static const uint32_t strides[] = {1, 3, 4, 5, 16, 17, MAX_STRIDE};
    for (uint32_t i = 0; i < WORDS + 64; i++)
        a[i] = i * 2654435761u >> 7;
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++) {
        for (uint32_t s = 0; s < sizeof(strides) / sizeof(strides[0]); s++)
            for (uint32_t count = 1; count <= 5; count++)
                words_are_those_of_the_row(isa, strides[s], count);
        nothing_is_read_before_it_is_written(isa);
        no_dispatch_takes_what_another_one_read(isa);
        what_is_watched_is_read_in_its_turn(isa);
        shared_variables_are_not_watched(isa);
    }
    return 0;
}

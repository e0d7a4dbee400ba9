/* SPDX-License-Identifier: MIT */
/* Products and sums that each take in the one before, by one operation where their values are read
 * by nobody else, in 16 bits where no more of the result is wanted, also where they are extended or
 * cut off in between: against C, on every instruction set, in grids that are no multiple of
 * anything.
 */
#include "harness.h"

#define LANES 700u

static uint32_t given[2 * LANES], words[2 * LANES];
static uint16_t halves[LANES];
static uint8_t bytes[LANES];

/* In the place of narrow numbers: words, cut off when they are made. */
#define U32 uint32_t
#define U16 uint32_t
#define S8 uint32_t
#define TO32(e) (e)
#define TO16(e) ((e)&0xffffu)
#define TO8(e) ((e)&0xffu)
#define SX16(e) ((uint32_t)(int16_t)(e))
#define SX8(e) ((uint32_t)(int8_t)(e))
#define OF8(e) ((uint32_t)(int8_t)(e))
#define OF16(e) (e)
#define PART(number, statements) \
    case number: { \
        statements \
    } break;

static uint32_t
evaluate(uint32_t part, uint32_t i, uint32_t s, uint32_t n, uint32_t *other_out)
{
    const uint32_t a = given[2 * i], b = given[2 * i + 1];
    uint32_t r0 = 0, r1 = 0;
    switch (part) {
#include "kernels/recurrences.glsl"
    default:
        REQUIRE(false);
    }
    *other_out = r1;
    return r0;
}

/* How many chains each part has, and how many of these in 16 bits; when the results are stored as
 * words, and when they are not. */
static const struct {
    uint32_t chains, halves, narrow_halves;
} parts[] = {
    {1, 0, 1}, {1, 0, 1}, {1, 0, 1}, {1, 0, 1}, {2, 0, 2}, {2, 0, 2}, {0, 0, 0},
    {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 0, 1}, {1, 0, 0}, {1, 1, 1},
    {1, 1, 1}, {1, 0, 1}, {1, 1, 1}, {1, 0, 1}, {1, 0, 1}, {1, 1, 1}, {1, 1, 1},
    {1, 1, 1}, {1, 0, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1},
    {0, 0, 0}, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}, {0, 0, 0},
};

#define PART_COUNT (sizeof(parts) / sizeof(parts[0]))

static struct rp_kernel *
part_load(uint32_t part, uint32_t size, bool is_narrow, uint32_t cpu_flags)
{
    static const VkSpecializationMapEntry entries[] = {{0, 0, 4}, {1, 4, 4}, {2, 8, 4}};
    const uint32_t values[] = {size, part, is_narrow};
    const VkSpecializationInfo info = {3, entries, sizeof(values), values};
    return kernel_load_specialized("recurrences", cpu_flags, &info);
}

static void
chains_are_one_operation(uint32_t part, bool is_narrow)
{
    static char text[262144];
    struct rp_kernel *kernel = part_load(part, 64, is_narrow, 0);
    REQUIRE(rp_kernel_print(kernel, text, sizeof(text)) <= sizeof(text));
    const uint32_t in_halves = text_count(text, "; chain of halves\n");
    REQUIRE_EQ(in_halves, is_narrow ? parts[part].narrow_halves : parts[part].halves);
    REQUIRE_EQ(text_count(text, "; chain\n") + in_halves, parts[part].chains);
    rp_kernel_destroy(kernel);
}

static void
results_are_right(uint32_t part, uint32_t size, uint32_t groups, bool is_narrow, uint32_t cpu_flags)
{
    const uint32_t count = size * groups - 1, s = given[size] | 1, n = groups % 5;
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)given, .size_B = sizeof(given)},
        {.ptr = (uint8_t *)words, .size_B = sizeof(words)},
        {.ptr = (uint8_t *)halves, .size_B = sizeof(halves)},
        {.ptr = bytes, .size_B = sizeof(bytes)},
    };
    struct rp_kernel *kernel = part_load(part, size, is_narrow, cpu_flags);

    REQUIRE(count < LANES);
    memset(words, 0xa5, sizeof(words));
    memset(halves, 0xa5, sizeof(halves));
    memset(bytes, 0xa5, sizeof(bytes));
    kernel_run(kernel, buffers, &(struct grid){groups, 1, 1, {s, n, count}});
    for (uint32_t i = 0; i < count; i++) {
        uint32_t other;
        const uint32_t r = evaluate(part, i, s, n, &other);
        REQUIRE_EQ(words[2 * i], is_narrow ? 0xa5a5a5a5 : r);
        REQUIRE_EQ(words[2 * i + 1], is_narrow ? 0xa5a5a5a5 : other);
        REQUIRE_EQ(halves[i], is_narrow ? (uint16_t)r : 0xa5a5);
        REQUIRE_EQ(bytes[i], is_narrow ? (uint8_t)other : 0xa5);
    }
    REQUIRE_EQ(words[2 * count], 0xa5a5a5a5);
    rp_kernel_destroy(kernel);
}

int
main(void)
{
    static const uint32_t shapes[][2] = {{64, 10}, {1, 37}, {256, 2}, {48, 3}, {7, 99}, {16, 1}};
    uint64_t state = 88172645463325252u;

    for (uint32_t i = 0; i < 2 * LANES; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        given[i] = (uint32_t)(state >> 32);
    }
    for (uint32_t part = 0; part < PART_COUNT; part++)
        for (uint32_t is_narrow = 0; is_narrow < 2; is_narrow++) {
            chains_are_one_operation(part, is_narrow);
            for (uint32_t isa = 0; isa < ISA_COUNT; isa++)
                for (uint32_t s = 0; s < sizeof(shapes) / sizeof(shapes[0]); s++)
                    results_are_right(part, shapes[s][0], shapes[s][1], is_narrow, isa_flags[isa]);
        }
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* Words of structures, each invocation's own, are read and written line by line of memory: in the
 * order of each invocation, by those that take part, as far as the buffers reach.
 */
#include "compute/exec/op_list.h"
#include "compute/kernel.h"
#include "harness.h"

#define COUNT 256u
#define WORDS 24u

static uint32_t given[COUNT][WORDS], made[COUNT][WORDS], longs[COUNT][WORDS], words[COUNT][WORDS];
static uint32_t made_wanted[COUNT][WORDS], words_wanted[COUNT][WORDS];

struct run {
    uint32_t every;
    uint32_t size_B; /* of the buffers, a multiple of 4 */
    bool is_in_place;
};

/* Outside, words are zero and are not written. */
static uint32_t
get(uint32_t array[COUNT][WORDS], const struct run *r, uint32_t i, uint32_t w)
{
    return (i * WORDS + w) * 4 < r->size_B ? array[i][w] : 0;
}

static void
put(uint32_t array[COUNT][WORDS], const struct run *r, uint32_t i, uint32_t w, uint32_t value)
{
    if ((i * WORDS + w) * 4 < r->size_B)
        array[i][w] = value;
}

static void
expect(const struct run *r, uint32_t i)
{
    uint32_t(*in)[WORDS] = r->is_in_place ? made_wanted : given;
    const uint32_t f = get(in, r, i, 20);
    for (uint32_t w = 0; w < 16; w++)
        put(made_wanted, r, i, w, get(in, r, i, w) * 3 + w);
    const uint32_t e[4] = {get(in, r, i, 18), get(in, r, i, 17), get(in, r, i, 16),
                           get(in, r, i, 19)};
    for (uint32_t w = 0; w < 4; w++)
        put(made_wanted, r, i, 16 + w, e[w] + get(made_wanted, r, i, 8 + w));
    uint64_t sum = 0;
    for (uint32_t l = 0; l < 8; l++)
        sum += (uint64_t)(2 * l + 1) * (longs[i][2 * l] | (uint64_t)longs[i][2 * l + 1] << 32);
    put(made_wanted, r, i, 20, (uint32_t)sum);
    put(made_wanted, r, i, 21, (uint32_t)(sum >> 32) + get(in, r, i, 21));
    put(made_wanted, r, i, 23, get(in, r, i, 23) + f);
    put(words_wanted, r, i, 2, get(in, r, i, 22));
    put(words_wanted, r, i, 3, 6);
    put(words_wanted, r, i, 4, get(words_wanted, r, i, 2) + 1);
    put(words_wanted, r, i, 7, get(words_wanted, r, i, 3) + 8);
}

static void
fill(uint32_t array[COUNT][WORDS], uint64_t *state)
{
    for (uint32_t n = 0; n < COUNT * WORDS; n++)
        array[n / WORDS][n % WORDS] = (uint32_t)test_random(state);
}

static void
words_are_those_of_each_structure(const struct rp_kernel *kernel, const struct run *r,
                                  uint32_t lanes)
{
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)(r->is_in_place ? made : given), .size_B = r->size_B},
        {.ptr = (uint8_t *)made, .size_B = r->size_B},
        {.ptr = (uint8_t *)longs, .size_B = sizeof(longs)},
        {.ptr = (uint8_t *)words, .size_B = r->size_B},
    };
    uint64_t state = r->every;
    fill(given, &state);
    fill(made, &state);
    fill(longs, &state);
    memset(words, 0xee, sizeof(words));
    memcpy(made_wanted, made, sizeof(made));
    memcpy(words_wanted, words, sizeof(words));
    for (uint32_t i = 0; i < COUNT / lanes * lanes; i += r->every)
        expect(r, i);
    kernel_run(kernel, buffers, &(struct grid){COUNT / lanes, 1, 1, {r->every, 0}});
    REQUIRE_BYTES(made, made_wanted, sizeof(made));
    REQUIRE_BYTES(words, words_wanted, sizeof(words));
}

static void
run(const struct rp_kernel *kernel, uint32_t lanes)
{
    static const struct run runs[] = {
        {1, sizeof(given), false},
        {1, sizeof(given), true},
        {3, sizeof(given), false},
        {3, sizeof(given), true},
        {1, sizeof(given) - 4 * WORDS * 16 - 4 * 17, false}, /* ends within a structure */
        {1, sizeof(given) - 4 * WORDS * 16 - 4 * 14, true},
        {32, sizeof(given) - 4 * WORDS * 16 - 4 * 9, false},
    };
    for (uint32_t r = 0; r < sizeof(runs) / sizeof(runs[0]); r++)
        words_are_those_of_each_structure(kernel, &runs[r], lanes);
}

static uint32_t
struct_count(const struct rp_program *program)
{
    uint32_t count = 0;
    for (uint32_t i = 0; program && i < program->op_count; i++)
        count += program->codes[i] == RP_X_STRUCT;
    return count;
}

/* What others look at meanwhile stays where it is. */
static void
watched_words_stay_apart(void)
{
    struct rp_kernel *kernel = kernel_load("structs_watched", isa_flags[0]);
    REQUIRE_EQ(struct_count(kernel->rows), 0);
    REQUIRE_EQ(struct_count(kernel->groups), 0);
    rp_kernel_destroy(kernel);
}

/* One program for buffers that are apart, another for others. */
static void
overlapping_buffers_are_read_and_written_in_order(uint32_t isa)
{
    struct rp_kernel *kernel = kernel_load("structs_overlap", isa_flags[isa]);
    REQUIRE_EQ(struct_count(kernel->rows), 2);
    REQUIRE_EQ(struct_count(kernel->rows->careful), 0);
    const uint32_t lanes = 64, vectors = 4 * lanes;
    uint32_t v[4 * 4 * 64 + 4];
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)v, .size_B = sizeof(v)},
        {.ptr = (uint8_t *)v + 16, .size_B = sizeof(v) - 16},
    };
    for (uint32_t n = 0; n < 4 * vectors; n++)
        v[n] = n * 0x9e3779b9u;
    kernel_run(kernel, buffers, &(struct grid){1, 1, 1, {0}});
    for (uint32_t n = 0; n < 4 * vectors; n++)
        REQUIRE_EQ(v[n], (n / 16 * 16 + n % 4) * 0x9e3779b9u + n / 4 % 4);

    /* The first one ends where the second begins. */
    const uint32_t half = 2 * vectors;
    const struct rp_descriptor halves[BINDING_COUNT] = {
        {.ptr = (uint8_t *)v, .size_B = 4 * half},
        {.ptr = (uint8_t *)(v + half), .size_B = 4 * half},
    };
    for (uint32_t n = 0; n < 4 * vectors; n++)
        v[n] = n * 0x9e3779b9u;
    kernel_run(kernel, halves, &(struct grid){1, 1, 1, {0}});
    for (uint32_t n = 0; n < half; n++)
        REQUIRE_EQ(v[half + n], n % 16 < 12 ? v[n] + 1 : (half + n) * 0x9e3779b9u);
    rp_kernel_destroy(kernel);
}

static void
memory_barriers_order_lanes(uint32_t isa)
{
    struct rp_kernel *kernel = kernel_load("structs_ordered", isa_flags[isa]);
    uint32_t a[16][4];
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)a, .size_B = sizeof(a)}};
    kernel_run(kernel, buffers, &(struct grid){1, 1, 1, {0}});
    for (uint32_t i = 0; i < 16; i++)
        for (uint32_t c = 0; c < 4; c++)
            REQUIRE_EQ(a[i][c], i < 15 ? 1101 + i : 0);
    rp_kernel_destroy(kernel);
}

int
main(void)
{
    static const uint32_t sizes[][2] = {{64, 1}, {8, 4}, {16, 4}, {32, 2}, {5, 2}};
    static const VkSpecializationMapEntry entries[2] = {{0, 0, 4}, {1, 4, 4}};
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++)
        for (uint32_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
            const VkSpecializationInfo info = {2, entries, sizeof(sizes[s]), sizes[s]};
            struct rp_kernel *kernel = kernel_load_specialized("structs", isa_flags[isa], &info);
            REQUIRE_EQ(struct_count(kernel->groups), 5);
            run(kernel, sizes[s][0] * sizes[s][1]);
            rp_kernel_destroy(kernel);
        }
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++) {
        overlapping_buffers_are_read_and_written_in_order(isa);
        memory_barriers_order_lanes(isa);
    }
    watched_words_stay_apart();
    return 0;
}

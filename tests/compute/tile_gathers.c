/* SPDX-License-Identifier: MIT */
/* Gathers that became operations of one loop with the arithmetic around them, against C: places
 * inside, outside, at the limits, and negative; buffers of any size; by some invocations alone.
 */
#include "harness.h"

#include "reelpipe/cpu.h"

#define WORDS 1000u
#define LANES 2560u /* at most */
#define RESULTS 12u
#define WRITTEN 9u

static uint32_t a[WORDS], c[RESULTS * LANES], own[16 * LANES], wanted_own[16 * LANES];
static int32_t places[2 * LANES];
static uint64_t seed = 7;

/* What the reference reads: as many bytes of memory as the buffer has. */
static const uint8_t *memory;
static uint32_t size_B;

static uint32_t gathers_written;
static bool is_fast;

#ifdef RP_HAS_MACHINE_CODE
#define HAS_CODE true

/* These stand in front of the machine's own. */
void __real_machine_tile_write_gather(const void *step, const void *o);
void __wrap_machine_tile_write_gather(const void *step, const void *o);
bool __wrap_machine_gathers_are_fast(void);

void
__wrap_machine_tile_write_gather(const void *step, const void *o)
{
    gathers_written++;
    __real_machine_tile_write_gather(step, o);
}

bool
__wrap_machine_gathers_are_fast(void)
{
    return is_fast;
}
#else
#define HAS_CODE false
#endif

static uint32_t
mix(uint32_t x, uint32_t y)
{
    return (x ^ x >> 15) * 0x2c1b3c6du + y;
}

static uint32_t
word(uint32_t at)
{
    uint32_t value = 0;
    at *= 4;
    if ((uint64_t)at + 4 <= size_B)
        memcpy(&value, memory + at, 4);
    return value;
}

static uint32_t
near(int32_t place, uint32_t *r)
{
    const uint32_t at = (uint32_t)place;
    const uint32_t first = word(mix(at, 1) >> 22), second = word((mix(first, 2) >> 22) + 1);
    const uint32_t third = word(at + 2), fourth = word(at - 3);
    const uint32_t least = first < second ? third ^ 5 : second + fourth;
    r[0] = third;
    r[1] = fourth;
    return r[2] = mix(least, first) ^ mix(word((mix(least, third) >> 23) + 40), second);
}

static uint32_t
rounds(uint32_t h, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) {
        h = mix(h, k) ^ word(mix(h, 3 * k) >> 22);
        if ((h & 3) == 1)
            h += mix(word(mix(h, 7) >> 23), word((mix(h, k) >> 24) + 3));
    }
    return h;
}

/* A whole workgroup's. */
static void
shared_words(uint32_t *h, uint32_t first_lane, uint32_t size)
{
    static uint32_t words[LANES], next[LANES], found[3][LANES];
    for (uint32_t l = 0; l < size; l++)
        words[l] = h[l];
    for (uint32_t l = 0; l < size; l++) {
        found[0][l] = words[mix(h[l], 1) % size];
        found[1][l] = words[mix(found[0][l], h[l]) % size];
    }
    for (uint32_t l = 0; l < size; l++)
        next[l] = mix(found[1][l], first_lane + l);
    for (uint32_t l = 0; l < size; l++)
        found[2][l] = next[mix(found[1][l], 2) % size];
    for (uint32_t l = 0; l < size; l++)
        next[l] += found[2][l] & 1 ? 0 : found[2][l];
    for (uint32_t l = 0; l < size; l++)
        h[l] = mix(found[0][l], found[1][l]) ^ mix(found[2][l], next[mix(found[2][l], 3) % size]);
}

static uint32_t
own_words(uint32_t h, uint32_t *o)
{
    const uint32_t d0 = o[mix(h, 1) & 15];
    o[mix(h, 2) & 15] = d0 + 1;
    const uint32_t d1 = o[mix(d0, h) & 15];
    o[mix(d1, 3) & 15] = mix(d1, d0);
    const uint32_t d2 = o[mix(d1, d0) & 15], d3 = o[mix(d2, 5) & 15];
    o[mix(d3, 2) & 15] += d2;
    return mix(mix(o[mix(d3, 4) & 15], d3), d1);
}

static void
expect(uint32_t first, uint32_t size, uint32_t every, uint32_t (*r)[RESULTS])
{
    static uint32_t h[LANES];
    for (uint32_t l = 0; l < size; l++) {
        const uint32_t i = first + l;
        h[l] = near(places[2 * i], r[l]);
        for (uint32_t k = 3; k < 6; k++)
            r[l][k] = k - 2;
        if (i % every == 0)
            h[l] = near(places[2 * i + 1], r[l] + 3);
        r[l][6] = h[l] = rounds(h[l], h[l] >> 3 & 7);
    }
    shared_words(h, first, size);
    for (uint32_t l = 0; l < size; l++) {
        r[l][7] = r[l][8] = h[l];
        if ((first + l) % every == every / 2)
            r[l][8] = own_words(h[l], wanted_own + 16 * (first + l));
    }
}

/* Of the workgroup's sizes many have a last block that is not full. */
static void
results_are_those_of_c(const struct rp_kernel *kernel, uint32_t size, uint32_t every)
{
    static uint32_t wanted[LANES][RESULTS];
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)(uintptr_t)memory, .size_B = size_B},
        {.ptr = (uint8_t *)places, .size_B = sizeof(places)},
        {.ptr = (uint8_t *)c, .size_B = sizeof(c)},
        {.ptr = (uint8_t *)own, .size_B = sizeof(own)},
    };
    for (uint32_t k = 0; k < 16 * LANES; k++)
        own[k] = wanted_own[k] = (uint32_t)test_random(&seed);
    const struct grid grid = {.x = LANES / size, .y = 1, .thread_count = 1, .push = {every}};
    kernel_run(kernel, buffers, &grid);
    for (uint32_t group = 0; group < LANES / size; group++) {
        expect(group * size, size, every, wanted);
        for (uint32_t l = 0; l < size; l++)
            for (uint32_t k = 0; k < WRITTEN; k++)
                REQUIRE_EQ(c[RESULTS * (group * size + l) + k], wanted[l][k]);
    }
    REQUIRE(memcmp(own, wanted_own, sizeof(own)) == 0);
}

/* Anywhere inside, near the ends and around where offsets wrap; near the ends; in runs; anywhere,
 * nearly all inside. */
static void
choose_places(uint32_t how)
{
    const int32_t last = (int32_t)(size_B / 4);
    for (uint32_t k = 0; k < 2 * LANES; k++) {
        const uint32_t r = (uint32_t)(test_random(&seed) >> 20);
        const int32_t ends[] = {0, last, 0x20000000, 0x40000000, -0x40000000, -0x20000000};
        const int32_t inside = (int32_t)(r % WORDS), end = ends[r % 6] + (int32_t)(r >> 8) % 9 - 4;
        places[k] = how == 0   ? (r & 64 ? inside : end)
                    : how == 1 ? ends[r % 2] + (int32_t)(r >> 8) % 9 - 4
                    : how == 2 ? (int32_t)(k / 2 % WORDS)
                               : (r % 50 ? inside : end);
    }
}

static void
memory_of_any_size(const struct rp_kernel *kernel, uint32_t size)
{
    static const uint32_t sizes_B[] = {
        4 * WORDS, 4 * WORDS - 1, 4 * WORDS - 2, 4 * WORDS - 3, 1500, 7, 4, 3, 0};
    for (uint32_t k = 0; k < sizeof(sizes_B) / sizeof(sizes_B[0]); k++) {
        size_B = sizes_B[k];
        choose_places(k % 4);
        results_are_those_of_c(kernel, size, 1 + k * k);
    }
    for (uint32_t how = 0; how < 4; how++) {
        size_B = 4 * WORDS;
        choose_places(how);
        results_are_those_of_c(kernel, size, 1 + how);
    }
}

/* Instructions take offsets from 2^31 on for negative. */
static void
memory_of_two_gigabytes(const struct rp_kernel *kernel, uint32_t size)
{
    uint8_t *const two = calloc(0x80000020u, 1); /* most of it is never touched */
    if (!two)
        return;
    for (uint32_t k = 0; k < 16; k++)
        memcpy(two + 0x7fffffd8u + 4 * k, &a[k], 4);
    memcpy(two, a, sizeof(a));
    memory = two;
    static const uint32_t sizes_B[] = {0x7fffffffu, 0x80000000u, 0x80000003u, 0x80000018u,
                                       0x7ffffffeu};
    for (uint32_t k = 0; k < sizeof(sizes_B) / sizeof(sizes_B[0]); k++) {
        size_B = sizes_B[k];
        choose_places(k % 2);
        results_are_those_of_c(kernel, size, 1 + k);
    }
    memory = (const uint8_t *)a;
    free(two);
}

static void
workgroups_have(uint32_t size, uint32_t isa)
{
    const uint32_t constants[2] = {size, size};
    const VkSpecializationMapEntry entries[2] = {{0, 0, 4}, {1, 4, 4}};
    const VkSpecializationInfo info = {2, entries, sizeof(constants), constants};
    struct rp_kernel *kernel = kernel_load_specialized("tile_gathers", isa_flags[isa], &info);
    const uint32_t before = gathers_written;
    memory_of_any_size(kernel, size);
    if (size == 64)
        memory_of_two_gigabytes(kernel, size);
    const uint32_t flags = isa_flags[isa] & rp_cpu_flags();
    const bool has_code =
        HAS_CODE && (flags & RP_CPU_X86_64_V4 || (flags & RP_CPU_X86_64_V3 && is_fast));
    if (has_code)
        REQUIRE(gathers_written - before >= 20);
    else
        REQUIRE_EQ(gathers_written, before);
    rp_kernel_destroy(kernel);
}

int
main(void)
{
    static const uint32_t sizes[] = {64, 1, 7, 16, 24, 40, 100, 256};
    memory = (const uint8_t *)a;
    for (uint32_t k = 0; k < WORDS; k++)
        a[k] = (uint32_t)(test_random(&seed) >> 20);
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++)
        for (uint32_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
            is_fast = true;
            workgroups_have(sizes[k], isa);
            is_fast = false;
            if (isa == 2)
                workgroups_have(sizes[k], isa);
        }
    return 0;
}

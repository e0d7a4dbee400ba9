/* SPDX-License-Identifier: MIT */
/* What single passes of the compiler do, where other kernels would not show it: mutants of the
 * passes (mutants) are found here. A pass that does not what it is for makes more operations.
 */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

#define LANES 64u
#define WORDS 1024u

enum part {
    SIGNED_COMPARE,
    DEEP_RANGE,
    PRODUCTS,
    SAXPY,
    COPY,
    SMALL_PRODUCT,
    OFFSET,
    LOADS_AND_STORES,
    ODD_STEPS,
    ROUNDED_DOWN,
    WIDE_PRODUCTS,
    UNTIL,
};

static uint32_t a[WORDS], b[WORDS], c[WORDS];

static struct rp_kernel *
part_load(uint32_t part, uint32_t isa)
{
    const VkSpecializationMapEntry entry = {.constantID = 0, .offset = 0, .size = sizeof(part)};
    const VkSpecializationInfo info = {1, &entry, sizeof(part), &part};
    return kernel_load_specialized("passes", isa_flags[isa], &info);
}

static void
part_run(enum part part, uint32_t isa, uint32_t step)
{
    struct rp_kernel *kernel = part_load(part, isa);
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)a, .size_B = sizeof(a)},
        {.ptr = (uint8_t *)b, .size_B = sizeof(b)},
        {.ptr = (uint8_t *)c, .size_B = sizeof(c)},
    };
    for (uint32_t i = 0; i < WORDS; i++) {
        a[i] = i * 2654435761u;
        b[i] = 0;
        c[i] = i * 40503u;
    }
    kernel_run(kernel, buffers, &(struct grid){1, 1, 1, {step}});
    rp_kernel_destroy(kernel);
}

static struct rp_kernel_statistics
part_statistics(enum part part, uint32_t isa)
{
    struct rp_kernel_statistics statistics;
    struct rp_kernel *kernel = part_load(part, isa);
    rp_kernel_statistics(kernel, &statistics);
    rp_kernel_destroy(kernel);
    return statistics;
}

/* Numbers that are negative as signed ones are not compared as unsigned. */
static void
signed_numbers_are_compared_as_such(uint32_t isa)
{
    part_run(SIGNED_COMPARE, isa, 0);
    for (uint32_t i = 0; i < LANES; i++)
        REQUIRE_EQ(b[i], 4);
}

/* A load that waited for three more does not take some from behind a store. */
static void
loads_stay_behind_stores(uint32_t isa)
{
    part_run(LOADS_AND_STORES, isa, 0);
    for (uint32_t i = 0; i < LANES; i++) {
        const uint32_t first = 4 * i * 2654435761u;
        REQUIRE_EQ(b[i], (first + 10) * 3 + (first + 20) * 5 + (first + 30) * 7);
    }
}

/* A multiple of what is uniform may be odd. */
static void
odd_steps_are_rounded_lane_by_lane(uint32_t isa)
{
    for (uint32_t step = 0; step < 16; step++) {
        part_run(ODD_STEPS, isa, step);
        for (uint32_t i = 0; i < LANES; i++)
            REQUIRE_EQ(b[i], ((i * step) & ~1u) * 2654435761u);
        part_run(ROUNDED_DOWN, isa, step);
        for (uint32_t i = 0; i < LANES; i++)
            REQUIRE_EQ(b[i], ((i * 8 + step) & ~3u) * 2654435761u);
    }
}

/* The numbers are those of today: a pass that does without its operation, or that stops to do what
 * it is for, changes them. */
static void
passes_make_few_operations(uint32_t isa)
{
    static const struct {
        enum part part;
        uint32_t op_count;
        uint32_t gather_count;
    } expected[] = {
        {DEEP_RANGE, 31, 0},    /* the second way of each IF is gone */
        {PRODUCTS, 54, 0},      /* one MAC */
        {SAXPY, 12, 0},         /* one MAC of streams */
        {COPY, 7, 0},           /* a COPY_L before the load */
        {OFFSET, 22, 3},        /* each access adds its constant */
        {SMALL_PRODUCT, 13, 0}, /* see below */
        {ROUNDED_DOWN, 10, 0},  /* the place is linear */
        {UNTIL, 26, 0},         /* what the loop is left by is not inverted first */
    };
    for (uint32_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        const struct rp_kernel_statistics s = part_statistics(expected[i].part, isa);
        REQUIRE_EQ(s.op_count, expected[i].op_count);
        REQUIRE_EQ(s.gather_count, expected[i].gather_count);
    }
}

static void
small_numbers_are_multiplied_as_such(uint32_t isa)
{
    static char text[65536];
    struct rp_kernel *kernel = part_load(SMALL_PRODUCT, isa);
    REQUIRE(rp_kernel_print(kernel, text, sizeof(text)) <= sizeof(text));
    REQUIRE(strstr(text, "IMUL16"));
    rp_kernel_destroy(kernel);
}

/* Products with 1 and with 0 are known. */
static void
wide_numbers_are_not_multiplied(uint32_t isa)
{
    static char text[65536];
    struct rp_kernel *kernel = part_load(WIDE_PRODUCTS, isa);
    REQUIRE(rp_kernel_print(kernel, text, sizeof(text)) <= sizeof(text));
    REQUIRE(!strstr(text, "IMUL64"));
    rp_kernel_destroy(kernel);
    part_run(WIDE_PRODUCTS, isa, 0);
    for (uint32_t i = 0; i < LANES; i++) {
        const uint64_t wide = (uint64_t)(i * 2654435761u) << 20 | i * 40503u;
        REQUIRE_EQ(b[i], (uint32_t)(wide >> 24));
    }
}

static void
loops_are_left_where_nothing_holds(uint32_t isa)
{
    part_run(UNTIL, isa, 0);
    for (uint32_t i = 0; i < LANES; i++) {
        float x = (float)(i * 2654435761u & 0xfff) * 0.001f;
        uint32_t rounds = 0;
        for (; rounds < 20 && x < 3.0f; rounds++)
            x = x * 1.125f + 0.125f;
        REQUIRE_EQ(b[i], rounds);
    }
}

static void (*const claims[])(uint32_t isa) = {
    signed_numbers_are_compared_as_such,  loads_stay_behind_stores,
    odd_steps_are_rounded_lane_by_lane,   passes_make_few_operations,
    small_numbers_are_multiplied_as_such, wide_numbers_are_not_multiplied,
    loops_are_left_where_nothing_holds,
};

int
main(void)
{
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++)
        for (uint32_t i = 0; i < sizeof(claims) / sizeof(claims[0]); i++)
            claims[i](isa);
    return 0;
}

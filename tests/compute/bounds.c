/* SPDX-License-Identifier: MIT */
/* With exact bounds no index and no step comes back into the buffer, however large it is. */
#include "harness.h"

#define LANES 640u
#define ROOM 256u /* words in each buffer that is indexed */

static uint32_t a[ROOM], b[ROOM], c[LANES], d[ROOM];

static uint32_t
word(const uint32_t *buffer, uint64_t index)
{
    return index < ROOM ? buffer[index] : 0;
}

static void
check(const uint32_t push[3])
{
    uint32_t want[ROOM] = {0};
    for (uint32_t i = 0; i < LANES; i++) {
        const uint32_t at = push[0] + i * push[1], shuffled = push[0] + (i ^ 5) * push[1];
        REQUIRE_EQ(c[i], word(a, at) + 3 * word(b, (uint64_t)at * 4 + (i & 3)) +
                             5 * word(a, shuffled) + 7 * word(a, push[2]));
        if (at < ROOM)
            want[at] = i & 1 ? i : i + 1;
    }
    REQUIRE(memcmp(d, want, sizeof(d)) == 0);
}

#if HAS_SPIRV_AS
#define WORDS_MAX (INT64_C(1) << 29) /* further from the buffer no pointer goes */

static void
steps_lead_back_only_by_what_they_led_away(uint32_t cpu_flags)
{
    static const int64_t bases[] = {0,
                                    3,
                                    255,
                                    256,
                                    0x3fffffff,
                                    0x40000000,
                                    0x40000003,
                                    INT64_C(0x100000000),
                                    INT64_C(0x4000000000000003),
                                    -1,
                                    -4};
    static const int64_t steps[] = {0,
                                    1,
                                    -1,
                                    252,
                                    -252,
                                    0x1fffffff,
                                    -0x0fffffff,
                                    -0x40000000,
                                    0x40000000,
                                    0x3ffffffd,
                                    -0x7ffffffd,
                                    INT64_C(0x100000000),
                                    INT64_C(-0x100000000),
                                    INT64_C(0x4000000000000001),
                                    INT64_MIN};
    enum { STEPS = sizeof(steps) / 8, PLACES = sizeof(bases) / 8 * STEPS, ROUNDED = 176 };
    static int64_t places[2 * ROUNDED];
    static uint32_t out[4 * ROUNDED];
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)a, .size_B = sizeof(a)},
        {.ptr = (uint8_t *)places, .size_B = sizeof(places)},
        {.ptr = (uint8_t *)out, .size_B = sizeof(out)},
        {.ptr = (uint8_t *)d, .size_B = sizeof(d)},
    };
    uint32_t want[ROOM] = {0};
    for (uint32_t i = 0; i < PLACES; i++) {
        places[2 * i] = bases[i / STEPS];
        places[2 * i + 1] = steps[i % STEPS];
    }
    for (uint32_t i = PLACES; i < ROUNDED; i++)
        places[2 * i] = ROOM;
    struct rp_kernel *kernel = kernel_load_exact("reach", cpu_flags);
    memset(d, 0xff, sizeof(d));
    kernel_run(kernel, buffers, &(struct grid){ROUNDED / 16, 1, 1, {0}});
    rp_kernel_destroy(kernel);

    for (uint32_t i = 0; i < PLACES; i++) {
        const int64_t base = places[2 * i], step = places[2 * i + 1], low = (int32_t)step;
        const bool is_near = base >= 0 && base < WORDS_MAX;
        const uint64_t end = is_near ? (uint64_t)base + (uint64_t)step : ROOM;
        const uint64_t low_end = is_near ? (uint64_t)(base + low) : ROOM;
        REQUIRE_EQ(out[4 * i], word(a, (uint64_t)base));
        REQUIRE_EQ(out[4 * i + 1], word(a, low_end));
        REQUIRE_EQ(out[4 * i + 2], word(a, end));
        if (is_near && low < WORDS_MAX && low > -WORDS_MAX / 4)
            REQUIRE_EQ(out[4 * i + 3], word(a, (uint64_t)base));
        if (end < ROOM)
            want[end] = 1;
    }
    for (uint32_t k = 0; k < ROOM; k++)
        REQUIRE_EQ(d[k] != UINT32_MAX, want[k]);
}
#endif

static void
run(uint32_t cpu_flags, const uint32_t push[3])
{
    const struct grid grid = {LANES / 64, 1, 2, {push[0], push[1], push[2]}};
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)a, .size_B = sizeof(a)},
        {.ptr = (uint8_t *)b, .size_B = sizeof(b)},
        {.ptr = (uint8_t *)c, .size_B = sizeof(c)},
        {.ptr = (uint8_t *)d, .size_B = sizeof(d)},
    };
    struct rp_kernel *kernel = kernel_load_exact("bounds", cpu_flags);

    memset(c, 0xff, sizeof(c));
    memset(d, 0, sizeof(d));
    kernel_run(kernel, buffers, &grid);
    check(push);
    rp_kernel_destroy(kernel);
}

int
main(void)
{
    static const uint32_t places[][3] = {
        {0, 1, 3},                     /* first part inside */
        {0u - 20, 1, 0x40000003},      /* from before the beginning */
        {0x40000000, 1, 0xc0000003},   /* four bytes an element come round */
        {0x10000000, 1, 0x80000000},   /* sixteen bytes do */
        {0x3fffff80, 1, 255},          /* within the lanes */
        {0, 0x40000001, 256},          /* now and then inside */
        {600, 0xffffffff, 0xffffffff}, /* backwards into it */
        {0x20000000, 0x08000001, 0x3fffffff},
    };
    for (uint32_t k = 0; k < ROOM; k++) {
        a[k] = 1000 + k;
        b[k] = 2000 + 3 * k;
    }
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++) {
        for (uint32_t p = 0; p < sizeof(places) / sizeof(places[0]); p++)
            run(isa_flags[isa], places[p]);
#if HAS_SPIRV_AS
        steps_lead_back_only_by_what_they_led_away(isa_flags[isa]);
#endif
    }
    return 0;
}

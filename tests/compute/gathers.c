/* SPDX-License-Identifier: MIT */
/* Loads of words, and of constants, that follow each other at places of the invocations' own: one
 * operation does the work of up to four. Some places are outside, some of them by a part of the
 * words. */
#include "harness.h"

#define LANES 256u
#define WORDS 1000u
#define RESULTS 15u

static uint32_t a[WORDS], c[RESULTS * LANES];
static int32_t places[LANES + 1];
static uint32_t count; /* of a, for the kernel */

static uint32_t
word(int32_t at)
{
    return at >= 0 && at < (int32_t)count ? a[at] : 0;
}

static void
expect(uint32_t i, uint32_t *r)
{
    const int32_t at = places[i], two = 3 * places[i + 1], four = 5 * at + 2;
    const uint32_t ten = (uint32_t)at % 5 * 10, which = (uint32_t)at % 3;
    const uint32_t wanted[RESULTS] = {
        word(at + 1),
        word(at),
        word(two),
        word(two + 1),
        word(two + 2),
        word(four + 1),
        word(four),
        word(four + 2),
        word(four + 3),
        word(7 * at - 1),
        word(7 * at),
        word(9 * at),
        (ten + 1) * 10000 + (ten + 2) * 100 + ten + 3,
        which == 1 ? 8 : 7,
        which == 1 ? 2 : 1000000000u * (which + 1),
    };
    memcpy(r, wanted, sizeof(wanted));
}

static void
words_are_those_of_each_place(const struct rp_kernel *kernel, uint32_t every)
{
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)a, .size_B = count * sizeof(a[0])},
        {.ptr = (uint8_t *)places, .size_B = sizeof(places)},
        {.ptr = (uint8_t *)c, .size_B = sizeof(c)},
    };
    kernel_run(kernel, buffers, &(struct grid){LANES / 64, 1, 1, {every}});
    for (uint32_t i = 0; i < LANES; i++) {
        uint32_t wanted[RESULTS] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
        if (i % 64 % every == 0)
            expect(i, wanted);
        for (uint32_t r = 0; r < RESULTS; r++)
            REQUIRE_EQ(c[RESULTS * i + r], wanted[r]);
    }
}

/* Where all places are inside, in a run, in a few lanes outside; near the beginning, but for a few
 * lanes. */
static void
choose_places(uint32_t how)
{
    for (uint32_t i = 0; i <= LANES; i++) {
        places[i] = how == 1 ? (int32_t)(i / 4) : (int32_t)(i * 2654435761u >> 7) % 100 + 1;
        if (how == 2 && i % 9 == 4)
            places[i] = (int32_t)(i * 2654435761u >> 5) % 500 - 20;
        if (how == 2 && i % 17 == 3)
            places[i] = i % 2 ? 0 : 199;
        if (how >= 3)
            places[i] = (int32_t)(i * 2654435761u >> 7) % 6 + 1;
        if (how == 4 && i % 50 == 37)
            places[i] = (int32_t)(i % 30) - 3;
    }
}

static void
loads_are_joined(const struct rp_kernel *kernel)
{
    static char text[65536];
    REQUIRE(rp_kernel_print(kernel, text, sizeof(text)) <= sizeof(text));
    REQUIRE_EQ(text_count(text, "LOAD32.2"), 1);
    REQUIRE_EQ(text_count(text, "LOAD32.3"), 2); /* one of them of constants */
    REQUIRE_EQ(text_count(text, "LOAD32.4"), 1);
}

/* What others look at meanwhile is read and written word by word, as the program says. */
static void
watched_words_are_not_joined(void)
{
    static char text[65536];
    struct rp_kernel *kernel = kernel_load("watched", isa_flags[0]);
    REQUIRE(rp_kernel_print(kernel, text, sizeof(text)) <= sizeof(text));
    REQUIRE_EQ(text_count(text, "LOAD32.1"), 7);
    REQUIRE_EQ(text_count(text, "LOAD32."), 7);
    REQUIRE_EQ(text_count(text, "STORE32.1"), 5);
    REQUIRE_EQ(text_count(text, "STORE32."), 5);
    rp_kernel_destroy(kernel);
}

int
main(void)
{
    for (uint32_t i = 0; i < WORDS; i++)
        a[i] = i * 2246822519u + 7;
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++) {
        struct rp_kernel *kernel = kernel_load("gathers", isa_flags[isa]);
        for (uint32_t how = 0; how < 5 * 3; how++) {
            static const uint32_t counts[] = {WORDS, 61, 30};
            count = counts[how / 5];
            choose_places(how % 5);
            for (uint32_t every = 1; every <= 64; every *= 4)
                words_are_those_of_each_place(kernel, every);
        }
        loads_are_joined(kernel);
        rp_kernel_destroy(kernel);
    }
    watched_words_are_not_joined();
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* Atomic operations on words, against invocations that take turns: on one word for all, on words
 * that differ, outside the buffer, by all invocations and by some.
 */
#include "harness.h"

#define LANES 640u
#define WORDS 160u

static uint32_t word[LANES], b[WORDS], c[LANES], wanted_b[WORDS], wanted_c[LANES];

static uint32_t
operate(uint32_t op, uint32_t *at, uint32_t i)
{
    const uint32_t old = *at, v = i * 2654435761u >> 11, high = v << 11;
    switch (op) {
    case 0:
    case 8:
        *at = old + v;
        break;
    case 1:
        *at = v < old ? v : old;
        break;
    case 2:
    case 9:
        *at = v > old ? v : old;
        break;
    case 3:
        *at = old & (v | 0xff00ff);
        break;
    case 4:
        *at = old | (v & 0xff00ff);
        break;
    case 5:
        *at = old ^ v;
        break;
    case 6:
        *at = v;
        break;
    case 7:
        *at = old == (i % 2 == 0 ? 77 : v - 1) ? v : old;
        break;
    case 10:
        *at = (int32_t)high < (int32_t)old ? high : old;
        break;
    default:
        *at = (int32_t)high > (int32_t)old ? high : old;
    }
    return op == 8 || op == 9 ? 0x5555 : old;
}

static void
expect(const uint32_t push[3], uint32_t word_count)
{
    const uint32_t op = push[0];
    for (uint32_t i = 0; i < WORDS; i++)
        wanted_b[i] = 77;
    for (uint32_t i = 0; i < LANES; i++) {
        const uint32_t group = push[2] == 1 ? 16 * (i / 64) : 0;
        const uint32_t at = push[2] == 2 ? 3 : word[i];
        const bool is_inside = at < word_count;
        wanted_c[i] = 0x5555;
        if (i % push[1] == 1)
            continue;
        if (is_inside)
            wanted_c[i] = operate(op, &wanted_b[group + at], i);
        else
            wanted_c[i] = op == 8 || op == 9 ? 0x5555 : 0;
    }
}

static void
invocations_take_turns(const struct rp_kernel *kernel, const uint32_t push[3])
{
    const uint32_t count = push[2] == 1 ? WORDS : 16;
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        [0] = {.ptr = (uint8_t *)word, .size_B = sizeof(word)},
        [1] = {.ptr = (uint8_t *)b, .size_B = 4 * count},
        [2] = {.ptr = (uint8_t *)c, .size_B = sizeof(c)},
        [3] = {.ptr = (uint8_t *)b, .size_B = 4 * count},
    };
    for (uint32_t i = 0; i < WORDS; i++)
        b[i] = 77;
    expect(push, 16);
    kernel_run(kernel, buffers, &(struct grid){LANES / 64, 1, 1, {push[0], push[1], push[2]}});
    REQUIRE_BYTES(c, wanted_c, sizeof(c));
    REQUIRE_BYTES(b, wanted_b, sizeof(b));
}

/* Words by pattern: one for all; one in each block of 16; some; some of which are outside. */
static void
words_fill(uint32_t pattern)
{
    for (uint32_t i = 0; i < LANES; i++)
        word[i] = pattern == 0   ? 5
                  : pattern == 1 ? i / 16 % 16
                  : pattern == 2 ? i * 7 % 16
                                 : i % 19;
    if (pattern == 4)
        for (uint32_t i = 0; i < LANES; i++)
            word[i] = 5000;
}

static void
every_pattern(const struct rp_kernel *kernel, uint32_t op)
{
    for (uint32_t pattern = 0; pattern < 5; pattern++)
        for (uint32_t place = 0; place < (op < 10 ? 3u : 1u); place++) {
            words_fill(place == 1 && pattern > 2 ? pattern % 3 : pattern);
            invocations_take_turns(kernel, (uint32_t[]){op, 3, place});
            invocations_take_turns(kernel, (uint32_t[]){op, 4096, place});
        }
}

int
main(void)
{
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++) {
        struct rp_kernel *kernel = kernel_load("atomic_turns", isa_flags[isa]);
        for (uint32_t op = 0; op < 12; op++)
            every_pattern(kernel, op);
        rp_kernel_destroy(kernel);
    }
    return 0;
}

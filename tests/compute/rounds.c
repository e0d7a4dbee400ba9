/* SPDX-License-Identifier: MIT */
/* Loops whose values move on from one variable to the next are written out as often as those are
 * long, and what is left of moving is nothing; functions of single bits are one operation.
 */
#include "harness.h"

#include <string.h>

#define LANES 64u
#define WORDS (3 * LANES)
#define COUNT 13u

static uint32_t a[WORDS], b[LANES];

static uint32_t
turned(uint32_t v, uint32_t by)
{
    return v << by | v >> (32 - by);
}

static uint32_t
mixed(const uint32_t h[5], uint32_t i)
{
    return turned(h[0], 7) ^ (h[1] + h[4] * 3) ^ i;
}

static void
shift(uint32_t h[5], uint32_t next)
{
    memmove(h + 1, h, 4 * sizeof(h[0]));
    h[0] = next;
}

/* The loops of kernels/rounds.comp; returns how often they went round. */
static uint32_t
go_round(uint32_t part, uint32_t h[5])
{
    static const uint32_t rounds[] = {300, 311, 320, 320, COUNT, 300, 277};
    for (uint32_t i = 0; i < rounds[part]; i++) {
        uint32_t next = mixed(h, i);
        if (part == 2 && (next & 1) && (next & 0x7c) == 0x7c)
            return i;
        if (part == 2 && (next & 1))
            h[2]++;
        if (part == 3 && (next & 0x1f) == 0x1f)
            return i;
        for (uint32_t j = 0; part == 5 && j < COUNT; j++)
            if ((next = next * 5 + j) % 16 == 0)
                break;
        shift(h, next);
    }
    return rounds[part];
}

static uint32_t
bits(uint32_t part, uint32_t x, uint32_t y, uint32_t z)
{
    switch (part) {
    case 10:
    case 11:
    case 12:
    case 27:
        return (x & y) | (x & z) | (y & z);
    case 13:
    case 14:
    case 15:
        return (x & y) | (~x & z);
    case 16:
        return x ^ y ^ z;
    case 19:
        return x << 9 | x >> 22;
    case 20:
        return x << 9 | y >> 23;
    case 21:
        return turned(x, 9) ^ turned(x, 20) ^ y;
    case 22:
        return y >> 5 ^ z;
    case 23:
        return (x & COUNT) | (~x & z);
    case 24:
        return (x & COUNT) | (z & ~COUNT);
    case 25:
        return x & y & z;
    default:
        return turned(x, 9);
    }
}

static uint32_t
expected(uint32_t part, uint32_t id)
{
    uint32_t h[5] = {a[id], a[id] * 3, id, 17, 5}, i = 0;
    if (part < 10)
        i = go_round(part, h);
    else
        h[0] = bits(part, a[id], a[id + LANES], a[id + 2 * LANES]);
    if (part == 27)
        h[1] = a[id] & a[id + LANES];
    return h[0] + 3 * h[1] + 5 * h[2] + 7 * h[3] + 11 * h[4] + i;
}

static struct rp_kernel *
part_load(uint32_t part, uint32_t isa)
{
    const VkSpecializationMapEntry entry = {.constantID = 0, .offset = 0, .size = sizeof(part)};
    const VkSpecializationInfo info = {1, &entry, sizeof(part), &part};
    return kernel_load_specialized("rounds", isa_flags[isa], &info);
}

static void
results_are_right(uint32_t part, uint32_t isa)
{
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)a, .size_B = sizeof(a)},
        {.ptr = (uint8_t *)b, .size_B = sizeof(b)},
    };
    struct rp_kernel *kernel = part_load(part, isa);
    for (uint32_t i = 0; i < WORDS; i++)
        a[i] = (i + 1) * 2654435761u;
    memset(b, 0, sizeof(b));
    kernel_run(kernel, buffers, &(struct grid){1, 1, 1, {COUNT}});
    for (uint32_t i = 0; i < LANES; i++)
        REQUIRE_EQ(b[i], expected(part, i));
    rp_kernel_destroy(kernel);
}

/* How many operations of that name a part has. */
static void
part_has(uint32_t part, const char *word, uint32_t count)
{
    static char text[262144];
    struct rp_kernel *kernel = part_load(part, 0);
    REQUIRE(rp_kernel_print(kernel, text, sizeof(text)) <= sizeof(text));
    REQUIRE_EQ(text_count(text, word), count);
    rp_kernel_destroy(kernel);
}

/* Each round has one rotation of its own. Five values need eight rounds; in part 2 the third one
 * changes on its way, so that four are enough. */
static void
rounds_are_written_together(void)
{
    static const uint32_t copies[] = {8, 8, 4, 1, 1, 8, 8};
    for (uint32_t part = 0; part < sizeof(copies) / sizeof(copies[0]); part++)
        part_has(part, "ROT", copies[part]);
}

static void
bits_are_one_operation(void)
{
    static const struct {
        uint32_t part;
        const char *word;
        uint32_t count;
    } expect[] = {
        {10, "MAJORITY", 1}, {11, "MAJORITY", 1}, {12, "MAJORITY", 1}, {13, "BITSEL", 1},
        {14, "BITSEL", 1},   {15, "BITSEL", 1},   {16, "XOR3", 1},     {17, "ROTL", 1},
        {18, "ROTL", 1},     {19, "ROTL", 0},     {20, "ROTL", 0},     {21, "ROTXOR", 1},
        {22, "SHRXOR", 1},   {22, "ROTL", 0},     {23, "BITSEL", 1},   {24, "BITSEL", 0},
        {25, "AND", 2},      {26, "ROTL", 1},     {27, "MAJORITY", 1}, {10, "AND", 0},
        {27, "AND", 1},      {13, "NOT", 0},      {21, "ROTL", 1},
    };
    for (uint32_t i = 0; i < sizeof(expect) / sizeof(expect[0]); i++)
        part_has(expect[i].part, expect[i].word, expect[i].count);
}

int
main(void)
{
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++)
        for (uint32_t part = 0; part < 28; part += part == 6 ? 4 : 1)
            results_are_right(part, isa);
    rounds_are_written_together();
    bits_are_one_operation();
    return 0;
}

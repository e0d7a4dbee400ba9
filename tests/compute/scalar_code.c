/* SPDX-License-Identifier: MIT */
/* What the compiler does with scalars, their places in memory and short branches: the results, and
 * that it does it.
 */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

#define LANES 512u
#define WORDS 1024u
#define STEPS 9u

enum part {
    SHORT_BRANCHES,
    NARROW_WORDS,
    SCALAR_PLACES,
    CUT_NUMBERS,
    TWO_WAYS,
    RETURNS,
    PART_COUNT,
};

static uint32_t a[WORDS], b[LANES], c[WORDS], c_wanted[WORDS];

static void
fill(void)
{
    for (uint32_t i = 0; i < WORDS; i++) {
        a[i] = i * 2654435761u;
        c[i] = c_wanted[i] = i * 40503u;
    }
}

static uint32_t
judge_short_branches(uint32_t id)
{
    uint32_t x = a[id], y = c_wanted[id];
    y += x & 1 ? 3 : 0;
    if (y & 2)
        x ^= y;
    else
        y -= x;
    x += x < y ? 5 : 0;
    return x ^ y * 3;
}

static uint32_t
judge_narrow_words(uint32_t id, uint32_t step)
{
    int16_t half_word = (int16_t)step;
    uint16_t other_half = 7;
    uint8_t byte_word = (uint8_t)step;
    for (uint32_t n = 0; n < 20; n++) {
        const uint32_t before = other_half;
        other_half = (uint16_t)(before * 40503u + n);
        half_word = (int16_t)(half_word * 3 - (int32_t)before);
        if (before & 4)
            byte_word = (uint8_t)(byte_word * 5u + n + 200);
    }
    return other_half + (uint32_t)(int32_t)half_word * 3 + byte_word * 7u + id;
}

static uint32_t
word_at(uint32_t index)
{
    return index < WORDS ? a[index] : 0;
}

static uint32_t
judge_scalar_places(uint32_t step)
{
    const uint8_t *bytes = (const uint8_t *)a;
    uint32_t sum = step;
    for (uint32_t n = 0; n < 16; n++) {
        const uint32_t at = (sum & 255) * 2 + step * 5;
        sum = sum * 3 + word_at(at + 1) + bytes[sum & 1023] + word_at((sum >> 16) * 4096 + step) +
              bytes[(sum & 63) * 8 + step] + bytes[step * 3 + (sum & 15) * 16];
        c_wanted[(sum & 63) + step] = sum;
    }
    return sum;
}

static uint32_t
judge_cut_numbers(uint32_t id)
{
    return (uint8_t)(a[id] - c_wanted[id]) + (uint32_t)(int8_t)(a[id] >> 3) + (uint8_t)(a[id] * 3) +
           (uint16_t)(int8_t)(a[id] * 5) + (a[id] >> 31 ? 1000 : 0);
}

static uint32_t
judge_two_ways(uint32_t step)
{
    uint32_t low = step, count = 0, range = 0xff00;
    for (uint32_t n = 0; n < 30; n++) {
        uint32_t place = count, code = low;
        if (low & 3) {
            code = low * 5 + n;
            place = count + 8;
            low = code >> 1;
        } else {
            low = code + range;
            if (n > 10)
                place = count * 3;
        }
        range = range * 7 ^ place;
        count = place + (code & 1);
    }
    return low ^ count * 3 ^ range;
}

/* What a function gives that returns in each branch of its last IF, and one inside of that. */
static uint32_t
judge_length(uint32_t code, uint32_t order)
{
    const uint32_t limit = 4u << (order & 3);
    if (code >= limit) {
        const uint32_t rest = code - limit / 2;
        if (rest & 1)
            return rest * 2 + order;
        return order ? rest / order : rest;
    }
    return (code >> (order & 3)) + order + 1;
}

static uint32_t
judge_returns(uint32_t id, uint32_t step)
{
    return judge_length(a[id] >> 24, c_wanted[id] & 7) + 3 * judge_length(id & 63, step) +
           5 * judge_length(step * 7, 2);
}

static uint32_t
judge(enum part part, uint32_t id, uint32_t step, uint32_t places)
{
    switch (part) {
    case SCALAR_PLACES:
        return places;
    case SHORT_BRANCHES:
        return judge_short_branches(id);
    case NARROW_WORDS:
        return judge_narrow_words(id, step);
    case CUT_NUMBERS:
        return judge_cut_numbers(id);
    case RETURNS:
        return judge_returns(id, step);
    default:
        return judge_two_ways(step);
    }
}

static struct rp_kernel *
part_load(uint32_t part, uint32_t isa)
{
    const VkSpecializationMapEntry entry = {.constantID = 0, .offset = 0, .size = sizeof(part)};
    const VkSpecializationInfo info = {1, &entry, sizeof(part), &part};
    return kernel_load_specialized("scalar_code", isa_flags[isa], &info);
}

static void
check_results(struct rp_kernel *kernel, enum part part, uint32_t step)
{
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)a, .size_B = sizeof(a)},
        {.ptr = (uint8_t *)b, .size_B = sizeof(b)},
        {.ptr = (uint8_t *)c, .size_B = sizeof(c)},
    };
    fill();
    kernel_run(kernel, buffers, &(struct grid){1, 1, 1, {step}});
    const uint32_t places = part == SCALAR_PLACES ? judge_scalar_places(step) : 0;
    for (uint32_t id = 0; id < LANES; id++)
        REQUIRE_EQ(b[id], judge(part, id, step, places));
    REQUIRE(memcmp(c, c_wanted, sizeof(c)) == 0);
}

/* What is in the text of a part, and what is not; NULL: nothing. */
struct trace {
    const char *wanted;
    const char *unwanted;
};

static const struct trace traces[PART_COUNT] = {
    [SHORT_BRANCHES] = {"SEL", "IF"}, /* each of them, not the first alone */
    [NARROW_WORDS] = {"ZEXT16", "LOAD16"},
    [SCALAR_PLACES] = {"<<2", NULL}, /* the access shifts */
    [CUT_NUMBERS] = {"AND", "SEXT16"},
    [TWO_WAYS] = {"IMAD", "SEL"}, /* ways of scalars stay ways */
    [RETURNS] = {"IF", "BLOCK"},
};

static void
check_text(const struct rp_kernel *kernel, enum part part)
{
    struct rp_kernel_statistics statistics;
    rp_kernel_statistics(kernel, &statistics);
    if (part == TWO_WAYS) /* of today: a move more on either way is one too many */
        REQUIRE_EQ(statistics.op_count, 332);
    static char text[65536];
    const struct trace *trace = &traces[part];
    REQUIRE(rp_kernel_print(kernel, text, sizeof(text)) <= sizeof(text));
    REQUIRE(!trace->wanted || strstr(text, trace->wanted));
    REQUIRE(!trace->unwanted || !strstr(text, trace->unwanted));
}

int
main(void)
{
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++)
        for (uint32_t part = 0; part < PART_COUNT; part++) {
            struct rp_kernel *kernel = part_load(part, isa);
            check_text(kernel, part);
            for (uint32_t step = 0; step < STEPS; step++)
                check_results(kernel, part, step);
            rp_kernel_destroy(kernel);
        }
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* Code of which the shape after the compiler's passes is known: what stands there, how often, and
 * in how many operations, beside the results. A pass that does too much or too little is found
 * here, where results are the same either way.
 */
#include "compute/exec/count.h"
#include "compute/exec/op.h"
#include "compute/exec/op_list.h"
#include "compute/kernel.h"
#include "harness.h"

#include <math.h>
#include <string.h>

#define LANES 64u
#define WORDS 780u
#define STEPS 12u

enum part {
    CONDITIONS,
    DEAR_BRANCHES,
    ONE_CHOICE,
    TWO_CHOICES,
    BITS_OF_THREE,
    TABLE_WORDS,
    SHORT_ROWS,
    LONG_ROWS,
    NEIGHBOURS,
    WORDS_IN_STEPS,
    SCALED,
    ADDRESSES,
    CONTINUED,
    PART_COUNT,
};

static uint32_t a[WORDS], b[LANES], c[WORDS];

static uint32_t
judge_continued(uint32_t id, uint32_t step)
{
    uint32_t x = a[id], y = id, z = 7;
    for (uint32_t n = 0; n < 60; n++) {
        x = x * 5 + n;
        if ((x & 96) == 0)
            continue;
        y = y * 3 + x % (n + step + 1);
        if ((y & 24) == 8)
            continue;
        z = z * 7 + y % (x | 1);
    }
    return x ^ y * 3 ^ z * 5;
}

static uint32_t
judge_conditions(uint32_t step)
{
    uint32_t x = step, y = step * 7 + 3, z = step ^ 5, count = 0;
    for (uint32_t n = 0; n < 100; n++) {
        const bool is_less = x < y;
        z = z * 5 + n;
        if (is_less) {
            x = x * 3 + z;
            count += 2;
        } else {
            y += z >> 3;
            x >>= 1;
        }
        const bool is_equal = (x & 7) == (z & 7), is_odd = z & 1;
        y ^= count;
        if (is_equal)
            count += y & 3;
        if (is_odd)
            count = count * 3 + 1;
    }
    return x ^ y * 3 ^ z * 5 ^ count * 7;
}

static uint32_t
judge_dear_branches(uint32_t x, uint32_t y)
{
    const float f = (float)(x >> 8);
    uint32_t sum = 0;
    int exponent;
    if (x & 1)
        sum += (uint32_t)sqrtf(f);
    if (x & 2) {
        (void)frexpf(f, &exponent);
        sum += (uint32_t)exponent;
    }
    if (x & 4)
        sum += y / (x | 1);
    if (x & 8)
        sum += (y >> 1) % (x >> 2 | 1);
    if (x & 16)
        sum += (y & 255) << (x >> 30);
    return sum;
}

static uint32_t
judge_bits_of_three(uint32_t u, uint32_t x, uint32_t y)
{
    uint32_t r = (u & x) | (~u & y);
    r = r * 3 + (u ^ x ^ y);
    r = r * 5 + ((u & x) ^ (u & y) ^ (x & y));
    r = r * 7 + ((x & u) | (~x & y));
    r = r * 9 + ((x & y) | (~x & u));
    return r * 11 + (y ^ (x & (u ^ y)));
}

static uint32_t
judge_table_words(uint32_t id, uint32_t step)
{
    static const uint32_t factors[6] = {3, 5, 7, 9, 11, 13};
    uint32_t sum = factors[step % 6] + 17 * (step % 3 + 1);
    for (uint32_t i = 0; i < 6; i++)
        sum += factors[i] * a[id + i];
    return sum ^ 17 * 6;
}

static uint32_t
judge_rows(uint32_t first, uint32_t step)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < step; i++)
        sum = sum * 31 + a[first + i];
    return sum;
}

static uint32_t
judge_neighbours(uint32_t id, uint32_t step)
{
    uint32_t row[8] = {3, 3, 3, 3, 3, 3, 3, 3}, front = step, back = 7;
    for (uint32_t n = 0; n < 70; n++) {
        row[back & 7] += front;
        front = front * 5 + n;
        back = back * 3 ^ front;
    }
    return front + back * 3 + row[id & 7];
}

static uint32_t
judge_addresses(uint32_t id, uint32_t step)
{
    uint32_t front = step;
    for (uint32_t n = 0; n < 70; n++)
        front = front * 5 + c[front & 63];
    return front + id;
}

static uint32_t
judge(enum part part, uint32_t id, uint32_t step)
{
    const uint32_t x = a[id], y = c[id];
    switch (part) {
    case CONDITIONS:
        return judge_conditions(step);
    case DEAR_BRANCHES:
        return judge_dear_branches(x, y);
    case ONE_CHOICE:
        return (step & 2 ? x : y) * 3;
    case TWO_CHOICES:
        return step & 2 ? x * 3 ^ x * 5 : y * 3 ^ id;
    case BITS_OF_THREE:
        return judge_bits_of_three(step * 0x9e3779b9, x, y);
    case SHORT_ROWS:
        return judge_rows(3 * id, step);
    case LONG_ROWS:
        return judge_rows(4 * id, step);
    case CONTINUED:
        return judge_continued(id, step);
    case ADDRESSES:
        return judge_addresses(id, step);
    case SCALED:
        return step * x + y;
    case WORDS_IN_STEPS:
        return a[id * step] + a[id * step + 1] * 3 + a[id * step + 2] * 5 + a[id * step + 3] * 7;
    case NEIGHBOURS:
        return judge_neighbours(id, step);
    default:
        return judge_table_words(id, step);
    }
}

/* Operations, and words of the text with how often each is there. */
static const struct {
    uint32_t op_count;
    struct {
        const char *text;
        uint32_t count;
    } words[4];
} shapes[PART_COUNT] = {
    [CONDITIONS] = {38, {{"ENDIF", 4}}},
    [DEAR_BRANCHES] = {64, {{"ENDIF", 4}}},
    [ONE_CHOICE] = {16, {{"SEL", 1}, {"ENDIF", 0}}},
    [TWO_CHOICES] = {22, {{"SEL", 0}, {"ENDIF", 1}}},
    [BITS_OF_THREE] = {25, {{"XOR3", 1}, {"MAJORITY", 1}, {"BITSEL", 2}}},
    [TABLE_WORDS] = {41, {{"LOAD32", 8}, {"LOAD64", 1}}},
    [SHORT_ROWS] = {15, {{"LOAD32", 2}}},
    [LONG_ROWS] = {15, {{"LOAD32", 2}}},
    [ADDRESSES] = {24, {{"LOAD32", 3}, {"STORE32", 2}}},
    [CONTINUED] = {50, {{"ENDBLOCK", 1}, {"SEL", 3}, {"ENDIF", 3}}},
    [SCALED] = {10, {{"SPLAT", 0}, {"IMAD", 1}}},
    [WORDS_IN_STEPS] = {13, {{"LOAD32.4", 1}}},
    [NEIGHBOURS] = {40, {{"LOAD32", 5}, {"STORE32", 5}}},
};

static bool
is_tiled(uint32_t code)
{
    const char *name = rp_exec_op_name(code);
    return name && strncmp(name, "TILE_", 5) == 0 && code != RP_X_TILE_END;
}

static void
check_shape(struct rp_kernel *kernel, enum part part)
{
    static char text[65536];
    struct rp_kernel_statistics statistics;
    rp_kernel_statistics(kernel, &statistics);
    REQUIRE(rp_kernel_print(kernel, text, sizeof(text)) <= sizeof(text));
    for (uint32_t w = 0; w < 4 && shapes[part].words[w].text; w++) {
        uint32_t count = 0;
        for (const char *p = text; (p = strstr(p, shapes[part].words[w].text)); p++)
            count++;
        REQUIRE_EQ(count, shapes[part].words[w].count);
    }
    REQUIRE_EQ(statistics.op_count, shapes[part].op_count);
    const struct rp_program *program = kernel->rows ? kernel->rows : kernel->groups;
    uint32_t walk_count = 0, store_count = 0;
    for (uint32_t i = 0; i < program->op_count; i++) {
        walk_count += program->codes[i] == RP_X_LOAD32_WALK;
        store_count += is_tiled(program->codes[i]) && (program->ops[i].n & RP_TILE_STORES);
    }
    REQUIRE_EQ(walk_count, part == LONG_ROWS);
    REQUIRE(part != BITS_OF_THREE || store_count == 7); /* the others' results stay in T */
}

static void
check_results(struct rp_kernel *kernel, enum part part, uint32_t step)
{
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)a, .size_B = sizeof(a)},
        {.ptr = (uint8_t *)b, .size_B = sizeof(b)},
        {.ptr = (uint8_t *)c, .size_B = sizeof(c)},
    };
    struct grid grid = {1, 1, 1, {step}};
    const uint64_t words = (uintptr_t)c;
    memcpy(&grid.push[2], &words, sizeof(words));
    kernel_run(kernel, buffers, &grid);
    for (uint32_t id = 0; id < LANES; id++)
        REQUIRE_EQ(b[id], judge(part, id, step));
}

int
main(void)
{
    for (uint32_t i = 0; i < WORDS; i++) {
        a[i] = (i + 1) * 2654435761u;
        c[i] = (i + 3) * 40503u;
    }
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++)
        for (uint32_t part = 0; part < PART_COUNT; part++) {
            const VkSpecializationMapEntry entry = {0, 0, sizeof(part)};
            const VkSpecializationInfo info = {1, &entry, sizeof(part), &part};
            struct rp_kernel *kernel =
                kernel_load_specialized("code_shapes", isa_flags[isa], &info);
            check_shape(kernel, part);
            for (uint32_t step = 0; step < STEPS; step++)
                check_results(kernel, part, step);
            rp_kernel_destroy(kernel);
        }
    return 0;
}

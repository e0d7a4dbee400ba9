/* SPDX-License-Identifier: MIT */
/* Subgroup operations against C, in subgroups of each size, whole and partial ones, with all lanes
 * active and with some, on each instruction set.
 */
#include "harness.h"

#define INVOCATIONS 960u
#define MAX_LANES RP_MAX_SUBGROUP_SIZE
#define UNTOUCHED 0x5a5a5a5au
#define ARITHMETIC_FAMILIES 5u
#define ARITHMETIC_COUNT 34u
#define BIT_COUNT 27u

static uint32_t in[INVOCATIONS];
static uint32_t out[INVOCATIONS];

/* One subgroup as C sees it: values of all types fit into 64 bits. */
struct group {
    uint32_t family;
    uint32_t size;  /* of subgroups */
    uint32_t index; /* in its workgroup, which has so many */
    uint32_t index_count;
    uint64_t mask; /* lanes that are there and active */
    int64_t v[MAX_LANES];
};

static bool
is_active(const struct group *g, uint32_t lane)
{
    return lane < g->size && g->mask >> lane & 1;
}

static int64_t
narrow(uint32_t family, int64_t x)
{
    switch (family) {
    case 0:
        return (uint32_t)x;
    case 1:
        return (int32_t)x;
    case 4:
        return (int16_t)x;
    default:
        return x;
    }
}

static uint32_t
word(uint32_t family, int64_t x)
{
    return family == 3 ? (uint32_t)x ^ (uint32_t)(x >> 32) : (uint32_t)x;
}

enum step { ADD, MIN, MAX, MUL, AND, OR, XOR };

static int64_t
combine(uint32_t family, enum step step, int64_t a, int64_t b)
{
    switch (step) {
    case ADD:
        return narrow(family, (int64_t)((uint64_t)a + (uint64_t)b));
    case MIN:
        return a < b ? a : b;
    case MAX:
        return a > b ? a : b;
    case MUL:
        return narrow(family, (int64_t)((uint64_t)a * (uint64_t)b));
    case AND:
        return a & b;
    case OR:
        return a | b;
    default:
        return a ^ b;
    }
}

/* Of the active lanes in [first, last). */
static int64_t
fold(const struct group *g, enum step step, uint32_t first, uint32_t last)
{
    int64_t sum = 0;
    bool has_any = false;
    for (uint32_t i = first; i < last; i++) {
        if (!is_active(g, i))
            continue;
        sum = has_any ? combine(g->family, step, sum, g->v[i]) : g->v[i];
        has_any = true;
    }
    return sum;
}

static int64_t
cluster(const struct group *g, enum step step, uint32_t lane, uint32_t size)
{
    return fold(g, step, lane / size * size, lane / size * size + size);
}

static uint32_t
first_active(const struct group *g)
{
    return (uint32_t)__builtin_ctzll(g->mask);
}

static bool
is_all_equal(const struct group *g)
{
    for (uint32_t i = 0; i < g->size; i++)
        if (is_active(g, i) && g->v[i] != g->v[first_active(g)])
            return false;
    return true;
}

static uint32_t
rotated(uint32_t lane, uint32_t by, uint32_t size)
{
    return lane / size * size + (lane + by) % size;
}

/* The lane that a shuffle reads; UINT32_MAX for what is not one. */
static uint32_t
source_lane(const struct group *g, uint32_t operation, uint32_t lane)
{
    switch (operation) {
    case 12:
        return lane ^ 3;
    case 14:
        return lane ^ 2;
    case 15:
        return (lane & ~3u) + 2;
    case 16:
        return (lane * 5 + 3) & 15;
    case 18:
        return 4;
    case 25:
        return lane ^ (g->size - 1);
    case 26:
        return lane - 5;
    case 27:
        return lane + 9;
    case 28:
        return rotated(lane, 7, g->size);
    case 29:
        return rotated(lane, 3, 8);
    case 30:
        return rotated(lane, 21, 16);
    case 31:
        return lane ^ 3;
    case 32:
        return (operation * lane * 7 + 1) & (g->size - 1);
    case 33:
        return 13;
    default:
        return UINT32_MAX;
    }
}

static int64_t
reduced(const struct group *g, uint32_t operation, uint32_t lane)
{
    switch (operation) {
    case 0:
        return fold(g, ADD, 0, g->size);
    case 1:
        return fold(g, ADD, 0, lane + 1);
    case 2:
        return fold(g, ADD, 0, lane);
    case 3:
        return fold(g, MIN, 0, g->size);
    case 4:
        return fold(g, MIN, 0, lane + 1);
    case 5:
        return fold(g, MAX, 0, g->size);
    case 6:
        return fold(g, MAX, 0, lane + 1);
    case 7:
        return fold(g, MUL, 0, g->size);
    case 8:
        return cluster(g, ADD, lane, 2);
    case 9:
        return cluster(g, ADD, lane, 4);
    case 10:
        return cluster(g, MAX, lane, 8);
    case 11:
        return cluster(g, MIN, lane, 16);
    case 19:
        return cluster(g, ADD, lane, 16);
    case 20:
        return cluster(g, MAX, lane, 32);
    case 21:
        return cluster(g, ADD, lane, 64);
    case 22:
        return fold(g, MUL, 0, lane);
    case 23:
        return fold(g, MAX, 0, lane);
    default:
        return fold(g, MUL, 0, lane + 1);
    }
}

static uint32_t
expect_arithmetic(const struct group *g, uint32_t operation, uint32_t lane)
{
    const uint32_t source = source_lane(g, operation, lane);
    if (operation == 13)
        return word(g->family, g->v[first_active(g)]);
    if (operation == 17)
        return is_all_equal(g);
    return word(g->family, source == UINT32_MAX ? reduced(g, operation, lane) : g->v[source]);
}

static uint64_t
ballot_of(const struct group *g)
{
    uint64_t ballot = 0;
    for (uint32_t i = 0; i < g->size; i++)
        ballot |= (uint64_t)(is_active(g, i) && (g->v[i] & 1)) << i;
    return ballot;
}

static uint32_t
expect_votes(const struct group *g)
{
    uint32_t all = 1;
    uint32_t any = 0;
    for (uint32_t i = 0; i < g->size; i++) {
        if (is_active(g, i) && (g->v[i] & 3) == 3)
            all = 0;
        if (is_active(g, i) && g->v[i] > 200)
            any = 2;
    }
    return all | any;
}

/* As loops() of the kernel. */
static uint32_t
expect_loops(const struct group *g, uint32_t lane)
{
    uint32_t sum = 0;
    for (uint32_t round = 0; round < g->v[lane] % 9; round++) {
        uint32_t here = 0, count = 0;
        for (uint32_t i = 0; i < g->size; i++) {
            if (!is_active(g, i) || g->v[i] % 9 <= round)
                continue;
            here += (uint32_t)g->v[i];
            count += i % 3 == round;
        }
        sum = sum * 5 + here + (lane % 3 == round ? count : 0);
    }
    return sum;
}

/* Of the masks; from operation 19 on of their second words. */
static uint32_t
expect_masks(const struct group *g, uint32_t operation, uint32_t lane)
{
    const uint64_t bit = UINT64_C(1) << lane, below = bit - 1, upto = below | bit;
    const uint64_t whole = UINT64_MAX >> (64 - g->size);
    const uint32_t shift = operation >= 19 ? 32 : 0;
    if (operation == 15 || operation == 19)
        return (uint32_t)(bit >> shift) ^ (uint32_t)(below >> shift) << 8 ^
               (uint32_t)((whole & ~below) >> shift);
    return (uint32_t)(upto >> shift) ^ (uint32_t)((whole & ~upto) >> shift) << 5;
}

static uint32_t
expect_ballot(const struct group *g, uint32_t operation, uint32_t lane)
{
    const uint64_t ballot = ballot_of(g);
    const uint64_t bit = UINT64_C(1) << lane, below = bit - 1;
    switch (operation) {
    case 5:
        return (uint32_t)ballot;
    case 6:
        return (uint32_t)__builtin_popcountll(ballot);
    case 7:
        return (uint32_t)__builtin_popcountll(ballot & (below | bit));
    case 8:
        return (uint32_t)__builtin_popcountll(ballot & below);
    case 9:
        return (uint32_t)__builtin_ctzll(ballot & ~UINT64_C(0x7fff));
    case 10:
        return 63u - (uint32_t)__builtin_clzll(ballot & UINT64_C(0x7fffffffffff));
    case 11:
        return ballot >> lane & 1;
    case 12:
        return ballot >> 7 & 1;
    case 17:
        return (uint32_t)(ballot >> 32);
    default:
        return ballot >> (g->v[lane] & (g->size - 1)) & 1;
    }
}

static uint32_t
expect_bits(const struct group *g, uint32_t operation, uint32_t lane)
{
    switch (operation) {
    case 0:
        return (uint32_t)fold(g, AND, 0, g->size);
    case 1:
        return (uint32_t)fold(g, OR, 0, lane + 1);
    case 2:
        return (uint32_t)fold(g, XOR, 0, g->size);
    case 3:
        return (uint32_t)fold(g, XOR, 0, lane);
    case 4:
        return (uint32_t)cluster(g, OR, lane, 4);
    case 13:
        return expect_votes(g);
    case 14:
        return lane == first_active(g);
    case 15:
    case 18:
    case 19:
    case 20:
        return expect_masks(g, operation, lane);
    case 16:
        return lane | g->size << 8 | g->index << 16;
    case 21:
        return (uint32_t)fold(g, AND, 0, lane + 1) | 64;
    case 22:
        return (uint32_t)cluster(g, XOR, lane, 32);
    case 24:
        return g->index_count;
    case 25:
        return g->v[lane ^ (17 & (g->size - 1))] >> 2 & 1;
    case 26:
        return expect_loops(g, lane);
    default:
        return expect_ballot(g, operation, lane);
    }
}

static int64_t
value_of(uint32_t family, uint32_t v)
{
    switch (family) {
    case 1:
        return (int64_t)v - 100;
    case 2:
        return (int64_t)(v & 7) - 3;
    case 3:
        return ((int64_t)v << 33) - (int64_t)v;
    case 4:
        return (int16_t)(v * 91);
    default:
        return v;
    }
}

/* Not: a value of a lane that is not active, what is found in an empty ballot, and clusters that
 * are larger than a subgroup (GL_KHR_shader_subgroup). Nor products of floats, which are not
 * exact. */
static bool
is_defined(const struct group *g, uint32_t operation, uint32_t lane)
{
    const uint64_t ballot = ballot_of(g);
    if (g->family >= ARITHMETIC_FAMILIES)
        return (operation != 9 || ballot & ~UINT64_C(0x7fff)) &&
               (operation != 10 || ballot & UINT64_C(0x7fffffffffff)) &&
               (operation != 22 || g->size >= 32) &&
               (operation != 25 || is_active(g, lane ^ (17 & (g->size - 1))));
    const uint32_t source = source_lane(g, operation, lane);
    const bool is_product = operation == 7 || operation == 22 || operation == 24;
    return (operation != 20 || g->size >= 32) && (operation != 21 || g->size >= 64) &&
           !(g->family == 2 && is_product) &&
           ((operation != 26 && operation != 27 && source == UINT32_MAX) || is_active(g, source));
}

/* What an exclusive scan gives the first lane. */
static uint32_t
expect_identity(const struct group *g, uint32_t operation)
{
    static const int64_t least[] = {0, INT32_MIN, 0, INT64_MIN, INT16_MIN};
    return operation == 23 ? word(g->family, least[g->family]) : operation == 22;
}

static bool
is_exclusive(const struct group *g, uint32_t operation)
{
    return g->family < ARITHMETIC_FAMILIES &&
           (operation == 2 || operation == 22 || operation == 23);
}

static void
compare(const struct group *g, uint32_t base, uint32_t lane, uint32_t operation)
{
    uint32_t expected = UNTOUCHED;
    if (is_active(g, lane) && !is_defined(g, operation, lane))
        return;
    if (is_active(g, lane) && is_exclusive(g, operation) && lane == first_active(g)) {
        if (operation == 23 && g->family == 2) /* less than all numbers, which has no integer */
            return;
        expected = expect_identity(g, operation);
    } else if (is_active(g, lane)) {
        expected = g->family >= ARITHMETIC_FAMILIES ? expect_bits(g, operation, lane)
                                                    : expect_arithmetic(g, operation, lane);
    }
    if (out[base + lane] == expected)
        return;
    (void)fprintf(stderr,
                  "family %u, operation %u, %u lanes, mask %#llx, lane %u is %#x, not %#x\n",
                  g->family, operation, g->size, (unsigned long long)g->mask, lane,
                  out[base + lane], expected);
    exit(1);
}

struct shape {
    const struct rp_kernel *kernel;
    uint32_t group_size; /* invocations of a workgroup */
    uint32_t size;       /* of subgroups */
    uint64_t mask;       /* of each subgroup */
};

static void
run(const struct shape *s, uint32_t family, uint32_t operation)
{
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        [0] = {.ptr = (uint8_t *)in, .size_B = sizeof(in)},
        [2] = {.ptr = (uint8_t *)out, .size_B = sizeof(out)},
    };
    const uint32_t group_count = INVOCATIONS / s->group_size;
    const struct grid grid = {
        group_count, 1, 1, {family, operation, (uint32_t)s->mask, (uint32_t)(s->mask >> 32)}};
    memset(out, 0x5a, sizeof(out));
    kernel_run(s->kernel, buffers, &grid);
    const uint32_t index_count = (s->group_size + s->size - 1) / s->size;
    for (uint32_t i = 0; i < group_count * index_count; i++) {
        struct group g = {family, s->size, i % index_count, index_count, s->mask, {0}};
        const uint32_t base = i / index_count * s->group_size + g.index * s->size;
        const uint32_t left = s->group_size - g.index * s->size;
        const uint32_t count = left < s->size ? left : s->size;
        g.mask &= UINT64_MAX >> (64 - count);
        for (uint32_t lane = 0; lane < count; lane++)
            g.v[lane] = value_of(family, in[base + lane]);
        for (uint32_t lane = 0; lane < count && g.mask; lane++)
            compare(&g, base, lane, operation);
    }
}

static void
run_all(uint32_t isa, uint32_t size, uint32_t group_size, bool is_short)
{
    static const uint64_t masks[4] = {
        UINT64_MAX,
        0xa5f30008a5f3a5f3,
        0x7fff0fff00010000,
        0xffff000080010000,
    };
    const VkSpecializationMapEntry entry = {0, 0, 4};
    const VkSpecializationInfo specialization = {1, &entry, 4, &group_size};
    struct rp_kernel *kernel =
        kernel_load_sized("subgroups", isa_flags[isa], size, &specialization);
    REQUIRE_EQ(rp_kernel_subgroup_size(kernel), size);
    for (uint32_t m = 0; m < (is_short ? 2 : 4); m++) {
        const struct shape shape = {kernel, group_size, size, masks[m]};
        for (uint32_t family = 0; family < ARITHMETIC_FAMILIES; family += is_short ? 3 : 1)
            for (uint32_t operation = 0; operation < ARITHMETIC_COUNT; operation++)
                run(&shape, family, operation);
        for (uint32_t operation = 0; operation < BIT_COUNT; operation++)
            run(&shape, ARITHMETIC_FAMILIES, operation);
    }
    rp_kernel_destroy(kernel);
}

int
main(void)
{
    /* They divide INVOCATIONS, and have subgroups of one, some or all blocks of 16 lanes, the last
     * of which may be a partial one. */
    static const uint32_t group_sizes[] = {64, 16, 40, 240};
    uint64_t state = 3;

    for (uint32_t i = 0; i < INVOCATIONS; i++)
        in[i] = i < 64 ? 6 : test_random(&state) % 256;
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++)
        for (uint32_t size = RP_MIN_SUBGROUP_SIZE; size <= RP_MAX_SUBGROUP_SIZE; size *= 2)
            for (uint32_t i = 0; i < sizeof(group_sizes) / sizeof(group_sizes[0]); i++)
                run_all(isa, size, group_sizes[i], i != 0);
    return 0;
}

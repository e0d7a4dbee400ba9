/* SPDX-License-Identifier: MIT */
/* Subgroup operations against C, with all lanes active and with some, on each instruction set.
 */
#include "harness.h"

#define INVOCATIONS 1024u
#define LANES RP_SUBGROUP_SIZE
#define UNTOUCHED 0x5a5a5a5au
#define ARITHMETIC_FAMILIES 5u
#define ARITHMETIC_COUNT 19u
#define BIT_COUNT 17u

static uint32_t in[INVOCATIONS];
static uint32_t out[INVOCATIONS];

/* One subgroup as C sees it: values of all types fit into 64 bits. */
struct group {
    uint32_t family;
    uint32_t mask;
    uint32_t index; /* in its workgroup */
    int64_t v[LANES];
};

static bool
is_active(const struct group *g, uint32_t lane)
{
    return lane < LANES && g->mask >> lane & 1;
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
    return (uint32_t)__builtin_ctz(g->mask);
}

static bool
is_all_equal(const struct group *g)
{
    for (uint32_t i = 0; i < LANES; i++)
        if (is_active(g, i) && g->v[i] != g->v[first_active(g)])
            return false;
    return true;
}

/* The lane that a shuffle reads; LANES for what is not one. */
static uint32_t
source_lane(uint32_t operation, uint32_t lane)
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
    default:
        return LANES;
    }
}

static uint32_t
expect_arithmetic(const struct group *g, uint32_t operation, uint32_t lane)
{
    const uint32_t f = g->family;
    switch (operation) {
    case 0:
        return word(f, fold(g, ADD, 0, LANES));
    case 1:
        return word(f, fold(g, ADD, 0, lane + 1));
    case 2:
        return word(f, fold(g, ADD, 0, lane));
    case 3:
        return word(f, fold(g, MIN, 0, LANES));
    case 4:
        return word(f, fold(g, MIN, 0, lane + 1));
    case 5:
        return word(f, fold(g, MAX, 0, LANES));
    case 6:
        return word(f, fold(g, MAX, 0, lane + 1));
    case 7:
        return word(f, fold(g, MUL, 0, LANES));
    case 8:
        return word(f, cluster(g, ADD, lane, 2));
    case 9:
        return word(f, cluster(g, ADD, lane, 4));
    case 10:
        return word(f, cluster(g, MAX, lane, 8));
    case 11:
        return word(f, cluster(g, MIN, lane, 16));
    case 13:
        return word(f, g->v[first_active(g)]);
    case 17:
        return is_all_equal(g);
    default:
        return word(f, g->v[source_lane(operation, lane)]);
    }
}

static uint32_t
ballot_of(const struct group *g)
{
    uint32_t ballot = 0;
    for (uint32_t i = 0; i < LANES; i++)
        ballot |= (uint32_t)(is_active(g, i) && (g->v[i] & 1)) << i;
    return ballot;
}

static uint32_t
expect_votes(const struct group *g)
{
    uint32_t all = 1;
    uint32_t any = 0;
    for (uint32_t i = 0; i < LANES; i++) {
        if (is_active(g, i) && (g->v[i] & 3) == 3)
            all = 0;
        if (is_active(g, i) && g->v[i] > 200)
            any = 2;
    }
    return all | any;
}

static uint32_t
expect_bits(const struct group *g, uint32_t operation, uint32_t lane)
{
    const uint32_t ballot = ballot_of(g);
    const uint32_t below = (1u << lane) - 1;
    const uint32_t whole = (1u << LANES) - 1;
    switch (operation) {
    case 0:
        return (uint32_t)fold(g, AND, 0, LANES);
    case 1:
        return (uint32_t)fold(g, OR, 0, lane + 1);
    case 2:
        return (uint32_t)fold(g, XOR, 0, LANES);
    case 3:
        return (uint32_t)fold(g, XOR, 0, lane);
    case 4:
        return (uint32_t)cluster(g, OR, lane, 4);
    case 5:
        return ballot;
    case 6:
        return (uint32_t)__builtin_popcount(ballot);
    case 7:
        return (uint32_t)__builtin_popcount(ballot & (below | 1u << lane));
    case 8:
        return (uint32_t)__builtin_popcount(ballot & below);
    case 9:
        return (uint32_t)__builtin_ctz(ballot | 0x8000);
    case 10:
        return 31u - (uint32_t)__builtin_clz(ballot | 1);
    case 11:
        return ballot >> lane & 1;
    case 12:
        return ballot >> 7 & 1;
    case 13:
        return expect_votes(g);
    case 14:
        return lane == first_active(g);
    case 15:
        return 1u << lane ^ below << 8 ^ (whole & ~below);
    default:
        return lane | LANES << 8 | g->index << 16;
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

/* A value read from a lane that is not active is undefined (GL_KHR_shader_subgroup). */
static bool
is_defined(const struct group *g, uint32_t operation, uint32_t lane)
{
    const uint32_t source = source_lane(operation, lane);
    return g->family >= ARITHMETIC_FAMILIES || source == LANES || is_active(g, source);
}

static void
compare(const struct group *g, uint32_t base, uint32_t operation)
{
    for (uint32_t lane = 0; lane < LANES; lane++) {
        if (is_active(g, lane) && !is_defined(g, operation, lane))
            continue;
        /* A product of floats leaves what they hold exactly. */
        if (g->family == 2 && operation == 7)
            continue;
        const uint32_t expected = !is_active(g, lane) ? UNTOUCHED
                                  : g->family >= ARITHMETIC_FAMILIES
                                      ? expect_bits(g, operation, lane)
                                      : expect_arithmetic(g, operation, lane);
        if (operation == 2 && lane == first_active(g) && g->family < ARITHMETIC_FAMILIES)
            REQUIRE_EQ(out[base + lane], 0); /* the identity */
        else if (out[base + lane] != expected) {
            (void)fprintf(stderr, "family %u, operation %u, mask %#x, lane %u is %#x, not %#x\n",
                          g->family, operation, g->mask, lane, out[base + lane], expected);
            exit(1);
        }
    }
}

static void
run(const struct rp_kernel *kernel, uint32_t family, uint32_t operation, uint32_t mask)
{
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        [0] = {.ptr = (uint8_t *)in, .size_B = sizeof(in)},
        [2] = {.ptr = (uint8_t *)out, .size_B = sizeof(out)},
    };
    const struct grid grid = {INVOCATIONS / 64, 1, 2, {family, operation, mask}};
    memset(out, 0x5a, sizeof(out));
    kernel_run(kernel, buffers, &grid);
    for (uint32_t base = 0; base < INVOCATIONS; base += LANES) {
        struct group g = {.family = family, .mask = mask, .index = base / LANES % 4};
        for (uint32_t i = 0; i < LANES; i++)
            g.v[i] = value_of(family, in[base + i]);
        compare(&g, base, operation);
    }
}

int
main(void)
{
    static const uint32_t masks[] = {0xffff, 0xa5f3, 0x0010, 0x8001, 0x7ffe};
    uint64_t state = 3;

    for (uint32_t i = 0; i < INVOCATIONS; i++)
        in[i] = i < 64 ? 6 : test_random(&state) % 256;
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++) {
        struct rp_kernel *kernel = kernel_load("subgroups", isa_flags[isa]);
        for (uint32_t m = 0; m < sizeof(masks) / sizeof(masks[0]); m++) {
            for (uint32_t family = 0; family < ARITHMETIC_FAMILIES; family++)
                for (uint32_t operation = 0; operation < ARITHMETIC_COUNT; operation++)
                    run(kernel, family, operation, masks[m]);
            for (uint32_t operation = 0; operation < BIT_COUNT; operation++)
                run(kernel, ARITHMETIC_FAMILIES, operation, masks[m]);
        }
        rp_kernel_destroy(kernel);
    }
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* Bytes, halves, words and elements of 64 bits: one or some for each invocation, dense and in
 * structures, for all invocations and for some.
 */
#include "harness.h"

#define LANES 640u

struct mixed {
    uint8_t bytes[4];
    uint16_t halves[2], four[4];
    uint64_t big;
};

union elements {
    uint8_t bytes[LANES * sizeof(struct mixed)];
    uint8_t c1[LANES][1], c4[LANES][4];
    uint16_t c2[LANES][1], c22[LANES][2], c24[LANES][4];
    uint64_t c8[LANES], c82[LANES][2];
    uint32_t c32[LANES];
    struct mixed cm[LANES];
};

static union elements a, c, wanted;

static void
next_bytes(uint8_t *to, const uint8_t *from, uint32_t n, bool is_turned)
{
    for (uint32_t e = 0; e < n; e++)
        to[e] = (uint8_t)(from[is_turned ? n - 1 - e : e] + 1);
}

static void
next_halves(uint16_t *to, const uint16_t *from, uint32_t n, bool is_turned)
{
    for (uint32_t e = 0; e < n; e++)
        to[e] = (uint16_t)(from[is_turned ? n - 1 - e : e] + 1);
}

static void
expect(uint32_t kind, uint32_t i)
{
    switch (kind) {
    case 0:
        next_bytes(wanted.c1[i], a.c1[i], 1, true);
        break;
    case 1:
        next_halves(wanted.c2[i], a.c2[i], 1, true);
        break;
    case 2:
        next_bytes(wanted.c4[i], a.c4[i], 4, true);
        break;
    case 3:
        next_halves(wanted.c22[i], a.c22[i], 2, true);
        break;
    case 4:
        next_halves(wanted.c24[i], a.c24[i], 4, true);
        break;
    case 5:
        wanted.c8[i] = a.c8[i] + 1;
        break;
    case 7:
        if ((i * 5 >> 3) % 7 != 3)
            wanted.c32[i] = a.c32[i] + 1;
        break;
    default:
        next_bytes(wanted.cm[i].bytes, a.cm[i].bytes, 4, false);
        next_halves(wanted.cm[i].halves, a.cm[i].halves, 2, false);
        next_halves(wanted.cm[i].four, a.cm[i].four, 4, false);
        wanted.cm[i].big = a.cm[i].big + 1;
    }
}

static void
elements_are_next_to_what_they_were(uint32_t cpu_flags, uint32_t kind, uint32_t count)
{
    struct rp_kernel *kernel = kernel_load("element_blocks", cpu_flags);
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        [0] = {.ptr = a.bytes, .size_B = sizeof(a)},
        [2] = {.ptr = c.bytes, .size_B = sizeof(c)},
    };
    memset(&c, 0xee, sizeof(c));
    memset(&wanted, 0xee, sizeof(wanted));
    for (uint32_t i = 0; i < count; i++)
        expect(kind, i);
    kernel_run(kernel, buffers, &(struct grid){LANES / 64, 1, 1, {kind, count}});
    rp_kernel_destroy(kernel);
    REQUIRE_BYTES(&c, &wanted, sizeof(c));
}

/* Workgroups share what they read in turn. */
static void
tiles_are_read_in_turn(uint32_t cpu_flags)
{
    struct rp_kernel *kernel = kernel_load("element_tiles", cpu_flags);
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        [0] = {.ptr = a.bytes, .size_B = sizeof(a)},
        [2] = {.ptr = c.bytes, .size_B = sizeof(c)},
    };
    kernel_run(kernel, buffers, &(struct grid){LANES / 64, 1, 1, {0}});
    rp_kernel_destroy(kernel);
    for (uint32_t i = 0; i < LANES; i++) {
        const uint64_t *own = a.c82[i];
        uint64_t sum = own[1];
        for (uint32_t j = i / 64 * 64; j < i / 64 * 64 + 64; j++)
            sum = sum * 3 + (a.c82[j][0] ^ (a.c82[j][1] - own[0]));
        REQUIRE(c.c8[i] == sum);
    }
}

int
main(void)
{
    for (uint32_t i = 0; i < sizeof(a); i++)
        a.bytes[i] = i % 11 == 0 ? 0xff : (uint8_t)(i * 2654435761u >> 13);
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++) {
        tiles_are_read_in_turn(isa_flags[isa]);
        for (uint32_t kind = 0; kind < 8; kind++) {
            elements_are_next_to_what_they_were(isa_flags[isa], kind, LANES);
            elements_are_next_to_what_they_were(isa_flags[isa], kind, LANES - 21);
        }
    }
    return 0;
}

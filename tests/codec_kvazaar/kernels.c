/* SPDX-License-Identifier: MIT */
/* Our kernels give what kvazaar's C gives, over random and extreme blocks. Compiled for each bit
 * depth.
 *
 * usage: codec_kvazaar_kernels [SEED [ROUNDS]]
 */
#include "codecs/kvazaar/kernels.h"
#include "codecs/kvazaar/heap.h"

#include "strategyselector.h"

#include "reelpipe/cpu.h"

#include "tests/test.h"

#define MAX_SIZE 32u
#define GUARD 64u /* elements behind a block, which nobody may write */

static uint64_t random_state = 1;
static uint32_t rounds = 2000;

struct transform {
    const char *name;
    dct_func *c, *ours;
    uint32_t size;
    bool is_inverse;
};

static struct transform transforms[] = {
    {.name = "dct_16x16", .size = 16},
    {.name = "dct_32x32", .size = 32},
    {.name = "idct_16x16", .size = 16, .is_inverse = true},
    {.name = "idct_32x32", .size = 32, .is_inverse = true},
};

static dct_func *
transform_chosen(uint32_t i)
{
    dct_func *const chosen[] = {kvz_dct_16x16, kvz_dct_32x32, kvz_idct_16x16, kvz_idct_32x32};
    return chosen[i];
}

static int32_t
random_below(int32_t count)
{
    return (int32_t)(test_random(&random_state) % (uint32_t)count);
}

static void
choose_c(void *ctx)
{
    *(int *)ctx = kvz_strategyselector_init(0, KVZ_BIT_DEPTH, 0);
}

static void
kernels_find(void)
{
    struct rp_kvazaar_heap heap = {0};
    int is_ok = 0;
    REQUIRE(rp_kvazaar_heap_run(&heap, choose_c, &is_ok) && is_ok);
    rp_kvazaar_heap_finish(&heap);
    for (uint32_t i = 0; i < sizeof(transforms) / sizeof(transforms[0]); i++)
        transforms[i].c = transform_chosen(i);
    rp_kvazaar_kernels_init(rp_cpu_flags());
    for (uint32_t i = 0; i < sizeof(transforms) / sizeof(transforms[0]); i++)
        transforms[i].ours = transform_chosen(i);
}

/* A value of an amplitude, in one round of two as extreme as it may be. */
static int16_t
random_value(int32_t amplitude, bool is_extreme)
{
    if (is_extreme)
        return (int16_t)(random_below(2) ? amplitude : -amplitude);
    return (int16_t)(random_below(2 * amplitude + 1) - amplitude);
}

/* A residual of smooth, noisy or constant rows; coefficients of which those from some row and column
 * on are zeros. */
static void
block_fill(const struct transform *transform, int16_t *block)
{
    const int32_t size = (int32_t)transform->size;
    const int32_t most = transform->is_inverse ? INT16_MAX : (1 << KVZ_BIT_DEPTH) - 1;
    const int32_t amplitude = 1 + random_below(random_below(2) ? most : 1 + most / 64);
    const bool is_extreme = random_below(2), is_constant = random_below(4) == 0;
    const int32_t rows = transform->is_inverse ? random_below(size + 1) : size;
    const int32_t columns = transform->is_inverse ? random_below(size + 1) : size;
    memset(block, 0, transform->size * transform->size * sizeof(block[0]));
    for (int32_t y = 0; y < rows; y++)
        for (int32_t x = 0; x < columns; x++)
            block[y * size + x] = is_constant && x + y > 0 ? block[0]
                                  : random_below(8) == 0   ? 0
                                                           : random_value(amplitude, is_extreme);
    if (transform->is_inverse && random_below(4) == 0)
        block[random_below(size * size)] = INT16_MIN;
}

static void
transforms_are_those_of_c(const struct transform *transform)
{
    _Alignas(64) int16_t in[MAX_SIZE * MAX_SIZE], c[MAX_SIZE * MAX_SIZE + GUARD];
    _Alignas(64) int16_t ours[MAX_SIZE * MAX_SIZE + GUARD];
    for (uint32_t i = 0; i < rounds; i++) {
        block_fill(transform, in);
        memset(c, 0xee, sizeof(c));
        memset(ours, 0xee, sizeof(ours));
        transform->c(KVZ_BIT_DEPTH, in, c);
        transform->ours(KVZ_BIT_DEPTH, in, ours);
        REQUIRE_BYTES(ours, c, sizeof(c));
    }
}

int
main(int argc, char **argv)
{
    if (argc > 1)
        random_state = strtoull(argv[1], NULL, 10);
    if (argc > 2)
        rounds = (uint32_t)strtoul(argv[2], NULL, 10);
    kernels_find();
    for (uint32_t i = 0; i < sizeof(transforms) / sizeof(transforms[0]); i++) {
        (void)fprintf(stderr, "%s%s\n", transforms[i].name,
                      transforms[i].ours == transforms[i].c ? ": C alone" : "");
        RUN(transforms_are_those_of_c, &transforms[i]);
    }
    return 0;
}

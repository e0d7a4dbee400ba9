/* SPDX-License-Identifier: MIT */
/* GLSL's arithmetic and functions, on every instruction set, against GLM's: equal bits for integers
 * and for what IEEE 754 defines, nearly equal elsewhere.
 */
#include "../harness.h"

#include <math.h>

#define LANES 4096u
#define EXACT_FAMILIES 5u
#define TOLERANCE 4e-6 /* relative: the functions of SPIR-V's table of precisions are within it */

uint32_t reference(uint32_t family, uint32_t number, uint32_t x, uint32_t y, uint32_t z);

/* How many operations each family has. */
static const uint32_t counts[] = {17, 7, 10, 7, 19, 41};
static const char *const names[] = {
    "integers", "integers of 64 bits", "integers of 8 and 16 bits", "doubles",
    "floats",   "nearly exact floats"};

static uint32_t in[3 * LANES];
static uint32_t out[LANES];

static void
inputs_fill(void)
{
    static const uint32_t special[] = {0, 1, 0xffffffff, 0x80000000, 0x7fffffff, 0xffff, 0x10000};
    uint64_t state = 11;
    for (uint32_t i = 0; i < 3 * LANES; i++) {
        const uint32_t low = test_random(&state);
        in[i] = low ^ test_random(&state) << 8;
        if (i < 600)
            in[i] = special[test_random(&state) % 7];
    }
}

static float
as_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static bool
is_near(uint32_t got, uint32_t expected)
{
    const double a = (double)as_float(got);
    const double b = (double)as_float(expected);
    return fabs(a - b) <= TOLERANCE * fmax(fabs(b), 1e-3);
}

static void
compare(uint32_t family, uint32_t number, uint32_t isa)
{
    for (uint32_t i = 0; i < LANES; i++) {
        const uint32_t *word = &in[3 * i];
        const uint32_t expected = reference(family, number, word[0], word[1], word[2]);
        if (family < EXACT_FAMILIES ? out[i] == expected : is_near(out[i], expected))
            continue;
        (void)fprintf(stderr,
                      "%s, operation %u of (%#x, %#x, %#x) is %#x (%g), not %#x (%g), isa %u\n",
                      names[family], number, word[0], word[1], word[2], out[i],
                      (double)as_float(out[i]), expected, (double)as_float(expected), isa);
        exit(1);
    }
}

static void
run_family(const struct rp_kernel *kernel, uint32_t family, uint32_t isa)
{
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        [0] = {.ptr = (uint8_t *)in, .size_B = sizeof(in)},
        [2] = {.ptr = (uint8_t *)out, .size_B = sizeof(out)},
    };
    for (uint32_t number = 0; number < counts[family]; number++) {
        const struct grid grid = {LANES / 64, 1, 1 + number % 2, {family, number}};
        memset(out, 0x5a, sizeof(out));
        kernel_run(kernel, buffers, &grid);
        compare(family, number, isa);
    }
}

int
main(void)
{
    inputs_fill();
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++) {
        struct rp_kernel *kernel = kernel_load("operations", isa_flags[isa]);
        for (uint32_t family = 0; family <= EXACT_FAMILIES; family++)
            run_family(kernel, family, isa);
        rp_kernel_destroy(kernel);
    }
    return 0;
}

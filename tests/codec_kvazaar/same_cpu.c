/* SPDX-License-Identifier: MIT */
/* The coded bytes do not depend on the CPU: kvazaar's kernels of every instruction set, and ours,
 * give what its C gives, all of them together, and as a CPU without the newer ones has them.
 *
 * usage: codec_kvazaar_same_cpu [FIRST_SEED [COUNT]]
 *
 * Kernels are chosen once in a process, so that each choice is for one of its own.
 */
#include "random_structure.h"

#include "tests/test.h"

#include <sys/wait.h>
#include <unistd.h>

#define MAX_SEEDS 1000u
#define PICTURE_COUNT 10u

static uint64_t first_seed = 7000;
static uint32_t seed_count = 6;

/* As kvazaar calls the kernels that are not C, in the order in which CPUs came to have them. */
static const char *const sets[] = {"sse2", "sse41", "avx2"};
#define SET_COUNT (sizeof(sets) / sizeof(sets[0]))

/* What a CPU has: the first sets of kvazaar's kernels, and REELPIPE_CPU's mask, which decides about
 * ours. */
static const struct {
    size_t set_count;
    const char *mask;
} choices[] = {{1, "0x1"}, {2, "0x1"}, {SET_COUNT, "0xff"}};

static size_t allowed_count = SET_COUNT; /* of sets, from the oldest */
static uint32_t refused_count;           /* kernels */

typedef int register_fn(void *opaque, const char *type, const char *name, int priority,
                        void *function);
register_fn __real_kvz_strategyselector_register, __wrap_kvz_strategyselector_register;
register_fn __real_kvz10_strategyselector_register, __wrap_kvz10_strategyselector_register;

static bool
is_refused(const char *name)
{
    for (size_t i = allowed_count; i < SET_COUNT; i++) {
        if (strcmp(name, sets[i]) == 0) {
            refused_count++;
            return true;
        }
    }
    return false;
}

/* What kvazaar registers its kernels with, of 8 bits and of 10 (-Wl,--wrap). */
int
__wrap_kvz_strategyselector_register(void *opaque, const char *type, const char *name, int priority,
                                     void *function)
{
    return is_refused(name)
               ? 1
               : __real_kvz_strategyselector_register(opaque, type, name, priority, function);
}

int
__wrap_kvz10_strategyselector_register(void *opaque, const char *type, const char *name,
                                       int priority, void *function)
{
    return is_refused(name)
               ? 1
               : __real_kvz10_strategyselector_register(opaque, type, name, priority, function);
}

/* With REELPIPE_CPU's mask, and the first sets of kernels. Returns how many kernels were
 * refused. */
static uint32_t
hash_with(uint32_t bit_depth, const char *mask, size_t set_count, uint64_t out[MAX_SEEDS])
{
    const size_t size_B = seed_count * sizeof(out[0]);
    uint32_t refused = 0;
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        uint64_t hashes[MAX_SEEDS];
        allowed_count = set_count;
        REQUIRE(setenv("REELPIPE_CPU", mask, 1) == 0);
        for (uint32_t i = 0; i < seed_count; i++)
            hashes[i] = random_structure_run(first_seed + i, PICTURE_COUNT, bit_depth, NULL);
        REQUIRE(write(ends[1], hashes, size_B) == (ssize_t)size_B);
        _exit(write(ends[1], &refused_count, sizeof(refused)) == sizeof(refused) ? 0 : 1);
    }
    int status;
    REQUIRE(close(ends[1]) == 0);
    REQUIRE(read(ends[0], out, size_B) == (ssize_t)size_B);
    REQUIRE(read(ends[0], &refused, sizeof(refused)) == sizeof(refused));
    REQUIRE(waitpid(child, &status, 0) == child && status == 0);
    REQUIRE(close(ends[0]) == 0);
    return refused;
}

static void
kernels_give_what_c_gives(uint32_t bit_depth)
{
    uint64_t c[MAX_SEEDS], some[MAX_SEEDS];
    uint32_t refused_before = UINT32_MAX;
    REQUIRE_EQ(hash_with(bit_depth, "0", SET_COUNT, c), 0u);
    for (size_t k = 0; k < sizeof(choices) / sizeof(choices[0]); k++) {
        const size_t count = choices[k].set_count;
        const uint32_t refused = hash_with(bit_depth, choices[k].mask, count, some);
        (void)fprintf(stderr, "up to %s, CPU %s: %u kernels left out\n", sets[count - 1],
                      choices[k].mask, refused);
        REQUIRE(refused <= refused_before);
        refused_before = refused;
        for (uint32_t i = 0; i < seed_count; i++)
            REQUIRE_EQ(some[i], c[i]);
    }
    REQUIRE_EQ(refused_before, 0u);
}

int
main(int argc, char **argv)
{
    if (argc > 1)
        first_seed = strtoull(argv[1], NULL, 10);
    if (argc > 2)
        seed_count = (uint32_t)strtoul(argv[2], NULL, 10);
    REQUIRE(seed_count > 0 && seed_count <= MAX_SEEDS);
    RUN(kernels_give_what_c_gives, 8);
    RUN(kernels_give_what_c_gives, 10);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* The coded bytes do not depend on the CPU: kvazaar's kernels of every instruction set give what its
 * C gives. Each mask of REELPIPE_CPU is for a process of its own, since features are found once.
 */
#include "random_structure.h"

#include "tests/test.h"

#include <sys/wait.h>
#include <unistd.h>

#define SEED_COUNT 6u
#define PICTURE_COUNT 10u

static void
hash_with(const char *mask, uint64_t out[SEED_COUNT])
{
    const size_t size_B = SEED_COUNT * sizeof(out[0]);
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        uint64_t hashes[SEED_COUNT];
        REQUIRE(setenv("REELPIPE_CPU", mask, 1) == 0);
        for (uint32_t i = 0; i < SEED_COUNT; i++)
            hashes[i] = random_structure_run(7000 + i, PICTURE_COUNT, NULL);
        _exit(write(ends[1], hashes, size_B) == (ssize_t)size_B ? 0 : 1);
    }
    int status;
    REQUIRE(close(ends[1]) == 0);
    REQUIRE(read(ends[0], out, size_B) == (ssize_t)size_B);
    REQUIRE(waitpid(child, &status, 0) == child && status == 0);
    REQUIRE(close(ends[0]) == 0);
}

static void
kernels_give_what_c_gives(void)
{
    uint64_t c[SEED_COUNT], all[SEED_COUNT];
    hash_with("0", c);
    hash_with("0xff", all);
    for (uint32_t i = 0; i < SEED_COUNT; i++)
        REQUIRE_EQ(c[i], all[i]);
}

int
main(void)
{
    RUN(kernels_give_what_c_gives);
    return 0;
}

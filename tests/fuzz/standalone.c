/* SPDX-License-Identifier: MIT */
/* Runs a fuzz target without libFuzzer: its seeds, then mutations of them; without seeds, random
 * bytes. The same numbers make the same inputs.
 *
 * usage: NAME SEED ITERATIONS [FILE...]
 *
 * REELPIPE_FUZZ_SECONDS: how long it goes on, from a seed of the moment, whatever ITERATIONS is.
 */
#include "target.h"

#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define MAX_B 65536u
#define RANDOM_B 4096u
#define SHORT_B 512u

struct seed {
    uint8_t *data;
    size_t size_B;
};

static struct seed
seed_read(const char *path)
{
    struct seed seed = {.data = malloc(MAX_B)};
    FILE *file = fopen(path, "rb");
    REQUIRE(file && seed.data);
    seed.size_B = fread(seed.data, 1, MAX_B, file);
    REQUIRE(fclose(file) == 0);
    return seed;
}

/* An input of exactly its size, for the sanitizers. */
static void
run(const uint8_t *data, size_t size_B)
{
    uint8_t *copy = malloc(size_B ? size_B : 1);
    REQUIRE(copy);
    memcpy(copy, data, size_B);
    (void)LLVMFuzzerTestOneInput(copy, size_B);
    free(copy);
}

static size_t
mutate(uint8_t *data, size_t size_B, uint64_t *state)
{
    for (uint32_t i = 1 + test_random(state) % 6; i > 0 && size_B; i--) {
        uint8_t *byte = &data[test_random(state) % size_B];
        switch (test_random(state) % 5) {
        case 0:
            *byte ^= (uint8_t)(1u << test_random(state) % 8);
            break;
        case 1:
            *byte = (uint8_t)test_random(state);
            break;
        case 2:
            *byte = data[test_random(state) % size_B];
            break;
        case 3:
            *byte = test_random(state) % 2 ? 0xff : 0;
            break;
        default:
            if (test_random(state) % 8 == 0)
                size_B = test_random(state) % size_B;
            else
                *byte = (uint8_t)(*byte + 1);
            break;
        }
    }
    return size_B;
}

/* A seed; short ones are sequences of calls, of which more may follow. */
static size_t
choose(const struct seed *seeds, uint32_t count, uint8_t *out, uint64_t *state)
{
    size_t size_B = 0;
    do {
        const struct seed *seed = &seeds[test_random(state) % count];
        if (size_B && seed->size_B > SHORT_B)
            break;
        memcpy(out + size_B, seed->data, seed->size_B);
        size_B += seed->size_B;
    } while (size_B <= RANDOM_B && size_B <= SHORT_B * 8 && test_random(state) % 6);
    return size_B;
}

static size_t
fill(uint8_t *data, uint64_t *state)
{
    for (size_t i = 0; i < RANDOM_B; i++)
        data[i] = (uint8_t)test_random(state);
    return RANDOM_B;
}

/* Whether there is time, or the number of inputs is not reached. */
static bool
goes_on(uint32_t done, uint32_t wanted)
{
    static time_t end;
    const char *seconds = getenv("REELPIPE_FUZZ_SECONDS");
    if (!seconds)
        return done < wanted;
    if (!end)
        end = time(NULL) + atol(seconds);
    return time(NULL) < end;
}

static uint64_t
seed_choose(const char *asked)
{
    const uint64_t seed =
        getenv("REELPIPE_FUZZ_SECONDS") ? (uint64_t)time(NULL) : strtoull(asked, NULL, 0);
    (void)printf("seed %" PRIu64 "\n", seed);
    (void)fflush(stdout);
    return seed;
}

int
main(int argc, char **argv)
{
    REQUIRE(argc > 2);
    const uint32_t iterations = (uint32_t)strtoul(argv[2], NULL, 10);
    uint32_t done = 0;
    const uint32_t count = (uint32_t)argc - 3;
    struct seed *seeds = calloc(count + 1, sizeof(*seeds));
    uint8_t *scratch = malloc(MAX_B);
    uint64_t state = seed_choose(argv[1]);
    REQUIRE(seeds && scratch);

    for (uint32_t i = 0; i < count; i++) {
        seeds[i] = seed_read(argv[3 + i]);
        run(seeds[i].data, seeds[i].size_B);
    }
    for (; goes_on(done, iterations); done++) {
        if (count == 0) {
            run(scratch, fill(scratch, &state));
            continue;
        }
        const size_t size_B = choose(seeds, count, scratch, &state);
        run(scratch, mutate(scratch, size_B, &state));
    }
    for (uint32_t i = 0; i < count; i++)
        free(seeds[i].data);
    free(seeds);
    free(scratch);
    printf("%u seeds, %u inputs more\n", count, done);
    return 0;
}

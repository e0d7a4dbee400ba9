/* SPDX-License-Identifier: MIT */
/* Encoders on several threads at once, of both bit depths, which choose kvazaar's kernels at the
 * same time, too: each codes what it codes alone.
 *
 * usage: codec_kvazaar_side_by_side [PICTURES]
 */
#include "random_structure.h"

#include "tests/test.h"

#include <pthread.h>

#define THREADS 4u

struct encoder {
    pthread_t thread;
    uint64_t seed;
    uint32_t bit_depth;
    uint64_t hash;
};

static uint32_t picture_count = 8;

static void *
encoder_run(void *ctx)
{
    struct encoder *encoder = ctx;
    encoder->hash = random_structure_run(encoder->seed, picture_count, encoder->bit_depth, NULL);
    return NULL;
}

static void
encoders_do_not_disturb_each_other(void)
{
    struct encoder encoders[THREADS];
    for (uint32_t i = 0; i < THREADS; i++) {
        encoders[i].seed = 300 + i;
        encoders[i].bit_depth = i % 2 ? 10 : 8;
        REQUIRE(pthread_create(&encoders[i].thread, NULL, encoder_run, &encoders[i]) == 0);
    }
    for (uint32_t i = 0; i < THREADS; i++)
        REQUIRE(pthread_join(encoders[i].thread, NULL) == 0);
    for (uint32_t i = 0; i < THREADS; i++)
        REQUIRE(random_structure_run(encoders[i].seed, picture_count, encoders[i].bit_depth,
                                     NULL) == encoders[i].hash);
}

int
main(int argc, char **argv)
{
    if (argc > 1)
        picture_count = (uint32_t)strtoul(argv[1], NULL, 10);
    RUN(encoders_do_not_disturb_each_other);
    return 0;
}

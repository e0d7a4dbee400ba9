/* SPDX-License-Identifier: MIT */
/* Random structures of pictures: what is reconstructed is what libavcodec decodes, picture by
 * picture.
 *
 * usage: codec_kvazaar_bit_exact [FIRST_SEED COUNT [PICTURES]]
 */
#include "random_structure.h"

#include "tests/test.h"

static uint64_t first_seed = 1;
static uint32_t run_count = 12;
static uint32_t picture_count = 16;

static void
reconstruction_is_what_libavcodec_decodes(uint32_t bit_depth, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        (void)fprintf(stderr, "seed %" PRIu64 "\n", first_seed + i);
        random_structure_run(first_seed + i, picture_count, bit_depth, NULL);
    }
}

static void
bytes_are_the_same_each_time(uint32_t bit_depth)
{
    for (uint32_t i = 0; i < 2; i++)
        REQUIRE(random_structure_run(first_seed + i, picture_count, bit_depth, NULL) ==
                random_structure_run(first_seed + i, picture_count, bit_depth, NULL));
}

int
main(int argc, char **argv)
{
    if (argc > 2) {
        first_seed = strtoull(argv[1], NULL, 10);
        run_count = (uint32_t)strtoul(argv[2], NULL, 10);
    }
    if (argc > 3)
        picture_count = (uint32_t)strtoul(argv[3], NULL, 10);
    RUN(reconstruction_is_what_libavcodec_decodes, 8, run_count);
    RUN(reconstruction_is_what_libavcodec_decodes, 10, (run_count + 2) / 3);
    RUN(bytes_are_the_same_each_time, 8);
    RUN(bytes_are_the_same_each_time, 10);
    return 0;
}

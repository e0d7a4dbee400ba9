/* SPDX-License-Identifier: MIT */
/* Random structures of pictures: what is reconstructed is what libdav1d decodes, picture by
 * picture.
 *
 * usage: codec_aom_bit_exact [FIRST_SEED COUNT [PICTURES]]
 */
#include "random_structure.h"

#include "tests/test.h"

static uint64_t first_seed = 1;
static uint32_t run_count = 12;
static uint32_t picture_count = 20;

static void
reconstruction_is_what_dav1d_decodes(void)
{
    for (uint32_t i = 0; i < run_count; i++) {
        (void)fprintf(stderr, "seed %" PRIu64 "\n", first_seed + i);
        random_structure_run(first_seed + i, picture_count, NULL);
    }
}

static void
bytes_are_the_same_each_time(void)
{
    for (uint32_t i = 0; i < 2; i++)
        REQUIRE(random_structure_run(first_seed + i, picture_count, NULL) ==
                random_structure_run(first_seed + i, picture_count, NULL));
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
    RUN(reconstruction_is_what_dav1d_decodes);
    RUN(bytes_are_the_same_each_time);
    return 0;
}

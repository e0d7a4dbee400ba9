/* SPDX-License-Identifier: MIT */
/* Writes streams of random structure as IVF files, for tests of decoders; each was judged while it
 * was made.
 *
 * usage: codec_aom_random_streams FOLDER FIRST_SEED COUNT PICTURES
 *   makes FOLDER/random_<seed>.ivf
 */
#include "random_structure.h"

#include "tests/test.h"

#include <sys/stat.h>

static void
put(uint8_t *to, uint64_t value, uint32_t size_B)
{
    for (uint32_t i = 0; i < size_B; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

struct ivf {
    FILE *file;
    uint64_t unit_count;
};

static void
take_unit(void *ctx, const uint8_t *unit, size_t unit_B)
{
    struct ivf *ivf = ctx;
    uint8_t header[12];
    put(header, unit_B, 4);
    put(header + 4, ivf->unit_count++, 8);
    REQUIRE(fwrite(header, sizeof(header), 1, ivf->file) == 1);
    REQUIRE(fwrite(unit, unit_B, 1, ivf->file) == 1);
}

/* Size and number of pictures are left open. */
static void
stream_write(const char *folder, uint64_t seed, uint32_t picture_count)
{
    uint8_t header[32] = "DKIF\0\0\x20\0AV01";
    char path[4096];
    (void)snprintf(path, sizeof(path), "%s/random_%" PRIu64 ".ivf", folder, seed);
    struct ivf ivf = {.file = fopen(path, "wb")};
    REQUIRE(ivf.file);
    put(header + 16, 25, 4);
    put(header + 20, 1, 4);
    REQUIRE(fwrite(header, sizeof(header), 1, ivf.file) == 1);
    (void)random_structure_write(seed, picture_count, take_unit, &ivf);
    REQUIRE(fclose(ivf.file) == 0);
}

int
main(int argc, char **argv)
{
    if (argc != 5) {
        (void)fprintf(stderr, "usage: codec_aom_random_streams FOLDER FIRST_SEED COUNT PICTURES\n");
        return 2;
    }
    const uint64_t first_seed = strtoull(argv[2], NULL, 10);
    const uint32_t count = (uint32_t)strtoul(argv[3], NULL, 10);
    (void)mkdir(argv[1], 0777);
    for (uint32_t i = 0; i < count; i++)
        stream_write(argv[1], first_seed + i, (uint32_t)strtoul(argv[4], NULL, 10));
    return 0;
}

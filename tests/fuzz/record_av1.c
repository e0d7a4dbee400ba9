/* SPDX-License-Identifier: MIT */
/* Makes a seed of the av1 target: the headers of a stream, without its tiles.
 *
 * usage: fuzz_record_av1 STREAM.obu SEED
 */
#include "tests/av1/walk.h"
#include "tests/test.h"

#include <stdio.h>

#define MAX_STREAM_B (64u << 20)
#define MAX_SEED_B 6000u

static void
put(FILE *out, const void *data, size_t size_B)
{
    REQUIRE(fwrite(data, 1, size_B, out) == size_B);
}

/* Tile groups are left out; frames end behind their headers. Returns the bytes written. */
static size_t
obu_write(FILE *out, const struct av1_obu *obu)
{
    struct rp_av1_obu_header header = obu->header;
    uint8_t bytes[RP_AV1_MAX_OBU_HEADER_B];
    size_t header_B;
    if (header.obu_type == RP_AV1_OBU_TILE_GROUP || header.obu_type == RP_AV1_OBU_PADDING ||
        header.obu_type == RP_AV1_OBU_METADATA)
        return 0;
    if (header.obu_type == RP_AV1_OBU_FRAME)
        header.payload_B = obu->frame_header_B;
    header.size_field_B = 0;
    REQUIRE_EQ(rp_av1_obu_header_write(&header, bytes, sizeof(bytes), &header_B), RP_AV1_OK);
    put(out, bytes, header_B);
    put(out, obu->payload, header.payload_B);
    return header_B + header.payload_B;
}

int
main(int argc, char **argv)
{
    static uint8_t data[MAX_STREAM_B];
    static struct av1_walk walk;
    REQUIRE(argc == 3);
    FILE *in = fopen(argv[1], "rb");
    FILE *out = fopen(argv[2], "wb");
    REQUIRE(in && out);
    const size_t size_B = fread(data, 1, sizeof(data), in);
    size_t written_B = 0;
    for (size_t at_B = 0; at_B < size_B && written_B < MAX_SEED_B;) {
        struct av1_obu obu;
        REQUIRE_EQ(av1_walk_next(&walk, data + at_B, size_B - at_B, &obu), RP_AV1_OK);
        written_B += obu_write(out, &obu);
        at_B += obu.size_B;
    }
    REQUIRE(fclose(in) == 0 && fclose(out) == 0);
    printf("%u sequence headers, %u frame headers, %zu bytes\n", walk.sequence_count,
           walk.frame_count, written_B);
    return 0;
}

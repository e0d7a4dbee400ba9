/* SPDX-License-Identifier: MIT */
/* Makes key frames, but the first one, intra-only frames, which libvpx writes for spatial layers
 * alone: they are hidden, take the places of some references, and are shown as existing ones.
 *
 * usage: codec_vp9_rewrite SEED IN.ivf OUT.ivf
 */
#include "headers.h"
#include "tests/test.h"
#include "video/vp9/header.h"

#include <stdlib.h>
#include <string.h>

#define FILE_HEADER_B 32
#define FRAME_HEADER_B 12

static uint64_t seed;
static uint32_t written_count;

static void
frame_write(FILE *out, const uint8_t *header, size_t header_B, const uint8_t *data, size_t data_B)
{
    const uint32_t size_B = (uint32_t)(header_B + data_B);
    uint8_t frame_header[FRAME_HEADER_B] = {0};
    for (uint32_t i = 0; i < 4; i++) {
        frame_header[i] = (uint8_t)(size_B >> 8 * i);
        frame_header[4 + i] = (uint8_t)(written_count >> 8 * i);
    }
    written_count++;
    REQUIRE(fwrite(frame_header, 1, sizeof(frame_header), out) == sizeof(frame_header));
    REQUIRE(header_B == 0 || fwrite(header, 1, header_B, out) == header_B);
    REQUIRE(data_B == 0 || fwrite(data, 1, data_B, out) == data_B);
}

/* Hidden, then shown. */
static void
intra_only_write(FILE *out, const struct vp9_header *read, const uint8_t *data, size_t data_B)
{
    uint8_t header[RP_VP9_MAX_HEADER_B];
    StdVideoDecodeVP9PictureInfo std = read->std;
    std.frame_type = STD_VIDEO_VP9_FRAME_TYPE_NON_KEY;
    std.flags.intra_only = 1;
    std.flags.show_frame = 0;
    std.reset_frame_context = std.flags.error_resilient_mode ? 0 : 3;
    std.refresh_frame_flags = (uint8_t)(1 + test_random(&seed) % 255);
    const struct rp_vp9_frame frame = {
        .std = &std,
        .width_px = read->width_px,
        .height_px = read->height_px,
        .bit_depth = read->color.BitDepth,
        .compressed_header_B = read->compressed_B,
    };
    const size_t header_B = rp_vp9_header_write(&frame, header);
    REQUIRE(header_B > 0);
    frame_write(out, header, header_B, data + read->uncompressed_B, data_B - read->uncompressed_B);

    uint32_t place = 0;
    while (!(std.refresh_frame_flags >> place & 1))
        place++;
    const uint8_t shows_existing = (uint8_t)(0x88 | ((uint32_t)std.profile & 1) << 5 |
                                             (uint32_t)std.profile >> 1 << 4 | place);
    frame_write(out, &shows_existing, 1, NULL, 0);
}

int
main(int argc, char **argv)
{
    static uint8_t file[1 << 20];
    struct vp9_state state = {.last_width_px = 0};
    uint32_t count = 0;
    REQUIRE_EQ(argc, 4);
    seed = strtoul(argv[1], NULL, 10);
    FILE *in = fopen(argv[2], "rb");
    FILE *out = fopen(argv[3], "wb");
    REQUIRE(in && out && fread(file, 1, FILE_HEADER_B, in) == FILE_HEADER_B);
    REQUIRE(fwrite(file, 1, FILE_HEADER_B, out) == FILE_HEADER_B);
    while (fread(file, 1, FRAME_HEADER_B, in) == FRAME_HEADER_B) {
        const size_t size_B = file[0] | (size_t)file[1] << 8 | (size_t)file[2] << 16;
        struct vp9_header header;
        REQUIRE(size_B <= sizeof(file) && fread(file, 1, size_B, in) == size_B);
        REQUIRE(vp9_header_read(&state, file, size_B, &header));
        if (count++ > 0 && header.std.frame_type == STD_VIDEO_VP9_FRAME_TYPE_KEY)
            intra_only_write(out, &header, file, size_B);
        else
            frame_write(out, NULL, 0, file, size_B);
    }
    REQUIRE(fclose(in) == 0 && fclose(out) == 0);
    return 0;
}

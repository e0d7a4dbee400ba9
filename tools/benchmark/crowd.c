/* SPDX-License-Identifier: MIT */
/* What many encode sessions cost each other on one machine, in one process or several.
 *
 * usage: bench_crowd [ROUNDS [PART...]]
 */
#include "crowd.h"

#include <stdlib.h>

static uint32_t noise_state = 1;

static uint32_t
noise(uint32_t limit)
{
    noise_state = noise_state * 1664525u + 1013904223u;
    return (noise_state >> 16) % limit;
}

/* Blocks of their own brightness and slope that move by two pixels a frame. */
static uint8_t
texture(uint32_t x, uint32_t y, uint32_t frame)
{
    const uint32_t moved = x + 2 * frame;
    const uint32_t block = (moved / 48 * 2654435761u) ^ (y / 40 * 40503u);
    const uint32_t slope = block >> 8 & 3;
    return (uint8_t)(40 + (block >> 16 & 63) + (slope * (moved % 48) + (3 - slope) * (y % 40)) / 2 +
                     noise(4));
}

void
crowd_make_frames(struct video *video, uint32_t width_px, uint32_t height_px)
{
    const size_t luma_B = (size_t)width_px * height_px;

    *video =
        (struct video){.width_px = width_px, .height_px = height_px, .frame_count = CROWD_SOURCES};
    video->frames = malloc(CROWD_SOURCES * luma_B * 3 / 2);
    if (!video->frames)
        die("no memory");
    uint8_t *out = video->frames;
    for (uint32_t i = 0; i < CROWD_SOURCES; i++) {
        for (uint32_t y = 0; y < height_px; y++) {
            for (uint32_t x = 0; x < width_px; x++)
                *out++ = texture(x, y, i);
        }
        for (size_t k = 0; k < luma_B / 2; k++)
            *out++ = (uint8_t)(120 + k / width_px % 16);
    }
}

void
crowd_free_frames(struct video *video)
{
    free(video->frames);
}

struct encoder *
crowd_encoder(struct video *video, struct gpu *gpu, uint32_t in_flight)
{
    struct encoder_settings settings = video_settings(video, 2, in_flight);

    settings.gop = 60;
    struct encoder *enc = encoder_create(gpu, &settings);
    video_fill_sources(video, enc, CROWD_SOURCES);
    return enc;
}

void
crowd_encode(struct encoder *enc, uint32_t number)
{
    const uint32_t i = number % (2 * CROWD_SOURCES - 2);

    encoder_encode(enc, i < CROWD_SOURCES ? i : 2 * CROWD_SOURCES - 2 - i);
}

int
main(int argc, char **argv)
{
    static const struct cores_part parts[] = {
        {"queues", crowd_queues},       {"devices", crowd_devices}, {"neighbour", crowd_neighbour},
        {"in-flight", crowd_in_flight}, {"maps", crowd_maps},       {"processes", crowd_processes},
        {"affinity", crowd_affinity},   {"quotas", crowd_quotas},
    };
    return cores_run_parts(argc, argv, parts, sizeof(parts) / sizeof(parts[0]));
}

/* SPDX-License-Identifier: MIT */
#include "stream.h"

#include <math.h>
#include <string.h>

#define BUFFER_MS 1000

struct rp_rate_settings
rate_stream_settings(enum rp_rate_mode mode, uint64_t average_bps, uint64_t max_bps)
{
    const int32_t max_q = rate_stream_codec.max_q;
    struct rp_rate_settings settings = {
        .mode = mode,
        .layer_count = 1,
        .virtual_buffer_ms = BUFFER_MS,
        .initial_virtual_buffer_ms = BUFFER_MS * 3 / 4,
    };
    settings.layer[0] = (struct rp_rate_layer){
        .average_bps = average_bps,
        .max_bps = max_bps,
        .frame_rate_numerator = RATE_STREAM_FPS,
        .frame_rate_denominator = 1,
        .max_qp = {max_q, max_q, max_q},
    };
    return settings;
}

const struct rp_rate_settings *
rate_stream_rate(const struct rate_stream_options *options, uint32_t picture)
{
    const struct rp_rate_settings *rate = &options->rate;
    for (uint32_t i = 0; i < options->change_count; i++) {
        if (picture >= options->change[i].picture)
            rate = &options->change[i].rate;
    }
    return rate;
}

/* From 0 to half and back, over and over. */
static uint32_t
wave(uint32_t at, uint32_t half)
{
    const uint32_t place = at % (2 * half);
    return place < half ? place : 2 * half - place;
}

/* As hard to code at any time: waves and a shape that move by, and noise. */
static void
draw_moving(const struct rate_stream_options *options, uint32_t time, uint8_t *dst)
{
    uint32_t noise = time * 2654435761u + 1;
    for (uint32_t y = 0; y < options->height_px; y++) {
        for (uint32_t x = 0; x < options->width_px; x++) {
            const uint32_t u = x + 3 * time, v = y + time;
            noise = noise * 1664525u + 1013904223u;
            uint32_t value =
                40 + wave(u, 47) + wave(v, 31) + wave(u / 3 + v / 2, 19) + (noise >> 30);
            if (wave(x + 7 * time, 173) < 40 && wave(y + 2 * time, 61) < 30)
                value = 220 - wave(3 * u + 5 * v, 40);
            *dst++ = (uint8_t)value;
        }
    }
}

bool
rate_stream_draw(const struct rate_stream_options *options, uint32_t time, uint8_t *dst)
{
    uint32_t scene = options->scene;
    if (options->scene_length > 0)
        scene = (scene + time / options->scene_length) % (RATE_SCENE_SLOW + 1);
    if (scene == RATE_SCENE_BLACK) {
        memset(dst, 0, (size_t)options->width_px * options->height_px);
        return false;
    }
    draw_moving(options,
                scene == RATE_SCENE_FAST   ? 7 * time + 991
                : scene == RATE_SCENE_SLOW ? time / 8 + 500
                                           : time,
                dst);
    return true;
}

double
rate_stream_bps(const struct rate_stream *stream, uint32_t first, uint32_t end)
{
    double bits = 0;
    for (uint32_t i = first; i < end; i++)
        bits += 8.0 * (double)stream->record[i].size_B;
    return bits * RATE_STREAM_FPS / (end - first);
}

double
rate_stream_worst_bps(const struct rate_stream *stream, uint32_t first, uint32_t end,
                      uint32_t window)
{
    double worst = 0;
    for (uint32_t i = first; i + window <= end; i++)
        worst = fmax(worst, rate_stream_bps(stream, i, i + window));
    return worst;
}

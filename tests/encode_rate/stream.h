/* SPDX-License-Identifier: MIT */
/* Streams with rate control, as applications make them: intra pictures at a distance, pictures that
 * are coded ahead and shown after those in between, temporal layers, settings that change. What
 * depends on the codec is rate_stream.c in its folder of tests.
 */
#ifndef RP_TESTS_ENCODE_RATE_STREAM_H
#define RP_TESTS_ENCODE_RATE_STREAM_H

#include "reelpipe/rate.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RATE_STREAM_PICTURES 1200
#define RATE_STREAM_CHANGES 4
#define RATE_STREAM_FPS 30

enum rate_scene {
    RATE_SCENE_MOVING,
    RATE_SCENE_FAST,
    RATE_SCENE_SLOW,
    RATE_SCENE_BLACK,
};

struct rate_stream_options {
    uint32_t width_px;
    uint32_t height_px;
    uint32_t bit_depth; /* 0: 8 */
    uint32_t picture_count;
    uint32_t quality_level;
    uint32_t period;      /* from key picture to key picture; 0: there is one */
    uint32_t b_run;       /* B pictures between two others; period - 1 is a multiple of 1 + it */
    uint32_t layer_count; /* temporal, without B pictures; 0: one */
    enum rate_scene scene;
    uint32_t scene_length; /* pictures, after which the next scene begins; 0: there is one */
    struct rp_rate_settings rate;
    struct {
        uint32_t picture; /* from which on the rate is this one */
        struct rp_rate_settings rate;
    } change[RATE_STREAM_CHANGES];
    uint32_t change_count;
};

struct rate_record {
    size_t size_B;
    enum rp_rate_type type;
    uint32_t layer;
    uint32_t min_q; /* of its blocks' quantisers */
    uint32_t max_q;
};

/* The coded pictures in their order, and what was coded. */
struct rate_stream {
    struct rate_record record[RATE_STREAM_PICTURES];
    uint32_t count;
    uint64_t hash; /* of the stream */
};

/* What the claims must know of the codec (its rate_stream.c). */
struct rate_stream_codec {
    int32_t max_q;
    int32_t finest_q;   /* that a rate asks for by itself */
    uint32_t bit_depth; /* the greatest one */
    uint32_t quality_level;
    int32_t low_q[2][RP_RATE_TYPES]; /* two pairs of bounds, far enough apart to be seen */
    int32_t high_q[2][RP_RATE_TYPES];
};
extern const struct rate_stream_codec rate_stream_codec;

/* One layer at 30 pictures a second and a buffer of a second, full to three quarters. */
struct rp_rate_settings rate_stream_settings(enum rp_rate_mode mode, uint64_t average_bps,
                                             uint64_t max_bps);

/* Codes and judges: in rate_stream.c. */
void rate_stream_run(const struct rate_stream_options *options, struct rate_stream *out);

/* For rate_stream.c: what is set for the picture of that number in coded order. */
const struct rp_rate_settings *rate_stream_rate(const struct rate_stream_options *options,
                                                uint32_t picture);

/* For rate_stream.c: luma of that time, 0 to 255, to each sample of dst. False: the picture is
 * black. */
bool rate_stream_draw(const struct rate_stream_options *options, uint32_t time, uint8_t *dst);

/* Bits a second of the pictures from first to end. */
double rate_stream_bps(const struct rate_stream *stream, uint32_t first, uint32_t end);

/* The largest rate of so many pictures on end. */
double rate_stream_worst_bps(const struct rate_stream *stream, uint32_t first, uint32_t end,
                             uint32_t window);

#endif

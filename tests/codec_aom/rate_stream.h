/* SPDX-License-Identifier: MIT */
/* Streams with rate control, as applications make them: key frames at a distance, pictures that are
 * coded ahead and shown after those in between, temporal layers, settings that change.
 */
#ifndef RP_TESTS_CODEC_AOM_RATE_STREAM_H
#define RP_TESTS_CODEC_AOM_RATE_STREAM_H

#include "app.h"

#include "reelpipe/rate.h"

#define RATE_STREAM_PICTURES 1200
#define RATE_STREAM_CHANGES 4

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
    uint32_t period;      /* from key frame to key frame; 0: there is one */
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
    void (*draw)(struct app *app, uint32_t time, void *ctx); /* or NULL: the scenes */
    void *draw_ctx;
};

struct rate_record {
    size_t size_B;
    enum rp_rate_type type;
    uint32_t layer;
    uint32_t min_q;
    uint32_t max_q;
};

/* Of the coded pictures in their order, and what was coded. */
struct rate_stream {
    struct rate_record record[RATE_STREAM_PICTURES];
    uint32_t count;
    uint64_t hash; /* of the stream */
    double psnr;   /* of luma, mean of the errors */
};

/* One layer at 30 pictures a second and a buffer of a second, full to three quarters. */
struct rp_rate_settings rate_stream_settings(enum rp_rate_mode mode, uint64_t average_bps,
                                             uint64_t max_bps);

/* Codes and judges. */
void rate_stream_run(const struct rate_stream_options *options, struct rate_stream *out);

/* Bits a second of the pictures from first to end. */
double rate_stream_bps(const struct rate_stream *stream, uint32_t first, uint32_t end, double fps);

/* The largest rate of so many pictures on end. */
double rate_stream_worst_bps(const struct rate_stream *stream, uint32_t first, uint32_t end,
                             uint32_t window, double fps);

#endif

/* SPDX-License-Identifier: MIT */
/* What the application of these tests is made of: app.c and app_job.c.
 */
#ifndef RP_TESTS_CODEC_X264_APP_STATE_H
#define RP_TESTS_CODEC_X264_APP_STATE_H

#include "app.h"

#include <semaphore.h>

#define MAX_IN_FLIGHT 8

struct work {
    struct rp_h264_encode_job job;
    struct header header;
    struct rp_h264_weights weights;
    struct rp_h264_slice slices[APP_MAX_SLICES];
    uint8_t *src;
    int16_t *map;
    float *emphasis;
    uint8_t *force_intra;
    uint8_t *intra_clean;
    uint32_t record;
    uint32_t entry;
    struct rp_task task;
    sem_t is_done;
    struct app *app;
};

struct app {
    struct app_options options;
    const struct rp_encode_codec *codec;
    struct rp_workers *workers;
    struct rp_encoder *encoder;
    struct rp_encoder_rate *rate;
    StdVideoH264SequenceParameterSet sps;
    StdVideoH264PictureParameterSet pps;
    struct dpb dpb;
    uint32_t random;
    uint32_t mb_width;
    uint32_t mb_height;
    uint32_t epoch;
    uint32_t epoch_display; /* display index at POC 0 */
    uint32_t prev_ref_frame_num;
    struct app_record *records;
    uint32_t record_count;
    struct work work[MAX_IN_FLIGHT];
    uint32_t begun_count;
    uint32_t ended_count;
    enum rp_codec_status status;
};

/* The number, or what stands for 0. */
uint32_t app_or_default(uint32_t value, uint32_t fallback);

/* All of w->job, and the source it reads, for a picture. */
void app_job_set(struct app *app, struct work *w, const struct app_picture *pic);

#endif

/* SPDX-License-Identifier: MIT */
/* A key frame of grey pixels, and an inter frame that repeats it: the smallest jobs for a decoder.
 */
#ifndef RP_TESTS_VIDEO_AV1_GREY_H
#define RP_TESTS_VIDEO_AV1_GREY_H

#include "tests/codec_dav1d/app.h"
#include "tests/codec_dav1d/std_structures.h"

#define AV1_GREY_WIDTH_PX 32
#define AV1_GREY_HEIGHT_PX 16
#define AV1_GREY_STRIDE_B 64
#define AV1_GREY_LUMA 126
#define AV1_GREY_TILE_B 2

struct av1_grey {
    struct rp_av1_state state;
    struct rp_av1_frame frame;
    struct std_structures std; /* of the last job */
    uint8_t luma[AV1_GREY_STRIDE_B * AV1_GREY_HEIGHT_PX];
    uint8_t chroma[AV1_GREY_STRIDE_B * AV1_GREY_HEIGHT_PX];
};

void av1_grey_init(struct av1_grey *grey);

/* The key frame, into the slot. It points into grey, whose structures may be changed. */
struct app_job av1_grey_job(struct av1_grey *grey, int32_t slot);

/* A picture that refers to others: none until names are given. */
struct app_job av1_grey_inter_job(struct av1_grey *grey, int32_t slot);

#endif

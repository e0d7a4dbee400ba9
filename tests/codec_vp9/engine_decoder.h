/* SPDX-License-Identifier: MIT */
/* Pictures of the application decoded by the driver's decode engine.
 */
#ifndef RP_TESTS_CODEC_VP9_ENGINE_DECODER_H
#define RP_TESTS_CODEC_VP9_ENGINE_DECODER_H

#include "app.h"

struct rp_video_decode;

struct engine_decoder {
    struct rp_video_decode *dec;
    bool is_moving;    /* each picture is in an image of its own */
    uint64_t sequence; /* of the submission before */
    uint64_t image_ids[APP_SLOTS];
    uint64_t last_image_id;
    void (*enters)(bool is_entering); /* told when the driver's code begins and ends; or NULL */
};

/* app_decoder's decode(); context is a struct engine_decoder. */
enum rp_codec_status engine_decode(void *context, const struct app_job *job);

#endif

/* SPDX-License-Identifier: MIT */
/* What a session of the decode engine consists of; private to decode/ and to the standards' halves.
 */
#ifndef RP_VIDEO_DECODE_SESSION_H
#define RP_VIDEO_DECODE_SESSION_H

#include "video/decode/engine.h"
#include "video/decode/slots.h"

#include <pthread.h>

struct rp_video_decode {
    const struct rp_decode_standard *standard; /* borrowed */
    const struct rp_decode_codec *codec;       /* borrowed */
    struct rp_decoder *codec_dec;              /* owned */
    struct rp_decode_slots slots;
    void *state;           /* owned; the standard's, or NULL */
    pthread_mutex_t mutex; /* guards all: held while a picture is decoded */
};

/* For the decode() of a standard, after the slots of its references have been used: the slot that
 * the request's picture is kept in, or -1. A picture that is no reference needs none. */
int32_t rp_decode_setup_slot(struct rp_video_decode *dec, const struct rp_decode_request *request,
                             bool is_reference);

/* The rest of what all jobs have in common. */
struct rp_decode_job rp_decode_common_job(const struct rp_decode_request *request,
                                          int32_t setup_slot);

#endif

/* SPDX-License-Identifier: MIT */
/* The two fields of a frame follow each other on a session, and pictures that fill all slots come
 * in their turn.
 *
 * They may come in submissions of their own, on several queues; FFmpeg takes the next queue for
 * each. A picture that refers to nothing waits for nobody: it could run between two fields, which
 * are no pair then. So what was submitted after a second field waits for it, and a first field
 * waits for what was submitted before it.
 *
 * In the same way an IDR picture could take a slot from an earlier picture that has yet to refer to
 * it: FFmpeg 9 submits in order, to the next queue each time, and waits for references alone. Where
 * both have not enough slots, the later one waits.
 */
#ifndef RP_VIDEO_H264_FIELDS_H
#define RP_VIDEO_H264_FIELDS_H

#include "reelpipe/decode_identity.h"
#include "reelpipe/picture_key.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define RP_H264_EXPECTED_PICTURES 32

/* A field, or a frame, and the submission that it is in. */
struct rp_h264_field {
    struct rp_picture_key key; /* of the setup slot's picture resource; image_id 0: none */
    uint32_t fields;           /* RP_DECODE_TOP or RP_DECODE_BOTTOM; both: a frame */
    uint32_t ref_count;
    uint64_t sequence;
};

/* Zeroed and then initialised. */
struct rp_h264_fields {
    pthread_mutex_t mutex; /* guards these two: who submits does not wait for a picture */
    struct rp_h264_field expected[RP_H264_EXPECTED_PICTURES]; /* submitted, not decoded; a ring */
    uint32_t next;

    struct rp_h264_field open; /* the first field of a frame that was decoded last */
    pthread_cond_t changed;    /* it; with the session's mutex */
};

void rp_h264_fields_init(struct rp_h264_fields *fields);
void rp_h264_fields_finish(struct rp_h264_fields *fields);

/* A picture was submitted. */
void rp_h264_fields_expect(struct rp_h264_fields *fields, const struct rp_h264_field *field);

/* A picture is about to be decoded: waits, with the mutex, until it does not part two fields, nor
 * takes a slot that is needed; but not for long. */
void rp_h264_fields_enter(struct rp_h264_fields *fields, pthread_mutex_t *mutex,
                          const struct rp_h264_field *picture);

/* The picture will not be decoded: nobody is to wait for it. With the mutex. */
void rp_h264_fields_give_up(struct rp_h264_fields *fields, const struct rp_h264_field *picture);

/* The picture was decoded. */
void rp_h264_fields_leave(struct rp_h264_fields *fields, const struct rp_h264_field *picture);

#endif

/* SPDX-License-Identifier: MIT */
/* Which pictures of a decode session have been submitted.
 *
 * A picture whose reference has not been is early: the application is wrong, but FFmpeg 7 with
 * frame threads is so all the time. Its threads take a frame's semaphore value in whatever order
 * they come, and the thread of a picture may come before the one of its reference.
 */
#ifndef RP_VIDEO_DECODE_ORDER_H
#define RP_VIDEO_DECODE_ORDER_H

#include "video/decode/slots.h"

#include <stdbool.h>
#include <stdint.h>

#define RP_DECODE_TOP 1u
#define RP_DECODE_BOTTOM 2u

/* A picture as its own command and those that refer to it tell it apart from what was in the image
 * before. */
struct rp_decode_identity {
    struct rp_decode_key key;
    uint32_t fields;    /* RP_DECODE_TOP | RP_DECODE_BOTTOM */
    uint32_t frame_num; /* not of long-term references, which have none */
    bool is_long_term;
    int32_t poc[2]; /* of the fields */
};

#define RP_DECODE_ORDER_PICTURES 64

/* Zeroed: nothing was submitted. */
struct rp_decode_order {
    struct rp_decode_identity at[RP_DECODE_ORDER_PICTURES]; /* the newest ones, a ring */
    uint64_t last_use[RP_DECODE_ORDER_PICTURES];            /* picture_count then */
    uint32_t next;
    uint64_t picture_count; /* added */
    bool is_disorderly;     /* pictures have come before their references */
    uint32_t in_vain_count; /* early pictures in a row whose references never came */
};

/* What is in made is, or is part of, what wanted refers to; fields of it are taken from wanted.
 * True when any is. */
bool rp_decode_identity_take(struct rp_decode_identity *wanted,
                             const struct rp_decode_identity *made);

/* False when wanted names a picture that was not submitted. In a disorderly session also when
 * nobody has named it for a while: numbers repeat from one IDR picture to the next, and a new
 * picture may be meant that gets the same image. */
bool rp_decode_order_has(struct rp_decode_order *order, const struct rp_decode_identity *wanted);
void rp_decode_order_add(struct rp_decode_order *order, const struct rp_decode_identity *made);

#endif

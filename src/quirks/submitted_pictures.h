/* SPDX-License-Identifier: MIT */
/* Which pictures of a decode session have been submitted.
 *
 * A picture whose reference has not been is early: the application is wrong, but an FFmpeg with
 * frame threads is so all the time. Its threads take a frame's semaphore value in whatever order
 * they come, and the thread of a picture may come before the one of its reference.
 */
#ifndef RP_QUIRKS_SUBMITTED_PICTURES_H
#define RP_QUIRKS_SUBMITTED_PICTURES_H

#include "reelpipe/quirks.h"

#include <stdbool.h>
#include <stdint.h>

#define RP_SUBMITTED_PICTURES 64

/* Zeroed: nothing was submitted. */
struct rp_submitted_pictures {
    struct rp_decode_identity at[RP_SUBMITTED_PICTURES]; /* the newest ones, a ring */
    uint64_t last_use[RP_SUBMITTED_PICTURES];            /* picture_count then */
    uint32_t next;
    uint64_t picture_count; /* that were added */
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
bool rp_submitted_pictures_have(struct rp_submitted_pictures *pictures,
                                const struct rp_decode_identity *wanted);
void rp_submitted_pictures_add(struct rp_submitted_pictures *pictures,
                               const struct rp_decode_identity *made);

#endif

/* SPDX-License-Identifier: MIT */
/* Slots, and what begin() finds out of a job.
 *
 * A slot has the content of the last picture that began to be coded into it. While others still
 * read the one before, the next picture gets another content, and does not wait.
 *
 * Applications' images do not belong to slots: the engine may give a slot to another image while a
 * job is yet to copy to the one before. Who adopts an image, or copies to it, looks at all jobs.
 */
#ifndef RP_CODECS_KVAZAAR_SLOT_H
#define RP_CODECS_KVAZAAR_SLOT_H

#include "codecs/kvazaar/content.h"
#include "codecs/rate/turns.h"

struct rp_encoder_slot {
    struct rp_kvazaar_content *content; /* owned; NULL until first used */
};

/* From begin() to the end of encode(). */
struct rp_kvazaar_begun {
    struct rp_kvazaar_begun *next;    /* in the encoder's free list, or that of copies */
    struct rp_kvazaar_content *recon; /* NULL: none is kept */
    struct rp_picture image;          /* with recon: the application's, which it is copied to */
    struct rp_turn *turn;             /* of jobs with rate control */

    /* Distinct references, and which of them each entry of the lists is. */
    struct rp_kvazaar_content *pictures[RP_KVAZAAR_MAX_PICTURES];
    uint32_t picture_count;
    uint8_t lists[2][RP_H265_ENCODE_MAX_REFS];
};

static inline struct rp_kvazaar_begun *
rp_kvazaar_begun_of(const struct rp_h265_encode_job *job)
{
    return job->common.codec_private;
}

#endif

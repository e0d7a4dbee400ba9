/* SPDX-License-Identifier: MIT */
/* Slots, and what begin() finds out of a job.
 *
 * A slot has the content of the last picture that began to be coded into it. While others still read
 * the one before, the next picture gets another content, and does not wait.
 */
#ifndef RP_CODECS_KVAZAAR_SLOT_H
#define RP_CODECS_KVAZAAR_SLOT_H

#include "codecs/kvazaar/content.h"
#include "codecs/rate/turns.h"

struct rp_encoder_slot {
    struct rp_kvazaar_content *content; /* owned; NULL until first used */

    /* The application's image; guarded by the encoder's mutex. */
    uint32_t copies_begun; /* jobs that copy there when they end, in the order they began */
    uint32_t copies_done;
};

/* From begin() to the end of encode(). */
struct rp_kvazaar_begun {
    struct rp_kvazaar_begun *next;    /* in the encoder's free list */
    struct rp_kvazaar_content *recon; /* NULL: none is kept */
    uint32_t copy_number;             /* of copies_begun, with recon */
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

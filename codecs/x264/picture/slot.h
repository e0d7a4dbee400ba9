/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slots, and what begin() finds out of a job.
 *
 * A slot has the content of the last picture coded into it. While others still read that one, the
 * next picture gets another content: it does not wait, and its pixels are copied to the
 * application's image when those who use the image in place have ended.
 */
#ifndef RP_CODECS_X264_PICTURE_SLOT_H
#define RP_CODECS_X264_PICTURE_SLOT_H

#include "picture/content.h"
#include "rate/session.h"

struct rp_encoder_slot {
    struct rp_x264_content *content; /* owned; NULL until first used */

    /* The application's image; guarded by the encoder's mutex but for the planes, begin()'s. */
    const uint8_t *planes[2];
    uint32_t in_place_count; /* uses of contents that are in place there */
    uint32_t copies_begun;   /* jobs that copy there when they end, in the order they began */
    uint32_t copies_done;
};

/* From begin() to the end of encode(). */
struct rp_x264_begun {
    struct rp_x264_begun *next;    /* in the encoder's free list */
    struct rp_x264_content *recon; /* NULL: none is kept */
    struct rp_x264_content *refs[2][RP_H264_MAX_REFS];
    uint32_t copy_number;                  /* of copies_begun, when recon is not in place */
    struct rp_x264_rate_snapshot snapshot; /* of jobs with rate control */
    uint64_t rate_number;                  /* how many jobs with rate control began before */
    bool is_after_constant;                /* the job just before has a constant QP */
};

static inline struct rp_x264_begun *
rp_x264_begun_of(const struct rp_h264_encode_job *job)
{
    return job->common.codec_private;
}

#endif

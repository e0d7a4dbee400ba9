/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The encoder of one video session: contexts, and which jobs use which slot.
 *
 * The room:
 *   encoder.c  the contract's functions: jobs begin in order, and are coded on any thread
 *   check.c    jobs that x264 could not code are refused
 *   pool.c     an encoder's contexts, for codecs/pool
 *   context.c  one x264_t that serves constant QP and rate control, and the table of hooks by which
 *              x264's code calls up
 *   picture/   the slots and stages of one picture (picture/picture.h)
 *   rate/      rate control: codecs/rate over x264's state (rate/order.h)
 *   glue/      x264's own files, included unchanged, and what replaces its functions (glue/core.h)
 *   stubs.c    all of this in a build without x264
 */
#ifndef RP_CODECS_X264_ENCODER_H
#define RP_CODECS_X264_ENCODER_H

#include "picture/slot.h"

#include <pthread.h>

struct rp_encoder {
    struct rp_workers *workers;        /* borrowed */
    const struct rp_x264_hooks *hooks; /* of its contexts */
    pthread_mutex_t mutex;             /* guards all below, and the counts of slots and contents */
    pthread_cond_t job_ended;
    struct rp_pool pool; /* of contexts */
    struct rp_x264_begun *free_begun;
    uint32_t rated_count;           /* jobs with rate control begun and not ended */
    uint64_t rated_begun;           /* of them, ever: the number of the next one */
    uint64_t rated_coded;           /* of them, ever; the number of the first that is not */
    bool constant_is_last;          /* the last job that began had a constant QP */
    struct rp_x264_content *spares; /* unused, of no slot */
    uint32_t extra_count;           /* contents of no slot: spares, and those still read */
    uint64_t serial;                /* of the last content coded */
};

/* With its workers, its hooks and its mutex. */
void rp_x264_encoder_init_pool(struct rp_encoder *enc);

/* A context for config that is the caller's until it is released. NULL when memory is short. */
struct rp_x264_context *rp_x264_encoder_acquire(struct rp_encoder *enc,
                                                const struct rp_x264_config *config);

/* is_broken: its last picture failed half way; it is not used again. */
void rp_x264_encoder_release(struct rp_encoder *enc, struct rp_x264_context *ctx, bool is_broken);

#endif

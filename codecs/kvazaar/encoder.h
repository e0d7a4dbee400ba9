/* SPDX-License-Identifier: MIT */
/* The encoder of a session. Pictures overlap: each is coded by a context of its own, on several
 * threads (wave.h), and waits for those blocks of its references that it reads (awaited.c). Those
 * with rate control follow each other: the size of one decides how the next is coded, and one whose
 * size is too far from its plan is coded again, with other samples than another picture might have
 * read by then.
 *
 *   encoder.c    the contract's functions: jobs begin in order, and are coded on any thread
 *   check.c      jobs that kvazaar could not code are refused
 *   pool.c       an encoder's contexts, for codecs/pool
 *   context.c    one encoder of kvazaar
 *   job_slots.c  which content of a slot (slot.h) a job reads and writes
 *   picture.c    one picture: references.c, wave.c, step.c, slices.c
 *   core_*.c     kvazaar's own files, and what replaces their functions (core.h)
 *   stubs.c      all of this in a build without kvazaar
 */
#ifndef RP_CODECS_KVAZAAR_ENCODER_H
#define RP_CODECS_KVAZAAR_ENCODER_H

#include "codecs/kvazaar/context.h"
#include "codecs/kvazaar/slot.h"
#include "codecs/rate/turns.h"

#include <pthread.h>

/* Where so many are idle, and none is as a picture wants it, a new one takes the place of the one
 * used longest ago; those of another extent go first. */
#define RP_KVAZAAR_CONTEXTS 4u

/* Jobs with rate control on their way at once: one is coded, the other is got ready. Each holds a
 * context. */
#define RP_KVAZAAR_RATED_MOST 2u

/* The codec of the bit depth that this file is compiled for, and that of 10 bits, whose names have
 * the number in them (tools/gen/kvazaar_names.py). */
extern const struct rp_encode_codec rp_kvazaar_codec;
extern const struct rp_encode_codec rp_kvazaar10_codec;

struct rp_encoder {
    struct rp_workers *workers; /* borrowed; or NULL */
    struct rp_turns turns;      /* of jobs with rate control */
    pthread_mutex_t mutex;      /* of what follows, and the counts of contents */
    pthread_cond_t job_ended;
    struct rp_pool pool; /* of contexts */
    struct rp_kvazaar_begun *free_begun;
    uint32_t rated_count; /* jobs with rate control begun and not ended */
    /* Jobs that copy to an image when they end, the last one first; not owned. */
    struct rp_kvazaar_begun *copies;
    struct rp_kvazaar_content *spares; /* unused, of no slot */
    uint32_t extra_count;              /* contents of no slot: spares, and those still read */
};

/* With its workers and its mutex. */
void rp_kvazaar_encoder_init_pool(struct rp_encoder *enc);

/* A context for config that is the caller's until it is released. NULL when memory is short. */
struct rp_kvazaar_context *rp_kvazaar_encoder_acquire(struct rp_encoder *enc,
                                                      const struct rp_kvazaar_config *config);

/* is_broken: memory was short; it is not used again. */
void rp_kvazaar_encoder_release(struct rp_encoder *enc, struct rp_kvazaar_context *ctx,
                                bool is_broken);

#endif

/* SPDX-License-Identifier: MIT */
/* The rows of a picture side by side: with wavefronts (entropy_coding_sync_enabled_flag) each row
 * of coding tree blocks follows the one above by two, and begins with what that knew then (9.3.1).
 * Slices follow nothing.
 *
 * Threads take rows from the top. What a block reads of others is what it reads when rows are coded
 * one after the other: bytes do not depend on the number of threads.
 */
#ifndef RP_CODECS_KVAZAAR_WAVE_H
#define RP_CODECS_KVAZAAR_WAVE_H

#include "codecs/kvazaar/coded_rows.h"
#include "codecs/kvazaar/core.h"
#include "codecs/kvazaar/heap.h"

#include "util/compiler.h"

#include "platform/progress.h"

#include "reelpipe/workers.h"

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* The thread that codes a row, or a whole slice where there are no wavefronts, first prepares its
 * part of the picture: samples from y_px to end_px. */
typedef void rp_kvazaar_prepare_fn(void *ctx, uint32_t y_px, uint32_t end_px);

struct rp_kvazaar_row {
    alignas(128) struct rp_progress done; /* its first so many blocks */
    encoder_state_t *leaf;
    uint32_t block_count;
    struct rp_kvazaar_heap heap;  /* what coding it takes */
    struct rp_kvazaar_row *above; /* of the same slice; or NULL */
    uint32_t y_px;
    uint32_t end_px;
};

/* Zeroed at first. */
struct rp_kvazaar_wave {
    struct rp_workers *workers;  /* borrowed; NULL: the caller's thread alone works */
    struct rp_kvazaar_row *rows; /* owned */
    uint32_t row_count;
    uint32_t thread_limit; /* as many find work */

    /* The picture. */
    const struct rp_kvazaar_motion *motion; /* what it refers to */
    struct rp_kvazaar_coded_rows *coded;    /* or NULL */
    rp_kvazaar_prepare_fn *prepare;
    void *prepare_ctx;
    alignas(128) atomic_uint next_row; /* that nobody codes yet */
    atomic_bool has_failed;            /* memory was short */
};

/* For the leaves of state, which is there as long as the wave. False when memory is short. */
bool rp_kvazaar_wave_init(struct rp_kvazaar_wave *wave, struct rp_workers *workers,
                          encoder_state_t *state) RP_MUST_CHECK;
void rp_kvazaar_wave_finish(struct rp_kvazaar_wave *wave); /* of zeroes, too */

/* rp_workers_run_on(), on as many threads as find work, or here. */
void rp_kvazaar_wave_run(const struct rp_kvazaar_wave *wave, uint32_t count,
                         void (*fn)(void *ctx, uint32_t i, uint32_t thread), void *ctx);

/* Codes the picture that has begun (rp_kvazaar_state_begin()). Rows of it and of other pictures are
 * one pool of work: one is taken when its references have what it reads but for long vectors.
 * motion: what it refers to; coded: is told of its blocks, or NULL. False when memory was short. */
bool rp_kvazaar_wave_code(struct rp_kvazaar_wave *wave, const struct rp_kvazaar_motion *motion,
                          struct rp_kvazaar_coded_rows *coded, rp_kvazaar_prepare_fn *prepare,
                          void *ctx) RP_MUST_CHECK;

#endif

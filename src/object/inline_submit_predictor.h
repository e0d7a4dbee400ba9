/* SPDX-License-Identifier: MIT */
/* Predicts whether the thread that submits to a queue will wait for that submission at once, as
 * many applications do picture by picture. If so the work may run inside vkQueueSubmit: no thread
 * has to be woken, neither for the work nor at its end, and the caches stay warm.
 *
 * The prediction is made after several such waits in a row. When it proves wrong, more of them are
 * required before the next one. It changes how long things take and nothing else.
 */
#ifndef RP_OBJECT_INLINE_SUBMIT_PREDICTOR_H
#define RP_OBJECT_INLINE_SUBMIT_PREDICTOR_H

#include "util/compiler.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* One for each queue. Only the thread that submitted last uses what follows `thread`; the fields
 * are atomic because other threads compare themselves with `thread` while it may change. */
struct rp_inline_predictor {
    atomic_uintptr_t thread;           /* that submitted last */
    atomic_uint_fast64_t serial;       /* of its submission */
    atomic_uint_fast64_t submitted_ns; /* when vkQueueSubmit was done with it */
    atomic_uint_fast64_t work_ns;      /* that it took in vkQueueSubmit; 0: it did not run there */
    atomic_uint_fast64_t gap_ns;       /* from then to the wait for it */
    atomic_bool was_awaited;           /* the thread waited at once, and not for long */
    atomic_uint seen_count;            /* such waits in a row */
    atomic_uint wanted_count;          /* such waits that a prediction requires */
};

/* Stored in a payload: the submission that will signal it. Zeroed: none. */
struct rp_inline_predictor_mark {
    _Atomic(struct rp_inline_predictor *) predictor;
    atomic_uint_fast64_t serial;
    atomic_uint_fast64_t value;
};

void rp_inline_predictor_init(struct rp_inline_predictor *predictor);

/* Called when a submission that is not short begins. is_alone: the queue has nothing else to do.
 * Returns true when it may run inside vkQueueSubmit. */
bool rp_inline_predictor_begin(struct rp_inline_predictor *predictor, bool is_alone) RP_MUST_CHECK;

/* The submission that has begun will raise the payload to value. */
void rp_inline_predictor_mark(struct rp_inline_predictor *predictor,
                              struct rp_inline_predictor_mark *mark, uint64_t value);

/* vkQueueSubmit is about to return. work_ns: how long the work took in it; 0: it did not run
 * here. */
void rp_inline_predictor_end(struct rp_inline_predictor *predictor, uint64_t work_ns);

/* Called when a thread begins to wait for a payload. Returns the predictor whose prediction this
 * wait confirms, or NULL. */
struct rp_inline_predictor *rp_inline_predictor_find(const struct rp_inline_predictor_mark *mark,
                                                     uint64_t value);
/* rp_inline_predictor_find() for a wait until the queue is idle. */
struct rp_inline_predictor *rp_inline_predictor_find_last(struct rp_inline_predictor *predictor);
/* The wait that confirms the prediction has succeeded. Accepts NULL. */
void rp_inline_predictor_note_wait(struct rp_inline_predictor *predictor);

#endif

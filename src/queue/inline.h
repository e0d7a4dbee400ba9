/* SPDX-License-Identifier: MIT */
/* Replay inside vkQueueSubmit, in place of the queue's thread: nobody has to be woken.
 *
 * It happens when the queue is idle, all semaphores are signalled, and the work is short, or it is
 * long and its thread is known to wait for it at once (object/inline_submit_predictor.h).
 */
#ifndef RP_QUEUE_INLINE_H
#define RP_QUEUE_INLINE_H

#include "util/compiler.h"

#include <stdbool.h>

struct rp_queue;
struct rp_submission;

/* The list of NEW submissions of one vkQueueSubmit. True: they were taken, and replayed. is_short:
 * rp_submissions_are_short(). */
bool rp_queue_try_run_inline(struct rp_queue *queue, struct rp_submission *first,
                             bool is_short) RP_MUST_CHECK;

/* All of the list may run inside vkQueueSubmit, whoever waits for it. */
bool rp_submissions_are_short(const struct rp_submission *first);

#endif

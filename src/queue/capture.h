/* SPDX-License-Identifier: MIT */
/* The replay of a submission, captured (REELPIPE_CAPTURE): described before it begins, looked at
 * when it and its jobs have ended, one submission of the device at a time.
 */
#ifndef RP_QUEUE_CAPTURE_H
#define RP_QUEUE_CAPTURE_H

#include <stdbool.h>

struct rp_queue;
struct rp_submission;

/* The replayer, with the queue's device captured: sub, and before it the list merged (each may be
 * NULL), are about to be replayed. True: rp_queue_capture_end() has to follow, whatever becomes of
 * them. */
bool rp_queue_capture_begin(struct rp_queue *queue, const struct rp_submission *merged,
                            const struct rp_submission *sub);
void rp_queue_capture_end(struct rp_queue *queue, bool has_run);

#endif

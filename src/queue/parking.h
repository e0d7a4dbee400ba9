/* SPDX-License-Identifier: MIT */
/* Submissions that decode a picture before its reference was submitted wait for it here.
 *
 * vkCmdBeginVideoCodingKHR makes that invalid (the slot would not be active), and no order of the
 * semaphores helps: the reference's submission waits for this one, which took the frame's semaphore
 * first. FFmpeg 7's frame threads may do it (video/decode_order.h), though they take turns now
 * (object/decode_turns.h): that is waited for only so long. So the submission is parked; the one
 * that decodes the reference is absorbed by it, when it comes, and is replayed with it, before it.
 * A ghost stays in the absorbed one's queue and is done when it is. Queues that decode have no jobs
 * (queue/jobs.h): nothing is to retire meanwhile. Applications that do not have FFmpeg's name are
 * never parked.
 *
 * Not solved here: pictures 2 and 3 that come, in this order, after 4, which names only 3 (one
 * reference frame, three threads at once): 2 then stands in the queue behind 4, which is parked,
 * and 3 does without it after a while.
 */
#ifndef RP_QUEUE_PARKING_H
#define RP_QUEUE_PARKING_H

#include "queue/submission.h"
#include "util/compiler.h"

struct rp_device;

/* Takes the submissions of one vkQueueSubmit, a list. They may be parked then, and those that are
 * absorbed are replaced by ghosts. The caller announces (rp_sync_announce) once they are in its
 * queue: that is also for those that wait in rp_parking_leave. */
void rp_parking_admit(struct rp_device *dev, struct rp_submission **first);

/* The queue's thread, before it replays sub: waits, though not for long, until it need not be
 * parked any more. No more is absorbed from then on. */
void rp_parking_leave(struct rp_device *dev, struct rp_submission *sub);

/* Waits until sub and all that it has absorbed are ready. But what any of them waits for may be in a
 * queue behind sub or a ghost: VK_TIMEOUT after a while, and those that are absorbed do without.
 * Then they are to be replayed and to signal, before sub is waited for. */
VkResult rp_parking_wait_absorbed(struct rp_device *dev, struct rp_submission *sub) RP_MUST_CHECK;

#endif

/* SPDX-License-Identifier: MIT */
/* Merging: submissions that decode a picture before its reference was submitted.
 *
 * vkCmdBeginVideoCodingKHR makes that invalid (the slot would not be active), and no order of the
 * semaphores helps: the reference's submission waits for this one, which took the frame's semaphore
 * first. FFmpeg's frame threads do it (src/quirks/). So such a submission is deferred: it stays in
 * its queue's list and is not begun. When the submission that decodes the reference comes, it is
 * merged into the deferred one, which replays it first, and a placeholder takes its place in its
 * own queue; that is done when the merged one is. Queues that decode have no jobs (queue/jobs.h),
 * so nothing has to retire meanwhile. Submissions of other applications than those of a row in
 * quirks/table.c are never deferred.
 *
 * Not solved: pictures 2 and 3 that come, in this order, after 4, which names only 3 (one reference
 * frame, three threads at once). Then 2 stands in the queue behind 4, which is deferred, and 3 does
 * without it after a while.
 */
#ifndef RP_QUEUE_MERGE_H
#define RP_QUEUE_MERGE_H

#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

struct rp_device;
struct rp_queue;
struct rp_submission;

/* vkQueueSubmit: takes the list of NEW submissions of one call. Some may be deferred then, and
 * those that are merged are replaced by placeholders. The caller announces (rp_sync_announce) once
 * they are in its queue: that is also for those that wait in rp_merge_wait_released. */
void rp_merge_admit(struct rp_device *dev, struct rp_submission **first);

/* The replayer, before it begins sub: waits, though not for long, until sub is not deferred any
 * more. Nothing is merged into it from then on. */
void rp_merge_wait_released(struct rp_device *dev, struct rp_submission *sub);

/* The replayer: waits until sub and all that is merged into it are ready. But what one of them
 * waits for may be in a queue behind sub or behind a placeholder: after a while those that are
 * merged do without it, and are replayed and signalled here. */
VkResult rp_merge_wait_ready(struct rp_queue *queue, struct rp_submission *sub) RP_MUST_CHECK;

/* The replayer: replays what is merged into sub. */
VkResult rp_merge_replay(struct rp_queue *queue, const struct rp_submission *sub) RP_MUST_CHECK;

#endif

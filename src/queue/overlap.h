/* SPDX-License-Identifier: MIT */
/* Pictures of one encode session overlap, whatever queues and semaphores lie between them.
 *
 * FFmpeg makes each picture wait for the one before on a timeline, and takes another queue for
 * each. In the codec the pictures may overlap all the same: it knows by rows what a picture needs
 * of its references. So a submission that does nothing but encode pictures of one session
 * pre-signals its timelines when it is replayed, that is when its pictures have begun: "all that
 * comes before this value is done but for pictures of that session, which have begun". The
 * session's next submission begins then, and is overlapped: its own signals come after those that
 * it should have waited for.
 *
 * Submissions of one session begin in the order in which they were submitted, because what rate
 * control makes of a picture depends on those before it.
 */
#ifndef RP_QUEUE_OVERLAP_H
#define RP_QUEUE_OVERLAP_H

#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>

struct rp_queue;
struct rp_submission;

/* All semaphores that it waits for are signalled, or pre-signalled by its own encode session. */
bool rp_submission_may_begin(const struct rp_submission *sub);

/* What it began before is signalled by now. Always true of a submission that is not overlapped. */
bool rp_submission_may_signal(const struct rp_submission *sub);

/* Called when sub is replayed: pre-signals its timelines if pictures are all its work. The caller
 * announces. */
void rp_submission_pre_signal(const struct rp_submission *sub);

/* The replayer: waits until sub, which is WAITING, may begin, and until those of its session that
 * were submitted before have begun. Decides whether sub is overlapped. */
VkResult rp_queue_wait_begin(struct rp_queue *queue, struct rp_submission *sub) RP_MUST_CHECK;

/* The replayer: sub has been replayed and is about to join the replayed ones. */
void rp_queue_note_replayed(struct rp_queue *queue, const struct rp_submission *sub);

/* The replayer of queue has signalled: overlapped submissions of other queues may wait for that. */
void rp_queue_wake_overlapped(struct rp_queue *queue);

#endif

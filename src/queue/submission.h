/* SPDX-License-Identifier: MIT */
/* A submission: one batch of vkQueueSubmit, what it waits for, replays and signals.
 *
 * Its states, and who moves it on. The replayer is the thread that holds the queue's replay lock
 * (queue/jobs.h); everything right of NEW and LISTED belongs to it.
 *
 *    NEW ----> LISTED ----> WAITING ----> BEGUN ----> REPLAYED ----> RETIRED ----> SIGNALLED
 *     |   (1)          (2)     ^     (3)         (4)            (5)           (6)      ^
 *     +------------------------+                                                       |
 *     |          (7)                                                                   |
 *     +----> MERGED -------------------------------------------------------------------+
 *       (8)                                       (9)
 *
 *    (1) vkQueueSubmit's thread, under the queue's mutex: appends it to the queue's list (queue.c).
 *    (2) The replayer takes the oldest one off the list, which is FIFO (queue.c).
 *    (3) The replayer: all its semaphores are signalled, or those that are not are pre-signalled by
 *        pictures of the same encode session, with which it overlaps (overlap.h).
 *    (4) The replayer has replayed its command buffers; jobs that they started may go on. Its own
 *        signals are pre-signalled now, and the next picture of its session may begin.
 *    (5) The replayer: its jobs and all those before them have retired, and the semaphores that
 *        were only pre-signalled at (3) are signalled (jobs.c).
 *    (6) The replayer raises its semaphores and its fence, and frees it (jobs.c).
 *    (7) vkQueueSubmit's thread runs it itself: it holds the replay lock (inline.h).
 *    (8) vkQueueSubmit's thread, for an application with a quirk: a picture of another submission,
 *        which is held back, refers to one that this one decodes (merge.h).
 *    (9) The replayer of the submission that it was merged into, before or together with that one.
 *
 * On a lost device a submission is freed in whatever state it is, without its signals.
 */
#ifndef RP_QUEUE_SUBMISSION_H
#define RP_QUEUE_SUBMISSION_H

#include "object/sync.h"
#include "util/compiler.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct rp_cmd_buffer;
struct rp_video_session;

enum rp_submission_state {
    RP_SUBMISSION_NEW,       /* made by vkQueueSubmit and not handed over */
    RP_SUBMISSION_LISTED,    /* in its queue's list */
    RP_SUBMISSION_WAITING,   /* the oldest one that is not replayed: waits for its semaphores */
    RP_SUBMISSION_BEGUN,     /* its command buffers are being replayed */
    RP_SUBMISSION_REPLAYED,  /* its jobs, or jobs before them, may be under way */
    RP_SUBMISSION_RETIRED,   /* all its work is done */
    RP_SUBMISSION_SIGNALLED, /* about to be freed */
    RP_SUBMISSION_MERGED,    /* replayed with another one, in whose list it is */
};

/* A semaphore or fence that a submission waits for or signals. */
struct rp_submission_sync {
    struct rp_sync *sync; /* a reference */
    uint64_t value;
    bool is_timeline; /* else a wait resets it */
};

/* One allocation with its arrays behind the struct. It comes from the driver's allocator, because
 * the replayer frees it. */
struct rp_submission {
    struct rp_submission *next; /* in the list that its state names */
    struct rp_submission_sync *waits;
    struct rp_submission_sync *signals; /* the fence is the last one */
    struct rp_cmd_buffer **cbs; /* borrowed: the application keeps them until they have run */
    uint32_t wait_count;
    uint32_t signal_count;
    uint32_t cb_count;
    enum rp_submission_state state;
    uint64_t sequence;       /* among the device's submissions; also its id for quirks */
    uint64_t last_job;       /* the queue's jobs up to this number retire before it signals */
    bool is_short;           /* takes so little time that it may run inside vkQueueSubmit */
    bool reads_host_memory;  /* has to be done when vkQueueSubmit returns */
    bool never_waits_inside; /* once begun it waits for nobody, nor does it decode */

    /* Overlap of pictures (overlap.h). */
    struct rp_video_session *session; /* borrowed: the first that it encodes with, or NULL */
    uint64_t session_index;           /* among that session's submissions */
    uint32_t encode_session; /* the session's overlap_id if pictures are all its work, or 0 */
    bool is_overlapped;      /* it began when some of its waits were pre-signalled only */

    /* Merging (merge.h). */
    struct rp_submission *merged;        /* owned list: replayed before this one, in order */
    struct rp_submission *next_deferred; /* in the device's list, while it is deferred */
    uint64_t deferred_until_ns;          /* 0: it was never deferred */
    atomic_bool is_released;             /* it is not deferred any more */
};

/* The counts are limits: the caller counts up to them as it fills in. NULL when memory is short. */
struct rp_submission *rp_submission_create(uint32_t wait_limit, uint32_t cb_limit,
                                           uint32_t signal_limit) RP_MUST_CHECK;
/* Frees what was merged into it too. Accepts NULL. */
void rp_submission_destroy(struct rp_submission *sub);

/* One arrow of the drawing above leads from sub's state to this one. */
bool rp_submission_may_advance(const struct rp_submission *sub, enum rp_submission_state state);

/* Moves sub along one arrow of the drawing above; any other move is a bug. Inline: a submission
 * that runs inside vkQueueSubmit takes five of them in a tenth of a microsecond. */
static inline void
rp_submission_advance(struct rp_submission *sub, enum rp_submission_state state)
{
    assert(rp_submission_may_advance(sub, state));
    sub->state = state;
}

/* One of its semaphores is signalled. */
bool rp_submission_sync_is_signalled(const struct rp_submission_sync *wait);

/* All semaphores are signalled that it and those merged into it wait for. */
bool rp_submission_is_ready(const struct rp_submission *sub);

/* One of these semaphores may be signalled by another process: only polling tells. */
bool rp_submission_needs_polling(const struct rp_submission *sub);

/* Unsignals the binary semaphores that it and those merged into it have waited for. */
void rp_submission_reset_waits(const struct rp_submission *sub);

/* Raises the semaphores and fences of it and of those merged into it, which are SIGNALLED then, and
 * wakes those that wait for one of them alone. The caller announces it to the others. */
void rp_submission_signal(struct rp_device *dev, struct rp_submission *sub);

#endif

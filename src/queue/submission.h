/* SPDX-License-Identifier: MIT */
/* One batch of vkQueueSubmit: what it waits for, replays and signals.
 */
#ifndef RP_QUEUE_SUBMISSION_H
#define RP_QUEUE_SUBMISSION_H

#include "object/sync.h"
#include "util/compiler.h"

#include <stdbool.h>
#include <stdint.h>

struct rp_cmd_buffer;
struct rp_parking_ticket;
struct rp_queue;
struct rp_video_session;

struct rp_submission_sync {
    struct rp_sync *sync; /* a reference */
    uint64_t value;
    bool is_timeline; /* else a wait resets it */
};

/* One allocation, the arrays behind the struct; from the driver's allocator, because the queue's
 * thread gives it back. */
struct rp_submission {
    struct rp_submission *next;
    struct rp_submission_sync *waits;
    struct rp_submission_sync *signals; /* the fence is the last one */
    struct rp_cmd_buffer **cbs;         /* borrowed: the app keeps them until they have run */
    uint32_t wait_count;
    uint32_t signal_count;
    uint32_t cb_count;
    bool is_short;                    /* may run inside vkQueueSubmit */
    bool reads_host_memory;           /* has to be done when vkQueueSubmit returns */
    bool is_straight;                 /* once it is ready it waits for nobody */
    bool is_early;                    /* begun when some of its waits were promised only */
    struct rp_video_session *session; /* borrowed: the first that it encodes with, or NULL */
    uint64_t place;                   /* among that session's submissions */
    uint32_t encode_session; /* the session's overlap_id if pictures are all its work, or 0 */
    struct rp_parking_ticket *ticket; /* owned; NULL: was never parked (parking.h) */
    struct rp_submission *absorbed;   /* owned list: replayed before this one, in order */
    uint64_t sequence;                /* of the device's submissions */
    uint64_t job_count; /* of the queue's jobs that must be retired before the signals */
};

/* All counts at their limit: the caller sets the real ones as it fills in. NULL when short. */
struct rp_submission *rp_submission_create(uint32_t wait_limit, uint32_t cb_limit,
                                           uint32_t signal_limit) RP_MUST_CHECK;
void rp_submission_destroy(struct rp_submission *sub); /* accepts NULL */

/* All waits, also of those absorbed, could be done without waiting. */
bool rp_submission_is_ready(const struct rp_submission *sub);
bool rp_submission_needs_polling(const struct rp_submission *sub);

/* Pictures of one encode session overlap across semaphores: what such a picture signals is promised
 * when it has begun, and the next one begins. Its own signals come after those it waits for. */
bool rp_submission_may_begin(const struct rp_submission *sub);
bool rp_submission_may_signal(const struct rp_submission *sub);
/* It is replayed. Without announcing. */
void rp_submission_promise(const struct rp_submission *sub);

/* Binary semaphores that were waited for; with those of the absorbed. */
void rp_submission_reset_waits(const struct rp_submission *sub);

/* Also what is absorbed; without announcing. */
void rp_submission_signal(const struct rp_submission *sub);

/* Takes the list. In order. Runs them now when the queue is idle and they are short or waited for
 * at once, else on its thread. */
VkResult rp_queue_enqueue(struct rp_queue *queue, struct rp_submission *first) RP_MUST_CHECK;

#endif

/* SPDX-License-Identifier: MIT */
/* VkQueue: a thread that replays submissions in order.
 *
 * Who replays or retires has the lead; one thread at a time: the queue's, or that which submits,
 * when the work is short or is waited for at once (object/inline_submit_predictor.h). While the leader does the
 * work of a job itself, which it does when nothing else waits, a second thread may lead.
 *
 * Submissions of pictures of one encode session overlap, whatever queues and timelines lie between
 * them: FFmpeg makes each wait for the one before. They begin once those before them have begun
 * (submission.h), and signal in their order.
 *
 * Lock order: queue->submit_mutex, queue->mutex, the parking mutex (parking.c), the hub's
 * (object/sync.h); the worker pool's is taken alone. No lock but submit_mutex is held while a
 * command is replayed.
 */
#ifndef RP_QUEUE_QUEUE_H
#define RP_QUEUE_QUEUE_H

#include "cmd/job_host.h"
#include "object/inline_submit_predictor.h"
#include "object/object.h"
#include "object/sync.h"
#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct rp_bind_state;
struct rp_queue_job;
struct rp_submission;

/* What the leader of a queue waits for. */
struct rp_queue_wait {
    const struct rp_queue *queue;
    unsigned seen_count;            /* of what had finished */
    const struct rp_queue_job *job; /* the oldest one, or NULL */
    rp_sync_predicate *is_met;
    const void *ctx;
};

struct rp_queue_thread {
    struct rp_queue *queue;
    pthread_t id;
    bool is_there;
    bool is_follower; /* leads only while the other one is at work on a job */
};

struct rp_queue {
    struct rp_object base;
    struct rp_job_host job_host; /* what commands ask of the queue that replays them: jobs.c */
    uint32_t family_index;
    uint32_t index_in_family;
    VkDeviceQueueCreateFlags flags;

    pthread_mutex_t submit_mutex; /* held by vkQueueSubmit of an INTERNALLY_SYNCHRONIZED queue */
    pthread_mutex_t mutex;        /* guards the list and the making of threads */
    struct rp_submission *first;  /* waiting to be replayed, in order */
    struct rp_submission **last;
    struct rp_queue_thread threads[2];
    pthread_cond_t job_finished; /* told when the leader is_waiting_for_job */
    atomic_bool is_waiting_for_job;
    atomic_bool is_ending; /* threads shall return when the list is empty */
    atomic_bool is_led;
    atomic_bool is_at_work;        /* the first thread, or who submits, runs a job */
    atomic_uint finished_count;    /* of jobs, retired or not, and of nudges; wraps */
    atomic_uint waiting_count;     /* submissions in the list */
    atomic_uint unsignalled_count; /* submissions whose signals are still to come; 0: idle */
    atomic_uint unfinished_count;  /* those whose work is; with 0 a leader is leaving */
    atomic_uint unretired_count;   /* jobs that are started and not retired */
    atomic_uint early_count;       /* replayed, but their signals wait for those of others */
    atomic_uint enqueued_count; /* of submissions, ever; wraps; counted after unsignalled_count */

    struct rp_inline_predictor inline_predictor; /* of who submits here */

    pthread_mutex_t wait_mutex;       /* guards wait; no lock is taken with it held */
    const struct rp_queue_wait *wait; /* of the leader; or NULL */

    /* The rest belongs to who leads. */

    /* Submissions that are replayed and wait for jobs to retire, in order. */
    struct rp_submission *first_replayed;
    struct rp_submission **last_replayed;
    struct rp_queue_job *first_job; /* started and not retired, oldest first */
    struct rp_queue_job **last_job;
    struct rp_queue_job *held_job; /* the last one, begun but not yet given to anybody; or NULL */
    uint32_t early_session; /* of the last submission that began early; never 0 when one has not
                               signalled: all of those are of it */
    uint64_t started_job_count;
    uint64_t retired_job_count;
    struct rp_bind_state *bind; /* owned; kept for the next command buffer; NULL until used */
};

RP_HANDLE_CASTS(rp_queue, VkQueue, VK_OBJECT_TYPE_QUEUE)

/* For vkCreateDevice and vkDestroyDevice. The thread starts with the first submission that needs
 * it. end: waits for all work (or, if the device is lost, for the thread). finish: after that, and
 * after the workers: one that has ended a job may tell of it yet. Both accept a zeroed queue. */
VkResult rp_queue_init(struct rp_queue *queue, struct rp_device *dev, uint32_t family_index,
                       uint32_t index_in_family, VkDeviceQueueCreateFlags flags) RP_MUST_CHECK;
void rp_queue_end(struct rp_queue *queue);
void rp_queue_finish(struct rp_queue *queue);

/* Waits until all that was submitted to it is done, or until no queue can go on before a semaphore
 * or event is signalled by somebody else. */
VkResult rp_queue_wait_done(struct rp_queue *queue) RP_MUST_CHECK;

/* No queue of the device replays, and no job is under way. Of a lost device: nor will they again. */
bool rp_queues_are_at_rest(const struct rp_device *dev);

/* Another queue of its device has work that waits for nobody, be it that its thread has not got a
 * processor yet. Not for predicates of waits. */
bool rp_queue_others_can_go_on(const struct rp_queue *queue);

#endif

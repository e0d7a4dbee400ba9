/* SPDX-License-Identifier: MIT */
/* VkQueue: replays submissions in the order in which they were submitted.
 *
 * The folder:
 *   submit.c         vkQueueSubmit and vkQueueSubmit2: batches become submissions
 *   submission.h     one submission, its states and who moves it from one to the next
 *   queue.c          the plain path: a FIFO list, the queue's threads, replay of one submission
 *   jobs.h           the replay lock; jobs (pictures being encoded) beside the replay; retiring,
 *                    signalling
 *   inline.h         replay inside vkQueueSubmit, for short work and threads that wait at once
 *   overlap.h        pictures of one encode session overlap across semaphores and queues
 *   merge.h          decode submissions that come before their references (src/quirks/)
 *   wait_idle.c      vkQueueWaitIdle and vkDeviceWaitIdle; when a lost device has come to rest
 *
 * The replayer of a queue is the thread that holds its replay lock: it replays commands, retires
 * jobs and signals, and at any time there is at most one. It is one of the queue's two threads,
 * the caller of vkQueueSubmit (inline.h), or, for a moment, a worker that has finished a job. The
 * second thread replays only while the replayer has given the lock up to run a job itself.
 *
 * Locks, in the order in which they are taken: submit_mutex, the replay lock (only ever tried, but
 * at the end of a queue), mutex, rp_device::merge_mutex, those of src/quirks/,
 * rp_sync_bucket::mutex, wait_mutex. The worker pool's mutex is taken with none of these but the
 * first two, and nothing is taken with it held. While commands are replayed only submit_mutex and
 * the replay lock are held; rp_descriptor_memory::mutex is taken then. Nothing is taken with it or
 * a rp_descriptor_names::mutex held. rp_descriptor_heap::mutex is taken with none of these, and
 * with it held what the creation of a view takes.
 *
 * With a capture its run_mutex comes after the replay lock, and is held while commands are replayed
 * and until their jobs have ended. rp_capture_device::mutex comes after all of those above but the
 * worker pool's and rp_descriptor_memory's, which are taken with it held as the writer's mutex is.
 */
#ifndef RP_QUEUE_QUEUE_H
#define RP_QUEUE_QUEUE_H

#include "cmd/job_host.h"
#include "object/inline_submit_predictor.h"
#include "object/object.h"
#include "object/sync.h"
#include "reelpipe/workers.h"
#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct rp_bind_state;
struct rp_queue_job;
struct rp_submission;

/* What the replayer of a queue waits for. */
struct rp_queue_wait {
    const struct rp_queue *queue;
    unsigned seen_count;            /* progress_count before the wait */
    const struct rp_queue_job *job; /* the oldest one, or NULL */
    rp_sync_predicate *is_met;
    const void *ctx;
};

struct rp_queue_thread {
    struct rp_queue *queue;
    pthread_t id;
    bool is_there;
    bool is_second; /* replays only while the replayer runs a job itself */
    struct rp_spin_history spins;
};

struct rp_queue {
    struct rp_object base;
    struct rp_job_host job_host; /* what commands ask of the queue that replays them: jobs.c */
    uint32_t family_index;
    uint32_t index_in_family;
    VkDeviceQueueCreateFlags flags;

    /* Serialises vkQueueSubmit on a queue made INTERNALLY_SYNCHRONIZED. */
    pthread_mutex_t submit_mutex;

    /* Guards the list and the starting of threads; job_finished goes with it. */
    pthread_mutex_t mutex;
    struct rp_submission *first; /* LISTED ones, oldest first */
    struct rp_submission **last;
    struct rp_queue_thread threads[2];
    pthread_cond_t job_finished; /* signalled while the replayer is_waiting_for_job */

    /* Submissions, counted by state. Written by who moves them, read by any thread. */
    atomic_uint listed_count;      /* LISTED */
    atomic_uint unfinished_count;  /* LISTED to REPLAYED; 0: a replayer is about to give up */
    atomic_uint unsignalled_count; /* LISTED to RETIRED; 0: the queue is idle */
    atomic_uint overlapped_count;  /* REPLAYED, and signal after those of other queues */
    atomic_uint ever_listed_count; /* that were LISTED; wraps; grows after unsignalled_count */

    /* The replay lock and its hand-over: jobs.h says how they work together. */
    atomic_bool is_replay_locked;
    atomic_bool is_replayer_at_job; /* who gave the lock up to run a job has not finished it */
    atomic_bool is_waiting_for_job;
    atomic_bool is_ending;      /* threads return when the list is empty */
    atomic_uint progress_count; /* grows when a job has finished, or another queue has signalled */
    atomic_uint unretired_job_count;

    struct rp_inline_predictor inline_predictor; /* will the submitting thread wait at once? */

    /* Guards wait; no lock is taken with it held. */
    pthread_mutex_t wait_mutex;
    const struct rp_queue_wait *wait; /* the replayer's; NULL while it does not wait */

    /* All that follows is guarded by the replay lock. */
    struct rp_submission *first_replayed; /* REPLAYED ones, oldest first */
    struct rp_submission **last_replayed;
    struct rp_queue_job *first_job; /* queued and not retired, oldest first */
    struct rp_queue_job **last_job;
    struct rp_queue_job *pending_job; /* the newest one, queued, but no worker was woken; or NULL */
    uint64_t queued_job_count;
    uint64_t retired_job_count;
    uint32_t overlapped_session; /* of all that are overlapped; never 0 while there are any */
    struct rp_bind_state *bind;  /* owned; kept for the next command buffer; NULL until used */
};

RP_HANDLE_CASTS(rp_queue, VkQueue, VK_OBJECT_TYPE_QUEUE)

/* For vkCreateDevice and vkDestroyDevice; threads start with the first submission that needs one.
 * end waits for all work (or, if the device is lost, for the threads). finish comes after that and
 * after the end of the worker pool: until then a worker may still use the queue to say that a job
 * has finished. end and finish accept a zeroed queue. */
VkResult rp_queue_init(struct rp_queue *queue, struct rp_device *dev, uint32_t family_index,
                       uint32_t index_in_family, VkDeviceQueueCreateFlags flags) RP_MUST_CHECK;
void rp_queue_end(struct rp_queue *queue);
void rp_queue_finish(struct rp_queue *queue);

/* Takes the list of NEW submissions of one vkQueueSubmit. They run now if the queue is idle and
 * inline.h says so, else on the queue's thread. */
VkResult rp_queue_enqueue(struct rp_queue *queue, struct rp_submission *first) RP_MUST_CHECK;

/* Waits until all that was submitted to it is done, or until no queue can go on before a semaphore
 * or event is signalled by somebody else. */
VkResult rp_queue_wait_done(struct rp_queue *queue) RP_MUST_CHECK;

/* Another queue of its device has work that waits for nobody, though its thread may not have got a
 * processor yet. Not for predicates of waits: it takes wait_mutex. */
bool rp_queue_others_can_go_on(const struct rp_queue *queue);

/* No queue of the device replays, and no job is under way. Of a lost device: nor will they
 * again. */
bool rp_queues_are_at_rest(const struct rp_device *dev);

/* For the files of this folder; the caller is the replayer.
 * count_in: a submission leaves the state NEW. run: takes sub, which is WAITING, and replays it; on
 * a lost device it ends without its signals. replay_cbs: the command buffers of sub alone. */
void rp_queue_count_in(struct rp_queue *queue);
void rp_queue_run(struct rp_queue *queue, struct rp_submission *sub);
VkResult rp_queue_replay_cbs(struct rp_queue *queue, const struct rp_submission *sub,
                             bool is_last) RP_MUST_CHECK;

#endif

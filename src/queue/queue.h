/* SPDX-License-Identifier: MIT */
/* VkQueue: one thread that replays submissions in order.
 *
 * Lock order: queue->mutex, then sync->mutex (object/sync.h), then the worker pool's. No lock is
 * held while a command is replayed.
 */
#ifndef RP_QUEUE_QUEUE_H
#define RP_QUEUE_QUEUE_H

#include "object/object.h"
#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct rp_submission;
struct rp_queue_job;

struct rp_queue {
    struct rp_object base;
    uint32_t family_index;
    uint32_t index_in_family;
    VkDeviceQueueCreateFlags flags;

    pthread_mutex_t mutex; /* guards all below */
    pthread_cond_t changed;
    struct rp_submission *first; /* waiting to be replayed, in order */
    struct rp_submission **last;
    bool is_busy;   /* a submission is being replayed, on the thread or inside vkQueueSubmit */
    bool is_ending; /* the thread shall return when the list is empty */
    bool has_thread;
    pthread_t thread;

    /* Jobs that run aside (pictures being encoded), oldest first: submissions signal in order,
     * after the jobs that were started for them. Only the replaying thread touches the list. */
    struct rp_queue_job *first_job;
    struct rp_queue_job **last_job;
};

RP_HANDLE_CASTS(rp_queue, VkQueue, VK_OBJECT_TYPE_QUEUE)

/* For vkCreateDevice and vkDestroyDevice. The thread starts with the first submission that needs
 * it. finish: waits for all work (or, if the device is lost, for the thread). */
VkResult rp_queue_init(struct rp_queue *queue, struct rp_device *dev, uint32_t family_index,
                       uint32_t index_in_family, VkDeviceQueueCreateFlags flags) RP_MUST_CHECK;
void rp_queue_finish(struct rp_queue *queue);

/* Wakes the queue's thread so that it sees that the device is lost. */
void rp_queue_notice_lost(struct rp_queue *queue);

#endif

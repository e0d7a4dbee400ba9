/* SPDX-License-Identifier: MIT */
/* Semaphores of a device with lent queues.
 *
 * Only a timeline semaphore can be waited for and signalled by the host, which is how lent queues
 * do it. So a binary semaphore is a timeline below, and each signal operation its next value. Where
 * something else needs a binary one (presentation, another process), there is one beside it, and
 * the payload is in one of the two.
 */
#ifndef RP_ICD_LAYER_SEMAPHORE_H
#define RP_ICD_LAYER_SEMAPHORE_H

#include "icd/layer/map.h"
#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct rp_layer_device;

/* dev->sync_mutex guards what changes. */
struct rp_layer_semaphore {
    struct rp_layer_entry entry;
    pthread_mutex_t signal_mutex; /* held over what the host signals below (timeline.h) */
    bool is_binary;               /* as the application sees it */
    bool prefers_binary;          /* binary: the application's handle is the binary semaphore */
    bool is_shared;               /* somebody else may signal it */
    VkSemaphore timeline;         /* lower; NULL until it is needed */
    VkSemaphore binary;           /* lower; NULL until it is needed */
    bool is_in_binary;            /* where the payload is */
    uint64_t last;                /* binary: the value of the last signal operation */
    /* Signal operations up to this value are in lower queues, or have happened. */
    uint64_t submitted;
    /* For a timeline (certain.h): the greatest value that is certain to be reached; the one that is
     * reached if others signal what they may; and the one that a batch here has been submitted to
     * signal. */
    uint64_t certain;
    uint64_t assumed;
    uint64_t promised;
    uint32_t users; /* threads that signal it: what they write here comes after the signal */
};

/* NULL when the handle is not known. */
struct rp_layer_semaphore *rp_layer_semaphore_get(struct rp_layer_device *dev, VkSemaphore handle);

/* Makes what is NULL. Caller holds sync_mutex. */
VkResult rp_layer_semaphore_need_timeline(struct rp_layer_device *dev,
                                          struct rp_layer_semaphore *semaphore) RP_MUST_CHECK;
VkResult rp_layer_semaphore_need_binary(struct rp_layer_device *dev,
                                        struct rp_layer_semaphore *semaphore) RP_MUST_CHECK;

#endif

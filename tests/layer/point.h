/* SPDX-License-Identifier: MIT */
/* Batches that wait for a point of a semaphore and signal another.
 */
#ifndef RP_TESTS_LAYER_POINT_H
#define RP_TESTS_LAYER_POINT_H

#include "fixture.h"

#define SECOND_NS UINT64_C(1000000000)

struct point {
    VkSemaphore semaphore; /* NULL: there is nothing to wait for, or to signal */
    uint64_t value;        /* of a timeline */
};

/* What is NULL is left out. */
VkResult point_try_submit(VkQueue queue, VkCommandBuffer cb, struct point wait, struct point signal,
                          VkFence fence);
void point_submit(VkQueue queue, VkCommandBuffer cb, struct point wait, struct point signal,
                  VkFence fence);

/* By f->queue, of the tests' lower device, which shows nothing. wait: NULL, or a binary one. */
void point_present(struct fixture *f, VkSemaphore wait);

/* By the host. */
VkResult point_wait(struct fixture *f, struct point point, uint64_t timeout_ns);
void point_signal(struct fixture *f, struct point point);

/* For f->fence, at most ten seconds. */
void fence_wait_and_reset(struct fixture *f);

#endif

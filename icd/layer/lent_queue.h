/* SPDX-License-Identifier: MIT */
/* A lent queue: our driver's, whose handle the application has, and two threads that carry each
 * batch from the lower device to it and back.
 *
 * The feeder waits on the host for what a batch waits for, has pictures copied in, and submits to
 * our driver; where the lower queue may wait instead, the copies begin when the batch is submitted.
 * The finisher waits for our driver, has pictures copied out, and signals.
 */
#ifndef RP_ICD_LAYER_LENT_QUEUE_H
#define RP_ICD_LAYER_LENT_QUEUE_H

#include "icd/layer/physical_device.h"
#include "icd/layer/submit.h"
#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

struct rp_layer_device;
struct rp_layer_lent_queue;

/* The queue of the lent family. Its threads run from here on. */
VkResult rp_layer_lent_queue_create(struct rp_layer_device *dev, enum rp_layer_lent_kind kind,
                                    uint32_t index, struct rp_layer_lent_queue **out) RP_MUST_CHECK;

/* Drops what still waits. Takes NULL. */
void rp_layer_lent_queue_destroy(struct rp_layer_lent_queue *queue);

VkQueue rp_layer_lent_queue_handle(const struct rp_layer_lent_queue *queue);

/* NULL: it is a lower queue. */
struct rp_layer_lent_queue *rp_layer_lent_queue_get(struct rp_layer_device *dev, VkQueue handle);

/* Takes the memory that the batch needs, whose semaphores are the application's. */
VkResult rp_layer_lent_queue_prepare(struct rp_layer_lent_queue *queue,
                                     struct rp_layer_batch *batch) RP_MUST_CHECK;

/* Takes a batch that is prepared. Where it fails the device is lost. */
VkResult rp_layer_lent_queue_submit(struct rp_layer_lent_queue *queue,
                                    struct rp_layer_batch *batch);

/* Waits until all is done that was submitted before. */
void rp_layer_lent_queue_wait_idle(struct rp_layer_lent_queue *queue);

#endif

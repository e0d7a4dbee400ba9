/* SPDX-License-Identifier: MIT */
/* VkDevice: what all objects of a device share. icd/device.c makes and unmakes it.
 */
#ifndef RP_OBJECT_DEVICE_H
#define RP_OBJECT_DEVICE_H

#include "object/descriptor_heap.h"
#include "object/descriptor_memory.h"
#include "object/dma_buf.h"
#include "object/image_aliases.h"
#include "object/instance.h"
#include "object/memory_report.h"
#include "object/object.h"
#include "object/semaphore.h"
#include "object/sync.h"
#include "reelpipe/quirks.h"

#include <vulkan/vulkan_core.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct rp_capture;
struct rp_profile;
struct rp_queue;
struct rp_specializer;
struct rp_submission;
struct rp_workers;

/* The queue families, in the order of vkGetPhysicalDeviceQueueFamilyProperties. The video ones are
 * absent (and the indices behind them move up) without their codec. */
enum rp_queue_family_kind {
    RP_FAMILY_COMPUTE,  /* compute and transfer */
    RP_FAMILY_TRANSFER, /* transfer alone */
    RP_FAMILY_ENCODE,   /* video encode and transfer */
    RP_FAMILY_DECODE,   /* video decode and transfer */
};

struct rp_device {
    struct rp_object base;
    struct rp_physical_device *physical_device; /* borrowed */
    VkAllocationCallbacks callbacks;            /* of vkCreateDevice, or else the instance's */
    bool has_callbacks;
    struct rp_extension_set extensions; /* enabled */
    struct rp_feature_set features;     /* enabled */

    struct rp_workers *workers;         /* owned; threads start with the first work */
    struct rp_specializer *specializer; /* owned; NULL: pipelines have no variants */
    atomic_bool pipelines_have_workers; /* a call compiles on them (object/pipeline.c) */
    struct rp_sync_hub hub;             /* where everything waits */

    struct rp_queue *queues; /* owned array of queue_count, in the order they were asked for */
    uint32_t queue_count;
    /* No queue replays and no job is under way. Set by the first queue; see device_lost.h. */
    bool (*queues_are_at_rest)(const struct rp_device *dev);

    atomic_uint_fast64_t next_sequence; /* of submissions */
    atomic_uint_fast64_t next_encode_session;
    pthread_mutex_t merge_mutex;          /* guards the list, and what is merged into those in it */
    struct rp_submission *first_deferred; /* borrowed; oldest first: queue/merge.h */
    struct rp_capture *capture;           /* owned; NULL: nothing is captured (object/capture.h) */
    atomic_uint_fast64_t next_apart_B;    /* rp_memory_map_apart()'s */
    struct rp_profile *profile;           /* owned; NULL: nothing is profiled (object/profile.h) */
    struct rp_quirks *quirks; /* owned; NULL: the application needs none (reelpipe/quirks.h) */
    struct rp_destroyed_semaphores destroyed_semaphores;

    struct rp_descriptor_memory descriptor_memory;
    struct rp_descriptor_heap descriptor_heap;
    struct rp_dma_bufs dma_bufs; /* imported ones */
    struct rp_memory_reporters memory_reporters;
    atomic_uint_fast64_t next_memory_id; /* for memory reports */

    pthread_mutex_t private_data_mutex; /* guards rp_object::private_data of all objects */
    atomic_uint_fast64_t next_slot_id;  /* of private data */

    /* Set once, by whatever makes the device unusable; every wait and submit honours it. */
    atomic_bool is_lost;
    _Atomic(const char *) lost_reason; /* a literal; NULL until then */

    atomic_uint_fast64_t next_image_id; /* unique ids of images, see object/image.h */
    struct rp_image_aliases image_aliases;
    atomic_uint_fast32_t memory_object_count; /* against maxMemoryAllocationCount */

    /* Grows with every dispatch: shaders write images that are not named anywhere. */
    atomic_uint_fast64_t shader_write_count;

    uint64_t dispatch_timeout_ns;   /* REELPIPE_TIMEOUT; 0: none */
    bool has_robust_buffer_access2; /* enabled by the application */
    bool has_robust_image_access;   /* either of the two is */
};

RP_HANDLE_CASTS(rp_device, VkDevice, VK_OBJECT_TYPE_DEVICE)

/* What lies behind the base: workers, hub, counters. physical_device and the callbacks are set.
 * icd/device.c calls init before rp_queue_init, finish after rp_queue_end. */
VkResult rp_device_init_shared(struct rp_device *dev) RP_MUST_CHECK;
void rp_device_finish_shared(struct rp_device *dev);

/* The one place where a device is lost: marks it, wakes every wait, logs why (a literal). Returns
 * VK_ERROR_DEVICE_LOST. Any thread. */
VkResult rp_device_lose(struct rp_device *dev, const char *why);

static inline void
rp_device_mark_shader_writes(struct rp_device *dev)
{
    atomic_fetch_add_explicit(&dev->shader_write_count, 1, memory_order_relaxed);
}

static inline bool
rp_device_is_lost(const struct rp_device *dev)
{
    return atomic_load_explicit(&dev->is_lost, memory_order_acquire);
}

#endif

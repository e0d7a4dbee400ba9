/* SPDX-License-Identifier: MIT */
/* A device with the layer. Where the application asked for no lent queue, it is only what is needed
 * to pass calls on; else our driver's device stands beside the lower one.
 *
 * Locks, in the order in which they are taken: a call's with a lower queue (copy_mutex, or those of
 * lower_queue.h), sync_mutex, a semaphore's signal_mutex; image_mutex and memory_mutex stand alone,
 * and so do the locks of map and retirement.
 */
#ifndef RP_ICD_LAYER_DEVICE_H
#define RP_ICD_LAYER_DEVICE_H

#include "icd/layer/map.h"
#include "icd/layer/physical_device.h"
#include "icd/layer/retire.h"

#include "rp_layer_calls.h"

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan_core.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct rp_layer_alias_queue;
struct rp_layer_batch;
struct rp_layer_certain_queue;
struct rp_layer_held_queue;
struct rp_layer_instance;
struct rp_layer_lent_queue;
struct rp_layer_shared_queue;

#define RP_LAYER_MAX_FAMILIES 32

struct rp_layer_device {
    struct rp_layer_device *next;
    const void *key; /* the loader's dispatch table */
    VkDevice handle;
    const struct rp_layer_physical_device *physical_device;
    PFN_vkGetDeviceProcAddr get; /* of the next layer or driver */
    PFN_vkDestroyDevice destroy;
    struct rp_layer_device_calls lower;
    struct rp_layer_map map; /* empty but for a device with lent queues */
    bool has_lent;           /* the rest is filled */

    struct rp_layer_device_calls driver;
    VkDevice driver_handle;
    struct rp_layer_instance *instance;
    PFN_vkSetDeviceLoaderData set_loader_data;
    VkPhysicalDeviceMemoryProperties memory;  /* lower */
    uint32_t families[RP_LAYER_MAX_FAMILIES]; /* lower ones in use, the copies' included */
    uint32_t family_count;
    struct rp_layer_lent_queue *queues[RP_LAYER_LENT_FAMILIES][RP_LAYER_LENT_QUEUES]; /* or NULL */

    /* The lower queue that pictures are copied by. */
    VkQueue copy_queue;
    uint32_t copy_family;
    uint32_t copy_index;
    bool copy_is_shared;        /* it is the application's, too */
    pthread_mutex_t copy_mutex; /* a call with copy_queue, or with alias_queue */

    bool alias_is_asked[RP_LAYER_ALIAS_FAMILIES];
    struct rp_layer_alias_queue *aliases[RP_LAYER_ALIAS_FAMILIES]; /* or NULL */
    VkQueue alias_queue; /* the lower one behind them; NULL: there are none */
    bool holds_back;     /* copy_is_shared, or there are aliases (submit.h) */

    pthread_mutex_t sync_mutex; /* guards semaphores' and fences' states, and what follows */
    pthread_cond_t sync_cond;   /* one of them has changed; of the monotonic clock */
    struct rp_layer_held_queue *held_queues;
    struct rp_layer_shared_queue *shared_queues;   /* lower_queue.h */
    struct rp_layer_certain_queue *certain_queues; /* certain.h, and the next two */
    uint64_t certain_count;
    uint64_t assumed_count;
    struct rp_layer_batch *binary_signals; /* binary_signals.h */
    pthread_mutex_t image_mutex;           /* guards images' stagings */
    pthread_mutex_t memory_mutex;          /* guards maps of memory */
    struct rp_layer_retirement retirement;
    atomic_bool is_lost;
    pthread_cond_t loss_cond; /* of the monotonic clock: loss.h, and the next four */
    pthread_t loss_thread;
    bool has_loss_thread;
    bool loss_stop;                /* sync_mutex guards it */
    atomic_bool is_ending;         /* it is being destroyed */
    atomic_uint_fast64_t slot_ids; /* private data slots that were made */
};

/* By a device, queue or command buffer; NULL when it is not the layer's. */
struct rp_layer_device *rp_layer_device_find(const void *dispatchable);

/* The list that the layer finds devices in. */
void rp_layer_device_add(struct rp_layer_device *dev);
void rp_layer_device_remove(struct rp_layer_device *dev);

VKAPI_ATTR void VKAPI_CALL rp_layer_DestroyDevice(VkDevice handle,
                                                  const VkAllocationCallbacks *alloc);

/* What cannot be reported by the call that it is about. Later submissions fail. */
void rp_layer_device_lose(struct rp_layer_device *dev, const char *why);

static inline bool
rp_layer_device_is_lost(const struct rp_layer_device *dev)
{
    return atomic_load(&dev->is_lost);
}

/* Whether a family is lent, and which one. */
static inline bool
rp_layer_device_family_is_lent(const struct rp_layer_device *dev, uint32_t family,
                               enum rp_layer_lent_kind *out)
{
    return rp_layer_family_is_lent(dev->physical_device, family, out);
}

#endif

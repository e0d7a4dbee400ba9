/* SPDX-License-Identifier: MIT */
/* The list of devices, and losing one.
 */
#include "icd/layer/device.h"

#include "icd/layer/instance.h"
#include "util/log.h"

#include <stddef.h>

static struct rp_layer_device *devices;
static pthread_rwlock_t devices_lock = PTHREAD_RWLOCK_INITIALIZER; /* guards the list */

struct rp_layer_device *
rp_layer_device_find(const void *dispatchable)
{
    const void *key = rp_layer_key(dispatchable);

    pthread_rwlock_rdlock(&devices_lock);
    struct rp_layer_device *dev = devices;
    while (dev && dev->key != key)
        dev = dev->next;
    pthread_rwlock_unlock(&devices_lock);
    return dev;
}

void
rp_layer_device_add(struct rp_layer_device *dev)
{
    pthread_rwlock_wrlock(&devices_lock);
    dev->next = devices;
    devices = dev;
    pthread_rwlock_unlock(&devices_lock);
}

void
rp_layer_device_remove(struct rp_layer_device *dev)
{
    pthread_rwlock_wrlock(&devices_lock);
    struct rp_layer_device **link = &devices;
    while (*link != dev)
        link = &(*link)->next;
    *link = dev->next;
    pthread_rwlock_unlock(&devices_lock);
}

void
rp_layer_device_lose(struct rp_layer_device *dev, const char *why)
{
    if (atomic_exchange(&dev->is_lost, true))
        return;
    rp_log(RP_LOG_ERROR, "the layer's device is lost: %s", why);
    pthread_mutex_lock(&dev->sync_mutex);
    pthread_cond_broadcast(&dev->sync_cond);
    pthread_cond_signal(&dev->loss_cond);
    pthread_mutex_unlock(&dev->sync_mutex);
}

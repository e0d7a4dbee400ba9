/* SPDX-License-Identifier: MIT */
/* The thread that ends waits of a lost device.
 */
#include "icd/layer/loss.h"

#include "icd/layer/certain.h"
#include "icd/layer/device.h"
#include "platform/clock.h"
#include "platform/condition.h"
#include "platform/thread.h"

/* How often one looks what has been reached. */
#define POLL_NS UINT64_C(500000)

/* How long others have to signal what they share with the lost device. */
#define FOREIGN_NS UINT64_C(500000000)

static void *
run(void *arg)
{
    struct rp_layer_device *dev = arg;
    uint64_t foreign_until_ns = 0;

    pthread_mutex_lock(&dev->sync_mutex);
    while (!dev->loss_stop) {
        const uint64_t now = rp_clock_now_ns();
        if (!rp_layer_device_is_lost(dev)) {
            pthread_cond_wait(&dev->loss_cond, &dev->sync_mutex);
            continue;
        }
        if (foreign_until_ns == 0)
            foreign_until_ns = now + FOREIGN_NS;
        if (rp_layer_certain_release(dev, now >= foreign_until_ns))
            (void)rp_condition_wait_until(&dev->loss_cond, &dev->sync_mutex, now + POLL_NS);
        else
            pthread_cond_wait(&dev->loss_cond, &dev->sync_mutex);
    }
    pthread_mutex_unlock(&dev->sync_mutex);
    return NULL;
}

VkResult
rp_layer_loss_start(struct rp_layer_device *dev)
{
    dev->has_loss_thread = rp_thread_create(&dev->loss_thread, "rp-layer-loss", run, dev);
    return dev->has_loss_thread ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

void
rp_layer_loss_stop(struct rp_layer_device *dev)
{
    if (!dev->has_loss_thread)
        return;
    pthread_mutex_lock(&dev->sync_mutex);
    dev->loss_stop = true;
    pthread_cond_signal(&dev->loss_cond);
    pthread_mutex_unlock(&dev->sync_mutex);
    pthread_join(dev->loss_thread, NULL);
    dev->has_loss_thread = false;
}

/* SPDX-License-Identifier: MIT */
/* Host signals, and who hears of them.
 */
#include "icd/layer/timeline.h"

#include "icd/layer/device.h"
#include "icd/layer/semaphore.h"
#include "util/compiler.h"

/* Values up to this one need not be held back any more. Caller holds sync_mutex. */
static void
semaphore_submitted(struct rp_layer_device *dev, struct rp_layer_semaphore *semaphore,
                    uint64_t value)
{
    semaphore->submitted = RP_MAX(semaphore->submitted, value);
    pthread_cond_broadcast(&dev->sync_cond);
}

static VkResult
signal_below(struct rp_layer_device *dev, const struct rp_layer_semaphore *semaphore,
             uint64_t value)
{
    const VkSemaphoreSignalInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
        .semaphore = semaphore->timeline,
        .value = value,
    };
    uint64_t reached;

    if (!rp_layer_device_is_lost(dev))
        return dev->lower.SignalSemaphore(dev->handle, &info);
    const VkResult result =
        dev->lower.GetSemaphoreCounterValue(dev->handle, semaphore->timeline, &reached);
    if (result != VK_SUCCESS || reached >= value)
        return result;
    return dev->lower.SignalSemaphore(dev->handle, &info);
}

/* One after the other: when the device is lost meanwhile, the thread that ends waits signals a
 * greater value, and the smaller one may not come after that. */
static VkResult
signal_in_turn(struct rp_layer_device *dev, struct rp_layer_semaphore *semaphore, uint64_t value)
{
    pthread_mutex_lock(&semaphore->signal_mutex);
    const VkResult result = signal_below(dev, semaphore, value);
    pthread_mutex_unlock(&semaphore->signal_mutex);
    return result;
}

VkResult
rp_layer_semaphore_reach(struct rp_layer_device *dev, struct rp_layer_semaphore *semaphore,
                         uint64_t value)
{
    const VkResult result = signal_in_turn(dev, semaphore, value);
    semaphore_submitted(dev, semaphore, value);
    return result;
}

VkResult
rp_layer_semaphore_signal(struct rp_layer_device *dev, struct rp_layer_semaphore *semaphore,
                          uint64_t value)
{
    const VkResult result = signal_in_turn(dev, semaphore, value);

    pthread_mutex_lock(&dev->sync_mutex);
    semaphore_submitted(dev, semaphore, value);
    pthread_mutex_unlock(&dev->sync_mutex);
    return result;
}

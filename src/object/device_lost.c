/* SPDX-License-Identifier: MIT */
/* Polls: a device is lost once, and all that is under way ends soon.
 */
#include "object/device_lost.h"

#include "object/device.h"
#include "platform/clock.h"

#define POLL_NS UINT64_C(1000000)
/* A wait must return in finite time. A dispatch without end is cut off only when REELPIPE_TIMEOUT
 * says so. */
#define PATIENCE_NS UINT64_C(20000000000)

bool
rp_lost_device_is_at_rest(const struct rp_device *dev)
{
    return dev->queue_count == 0 || dev->queues_are_at_rest(dev);
}

VkResult
rp_lost_device_wait(const struct rp_device *dev, uint64_t until_ns)
{
    const uint64_t patient_until_ns = rp_sync_deadline_ns(PATIENCE_NS);

    while (!rp_lost_device_is_at_rest(dev)) {
        const uint64_t now_ns = rp_clock_now_ns();
        if (now_ns >= until_ns)
            return VK_TIMEOUT;
        if (now_ns >= patient_until_ns)
            break;
        rp_clock_sleep(POLL_NS);
    }
    return VK_ERROR_DEVICE_LOST;
}

VkResult
rp_device_wait(struct rp_device *dev, const struct rp_sync *sync, rp_sync_predicate *is_met,
               const void *ctx, bool needs_polling, uint64_t until_ns)
{
    const VkResult result = rp_sync_wait_for(dev, sync, is_met, ctx, needs_polling, until_ns);

    return RP_LIKELY(result != VK_ERROR_DEVICE_LOST) ? result : rp_lost_device_wait(dev, until_ns);
}

/* SPDX-License-Identifier: MIT */
/* Waits of the application on a device that may be lost.
 *
 * VK_ERROR_DEVICE_LOST from a wait is as good as VK_SUCCESS: the application may then free what the
 * device used (Vulkan, "Lost Device"). So it is not returned before the device is at rest: no queue
 * of it replays and no job is under way, nor will they again.
 */
#ifndef RP_OBJECT_DEVICE_LOST_H
#define RP_OBJECT_DEVICE_LOST_H

#include "object/sync.h"
#include "util/compiler.h"

#include <stdbool.h>
#include <stdint.h>

struct rp_device;

/* Whether no queue of a lost device replays and no job is under way. */
bool rp_lost_device_is_at_rest(const struct rp_device *dev);

/* VK_ERROR_DEVICE_LOST when it is at rest or does not come to rest in some seconds, VK_TIMEOUT at
 * until_ns of rp_clock_now_ns(). */
VkResult rp_lost_device_wait(const struct rp_device *dev, uint64_t until_ns) RP_MUST_CHECK;

/* rp_sync_wait_for() for the application; never for a thread that replays. */
VkResult rp_device_wait(struct rp_device *dev, const struct rp_sync *sync,
                        rp_sync_predicate *is_met, const void *ctx, bool needs_polling,
                        uint64_t until_ns) RP_MUST_CHECK;

#endif

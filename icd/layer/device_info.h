/* SPDX-License-Identifier: MIT */
/* What the lower device is made with: the application's VkDeviceCreateInfo without what is lent,
 * and with what the layer needs where something is.
 */
#ifndef RP_ICD_LAYER_DEVICE_INFO_H
#define RP_ICD_LAYER_DEVICE_INFO_H

#include "icd/layer/device.h"
#include "util/arena.h"

/* Whether the application asks for a queue that is lent, an alias, or an extension that is lent: it
 * may make a video session without a queue. */
bool rp_layer_device_info_is_lent(const struct rp_layer_physical_device *pdev,
                                  const VkDeviceCreateInfo *info);

/* out lives in the arena; features that are lent are taken away. With dev->has_lent queues and
 * extensions change, too, and it fills families, copy_family, copy_index, copy_is_shared,
 * alias_is_asked and holds_back of dev. */
VkResult rp_layer_device_info_lower(struct rp_layer_device *dev, const VkDeviceCreateInfo *info,
                                    struct rp_arena *arena, VkDeviceCreateInfo *out);

#endif

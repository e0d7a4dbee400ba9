/* SPDX-License-Identifier: MIT */
/* Features: features.txt says which are true; the registry, in which structures they appear.
 */
#ifndef RP_ICD_FEATURES_H
#define RP_ICD_FEATURES_H

#include "object/feature_set.h"
#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

struct rp_physical_device;

void rp_device_features(const struct rp_physical_device *pdev, struct rp_feature_set *out);

/* What the chain of a VkDeviceCreateInfo and its pEnabledFeatures ask for.
 * VK_ERROR_FEATURE_NOT_PRESENT when some of it is not supported. */
VkResult rp_features_enable(const struct rp_feature_set *supported, const VkDeviceCreateInfo *info,
                            struct rp_feature_set *out) RP_MUST_CHECK;

/* The feature's name in the registry. */
const char *rp_feature_name(enum rp_feature feature);

#endif

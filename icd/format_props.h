/* SPDX-License-Identifier: MIT */
/* What formats and images can do on the device.
 */
#ifndef RP_ICD_FORMAT_PROPS_H
#define RP_ICD_FORMAT_PROPS_H

#include <vulkan/vulkan_core.h>

struct rp_format;
struct rp_physical_device;

/* For OPTIMAL, LINEAR and DRM format modifier LINEAR alike; the codecs' formats included. */
VkFormatFeatureFlags2 rp_device_format_features(const struct rp_physical_device *pdev,
                                                const struct rp_format *fmt);

#endif

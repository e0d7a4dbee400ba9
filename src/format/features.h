/* SPDX-License-Identifier: MIT */
/* What can be done with a format: the rules behind VkFormatProperties, without what depends on
 * codecs. Tilings do not differ: all images are linear inside.
 */
#ifndef RP_FORMAT_FEATURES_H
#define RP_FORMAT_FEATURES_H

#include "format/format.h"

#include <vulkan/vulkan_core.h>

VkFormatFeatureFlags2 rp_format_image_features(const struct rp_format *fmt);
VkFormatFeatureFlags2 rp_format_buffer_features(const struct rp_format *fmt);

#endif

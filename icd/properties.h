/* SPDX-License-Identifier: MIT */
/* Properties and limits of the device: each is said once, in limits_tables.c; the registry tells
 * in which structures they appear.
 */
#ifndef RP_ICD_PROPERTIES_H
#define RP_ICD_PROPERTIES_H

#include "rp_properties.h"

#include <vulkan/vulkan_core.h>

struct rp_physical_device;

/* What the device says of the version it implements. */
#define RP_API_VERSION VK_MAKE_API_VERSION(0, 1, 4, VK_HEADER_VERSION)

/* The rest of pdev is set. */
void rp_device_properties(const struct rp_physical_device *pdev, struct rp_properties *out);

/* limits_tables.c: what is the same on every machine. */
extern const struct rp_properties rp_constant_properties;

/* From and to which host image copies work. */
#define RP_HOST_COPY_LAYOUTS 23
extern const VkImageLayout rp_host_copy_layouts[RP_HOST_COPY_LAYOUTS];

#endif

/* SPDX-License-Identifier: MIT */
/* The extensions of video that the layer lends, and which of them a lower device has itself.
 *
 * The loader adds what an implicit layer's manifest lists to the extensions of every device that
 * the layer sees: families, operations and features alone say what a device has.
 */
#ifndef RP_ICD_LAYER_EXTENSIONS_H
#define RP_ICD_LAYER_EXTENSIONS_H

#include "icd/layer/physical_device.h"

#define RP_LAYER_NAME "VK_LAYER_REELPIPE_video"

/* Whether the name is one of those that the manifest lists. */
bool rp_layer_extension_is_known(const char *name);

/* Whether the lower device itself has a known extension. */
bool rp_layer_extension_is_lower(const struct rp_layer_physical_device *pdev, const char *name);

/* Whether a known extension is there for what is lent alone. */
bool rp_layer_extension_is_lent(const struct rp_layer_physical_device *pdev, const char *name);

/* The operations whose extensions are known. */
VkVideoCodecOperationFlagsKHR rp_layer_extension_operations(void);

#endif

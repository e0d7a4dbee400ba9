/* SPDX-License-Identifier: MIT */
/* The families that lower images and buffers are shared between.
 */
#ifndef RP_ICD_LAYER_SHARING_H
#define RP_ICD_LAYER_SHARING_H

#include "icd/layer/device.h"

struct rp_layer_sharing {
    VkSharingMode mode;
    uint32_t count; /* 0 unless the mode is CONCURRENT */
    uint32_t families[RP_LAYER_MAX_FAMILIES];
};

/* The application's sharing without lent families. is_copied: the layer copies it, so that the
 * family of the copies takes part; then an EXCLUSIVE image is shared between all that are in use,
 * for the layer cannot take part in transfers between them. */
struct rp_layer_sharing rp_layer_sharing_lower(const struct rp_layer_device *dev,
                                               VkSharingMode mode, uint32_t count,
                                               const uint32_t *families, bool is_copied);

#endif

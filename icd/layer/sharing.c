/* SPDX-License-Identifier: MIT */
/* Lists of families.
 */
#include "icd/layer/sharing.h"

static void
add(struct rp_layer_sharing *sharing, uint32_t family)
{
    for (uint32_t i = 0; i < sharing->count; i++) {
        if (sharing->families[i] == family)
            return;
    }
    if (sharing->count < RP_LAYER_MAX_FAMILIES)
        sharing->families[sharing->count++] = family;
}

struct rp_layer_sharing
rp_layer_sharing_lower(const struct rp_layer_device *dev, VkSharingMode mode, uint32_t count,
                       const uint32_t *families, bool is_copied)
{
    struct rp_layer_sharing sharing = {.mode = VK_SHARING_MODE_EXCLUSIVE};
    enum rp_layer_lent_kind kind;

    if (mode == VK_SHARING_MODE_CONCURRENT) {
        for (uint32_t i = 0; i < count; i++) {
            if (!rp_layer_device_family_is_lent(dev, families[i], &kind))
                add(&sharing, rp_layer_lower_family(dev->physical_device, families[i]));
        }
        if (is_copied)
            add(&sharing, dev->copy_family);
    } else if (is_copied) {
        for (uint32_t i = 0; i < dev->family_count; i++)
            add(&sharing, dev->families[i]);
    }
    if (sharing.count > 1)
        sharing.mode = VK_SHARING_MODE_CONCURRENT;
    else
        sharing.count = 0;
    return sharing;
}

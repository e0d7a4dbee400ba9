/* SPDX-License-Identifier: MIT */
/* VkPrivateDataSlot: a number that the application keeps with any object.
 *
 * The numbers lie with the objects, so that they end with them.
 */
#ifndef RP_OBJECT_PRIVATE_DATA_H
#define RP_OBJECT_PRIVATE_DATA_H

#include "object/object.h"

#include <vulkan/vulkan_core.h>

#include <stdint.h>

struct rp_private_data_slot {
    struct rp_object base;
    uint64_t id; /* never used again by the device */
};

RP_HANDLE_CASTS(rp_private_data_slot, VkPrivateDataSlot, VK_OBJECT_TYPE_PRIVATE_DATA_SLOT)

/* One slot's number of one object; guarded by rp_device::private_data_mutex. */
struct rp_private_data {
    struct rp_private_data *next;
    uint64_t slot_id;
    uint64_t value;
};

#endif

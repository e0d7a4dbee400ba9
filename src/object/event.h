/* SPDX-License-Identifier: MIT */
/* VkEvent: set and reset by the host and by commands.
 */
#ifndef RP_OBJECT_EVENT_H
#define RP_OBJECT_EVENT_H

#include "object/object.h"

#include <vulkan/vulkan_core.h>

#include <stdatomic.h>
#include <stdbool.h>

struct rp_event {
    struct rp_object base;
    atomic_bool is_set;
};

RP_HANDLE_CASTS(rp_event, VkEvent, VK_OBJECT_TYPE_EVENT)

#endif

/* SPDX-License-Identifier: MIT */
/* VkInstance and the one VkPhysicalDevice that it shows.
 */
#ifndef RP_OBJECT_INSTANCE_H
#define RP_OBJECT_INSTANCE_H

#include "object/debug_messenger.h"
#include "object/extension_set.h"
#include "object/feature_set.h"
#include "object/object.h"
#include "video/standard.h"

#include "rp_properties.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stdint.h>

struct rp_physical_device {
    struct rp_object base;
    struct rp_instance *instance;       /* borrowed */
    uint32_t cpu_flags;                 /* rp_cpu_flags() */
    uint64_t heap_size_B;               /* from physical memory and the cgroup */
    struct rp_extension_set extensions; /* supported, of devices */
    struct rp_feature_set features;     /* supported */
    struct rp_properties properties;    /* with all limits; constant */
    struct rp_video_codecs video;       /* the codecs that are there */
};

struct rp_instance {
    struct rp_object base;
    VkAllocationCallbacks callbacks; /* copied from the application */
    bool has_callbacks;
    uint32_t api_version;               /* that the application asked for; at least 1.0 */
    struct rp_extension_set extensions; /* enabled */
    uint32_t quirks;                    /* flags of the application: src/quirks/table.h */
    struct rp_messengers messengers;
    struct rp_physical_device physical_device;
};

RP_HANDLE_CASTS(rp_instance, VkInstance, VK_OBJECT_TYPE_INSTANCE)
RP_HANDLE_CASTS(rp_physical_device, VkPhysicalDevice, VK_OBJECT_TYPE_PHYSICAL_DEVICE)

/* The instance's callbacks, or NULL for the driver's own. */
static inline const VkAllocationCallbacks *
rp_instance_callbacks(const struct rp_instance *instance)
{
    return instance->has_callbacks ? &instance->callbacks : NULL;
}

#endif

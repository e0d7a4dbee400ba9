/* SPDX-License-Identifier: MIT */
/* An instance with the layer: the drivers below ("lower"), and our driver, which lends.
 *
 * The list of instances is the layer's only state that no object holds: a layer finds what is its
 * own by the first word of a handle, which is the loader's table for its instance or device.
 */
#ifndef RP_ICD_LAYER_INSTANCE_H
#define RP_ICD_LAYER_INSTANCE_H

#include "icd/layer/physical_device.h"

#include "rp_layer_calls.h"

#include <vulkan/vulkan_core.h>

#include <pthread.h>

enum rp_layer_window_system {
    RP_LAYER_XCB,
    RP_LAYER_XLIB,
    RP_LAYER_WAYLAND,
};
#define RP_LAYER_WINDOW_SYSTEMS 3

/* The commands that ask whether a family presents to a window system. */
extern const char *const rp_layer_presentation_support_names[RP_LAYER_WINDOW_SYSTEMS];

struct rp_layer_instance {
    struct rp_layer_instance *next;
    const void *key; /* the loader's dispatch table */
    VkInstance handle;
    PFN_vkGetInstanceProcAddr get; /* of the next layer or driver */
    struct rp_layer_instance_calls lower;
    /* Lower, or NULL. Found while the instance is made: later a loader may answer with the layer's
     * own. */
    PFN_vkVoidFunction presentation_supports[RP_LAYER_WINDOW_SYSTEMS];
    VkInstance driver_handle; /* ours; NULL: it cannot be opened, and nothing is lent */
    VkPhysicalDevice driver_device;
    struct rp_layer_instance_calls driver;
    uint32_t driver_family[RP_LAYER_LENT_FAMILIES];
    VkVideoCodecOperationFlagsKHR driver_operations[RP_LAYER_LENT_FAMILIES];
    bool driver_features[RP_LAYER_VIDEO_FEATURES];
    pthread_mutex_t mutex; /* guards physical_devices */
    struct rp_layer_physical_device *physical_devices;
};

VKAPI_ATTR VkResult VKAPI_CALL rp_layer_CreateInstance(const VkInstanceCreateInfo *info,
                                                       const VkAllocationCallbacks *alloc,
                                                       VkInstance *out);

/* By an instance or a physical device; NULL when it is not the layer's. */
struct rp_layer_instance *rp_layer_instance_find(const void *dispatchable);

/* The loader's table that a dispatchable handle begins with. */
static inline const void *
rp_layer_key(const void *dispatchable)
{
    return *(const void *const *)dispatchable;
}

#endif

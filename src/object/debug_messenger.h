/* SPDX-License-Identifier: MIT */
/* Messengers of VK_EXT_debug_utils: who wants to hear of errors (util/log.h).
 */
#ifndef RP_OBJECT_DEBUG_MESSENGER_H
#define RP_OBJECT_DEBUG_MESSENGER_H

#include "object/object.h"

#include <vulkan/vulkan_core.h>

#include <pthread.h>

struct rp_messenger {
    struct rp_object base;
    struct rp_messenger *next;
    VkDebugUtilsMessageSeverityFlagsEXT severities;
    VkDebugUtilsMessageTypeFlagsEXT types;
    PFN_vkDebugUtilsMessengerCallbackEXT callback;
    void *user_data;
};

RP_HANDLE_CASTS(rp_messenger, VkDebugUtilsMessengerEXT, VK_OBJECT_TYPE_DEBUG_UTILS_MESSENGER_EXT)

/* The messengers of an instance. The application's messages and those of layers are the loader's to
 * deliver. */
struct rp_messengers {
    pthread_mutex_t mutex; /* guards the list; held while callbacks run */
    struct rp_messenger *_Atomic first;
};

/* Tells of the addresses of obj (VK_EXT_device_address_binding_report), if the device shall.
 * address NULL: it has none. */
void rp_report_binding(const void *obj, VkDeviceAddressBindingTypeEXT type, const void *address,
                       uint64_t size_B);

#endif

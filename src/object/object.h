/* SPDX-License-Identifier: MIT */
/* What all Vulkan objects of the driver begin with, and the way from handles to them and back.
 */
#ifndef RP_OBJECT_OBJECT_H
#define RP_OBJECT_OBJECT_H

#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

struct rp_device;
struct rp_private_data;

struct rp_object {
    /* First: the loader writes its dispatch table here, for dispatchable handles. */
    uintptr_t loader_data;
    VkObjectType type;
    uint32_t capture_id;   /* names it in a capture; 0: there is none, or it is not in it */
    struct rp_device *dev; /* borrowed; NULL for instances and physical devices */
    char *name;            /* of VK_EXT_debug_utils, or NULL; owned, the driver's allocator */
    struct rp_private_data *private_data; /* owned list; see private_data.h */
};

/* An object of the application: zeroed, with its base filled in. alloc may be NULL: then the
 * device's callbacks. NULL when memory is short. */
void *rp_object_zalloc(struct rp_device *dev, const VkAllocationCallbacks *alloc, size_t size_B,
                       VkObjectType type) RP_MUST_CHECK;

/* Releases what the base owns, then the memory. alloc as it was given to rp_object_zalloc (or
 * compatible callbacks). Accepts a NULL obj. */
void rp_object_free(struct rp_device *dev, const VkAllocationCallbacks *alloc, void *obj);

/* For objects that live inside others or come before the device. */
void rp_object_init(struct rp_object *obj, struct rp_device *dev, VkObjectType type);
void rp_object_finish(struct rp_object *obj);

/* The callbacks an allocation uses: alloc, or else the device's (NULL: the driver's own). */
const VkAllocationCallbacks *rp_callbacks(const struct rp_device *dev,
                                          const VkAllocationCallbacks *alloc);

/* Defines rp_x_from_handle() and rp_x_to_handle(). Both accept null. struct name begins with
 * struct rp_object base. */
#define RP_HANDLE_CASTS(name, vk_type, object_type) \
    static inline struct name *name##_from_handle(vk_type handle) \
    { \
        struct name *obj = (struct name *)(uintptr_t)handle; \
        assert(!obj || obj->base.type == (object_type)); \
        return obj; \
    } \
    static inline vk_type name##_to_handle(struct name *obj) \
    { \
        return (vk_type)(uintptr_t)obj; \
    }

#endif

/* SPDX-License-Identifier: MIT */
/* The base of all objects.
 */
#include "object/object.h"

#include "object/capture.h"
#include "object/device.h"
#include "object/private_data.h"
#include "util/alloc.h"

const VkAllocationCallbacks *
rp_callbacks(const struct rp_device *dev, const VkAllocationCallbacks *alloc)
{
    if (alloc)
        return alloc;
    return dev->has_callbacks ? &dev->callbacks : NULL;
}

void
rp_object_init(struct rp_object *obj, struct rp_device *dev, VkObjectType type)
{
    *obj = (struct rp_object){.type = type, .dev = dev};
}

void
rp_object_finish(struct rp_object *obj)
{
    rp_capture_destroyed(obj);
    rp_free(NULL, obj->name);
    obj->name = NULL;
    while (obj->private_data) {
        struct rp_private_data *data = obj->private_data;
        obj->private_data = data->next;
        rp_free(NULL, data);
    }
}

void *
rp_object_zalloc(struct rp_device *dev, const VkAllocationCallbacks *alloc, size_t size_B,
                 VkObjectType type)
{
    struct rp_object *obj = rp_zalloc(rp_callbacks(dev, alloc), size_B, _Alignof(max_align_t),
                                      VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (obj)
        rp_object_init(obj, dev, type);
    return obj;
}

void
rp_object_free(struct rp_device *dev, const VkAllocationCallbacks *alloc, void *obj)
{
    if (!obj)
        return;
    rp_object_finish(obj);
    rp_free(rp_callbacks(dev, alloc), obj);
}

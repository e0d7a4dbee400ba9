/* SPDX-License-Identifier: MIT */
/* What objects tell a capture (REELPIPE_CAPTURE), which src/capture writes.
 *
 * Any thread. Without a capture each of these looks at one pointer.
 */
#ifndef RP_OBJECT_CAPTURE_H
#define RP_OBJECT_CAPTURE_H

#include "object/device.h"
#include "util/compiler.h"

struct rp_capture_ops {
    /* obj was made as info (a structure with sType) says; it has a handle from here on. */
    void (*created)(struct rp_capture *capture, struct rp_object *obj, const void *info);
    /* Something else was done to it: memory was bound, parameter sets were added. */
    void (*changed)(struct rp_capture *capture, struct rp_object *obj, const void *info);
    /* obj was named, or (NULL) has no name any more. For objects with a capture_id, as
     * destroyed. */
    void (*named)(struct rp_capture *capture, struct rp_object *obj, const char *name);
    /* Sets capture_id to 0. */
    void (*destroyed)(struct rp_capture *capture, struct rp_object *obj);
    void (*finish)(struct rp_capture *capture);
};

/* The base of src/capture's struct. */
struct rp_capture {
    const struct rp_capture_ops *ops;
};

/* Stands for a handle in a structure that is to be written: an object that may be gone, by its
 * capture_id. No pointer has the highest bit. */
#define RP_CAPTURE_ID_HANDLE(id) (UINT64_C(1) << 63 | (id))

static inline void
rp_capture_created(const struct rp_device *dev, struct rp_object *obj, const void *info)
{
    if (RP_UNLIKELY(dev->capture))
        dev->capture->ops->created(dev->capture, obj, info);
}

static inline void
rp_capture_changed(const struct rp_device *dev, struct rp_object *obj, const void *info)
{
    if (RP_UNLIKELY(dev->capture))
        dev->capture->ops->changed(dev->capture, obj, info);
}

/* Once, before what obj owns goes. */
static inline void
rp_capture_destroyed(struct rp_object *obj)
{
    if (RP_UNLIKELY(obj->capture_id))
        obj->dev->capture->ops->destroyed(obj->dev->capture, obj);
}

#endif

/* SPDX-License-Identifier: MIT */
/* The queues of alias families, and the lock of lower queues that are shared.
 */
#include "icd/layer/lower_queue.h"

#include "icd/layer/device.h"
#include "icd/layer/entry.h"
#include "util/alloc.h"

#include <stddef.h>

/* The handle is the struct. */
struct rp_layer_alias_queue {
    const void *loader; /* first: the loader's table, as in all that is dispatched by it */
    struct rp_layer_entry entry;
};

static VkQueue
handle_of(const struct rp_layer_alias_queue *alias)
{
    return (VkQueue)(uintptr_t)alias;
}

static void
release(struct rp_layer_entry *entry)
{
    rp_free(NULL, rp_container_of(entry, struct rp_layer_alias_queue, entry));
}

static VkResult
create(struct rp_layer_device *dev, struct rp_layer_alias_queue **out)
{
    struct rp_layer_alias_queue *alias =
        rp_zalloc(NULL, sizeof(*alias), _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);

    if (!alias)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    alias->loader = dev->key;
    alias->entry.type = VK_OBJECT_TYPE_QUEUE;
    alias->entry.handle = RP_LAYER_HANDLE(handle_of(alias));
    alias->entry.release = release;
    rp_layer_map_put(&dev->map, &alias->entry);
    *out = alias;
    return VK_SUCCESS;
}

VkResult
rp_layer_alias_queues_create(struct rp_layer_device *dev)
{
    VkResult result = VK_SUCCESS;

    for (uint32_t i = 0; i < RP_LAYER_ALIAS_FAMILIES && result == VK_SUCCESS; i++) {
        if (!dev->alias_is_asked[i])
            continue;
        if (!dev->alias_queue) {
            dev->lower.GetDeviceQueue(dev->handle, 0, 0, &dev->alias_queue);
            result = dev->set_loader_data(dev->handle, dev->alias_queue);
        }
        if (result == VK_SUCCESS)
            result = create(dev, &dev->aliases[i]);
    }
    return result;
}

void
rp_layer_alias_queues_destroy(struct rp_layer_device *dev)
{
    for (uint32_t i = 0; i < RP_LAYER_ALIAS_FAMILIES; i++) {
        if (dev->aliases[i])
            rp_layer_entry_free(
                rp_layer_map_take(&dev->map, VK_OBJECT_TYPE_QUEUE, dev->aliases[i]->entry.handle));
        dev->aliases[i] = NULL;
    }
}

VkQueue
rp_layer_alias_queue(const struct rp_layer_device *dev, uint32_t family)
{
    return handle_of(dev->aliases[family - dev->physical_device->family_count]);
}

bool
rp_layer_queue_is_alias(const struct rp_layer_device *dev, VkQueue queue)
{
    for (uint32_t i = 0; i < RP_LAYER_ALIAS_FAMILIES; i++) {
        if (dev->aliases[i] && handle_of(dev->aliases[i]) == queue)
            return true;
    }
    return false;
}

struct rp_layer_shared_queue {
    struct rp_layer_shared_queue *next;
    VkQueue lower;
    pthread_mutex_t mutex; /* a call with it */
};

/* NULL where the application alone calls with it. Caller holds sync_mutex. */
static struct rp_layer_shared_queue *
shared_queue_find(const struct rp_layer_device *dev, VkQueue lower)
{
    struct rp_layer_shared_queue *shared = dev->shared_queues;
    while (shared && shared->lower != lower)
        shared = shared->next;
    return shared;
}

VkResult
rp_layer_lower_queue_share(struct rp_layer_device *dev, VkQueue queue)
{
    if (rp_layer_queue_is_alias(dev, queue) || shared_queue_find(dev, queue))
        return VK_SUCCESS;
    struct rp_layer_shared_queue *shared =
        rp_zalloc(NULL, sizeof(*shared), _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
    if (!shared)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    shared->lower = queue;
    pthread_mutex_init(&shared->mutex, NULL);
    shared->next = dev->shared_queues;
    dev->shared_queues = shared;
    return VK_SUCCESS;
}

void
rp_layer_lower_queues_finish(struct rp_layer_device *dev)
{
    while (dev->shared_queues) {
        struct rp_layer_shared_queue *shared = dev->shared_queues;
        dev->shared_queues = shared->next;
        pthread_mutex_destroy(&shared->mutex);
        rp_free(NULL, shared);
    }
}

/* NULL: it needs none. */
static pthread_mutex_t *
mutex_of(struct rp_layer_device *dev, VkQueue lower)
{
    if (lower == dev->copy_queue || lower == dev->alias_queue)
        return &dev->copy_mutex;
    pthread_mutex_lock(&dev->sync_mutex);
    struct rp_layer_shared_queue *shared = shared_queue_find(dev, lower);
    pthread_mutex_unlock(&dev->sync_mutex);
    return shared ? &shared->mutex : NULL;
}

VkQueue
rp_layer_lower_queue_lock(struct rp_layer_device *dev, VkQueue queue)
{
    const VkQueue lower = rp_layer_queue_is_alias(dev, queue) ? dev->alias_queue : queue;
    pthread_mutex_t *mutex = mutex_of(dev, lower);

    if (mutex)
        pthread_mutex_lock(mutex);
    return lower;
}

void
rp_layer_lower_queue_unlock(struct rp_layer_device *dev, VkQueue lower)
{
    pthread_mutex_t *mutex = mutex_of(dev, lower);

    if (mutex)
        pthread_mutex_unlock(mutex);
}

/* SPDX-License-Identifier: MIT */
#include "object/descriptor_names.h"

#include "object/device.h"
#include "util/alloc.h"
#include "util/log.h"

#define USE_BITS ((uintptr_t)15) /* of a name's entry, below the object's address */

void
rp_descriptor_names_init(struct rp_descriptor_names *names)
{
    names->limit = 1;
    pthread_mutex_init(&names->mutex, NULL);
}

void
rp_descriptor_names_finish(struct rp_device *dev, struct rp_descriptor_names *names)
{
    for (uint32_t i = 0; i < RP_DESCRIPTOR_NAME_CHUNKS; i++)
        rp_free(rp_callbacks(dev, NULL),
                atomic_load_explicit(&names->chunks[i], memory_order_relaxed));
    pthread_mutex_destroy(&names->mutex);
}

/* NULL: no such name was ever given. */
static atomic_uintptr_t *
entry_of(const struct rp_descriptor_names *names, uint32_t name)
{
    const uint32_t chunk = name / RP_DESCRIPTOR_NAMES_PER_CHUNK;
    if (chunk >= RP_DESCRIPTOR_NAME_CHUNKS)
        return NULL;
    atomic_uintptr_t *entries = atomic_load_explicit(&names->chunks[chunk], memory_order_acquire);
    return entries ? &entries[name % RP_DESCRIPTOR_NAMES_PER_CHUNK] : NULL;
}

/* 0: there are too many, or there is no memory. */
static uint32_t
name_new(struct rp_device *dev, struct rp_descriptor_names *names)
{
    const uint32_t name = names->limit;
    if (name == RP_DESCRIPTOR_NAMES_PER_CHUNK * RP_DESCRIPTOR_NAME_CHUNKS)
        return 0;
    if (!entry_of(names, name)) {
        atomic_uintptr_t *entries =
            rp_zalloc_array(rp_callbacks(dev, NULL), RP_DESCRIPTOR_NAMES_PER_CHUNK,
                            sizeof(*entries), VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
        if (!entries)
            return 0;
        atomic_store_explicit(&names->chunks[name / RP_DESCRIPTOR_NAMES_PER_CHUNK], entries,
                              memory_order_release);
    }
    names->limit++;
    return name;
}

static uint32_t
next_free(const struct rp_descriptor_names *names, uint32_t name)
{
    return (uint32_t)(atomic_load(entry_of(names, name)) / (USE_BITS + 1));
}

static void
set_next_free(struct rp_descriptor_names *names, uint32_t name, uint32_t next)
{
    atomic_store(entry_of(names, name), (uintptr_t)next * (USE_BITS + 1));
}

static void
name_give(struct rp_descriptor_names *names, uint32_t name, const void *object, uint32_t uses)
{
    atomic_store_explicit(entry_of(names, name), (uintptr_t)object | uses, memory_order_release);
}

VkResult
rp_descriptor_names_take(struct rp_device *dev, struct rp_descriptor_names *names,
                         const void *object, uint32_t uses, uint32_t *out)
{
    pthread_mutex_lock(&names->mutex);
    uint32_t name = names->first_free;
    if (name)
        names->first_free = next_free(names, name);
    else
        name = name_new(dev, names);
    if (name)
        name_give(names, name, object, uses);
    pthread_mutex_unlock(&names->mutex);
    *out = name;
    return name ? VK_SUCCESS : rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);
}

/* The free names end with this one, which was never given. False: there is no memory. */
static bool
free_until(struct rp_device *dev, struct rp_descriptor_names *names, uint32_t name)
{
    while (names->limit <= name) {
        const uint32_t added = name_new(dev, names);
        if (!added)
            return false;
        set_next_free(names, added, names->first_free);
        names->first_free = added;
    }
    return true;
}

/* False: it is not free. */
static bool
free_remove(struct rp_descriptor_names *names, uint32_t name)
{
    uint32_t before = 0, at = names->first_free;
    while (at && at != name) {
        before = at;
        at = next_free(names, at);
    }
    if (!at)
        return false;
    if (before)
        set_next_free(names, before, next_free(names, at));
    else
        names->first_free = next_free(names, at);
    return true;
}

VkResult
rp_descriptor_names_take_that(struct rp_device *dev, struct rp_descriptor_names *names,
                              uint32_t name, const void *object, uint32_t uses)
{
    VkResult result = VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS;

    if (name == 0 || name >= RP_DESCRIPTOR_NAMES_PER_CHUNK * RP_DESCRIPTOR_NAME_CHUNKS)
        return rp_error(dev, result);
    pthread_mutex_lock(&names->mutex);
    if (!free_until(dev, names, name)) {
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
    } else if (free_remove(names, name)) {
        name_give(names, name, object, uses);
        result = VK_SUCCESS;
    }
    pthread_mutex_unlock(&names->mutex);
    return result == VK_SUCCESS ? result : rp_error(dev, result);
}

void
rp_descriptor_names_drop(struct rp_descriptor_names *names, uint32_t name)
{
    if (!name)
        return;
    pthread_mutex_lock(&names->mutex);
    set_next_free(names, name, names->first_free);
    names->first_free = name;
    pthread_mutex_unlock(&names->mutex);
}

const void *
rp_descriptor_names_find(const struct rp_descriptor_names *names, uint32_t name, uint32_t use)
{
    const atomic_uintptr_t *entry = entry_of(names, name);
    const uintptr_t value = entry ? atomic_load_explicit(entry, memory_order_acquire) : 0;
    return value & use ? (const void *)(value & ~USE_BITS) : NULL;
}

/* SPDX-License-Identifier: MIT */
/* The hub: lists of waiters with predicates, looked through whenever something is announced.
 *
 * Nobody is missed: a waiter counts itself before it looks, an announcer stores before it reads
 * the count, and both are sequentially consistent.
 */
#include "object/sync.h"

#include "object/device.h"
#include "platform/clock.h"
#include "platform/condition.h"
#include "platform/descriptor.h"
#include "platform/pages.h"
#include "util/alloc.h"
#include "util/log.h"

#define POLL_NS UINT64_C(200000)

struct rp_sync_waiter {
    rp_sync_predicate *is_met;
    const void *ctx;
    pthread_cond_t cond;
    struct rp_sync_waiter *next;
    struct rp_sync_waiter **link; /* that points here */
};

bool
rp_sync_hub_init(struct rp_sync_hub *hub)
{
    *hub = (struct rp_sync_hub){0};
    for (uint32_t i = 0; i < RP_SYNC_BUCKETS; i++)
        pthread_mutex_init(&hub->buckets[i].mutex, NULL);
    return pthread_mutex_init(&hub->any.mutex, NULL) == 0;
}

void
rp_sync_hub_finish(struct rp_sync_hub *hub)
{
    for (uint32_t i = 0; i < RP_SYNC_BUCKETS; i++)
        pthread_mutex_destroy(&hub->buckets[i].mutex);
    pthread_mutex_destroy(&hub->any.mutex);
}

static struct rp_sync_bucket *
hub_bucket(struct rp_sync_hub *hub, const void *thing)
{
    const uint64_t mixed = (uint64_t)(uintptr_t)thing * UINT64_C(0x9e3779b97f4a7c15);
    return &hub->buckets[mixed >> 32 & (RP_SYNC_BUCKETS - 1)];
}

uint64_t
rp_sync_deadline_ns(uint64_t timeout_ns)
{
    if (timeout_ns == 0)
        return 0;
    const uint64_t now_ns = rp_clock_now_ns();
    /* What rp_condition_wait_until() takes. */
    return timeout_ns < INT64_MAX - now_ns ? now_ns + timeout_ns : RP_WAIT_FOREVER;
}

static void
waiter_link(struct rp_sync_bucket *bucket, struct rp_sync_waiter *waiter)
{
    rp_condition_init(&waiter->cond);
    waiter->next = bucket->waiters;
    waiter->link = &bucket->waiters;
    if (waiter->next)
        waiter->next->link = &waiter->next;
    bucket->waiters = waiter;
    atomic_fetch_add(&bucket->waiter_count, 1);
}

static void
waiter_unlink(struct rp_sync_bucket *bucket, struct rp_sync_waiter *waiter)
{
    *waiter->link = waiter->next;
    if (waiter->next)
        waiter->next->link = waiter->link;
    atomic_fetch_sub(&bucket->waiter_count, 1);
    pthread_cond_destroy(&waiter->cond);
}

static void
waiter_sleep(struct rp_sync_bucket *bucket, struct rp_sync_waiter *waiter, uint64_t until_ns)
{
    if (until_ns == RP_WAIT_FOREVER)
        pthread_cond_wait(&waiter->cond, &bucket->mutex);
    else
        (void)rp_condition_wait_until(&waiter->cond, &bucket->mutex, until_ns);
}

VkResult
rp_sync_wait(struct rp_device *dev, rp_sync_predicate *is_met, const void *ctx, bool needs_polling,
             uint64_t until_ns)
{
    return rp_sync_wait_for(dev, NULL, is_met, ctx, needs_polling, until_ns);
}

VkResult
rp_sync_wait_for(struct rp_device *dev, const void *thing, rp_sync_predicate *is_met,
                 const void *ctx, bool needs_polling, uint64_t until_ns)
{
    /* Several payloads may be on one page. */
    struct rp_sync_bucket *bucket =
        thing && !needs_polling ? hub_bucket(&dev->hub, thing) : &dev->hub.any;

    if (is_met(ctx))
        return VK_SUCCESS;
    if (rp_device_is_lost(dev))
        return VK_ERROR_DEVICE_LOST;
    if (until_ns == 0)
        return VK_TIMEOUT;

    struct rp_sync_waiter waiter = {.is_met = is_met, .ctx = ctx};
    VkResult result = VK_SUCCESS;
    pthread_mutex_lock(&bucket->mutex);
    waiter_link(bucket, &waiter);
    while (!is_met(ctx)) {
        if (rp_device_is_lost(dev)) {
            result = VK_ERROR_DEVICE_LOST;
            break;
        }
        const bool is_bounded = until_ns != RP_WAIT_FOREVER;
        const uint64_t now_ns = is_bounded || needs_polling ? rp_clock_now_ns() : 0;
        if (is_bounded && now_ns >= until_ns) {
            result = VK_TIMEOUT;
            break;
        }
        const uint64_t poll_ns = needs_polling ? now_ns + POLL_NS : RP_WAIT_FOREVER;
        waiter_sleep(bucket, &waiter, RP_MIN(until_ns, poll_ns));
    }
    waiter_unlink(bucket, &waiter);
    pthread_mutex_unlock(&bucket->mutex);
    return result;
}

static void
bucket_announce(const struct rp_device *dev, struct rp_sync_bucket *bucket)
{
    if (atomic_load(&bucket->waiter_count) == 0)
        return;
    pthread_mutex_lock(&bucket->mutex);
    for (struct rp_sync_waiter *w = bucket->waiters; w; w = w->next) {
        if (rp_device_is_lost(dev) || w->is_met(w->ctx))
            pthread_cond_signal(&w->cond);
    }
    pthread_mutex_unlock(&bucket->mutex);
}

void
rp_sync_announce(struct rp_device *dev)
{
    bucket_announce(dev, &dev->hub.any);
}

void
rp_sync_announce_everything(struct rp_device *dev)
{
    for (uint32_t i = 0; i < RP_SYNC_BUCKETS; i++)
        bucket_announce(dev, &dev->hub.buckets[i]);
    bucket_announce(dev, &dev->hub.any);
}

void
rp_sync_announce_change(struct rp_device *dev, const void *thing)
{
    bucket_announce(dev, hub_bucket(&dev->hub, thing));
}

struct rp_sync *
rp_sync_create(uint64_t value)
{
    struct rp_sync *sync =
        rp_zalloc(NULL, sizeof(*sync), _Alignof(struct rp_sync), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!sync)
        return NULL;
    atomic_init(&sync->ref_count, 1);
    atomic_init(&sync->own.value, value);
    sync->shared = &sync->own;
    sync->fd = -1;
    sync->sync_file = -1;
    return sync;
}

static int
shared_page_create(void)
{
    const int fd = rp_memfd_create("reelpipe-sync");
    if (fd < 0 || rp_memfd_seal(fd, sizeof(struct rp_sync_shared), false))
        return fd;
    rp_descriptor_close(fd);
    return -1;
}

static bool
sync_map(struct rp_sync *sync, int fd)
{
    void *page = rp_descriptor_map(fd, sizeof(*sync->shared));
    if (!page)
        return false;
    sync->shared = page;
    sync->fd = fd;
    return true;
}

struct rp_sync *
rp_sync_create_shareable(uint64_t value)
{
    /* Sandboxes forbid memfds, and files run out. Most of what is made for export never is. */
    const int fd = shared_page_create();
    if (fd < 0)
        return rp_sync_create(value);

    struct rp_sync *sync = rp_sync_create(0);
    if (!sync || !sync_map(sync, fd)) {
        rp_sync_unref(sync);
        rp_descriptor_close(fd);
        return NULL;
    }
    atomic_store(&sync->shared->value, value);
    return sync;
}

struct rp_sync *
rp_sync_import_page(int fd)
{
    if (!rp_memfd_is_sealed(fd) || rp_descriptor_size_B(fd) < sizeof(struct rp_sync_shared))
        return NULL;

    struct rp_sync *sync = rp_sync_create(0);
    if (sync && !sync_map(sync, fd)) {
        rp_sync_unref(sync);
        sync = NULL;
    }
    return sync;
}

struct rp_sync *
rp_sync_import_file(int fd)
{
    struct rp_sync *sync = rp_sync_create(fd < 0 ? 1 : 0);
    if (sync)
        sync->sync_file = fd;
    return sync;
}

VkResult
rp_sync_export_page(const struct rp_sync *sync, int *out)
{
    if (!sync || sync->fd < 0)
        return rp_error(NULL, VK_ERROR_OUT_OF_HOST_MEMORY); /* not made for export */
    const int fd = rp_descriptor_duplicate(sync->fd);
    if (fd < 0)
        return rp_error(NULL, VK_ERROR_TOO_MANY_OBJECTS);
    *out = fd;
    return VK_SUCCESS;
}

struct rp_sync *
rp_sync_ref(struct rp_sync *sync)
{
    atomic_fetch_add_explicit(&sync->ref_count, 1, memory_order_relaxed);
    return sync;
}

void
rp_sync_unref(struct rp_sync *sync)
{
    if (!sync || atomic_fetch_sub_explicit(&sync->ref_count, 1, memory_order_acq_rel) != 1)
        return;
    if (sync->fd >= 0)
        rp_pages_unmap(sync->shared, sizeof(*sync->shared));
    rp_descriptor_close(sync->fd);
    rp_descriptor_close(sync->sync_file);
    rp_free(NULL, sync);
}

uint64_t
rp_sync_value(const struct rp_sync *sync)
{
    if (RP_UNLIKELY(sync->sync_file >= 0) && rp_descriptor_is_readable(sync->sync_file))
        return 1;
    return atomic_load(&sync->shared->value);
}

bool
rp_sync_needs_polling(const struct rp_sync *sync)
{
    return sync->fd >= 0 || sync->sync_file >= 0;
}

void
rp_sync_reset(struct rp_sync *sync)
{
    atomic_store(&sync->shared->value, 0);
}

void
rp_sync_raise(struct rp_sync *sync, uint64_t value)
{
    atomic_uint_fast64_t *shared = &sync->shared->value;
    uint_fast64_t old = atomic_load(shared);

    while (old < value && !atomic_compare_exchange_weak(shared, &old, value)) {
    }
}

/* Session and value in one word. Larger values, which nobody counts to, are never pre-signalled. */
#define PRE_SIGNAL_VALUE_BITS 40

void
rp_sync_pre_signal(struct rp_sync *sync, uint32_t session, uint64_t value)
{
    if (value >> PRE_SIGNAL_VALUE_BITS == 0)
        atomic_store(&sync->pre_signal, (uint64_t)session << PRE_SIGNAL_VALUE_BITS | value);
}

bool
rp_sync_is_pre_signalled(const struct rp_sync *sync, uint32_t session, uint64_t value)
{
    const uint64_t pre_signal = atomic_load(&sync->pre_signal);
    return pre_signal >> PRE_SIGNAL_VALUE_BITS == session &&
           (pre_signal & ((UINT64_C(1) << PRE_SIGNAL_VALUE_BITS) - 1)) >= value;
}

void
rp_sync_signal(struct rp_device *dev, struct rp_sync *sync, uint64_t value)
{
    rp_sync_raise(sync, value);
    rp_sync_announce_change(dev, sync);
    rp_sync_announce(dev);
}

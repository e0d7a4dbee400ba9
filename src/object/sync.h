/* SPDX-License-Identifier: MIT */
/* Waiting: every wait of a device goes through one hub, and every change that somebody may wait for
 * is announced there. Semaphores, fences and events share one kind of payload, a 64-bit value.
 *
 * A wait is for a predicate over atomics to become true. Who changes such an atomic stores it first
 * and announces then; when nobody waits, announcing costs one load. A lost device ends every wait.
 *
 * Most threads of the application wait for one payload each, and there may be hundreds of them, and
 * the threads of idle queues wait for work: they wait apart from the others, where only changes of
 * a few things look for them.
 */
#ifndef RP_OBJECT_SYNC_H
#define RP_OBJECT_SYNC_H

#include "object/inline_submit_predictor.h"
#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct rp_device;
struct rp_sync;
struct rp_sync_waiter;

#define RP_WAIT_FOREVER UINT64_MAX

/* Waiters that are woken together; others may be among them. */
struct rp_sync_bucket {
    pthread_mutex_t mutex; /* guards waiters */
    struct rp_sync_waiter *waiters;
    atomic_uint waiter_count;
    uint8_t other_line[RP_CACHE_LINE_B]; /* the next bucket is not in the same cache line */
};

#define RP_SYNC_BUCKETS 32

/* Where the threads of a device wait. */
struct rp_sync_hub {
    struct rp_sync_bucket any;                      /* waits for anything */
    struct rp_sync_bucket buckets[RP_SYNC_BUCKETS]; /* waits for one thing, by its address */
};

bool rp_sync_hub_init(struct rp_sync_hub *hub) RP_MUST_CHECK;
void rp_sync_hub_finish(struct rp_sync_hub *hub);

/* Reads atomics only: it is called with a bucket's mutex held, by any thread that announces. */
typedef bool rp_sync_predicate(const void *ctx);

/* Waits until is_met(ctx) or until_ns of rp_clock_now_ns(). VK_SUCCESS, VK_TIMEOUT or
 * VK_ERROR_DEVICE_LOST; what is met is a success even on a lost device. needs_polling: something
 * outside the hub (another process) may meet it. */
VkResult rp_sync_wait(struct rp_device *dev, rp_sync_predicate *is_met, const void *ctx,
                      bool needs_polling, uint64_t until_ns) RP_MUST_CHECK;

/* rp_sync_wait() for what nothing meets but changes of one thing, a payload's value or a queue's
 * list, that are announced by its address; NULL: no one thing, see rp_sync_wait(). */
VkResult rp_sync_wait_for(struct rp_device *dev, const void *thing, rp_sync_predicate *is_met,
                          const void *ctx, bool needs_polling, uint64_t until_ns) RP_MUST_CHECK;

/* Wakes the waits whose predicates are met now, but for those for one thing. Any thread; touches
 * nothing but dev. */
void rp_sync_announce(struct rp_device *dev);
/* Wakes the waits for one thing, too. */
void rp_sync_announce_everything(struct rp_device *dev);
/* Wakes the waits for this thing alone, which was changed; it may be gone. */
void rp_sync_announce_change(struct rp_device *dev, const void *thing);

/* The time timeout_ns from now; RP_WAIT_FOREVER when that is too far away. */
uint64_t rp_sync_deadline_ns(uint64_t timeout_ns);

/* The state of a fence (0, 1), a binary semaphore (0, 1) or a timeline. Opaque file descriptors
 * share the value's page between processes. */
struct rp_sync_shared {
    atomic_uint_fast64_t value;
};

struct rp_sync {
    atomic_uint ref_count;
    struct rp_sync_shared *shared; /* own below, or a page of fd */
    struct rp_sync_shared own;
    int fd;        /* memfd of the page; -1 */
    int sync_file; /* imported: signalled when it polls readable; -1 */
    struct rp_inline_predictor_mark mark;
    atomic_uint_fast64_t pre_signal; /* of rp_sync_pre_signal(); 0: none */
};

/* From the driver's allocator, with one reference; NULL when memory is short. */
struct rp_sync *rp_sync_create(uint64_t value) RP_MUST_CHECK;
/* A payload whose page can be shared. Where the system refuses a memfd it can't be, and
 * rp_sync_export_page() fails. */
struct rp_sync *rp_sync_create_shareable(uint64_t value) RP_MUST_CHECK;
/* A payload on the page of another one, of this process or another, which fd names. Takes fd on
 * success; NULL when that is not such a page, or memory is short. */
struct rp_sync *rp_sync_import_page(int fd) RP_MUST_CHECK;
/* A binary payload that is signalled when the sync file fd is; -1 stands for one that is signalled
 * already. Takes fd on success. */
struct rp_sync *rp_sync_import_file(int fd) RP_MUST_CHECK;
/* A new descriptor of a shareable payload's page; fails for NULL. */
VkResult rp_sync_export_page(const struct rp_sync *sync, int *out) RP_MUST_CHECK;
struct rp_sync *rp_sync_ref(struct rp_sync *sync);
void rp_sync_unref(struct rp_sync *sync); /* accepts NULL */

uint64_t rp_sync_value(const struct rp_sync *sync);
bool rp_sync_needs_polling(const struct rp_sync *sync);

void rp_sync_reset(struct rp_sync *sync); /* sets the value to 0 */
/* Sets the value, but never to less than it is: several queues may signal one timeline late and
 * out of order, as Vulkan-Video-Samples' decoder has it. The caller announces, the value too. */
void rp_sync_raise(struct rp_sync *sync, uint64_t value);
/* Pre-signals a timeline: all that comes before this value is done but for pictures of that encode
 * session, which have begun. The session's next pictures may begin, and find out for themselves
 * what they have to wait for (queue/overlap.h). session: its overlap_id. The caller announces. */
void rp_sync_pre_signal(struct rp_sync *sync, uint32_t session, uint64_t value);
bool rp_sync_is_pre_signalled(const struct rp_sync *sync, uint32_t session, uint64_t value);
/* Raises the value, then announces it. The payload may be gone once the value is seen. */
void rp_sync_signal(struct rp_device *dev, struct rp_sync *sync, uint64_t value);

#endif

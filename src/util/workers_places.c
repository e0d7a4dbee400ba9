/* SPDX-License-Identifier: MIT */
/* Threads of the pool on processors of their own.
 *
 * Where processors are few, a system leaves a thread that it wakes with the one that woke it, and
 * the two take turns for milliseconds while another processor has nothing to do. Threads at work
 * say now and then where they are. One that finds that another took its processor since has shared
 * it, and goes where nobody is.
 */
#include "util/workers_pool.h"

#include "platform/clock.h"
#include "platform/thread.h"

#define SEEN_NS UINT64_C(10000000) /* somebody seen longer ago has gone without saying so */
#define MOVE_NS UINT64_C(300000)   /* between two threads' moves: they see what came of it */

static uintptr_t
own_id(void)
{
    return (uintptr_t)pthread_self();
}

static struct worker_place *
place_of(struct rp_workers *w, uint32_t cpu)
{
    return &w->places[cpu % WORKER_PLACES];
}

static bool
place_is_taken(const struct worker_place *place, uint32_t cpu, uint64_t now_ns)
{
    return atomic_load_explicit(&place->thread, memory_order_relaxed) != 0 &&
           atomic_load_explicit(&place->cpu, memory_order_relaxed) == cpu &&
           now_ns - atomic_load_explicit(&place->seen_ns, memory_order_relaxed) < SEEN_NS;
}

static bool
place_is_own(const struct worker_place *place)
{
    return atomic_load_explicit(&place->thread, memory_order_relaxed) == own_id();
}

static void
place_take(struct worker_place *place, uint32_t cpu, uint64_t now_ns)
{
    atomic_store_explicit(&place->thread, own_id(), memory_order_relaxed);
    atomic_store_explicit(&place->cpu, cpu, memory_order_relaxed);
    atomic_store_explicit(&place->seen_ns, now_ns, memory_order_relaxed);
}

static void
place_leave(struct worker_place *place)
{
    if (place_is_own(place))
        atomic_store_explicit(&place->thread, 0, memory_order_relaxed);
}

/* NULL: the calling thread is not the pool's. */
static struct worker *
own_worker(struct rp_workers *w)
{
    const uint32_t count = atomic_load(&w->thread_count);
    for (uint32_t i = 0; i < count; i++) {
        if ((uintptr_t)w->threads[i].id == own_id())
            return &w->threads[i];
    }
    return NULL;
}

struct search {
    struct rp_workers *w;
    uint64_t now_ns;
};

static bool
cpu_is_free(const void *ctx, uint32_t cpu)
{
    const struct search *search = ctx;
    return !place_is_taken(place_of(search->w, cpu), cpu, search->now_ns);
}

/* The processor that the worker is on then, which may be the same. */
static uint32_t
worker_move(struct rp_workers *w, uint32_t cpu, uint64_t now_ns)
{
    const struct search search = {w, now_ns};
    unsigned long long next_ns = atomic_load(&w->next_move_ns);

    if (now_ns < next_ns ||
        !atomic_compare_exchange_strong(&w->next_move_ns, &next_ns, now_ns + MOVE_NS))
        return cpu;
    const uint32_t other = rp_thread_move(cpu_is_free, &search);
    return other == RP_THREAD_CPU_UNKNOWN ? cpu : other;
}

void
rp_workers_keep_apart(struct rp_workers *w)
{
    uint32_t cpu = rp_thread_cpu();
    if (cpu == RP_THREAD_CPU_UNKNOWN)
        return;

    const uint64_t now_ns = rp_clock_now_ns();
    const bool is_own = place_is_own(place_of(w, cpu));
    struct worker *worker = is_own ? NULL : own_worker(w);
    if (worker) {
        /* The worker was here, and another has come since. */
        if (worker->place_cpu == cpu && place_is_taken(place_of(w, cpu), cpu, now_ns))
            cpu = worker_move(w, cpu, now_ns);
        else if (worker->place_cpu != RP_THREAD_CPU_UNKNOWN)
            place_leave(place_of(w, worker->place_cpu));
        worker->place_cpu = cpu;
    }
    place_take(place_of(w, cpu), cpu, now_ns);
}

void
rp_workers_leave_place(struct rp_workers *w)
{
    struct worker *worker = own_worker(w);
    const uint32_t cpu = worker ? worker->place_cpu : rp_thread_cpu();

    if (cpu != RP_THREAD_CPU_UNKNOWN)
        place_leave(place_of(w, cpu));
    if (worker)
        worker->place_cpu = RP_THREAD_CPU_UNKNOWN;
}

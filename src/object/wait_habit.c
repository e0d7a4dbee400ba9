/* SPDX-License-Identifier: MIT */
/* Sees how long after vkQueueSubmit its thread comes to wait.
 */
#include "object/wait_habit.h"

#include "object/sync.h"

#include <pthread.h>

#define AT_ONCE_NS UINT64_C(50000)

/* Longer work stays on the queue's thread: two wake-ups are nothing to it, and no application shall
 * find itself inside vkQueueSubmit for longer than half a picture at 60 Hz. */
#define LONGEST_WORK_NS UINT64_C(8000000)

#define FIRST_WANTED_COUNT 8u
#define FORGIVING_COUNT 256u

static uintptr_t
this_thread(void)
{
    return (uintptr_t)pthread_self();
}

void
rp_wait_habit_init(struct rp_wait_habit *habit)
{
    *habit = (struct rp_wait_habit){0};
    atomic_store(&habit->wanted_count, FIRST_WANTED_COUNT);
}

static void
habit_break(struct rp_wait_habit *habit)
{
    const unsigned wanted_count = atomic_load(&habit->wanted_count);

    if (atomic_load(&habit->seen_count) >= wanted_count)
        atomic_store(&habit->wanted_count, RP_MIN(2 * wanted_count, FORGIVING_COUNT));
    atomic_store(&habit->seen_count, 0);
}

bool
rp_wait_habit_begin(struct rp_wait_habit *habit, bool is_alone)
{
    const uintptr_t thread = this_thread();

    if (!is_alone || !atomic_load(&habit->was_awaited) || atomic_load(&habit->thread) != thread)
        habit_break(habit);
    atomic_store(&habit->thread, thread);
    atomic_store(&habit->was_awaited, false);
    atomic_fetch_add(&habit->serial, 1);
    return atomic_load(&habit->seen_count) >= atomic_load(&habit->wanted_count);
}

void
rp_wait_habit_mark(struct rp_wait_habit *habit, struct rp_wait_mark *mark, uint64_t value)
{
    atomic_store(&mark->serial, atomic_load(&habit->serial));
    atomic_store(&mark->value, value);
    atomic_store(&mark->habit, habit);
}

void
rp_wait_habit_end(struct rp_wait_habit *habit, uint64_t work_ns)
{
    if (work_ns > LONGEST_WORK_NS)
        atomic_store(&habit->seen_count, 0);
    atomic_store(&habit->submitted_ns, rp_sync_now_ns());
}

struct rp_wait_habit *
rp_wait_habit_find_last(struct rp_wait_habit *habit)
{
    if (atomic_load(&habit->thread) != this_thread() || atomic_load(&habit->was_awaited) ||
        rp_sync_now_ns() - atomic_load(&habit->submitted_ns) > AT_ONCE_NS)
        return NULL;
    return habit;
}

struct rp_wait_habit *
rp_wait_habit_find(const struct rp_wait_mark *mark, uint64_t value)
{
    struct rp_wait_habit *habit = atomic_load(&mark->habit);

    if (RP_LIKELY(!habit) || atomic_load(&mark->value) != value ||
        atomic_load(&mark->serial) != atomic_load(&habit->serial))
        return NULL;
    return rp_wait_habit_find_last(habit);
}

void
rp_wait_habit_awaited(struct rp_wait_habit *habit)
{
    if (!habit || rp_sync_now_ns() - atomic_load(&habit->submitted_ns) > LONGEST_WORK_NS)
        return;
    atomic_store(&habit->was_awaited, true);
    if (atomic_fetch_add(&habit->seen_count, 1) + 1 >= FORGIVING_COUNT)
        atomic_store(&habit->wanted_count, FIRST_WANTED_COUNT);
}

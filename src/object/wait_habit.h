/* SPDX-License-Identifier: MIT */
/* Whether an application waits at once for what it has submitted to a queue, as many do picture by
 * picture. Then its thread may as well do the work inside vkQueueSubmit: no thread is woken for
 * it, nor by it, and the caches stay where they are.
 *
 * The habit is seen several times in a row before it is relied upon, and when it proves wrong it
 * has to be seen longer. Nothing but time depends on it.
 */
#ifndef RP_OBJECT_WAIT_HABIT_H
#define RP_OBJECT_WAIT_HABIT_H

#include "util/compiler.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Of one queue. What follows the thread is of use to that thread alone; it is atomic because others
 * look whether it is theirs, and may see it change. */
struct rp_wait_habit {
    atomic_uintptr_t thread;           /* that submitted last */
    atomic_uint_fast64_t serial;       /* of its submission */
    atomic_uint_fast64_t submitted_ns; /* when vkQueueSubmit was done with it */
    atomic_bool was_awaited;           /* at once, and not for long */
    atomic_uint seen_count;            /* times in a row */
    atomic_uint wanted_count;          /* of those, to rely on it */
};

/* In a payload: which submission it will be signalled by. Zero: none. */
struct rp_wait_mark {
    _Atomic(struct rp_wait_habit *) habit;
    atomic_uint_fast64_t serial;
    atomic_uint_fast64_t value;
};

void rp_wait_habit_init(struct rp_wait_habit *habit);

/* A submission that is not short begins. is_alone: the queue has nothing else to do. True: it may
 * run inside vkQueueSubmit. */
bool rp_wait_habit_begin(struct rp_wait_habit *habit, bool is_alone) RP_MUST_CHECK;

/* That submission raises the payload to value. */
void rp_wait_habit_mark(struct rp_wait_habit *habit, struct rp_wait_mark *mark, uint64_t value);

/* vkQueueSubmit is done with it; work_ns: how long it worked itself, or 0. */
void rp_wait_habit_end(struct rp_wait_habit *habit, uint64_t work_ns);

/* A thread comes to wait for a payload: the habit that this belongs to, or NULL. */
struct rp_wait_habit *rp_wait_habit_find(const struct rp_wait_mark *mark, uint64_t value);
/* The same for a wait until the queue is idle. */
struct rp_wait_habit *rp_wait_habit_find_last(struct rp_wait_habit *habit);
/* Its wait has succeeded. Accepts NULL. */
void rp_wait_habit_awaited(struct rp_wait_habit *habit);

#endif

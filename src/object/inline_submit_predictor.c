/* SPDX-License-Identifier: MIT */
/* Sees how long after vkQueueSubmit its thread comes to wait.
 */
#include "object/inline_submit_predictor.h"

#include "platform/clock.h"

#include <pthread.h>

/* A thread waits at once when it comes to wait this soon after vkQueueSubmit. What it does in
 * between could have gone on beside the work, so beside long work it may take longer: a 32nd of it,
 * which is less than a picture loses in the cold caches of another processor. */
#define AT_ONCE_NS UINT64_C(50000)
#define LONGEST_GAP_NS UINT64_C(500000)
#define WORK_PER_GAP 32u

/* Longer work stays on the queue's thread: two wake-ups are nothing to it, and no application shall
 * find itself inside vkQueueSubmit for longer than a picture at 30 Hz. */
#define LONGEST_WORK_NS UINT64_C(33000000)

#define FIRST_WANTED_COUNT 8u
#define FORGIVING_COUNT 256u

static uintptr_t
this_thread(void)
{
    return (uintptr_t)pthread_self();
}

void
rp_inline_predictor_init(struct rp_inline_predictor *predictor)
{
    *predictor = (struct rp_inline_predictor){0};
    atomic_store(&predictor->wanted_count, FIRST_WANTED_COUNT);
}

static void
predictor_reset(struct rp_inline_predictor *predictor)
{
    const unsigned wanted_count = atomic_load(&predictor->wanted_count);

    if (atomic_load(&predictor->seen_count) >= wanted_count)
        atomic_store(&predictor->wanted_count, RP_MIN(2 * wanted_count, FORGIVING_COUNT));
    atomic_store(&predictor->seen_count, 0);
}

bool
rp_inline_predictor_begin(struct rp_inline_predictor *predictor, bool is_alone)
{
    const uintptr_t thread = this_thread();

    if (!is_alone || !atomic_load(&predictor->was_awaited) ||
        atomic_load(&predictor->thread) != thread)
        predictor_reset(predictor);
    atomic_store(&predictor->thread, thread);
    atomic_store(&predictor->was_awaited, false);
    atomic_fetch_add(&predictor->serial, 1);
    return atomic_load(&predictor->seen_count) >= atomic_load(&predictor->wanted_count);
}

void
rp_inline_predictor_mark(struct rp_inline_predictor *predictor,
                         struct rp_inline_predictor_mark *mark, uint64_t value)
{
    atomic_store(&mark->serial, atomic_load(&predictor->serial));
    atomic_store(&mark->value, value);
    atomic_store(&mark->predictor, predictor);
}

void
rp_inline_predictor_end(struct rp_inline_predictor *predictor, uint64_t work_ns)
{
    if (work_ns > LONGEST_WORK_NS)
        predictor_reset(predictor);
    atomic_store(&predictor->work_ns, work_ns);
    atomic_store(&predictor->submitted_ns, rp_clock_now_ns());
}

struct rp_inline_predictor *
rp_inline_predictor_find_last(struct rp_inline_predictor *predictor)
{
    if (atomic_load(&predictor->thread) != this_thread() || atomic_load(&predictor->was_awaited))
        return NULL;
    const uint64_t gap_ns = rp_clock_now_ns() - atomic_load(&predictor->submitted_ns);
    atomic_store(&predictor->gap_ns, gap_ns);
    return gap_ns <= LONGEST_GAP_NS ? predictor : NULL;
}

struct rp_inline_predictor *
rp_inline_predictor_find(const struct rp_inline_predictor_mark *mark, uint64_t value)
{
    struct rp_inline_predictor *predictor = atomic_load(&mark->predictor);

    if (RP_LIKELY(!predictor) || atomic_load(&mark->value) != value ||
        atomic_load(&mark->serial) != atomic_load(&predictor->serial))
        return NULL;
    return rp_inline_predictor_find_last(predictor);
}

void
rp_inline_predictor_note_wait(struct rp_inline_predictor *predictor)
{
    if (!predictor)
        return;
    const uint64_t gap_ns = atomic_load(&predictor->gap_ns);
    const uint64_t beside_ns = rp_clock_now_ns() - atomic_load(&predictor->submitted_ns);
    const uint64_t inside_ns = atomic_load(&predictor->work_ns);
    const uint64_t work_ns = inside_ns ? inside_ns : beside_ns;
    if (RP_MAX(inside_ns, beside_ns) > LONGEST_WORK_NS ||
        gap_ns > RP_MAX(AT_ONCE_NS, work_ns / WORK_PER_GAP))
        return;
    atomic_store(&predictor->was_awaited, true);
    if (atomic_fetch_add(&predictor->seen_count, 1) + 1 >= FORGIVING_COUNT)
        atomic_store(&predictor->wanted_count, FIRST_WANTED_COUNT);
}

/* SPDX-License-Identifier: MIT */
/* Waiting on a number.
 *
 * Who sets the number looks for sleepers after that, who is about to sleep counts itself before it
 * looks at the number: one of the two sees the other.
 */
#include "platform/progress.h"

#include "platform/park.h"
#include "platform/word.h"

static void
sleepers_wake(struct rp_progress *progress)
{
    if (atomic_load(&progress->sleeper_count) > 0)
        rp_word_wake_all(&progress->value);
}

void
rp_progress_set(struct rp_progress *progress, uint32_t value)
{
    atomic_store(&progress->value, value);
    sleepers_wake(progress);
}

bool
rp_progress_exchange(struct rp_progress *progress, uint32_t expected, uint32_t value)
{
    if (!atomic_compare_exchange_strong(&progress->value, &expected, value))
        return false;
    sleepers_wake(progress);
    return true;
}

struct change {
    const struct rp_progress *progress;
    uint32_t seen;
};

static bool
has_changed(const void *ctx)
{
    const struct change *change = ctx;
    return rp_progress_get(change->progress) != change->seen;
}

uint32_t
rp_progress_wait(struct rp_progress *progress, uint32_t seen, uint64_t spin_ns)
{
    const struct change change = {progress, seen};

    if (!rp_spin_until(has_changed, &change, spin_ns)) {
        atomic_fetch_add(&progress->sleeper_count, 1);
        while (!has_changed(&change))
            rp_word_sleep(&progress->value, seen);
        atomic_fetch_sub(&progress->sleeper_count, 1);
    }
    return rp_progress_get(progress);
}

/* SPDX-License-Identifier: MIT */
/* No two threads wait for each other. A row waits for rows above it, and for those of pictures that
 * began before its own. Of the first picture that is not coded yet, the topmost row that has begun
 * waits for nothing; when none has, the next one is ready, and its caller, which does no other
 * picture's rows, does it: the pool calls it when all that step sleep.
 */
#include "codecs/kvazaar/step.h"

#include "platform/park.h"

#include "reelpipe/workers.h"

struct awaited {
    const struct rp_progress *progress;
    uint32_t least;
};

static bool
is_there(const void *ctx)
{
    const struct awaited *awaited = ctx;
    return rp_progress_get(awaited->progress) >= awaited->least;
}

void
rp_kvazaar_step_wait(struct rp_workers *workers, struct rp_progress *progress, uint32_t least,
                     bool is_of_other)
{
    const struct awaited awaited = {progress, least};

    if (is_there(&awaited) ||
        (workers && rp_spin_until(is_there, &awaited, rp_workers_wait_ns(workers))))
        return;
    if (workers)
        rp_workers_pause_step(workers, is_of_other);
    uint32_t value = rp_progress_get(progress);
    while (value < least)
        value = rp_progress_wait(progress, value, 0);
    if (workers)
        rp_workers_resume_step(workers, is_of_other);
}

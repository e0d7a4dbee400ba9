/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of a reference that another thread is coding. x264 wakes all who wait for any row of the
 * picture, under a mutex; here threads look for a moment and then sleep, and who goes on without
 * anybody asleep only counts.
 */
#include "glue/core.h"

#include "reelpipe/workers.h"

/* Whoever has to wait waits for another row, too: threads are woken less often. */
#define MORE_LINES 16

#define SPIN_NS 3000 /* less than what sleeping and being woken take */

void
rp_x264_tell_rows(x264_frame_t *frame, int lines)
{
    struct rp_x264_told_rows *told = frame->opaque;

    if (!told)
        return;
    rp_progress_set(&told->lines, (uint32_t)X264_MAX(lines, 0));
    rp_workers_poke(told->workers);
}

int
rp_x264_wait_rows(x264_frame_t *frame, int lines)
{
    struct rp_x264_told_rows *told = frame->opaque;
    struct rp_progress *progress = &told->lines;
    int done = (int)rp_progress_get(progress);
    const int wanted = done >= lines ? done : X264_MIN(lines + MORE_LINES, RP_X264_ALL_LINES);

    while (done < wanted)
        done = (int)rp_progress_wait(progress, (uint32_t)done, SPIN_NS);
    return done;
}

bool
rp_x264_has_rows(const x264_frame_t *frame, int lines)
{
    const struct rp_x264_told_rows *told = frame->opaque;
    return !told || (int)rp_progress_get(&told->lines) >= lines;
}

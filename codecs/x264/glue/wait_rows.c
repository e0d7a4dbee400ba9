/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waiting for rows of a reference that another thread is coding.
 */
#include "glue/core.h"

/* Whoever has to wait waits for another row, too: threads are woken less often. */
#define MORE_LINES 16

int
rp_x264_wait_rows(x264_frame_t *frame, int lines)
{
    const int done = x264_frame_cond_wait(frame, -1);
    return done >= lines ? done : x264_frame_cond_wait(frame, lines + MORE_LINES);
}

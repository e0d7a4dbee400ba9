/* SPDX-License-Identifier: MIT */
/* A progress bar on a terminal; silence when the standard error is something else.
 */
#ifndef RP_TOOLS_ENCODE_PROGRESS_H
#define RP_TOOLS_ENCODE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct progress {
    bool is_shown;
    uint64_t total; /* 0: not known */
    double fps;     /* of the video, for the bit rate */
    double started_s;
    double shown_s; /* when it was drawn last */
};

void progress_start(struct progress *progress, uint64_t total, double fps);

/* Draws at most ten times a second. */
void progress_update(struct progress *progress, uint64_t frames, uint64_t bytes);

/* Removes the bar. summary, which may be NULL, gets a line with frames, seconds, frames per second
 * and kbit/s; a terminal gets it in place of the bar. */
void progress_finish(struct progress *progress, uint64_t frames, uint64_t bytes, FILE *summary);

#endif

/* SPDX-License-Identifier: MIT */
/* Drawing one line again and again. */
#include "tools/encode/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define BAR_WIDTH 30
#define CLEAR_LINE "\r\033[K"

static double
now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double
kbps(const struct progress *progress, uint64_t frames, uint64_t bytes)
{
    return frames > 0 ? 8e-3 * (double)bytes * progress->fps / (double)frames : 0;
}

void
progress_start(struct progress *progress, uint64_t total, double fps)
{
    *progress = (struct progress){
        .is_shown = isatty(STDERR_FILENO),
        .total = total,
        .fps = fps,
        .started_s = now_s(),
    };
}

static void
draw_bar(const struct progress *progress, uint64_t frames)
{
    const uint64_t done = frames < progress->total ? frames : progress->total;
    const int filled = (int)(BAR_WIDTH * done / progress->total);

    fputc('[', stderr);
    for (int i = 0; i < BAR_WIDTH; i++)
        fputc(i < filled ? '#' : '.', stderr);
    fprintf(stderr, "] %3d %%  ", (int)(100 * done / progress->total));
}

void
progress_update(struct progress *progress, uint64_t frames, uint64_t bytes)
{
    const double now = now_s();
    const double elapsed_s = now - progress->started_s;

    if (!progress->is_shown || now - progress->shown_s < 0.1)
        return;
    progress->shown_s = now;
    fputs(CLEAR_LINE, stderr);
    if (progress->total > 0)
        draw_bar(progress, frames);
    fprintf(stderr, "%llu frames  %.1f fps  %.0f kbit/s", (unsigned long long)frames,
            elapsed_s > 0 ? (double)frames / elapsed_s : 0, kbps(progress, frames, bytes));
    fflush(stderr);
}

void
progress_finish(struct progress *progress, uint64_t frames, uint64_t bytes, FILE *summary)
{
    const double elapsed_s = now_s() - progress->started_s;

    if (progress->is_shown)
        fputs(CLEAR_LINE, stderr);
    if (!summary && progress->is_shown)
        summary = stderr;
    if (summary)
        fprintf(summary, "%llu frames in %.2f s, %.1f fps, %.1f kbit/s\n",
                (unsigned long long)frames, elapsed_s,
                elapsed_s > 0 ? (double)frames / elapsed_s : 0, kbps(progress, frames, bytes));
}

/* SPDX-License-Identifier: MIT */
/* One stream under quotas of a control group, beside no quota: threads that spin, or more threads
 * than the quota is worth, would use it up. Needs root, and control groups that can be written.
 */
#include "crowd.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define PERIOD_US 100000u

/* Quotas in per cent of a processor. */
static const uint32_t quotas[] = {0, 100, 150, 300};
#define QUOTAS (sizeof(quotas) / sizeof(quotas[0]))

struct control_group {
    char folder[128];
    bool is_first_generation;
};

static bool
write_file(const struct control_group *g, const char *name, const char *text)
{
    char path[256];

    (void)snprintf(path, sizeof(path), "%s/%s", g->folder, name);
    FILE *file = fopen(path, "w");
    const bool is_written = file && fputs(text, file) >= 0;
    return file && fclose(file) == 0 && is_written;
}

static bool
control_group_make(struct control_group *g, uint32_t percent)
{
    char text[64];

    g->is_first_generation = access("/sys/fs/cgroup/cpu", W_OK) == 0;
    (void)snprintf(g->folder, sizeof(g->folder), "/sys/fs/cgroup/%sreelpipe-bench-%d",
                   g->is_first_generation ? "cpu/" : "", (int)getpid());
    if (mkdir(g->folder, 0755) != 0)
        return false;
    (void)snprintf(text, sizeof(text), g->is_first_generation ? "%u" : "%u 100000",
                   percent * (PERIOD_US / 100));
    return write_file(g, g->is_first_generation ? "cpu.cfs_quota_us" : "cpu.max", text);
}

static double
throttled_count(const struct control_group *g)
{
    char path[256];
    char line[128];
    unsigned count = 0;

    (void)snprintf(path, sizeof(path), "%s/cpu.stat", g->folder);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof(line), file))
        (void)sscanf(line, "nr_throttled %u", &count);
    if (file)
        (void)fclose(file);
    return count;
}

/* False: there is no such control group. */
static bool
measure(struct video *video, uint32_t percent, uint32_t rounds, struct bench_cost *out,
        double *throttled_out)
{
    struct control_group g;

    *throttled_out = 0;
    if (percent == 0) {
        *out = crowd_measure_processes(video, 1, 1, rounds, NULL);
        return true;
    }
    const bool is_made = control_group_make(&g, percent);
    if (is_made) {
        *out = crowd_measure_processes(video, 1, 1, rounds, g.folder);
        *throttled_out = throttled_count(&g);
    }
    (void)rmdir(g.folder);
    return is_made;
}

static bool
over_quotas(uint32_t width_px, uint32_t height_px, uint32_t rounds)
{
    char title[64];
    (void)snprintf(title, sizeof(title), "%ux%u, one picture in flight", width_px, height_px);
    struct scaling s = cores_table(title, "quota in per cent of a CPU; 0: none");
    struct scaling throttled = {.title = title,
                                .x_name = s.x_name,
                                .unit = "periods of 100 ms",
                                .line_count = 1,
                                .lines = {{.name = "in which it had to stop"}}};
    struct video video;
    bool is_measured = true;

    crowd_make_frames(&video, width_px, height_px);
    s.count = throttled.count = QUOTAS;
    for (uint32_t i = 0; i < QUOTAS && is_measured; i++) {
        struct bench_cost cost;
        s.x[i] = throttled.x[i] = quotas[i];
        is_measured = measure(&video, quotas[i], rounds, &cost, &throttled.lines[0].y[i]);
        if (is_measured)
            cores_table_set(&s, i, &cost);
    }
    crowd_free_frames(&video);
    if (is_measured) {
        cores_table_print(&s);
        scaling_print(&throttled);
    }
    return is_measured;
}

void
crowd_quotas(uint32_t rounds)
{
    if (!over_quotas(1280, 720, rounds) || !over_quotas(1920, 1088, rounds))
        (void)fprintf(stderr, "quotas: no control group can be made here\n");
}

/* SPDX-License-Identifier: MIT */
/* Numbers of cores, and how their rows are written.
 */
#include "scaling.h"

#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>

static const cpu_set_t *
cores_at_start(void)
{
    static cpu_set_t all;

    if (CPU_COUNT(&all) == 0 && sched_getaffinity(0, sizeof(all), &all) != 0)
        CPU_SET(0, &all);
    return &all;
}

void
scaling_cores(struct scaling *s)
{
    const uint32_t most = (uint32_t)CPU_COUNT(cores_at_start());

    s->x_name = "cores";
    s->count = 0;
    for (uint32_t x = 1; x < most && s->count < SCALING_MAX_POINTS - 1; x += x < 4 ? 1 : x)
        s->x[s->count++] = x;
    s->x[s->count++] = most;
}

static cpu_set_t
first_cores(uint32_t count)
{
    const cpu_set_t *all = cores_at_start();
    cpu_set_t some;

    CPU_ZERO(&some);
    for (int cpu = 0; cpu < CPU_SETSIZE && (uint32_t)CPU_COUNT(&some) < count; cpu++) {
        if (CPU_ISSET(cpu, all))
            CPU_SET(cpu, &some);
    }
    return some;
}

static void
thread_use(pid_t thread, const cpu_set_t *cores)
{
    if (sched_setaffinity(thread, sizeof(*cores), cores) != 0) {
        perror("sched_setaffinity");
        exit(1);
    }
}

void
scaling_use_cores(uint32_t count)
{
    const cpu_set_t some = first_cores(count);

    thread_use(0, &some);
}

void
scaling_use_cores_of_all_threads(uint32_t count)
{
    const cpu_set_t some = first_cores(count);
    DIR *folder = opendir("/proc/self/task");
    struct dirent *entry;

    if (!folder) {
        perror("/proc/self/task");
        exit(1);
    }
    while ((entry = readdir(folder))) {
        if (entry->d_name[0] != '.')
            thread_use((pid_t)atoi(entry->d_name), &some);
    }
    closedir(folder);
}

void
scaling_doublings(struct scaling *s, uint32_t most)
{
    s->count = 0;
    for (uint32_t x = 1; x <= most && s->count < SCALING_MAX_POINTS; x *= 2)
        s->x[s->count++] = x;
}

static void
print_json(const struct scaling *s)
{
    printf("{\"plot\": \"%s\", \"x\": \"%s\", \"unit\": \"%s\", \"lines\": [", s->title, s->x_name,
           s->unit);
    for (uint32_t l = 0; l < s->line_count; l++) {
        printf("%s{\"name\": \"%s\", \"points\": [", l ? ", " : "", s->lines[l].name);
        for (uint32_t i = 0; i < s->count; i++)
            printf("%s[%u, %.6g]", i ? ", " : "", s->x[i], s->lines[l].y[i]);
        printf("]}");
    }
    printf("]}\n");
}

void
scaling_print(const struct scaling *s)
{
    if (getenv("BENCH_JSON")) {
        print_json(s);
        return;
    }
    printf("%s, %s by %s\n%-40s", s->title, s->unit, s->x_name, "");
    for (uint32_t i = 0; i < s->count; i++)
        printf(" %9u", s->x[i]);
    printf("\n");
    for (uint32_t l = 0; l < s->line_count; l++) {
        printf("  %-38s", s->lines[l].name);
        for (uint32_t i = 0; i < s->count; i++)
            printf(" %9.2f", s->lines[l].y[i]);
        printf("\n");
    }
    fflush(stdout);
}

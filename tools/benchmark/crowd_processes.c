/* SPDX-License-Identifier: MIT */
/* Processes beside each other, each with a device and its pool of threads; processors that a
 * process is given or loses while it has a device.
 */
#include "crowd.h"

#include "measure.h"

#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define SESSIONS 8u /* of all processes */
#define PICTURES 16u
#define WIDTH_PX 640u
#define HEIGHT_PX 360u

struct group {
    struct video *video;
    struct gpu gpu;
    struct encoder *enc[SESSIONS];
    uint32_t count;
    uint32_t encoded_count;
};

static void
group_open(struct group *g, uint32_t count)
{
    g->count = count;
    g->encoded_count = 0;
    gpu_open(&g->gpu, "Reelpipe", &encode_h264.work);
    for (uint32_t i = 0; i < count; i++)
        g->enc[i] = crowd_encoder(g->video, &g->gpu, 1);
}

static void
group_close(struct group *g)
{
    for (uint32_t i = 0; i < g->count; i++)
        encoder_destroy(g->enc[i]);
    gpu_close(&g->gpu);
}

static void
group_run(void *ctx)
{
    struct group *g = ctx;

    for (uint32_t k = 0; k < PICTURES; k++, g->encoded_count++) {
        for (uint32_t i = 0; i < g->count; i++)
            crowd_encode(g->enc[i], g->encoded_count);
    }
    for (uint32_t i = 0; i < g->count; i++)
        encoder_drain(g->enc[i]);
}

/* What a process and its parent tell each other: that it is ready, that it shall begin, what that
 * took. */
static void
tell(int fd, const void *data, size_t size_B)
{
    if (write(fd, data, size_B) != (ssize_t)size_B)
        die("a process is gone");
}

static void
hear(int fd, void *data, size_t size_B)
{
    if (recv(fd, data, size_B, MSG_WAITALL) != (ssize_t)size_B)
        die("a process is gone");
}

static void
enter_control_group(const char *folder)
{
    char path[256];

    (void)snprintf(path, sizeof(path), "%s/cgroup.procs", folder);
    FILE *file = fopen(path, "w");
    if (!file || fprintf(file, "%d\n", (int)getpid()) < 0 || fclose(file) != 0)
        die("%s cannot be entered", folder);
}

static void
child_run(struct video *video, uint32_t session_count, uint32_t rounds, const char *control_group,
          int fd)
{
    struct group g = {.video = video};
    char byte = 0;

    if (control_group)
        enter_control_group(control_group);
    group_open(&g, session_count);
    group_run(&g);
    tell(fd, &byte, 1);
    hear(fd, &byte, 1);
    const struct bench_cost before = bench_cost_now();
    for (uint32_t i = 0; i < rounds; i++)
        group_run(&g);
    struct bench_cost cost = bench_cost_now();
    cost.cpu_s -= before.cpu_s;
    cost.sleep_count -= before.sleep_count;
    tell(fd, &cost, sizeof(cost));
    hear(fd, &byte, 1);
    group_close(&g);
    _exit(0);
}

static int
child_start(struct video *video, uint32_t session_count, uint32_t rounds, const char *control_group)
{
    int fds[2];

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds) != 0)
        die("no socket");
    const pid_t pid = fork();
    if (pid < 0)
        die("no process");
    if (pid == 0) {
        close(fds[0]);
        child_run(video, session_count, rounds, control_group, fds[1]);
    }
    close(fds[1]);
    return fds[0];
}

struct bench_cost
crowd_measure_processes(struct video *video, uint32_t count, uint32_t session_count,
                        uint32_t rounds, const char *control_group)
{
    const double unit_count = (double)count * session_count * PICTURES * rounds;
    struct bench_cost sum = {0};
    int fds[SESSIONS];
    char byte = 0;

    for (uint32_t i = 0; i < count; i++)
        fds[i] = child_start(video, session_count, rounds, control_group);
    for (uint32_t i = 0; i < count; i++)
        hear(fds[i], &byte, 1);
    const double begin_s = bench_wall_s();
    for (uint32_t i = 0; i < count; i++)
        tell(fds[i], &byte, 1);
    for (uint32_t i = 0; i < count; i++) {
        struct bench_cost cost;
        hear(fds[i], &cost, sizeof(cost));
        sum.cpu_s += cost.cpu_s / unit_count;
        sum.sleep_count += cost.sleep_count / unit_count;
    }
    sum.wall_s = (bench_wall_s() - begin_s) / unit_count;
    for (uint32_t i = 0; i < count; i++) {
        tell(fds[i], &byte, 1);
        close(fds[i]);
    }
    while (wait(NULL) > 0) {
    }
    return sum;
}

void
crowd_processes(uint32_t rounds)
{
    struct video video;
    struct scaling s = cores_table("8 sessions of 640x360 in some processes", "processes");

    crowd_make_frames(&video, WIDTH_PX, HEIGHT_PX);
    scaling_doublings(&s, SESSIONS);
    for (uint32_t i = 0; i < s.count; i++) {
        const struct bench_cost cost =
            crowd_measure_processes(&video, s.x[i], SESSIONS / s.x[i], rounds, NULL);
        cores_table_set(&s, i, &cost);
    }
    crowd_free_frames(&video);
    cores_table_print(&s);
}

/* One session, on now_count processors, of a device that was made with made_count. */
static struct bench_cost
measure_changed(struct video *video, uint32_t made_count, uint32_t now_count, uint32_t rounds)
{
    struct group g = {.video = video};

    scaling_use_cores(made_count);
    group_open(&g, 1);
    scaling_use_cores_of_all_threads(now_count);
    const struct bench_cost cost = bench_cost_per_unit(group_run, &g, PICTURES, rounds);
    group_close(&g);
    scaling_use_cores(UINT32_MAX);
    return cost;
}

/* The process is given more processors than it had, or loses all but one. */
void
crowd_affinity(uint32_t rounds)
{
    struct video video;
    struct scaling s =
        cores_table("640x360: 1 core kept, 1 then all, all then 1, all kept", "case");
    const uint32_t cases[][2] = {
        {1, 1}, {1, UINT32_MAX}, {UINT32_MAX, 1}, {UINT32_MAX, UINT32_MAX}};

    crowd_make_frames(&video, WIDTH_PX, HEIGHT_PX);
    s.count = 4;
    for (uint32_t i = 0; i < 4; i++) {
        s.x[i] = i + 1;
        const struct bench_cost cost = measure_changed(&video, cases[i][0], cases[i][1], rounds);
        cores_table_set(&s, i, &cost);
    }
    crowd_free_frames(&video);
    cores_table_print(&s);
}

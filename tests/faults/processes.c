/* SPDX-License-Identifier: MIT */
/* What applications do to a process with a driver in it: they end without destroying anything, fork
 * with work in flight, drop the loader, are killed.
 */
#include "pictures.h"
#include "test.h"

#include <dlfcn.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CHILD_TIMEOUT_S 300

static const struct stream_options small = {.width_px = 176, .height_px = 144};
static const struct stream_options busy = {
    .width_px = 640, .height_px = 352, .quality_level = 4, .shot_count = 4, .slot_count = 6};

static uint64_t
encode_a_stream(struct vk *vk)
{
    struct stream *s = stream_open(vk, &small);
    for (uint32_t i = 0; i < 4; i++) {
        const struct stream_picture pic = picture_of_chain(s, i, 26);
        (void)stream_encode(s, &pic);
    }
    const uint64_t hash = stream_hash(s);
    (void)stream_finish(s);
    return hash;
}

/* A stream whose last pictures are still being encoded. */
static struct stream *
leave_work_in_flight(struct vk *vk)
{
    struct stream *s = stream_open(vk, &busy);
    for (uint32_t i = 0; i < 4; i++) {
        const struct stream_picture pic = picture_of_chain(s, i, 20);
        (void)stream_encode(s, &pic);
    }
    return s;
}

static pid_t
child_start(void (*run)(struct vk *vk), struct vk *vk)
{
    (void)fflush(NULL);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        (void)alarm(CHILD_TIMEOUT_S); /* a hang ends as a signal */
        run(vk);
        exit(0);
    }
    return child;
}

static void
require_good_end(pid_t child)
{
    int status;
    REQUIRE(waitpid(child, &status, 0) == child);
    REQUIRE(!WIFSIGNALED(status));
    REQUIRE_EQ(WEXITSTATUS(status), 0);
}

static void
run_and_just_exit(struct vk *unused)
{
    struct vk vk;
    (void)unused;
    vk_open(&vk);
    (void)leave_work_in_flight(&vk);
}

static void
a_program_may_exit_with_work_in_flight(void)
{
    for (uint32_t i = 0; i < 5; i++)
        require_good_end(child_start(run_and_just_exit, NULL));
}

static void
run_nothing(struct vk *vk)
{
    (void)vk;
}

static void
run_a_device_of_its_own(struct vk *unused)
{
    struct vk vk;
    (void)unused;
    vk_open(&vk);
    (void)encode_a_stream(&vk);
    vk_close(&vk);
}

static void
a_program_may_fork_with_work_in_flight(void)
{
    struct vk vk;
    vk_open(&vk);
    struct stream *s = leave_work_in_flight(&vk);
    const pid_t idle = child_start(run_nothing, NULL);
    const pid_t user = child_start(run_a_device_of_its_own, NULL);
    (void)stream_finish(s);
    require_good_end(idle);
    require_good_end(user);
    (void)encode_a_stream(&vk);
    vk_close(&vk);
}

/* The loader, and with it all it has loaded. */
static void
run_without_the_loader(struct vk *unused)
{
    const struct timespec pause = {.tv_nsec = 200000000};
    struct vk vk;
    (void)unused;
    vk_open(&vk);
    (void)leave_work_in_flight(&vk);
    void *loader = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_NOLOAD);
    REQUIRE(loader);
    for (uint32_t i = 0; i < 4; i++)
        (void)dlclose(loader);
    (void)nanosleep(&pause, NULL); /* the driver's threads go on */
}

static void
a_program_may_drop_the_loader_with_work_in_flight(void)
{
    require_good_end(child_start(run_without_the_loader, NULL));
}

static void
run_for_ever(struct vk *unused)
{
    struct vk vk;
    (void)unused;
    vk_open(&vk);
    for (;;)
        (void)encode_a_stream(&vk);
}

static void
a_killed_program_leaves_nothing_behind(void)
{
    struct vk vk;
    vk_open(&vk);
    const uint64_t hash = encode_a_stream(&vk);
    for (uint32_t i = 0; i < 4; i++) {
        const struct timespec pause = {.tv_nsec = 60000000 + 30000000 * (long)i};
        int status;
        const pid_t child = child_start(run_for_ever, NULL);
        (void)nanosleep(&pause, NULL);
        REQUIRE(kill(child, SIGKILL) == 0 && waitpid(child, &status, 0) == child);
        REQUIRE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        REQUIRE(encode_a_stream(&vk) == hash);
    }
    vk_close(&vk);
}

int
main(void)
{
    RUN(a_program_may_exit_with_work_in_flight);
    RUN(a_program_may_drop_the_loader_with_work_in_flight);
    RUN(a_killed_program_leaves_nothing_behind);
    RUN(a_program_may_fork_with_work_in_flight);
    return 0;
}

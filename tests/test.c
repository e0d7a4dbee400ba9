/* SPDX-License-Identifier: MIT */
#include "test.h"

#include <unistd.h>

/* What a program has run; its tests run one after the other. */
static pid_t program; /* not its child processes */
static unsigned run_count;
static unsigned failed_count;
static const char *filter; /* NULL: all */

/* The innermost test of this thread. */
static _Thread_local struct test_frame *current;

/* The last word on the exit status: a test may have failed though main() returned 0. */
static void
report(void)
{
    if (getpid() != program || (run_count > 0 && failed_count == 0))
        return;
    if (failed_count > 0)
        (void)fprintf(stderr, "%u of %u tests failed\n", failed_count, run_count);
    else
        (void)fprintf(stderr, "no test has a name with \"%s\"\n", filter);
    (void)fflush(NULL);
    _exit(1);
}

static void
program_begin(void)
{
    if (program)
        return;
    program = getpid();
    filter = getenv("REELPIPE_TEST");
    (void)atexit(report);
}

bool
test_run_begin(struct test_frame *frame, const char *name)
{
    program_begin();
    if (!current && filter && !strstr(name, filter))
        return false;

    run_count++;
    (void)fprintf(stderr, "%s\n", name);
    frame->name = name;
    frame->process = getpid();
    frame->outer = current;
    current = frame;
    return true;
}

void
test_run_end(struct test_frame *frame)
{
    current = frame->outer;
}

_Noreturn void
test_fail(void)
{
    struct test_frame *frame = current;

    /* A child process must not go on with its parent's tests. */
    if (!frame || frame->process != getpid())
        exit(1);
    failed_count++;
    (void)fprintf(stderr, "FAILED: %s\n", frame->name);
    longjmp(frame->end, 1);
}

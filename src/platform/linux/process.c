/* SPDX-License-Identifier: MIT */
/* glibc and musl remember what execve() was told.
 */
#include "platform/process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void (*exit_fn)(void);
static pid_t exit_pid;

void
rp_process_name(char out[static RP_PROCESS_NAME_B])
{
    (void)snprintf(out, RP_PROCESS_NAME_B, "%s", program_invocation_short_name);
}

static void
exit_call(void)
{
    if (getpid() == exit_pid)
        exit_fn();
}

bool
rp_process_at_exit(void (*fn)(void))
{
    exit_fn = fn;
    exit_pid = getpid();
    return atexit(exit_call) == 0;
}

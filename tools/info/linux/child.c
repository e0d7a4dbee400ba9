/* SPDX-License-Identifier: MIT */
/* A part in a child of this process.
 */
#include "../system.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The child's side: what it says goes to the pipe. */
_Noreturn static void
part_run(void (*run)(void), int message)
{
    (void)dup2(message, STDERR_FILENO);
    (void)alarm(INFO_PART_TIMEOUT_S);
    run();
    _exit(0);
}

/* Reads until the child has closed its end; only the beginning is kept. */
static void
message_read(int pipe, char message[static INFO_MESSAGE_CHARS])
{
    char rest[INFO_MESSAGE_CHARS];
    size_t used = 0;
    ssize_t got;

    while ((got = read(pipe, rest, sizeof(rest))) > 0) {
        const size_t space = INFO_MESSAGE_CHARS - 1 - used;
        const size_t take = (size_t)got < space ? (size_t)got : space;
        memcpy(message + used, rest, take);
        used += take;
    }
    message[used] = '\0';
    if (used > 0 && message[used - 1] == '\n')
        message[used - 1] = '\0';
}

bool
info_child_run(uint32_t number, void (*run)(void), char message[static INFO_MESSAGE_CHARS])
{
    char said[INFO_MESSAGE_CHARS];
    int ends[2];
    int status = 0;

    (void)number;
    if (pipe(ends) != 0) {
        (void)snprintf(message, INFO_MESSAGE_CHARS, "no pipe");
        return false;
    }
    const pid_t child = fork();
    if (child == 0)
        part_run(run, ends[1]);
    (void)close(ends[1]);
    message_read(ends[0], said);
    (void)close(ends[0]);
    if (child < 0 || waitpid(child, &status, 0) != child)
        (void)snprintf(message, INFO_MESSAGE_CHARS, "no process");
    else if (WIFSIGNALED(status))
        (void)snprintf(message, INFO_MESSAGE_CHARS, "%s %.400s",
                       WTERMSIG(status) == SIGALRM ? "hangs" : strsignal(WTERMSIG(status)), said);
    else
        (void)snprintf(message, INFO_MESSAGE_CHARS, "%s", said);
    return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

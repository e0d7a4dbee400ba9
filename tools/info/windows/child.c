/* SPDX-License-Identifier: MIT */
/* A part in another process of this program.
 */
#include "../system.h"

#include <stdio.h>
#include <windows.h>

#define PIPE_B 65536 /* more than a part ever says: nobody reads before it ends */
#define COMMAND_CHARS 32768

/* The command of this program that runs a part. */
static void
command_write(uint32_t number, char out[static COMMAND_CHARS])
{
    static char path[COMMAND_CHARS - 64];
    (void)GetModuleFileNameA(NULL, path, sizeof(path) - 1);
    (void)snprintf(out, COMMAND_CHARS, "\"%s\" " INFO_PART_OPTION " %u", path, (unsigned)number);
}

/* Starts it with message as its standard error. */
static bool
child_start(uint32_t number, HANDLE message, PROCESS_INFORMATION *out)
{
    static char command[COMMAND_CHARS];
    STARTUPINFOA startup = {
        .cb = sizeof(startup),
        .dwFlags = STARTF_USESTDHANDLES,
        .hStdInput = GetStdHandle(STD_INPUT_HANDLE),
        .hStdOutput = GetStdHandle(STD_OUTPUT_HANDLE),
        .hStdError = message,
    };
    command_write(number, command);
    return CreateProcessA(NULL, command, NULL, NULL, TRUE, 0, NULL, NULL, &startup, out);
}

/* Waits for its end; how it ended is not 0 when something is wrong. */
static DWORD
child_wait(const PROCESS_INFORMATION *child, bool *hangs_out)
{
    DWORD status = 1;
    *hangs_out = WaitForSingleObject(child->hProcess, INFO_PART_TIMEOUT_S * 1000) != WAIT_OBJECT_0;
    if (*hangs_out) {
        (void)TerminateProcess(child->hProcess, 1);
        (void)WaitForSingleObject(child->hProcess, INFINITE);
    }
    (void)GetExitCodeProcess(child->hProcess, &status);
    (void)CloseHandle(child->hThread);
    (void)CloseHandle(child->hProcess);
    return status;
}

static void
message_read(HANDLE pipe, char out[static INFO_MESSAGE_CHARS])
{
    DWORD used = 0, got;
    while (used < INFO_MESSAGE_CHARS - 1 &&
           ReadFile(pipe, out + used, INFO_MESSAGE_CHARS - 1 - used, &got, NULL) && got > 0)
        used += got;
    while (used > 0 && (out[used - 1] == '\n' || out[used - 1] == '\r'))
        used--;
    out[used] = '\0';
}

bool
info_child_run(uint32_t number, void (*run)(void), char message[static INFO_MESSAGE_CHARS])
{
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof(inherited), .bInheritHandle = TRUE};
    char said[INFO_MESSAGE_CHARS];
    PROCESS_INFORMATION child;
    HANDLE ends[2];
    bool hangs;

    (void)run;
    if (!CreatePipe(&ends[0], &ends[1], &inherited, PIPE_B)) {
        (void)snprintf(message, INFO_MESSAGE_CHARS, "no pipe");
        return false;
    }
    (void)SetHandleInformation(ends[0], HANDLE_FLAG_INHERIT, 0);
    const bool is_started = child_start(number, ends[1], &child);
    (void)CloseHandle(ends[1]);
    if (!is_started) {
        (void)CloseHandle(ends[0]);
        (void)snprintf(message, INFO_MESSAGE_CHARS, "no process: error %lu", GetLastError());
        return false;
    }
    const DWORD status = child_wait(&child, &hangs);
    message_read(ends[0], said);
    (void)CloseHandle(ends[0]);
    if (hangs)
        (void)snprintf(message, INFO_MESSAGE_CHARS, "hangs %.400s", said);
    else if (said[0])
        (void)snprintf(message, INFO_MESSAGE_CHARS, "%s", said);
    else
        (void)snprintf(message, INFO_MESSAGE_CHARS, "status 0x%lx", status);
    return status == 0;
}

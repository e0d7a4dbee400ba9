/* SPDX-License-Identifier: MIT */
/* Reads /proc/self/task.
 */
#include "platform/thread_state.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

rp_thread_id
rp_thread_own_id(void)
{
    return gettid();
}

void
rp_thread_own_name(char out[static RP_THREAD_NAME_B])
{
    out[0] = 0;
    (void)pthread_getname_np(pthread_self(), out, RP_THREAD_NAME_B);
}

/* The name is between brackets, and may have some. */
static bool
state_parse(const char *text, struct rp_thread_state *out)
{
    const char *begin = strchr(text, '(');
    const char *end = strrchr(text, ')');
    if (!begin || !end || end < begin)
        return false;
    (void)snprintf(out->name, sizeof(out->name), "%.*s", (int)(end - begin - 1), begin + 1);
    out->is_busy = end[1] == ' ' && end[2] && strchr("RD", end[2]);
    return true;
}

bool
rp_thread_state_read(rp_thread_id id, struct rp_thread_state *out)
{
    char path[64];
    (void)snprintf(path, sizeof(path), "/proc/self/task/%d/stat", (int)id);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    char text[64];
    const ssize_t size_B = read(fd, text, sizeof(text) - 1);
    close(fd);
    text[size_B > 0 ? size_B : 0] = 0;
    return state_parse(text, out);
}

void
rp_thread_states_visit(void (*visit)(void *ctx, const struct rp_thread_state *state), void *ctx)
{
    DIR *dir = opendir("/proc/self/task");
    const struct dirent *entry;
    while (dir && (entry = readdir(dir))) {
        struct rp_thread_state state;
        if (rp_thread_state_read((rp_thread_id)strtol(entry->d_name, NULL, 10), &state))
            visit(ctx, &state);
    }
    if (dir)
        closedir(dir);
}

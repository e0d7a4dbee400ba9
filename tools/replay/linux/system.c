/* SPDX-License-Identifier: MIT */
#include "../system.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool
replay_file_map(const char *path, uint8_t **out, size_t *size_out,
                char reason[static REPLAY_REASON_CHARS])
{
    struct stat status;
    *out = NULL;
    *size_out = 0;
    /* Without waiting for somebody at the other end of a pipe. */
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0 || fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
        (void)snprintf(reason, REPLAY_REASON_CHARS, "%s",
                       file < 0 ? strerror(errno) : "no plain file");
        if (file >= 0)
            close(file);
        return false;
    }
    void *bytes = NULL;
    if (status.st_size > 0)
        bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes == MAP_FAILED)
        (void)snprintf(reason, REPLAY_REASON_CHARS, "%s", strerror(errno));
    close(file);
    if (bytes == MAP_FAILED)
        return false;
    *out = bytes;
    *size_out = (size_t)status.st_size;
    return true;
}

void
replay_file_unmap(uint8_t *bytes, size_t size_B)
{
    if (bytes)
        munmap(bytes, size_B);
}

void
replay_become_serial(void)
{
    cpu_set_t allowed, one;
    if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
        return;
    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &allowed)) {
            CPU_SET(i, &one);
            break;
        }
    (void)sched_setaffinity(0, sizeof(one), &one);
}

void
replay_forget_variable(const char *name)
{
    (void)unsetenv(name);
}

void
replay_write_bytes(void)
{
}

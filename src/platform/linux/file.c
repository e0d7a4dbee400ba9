/* SPDX-License-Identifier: MIT */
#include "platform/file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_FOLDERS 10000u

/* Captures are larger than 2 GiB, on systems of 32 bits, too. */
static_assert(sizeof(off_t) == 8, "_FILE_OFFSET_BITS");

bool
rp_folder_create(const char *path, bool *is_taken_out)
{
    *is_taken_out = false;
    if (mkdir(path, 0700) == 0)
        return true;
    if (errno != EEXIST)
        return false;
    /* An empty folder gives way, so that its mode is right. */
    if (rmdir(path) == 0)
        return mkdir(path, 0700) == 0;
    *is_taken_out = true;
    return false;
}

bool
rp_folder_create_numbered(const char *wanted, char *out, size_t size_B)
{
    for (unsigned i = 0; i < MAX_FOLDERS; i++) {
        bool is_taken;
        const int length =
            i ? snprintf(out, size_B, "%s.%u", wanted, i) : snprintf(out, size_B, "%s", wanted);
        if (length < 0 || (size_t)length >= size_B)
            return false;
        if (rp_folder_create(out, &is_taken))
            return true;
        if (!is_taken)
            return false;
    }
    return false;
}

int
rp_file_create(const char *folder, const char *name)
{
    char path[4096];
    const int size = snprintf(path, sizeof(path), "%s/%s", folder, name);
    if (size < 0 || (size_t)size >= sizeof(path))
        return -1;
    return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_APPEND, 0600);
}

bool
rp_file_append(int file, const void *data, size_t size_B)
{
    const uint8_t *next = data;
    while (size_B) {
        const ssize_t written_B = write(file, next, size_B);
        if (written_B < 0 && errno == EINTR)
            continue;
        if (written_B <= 0)
            return false;
        next += written_B;
        size_B -= (size_t)written_B;
    }
    return true;
}

void
rp_file_close(int file)
{
    if (file >= 0)
        close(file);
}

/* SPDX-License-Identifier: MIT */
#include "platform/file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_FOLDERS 10000u
#define MAX_PATH_B 4096 /* with the end */

/* Captures are larger than 2 GiB, on systems of 32 bits, too. */
static_assert(sizeof(off_t) == 8, "_FILE_OFFSET_BITS");

static bool
path_of(const char *folder, const char *name, char out[static MAX_PATH_B])
{
    const int length = snprintf(out, MAX_PATH_B, "%s/%s", folder, name);
    return length >= 0 && length < MAX_PATH_B;
}

/* Gives a folder with something in it this name. Only an empty folder gives way to it, so nothing of
 * anybody else's is replaced, and a folder that was just named so is not. */
static bool
folder_name(const char *folder, const char *name, bool *is_taken_out)
{
    if (rename(folder, name) == 0)
        return true;
    *is_taken_out = errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR || errno == EBUSY ||
                    errno == EACCES ||
                    errno == EPERM; /* somebody else's, where we may make folders */
    return false;
}

static bool
folder_name_numbered(const char *folder, const char *wanted, int wanted_length, char *out,
                     size_t size_B)
{
    bool is_taken = true;
    for (unsigned i = 0; i < MAX_FOLDERS && is_taken; i++) {
        const int length = i ? snprintf(out, size_B, "%.*s.%u", wanted_length, wanted, i)
                             : snprintf(out, size_B, "%.*s", wanted_length, wanted);
        if (length < 0 || (size_t)length >= size_B)
            return false;
        if (folder_name(folder, out, &is_taken))
            return true;
    }
    return false;
}

static int
file_open(const char *folder, const char *name, int flags)
{
    char path[MAX_PATH_B];
    if (!path_of(folder, name, path))
        return -1;
    return open(path, O_WRONLY | O_CLOEXEC | O_APPEND | flags, 0600);
}

int
rp_file_create(const char *folder, const char *name)
{
    return file_open(folder, name, O_CREAT | O_EXCL);
}

/* A folder of a name that nobody else has is filled first, and then named as is wanted: the system
 * decides who of several comes first. No folder is renamed while a file in it is open: file systems
 * of Windows, mounted here, refuse it. */
int
rp_folder_create(const char *wanted, const char *first_file, char *out, size_t size_B)
{
    char folder[MAX_PATH_B], path[MAX_PATH_B];
    int length = (int)strnlen(wanted, sizeof(folder));
    while (length > 1 && wanted[length - 1] == '/')
        length--;
    const int folder_length = snprintf(folder, sizeof(folder), "%.*s.XXXXXX", length, wanted);
    if (folder_length < 0 || (size_t)folder_length >= sizeof(folder) || !mkdtemp(folder))
        return -1;
    const int file = rp_file_create(folder, first_file);
    rp_file_close(file);
    if (file >= 0 && folder_name_numbered(folder, wanted, length, out, size_B))
        return file_open(out, first_file, 0);
    if (path_of(folder, first_file, path))
        (void)unlink(path);
    (void)rmdir(folder);
    return -1;
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

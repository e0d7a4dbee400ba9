/* SPDX-License-Identifier: MIT */
#include "platform/file.h"

#include "platform/file_steps.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Captures are larger than 2 GiB, on systems of 32 bits, too. */
static_assert(sizeof(off_t) == 8, "_FILE_OFFSET_BITS");

const char rp_path_separators[] = "/";

int
rp_file_open(const char *path, bool is_new)
{
    return open(path, O_WRONLY | O_CLOEXEC | O_APPEND | (is_new ? O_CREAT | O_EXCL : 0), 0600);
}

bool
rp_folder_create_unique(const char *wanted, int wanted_length, char *out, size_t size_B)
{
    const int length = snprintf(out, size_B, "%.*s.XXXXXX", wanted_length, wanted);
    return length >= 0 && (size_t)length < size_B && mkdtemp(out);
}

enum rp_folder_naming
rp_folder_name(const char *folder, const char *name)
{
    if (rename(folder, name) == 0)
        return RP_FOLDER_NAMED;
    if (errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR || errno == EBUSY ||
        errno == EACCES || errno == EPERM) /* somebody else's, where we may make folders */
        return RP_FOLDER_NAME_TAKEN;
    return RP_FOLDER_NAME_REFUSED;
}

void
rp_folder_remove(const char *folder, const char *file)
{
    (void)unlink(file);
    (void)rmdir(folder);
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

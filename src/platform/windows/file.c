/* SPDX-License-Identifier: MIT */
/* A folder has an access list of its own, which what is made in it inherits.
 */
#include "platform/file.h"

#include <fcntl.h>
#include <io.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <windows.h>

#include <sddl.h>

#define MAX_FOLDERS 10000u
#define OWNER_ALONE "D:P(A;OICI;FA;;;OW)" /* protected from the list of the folder above */

/* The system's error, ERROR_SUCCESS for none. */
static DWORD
folder_create(const char *path)
{
    SECURITY_ATTRIBUTES attributes = {.nLength = sizeof(attributes)};
    if (!ConvertStringSecurityDescriptorToSecurityDescriptorA(
            OWNER_ALONE, SDDL_REVISION_1, &attributes.lpSecurityDescriptor, NULL))
        return GetLastError();
    const DWORD error = CreateDirectoryA(path, &attributes) ? ERROR_SUCCESS : GetLastError();
    (void)LocalFree(attributes.lpSecurityDescriptor);
    return error;
}

bool
rp_folder_create(const char *path, bool *is_taken_out)
{
    *is_taken_out = false;
    const DWORD error = folder_create(path);
    if (error == ERROR_SUCCESS)
        return true;
    if (error != ERROR_ALREADY_EXISTS)
        return false;
    /* An empty folder gives way, so that its list is right. */
    if (RemoveDirectoryA(path))
        return folder_create(path) == ERROR_SUCCESS;
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
    return _open(path, _O_WRONLY | _O_CREAT | _O_EXCL | _O_APPEND | _O_BINARY | _O_NOINHERIT,
                 _S_IREAD | _S_IWRITE);
}

bool
rp_file_append(int file, const void *data, size_t size_B)
{
    const uint8_t *next = data;
    while (size_B) {
        const unsigned part_B = size_B < INT_MAX ? (unsigned)size_B : INT_MAX;
        const int written_B = _write(file, next, part_B);
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
        (void)_close(file);
}

/* SPDX-License-Identifier: MIT */
/* A folder has an access list of its own, which what is made in it inherits.
 */
#include "platform/file.h"

#include <fcntl.h>
#include <io.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <windows.h>

#include <sddl.h>

#define MAX_FOLDERS 10000u
#define MAX_PATH_B 4096                   /* with the end */
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

static bool
path_of(const char *folder, const char *name, char out[static MAX_PATH_B])
{
    const int length = snprintf(out, MAX_PATH_B, "%s/%s", folder, name);
    return length >= 0 && length < MAX_PATH_B;
}

static int
file_open(const char *folder, const char *name, int flags)
{
    char path[MAX_PATH_B];
    if (!path_of(folder, name, path))
        return -1;
    return _open(path, _O_WRONLY | _O_APPEND | _O_BINARY | _O_NOINHERIT | flags,
                 _S_IREAD | _S_IWRITE);
}

int
rp_file_create(const char *folder, const char *name)
{
    return file_open(folder, name, _O_CREAT | _O_EXCL);
}

/* A folder of a name that no other call has: its path goes to out. */
static bool
folder_create_unique(const char *wanted, int wanted_length, char out[static MAX_PATH_B])
{
    static volatile LONG count; /* of the calls of this process */
    for (unsigned i = 0; i < MAX_FOLDERS; i++) {
        const int length = snprintf(out, MAX_PATH_B, "%.*s.%lx-%lx.new", wanted_length, wanted,
                                    GetCurrentProcessId(), InterlockedIncrement(&count));
        if (length < 0 || length >= MAX_PATH_B)
            return false;
        const DWORD error = folder_create(out);
        if (error != ERROR_ALREADY_EXISTS)
            return error == ERROR_SUCCESS;
    }
    return false;
}

/* Gives a folder with something in it this name. Only an empty folder gives way to it, so nothing of
 * anybody else's is replaced, and a folder that was just named so is not. */
static bool
folder_name(const char *folder, const char *name, bool *is_taken_out)
{
    if (MoveFileExA(folder, name, 0))
        return true;
    if (RemoveDirectoryA(name) && MoveFileExA(folder, name, 0))
        return true;
    *is_taken_out = GetFileAttributesA(name) != INVALID_FILE_ATTRIBUTES;
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

/* A folder of a name that nobody else has is filled first, and then named as is wanted: the system
 * decides who of several comes first. No folder is renamed while a file in it is open. */
int
rp_folder_create(const char *wanted, const char *first_file, char *out, size_t size_B)
{
    char folder[MAX_PATH_B], path[MAX_PATH_B];
    int length = (int)strnlen(wanted, sizeof(folder));
    while (length > 1 && (wanted[length - 1] == '/' || wanted[length - 1] == '\\'))
        length--;
    if (!folder_create_unique(wanted, length, folder))
        return -1;
    const int file = rp_file_create(folder, first_file);
    rp_file_close(file);
    if (file >= 0 && folder_name_numbered(folder, wanted, length, out, size_B))
        return file_open(out, first_file, 0);
    if (path_of(folder, first_file, path))
        (void)DeleteFileA(path);
    (void)RemoveDirectoryA(folder);
    return -1;
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

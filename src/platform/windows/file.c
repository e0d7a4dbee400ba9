/* SPDX-License-Identifier: MIT */
/* A folder has an access list of its own, which what is made in it inherits.
 */
#include "platform/file.h"

#include "platform/file_steps.h"

#include <fcntl.h>
#include <io.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <windows.h>

#include <sddl.h>

#define MAX_FOLDERS 10000u
#define MAX_WAIT_MS 256u                  /* and as much before it */
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

const char rp_path_separators[] = "/\\";

int
rp_file_open(const char *path, bool is_new)
{
    return _open(
        path, _O_WRONLY | _O_APPEND | _O_BINARY | _O_NOINHERIT | (is_new ? _O_CREAT | _O_EXCL : 0),
        _S_IREAD | _S_IWRITE);
}

bool
rp_folder_create_unique(const char *wanted, int wanted_length, char *out, size_t size_B)
{
    static volatile LONG count; /* of the calls of this process */
    for (unsigned i = 0; i < MAX_FOLDERS; i++) {
        const int length = snprintf(out, size_B, "%.*s.%lx-%lx.new", wanted_length, wanted,
                                    GetCurrentProcessId(), InterlockedIncrement(&count));
        if (length < 0 || (size_t)length >= size_B)
            return false;
        const DWORD error = folder_create(out);
        if (error != ERROR_ALREADY_EXISTS)
            return error == ERROR_SUCCESS;
    }
    return false;
}

/* The system's error; ERROR_ALREADY_EXISTS whenever there is something of that name. What looks
 * through new files, as scanners do, holds them for a moment, and nothing that is held is renamed.
 * Other reasons for the same errors stay, and are worth the wait once. */
static DWORD
folder_move(const char *folder, const char *name)
{
    for (unsigned wait_ms = 1;; wait_ms *= 2) {
        if (MoveFileExA(folder, name, 0))
            return ERROR_SUCCESS;
        const DWORD error = GetLastError();
        if (GetFileAttributesA(name) != INVALID_FILE_ATTRIBUTES)
            return ERROR_ALREADY_EXISTS;
        if ((error != ERROR_SHARING_VIOLATION && error != ERROR_ACCESS_DENIED) ||
            wait_ms > MAX_WAIT_MS)
            return error;
        Sleep(wait_ms);
    }
}

/* An empty folder that is gone again was removed by another one who wants the name. */
enum rp_folder_naming
rp_folder_name(const char *folder, const char *name)
{
    DWORD error;
    while ((error = folder_move(folder, name)) == ERROR_ALREADY_EXISTS) {
        if (!RemoveDirectoryA(name) && GetFileAttributesA(name) != INVALID_FILE_ATTRIBUTES)
            return RP_FOLDER_NAME_TAKEN;
    }
    return error == ERROR_SUCCESS ? RP_FOLDER_NAMED : RP_FOLDER_NAME_REFUSED;
}

void
rp_folder_remove(const char *folder, const char *file)
{
    (void)DeleteFileA(file);
    (void)RemoveDirectoryA(folder);
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

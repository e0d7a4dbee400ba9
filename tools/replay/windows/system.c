/* SPDX-License-Identifier: MIT */
#include "../system.h"

#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

static bool
fail(char reason[static REPLAY_REASON_CHARS])
{
    (void)snprintf(reason, REPLAY_REASON_CHARS, "error %lu", GetLastError());
    return false;
}

static bool
map(HANDLE file, size_t size_B, uint8_t **out)
{
    if (size_B == 0)
        return true;
    const HANDLE mapping = CreateFileMappingA(file, NULL, PAGE_READONLY, 0, 0, NULL);
    if (!mapping)
        return false;
    *out = MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, size_B);
    (void)CloseHandle(mapping); /* the view keeps it */
    return *out != NULL;
}

bool
replay_file_map(const char *path, uint8_t **out, size_t *size_out,
                char reason[static REPLAY_REASON_CHARS])
{
    LARGE_INTEGER size;
    *out = NULL;
    *size_out = 0;
    const HANDLE file = CreateFileA(path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                                    OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
    if (file == INVALID_HANDLE_VALUE)
        return fail(reason);
    const bool is_mapped = GetFileSizeEx(file, &size) && map(file, (size_t)size.QuadPart, out);
    if (is_mapped)
        *size_out = (size_t)size.QuadPart;
    else
        (void)fail(reason);
    (void)CloseHandle(file);
    return is_mapped;
}

void
replay_file_unmap(uint8_t *bytes, size_t size_B)
{
    (void)size_B;
    if (bytes)
        (void)UnmapViewOfFile(bytes);
}

void
replay_become_serial(void)
{
    DWORD_PTR allowed, all;
    if (GetProcessAffinityMask(GetCurrentProcess(), &allowed, &all))
        (void)SetProcessAffinityMask(GetCurrentProcess(), allowed & (~allowed + 1));
}

void
replay_forget_variable(const char *name)
{
    (void)_putenv_s(name, "");
}

void
replay_write_bytes(void)
{
    (void)_setmode(_fileno(stdout), _O_BINARY);
}

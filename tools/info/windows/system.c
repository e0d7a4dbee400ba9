/* SPDX-License-Identifier: MIT */
/* The loader finds drivers by values of the registry: each is called like a manifest and is 0.
 */
#include "../system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#define DRIVERS "SOFTWARE\\Khronos\\Vulkan\\Drivers"
#define PATH_CHARS 4096

const char info_list_separators[] = ";";

const char *
info_file_name(const char *path)
{
    const char *name = path;
    for (const char *at = path; *at; at++)
        if (*at == '/' || *at == '\\')
            name = at + 1;
    return name;
}

bool
info_path_is_absolute(const char *path)
{
    return path[0] == '/' || path[0] == '\\' || (path[0] && path[1] == ':');
}

void
info_each_file(const char *folder, info_visit visit, void *ctx)
{
    char pattern[PATH_CHARS];
    WIN32_FIND_DATAA found;
    (void)snprintf(pattern, sizeof(pattern), "%s\\*", folder);
    const HANDLE search = FindFirstFileA(pattern, &found);
    if (search == INVALID_HANDLE_VALUE)
        return;
    do
        visit(ctx, found.cFileName);
    while (FindNextFileA(search, &found));
    (void)FindClose(search);
}

void
info_each_place(info_visit visit, void *ctx)
{
    const HKEY roots[] = {HKEY_LOCAL_MACHINE, HKEY_CURRENT_USER};
    const size_t root_count = info_is_elevated() ? 1 : 2;
    HKEY key;

    for (size_t i = 0; i < root_count; i++) {
        if (RegOpenKeyExA(roots[i], DRIVERS, 0, KEY_QUERY_VALUE, &key) != ERROR_SUCCESS)
            continue;
        for (DWORD n = 0;; n++) {
            char name[PATH_CHARS];
            DWORD chars = sizeof(name), type, value, value_B = sizeof(value);
            const LSTATUS status =
                RegEnumValueA(key, n, name, &chars, NULL, &type, (BYTE *)&value, &value_B);
            if (status != ERROR_SUCCESS && status != ERROR_MORE_DATA)
                break; /* no more of them, or the key has just been deleted */
            if (status == ERROR_SUCCESS && type == REG_DWORD && value == 0)
                visit(ctx, name);
        }
        (void)RegCloseKey(key);
    }
}

/* Asks as the loader does, by the level of integrity: with no console of an administrator, a
 * service may have a high one, and every program in wine has. */
bool
info_is_elevated(void)
{
    union {
        TOKEN_MANDATORY_LABEL label;
        uint8_t bytes[SECURITY_MAX_SID_SIZE + sizeof(TOKEN_MANDATORY_LABEL)];
    } level;
    HANDLE token;
    DWORD size_B;
    if (!OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token))
        return true;
    const BOOL is_known =
        GetTokenInformation(token, TokenIntegrityLevel, &level, sizeof(level), &size_B);
    (void)CloseHandle(token);
    if (!is_known)
        return true;
    const DWORD last = *GetSidSubAuthorityCount(level.label.Label.Sid) - 1u;
    return *GetSidSubAuthority(level.label.Label.Sid, last) >= SECURITY_MANDATORY_HIGH_RID;
}

void
info_forget_variable(const char *name)
{
    (void)_putenv_s(name, "");
}

/* SPDX-License-Identifier: MIT */
#include "platform/file.h"

#include "platform/file_steps.h"

#include <stdio.h>
#include <string.h>

#define MAX_FOLDERS 10000u
#define MAX_PATH_B 4096 /* with the end */

static bool
path_of(const char *folder, const char *name, char out[static MAX_PATH_B])
{
    const int length = snprintf(out, MAX_PATH_B, "%s/%s", folder, name);
    return length >= 0 && length < MAX_PATH_B;
}

static bool
folder_name_numbered(const char *folder, const char *wanted, int wanted_length, char *out,
                     size_t size_B)
{
    enum rp_folder_naming naming = RP_FOLDER_NAME_TAKEN;
    for (unsigned i = 0; i < MAX_FOLDERS && naming == RP_FOLDER_NAME_TAKEN; i++) {
        const int length = i ? snprintf(out, size_B, "%.*s.%u", wanted_length, wanted, i)
                             : snprintf(out, size_B, "%.*s", wanted_length, wanted);
        if (length < 0 || (size_t)length >= size_B)
            return false;
        naming = rp_folder_name(folder, out);
    }
    return naming == RP_FOLDER_NAMED;
}

int
rp_file_create(const char *folder, const char *name)
{
    char path[MAX_PATH_B];
    return path_of(folder, name, path) ? rp_file_open(path, true) : -1;
}

/* A folder of a name that nobody else has is filled first, and then named as is wanted: the system
 * decides who of several comes first. No folder is renamed while a file in it is open: file systems
 * of Windows, which Linux mounts, too, refuse it. */
int
rp_folder_create(const char *wanted, const char *first_file, char *out, size_t size_B)
{
    char folder[MAX_PATH_B], path[MAX_PATH_B];
    int length = (int)strnlen(wanted, sizeof(folder));
    while (length > 1 && strchr(rp_path_separators, wanted[length - 1]))
        length--;
    if (!rp_folder_create_unique(wanted, length, folder, sizeof(folder)))
        return -1;
    if (!path_of(folder, first_file, path))
        path[0] = '\0';
    const int file = rp_file_open(path, true);
    rp_file_close(file);
    if (file >= 0 && folder_name_numbered(folder, wanted, length, out, size_B) &&
        path_of(out, first_file, path))
        return rp_file_open(path, false);
    rp_folder_remove(folder, path);
    return -1;
}

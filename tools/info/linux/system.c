/* SPDX-License-Identifier: MIT */
#include "../system.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

const char info_list_separators[] = ":";

const char *
info_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool
info_path_is_absolute(const char *path)
{
    return path[0] == '/';
}

void
info_each_file(const char *folder, info_visit visit, void *ctx)
{
    DIR *dir = opendir(folder);
    if (!dir)
        return;
    for (const struct dirent *entry = readdir(dir); entry; entry = readdir(dir))
        visit(ctx, entry->d_name);
    closedir(dir);
}

void
info_each_place(info_visit visit, void *ctx)
{
    static const char *const fixed[] = {"/etc/vulkan/icd.d", "/usr/local/etc/vulkan/icd.d",
                                        "/usr/local/share/vulkan/icd.d", "/usr/share/vulkan/icd.d"};
    static const char own[] = REELPIPE_DATADIR "/vulkan/icd.d";
    const char *home = getenv("HOME");
    bool is_known = false;

    for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++) {
        visit(ctx, fixed[i]);
        is_known |= strcmp(own, fixed[i]) == 0;
    }
    if (!is_known)
        visit(ctx, own);
    if (home) {
        char folder[4096];
        (void)snprintf(folder, sizeof(folder), "%s/.local/share/vulkan/icd.d", home);
        visit(ctx, folder);
    }
}

bool
info_is_elevated(void)
{
    return getauxval(AT_SECURE) != 0;
}

void
info_forget_variable(const char *name)
{
    (void)unsetenv(name);
}
